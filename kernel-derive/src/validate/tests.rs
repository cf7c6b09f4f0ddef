//! Each rule with the least input that breaks it: the messages, in order.

use proc_macro2::TokenStream;

use crate::messages;
use crate::parse;
use crate::report::Report;

fn kernel(arguments: &str, item: &str) -> Vec<String> {
    let mut report = Report::default();
    let tokens = |text: &str| -> TokenStream { text.parse().expect("test input lexes") };
    let arguments = parse::arguments(tokens(arguments), &mut report);
    match parse::function(tokens(item)) {
        Ok(function) => {
            super::kernel(arguments, function, 0, &mut report);
        }
        Err(error) => report.push(error),
    }
    report.messages()
}

fn kernel_arg(item: &str) -> Vec<String> {
    let mut report = Report::default();
    let input = syn::parse_str(item).expect("test input parses");
    super::kernel_arg(input, &mut report);
    report.messages()
}

/// A kernel with one parameter of a type.
fn parameter(ty: &str) -> Vec<String> {
    kernel("", &format!("fn k(t: Thread, x: {ty}) {{}}"))
}

/// A group's kernel with one parameter of a type.
fn of_a_group(ty: &str) -> Vec<String> {
    kernel("", &format!("fn k(g: &Group, x: {ty}) {{}}"))
}

#[test]
fn a_good_kernel_has_no_errors() {
    for (arguments, item) in [
        ("", "fn k(t: Thread) {}"),
        ("", "pub(super) fn k<'a>(mut t: Thread<'_>, x: &'a [f32], mut y: PerThread<'a, [f32]>) {}"),
        ("requires = x.len() == 1, index = u64, crate = crate::g", "fn k(t: Thread, x: &[f32]) {}"),
        ("instances(f32, f64)", "fn k<T: Real>(t: g::Thread, x: &Matrix<T>, n: usize) {}"),
        ("instances((f32, 4), (f64, { 2 * N }),)", "fn k<T, const N: usize>(t: Thread, x: [T; N]) {}"),
        ("instances(4, -1, M, (2 + 3) * 4)", "fn k<const N: i32>(t: Thread) {}"),
        ("", "fn k(g: &Group) {}"),
        ("", "fn k<'a>(_g: &'a ((g::Group)), x: &'a [f32], mut y: PerGroup<'_, [f32]>) {}"),
        (
            "block = (T, T), requires = s.len() == g.len() && v.planes() == 1",
            "fn k(g: &Group, v: &Volume<u8>, a: Atomic<[u32]>, s: Workgroup<[f32]>, mut f: Workgroup<[[f32; T]; T]>) {}",
        ),
        (
            "instances(16, 32), block = (N, { 2 * N }, (1))",
            "fn k<const N: usize>(g: &Group, w: Workgroup<[u8; N]>) {}",
        ),
        (
            "block = 256, max_threads = 256, min_groups = M + 1",
            "fn k(t: Thread, x: PerThread<[f32], Reversed>) {}",
        ),
        (
            "",
            "fn k(t: Thread, x: PerThread<Volume<f32>>, y: Atomic<[u64]>, z: my::AtomicU32, w: AtomicThing) {}",
        ),
        (
            "block = 256, requires = n <= s.len()",
            "unsafe fn k(t: Thread, x: *const f32, mut y: *mut [f32; 4], n: usize, s: Workgroup<[u8]>, f: Workgroup<[f32; 4]>) {}",
        ),
        ("block = 256", "unsafe fn k(g: &Group, x: PerGroup<[f32]>, n: usize) {}"),
        ("cpu = off, block = 64", "fn k(g: &Group, x: PerGroup<[f32]>) {}"),
        ("cpu = on", "fn k(grid: &Grid, x: GridMemory<[f32]>) {}"),
        ("", "unsafe fn k(grid: &Grid, x: GridMemory<[f32]>) {}"),
        ("", "unsafe fn k(c: &Cluster, x: PerGroup<[f32]>) {}"),
        ("", "fn k(t: Thread, #[allow(unused)] x: finance::Option, y: Vec, z: ((f32))) {}"),
        ("", "#[cold] fn k(t: Thread, x: my::Vec<f32>, y: &Matrix<[u8; 4]>) { half-typed }"),
    ] {
        assert_eq!(kernel(arguments, item), [""; 0], "{item}");
    }
}

#[test]
fn signatures() {
    for (item, message) in [
        ("async fn k(t: Thread) {}", messages::ASYNC),
        ("const fn k(t: Thread) {}", messages::CONST),
        ("unsafe fn k(t: Thread, g: &Group) {}", messages::GROUP_IN_THREAD_KERNEL),
        ("unsafe fn k(g: &Group, x: *mut f32) {}", messages::POINTER_IN_PHASES),
        ("unsafe fn k(grid: &Grid, x: *const f32) {}", messages::POINTER_IN_PHASES),
        ("unsafe fn k(x: f32) {}", messages::MISSING_FIRST),
        ("unsafe fn k(t: Thread, x: PerGroup<[f32]>) {}", messages::PER_GROUP_IN_THREAD_KERNEL),
        ("unsafe fn k(t: Thread, x: Workgroup<Tile>) {}", messages::WORKGROUP_SHAPE),
        ("unsafe fn k(t: Thread, x: *mut [f32]) {}", messages::POINTER_TO_SLICE),
        ("unsafe fn k(t: Thread, x: *mut *const f32) {}", messages::NESTED_POINTER),
        ("unsafe fn k(t: Thread, x: &[*const f32]) {}", messages::NESTED_POINTER),
        ("unsafe fn k(t: Thread, x: *const bool) {}", messages::BOOL),
        ("extern \"C\" fn k(t: Thread) {}", messages::ABI),
        ("fn k(t: Thread) -> u32 {}", messages::RETURN_TYPE),
        ("fn k(t: Thread, ...) {}", messages::VARIADIC),
        ("fn k(&self, t: Thread) {}", messages::RECEIVER),
        ("fn k() {}", messages::MISSING_FIRST),
        ("fn k(x: f32) {}", messages::MISSING_FIRST),
        ("fn k(x: Workgroup<[f32]>) {}", messages::MISSING_FIRST),
        ("fn k(x: f32, t: Thread) {}", messages::THREAD_NOT_FIRST),
        ("fn k(t: Thread, u: Thread) {}", messages::SECOND_THREAD),
        ("fn k(t: &Thread) {}", messages::THREAD_REFERENCE),
        ("fn k(x: f32, g: &Group) {}", messages::GROUP_NOT_FIRST),
        ("fn k(g: &Group, h: &Group) {}", messages::SECOND_GROUP),
        ("fn k(g: Group) {}", messages::GROUP_BY_VALUE),
        ("fn k(g: &mut Group) {}", messages::GROUP_BY_VALUE),
        ("fn k(g: &Group<'_>) {}", messages::GROUP_ARGUMENTS),
        ("fn k(g: &g::Group<S>) {}", messages::GROUP_ARGUMENTS),
        ("fn k(t: Thread, g: &Group) {}", messages::GROUP_IN_THREAD_KERNEL),
        ("fn k(t: Thread, g: Group<S>) {}", messages::GROUP_IN_THREAD_KERNEL),
        ("fn k(g: &Group, t: Thread) {}", messages::THREAD_IN_GROUP_KERNEL),
        ("fn k(g: &Group, t: &Thread) {}", messages::THREAD_IN_GROUP_KERNEL),
        ("fn k(_: &Group) {}", messages::PATTERN),
        ("fn k(x: f32, g: &Grid) {}", messages::GRID_NOT_FIRST),
        ("fn k(g: Grid) {}", messages::GRID_BY_VALUE),
        ("fn k(g: &mut Grid) {}", messages::GRID_BY_VALUE),
        ("fn k(g: &Grid<'_>) {}", messages::GRID_ARGUMENTS),
        ("fn k(x: f32, c: &Cluster) {}", messages::CLUSTER_NOT_FIRST),
        ("fn k(c: Cluster) {}", messages::CLUSTER_BY_VALUE),
        ("fn k(c: &mut Cluster) {}", messages::CLUSTER_BY_VALUE),
        ("fn k(c: &Cluster<'_>) {}", messages::CLUSTER_ARGUMENTS),
        ("fn k(c: &Cluster, g: &Group) {}", messages::CLUSTER_AND_ANOTHER),
        ("fn k(g: &Grid, c: &Cluster) {}", messages::CLUSTER_AND_ANOTHER),
        ("unsafe fn k(c: &Cluster, x: *mut f32) {}", messages::POINTER_IN_PHASES),
        ("fn k(c: &Cluster, x: Workgroup<[f32]>) {}", messages::WORKGROUP_IN_CLUSTER_KERNEL),
        ("fn k(c: &Cluster, x: ClusterMemory<Tile>) {}", messages::CLUSTER_MEMORY_SHAPE),
        ("fn k(c: &Cluster, x: GridMemory<[f32]>) {}", messages::GRID_MEMORY_IN_ANOTHER_KERNEL),
        ("fn k(g: &Group, x: ClusterMemory<[f32]>) {}", messages::CLUSTER_MEMORY_IN_ANOTHER_KERNEL),
        ("fn k(t: Thread, x: ClusterMemory<[f32; 4]>) {}", messages::CLUSTER_MEMORY_IN_ANOTHER_KERNEL),
        ("fn k(g: &Grid, t: Thread) {}", messages::GRID_AND_ANOTHER),
        ("fn k(g: &Group, h: &Grid) {}", messages::GRID_AND_ANOTHER),
        ("fn k(g: &Grid, h: &Grid) {}", messages::GRID_AND_ANOTHER),
        ("fn k(g: &Grid, x: PerGroup<[f32]>) {}", messages::PER_GROUP_IN_GRID_KERNEL),
        ("fn k(g: &Grid, x: Workgroup<Tile>) {}", messages::WORKGROUP_SHAPE),
        ("fn k(g: &Group, x: GridMemory<[f32]>) {}", messages::GRID_MEMORY_IN_ANOTHER_KERNEL),
        ("fn k(t: Thread, x: GridMemory<[f32]>) {}", messages::GRID_MEMORY_IN_ANOTHER_KERNEL),
        ("fn k(t: Thread, _: f32) {}", messages::PATTERN),
        ("fn k(t: Thread, ref x: f32) {}", messages::PATTERN),
        ("fn k(_: Thread) {}", messages::PATTERN),
        ("fn k(t: Thread, #[cfg(a)] x: f32) {}", messages::PARAMETER_CFG),
        ("fn k(t: Thread, #[doc = \"\"] x: f32) {}", messages::PARAMETER_ATTRIBUTE),
        ("fn k(t: Thread);", messages::NO_BODY),
    ] {
        assert_eq!(kernel("", item), [message], "{item}");
    }
    let many = |count: usize, ty: &str| format!("x: {ty}, ").repeat(count);
    let (value, array, slice) = ("f32", "Workgroup<[f32; 4]>", "Workgroup<[f32]>");
    let too_many = format!("fn k(t: Thread, {}) {{}}", many(25, value));
    assert_eq!(kernel("", &too_many), [messages::TOO_MANY_PARAMETERS]);
    let too_many = format!("fn k(g: &Group, {}) {{}}", many(13, slice));
    assert_eq!(kernel("", &too_many), [messages::TOO_MANY_PARTITIONS]);
    let most = format!("fn k(g: &Group, {}{}{}) {{}}", many(12, value), many(12, slice), many(13, array));
    assert_eq!(kernel("", &most), [""; 0]);
}

#[test]
fn memory_of_groups() {
    for (ty, message) in [
        ("Workgroup<[f32]>", messages::WORKGROUP_IN_THREAD_KERNEL),
        ("g::Workgroup<'_, [[f32; 4]; 4]>", messages::WORKGROUP_IN_THREAD_KERNEL),
        ("PerGroup<Matrix<f32>>", messages::PER_GROUP_IN_THREAD_KERNEL),
    ] {
        assert_eq!(parameter(ty), [message], "{ty}");
    }
    for (ty, message) in [
        ("Workgroup<Tile>", messages::WORKGROUP_SHAPE),
        ("Workgroup<Matrix<f32>>", messages::WORKGROUP_SHAPE),
        ("Workgroup", messages::WORKGROUP_SHAPE),
        ("Workgroup<[bool]>", messages::BOOL),
        ("Workgroup<[[bool; 2]; 2]>", messages::BOOL),
        ("PerGroup<[char]>", messages::CHAR),
        ("Workgroup<[(f32, u32)]>", messages::TUPLE),
    ] {
        assert_eq!(of_a_group(ty), [message], "{ty}");
    }
    for ty in ["&Workgroup<[f32]>", "&mut g::Workgroup<[f32; 4]>", "&PerThread<[f32]>", "&Atomic<[u32]>"] {
        assert!(of_a_group(ty)[0].contains("by value"), "{ty}");
    }
}

#[test]
fn types() {
    for (ty, message) in [
        ("bool", messages::BOOL),
        ("&[bool]", messages::BOOL),
        ("[[bool; 2]; 2]", messages::BOOL),
        ("PerThread<[core::primitive::bool]>", messages::BOOL),
        ("char", messages::CHAR),
        ("&str", messages::STRING),
        ("&String", messages::STRING),
        ("std::string::String", messages::STRING),
        ("&mut [f32]", messages::MUT_SLICE),
        ("&mut f32", messages::MUT_REFERENCE),
        ("&mut Matrix<f32>", messages::MUT_REFERENCE),
        ("&f32", messages::REFERENCE_TO_VALUE),
        ("&[f32; 4]", messages::REFERENCE_TO_ARRAY),
        ("&[&f32]", messages::NESTED_REFERENCE),
        ("&Matrix<&f32>", messages::NESTED_REFERENCE),
        ("&dyn Shape", messages::TRAIT_OBJECT),
        ("dyn Shape", messages::TRAIT_OBJECT),
        ("impl Shape", messages::IMPL_TRAIT),
        ("*const f32", messages::RAW_POINTER),
        ("(*mut [f32])", messages::RAW_POINTER),
        ("[*const f32; 4]", messages::NESTED_POINTER),
        ("fn(f32) -> f32", messages::FN_POINTER),
        ("(f32, f32)", messages::TUPLE),
        ("()", messages::TUPLE),
        ("!", messages::NEVER),
        ("_", messages::INFERRED),
        ("ty!()", messages::MACRO_TYPE),
        ("[f32]", messages::SLICE_BY_VALUE),
    ] {
        assert_eq!(parameter(ty), [message], "{ty}");
    }
    for ty in [
        "AtomicU32",
        "&[core::sync::atomic::AtomicI64]",
        "Vec<f32>",
        "&Vec<f32>",
        "std::sync::Arc<[f32]>",
        "Option<f32>",
        "&[Cell<u32>]",
    ] {
        assert_eq!(parameter(ty).len(), 1, "{ty}");
    }
}

#[test]
fn attributes() {
    for attribute in [
        "no_mangle",
        "unsafe(no_mangle)",
        "unsafe(export_name = \"k\")",
        "inline(always)",
        "track_caller",
        "target_feature(enable = \"avx\")",
        "test",
        "gpu_kernel",
    ] {
        let item = format!("#[{attribute}] fn k(t: Thread) {{}}");
        assert_eq!(kernel("", &item).len(), 1, "{attribute}");
    }
}

#[test]
fn arguments() {
    let item = "fn k(t: Thread) {}";
    assert_eq!(
        kernel("requries = true", item),
        [
            "`gpu_kernel` has no key `requries`; it has `requires`, `instances`, `index`, `block`, `max_threads`, `min_groups`, `fp_contract`, `cpu` and `crate`"
        ]
    );
    assert_eq!(
        kernel("index = u32, index = u64", item),
        [
            "`index` is given twice; each of `requires`, `instances`, `index`, `block`, `max_threads`, `min_groups`, `fp_contract`, `cpu` and `crate` is given at most once"
        ]
    );
    assert_eq!(kernel("index = u16", item), [messages::INDEX]);
    assert_eq!(kernel("fp_contract = fast", item), [messages::FP_CONTRACT]);
    assert_eq!(kernel("fp_contract = false", item), [messages::FP_CONTRACT]);
    assert_eq!(kernel("cpu = none", item), [messages::CPU]);
    for together in ["fn k(grid: &Grid) {}", "fn k(c: &Cluster) {}"] {
        assert_eq!(kernel("cpu = off", together), [messages::CPU_OFF_TOGETHER]);
    }
    assert_eq!(kernel("4", item), [messages::not_a_key()]);
    for block in ["()", "(1, 2, 3, 4)"] {
        assert_eq!(kernel(&format!("block = {block}"), item), [messages::BLOCK]);
    }
    assert_eq!(kernel("block = 1, block = 2, max_threads = 1, max_threads = 1", item).len(), 2);
    for demand in
        ["block = (4, n + 1)", "max_threads = { n }", "min_groups = f(n)", "requires = w.len() == 4"]
    {
        assert_eq!(
            kernel(demand, "fn k(g: &Group, n: usize, w: Workgroup<[f32; 4]>) {}").len(),
            1,
            "{demand}"
        );
    }
    // The first mistake doesn't hide the second.
    assert_eq!(kernel("index = u8, what(4, 5)", item).len(), 2);
}

#[test]
fn instances() {
    for (arguments, item) in [
        ("instances(f32)", "fn k(t: Thread, x: f32) {}"),
        ("instances(.., f32)", "fn k<T>(t: Thread, x: T) {}"),
        ("instances()", "fn k<T>(t: Thread, x: T) {}"),
        ("instances(f32, f32)", "fn k<T>(t: Thread, x: T) {}"),
        ("instances((f32, 4))", "fn k<T>(t: Thread, x: T) {}"),
        ("instances(4)", "fn k<T>(t: Thread, x: T) {}"),
        ("instances([f32; 4])", "fn k<const N: usize>(t: Thread) {}"),
        ("instances(f32, =)", "fn k<T>(t: Thread, x: T) {}"),
        ("instances(f32)", "fn k<T = f32>(t: Thread, x: T) {}"),
    ] {
        assert_eq!(kernel(arguments, item).len(), 1, "{arguments} {item}");
    }
    // Others are made elsewhere.
    for arguments in ["", "instances(f32, ..)", "instances(..)"] {
        assert!(kernel(arguments, "pub fn k<T>(t: Thread, x: T) {}").is_empty(), "{arguments}");
    }
    assert_eq!(
        kernel("instances(f32)", "fn k<T, const N: usize>(t: Thread) {}"),
        [
            "`k` has 2 generic parameters, `T, N`, and this instance gives 1: give one argument for each, with several in parentheses"
        ]
    );
}

#[test]
fn all_errors_are_reported_together() {
    let item = "async fn k<T>(t: Thread, x: bool, (a, b): (f32, f32)) -> u32 {}";
    assert_eq!(kernel("index = 4, instances()", item).len(), 7);
}

#[test]
fn not_a_function() {
    assert_eq!(
        kernel("", "struct S;"),
        [
            "`#[gpu_kernel]` is put on a function, and this is a struct; put it on `fn name(t: Thread, ...)` or `fn name(g: &Group, ...)`"
        ]
    );
}

#[test]
fn good_argument_structs_have_no_errors() {
    for item in [
        "#[repr(C)] struct S { a: f32, b: [u32; 2] }",
        "#[repr(C, align(16))] #[kernel_arg(crate = crate::g, pod)] struct S(f32);",
        "#[repr(transparent)] struct S(Other);",
    ] {
        assert_eq!(kernel_arg(item), [""; 0], "{item}");
    }
}

#[test]
fn argument_structs() {
    for (item, message) in [
        ("enum E { A }", messages::ENUM),
        ("union U { a: f32 }", messages::UNION),
        ("struct S { a: f32 }", messages::MISSING_REPR),
        ("#[repr(align(4))] struct S { a: f32 }", messages::MISSING_REPR),
        ("#[repr(C, packed)] struct S { a: f32 }", messages::PACKED),
        ("#[repr(C, packed(2))] struct S { a: f32 }", messages::PACKED),
        ("#[repr(C)] struct S<T> { a: T }", messages::GENERIC_STRUCT),
        ("#[repr(C)] struct S<const N: usize> { a: [f32; N] }", messages::GENERIC_STRUCT),
        ("#[repr(C)] struct S<'a> { a: Slice<'a> }", messages::STRUCT_LIFETIME),
        ("#[repr(C)] struct S { a: &'static f32 }", messages::FIELD_REFERENCE),
        ("#[repr(C)] struct S { a: bool }", messages::BOOL),
        ("#[repr(C)] struct S { a: *mut f32 }", messages::FIELD_POINTER),
        ("#[repr(C)] struct S { a: (u8, u8) }", messages::TUPLE),
        ("#[repr(C)] #[kernel_arg(plain)] struct S { a: f32 }", messages::UNKNOWN_OPTION),
    ] {
        assert_eq!(kernel_arg(item), [message], "{item}");
    }
}

/// Images of the reader's tests, from where these tests run.
const IMAGES: &str =
    "\"../kernel-image/src/fixtures/two.sm_80.cubin\", \"../kernel-image/src/fixtures/two.ptx\"";

fn foreign(arguments: &str, item: &str) -> Vec<String> {
    let mut report = Report::default();
    let tokens = |text: &str| -> TokenStream { text.parse().expect("test input lexes") };
    match (syn::parse2(tokens(arguments)), parse::foreign_block(tokens(item))) {
        (Ok(arguments), Ok(block)) => {
            super::foreign(arguments, block, &mut report);
        }
        (arguments, block) => report.append_errors([arguments.err(), block.err()]),
    }
    report.messages()
}

/// Code objects of the images' kernels, written in HIP's C++.
#[cfg(feature = "hip")]
const CODE_OBJECTS: &str = "\"../kernel-image/src/fixtures/two.gfx11-generic.hsaco\", \"../kernel-image/src/fixtures/two.gfx90a-xnack.hsaco\"";

#[cfg(feature = "hip")]
#[test]
fn declarations_are_held_against_code_objects() {
    let declared = |function: &str| foreign(CODE_OBJECTS, &format!("unsafe extern \"C\" {{ {function} }}"));
    // What the runtime fills in is no parameter.
    assert_eq!(declared("fn saxpy(n: u32, a: f32, x: *const f32, y: *mut f32);"), [] as [String; 0]);
    let mangled = "#[link_name = \"_Z7mangled4PairhPf\"] fn mangled(p: Pair, c: u8, y: *mut f32);";
    assert_eq!(declared(mangled), [] as [String; 0]);
    assert_eq!(
        declared("fn saxpy(n: u32);"),
        [
            "../kernel-image/src/fixtures/two.gfx11-generic.hsaco",
            "../kernel-image/src/fixtures/two.gfx90a-xnack.hsaco"
        ]
        .map(|path| messages::entry_parameters(path, "saxpy", 4, 1)),
    );
}

#[cfg(not(feature = "hip"))]
#[test]
fn code_objects_take_the_feature_of_their_backend() {
    let image = "../kernel-image/src/fixtures/two.gfx11-generic.hsaco";
    let said = foreign(&format!("{image:?}"), "unsafe extern \"C\" { fn k(); }");
    assert_eq!(said, [messages::code_object_without_hip(image)]);
}

/// One declaration, of images that have it or not.
fn declared(function: &str) -> Vec<String> {
    foreign(IMAGES, &format!("unsafe extern \"C\" {{ {function} }}"))
}

#[test]
fn declarations_are_held_against_the_images() {
    for good in [
        "fn saxpy(n: u32, a: f32, x: *const f32, y: *mut f32);",
        "#[link_name = \"saxpy\"] /// Docs.\n pub(crate) fn other(n: i32, a: f32, x: *const f32, y: *mut f32);",
        "#[link_name = \"_Z7mangled4PairhPf\"] fn mangled(s: Workgroup<[f32]>, p: Pair, c: u8, y: *mut f32);",
    ] {
        assert_eq!(declared(good), [] as [String; 0], "{good}");
    }
    assert_eq!(
        declared("fn mangled(p: Pair);"),
        [messages::no_entry("mangled", &["_Z7mangled4PairhPf", "saxpy"])]
    );
    assert_eq!(
        declared("fn saxpy(n: u32);"),
        ["../kernel-image/src/fixtures/two.sm_80.cubin", "../kernel-image/src/fixtures/two.ptx"]
            .map(|path| messages::entry_parameters(path, "saxpy", 4, 1)),
    );
}

#[test]
fn a_foreign_kernel_is_refused_where_it_cannot_be_one() {
    let saxpy = "fn saxpy(n: u32, a: f32, x: *const f32, y: *mut f32)";
    for (item, message) in [
        (format!("extern \"C\" {{ {saxpy}; }}"), messages::FOREIGN_UNSAFE),
        (format!("unsafe extern \"C\" {{ safe {saxpy}; }}"), messages::FOREIGN_SAFE),
        (format!("unsafe extern \"system\" {{ {saxpy}; }}"), messages::FOREIGN_ABI),
        (format!("unsafe extern \"C\" {{ {saxpy} -> u32; }}"), messages::FOREIGN_RETURN_TYPE),
        (format!("unsafe extern \"C\" {{ {saxpy}; static X: u32; }}"), messages::FOREIGN_ITEM),
        (format!("unsafe extern \"C\" {{ #[inline] {saxpy}; }}"), messages::FOREIGN_ATTRIBUTE),
        (format!("mod m {{ {saxpy} {{}} }}"), messages::NOT_A_FOREIGN_BLOCK),
    ] {
        assert_eq!(foreign(IMAGES, &item), [message], "{item}");
    }
    for (parameters, message) in [
        ("n: u32, a: f32, x: &[f32], y: *mut f32", messages::FOREIGN_REFERENCE),
        ("n: u32, a: f32, x: *const f32, y: PerThread<[f32]>", messages::FOREIGN_VIEW),
        (
            "n: u32, a: f32, x: *const f32, y: *mut f32, s: Workgroup<[f32]>, r: Workgroup<[f32]>",
            messages::FOREIGN_MEMORY,
        ),
    ] {
        let said = declared(&format!("fn saxpy({parameters});"));
        assert!(said.iter().any(|said| said == message), "{said:?}");
    }
}

#[test]
fn what_is_not_an_image_is_told() {
    let block = "unsafe extern \"C\" { fn k(); }";
    assert_eq!(foreign("", block), [messages::NO_FOREIGN_IMAGE]);
    assert_eq!(foreign("4", block), [messages::FOREIGN_ARGUMENT]);
    let said = foreign("\"nowhere.ptx\"", block);
    assert!(said.len() == 1 && said[0].starts_with("`nowhere.ptx` can't be read: No such file"), "{said:?}");
    let said = foreign("\"src/lib.rs\"", block);
    assert!(
        said.len() == 1 && said[0].starts_with("`src/lib.rs` is no image: can't be read as PTX"),
        "{said:?}"
    );
    let said = foreign("\"$OUT_DIR/made.ptx\"", block);
    assert!(said.len() == 1 && said[0].starts_with("`$OUT_DIR/made.ptx` can't be read"), "{said:?}");
}
