use std::collections::BTreeSet;

use super::{Names, choose};

fn chosen(paths: &[&str], taken: &[&str]) -> Vec<(String, String)> {
    let paths: BTreeSet<String> = paths.iter().map(|&path| path.to_owned()).collect();
    choose::names(&paths, &taken.iter().copied().collect()).into_iter().collect()
}

fn named(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|&(path, name)| (path.to_owned(), name.to_owned())).collect()
}

#[test]
fn a_name_that_is_unique_stays() {
    let paths = ["saxpy", "a::scale<f32, 4>", "a::scale<f64, 8>", "b::map<c::Add>"];
    assert_eq!(
        chosen(&paths, &["helper"]),
        named(&[
            ("a::scale<f32, 4>", "scale_f32_4"),
            ("a::scale<f64, 8>", "scale_f64_8"),
            ("b::map<c::Add>", "map_c_Add"),
            ("saxpy", "saxpy"),
        ])
    );
}

#[test]
fn two_of_one_name_are_told_apart_by_their_paths() {
    let paths = ["saxpy", "a::saxpy", "a::b::saxpy", "a::other"];
    assert_eq!(
        chosen(&paths, &[]),
        named(&[
            ("a::b::saxpy", "a_b_saxpy"),
            ("a::other", "other"),
            ("a::saxpy", "a_saxpy"),
            ("saxpy", "saxpy"),
        ])
    );
}

#[test]
fn where_paths_are_alike_as_symbols_a_number_tells_them_apart() {
    let paths = ["a::b::k", "a_b::k", "m::f<A::B>", "m::f<A_B>", "free", "a_b_k_2"];
    assert_eq!(
        chosen(&paths, &["free", "m_f_A_B_2"]),
        named(&[
            ("a::b::k", "a_b_k_3"),
            ("a_b::k", "a_b_k_4"),
            ("a_b_k_2", "a_b_k_2"),
            ("free", "free_2"),
            ("m::f<A::B>", "m_f_A_B_3"),
            ("m::f<A_B>", "m_f_A_B_4"),
        ])
    );
    // What PTX doesn't take in a name.
    assert_eq!(chosen(&["é", "a::ß"], &[]), named(&[("a::ß", "a"), ("é", "kernel_")]));
}

const IR: &str = r#"@text = private constant [11 x i8] c"@k$0_0 @\22k$1", align 1
@"__gridwright_layout_k$0_0" = local_unnamed_addr constant [8 x i8] zeroinitializer, align 8
@"__gridwright_path_k$0_0" = local_unnamed_addr addrspace(1) constant [9 x i8] c"app::a::k", align 1
@"__gridwright_path_k$1_0" = local_unnamed_addr constant [29 x i8] c"app::gridwright_modules::b::k", align 1
@"__gridwright_path_one_3$2_1" = local_unnamed_addr constant [15 x i8] c"app::one<\223\22>\C3\A9", align 1
define ptx_kernel void @"k$0_0"(ptr %p) {
  call void @"k$0_0.cold"(ptr @"k$1_0"), !dbg !7
  call void asm sideeffect "@k$1_0;", "r"(ptr @text)
}
define ptx_kernel void @"k$1_0"() {
define ptx_kernel void @"one_3$2_1"() {
define ptx_kernel void @plain() {
!0 = !{ptr @"k$1_0", !"k$1_0", ptr @
"#;

#[test]
fn names_and_records_change_in_ir_and_paths_go() {
    let names = Names::of([IR].into_iter());
    let image = names.image(IR).unwrap();
    let expected = r#"@text = private constant [11 x i8] c"@k$0_0 @\22k$1", align 1
@__gridwright_layout_a_k = local_unnamed_addr constant [8 x i8] zeroinitializer, align 8
define ptx_kernel void @a_k(ptr %p) {
  call void @"k$0_0.cold"(ptr @b_k), !dbg !7
  call void asm sideeffect "@k$1_0;", "r"(ptr @text)
}
define ptx_kernel void @b_k() {
define ptx_kernel void @one_3() {
define ptx_kernel void @plain() {
!0 = !{ptr @b_k, !"k$1_0", ptr @
"#;
    assert_eq!(image.in_ir(IR), expected);
    let paths = ["a_k", "k$1_0", "one_3", "plain"].map(|entry| image.path(entry));
    assert_eq!(paths, [Some("a::k"), Some("b::k"), Some("one<\"3\">é"), None]);
}

#[test]
fn names_and_records_change_in_ptx() {
    let names = Names::of([IR].into_iter());
    let ptx = "\t// .globl\tk$0_0 // -- \"k$0_0\n.visible .global .align 8 .b8 __gridwright_layout_k$1_0[8];\n\
               .visible .entry k$0_0(\n\t.param .u64 k$0_0_param_0\n)\n{\n$L__BB0_1:\n\tld.param.u64 %rd1, [k$0_0_param_0+8];\n}\n";
    let expected = "\t// .globl\ta_k // -- \"k$0_0\n.visible .global .align 8 .b8 __gridwright_layout_b_k[8];\n\
                    .visible .entry a_k(\n\t.param .u64 a_k_param_0\n)\n{\n$L__BB0_1:\n\tld.param.u64 %rd1, [a_k_param_0+8];\n}\n";
    assert_eq!(names.image(IR).unwrap().in_ptx(ptx), expected);
}

#[test]
fn images_of_one_target_have_one_name_for_one_path() {
    // Another architecture may have other kernels, and so other symbols.
    let other = "@__gridwright_path_k$5_0 = constant [9 x i8] c\"app::b::k\", align 1\n";
    let names = Names::of([IR, other].into_iter());
    let image = names.image(other).unwrap();
    assert_eq!((image.path("b_k"), image.path("k$5_0")), (Some("b::k"), Some("b::k")));
}

#[test]
fn two_kernels_of_one_path_are_refused() {
    let twice = "@__gridwright_path_k$5_0 = constant [6 x i8] c\"app::k\"\n@__gridwright_path_k$6_0 = constant [6 x i8] c\"app::k\"\n";
    let error = Names::of([twice].into_iter()).image(twice).unwrap_err();
    assert!(error.contains("two kernels have the path `k`"), "{error}");
}

#[test]
fn text_cut_anywhere_never_panics() {
    for end in (0..IR.len()).filter(|end| IR.is_char_boundary(*end)) {
        let ir = &IR[..end];
        if let Ok(image) = Names::of([ir].into_iter()).image(ir) {
            image.in_ir(ir);
            image.in_ptx(ir);
        }
    }
}
