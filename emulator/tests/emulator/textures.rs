//! `tex` and `sust`: what is read, where it comes from, and what is found where the object isn't the right one. The values are worked
//! out by hand from the CUDA C++ Programming Guide.

use gridwright_emulator::{
    AddressMode, Array, ArrayKind, ArrayShape, Device, Finding, FindingKind, Launch, LaunchError, Report,
    Sampler, TexelKind,
};

use crate::harness::{Parameters, download, kernel, run, upload};

const NEAREST: Sampler = Sampler::NEAREST;
const LINEAR: Sampler = Sampler { is_linear: true, ..NEAREST };

pub(crate) fn shape(
    kind: ArrayKind,
    extent: [u32; 3],
    texel: TexelKind,
    bits: u32,
    channels: u32,
) -> ArrayShape {
    ArrayShape { kind, extent, texel, bits, channels }
}

pub(crate) fn floats(kind: ArrayKind, extent: [u32; 3]) -> ArrayShape {
    shape(kind, extent, TexelKind::Float, 32, 1)
}

pub(crate) fn array(device: &Device, shape: ArrayShape, texels: &[u8]) -> Array {
    let array = device.make_array(shape).unwrap();
    device.write(array.address(), texels).unwrap();
    array
}

pub(crate) fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Runs an instruction in a thread for each of some coordinates, which are `%r1` to `%r3`. It gives `%r4` to `%r7`; the object is
/// `%rd1`.
pub(crate) fn launch(
    device: &Device,
    object: u64,
    instruction: &str,
    at: &[[u32; 3]],
) -> (Result<Report, LaunchError>, Vec<[u32; 4]>) {
    let words: Vec<u32> = at.concat();
    let (x, y) =
        (upload(device, &words, u32::to_le_bytes), upload(device, &vec![0; 4 * at.len()], u32::to_le_bytes));
    let parameters = Parameters::default().wide(object).wide(x).wide(y).0;
    let body = format!(
        ".reg .b32 %r<10>; .reg .b64 %rd<10>;
         ld.param.u64 %rd1, [o]; ld.param.u64 %rd2, [x]; ld.param.u64 %rd3, [y]; mov.u32 %r0, %tid.x;
         mad.wide.u32 %rd4, %r0, 12, %rd2; mad.wide.u32 %rd5, %r0, 16, %rd3;
         ld.global.u32 %r1, [%rd4]; ld.global.u32 %r2, [%rd4+4]; ld.global.u32 %r3, [%rd4+8];
         mov.u32 %r4, 7; mov.u32 %r5, 7; mov.u32 %r6, 7; mov.u32 %r7, 7;
         {instruction}
         st.global.v4.u32 [%rd5], {{%r4, %r5, %r6, %r7}};"
    );
    let text = kernel(".param .u64 o, .param .u64 x, .param .u64 y", &body);
    let result = run(device, &text, &Launch::new([1, 1, 1], [at.len() as u32, 1, 1], &parameters));
    let values = download(device, y, 4 * at.len(), u32::from_le_bytes);
    (result, values.chunks_exact(4).map(|of| [of[0], of[1], of[2], of[3]]).collect())
}

/// What is read of a new texture.
pub(crate) fn read(
    shape: ArrayShape,
    texels: &[u8],
    sampler: Sampler,
    instruction: &str,
    at: &[[u32; 3]],
) -> Vec<[u32; 4]> {
    let device = Device::new();
    let texture = device.make_texture(&array(&device, shape, texels), sampler);
    let (report, values) = launch(&device, texture, instruction, at);
    assert!(report.unwrap().findings.is_empty(), "{instruction}");
    values
}

/// The first floats.
fn read_floats(
    shape: ArrayShape,
    texels: &[f32],
    sampler: Sampler,
    instruction: &str,
    at: &[[f32; 3]],
) -> Vec<f32> {
    let at: Vec<_> = at.iter().map(|at| at.map(f32::to_bits)).collect();
    let values = read(shape, &bytes_of(texels), sampler, instruction, &at);
    values.into_iter().map(|[first, ..]| f32::from_bits(first)).collect()
}

const TEX_1D: &str = "tex.1d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1}];";
const TEX_2D: &str = "tex.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2}];";

fn line(texels: &[f32], sampler: Sampler, at: &[f32]) -> Vec<f32> {
    let shape = floats(ArrayKind::Line, [texels.len() as u32, 1, 1]);
    let at: Vec<_> = at.iter().map(|&x| [x, 0.0, 0.0]).collect();
    read_floats(shape, texels, sampler, TEX_1D, &at)
}

#[test]
fn weights_have_eight_bits_behind_the_point() {
    let at = [0.5, 1.0, 1.5, 0.75, 0.5 + 1.0 / 1024.0, 0.5 + 3.0 / 1024.0, 1.5 - 1.0 / 1024.0];
    let values = line(&[0.0, 256.0], LINEAR, &at);
    assert_eq!(values, [0.0, 128.0, 256.0, 64.0, 0.0, 1.0, 256.0]);
}

#[test]
fn beyond_the_edges_is_what_the_mode_says() {
    let at: Vec<f32> = (-4..8).map(|i| i as f32 + 0.5).collect();
    let by = |address| {
        let sampler = Sampler { address: [address; 3], ..NEAREST };
        let normalized = Sampler { is_normalized: true, ..sampler };
        let fractions: Vec<_> = at.iter().map(|at| at / 4.0).collect();
        let texels = [1.0, 2.0, 3.0, 4.0];
        (line(&texels, sampler, &at), line(&texels, normalized, &fractions))
    };
    let clamped = [1., 1., 1., 1., 1., 2., 3., 4., 4., 4., 4., 4.];
    assert_eq!(by(AddressMode::Clamp), (clamped.to_vec(), clamped.to_vec()));
    let zeros = [0., 0., 0., 0., 1., 2., 3., 4., 0., 0., 0., 0.];
    assert_eq!(by(AddressMode::Border), (zeros.to_vec(), zeros.to_vec()));
    // These ask for normalised coordinates, and clamp without.
    let again = [1., 2., 3., 4., 1., 2., 3., 4., 1., 2., 3., 4.];
    assert_eq!(by(AddressMode::Wrap), (clamped.to_vec(), again.to_vec()));
    let reflected = [4., 3., 2., 1., 1., 2., 3., 4., 4., 3., 2., 1.];
    assert_eq!(by(AddressMode::Mirror), (clamped.to_vec(), reflected.to_vec()));
    let border = Sampler { address: [AddressMode::Border; 3], ..LINEAR };
    assert_eq!(line(&[4.0, 8.0], border, &[0.0, 2.0, -1.0]), [2.0, 4.0, 0.0]);
}

#[test]
fn planes_volumes_and_layers_are_read_where_they_lie() {
    let plane = floats(ArrayKind::Plane, [2, 2, 1]);
    let at = [[0.5, 0.5, 0.0], [1.5, 0.5, 0.0], [0.5, 1.5, 0.0], [1.0, 1.0, 0.0]];
    assert_eq!(read_floats(plane, &[1., 2., 3., 4.], LINEAR, TEX_2D, &at), [1., 2., 3., 2.5]);

    let eight = [1., 2., 3., 4., 5., 6., 7., 8.];
    let volume = floats(ArrayKind::Volume, [2, 2, 2]);
    let tex = "tex.3d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2, %r3, %r3}];";
    let at = [[0.5, 0.5, 1.5], [1.5, 1.5, 1.0], [1.0, 1.0, 1.0]];
    assert_eq!(read_floats(volume, &eight, LINEAR, tex, &at), [5., 6., 4.5]);

    let layers = floats(ArrayKind::Layers, [2, 2, 2]);
    let tex =
        "cvt.rzi.u32.f32 %r3, %r3; tex.a2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r3, %r1, %r2, %r2}];";
    let at = [[0.5, 1.5, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 9.0]];
    assert_eq!(read_floats(layers, &eight, LINEAR, tex, &at), [3., 6.5, 6.5]);

    let tex = "cvt.rni.s32.f32 %r1, %r1; cvt.rni.s32.f32 %r2, %r2; tex.2d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2}];";
    let at = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    assert_eq!(read_floats(plane, &[1., 2., 3., 4.], LINEAR, tex, &at), [3., 2.]);
}

#[test]
fn numbers_are_read_by_their_formats() {
    let one = |texel, bits, channels, bytes: &[u8], reads_integers, ty: &str| {
        let shape = shape(ArrayKind::Line, [1, 1, 1], texel, bits, channels);
        let tex = format!("tex.1d.v4.{ty}.f32 {{%r4, %r5, %r6, %r7}}, [%rd1, {{%r1}}];");
        read(shape, bytes, Sampler { reads_integers, ..NEAREST }, &tex, &[[0; 3]])[0]
    };
    let float = |values: [f32; 4]| values.map(f32::to_bits);
    use TexelKind::{Float, Signed, Unsigned};
    // Channels that there aren't are 0, 0 and 1.
    assert_eq!(one(Unsigned, 8, 1, &[200], true, "u32"), [200, 0, 0, 1]);
    assert_eq!(one(Signed, 8, 2, &[0xff, 2], true, "s32"), [u32::MAX, 2, 0, 1]);
    assert_eq!(one(Unsigned, 8, 2, &[255, 51], false, "f32"), float([1.0, 0.2, 0.0, 1.0]));
    assert_eq!(one(Signed, 8, 4, &[0x80, 0x81, 0, 127], false, "f32"), float([-1.0, -1.0, 0.0, 1.0]));
    assert_eq!(one(Unsigned, 16, 1, &[0xff, 0xff], false, "f32"), float([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(one(Signed, 16, 1, &[1, 0x80], false, "f32"), float([-1.0, 0.0, 0.0, 1.0]));
    assert_eq!(one(Signed, 32, 1, &[0, 0, 0, 0x80], false, "s32"), [1 << 31, 0, 0, 1]);
    assert_eq!(one(Unsigned, 32, 1, &[0xff; 4], false, "u32"), [u32::MAX, 0, 0, 1]);
    assert_eq!(one(Float, 16, 2, &[0x00, 0x3c, 0x00, 0xc0], false, "f32"), float([1.0, -2.0, 0.0, 1.0]));
}

#[test]
fn surfaces_take_bytes_at_columns_that_count_bytes() {
    let device = Device::new();
    let of = shape(ArrayKind::Plane, [3, 2, 1], TexelKind::Unsigned, 16, 2);
    let array = array(&device, of, &[0; 24]);
    let surface = device.make_surface(&array);
    let at = [[4, 0, 0], [8, 1, 0]];
    let sust = "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r1};";
    launch(&device, surface, sust, &at).0.unwrap();
    let mut bytes = [0; 24];
    device.read(array.address(), &mut bytes).unwrap();
    let mut expected = [0; 24];
    (expected[4], expected[20]) = (4, 8);
    assert_eq!(bytes, expected);

    for (kind, channels, sust) in [
        (ArrayKind::Line, 4, "sust.b.1d.v4.b32.trap [%rd1, {%r1}], {%r1, %r2, %r3, %r2};"),
        (ArrayKind::Volume, 2, "sust.b.3d.v2.b32.trap [%rd1, {%r1, %r2, %r2, %r2}], {%r1, %r3};"),
        (ArrayKind::Layers, 1, "sust.b.a2d.b32.trap [%rd1, {%r2, %r1, %r2, %r2}], {%r3};"),
    ] {
        let shape = shape(kind, [1, 1, 1], TexelKind::Signed, 32, channels);
        let array = array_of_zeros(&device, shape);
        launch(&device, device.make_surface(&array), sust, &[[0, 0, 5]]).0.unwrap();
        let mut bytes = vec![0; 4 * channels as usize];
        device.read(array.address(), &mut bytes).unwrap();
        assert_eq!(bytes.iter().filter(|&&byte| byte == 5).count(), 1, "{kind:?}");
    }
}

pub(crate) fn array_of_zeros(device: &Device, shape: ArrayShape) -> Array {
    array(device, shape, &vec![0; shape.bytes().unwrap() as usize])
}

pub(crate) fn fault(device: &Device, object: u64, instruction: &str, at: [u32; 3]) -> Finding {
    match launch(device, object, instruction, &[[0; 3], at]).0 {
        Err(LaunchError::Fault { finding, .. }) => *finding,
        other => panic!("{instruction}: {other:?}"),
    }
}

#[test]
fn what_is_not_the_right_object_ends_the_launch() {
    let device = Device::new();
    let plane = array_of_zeros(&device, floats(ArrayKind::Plane, [2, 2, 1]));
    let integers = array_of_zeros(&device, shape(ArrayKind::Plane, [2, 2, 1], TexelKind::Unsigned, 32, 1));
    let (texture, surface) = (device.make_texture(&plane, NEAREST), device.make_surface(&plane));
    let gone = device.make_texture(&plane, NEAREST);
    assert!(device.drop_object(gone));
    let sust = "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};";
    for (object, instruction, said) in [
        (0, TEX_2D, "there is no such texture"),
        (gone, TEX_2D, "there is no such texture"),
        (surface, TEX_2D, "a surface is read"),
        (texture, TEX_1D, "other dimensions"),
        (device.make_texture(&integers, NEAREST), TEX_2D, "integers are read as floats"),
        (texture, sust, "a texture is accessed as a surface"),
        (surface, "sust.b.1d.b32.trap [%rd1, {%r1}], {%r3};", "other dimensions"),
    ] {
        let finding = fault(&device, object, instruction, [0; 3]);
        assert!(matches!(finding.kind, FindingKind::TextureObject { .. }), "{finding}");
        assert!(finding.to_string().contains(said), "{instruction}: {finding}");
        assert_eq!((finding.thread, finding.line), ([0; 3], 11), "{finding}");
    }
    launch(&device, texture, TEX_2D, &[[0; 3]]).0.unwrap();
}

#[test]
fn writes_beyond_a_surface_end_the_launch() {
    let device = Device::new();
    let plane = array_of_zeros(&device, floats(ArrayKind::Plane, [2, 2, 1]));
    let surface = device.make_surface(&plane);
    let sust = "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};";
    for at in [[8, 0, 0], [0, 2, 0], [u32::MAX - 3, 0, 0], [0, u32::MAX, 0], [2, 0, 0]] {
        let finding = fault(&device, surface, sust, at);
        assert!(matches!(finding.kind, FindingKind::OutsideSurface { .. }), "{finding}");
        assert_eq!(finding.thread, [1, 0, 0], "{finding}");
    }
}

#[test]
fn arrays_that_there_are_not_are_refused_and_others_freed() {
    let device = Device::new();
    for (extent, bits, channels, kind) in [
        ([0, 1, 1], 8, 1, TexelKind::Unsigned),
        ([1, 0, 1], 8, 1, TexelKind::Unsigned),
        ([1, 1, 1], 8, 3, TexelKind::Unsigned),
        ([1, 1, 1], 64, 1, TexelKind::Unsigned),
        ([1, 1, 1], 8, 1, TexelKind::Float),
        ([u32::MAX; 3], 32, 4, TexelKind::Float),
    ] {
        let shape = shape(ArrayKind::Volume, extent, kind, bits, channels);
        assert!(device.make_array(shape).is_err(), "{shape:?}");
    }
    let before = device.used();
    let array = array_of_zeros(&device, floats(ArrayKind::Line, [100, 1, 1]));
    let texture = device.make_texture(&array, NEAREST);
    drop(array);
    assert_eq!(device.used(), before + 400, "the texture has it still");
    assert!(device.drop_object(texture));
    assert_eq!(device.used(), before);
}
