use super::*;

fn problems(ir: &str) -> Vec<String> {
    check(&Image::default(), ir)
}

#[test]
fn constants_are_allowed() {
    let ir = r#"
@_RNvCs1234_3app5TABLE = internal unnamed_addr constant [256 x i8] c"@global i32\22 = global", align 8
@alloc_1 = private unnamed_addr addrspace(1) constant <{ [4 x i8] }> <{ [4 x i8] zeroinitializer }>, align 4
@__gridwright_layout_k = local_unnamed_addr constant [8 x i8] zeroinitializer, align 8
@llvm.used = appending global [1 x ptr] [ptr @k], section "llvm.metadata"
@anon.1 = private alias i8, ptr @alloc_1
"#;
    assert_eq!(problems(ir), Vec::<String>::new());
}

#[test]
fn mutable_statics_are_refused_by_their_rust_names() {
    let ir = "@_ZN3app5COUNT17h0123456789abcdefE = internal addrspace(1) global i32 0, align 4\n\
              @_RNvCs1234_3app5TOTAL = internal unnamed_addr global [4 x i8] zeroinitializer, align 4\n\
              @\"odd name\" = external global i32\n";
    let problems = problems(ir);
    assert_eq!(problems.len(), 3, "{problems:#?}");
    assert!(
        problems[0].contains("static `app::COUNT`") && problems[1].contains("static `app::TOTAL`"),
        "{problems:#?}"
    );
    assert!(problems[2].contains("`odd name`"), "{problems:#?}");
}

#[test]
fn workgroup_memory_of_the_launch_is_allowed_and_no_name_is() {
    let ir = "@workgroup = external addrspace(3) global [0 x i8], align 16\n\
              @llvm.used = appending global [1 x ptr] [ptr @k], section \"llvm.metadata\"\n";
    assert_eq!(problems(ir), Vec::<String>::new());
    // A program can give its statics any name.
    for ir in [
        "@__gridwright_panic = addrspace(1) global [16 x i8] zeroinitializer, align 8\n",
        "@_RNvNtCs1234_17gridwright_device5panic6RECORD = internal global [4 x i8] zeroinitializer\n",
        "@llvm.mine = internal global [4 x i8] zeroinitializer\n",
        "@mine = internal addrspace(3) global [4 x i8] undef\n",
    ] {
        assert_eq!(problems(ir).len(), 1, "{ir}");
    }
}

#[test]
fn the_address_of_the_record_is_allowed_and_nothing_else_by_its_name() {
    for ir in [
        "@__gridwright_record = local_unnamed_addr global [8 x i8] zeroinitializer, align 8\n",
        "@__gridwright_record = protected addrspace(1) externally_initialized global [8 x i8] zeroinitializer, align 8\n",
    ] {
        assert_eq!(problems(ir), Vec::<String>::new());
    }
    for ir in [
        "@__gridwright_record = internal global [8 x i8] zeroinitializer, align 8\n",
        "@__gridwright_record = external global [8 x i8], align 8\n",
        "@__gridwright_record = global [16 x i8] zeroinitializer, align 8\n",
        "@__gridwright_record = global [8 x i8] c\"12345678\", align 8\n",
        "@__gridwright_record.1 = global [8 x i8] zeroinitializer, align 8\n",
    ] {
        assert_eq!(problems(ir).len(), 1, "{ir}");
    }
}

/// The constant is read where the allocator was inlined, which the compiler does as it likes.
#[test]
fn allocation_in_kernels_of_groups_is_refused_and_in_others_allowed() {
    let ir = |code: &str| {
        format!(
            "@__gridwright_layout_g = constant [32 x i8] zeroinitializer\n@__gridwright_layout_t = constant [32 x i8] zeroinitializer\n\
             @__gridwright_threads_t = constant [1 x i8] c\"\\01\", align 1\n@__gridwright_allocates = constant [1 x i8] c\"\\01\"\n\
             @vtable = private constant [1 x ptr] [ptr @grow]\n\
             define internal ptr @allocate(i64 %0) {{\n  %1 = load volatile i8, ptr @__gridwright_allocates, align 1\n  ret ptr null\n}}\n\
             define internal void @grow(ptr %0) {{\n  %p = call ptr @allocate(i64 8)\n  ret void\n}}\n\
             define void @t() {{\n  call void @grow(ptr null)\n  ret void\n}}\n\
             define void @helper(ptr %f) {{\n  call void %f(ptr null)\n  ret void\n}}\n\
             define void @g(ptr %v) {{\n  {code}\n  ret void\n}}\n"
        )
    };
    assert_eq!(problems(&ir("call void @llvm.trap()")), Vec::<String>::new(), "`t` is of threads");
    for code in [
        "%1 = load volatile i8, ptr @__gridwright_allocates, align 1",
        "%1 = load volatile i8, ptr addrspacecast (ptr addrspace(1) @__gridwright_allocates to ptr), align 1",
        "%p = call ptr @allocate(i64 8)",
        "call void @grow(ptr null)",
        "call void @helper(ptr @grow)",
        "call void %v(ptr null)",
    ] {
        let found = problems(&ir(code));
        assert!(
            found.len() == 1 && found[0].contains("the kernel `g` is one of groups and allocates"),
            "{code}: {found:#?}"
        );
    }
}

#[test]
fn recursion_is_found_through_several_functions() {
    let ir = "define void @k() {\n  call void @a(i32 1)\n  ret void\n}\n\
              define internal fastcc i32 @a(i32 %0) {\n  %2 = tail call fastcc i32 @b(i32 %0)\n  ret i32 %2\n}\n\
              define internal fastcc i32 @b(i32 %0) {\n  %2 = call fastcc i32 @a(i32 %0)\n  ret i32 %2\n}\n";
    let problems = problems(ir);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].ends_with("`a` calls `b` calls `a`"), "{problems:#?}");
}

#[test]
fn shared_callees_and_intrinsics_are_no_recursion() {
    let ir = "declare void @llvm.trap()\ndefine void @k() {\n  call void @a()\n  call void @b()\n  ret void\n}\n\
              define void @a() {\n  call void @c()\n  ret void\n}\ndefine void @b() {\n  call void @c()\n  ret void\n}\n\
              define void @c() {\n  call void @llvm.trap() ; not @k()\n  call void asm sideeffect \"@k()\", \"\"()\n  ret void\n}\n";
    assert_eq!(problems(ir), Vec::<String>::new());
}

#[test]
fn recursion_that_no_kernel_reaches_does_not_count() {
    let ir = |calls: &str| {
        format!(
            "define ptx_kernel void @k() {{\n  store ptr @fmt, ptr %at\n{calls}  ret void\n}}\n\
             define void @fmt(ptr %x) {{\n  call void @fmt(ptr %x)\n  ret void\n}}\n"
        )
    };
    assert_eq!(problems(&ir("")), Vec::<String>::new());
    let found = problems(&ir("  call void @fmt(ptr %at)\n"));
    assert_eq!(found.len(), 1, "{found:?}");
    // Through the pointer that it has taken.
    let found = problems(&ir("  call void %f(ptr %at)\n"));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn recursion_through_a_pointer_is_found_and_other_arities_are_not_blamed() {
    let ir = |arguments: &str| {
        format!(
            "@vtable = private constant [1 x ptr] [ptr @method]\n\
             define void @k(ptr %p) {{\n  call void @method(ptr %p, i32 1)\n  ret void\n}}\n\
             define void @method(ptr %self, i32 %n) {{\n  %f = load ptr, ptr %self\n  call void %f({arguments})\n  ret void\n}}\n"
        )
    };
    let found = problems(&ir("ptr align 4 %self, i32 2"));
    assert!(found.len() == 1 && found[0].contains("`method` calls `method`"), "{found:#?}");
    assert_eq!(problems(&ir("ptr %self")), Vec::<String>::new());
}

#[test]
fn stack_in_amounts_that_are_not_constant_is_refused() {
    let ir = |operands: &str| {
        format!("define void @k(i64 %n) {{\n  %p = alloca {operands}, align 8\n  ret void\n}}\n")
    };
    assert_eq!(problems(&ir("i8, i64 %n")).len(), 1);
    for constant in ["[64 x i8]", "{ i64, i32 }, i32 4", "%struct.x, addrspace(5)"] {
        assert_eq!(problems(&ir(constant)), Vec::<String>::new(), "{constant}");
    }
}

#[test]
fn unresolved_symbols_name_their_users() {
    let image = Image { unresolved: vec!["sinf".into()], ..Image::default() };
    let ir = "declare float @sinf(float)\ndefine void @_RNvCs1234_3app4wave() {\n  %1 = call float @sinf(float 1.0)\n  ret void\n}\n";
    assert_eq!(
        check(&image, ir),
        [
            "device code uses `sinf`, which does not exist on a GPU (used by `app::wave`): there is no C library; write it in Rust, or take \
          it from `core` or `gridwright::math`"
        ]
    );
}

#[test]
fn problems_name_lines_of_the_users_where_there_are_some() {
    let image = Image { unresolved: vec!["sinf".into()], ..Image::default() };
    let ir = "define void @k(ptr %x) !dbg !1 {\n  %1 = call float @sinf(float 1.0), !dbg !4\n  ret void\n}\n\
              !1 = distinct !DISubprogram(name: \"k\", scope: null, file: !2, line: 3, type: !9)\n\
              !2 = !DIFile(filename: \"src/main.rs\", directory: \"\")\n\
              !3 = distinct !DISubprogram(name: \"f\", file: !5, line: 70)\n\
              !4 = !DILocation(line: 77, column: 5, scope: !3, inlinedAt: !6)\n\
              !5 = !DIFile(filename: \"/rust/core/src/x.rs\", directory: \"\")\n\
              !6 = distinct !DILocation(line: 8, column: 13, scope: !7)\n\
              !7 = distinct !DILexicalBlock(scope: !1, file: !2, line: 6, column: 1)\n";
    assert!(check(&image, ir)[0].contains("(used by `k`), at src/main.rs:8:13:"), "{:?}", check(&image, ir));
    let image = Image::default();
    let ir = ir.replace("@sinf(float 1.0), !dbg !4", "@k(ptr %x)");
    assert!(check(&image, &ir)[0].ends_with(": `k` calls `k`, at src/main.rs:3"));
    let ir = ir.replace("filename", "name");
    assert!(check(&image, &ir)[0].ends_with(": `k` calls `k`"));
}

#[test]
fn sizes_that_no_launch_has_are_refused() {
    let parameter = |size| gridwright_image::Parameter { offset: 8, size };
    let entry = |name: &str, size| crate::image::Entry {
        name: name.into(),
        path: name.into(),
        parameters: vec![parameter(size)],
        ..Default::default()
    };
    let image = Image {
        entries: vec![entry("fits", 4344), entry("k", 4345)],
        most_parameter_bytes: Some(4352),
        large_stacks: vec![("_RNvCs1234_3app4wave".into(), 600_000)],
        ..Image::default()
    };
    let problems = check(&image, "");
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].contains("`app::wave` needs 600000 bytes of stack"), "{problems:?}");
    assert!(problems[1].contains("the kernel `k` has 4353 bytes of parameters"), "{problems:?}");
}

#[test]
fn a_stack_of_unknown_size_is_reported_if_nothing_else_explains_it() {
    let image = Image { dynamic_stacks: vec!["k".into()], ..Image::default() };
    assert!(check(&image, "")[0].contains("the kernel `k`"));
    let image = Image { unresolved: vec!["gone".into()], ..image };
    assert_eq!(check(&image, "").len(), 1);
}

#[test]
fn cut_text_never_panics() {
    let ir = "@\"a = global\n@b = addrspace(x) global i32\ndefine void @c(\n  call void %f(\n  %p = alloca \n@é = global\n}";
    for end in (0..ir.len()).filter(|n| ir.is_char_boundary(*n)) {
        let _ = problems(&ir[..end]);
    }
}
