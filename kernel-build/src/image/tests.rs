use super::*;

const HEAD: &str = "// a comment with .entry x(\n.version 8.3\n.target sm_80, debug\n.address_size 64\n";

fn entries(text: &str) -> Vec<Entry> {
    read(Family::Nvidia, format!("{HEAD}{text}").as_bytes()).unwrap().entries
}

fn layout_of(text: &str) -> Vec<(u32, u32)> {
    let entries = entries(text);
    assert_eq!(entries.len(), 1);
    entries[0].parameters.iter().map(|p| (p.offset, p.size)).collect()
}

#[test]
fn scalars_and_pointers_lie_at_their_natural_alignment() {
    let text = ".visible .entry k(\n\t.param .f32 k_param_0,\n\t.param .u64 .ptr .global .align 1 k_param_1,\n\t.param .u8 c,\n\
                \t.param .u16 d, .param .b128 e\n)\n{ ret; }";
    assert_eq!(layout_of(text), [(0, 4), (8, 8), (16, 1), (18, 2), (32, 16)]);
}

#[test]
fn arrays_take_their_own_alignment() {
    let text = ".entry k(.param .u8 a, .param .align 8 .b8 b[24], .param .b8 c[3], .param .align 16 .b32 d[2][2]) { }";
    assert_eq!(layout_of(text), [(0, 1), (8, 24), (32, 3), (48, 16)]);
}

#[test]
fn entries_may_have_no_parameters_and_any_directives() {
    let text = ".visible .entry none()\n.maxntid 256, 1, 1\n.minnctapersm 2\n{ { nested; } }\n\
                .visible .entry bare\n.reqntid 16, 16, 1\n{ ret; }\n\
                .entry declared(.param .u32 n);\n/* .entry hidden( */ .entry last(.param .u32 n) .pragma \"no } { unroll\"; \n";
    // A directive's `;` ends nothing but itself: the last entry here is only declared.
    assert_eq!(
        entries(text).iter().map(|e| e.name.as_str()).collect::<Vec<_>>(),
        ["none", "bare", "declared", "last"]
    );
}

#[test]
fn layout_records_are_read_in_every_form() {
    let text = ".visible .global .align 8 .b8 __gridwright_layout_a[16] = {4, 0, 0, 0, 0, 0, 0, 0, 0xFF, 1};\n\
                .visible .const .align 8 .u64 __gridwright_layout_b[2] = {12U, -1};\n\
                .visible .global .align 8 .b8 __gridwright_layout_c[8];\n\
                .global .align 1 .b8 other[4] = \"odd\";\n\
                .entry a() { } .entry b() { } .entry c() { } .entry d() { }";
    let layouts: Vec<_> = entries(text).into_iter().map(|e| e.layout).collect();
    assert_eq!(layouts, [vec![4, 0x1FF], vec![12, u64::MAX], vec![0], vec![]]);
}

#[test]
fn external_symbols_are_unresolved_unless_the_driver_brings_them() {
    let text = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n\
                .extern .func (.param .b32 r) sinf (.param .b32 a) ;\n.extern .func .noreturn gone();\n\
                .extern .shared .align 16 .b8 memory[];\n.extern .global .align 4 .u32 counter;\n\
                .visible .func (.param .b32 r) own (.param .b32 a) { ret; }\n.entry k() { }";
    let image = read(Family::Nvidia, format!("{HEAD}{text}").as_bytes()).unwrap();
    assert_eq!(image.unresolved, ["sinf", "gone", "counter"]);
}

#[test]
fn broken_ptx_is_an_error() {
    for text in [
        ".entry",
        ".entry (",
        ".entry k(",
        ".entry k(.param .u32 n",
        ".entry k(.param .u32 n) {",
        ".entry k(.param .u32) { }",
        ".entry k(.param n) { }",
        ".entry k(.param .texref t) { }",
        ".entry k(.param .align 3 .b8 a[4]) { }",
        ".entry k(.param .b8 a[) { }",
        ".entry k(.param .b8 a[x]) { }",
        ".entry k(.param .b8 a[4294967296]) { }",
        ".entry k(.param .b64 a[9223372036854775807], .param .b8 b[2]) { }",
        ".func",
        ".func (",
        ".func f(",
        ".global .b8 x[4] = {1",
        ".global .b8 __gridwright_layout_k[4] = {1, 2, 3, 4, 5};",
        ".global .b8 __gridwright_layout_k[2] = {many};",
        ".global .b8 __gridwright_layout_k[9223372036854775807];",
        ".global .b8 __gridwright_layout_k[4]; .entry k() { }",
        "{",
    ] {
        assert!(read(Family::Nvidia, format!("{HEAD}{text}").as_bytes()).is_err(), "{text}");
    }
    assert!(read(Family::Nvidia, b"").is_err());
    assert!(read(Family::Nvidia, b"\xff\xfe").is_err());
}

#[test]
fn ptx_cut_anywhere_never_panics() {
    let text = format!(
        "{HEAD}.visible .global .align 8 .b8 __gridwright_layout_k[8] = {{4, -1}};\n.entry k(.param .align 8 .b8 é[8], .param .f32 b)\n.maxntid 8, 1, 1\n{{ ret; }}"
    );
    for end in 0..text.len() {
        let _ = read(Family::Nvidia, &text.as_bytes()[..end]);
    }
}

/// Built from a kernel `demo(f32, *mut f32, usize)` with a record of four words.
const CODE_OBJECT: &[u8] = include_bytes!("fixtures/demo.gfx942.hsaco");

#[test]
fn a_code_object_gives_kernels_arguments_and_records() {
    let image = read(Family::Amd, CODE_OBJECT).unwrap();
    let parameters = [(0, 4), (8, 8), (16, 8)].map(|(offset, size)| Parameter { offset, size });
    assert_eq!(
        image.entries,
        [Entry { name: "demo".into(), parameters: parameters.into(), layout: vec![4, 4, 4, 4] }]
    );
    assert!(image.unresolved.is_empty() && image.dynamic_stacks.is_empty());
}

#[test]
fn a_code_object_cut_anywhere_is_an_error_or_still_whole() {
    let whole = read(Family::Amd, CODE_OBJECT).unwrap();
    for end in 0..CODE_OBJECT.len() {
        if let Ok(image) = read(Family::Amd, &CODE_OBJECT[..end]) {
            assert_eq!(image, whole, "cut at {end}");
        }
    }
}

#[test]
fn a_corrupted_code_object_never_panics() {
    let mut bytes = CODE_OBJECT.to_vec();
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xdd, 0xff] {
            let kept = std::mem::replace(&mut bytes[at], value);
            let _ = read(Family::Amd, &bytes);
            bytes[at] = kept;
        }
    }
}
