use super::*;

const HEAD: &str = ".version 8.3\n.target sm_80, debug\n.address_size 64\n";

fn read_for(architecture: &str, bytes: &[u8]) -> Result<Image, Malformed> {
    read(&Architecture::parse(architecture).unwrap(), bytes)
}

fn read_ptx(text: &str) -> Result<Image, Malformed> {
    read_for("sm_80", format!("{HEAD}{text}").as_bytes())
}

#[test]
fn kernels_get_their_layout_records() {
    let image = read_ptx(
        ".visible .global .align 8 .b8 __gridwright_layout_a[16] = {4, 0, 0, 0, 0, 0, 0, 0, 0xFF, 1};\n\
         .visible .const .align 8 .u64 __gridwright_layout_b[2] = {12U, -1};\n\
         .global .align 1 .b8 other[4] = \"odd\";\n\
         .entry a(.param .f32 x, .param .u64 y) { } .entry b() { } .entry c() { }",
    );
    let entries = image.unwrap().entries;
    let layouts: Vec<_> = entries.iter().map(|entry| entry.layout.clone()).collect();
    assert_eq!(layouts, [vec![4, 0x1FF], vec![12, u64::MAX], vec![]]);
    assert_eq!(
        entries[0].parameters.iter().map(|p| (p.offset, p.size)).collect::<Vec<_>>(),
        [(0, 4), (8, 8)]
    );
}

#[test]
fn external_symbols_are_unresolved_unless_the_driver_brings_them() {
    let image = read_ptx(
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n\
         .extern .func (.param .b32 r) sinf (.param .b32 a) ;\n.extern .global .align 4 .u32 counter;\n.entry k() { }",
    );
    assert_eq!(image.unwrap().unresolved, ["sinf", "counter"]);
}

#[test]
fn broken_images_and_records_are_an_error() {
    for text in [
        ".entry k(.param .u32 n",
        ".global .b8 __gridwright_layout_k[4] = {1, 2, 3, 4, 5};",
        ".global .b8 __gridwright_layout_k[2] = {many};",
        ".global .b8 __gridwright_layout_k[4]; .entry k() { }",
    ] {
        assert!(read_ptx(text).is_err(), "{text}");
    }
    for bytes in [&b""[..], b"\xff\xfe"] {
        assert!(read_for("sm_80", bytes).is_err() && read_for("gfx942", bytes).is_err());
    }
}

/// Built from a kernel `demo(f32, *mut f32, usize)` with a record of four words.
const CODE_OBJECT: &[u8] = include_bytes!("../../../kernel-image/src/fixtures/demo.gfx942.hsaco");

#[test]
fn a_code_object_gives_kernels_arguments_and_records() {
    let image = read_for("gfx942", CODE_OBJECT).unwrap();
    let parameters = [(0, 4), (8, 8), (16, 8)].map(|(offset, size)| Parameter { offset, size });
    assert_eq!(
        image.entries,
        [Entry {
            name: "demo".into(),
            path: "demo".into(),
            parameters: parameters.into(),
            layout: vec![4, 4, 4, 4],
            parts: vec![]
        }]
    );
    assert!(image.unresolved.is_empty() && image.dynamic_stacks.is_empty());
}

#[test]
fn an_image_for_another_architecture_is_an_error() {
    let error = read_for("gfx1100", CODE_OBJECT).unwrap_err().to_string();
    assert!(error.contains("asked for gfx1100") && error.contains("is for gfx942"), "{error}");
    assert!(read_for("sm_90", format!("{HEAD}.entry k() {{ }}").as_bytes()).is_err());
}

#[test]
fn a_code_object_cut_anywhere_is_an_error_or_still_whole() {
    let whole = read_for("gfx942", CODE_OBJECT).unwrap();
    for end in 0..CODE_OBJECT.len() {
        if let Ok(image) = read_for("gfx942", &CODE_OBJECT[..end]) {
            assert_eq!(image, whole, "cut at {end}");
        }
    }
}

#[test]
fn sizes_that_drivers_refuse_are_seen() {
    let limits = ["7.0", "8.0", "8.1", "8.10", "9.0"].map(sizes::most_parameter_bytes);
    assert_eq!(limits, [4352, 4352, 32_764, 32_764, 32_764]);
    let text = ".visible .entry k(\n.param .u32 a\n)\n{\n.local .align 8 .b8 \t__local_depot0[524288];\n}\n\
                .visible .func  (.param .b32 func_retval0) f(\n)\n{\n\t.local .align 8 .b8 \t__local_depot1[524289];\n}\n\
                .entry n() {\n\tmov.b64 %SPL, __local_depot2[9999999];\n}\n";
    assert_eq!(sizes::large_stacks(text), [("f".to_owned(), 524_289)]);
}
