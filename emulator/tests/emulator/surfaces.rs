//! `suld`, `sust` and `sured`, and what is asked of objects.

use gridwright_emulator::{
    ArrayKind, ArrayShape, Device, FindingKind, Module, Sampler, TexelFormat, TexelKind, TextureSource,
};

use crate::harness::{Parameters, kernel, run};
use crate::textures::{array, array_of_zeros, bytes_of, fault, floats, launch, shape};

const BYTES: ArrayShape = ArrayShape {
    kind: ArrayKind::Plane,
    extent: [8, 4, 1],
    texel: TexelKind::Unsigned,
    bits: 8,
    channels: 4,
};

/// What a kernel finds in the registers `%r4` to `%r7`, of a surface whose bytes are their own numbers.
fn load(shape: ArrayShape, instruction: &str, at: &[[i32; 3]]) -> Vec<[u32; 4]> {
    let device = Device::new();
    let count = shape.bytes().unwrap() as usize;
    let bytes: Vec<u8> = (0..count).map(|i| i as u8).collect();
    let surface = device.make_surface(&array(&device, shape, &bytes));
    let at: Vec<_> = at.iter().map(|at| at.map(|at| at as u32)).collect();
    let (report, values) = launch(&device, surface, instruction, &at);
    report.unwrap();
    values
}

/// The bytes of a surface of zeros once a kernel has run.
fn store(shape: ArrayShape, instruction: &str, at: &[[i32; 3]]) -> Vec<u8> {
    let device = Device::new();
    let array = array_of_zeros(&device, shape);
    let at: Vec<_> = at.iter().map(|at| at.map(|at| at as u32)).collect();
    launch(&device, device.make_surface(&array), instruction, &at).0.unwrap();
    let mut bytes = vec![0; shape.bytes().unwrap() as usize];
    device.read(array.address(), &mut bytes).unwrap();
    bytes
}

#[test]
fn bytes_are_loaded_in_all_widths() {
    let at = [[8, 1, 0]];
    let word = |at: u32| at | (at + 1) << 8 | (at + 2) << 16 | (at + 3) << 24;
    for (form, expected) in [
        ("b8.trap %r4", [40, 7, 7, 7]),
        ("b16.trap %r4", [40 | 41 << 8, 7, 7, 7]),
        ("b32.trap %r4", [word(40), 7, 7, 7]),
        ("b32.trap {%r4}", [word(40), 7, 7, 7]),
        ("ca.v2.b32.clamp {%r4, %r5}", [word(40), word(44), 7, 7]),
        ("v4.b8.zero {%r4, %r5, %r6, %r7}", [40, 41, 42, 43]),
        ("v4.b32.trap {%r4, %r5, %r6, %r7}", [word(40), word(44), word(48), word(52)]),
    ] {
        let form = form.replacen(' ', " !", 1);
        let (form, results) = form.split_once(" !").unwrap();
        // Sixteen bytes begin at a multiple of sixteen.
        let at = if form.starts_with("v4.b32") { [[0, 1, 8]] } else { at };
        let suld = format!("suld.b.2d.{form} {results}, [%rd1, {{%r1, %r2}}];");
        let expected =
            if form.starts_with("v4.b32") { [word(32), word(36), word(40), word(44)] } else { expected };
        assert_eq!(load(BYTES, &suld, &at), [expected], "{suld}");
    }
    let suld = "suld.b.2d.v2.b64.trap {%rd2, %rd3}, [%rd1, {%r1, %r2}]; mov.b64 {%r4, %r5}, %rd2; mov.b64 {%r6, %r7}, %rd3;";
    assert_eq!(load(BYTES, suld, &[[16, 0, 0]]), [[word(16), word(20), word(24), word(28)]]);
    let suld = ".reg .b16 %h; suld.b.2d.b8.trap %h, [%rd1, {%r1, %r2}]; cvt.u32.u16 %r4, %h;";
    assert_eq!(load(BYTES, suld, &[[31, 3, 0]])[0][0], 127);
}

#[test]
fn all_geometries_are_loaded_and_faces_of_cubes_are_layers() {
    for (kind, extent, form, offset) in [
        (ArrayKind::Line, [8, 1, 1], "1d.b32.trap %r4, [%rd1, %r1]", 4),
        (ArrayKind::Volume, [2, 3, 4], "3d.b32.trap %r4, [%rd1, {%r1, %r2, %r3, %r3}]", 4 + 2 * 8 + 24),
        (ArrayKind::LineLayers, [3, 1, 4], "a1d.b32.trap %r4, [%rd1, {%r3, %r1}]", 4 + 12),
        (ArrayKind::Layers, [2, 3, 4], "a2d.b32.trap %r4, [%rd1, {%r3, %r1, %r2, %r2}]", 4 + 2 * 8 + 24),
        (ArrayKind::Cube, [3, 3, 6], "a2d.b32.trap %r4, [%rd1, {%r3, %r1, %r2, %r2}]", 4 + 2 * 12 + 36),
    ] {
        let shape = shape(kind, extent, TexelKind::Unsigned, 32, 1);
        let suld = format!("suld.b.{form};");
        let expected = u32::from_le_bytes([0, 1, 2, 3].map(|i| offset + i));
        assert_eq!(load(shape, &suld, &[[4, 2, 1]])[0][0], expected, "{suld}");
    }
}

#[test]
fn beyond_the_edges_is_the_nearest_place_or_nothing() {
    let at = [[32, 0, 0], [-4, 0, 0], [0, 4, 0], [40, -1, 0], [4, 1, 0]];
    let values = |mode: &str| -> Vec<u32> {
        let suld = format!("suld.b.2d.b8.{mode} %r4, [%rd1, {{%r1, %r2}}];");
        load(BYTES, &suld, &at).iter().map(|value| value[0]).collect()
    };
    assert_eq!(values("clamp"), [31, 0, 96, 31, 36]);
    assert_eq!(values("zero"), [0, 0, 0, 0, 36]);
    // Whole accesses are kept inside.
    let suld = "suld.b.2d.v2.b32.clamp {%r4, %r5}, [%rd1, {%r1, %r2}];";
    assert_eq!(load(BYTES, suld, &[[32, 0, 0]])[0][..2], [0x1b1a_1918, 0x1f1e_1d1c]);

    let one = |mode: &str, at: [i32; 3]| {
        let bytes = store(BYTES, &format!("sust.b.2d.b8.{mode} [%rd1, {{%r1, %r2}}], {{%r3}};"), &[at]);
        bytes.iter().position(|&byte| byte != 0)
    };
    assert_eq!(one("clamp", [99, 1, 5]), Some(63));
    assert_eq!(one("zero", [99, 1, 5]), None);
    assert_eq!(one("zero", [3, 1, 5]), Some(35));
    let device = Device::new();
    let surface = device.make_surface(&array_of_zeros(&device, BYTES));
    for (instruction, at) in [
        ("suld.b.2d.b32.trap %r4, [%rd1, {%r1, %r2}];", [32, 0, 0]),
        ("suld.b.2d.b32.zero %r4, [%rd1, {%r1, %r2}];", [2, 0, 0]),
        ("sured.b.add.2d.u32.trap [%rd1, {%r1, %r2}], %r3;", [0, 4, 0]),
        ("sust.p.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};", [8, 0, 0]),
    ] {
        let finding = fault(&device, surface, instruction, at);
        assert!(matches!(finding.kind, FindingKind::OutsideSurface { .. }), "{instruction}: {finding}");
    }
}

#[test]
fn numbers_become_texels_of_the_format() {
    use TexelKind::{Float, Signed, SignedNormalized, Unsigned, UnsignedNormalized};
    for (texel, bits, channels, values, expected) in [
        (Unsigned, 8, 4, [1, 300, 3, 4], vec![1, 255, 3, 4]),
        (Signed, 8, 2, [-200_i32 as u32, 200, 0, 0], vec![0x80, 0x7f]),
        (Signed, 16, 1, [-2_i32 as u32, 9, 9, 9], vec![0xfe, 0xff]),
        (Float, 16, 1, [1.5_f32.to_bits(), 0, 0, 0], vec![0x00, 0x3e]),
        (Float, 32, 1, [0x1234_5678, 0, 0, 0], vec![0x78, 0x56, 0x34, 0x12]),
        (UnsignedNormalized, 8, 2, [2.0_f32.to_bits(), 0.5_f32.to_bits(), 0, 0], vec![255, 128]),
        (SignedNormalized, 16, 1, [(-1.0_f32).to_bits(), 0, 0, 0], vec![0x01, 0x80]),
    ] {
        let of = shape(ArrayKind::Line, [2, 1, 1], texel, bits, channels);
        let [a, b, c, d] = values;
        let sust = format!("sust.p.1d.v4.b32.trap [%rd1, {{1}}], {{{a}, {b}, {c}, {d}}};");
        let bytes = store(of, &sust, &[[0; 3]]);
        assert_eq!(bytes[expected.len()..], expected, "{texel:?} {bits}");
    }
}

#[test]
fn reductions_change_a_number_for_each_thread() {
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
    };
    let line = |texel, bits, channels| shape(ArrayKind::Line, [2, 1, 1], texel, bits, channels);
    let at: Vec<_> = (1..=8).map(|i| [4, 0, if i % 2 == 0 { i } else { -i }]).collect();
    let of = |form: &str, texel| {
        words(&store(line(texel, 32, 1), &format!("sured.{form} [%rd1, {{%r1}}], %r3;"), &at))[1]
    };
    assert_eq!(of("b.add.1d.u32.trap", TexelKind::Unsigned), 4);
    assert_eq!(of("b.add.1d.s32.clamp", TexelKind::Float), 4);
    assert_eq!(of("b.min.1d.s32.trap", TexelKind::Unsigned), -7_i32 as u32);
    assert_eq!(of("b.max.1d.s32.trap", TexelKind::Unsigned), 8);
    assert_eq!(of("b.max.1d.u32.trap", TexelKind::Unsigned), u32::MAX);
    assert_eq!(of("b.or.1d.b32.zero", TexelKind::Unsigned), u32::MAX);
    assert_eq!(of("b.and.1d.b32.zero", TexelKind::Unsigned), 0);
    // A column counts texels, and the format has the sign.
    let of = |form: &str, texel| {
        words(&store(line(texel, 32, 1), &format!("sured.{form} [%rd1, {{1}}], %r3;"), &at))[1]
    };
    assert_eq!(of("p.min.1d.b32.trap", TexelKind::Signed), -7_i32 as u32);
    assert_eq!(of("p.max.1d.b32.trap", TexelKind::Signed), 8);
    assert_eq!(of("p.max.1d.b32.zero", TexelKind::Unsigned), u32::MAX);
    let sured = "cvt.s64.s32 %rd2, %r3; sured.b.max.1d.u64.trap [%rd1, {8}], %rd2; sured.p.min.1d.b64.trap [%rd1, {0}], %rd2;";
    assert_eq!(
        words(&store(line(TexelKind::Signed, 32, 2), sured, &at)),
        [-7_i32 as u32, u32::MAX, -1_i32 as u32, u32::MAX]
    );
}

#[test]
fn objects_say_what_they_are() {
    let device = Device::new();
    let of = shape(ArrayKind::Layers, [8, 4, 3], TexelKind::Unsigned, 16, 2);
    let array = array_of_zeros(&device, of);
    let sampler = Sampler { is_linear: true, is_normalized: true, ..Sampler::NEAREST };
    let texture = device.make_texture(&array, sampler);
    let surface = device.make_surface(&array);
    let four = |object, [a, b, c, d]: [&str; 4]| {
        let text = format!("{a} %r4, [%rd1]; {b} %r5, [%rd1]; {c} %r6, [%rd1]; {d} %r7, [%rd1];");
        let (report, values) = launch(&device, object, &text, &[[0; 3]]);
        report.unwrap();
        values[0]
    };
    assert_eq!(
        four(texture, ["txq.width.b32", "txq.height.b32", "txq.depth.b32", "txq.array_size.b32"]),
        [8, 4, 1, 3]
    );
    assert_eq!(
        four(
            texture,
            [
                "txq.channel_data_type.b32",
                "txq.channel_order.b32",
                "txq.normalized_coords.b32",
                "txq.filter_mode.b32"
            ]
        ),
        [0x10db, 0x10b2, 1, 1]
    );
    assert_eq!(
        four(
            texture,
            [
                "txq.num_mipmap_levels.b32",
                "txq.num_samples.b32",
                "txq.addr_mode_0.b32",
                "txq.force_unnormalized_coords.b32"
            ]
        ),
        [1, 1, 3, 0]
    );
    assert_eq!(
        four(
            surface,
            ["suq.width.b32", "suq.array_size.b32", "suq.channel_order.b32", "suq.memory_layout.b32"]
        ),
        [8, 3, 0x10b2, 0]
    );
    let mipmaps = device.make_mipmapped_array(floats(ArrayKind::Plane, [8, 2, 1]), 4).unwrap();
    let texture_of_levels = device.make_texture_of(&TextureSource::Mipmaps(mipmaps), sampler, None).unwrap();
    let txq = "txq.level.width.b32 %r4, [%rd1], %r1; txq.level.height.b32 %r5, [%rd1], 1; txq.num_mipmap_levels.b32 %r6, [%rd1];";
    let (report, values) = launch(&device, texture_of_levels, txq, &[[2, 0, 0]]);
    report.unwrap();
    assert_eq!(values[0][..3], [2, 1, 4]);

    let test =
        ".reg .pred %p<3>; istypep.texref %p0, %rd1; istypep.surfref %p1, %rd1; istypep.samplerref %p2, %rd1;
        selp.u32 %r4, 1, 0, %p0; selp.u32 %r5, 1, 0, %p1; selp.u32 %r6, 1, 0, %p2;";
    for (object, expected) in [(texture, [1, 0, 0, 7]), (surface, [0, 1, 0, 7]), (999, [0, 0, 0, 7])] {
        assert_eq!(launch(&device, object, test, &[[0; 3]]).1[0], expected);
    }
}

#[test]
fn memory_is_read_as_a_texture_until_it_is_freed() {
    let device = Device::new();
    let format = TexelFormat { texel: TexelKind::Float, bits: 32, channels: 1 };
    let address = device.alloc(512).unwrap();
    device.write(address, &bytes_of(&(0..128).map(|i| i as f32).collect::<Vec<_>>())).unwrap();
    let line = device
        .make_texture_of(
            &TextureSource::Line { address: address + 16, format, width: 4 },
            Sampler::NEAREST,
            None,
        )
        .unwrap();
    let tex = "tex.1d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1}];";
    let (report, values) = launch(&device, line, tex, &[[0; 3], [3, 0, 0], [4, 0, 0], [u32::MAX, 0, 0]]);
    report.unwrap();
    let found: Vec<_> = values.iter().map(|value| f32::from_bits(value[0])).collect();
    assert_eq!(found, [4.0, 7.0, 0.0, 0.0]);

    let linear = Sampler { is_linear: true, ..Sampler::NEAREST };
    let source = TextureSource::Plane { address, format, width: 3, height: 2, pitch: 128 };
    let plane = device.make_texture_of(&source, linear, None).unwrap();
    let tex = "tex.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2}];";
    let at = [[0.5_f32, 0.5], [2.5, 1.5], [9.0, 1.5], [1.0, 1.0]].map(|[x, y]| [x.to_bits(), y.to_bits(), 0]);
    let (report, values) = launch(&device, plane, tex, &at);
    report.unwrap();
    let found: Vec<_> = values.iter().map(|value| f32::from_bits(value[0])).collect();
    assert_eq!(found, [0.0, 34.0, 34.0, 16.5]);

    let beyond = TextureSource::Line { address, format, width: 129 };
    assert!(device.make_texture_of(&beyond, linear, None).is_err());
    device.free(address).unwrap();
    let finding = fault(&device, plane, tex, [0; 3]);
    assert!(matches!(finding.kind, FindingKind::UseAfterFree(_)), "{finding}");
}

#[test]
fn references_of_a_module_stand_for_what_is_bound() {
    let head = ".version 8.5\n.target sm_90, texmode_independent\n.address_size 64\n
        .global .texref t; .global .surfref u = { width = 4 };
        .global .samplerref linear = { filter_mode = linear, addr_mode_0 = clamp_to_edge, force_unnormalized_coords = 1 };";
    let body = ".reg .f32 %f<8>; .reg .b64 %d<4>; .reg .pred %p; .reg .b32 %r<4>;
        ld.param.u64 %d0, [o];
        tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, linear, {0f3F800000}];
        st.global.f32 [%d0], %f0;
        mov.u64 %d1, u; istypep.surfref %p, %d1; selp.u32 %r0, 1, 0, %p; st.global.u32 [%d0+4], %r0;
        suld.b.1d.b32.trap %r1, [%d1, {4}]; st.global.u32 [%d0+8], %r1;
        sust.b.1d.b32.trap [u, {0}], 5;";
    let text = kernel(".param .u64 o", body).replacen(crate::harness::HEAD, head, 1);
    let device = Device::new();
    let module = Module::parse(&text).unwrap();
    let loaded = device.load(&module).unwrap();
    let array = array(&device, floats(ArrayKind::Line, [2, 1, 1]), &bytes_of(&[1.0, 2.0]));
    let (_, texture) = loaded.reference("t").unwrap();
    let (kind, surface) = loaded.reference("u").unwrap();
    assert_eq!((loaded.reference("v"), loaded.global("t")), (None, None));
    let out = device.alloc(16).unwrap();
    let parameters = Parameters::default().wide(out).0;
    let launched = gridwright_emulator::Launch::new([1, 1, 1], [1, 1, 1], &parameters);
    let error = device.launch(&loaded, "k", &launched).unwrap_err().to_string();
    assert!(error.contains("nothing is bound"), "{error}");
    assert!(
        device
            .bind_texture(
                texture,
                &TextureSource::Array(array.clone()),
                Sampler { is_normalized: true, ..Sampler::NEAREST }
            )
            .unwrap()
    );
    assert!(device.bind_surface(surface, &array));
    assert!(!device.bind_surface(texture, &array));
    device.launch(&loaded, "k", &launched).unwrap();
    let mut words = [0; 12];
    device.read(out, &mut words).unwrap();
    assert_eq!(words[..4], 1.5_f32.to_le_bytes());
    assert_eq!(words[4..], [1, 0, 0, 0, 0, 0, 0, 0x40]);
    device.read(array.address(), &mut words[..8]).unwrap();
    assert_eq!(words[..4], 5_u32.to_le_bytes());
    assert!(device.unbind(surface, kind));
    device.launch(&loaded, "k", &launched).unwrap_err();
    device.unload(loaded);
    assert!(!device.bind_surface(surface, &array));
}

#[test]
fn references_may_be_parameters() {
    let device = Device::new();
    let array = array(&device, floats(ArrayKind::Line, [1, 1, 1]), &bytes_of(&[3.0]));
    let (texture, out) = (device.make_texture(&array, Sampler::NEAREST), device.alloc(4).unwrap());
    let body = ".reg .f32 %f<8>; .reg .b64 %d; ld.param.u64 %d, [o];
        tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f4}]; st.global.f32 [%d], %f0;";
    let text = kernel(".param .texref t, .param .u64 .ptr .surfref .align 8 s, .param .u64 o", body);
    let parameters = Parameters::default().wide(texture).wide(0).wide(out).0;
    run(&device, &text, &gridwright_emulator::Launch::new([1, 1, 1], [1, 1, 1], &parameters)).unwrap();
    let mut bytes = [0; 4];
    device.read(out, &mut bytes).unwrap();
    assert_eq!(f32::from_le_bytes(bytes), 3.0);
}
