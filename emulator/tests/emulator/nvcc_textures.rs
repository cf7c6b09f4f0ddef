//! Textures and surfaces of CUDA C, as nvcc compiles them.

use gridwright_emulator::{
    Array, ArrayKind, ArrayShape, Device, Launch, MipmapSampler, Module, Sampler, TexelKind, TextureSource,
};

use crate::harness::Parameters;
use crate::textures::{array, array_of_zeros, bytes_of, shape};

const LINEAR: Sampler = Sampler { is_linear: true, ..Sampler::NEAREST };

fn shape_of(kind: ArrayKind, extent: [u32; 3]) -> ArrayShape {
    shape(kind, extent, TexelKind::Float, 32, 4)
}

/// Texels of four floats: its number, ten times and a hundred times that, and 5.
fn numbered(device: &Device, kind: ArrayKind, extent: [u32; 3]) -> Array {
    let count = extent.iter().product::<u32>();
    let texels: Vec<f32> =
        (0..count).flat_map(|i| [1, 10, 100].map(|by| (i * by) as f32).into_iter().chain([5.0])).collect();
    array(device, shape_of(kind, extent), &bytes_of(&texels))
}

/// Runs a kernel of these objects, and then of memory, which it fills with so many floats.
fn run(device: &Device, kernel: &str, objects: &[u64], block: [u32; 3], words: usize) -> Vec<u32> {
    let module =
        Module::parse(include_str!("../ptx/nvcc_textures.ptx")).unwrap_or_else(|error| panic!("{error}"));
    let loaded = device.load(&module).unwrap();
    let out = device.alloc(4 * words as u64).unwrap();
    let parameters = objects.iter().fold(Parameters::default(), |all, object| all.wide(*object)).wide(out).0;
    let report = device.launch(&loaded, kernel, &Launch::new([1, 1, 1], block, &parameters)).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    crate::harness::download(device, out, words, u32::from_le_bytes)
}

fn floats(words: &[u32]) -> Vec<[f32; 4]> {
    words.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]].map(f32::from_bits)).collect()
}

#[test]
fn functions_that_sample_give_what_the_guide_says() {
    let device = Device::new();
    let objects =
        [(ArrayKind::Line, [4, 1, 1]), (ArrayKind::Plane, [2, 2, 1]), (ArrayKind::Volume, [2, 2, 2])]
            .map(|(kind, extent)| device.make_texture(&numbered(&device, kind, extent), LINEAR));
    let found = floats(&run(&device, "sample", &objects, [1; 3], 24));
    let texel = |number: f32| [number, 10.0 * number, 100.0 * number, 5.0];
    assert_eq!(found[0], texel(0.5));
    assert_eq!(found[1], texel(2.0));
    assert_eq!(found[2], texel(1.5));
    assert_eq!(found[3], [20.0, 30.0, 10.0, 0.0]);
    assert_eq!(found[4], [2.0, 20.0, 200.0, 1.0]);
    assert_eq!(found[5], texel(3.5));
}

#[test]
fn functions_of_detail_choose_levels() {
    let device = Device::new();
    let mipmaps = device.make_mipmapped_array(shape_of(ArrayKind::Plane, [4, 4, 1]), 3).unwrap();
    for (level, value) in mipmaps.levels().iter().zip([1.0, 2.0, 3.0]) {
        let count = level.shape().bytes().unwrap() as usize / 4;
        device.write(level.address(), &bytes_of(&vec![value; count])).unwrap();
    }
    let mipmaps_of = MipmapSampler { is_linear: true, bias: 0.0, range: [0.0, 9.0] };
    let sampler = Sampler { is_normalized: true, mipmaps: mipmaps_of, ..LINEAR };
    let texture = device.make_texture_of(&TextureSource::Mipmaps(mipmaps), sampler, None).unwrap();
    let found = floats(&run(&device, "detail", &[texture], [1; 3], 12));
    assert_eq!(found, [[2.0; 4], [2.0; 4], [1.0; 4]]);
}

#[test]
fn functions_of_layers_and_cubes_choose_them() {
    let device = Device::new();
    let objects = [
        (ArrayKind::LineLayers, [1, 1, 3]),
        (ArrayKind::Layers, [1, 1, 3]),
        (ArrayKind::Cube, [1, 1, 6]),
        (ArrayKind::CubeLayers, [1, 1, 12]),
    ]
    .map(|(kind, extent)| device.make_texture(&numbered(&device, kind, extent), LINEAR));
    let found = floats(&run(&device, "layers", &objects, [1; 3], 16));
    assert_eq!(found.iter().map(|texel| texel[0]).collect::<Vec<_>>(), [1.0, 1.0, 3.0, 9.0]);
}

#[test]
fn functions_of_surfaces_write_and_read() {
    let device = Device::new();
    let plane = array_of_zeros(&device, shape(ArrayKind::Plane, [4, 2, 1], TexelKind::Unsigned, 8, 4));
    let planes = array_of_zeros(&device, shape(ArrayKind::Layers, [4, 2, 2], TexelKind::Signed, 16, 2));
    let volume = array_of_zeros(&device, shape(ArrayKind::Volume, [4, 2, 2], TexelKind::Signed, 32, 1));
    let objects = [&plane, &planes, &volume].map(|array| device.make_surface(array));
    let found = run(&device, "surfaces", &objects, [4, 2, 1], 8);
    let expected = (0..2).flat_map(|y| (0..4).map(move |x| x + y + 1000 * y + 100_000 * (x + 10 * y)));
    assert_eq!(found, expected.collect::<Vec<u32>>());
    let mut bytes = [0; 32];
    device.read(plane.address(), &mut bytes).unwrap();
    assert_eq!(bytes[28..], [3, 1, 4, 255]);
}
