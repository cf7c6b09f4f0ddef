//! Sampling against the formulas of "Texture Fetching" in the CUDA C++ Programming Guide, for each address mode, filter, kind of
//! coordinates and number of dimensions.

use gridwright_emulator::{AddressMode, ArrayKind, Device, Sampler};

use crate::harness::Random;
use crate::textures::{array, bytes_of, floats, launch};

const MODES: [AddressMode; 4] =
    [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
const BORDER: f32 = 100.0;

/// A texture of floats with extents that the guide calls N, M and L.
struct Reference {
    extent: [i64; 3],
    axes: usize,
    texels: Vec<f32>,
    sampler: Sampler,
}

impl Reference {
    /// The texel of an index that the address mode maps into the texture.
    fn texel(&self, index: [i64; 3]) -> f64 {
        let mut at = [0; 3];
        for axis in 0..self.axes {
            let (i, n) = (index[axis], self.extent[axis]);
            let mode = match self.sampler.address[axis] {
                AddressMode::Wrap | AddressMode::Mirror if !self.sampler.is_normalized => AddressMode::Clamp,
                mode => mode,
            };
            at[axis] = match mode {
                AddressMode::Clamp => i.max(0).min(n - 1),
                AddressMode::Wrap => ((i % n) + n) % n,
                AddressMode::Mirror => {
                    let period = ((i % (2 * n)) + 2 * n) % (2 * n);
                    if period < n { period } else { 2 * n - 1 - period }
                }
                AddressMode::Border if i < 0 || i >= n => return BORDER.into(),
                AddressMode::Border => i,
            };
        }
        let [n, m, _] = self.extent;
        self.texels[((at[2] * m + at[1]) * n + at[0]) as usize].into()
    }

    /// tex(x), tex(x, y) or tex(x, y, z).
    fn sample(&self, at: [f32; 3]) -> f32 {
        let mut place = [0.0_f64; 3];
        for axis in 0..self.axes {
            let at = f64::from(at[axis]);
            let (whole, fraction) = (at.floor(), at - at.floor());
            place[axis] = match self.sampler.address[axis] {
                _ if !self.sampler.is_normalized => at,
                AddressMode::Wrap => fraction * self.extent[axis] as f64,
                AddressMode::Mirror if whole % 2.0 == 0.0 => fraction * self.extent[axis] as f64,
                AddressMode::Mirror => (1.0 - fraction) * self.extent[axis] as f64,
                AddressMode::Clamp | AddressMode::Border => at * self.extent[axis] as f64,
            };
        }
        if !self.sampler.is_linear {
            return self.texel(place.map(|at| at.floor() as i64)) as f32;
        }
        let below = place.map(|at| at - 0.5);
        let [i, j, k] = below.map(|at| at.floor() as i64);
        let [a, b, c] = below.map(|at| ((at - at.floor()) * 256.0).round() / 256.0);
        let t = |x: i64, y: i64, z: i64| self.texel([i + x, j + y, k + z]);
        let line = |y, z| (1.0 - a) * t(0, y, z) + a * t(1, y, z);
        let plane = |z| if self.axes < 2 { line(0, z) } else { (1.0 - b) * line(0, z) + b * line(1, z) };
        (if self.axes < 3 { plane(0) } else { (1.0 - c) * plane(0) + c * plane(1) }) as f32
    }
}

#[test]
fn sampling_is_what_the_formulas_give() {
    let mut random = Random(7);
    // Powers of two, so that no product with an extent is rounded.
    for (kind, extent, axes) in
        [(ArrayKind::Line, [8, 1, 1], 1), (ArrayKind::Plane, [8, 4, 1], 2), (ArrayKind::Volume, [4, 8, 2], 3)]
    {
        let count = extent.iter().product::<u32>() as usize;
        let texels: Vec<f32> = (0..count).map(|_| (random.next() % 1024) as f32 / 16.0).collect();
        let shape = floats(kind, extent);
        let device = Device::new();
        let array = array(&device, shape, &bytes_of(&texels));
        let (name, at) = [("1d", "%r1"), ("2d", "%r1, %r2"), ("3d", "%r1, %r2, %r3, %r3")][axes - 1];
        let tex = format!("tex.{name}.v4.f32.f32 {{%r4, %r5, %r6, %r7}}, [%rd1, {{{at}}}];");
        for mode in MODES {
            for (is_linear, is_normalized) in [(false, false), (false, true), (true, false), (true, true)] {
                let border = [BORDER; 4];
                let sampler =
                    Sampler { address: [mode; 3], is_linear, is_normalized, border, ..Sampler::NEAREST };
                let places: Vec<[f32; 3]> = (0..64)
                    .map(|_| {
                        std::array::from_fn(|axis| {
                            // Multiples of 1/32 of a texel, so that no float is rounded.
                            let steps = i64::from(extent[axis]) * 32;
                            let at = (random.next() % (steps as u64 * 5)) as i64 - 2 * steps;
                            let scale = if is_normalized { steps as f32 } else { 32.0 };
                            at as f32 / scale
                        })
                    })
                    .collect();
                let words: Vec<_> = places.iter().map(|at| at.map(f32::to_bits)).collect();
                let texture = device.make_texture(&array, sampler);
                let (report, values) = launch(&device, texture, &tex, &words);
                report.unwrap();
                let reference =
                    Reference { extent: extent.map(i64::from), axes, texels: texels.clone(), sampler };
                for (at, value) in places.iter().zip(values) {
                    let expected = reference.sample(*at);
                    assert_eq!(f32::from_bits(value[0]), expected, "{kind:?} {sampler:?} at {at:?}");
                }
            }
        }
    }
}

#[test]
fn integers_of_a_border_are_its_bits() {
    use gridwright_emulator::TexelKind;
    let shape = crate::textures::shape(ArrayKind::Line, [1, 1, 1], TexelKind::Signed, 16, 4);
    let border = [1_u32, 2, u32::MAX, 4].map(f32::from_bits);
    let sampler =
        Sampler { address: [AddressMode::Border; 3], reads_integers: true, border, ..Sampler::NEAREST };
    let tex = "tex.1d.v4.s32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1}];";
    let at = [[(-1.0_f32).to_bits(), 0, 0]];
    assert_eq!(crate::textures::read(shape, &[9; 8], sampler, tex, &at), [[1, 2, u32::MAX, 4]]);
}

#[test]
fn colours_of_srgb_are_made_linear_before_they_are_filtered() {
    use gridwright_emulator::TexelKind;
    let shape = crate::textures::shape(ArrayKind::Line, [2, 1, 1], TexelKind::Unsigned, 8, 4);
    let sampler = Sampler { is_linear: true, converts_srgb: true, ..Sampler::NEAREST };
    let tex = "tex.1d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1}];";
    let at = [[1.0_f32.to_bits(), 0, 0]];
    let values = crate::textures::read(shape, &[0, 10, 188, 51, 255, 10, 188, 51], sampler, tex, &at);
    let [r, g, b, a] = values[0].map(f32::from_bits);
    assert_eq!((r, a), (0.5, 0.2));
    assert!((g - 10.0 / 255.0 / 12.92).abs() < 1e-7, "{g}");
    assert!((b - 0.502_886_5).abs() < 1e-5, "{b}");
}

#[test]
fn offsets_are_texels_and_have_four_bits() {
    let texels: Vec<f32> = (0..16).map(|i| i as f32).collect();
    let plane = floats(ArrayKind::Plane, [4, 4, 1]);
    for (offset, expected) in [("{1, 2}", 14.0), ("{-1, 0}", 4.0), ("{-8, 7}", 12.0)] {
        for tex in [
            format!("tex.2d.v4.f32.f32 {{%r4, %r5, %r6, %r7}}, [%rd1, {{%r1, %r2}}], {offset};"),
            format!(
                "tex.level.2d.v4.f32.f32 {{%r4, %r5, %r6, %r7}}, [%rd1, {{%r1, %r2}}], 0f00000000, {offset};"
            ),
            format!("tld4.r.2d.v4.f32.f32 {{%r5, %r6, %r7, %r4}}, [%rd1, {{%r2, %r3}}], {offset};"),
        ] {
            let at = [[1.5_f32.to_bits(), 1.5_f32.to_bits(), 1.75_f32.to_bits()]];
            let values = crate::textures::read(plane, &bytes_of(&texels), Sampler::NEAREST, &tex, &at);
            // The upper left texel of what is gathered.
            assert_eq!(f32::from_bits(values[0][0]), expected, "{tex}");
        }
    }
    let line = floats(ArrayKind::Line, [4, 1, 1]);
    for tex in ["[%rd1, {%r1}], {%r2}", "[%rd1, %r1], %r2"] {
        let tex = format!("tex.1d.v4.f32.f32 {{%r4, %r5, %r6, %r7}}, {tex};");
        let at = [[0.5_f32.to_bits(), 2, 0]];
        let values = crate::textures::read(line, &bytes_of(&texels[..4]), Sampler::NEAREST, &tex, &at);
        assert_eq!(f32::from_bits(values[0][0]), 2.0);
    }
}

#[test]
fn four_texels_are_gathered_against_the_clock() {
    let shape =
        crate::textures::shape(ArrayKind::Plane, [2, 2, 1], gridwright_emulator::TexelKind::Unsigned, 8, 2);
    let sampler = Sampler { reads_integers: true, ..Sampler::NEAREST };
    let texels = [1, 11, 2, 12, 3, 13, 4, 14];
    for (channel, expected) in [("r", [3, 4, 2, 1]), ("g", [13, 14, 12, 11]), ("b", [0; 4]), ("a", [1; 4])] {
        let tex = format!("tld4.{channel}.2d.v4.u32.f32 {{%r4, %r5, %r6, %r7}}, [%rd1, {{%r1, %r1}}];");
        let values = crate::textures::read(shape, &texels, sampler, &tex, &[[1.0_f32.to_bits(), 0, 0]]);
        assert_eq!(values, [expected], "{channel}");
    }
}

#[test]
fn halves_are_given_one_in_a_register_or_two() {
    let shape =
        crate::textures::shape(ArrayKind::Line, [1, 1, 1], gridwright_emulator::TexelKind::Float, 32, 4);
    let texels = bytes_of(&[1.0, 2.0, -0.5, 0.333_333_34]);
    let tex = ".reg .b16 %h<4>; tex.1d.v4.f16.f32 {%h0, %h1, %h2, %h3}, [%rd1, {%r1}];
        cvt.u32.u16 %r4, %h0; cvt.u32.u16 %r5, %h1; cvt.u32.u16 %r6, %h2; cvt.u32.u16 %r7, %h3;";
    let values = crate::textures::read(shape, &texels, Sampler::NEAREST, tex, &[[0; 3]]);
    assert_eq!(values, [[0x3c00, 0x4000, 0xb800, 0x3555]]);
    let tex = "tex.1d.v2.f16x2.s32 {%r4, %r5}, [%rd1, {%r1}];";
    let values = crate::textures::read(shape, &texels, Sampler::NEAREST, tex, &[[0; 3]]);
    assert_eq!(values, [[0x4000_3c00, 0x3555_b800, 7, 7]]);
}

#[test]
fn layers_of_lines_are_chosen_and_all_texels_are_resident() {
    let shape = floats(ArrayKind::LineLayers, [2, 1, 3]);
    let texels = bytes_of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let tex = ".reg .pred %p1; tex.a1d.v4.f32.s32 {%r4, %r5, %r6, %r7}|%p1, [%rd1, {%r2, %r1}]; selp.u32 %r5, 8, 9, %p1;";
    let at = [[1, 0, 0], [0, 1, 0], [1, 7, 0]];
    let values = crate::textures::read(shape, &texels, Sampler::NEAREST, tex, &at);
    let found: Vec<_> = values.iter().map(|value| (f32::from_bits(value[0]), value[1])).collect();
    assert_eq!(found, [(2.0, 8), (3.0, 8), (6.0, 8)]);
}

#[test]
fn what_no_call_makes_is_a_wrong_object_and_depths_are_refused() {
    let device = Device::new();
    let array = crate::textures::array_of_zeros(&device, floats(ArrayKind::Plane, [2, 2, 1]));
    let texture = device.make_texture(&array, Sampler::NEAREST);
    let samples = "tex.2dms.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2, %r3, %r3}];";
    let finding = crate::textures::fault(&device, texture, samples, [0; 3]);
    assert!(finding.to_string().contains("other dimensions"), "{finding}");
    let depth = crate::harness::kernel(
        "",
        ".reg .f32 %f<8>; .reg .b64 %d; tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%d, {%f4,%f5}], %f6;",
    );
    let error = gridwright_emulator::Module::parse(&depth).unwrap_err().to_string();
    assert!(error.contains("depths"), "{error}");
}
