//! Levels of detail and cube maps.

use gridwright_emulator::{ArrayKind, Device, MipmapSampler, Sampler, TextureSource, TextureView};

use crate::textures::{array, bytes_of, floats, launch};

/// Levels of 4, 2 and 1 texels, each of one number: 10, 20, 30.
fn mipmaps(device: &Device, sampler: Sampler) -> u64 {
    let mipmaps = device.make_mipmapped_array(floats(ArrayKind::Plane, [4, 4, 1]), 3).unwrap();
    for (level, value) in mipmaps.levels().iter().zip([10.0, 20.0, 30.0]) {
        let texels = level.shape().bytes().unwrap() as usize / 4;
        device.write(level.address(), &bytes_of(&vec![value; texels])).unwrap();
    }
    device.make_texture_of(&TextureSource::Mipmaps(mipmaps), sampler, None).unwrap()
}

fn sampler(is_linear: bool, bias: f32, range: [f32; 2]) -> Sampler {
    let mipmaps = MipmapSampler { is_linear, bias, range };
    Sampler { is_normalized: true, mipmaps, ..Sampler::NEAREST }
}

fn at_levels(sampler: Sampler, levels: &[f32]) -> Vec<f32> {
    let device = Device::new();
    let texture = mipmaps(&device, sampler);
    let tex = "tex.level.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r1}], %r2;";
    let at: Vec<_> = levels.iter().map(|level| [0.5_f32.to_bits(), level.to_bits(), 0]).collect();
    let (report, values) = launch(&device, texture, tex, &at);
    report.unwrap();
    values.iter().map(|value| f32::from_bits(value[0])).collect()
}

#[test]
fn levels_are_the_nearest_or_weighted() {
    let levels = [-1.0, 0.0, 0.5, 0.75, 1.25, 1.75, 9.0, f32::NAN];
    let nearest = at_levels(sampler(false, 0.0, [0.0, 8.0]), &levels);
    assert_eq!(nearest, [10.0, 10.0, 10.0, 20.0, 20.0, 30.0, 30.0, 10.0]);
    let weighted = at_levels(sampler(true, 0.0, [0.0, 8.0]), &levels);
    assert_eq!(weighted, [10.0, 10.0, 15.0, 17.5, 22.5, 27.5, 30.0, 10.0]);
}

#[test]
fn levels_are_biased_and_then_kept_in_a_range() {
    assert_eq!(at_levels(sampler(true, 0.5, [0.0, 8.0]), &[0.0, 1.0]), [15.0, 25.0]);
    assert_eq!(at_levels(sampler(true, -1.0, [0.25, 1.5]), &[0.0, 2.0, 9.0]), [12.5, 20.0, 25.0]);
}

#[test]
fn no_level_is_the_finest_of_the_range_and_integers_are_levels_of_whole_texels() {
    let device = Device::new();
    let texture = mipmaps(&device, sampler(true, 5.0, [0.5, 8.0]));
    let one = |tex: &str, at: [u32; 3]| {
        let (report, values) = launch(&device, texture, tex, &[at]);
        report.unwrap();
        f32::from_bits(values[0][0])
    };
    for form in ["tex", "tex.base"] {
        let tex = format!("{form}.2d.v4.f32.f32 {{%r4, %r5, %r6, %r7}}, [%rd1, {{%r1, %r1}}];");
        assert_eq!(one(&tex, [0; 3]), 15.0);
    }
    let tex = "tex.level.2d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2}], %r3;";
    assert_eq!([0, 1, 2, 7].map(|level| one(tex, [0, 0, level])), [10.0, 20.0, 30.0, 30.0]);
}

#[test]
fn gradients_choose_the_level_at_which_a_texel_is_a_pixel() {
    let device = Device::new();
    let texture = mipmaps(&device, sampler(true, 0.0, [0.0, 8.0]));
    let tex = "tex.grad.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r1}], {%r2, 0f00000000}, {0f00000000, %r3};";
    // Steps of fractions of four texels.
    let at = [[0.25_f32, 0.0], [0.5, 0.25], [0.25, 0.5], [0.125, 0.125], [4.0, 0.0], [0.0, 0.0]];
    let at: Vec<_> = at.iter().map(|[x, y]| [0, x.to_bits(), y.to_bits()]).collect();
    let (report, values) = launch(&device, texture, tex, &at);
    report.unwrap();
    let found: Vec<_> = values.iter().map(|value| f32::from_bits(value[0])).collect();
    assert_eq!(found, [10.0, 20.0, 20.0, 10.0, 30.0, 10.0]);
}

#[test]
fn views_are_parts_of_levels_and_layers_and_other_formats() {
    let device = Device::new();
    let shape = floats(ArrayKind::Layers, [1, 1, 3]);
    let mipmaps = device.make_mipmapped_array(shape, 1).unwrap();
    device.write(mipmaps.levels()[0].address(), &bytes_of(&[1.0, 2.0, 3.0])).unwrap();
    let source = TextureSource::Mipmaps(mipmaps);
    let mut view = TextureView { format: shape.format(), levels: [0, 0], layers: [1, 2] };
    let texture = device.make_texture_of(&source, Sampler::NEAREST, Some(view)).unwrap();
    let tex = "tex.a2d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%rd1, {%r3, %r1, %r2, %r2}];";
    let (_, values) = launch(&device, texture, tex, &[[0, 0, 0], [0, 0, 9]]);
    assert_eq!([values[0][0], values[1][0]].map(f32::from_bits), [2.0, 3.0]);
    view.format.texel = gridwright_emulator::TexelKind::Unsigned;
    let texture = device.make_texture_of(&source, Sampler::NEAREST, Some(view)).unwrap();
    let (_, values) = launch(&device, texture, &tex.replace("v4.f32", "v4.u32"), &[[0; 3]]);
    assert_eq!(values[0], [2.0_f32.to_bits(), 0, 0, 1]);
    for wrong in [
        TextureView { layers: [1, 3], ..view },
        TextureView { layers: [2, 1], ..view },
        TextureView { levels: [0, 1], ..view },
        TextureView { levels: [1, 0], ..view },
        TextureView { format: gridwright_emulator::TexelFormat { bits: 16, ..view.format }, ..view },
    ] {
        assert!(device.make_texture_of(&source, Sampler::NEAREST, Some(wrong)).is_err(), "{wrong:?}");
    }
}

#[test]
fn arrays_have_as_many_levels_as_halves() {
    let device = Device::new();
    let shape = floats(ArrayKind::Volume, [8, 2, 5]);
    assert_eq!(shape.most_levels(), 4);
    let mipmaps = device.make_mipmapped_array(shape, 4).unwrap();
    let extents: Vec<_> = mipmaps.levels().iter().map(|level| level.shape().extent).collect();
    assert_eq!(extents, [[8, 2, 5], [4, 1, 2], [2, 1, 1], [1, 1, 1]]);
    assert!(device.make_mipmapped_array(shape, 5).is_err());
    assert!(device.make_mipmapped_array(shape, 0).is_err());
}

const CUBE: &str = "tex.cube.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2, %r3, %r3}];";

fn cube(size: u32, cubes: u32, texels: &[f32], sampler: Sampler, tex: &str, at: &[[f32; 3]]) -> Vec<f32> {
    let device = Device::new();
    let kind = if cubes == 1 { ArrayKind::Cube } else { ArrayKind::CubeLayers };
    let array = array(&device, floats(kind, [size, size, 6 * cubes]), &bytes_of(texels));
    let texture = device.make_texture(&array, sampler);
    let words: Vec<_> = at.iter().map(|at| at.map(f32::to_bits)).collect();
    let (report, values) = launch(&device, texture, tex, &words);
    report.unwrap();
    values.iter().map(|value| f32::from_bits(value[0])).collect()
}

#[test]
fn a_direction_chooses_the_face_of_its_longest_axis() {
    let faces = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let at = [[2., 1., -1.], [-2., 1., 1.], [1., 3., 2.], [0., -1., 0.], [0., 0.5, 1.], [0.1, 0.2, -0.3]];
    assert_eq!(cube(1, 1, &faces, Sampler::NEAREST, CUBE, &at), faces);
    let twice: Vec<f32> = (0..12).map(|i| i as f32).collect();
    let tex = "mov.u32 %r4, 1; tex.acube.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r4, %r1, %r2, %r3}];";
    assert_eq!(cube(1, 2, &twice, Sampler::NEAREST, tex, &at), [6., 7., 8., 9., 10., 11.]);
}

#[test]
fn a_face_is_seen_from_inside() {
    // s and t of each face, as the guide's table has them: (s / |m| + 1) / 2.
    let texels: Vec<f32> = (0..24).map(|i| i as f32).collect();
    let table: [fn(f32, f32) -> [f32; 3]; 6] = [
        |s, t| [1.0, -t, -s],
        |s, t| [-1.0, -t, s],
        |s, t| [s, 1.0, t],
        |s, t| [s, -1.0, -t],
        |s, t| [s, -t, 1.0],
        |s, t| [-s, -t, -1.0],
    ];
    for (face, direction) in table.iter().enumerate() {
        let at = [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]].map(|[s, t]| direction(s, t));
        let expected: Vec<f32> = (0..4).map(|i| (4 * face + i) as f32).collect();
        assert_eq!(cube(2, 1, &texels, Sampler::NEAREST, CUBE, &at), expected);
    }
}

#[test]
fn seams_are_filtered_over_where_that_is_asked() {
    let faces = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let linear = Sampler { is_linear: true, ..Sampler::NEAREST };
    // At the edge between the faces of x and z.
    let at = [[1.0, 0.0, 1.0]];
    assert_eq!(cube(1, 1, &faces, linear, CUBE, &at), [4.0]);
    let seamless = Sampler { is_seamless: true, ..linear };
    assert_eq!(cube(1, 1, &faces, seamless, CUBE, &at), [2.0]);
}

#[test]
fn gradients_of_a_direction_are_those_on_its_face() {
    let device = Device::new();
    let mipmaps = device.make_mipmapped_array(floats(ArrayKind::Cube, [4, 4, 6]), 3).unwrap();
    for (level, value) in mipmaps.levels().iter().zip([10.0, 20.0, 30.0]) {
        let texels = level.shape().bytes().unwrap() as usize / 4;
        device.write(level.address(), &bytes_of(&vec![value; texels])).unwrap();
    }
    let source = TextureSource::Mipmaps(mipmaps);
    let texture = device.make_texture_of(&source, sampler(true, 0.0, [0.0, 8.0]), None).unwrap();
    // Twice as far from the centre a step is half as long: one of 1 is a quarter of the face's 4 texels.
    let tex = "tex.grad.cube.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2, %r2, %r2}], {0f00000000, %r3, 0f00000000, %r3}, {0f00000000, 0f00000000, 0f00000000, 0f00000000};";
    let at = [[2.0_f32, 0.0, 1.0], [2.0, 0.0, 2.0], [2.0, 0.0, 4.0]].map(|at| at.map(f32::to_bits));
    let (report, values) = launch(&device, texture, tex, &at);
    report.unwrap();
    let found: Vec<_> = values.iter().map(|value| f32::from_bits(value[0])).collect();
    assert_eq!(found, [10.0, 20.0, 30.0]);
}
