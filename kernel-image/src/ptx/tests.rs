use super::*;

const HEAD: &str = "// a comment with .entry x(\n.version 8.3\n.target sm_80, debug\n.address_size 64\n";
const NVCC: &str = include_str!("../fixtures/two.ptx");

fn entries(text: &str) -> Vec<Entry> {
    Image::read(format!("{HEAD}{text}").as_bytes()).unwrap().entries
}

fn layout(entry: &Entry) -> Vec<(u32, u32)> {
    entry.parameters.iter().map(|p| (p.offset, p.size)).collect()
}

fn layout_of(text: &str) -> Vec<(u32, u32)> {
    let entries = entries(text);
    assert_eq!(entries.len(), 1);
    layout(&entries[0])
}

#[test]
fn nvccs_ptx_is_read() {
    let image = Image::read(NVCC.as_bytes()).unwrap();
    assert_eq!((image.format, &*image.architecture), (Format::Ptx, "sm_80"));
    assert_eq!(image.entries.len(), 2);
    assert_eq!(layout(image.entry("saxpy").unwrap()), [(0, 4), (4, 4), (8, 8), (16, 8)]);
    assert_eq!(layout(image.entry("_Z7mangled4PairhPf").unwrap()), [(0, 16), (16, 1), (24, 8)]);
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
fn ptx_is_read_however_it_is_written() {
    let text = "// .version 1.0 .entry no(\n.version 8.7\n.target sm_90a, debug\n.address_size 64\n\
                .file 1 \"a .entry no(\"\n.global .align 1 .b8 text[9] = {1};\n/* .entry no() */ .visible .entry none\n{ ret; }\n\
                .entry all(.param .u64 .ptr .global .align 4 a, .param .align 8 .b8 b[24], .param.f64 c,\n\t.param .b8 d)\n\
                .maxntid 32, 1, 1\n{ .loc 1 2 3 \"a .entry no(\" ret; }\n.visible .entry empty() { ret; }";
    let image = Image::read(text.as_bytes()).unwrap();
    assert_eq!(image.architecture, "sm_90a");
    let layouts: Vec<_> = image.entries.iter().map(|e| (e.name.as_str(), layout(e))).collect();
    let all = vec![(0, 8), (8, 24), (32, 8), (40, 1)];
    assert_eq!(layouts, [("none", vec![]), ("all", all), ("empty", vec![])]);
}

#[test]
fn values_are_read_in_every_form() {
    let text = format!(
        "{HEAD}.visible .global .align 8 .b8 a[16] = {{4, 0, 0, 0, 0, 0, 0, 0, 0xFF, 1}};\n\
         .visible .const .align 8 .u64 b[2] = {{12U, -1}};\n.visible .global .align 8 .b8 c[8];\n"
    );
    let module = Module::read(&text).unwrap();
    let values: Vec<_> = module.variables.iter().map(|v| (v.name, v.bytes().unwrap())).collect();
    let words = |words: [u64; 2]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    assert_eq!(values, [("a", words([4, 0x1FF])), ("b", words([12, u64::MAX])), ("c", vec![0; 8])]);
}

#[test]
fn variables_of_types_without_a_size_only_lack_their_bytes() {
    let text = format!(
        "{HEAD}.global .texref image;\n.global .samplerref s = {{ addr_mode_0 = clamp_to_border }};\n\
         .global .attribute(.managed) .align 4 .u32 shared = 9;\n.global .u64 pointer = generic(shared);\n\
         .global .align 1 .b8 odd[4] = \"odd\";\n.entry k() {{ }}"
    );
    let module = Module::read(&text).unwrap();
    let readable: Vec<_> = module.variables.iter().map(|v| (v.name, v.bytes().ok())).collect();
    let expected = [
        ("image", None),
        ("s", None),
        ("shared", Some(vec![9, 0, 0, 0])),
        ("pointer", None),
        // Texts are left out by the reader.
        ("odd", Some(vec![0; 4])),
    ];
    assert_eq!(readable, expected);
}

#[test]
fn external_symbols_are_listed() {
    let text = format!(
        "{HEAD}.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n\
         .extern .func (.param .b32 r) sinf (.param .b32 a) ;\n.extern .func .noreturn gone();\n\
         .extern .shared .align 16 .b8 memory[];\n.extern .global .align 4 .u32 counter;\n\
         .visible .func (.param .b32 r) own (.param .b32 a) {{ ret; }}\n.global .u32 mine;\n.entry k() {{ }}"
    );
    let module = Module::read(&text).unwrap();
    assert_eq!(module.externals, ["vprintf", "sinf", "gone", "counter"]);
    assert_eq!(module.variables.len(), 1);
}

#[test]
fn places_in_the_text_are_known() {
    let text = format!(
        "{HEAD}.visible .global .u32 x = 1;\n.const .u32 y;\n.entry k(.param .u32 n)\n.maxntid 1\n{{ }}"
    );
    let module = Module::read(&text).unwrap();
    let places: Vec<_> = module.variables.iter().map(|v| &text[v.place.clone()]).collect();
    assert_eq!(places, [".visible .global .u32 x = 1;", ".const .u32 y;"]);
    assert!(text[..module.entries[0].directives].ends_with("(.param .u32 n)"));
    let bare = Module::read(".version 8.3 .target sm_80 .entry é { }");
    assert!(bare.is_err());
    let bare = ".version 8.3 .target sm_80 .entry k { }";
    assert_eq!(&bare[Module::read(bare).unwrap().entries[0].directives..], " { }");
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
        ".global .b8 [4];",
        "{",
    ] {
        assert!(Module::read(&format!("{HEAD}{text}")).is_err(), "{text}");
    }
    for variable in [
        ".global .b8 x[4] = {1, 2, 3, 4, 5};",
        ".global .b8 x[2] = {many};",
        ".global .b8 x[9223372036854775807];",
        ".global .b8 x[1048577];",
    ] {
        let text = format!("{HEAD}{variable}");
        assert!(Module::read(&text).unwrap().variables[0].bytes().is_err(), "{variable}");
    }
}

#[test]
fn ptx_cut_or_damaged_anywhere_never_panics() {
    let own = format!(
        "{HEAD}.visible .global .align 8 .b8 k[8] = {{4, -1}};\n.entry k(.param .align 8 .b8 é[8], .param .f32 b)\n.maxntid 8, 1, 1\n{{ ret; }}"
    );
    let all = |bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        for variable in Module::read(text).iter().flat_map(|module| &module.variables) {
            let _ = variable.bytes();
        }
    };
    for text in [&own, NVCC] {
        for end in 0..text.len() {
            all(&text.as_bytes()[..end]);
        }
        let mut damaged = text.as_bytes().to_vec();
        for at in 0..damaged.len() {
            for value in *b"\0{}();\"/.9" {
                let old = std::mem::replace(&mut damaged[at], value);
                all(&damaged);
                damaged[at] = old;
            }
        }
    }
}

#[test]
fn an_entry_is_known_by_its_place() {
    let text = format!("{HEAD}.visible .entry a(.param .u32 n)\n.maxntid 32\n{{ {{ ret; }} }}\n.entry b();");
    let entries = Module::read(&text).unwrap().entries;
    let [a, b] = [0, 1].map(|number: usize| &text[entries[number].place.clone()]);
    assert_eq!(a, ".visible .entry a(.param .u32 n)\n.maxntid 32\n{ { ret; } }");
    assert_eq!(b, ".entry b();");
}

/// The text that a kernel needs.
fn part(text: &str, kernel: &str) -> String {
    parts(text).unwrap()[kernel].iter().map(|part| &text[part.clone()]).collect()
}

#[test]
fn a_kernel_needs_what_it_refers_to_however_indirectly() {
    let called = ".func (.param .b32 r) called (.param .b32 p)\n{ mov.u64 %rd1, table; ret; }\n";
    let text = format!(
        "// head\n.version 8.3\n.target sm_80, debug\n.address_size 64\n\
         .func (.param .b32 r) called (.param .b32 p)\n.noreturn;\n\
         .extern .func (.param .b32 r) vprintf (.param .b64 p, .param .b64 q);\n\
         .func stray() {{ call.uni stray; ret; }}\n\
         .extern .shared .align 16 .b8 memory[];\n\
         .global .align 1 .b8 text[4] = {{97, 98, 99}};\n\
         .global .align 8 .u64 table[2] = {{generic(text)+1, called_by_address}};\n\
         .visible .global .align 8 .b8 record[8];\n\
         {called}\
         .func called_by_address() {{ st.global.u64 [record+4], %rd1; ret; }} // its end\n\
         \t// .globl a\n.visible .entry a(.param .u32 record_of)\n.maxntid 32, 1, 1\n{{ call.uni (r), called, (x); }}\n\
         .visible .entry b() {{ ld.shared.u8 %r1, [memory]; call (r), vprintf, (x, y); }}\n\
         .visible .entry c() {{ ret; }}\n.file 1 \"a.rs\"\n"
    );
    let of = |kernel| part(&text, kernel);
    let [a, b, c] = ["a", "b", "c"].map(of);
    assert_eq!(
        c,
        ".version 8.3\n.target sm_80, debug\n.address_size 64\n.visible .entry c() { ret; }\n.file 1 \"a.rs\"\n"
    );
    let names = |part: &str| {
        let module = Module::read(part).unwrap();
        let functions = module.functions.iter().map(|function| function.name);
        let variables = module.variables.iter().map(|variable| variable.name);
        let found: Vec<_> = functions.chain(variables).chain(module.externals.iter().copied()).collect();
        found.join(" ")
    };
    assert_eq!(names(&a), "called called_by_address text table record");
    assert_eq!(a.matches(" called (").count(), 2, "a declaration stays with its definition");
    assert!(!a.contains("memory") && a.contains("// its end"), "{a}");
    assert_eq!(names(&b), "vprintf");
    assert!(b.contains(".extern .shared .align 16 .b8 memory[];"), "{b}");
    for (kernel, part) in [("a", &a), ("b", &b), ("c", &c)] {
        let entries = Module::read(part).unwrap().entries;
        assert_eq!(entries.iter().map(|entry| entry.name).collect::<Vec<_>>(), [kernel]);
        let all = 0..part.len();
        assert_eq!(parts(part).unwrap()[kernel], std::slice::from_ref(&all), "it needs all of what is left");
    }
}

#[test]
fn what_is_not_understood_is_left_whole() {
    for other in [
        ".section .debug_info { .b8 1 }",
        ".alias a, b;",
        ".pragma \"nounroll\";",
        ".global .u32 x, y;",
        ".entry c() .pragma \"nounroll\"; { ret; }",
        ".visible",
        "}",
    ] {
        let text = format!("{HEAD}.entry a() {{ ret; }}\n.entry b() {{ ret; }}\n{other}\n");
        assert_eq!(part(&text, "a"), text, "{other}");
    }
    let text = format!("{HEAD}.entry a() {{ ret; }} .entry b() {{ ret; }} .func f(.param .u32 a");
    assert!(parts(&text).is_err());
    assert_eq!(parts("").unwrap(), Default::default());
}

#[test]
fn nvccs_kernels_are_taken_apart() {
    let all = parts(NVCC).unwrap();
    assert_eq!(all.len(), 2);
    for kernel in all.keys() {
        let part = part(NVCC, kernel);
        let module = Module::read(&part).unwrap();
        assert_eq!(module.entries.iter().map(|entry| entry.name).collect::<Vec<_>>(), [*kernel]);
        assert!(part.len() < NVCC.len());
    }
}

#[test]
fn ptx_that_is_cut_or_damaged_is_taken_apart_without_a_panic() {
    let text = format!(
        "{HEAD}.global .u32 x;\n.entry k(.param .u32 é) {{ ld.global.u32 %r1, [x]; }} // é\n.entry l();"
    );
    let all = |bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        for part in parts(text).iter().flat_map(|parts| parts.values()).flatten() {
            assert!(text.get(part.clone()).is_some(), "{text}");
        }
    };
    for end in 0..text.len() {
        all(&text.as_bytes()[..end]);
    }
    let mut damaged = text.into_bytes();
    for at in 0..damaged.len() {
        for value in *b"\0{}();\"/.9" {
            let old = std::mem::replace(&mut damaged[at], value);
            all(&damaged);
            damaged[at] = old;
        }
    }
}
