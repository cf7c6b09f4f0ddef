use std::path::PathBuf;

use super::*;
use crate::environment::Environment;
use crate::tests::Folder;
use crate::toolchain;

/// The head of a kernel, and what it calls.
const HEAD: &str = "target datalayout = \"e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

";
const TAIL: &str = "\nattributes #0 = { convergent nounwind }\n";

fn kernel(body: &str) -> String {
    format!("{HEAD}define ptx_kernel void @k(ptr nonnull %in, ptr nonnull %out, i64 %n) {{\n{body}}}\n{TAIL}")
}

/// `for x in array { sum += x }`, as it comes from rustc: the end of the array is tested twice.
const FOR: &str = "start:
  %a = alloca [32 x i8], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %in, i64 32, i1 false)
  br label %head

head:
  %i = phi i64 [ 0, %start ], [ %i2, %body ]
  %s = phi i32 [ 0, %start ], [ %s2, %body ]
  %c = icmp eq i64 %i, 8
  br i1 %c, label %next, label %some

some:
  %i1 = add nuw nsw i64 %i, 1
  %p = getelementptr inbounds nuw i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  br label %next

next:
  %i2 = phi i64 [ 8, %head ], [ %i1, %some ]
  %y = phi i32 [ undef, %head ], [ %x, %some ]
  br i1 %c, label %done, label %body

body:
  %t = mul i32 %s, 3
  %s2 = add i32 %t, %y
  br label %head

done:
  store i32 %s, ptr %out, align 4
  ret void
";

/// `for x in array.into_iter().filter(|x| x % 2 == 0)`: a loop that looks for the next, in the loop over them.
const FILTER: &str = "start:
  %a = alloca [32 x i8], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %in, i64 32, i1 false)
  br label %outer

outer:
  %s = phi i32 [ %s2, %found ], [ 0, %start ]
  %o = phi i64 [ %i1, %found ], [ 0, %start ]
  br label %inner

inner:
  %i = phi i64 [ %o, %outer ], [ %i1, %odd ]
  %p = getelementptr inbounds nuw i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  %i1 = add nuw nsw i64 %i, 1
  %b = trunc i32 %x to i1
  br i1 %b, label %odd, label %found

odd:
  %e = icmp eq i64 %i1, 8
  br i1 %e, label %done, label %inner

found:
  %t = mul i32 %s, 3
  %s2 = add i32 %t, %x
  %f = icmp eq i64 %i1, 8
  br i1 %f, label %done, label %outer

done:
  %r = phi i32 [ %s, %odd ], [ %s2, %found ]
  store i32 %r, ptr %out, align 4
  ret void
";

/// The toolchain's folder; none where there is no toolchain.
fn sysroot() -> Option<PathBuf> {
    let cache = std::env::temp_dir().join("gridwright-build-sources");
    match toolchain::find(&Environment::of_process(), &cache) {
        Ok(toolchain) => Some(toolchain.sysroot),
        Err(missing) => {
            eprintln!("SKIPPED: {}", missing.message);
            None
        }
    }
}

fn lowering(folder: &Path, sysroot: PathBuf) -> Lowering {
    let target = Target {
        family: Family::Nvidia,
        processor: "sm_80".into(),
        features: "+ptx80".into(),
        arguments: vec!["-unroll-threshold=3000"],
    };
    let file = |name| folder.join(name);
    Lowering { target, sysroot, unrolled: file("x.unrolled.ll"), ir: file("x.ll"), image: file("x.ptx") }
}

#[test]
fn without_llvm_the_ir_stays() {
    let folder = Folder::new("unroll-none");
    let ir = kernel(FOR);
    assert!(matches!(unroll(&lowering(folder.path(), folder.path().into()), &ir), Cow::Borrowed(_)));
}

#[test]
fn loops_over_arrays_are_unrolled_and_the_arrays_are_in_registers() {
    let Some(sysroot) = sysroot() else { return };
    let folder = Folder::new("unroll");
    let lowering = lowering(folder.path(), sysroot);
    for body in [FOR, FILTER] {
        let ir = kernel(body);
        assert_eq!(kernels::read(&ir)["k"].indexed_bytes, 32);
        let unrolled = unroll(&lowering, &ir);
        let kernel = kernels::read(&unrolled)["k"];
        assert_eq!((kernel.local_bytes, kernel.indexed_bytes), (0, 0), "{unrolled}");
        assert_eq!(unrolled.matches(" = load i32").count(), 8, "{unrolled}");
    }
    // What was made is taken from the file.
    let record = fs::read_to_string(&lowering.unrolled).unwrap();
    let (head, _) = record.split_once('\n').unwrap();
    fs::write(&lowering.unrolled, format!("{head}\nkept")).unwrap();
    assert_eq!(unroll(&lowering, &kernel(FILTER)), "kept");
    assert_ne!(unroll(&lowering, &kernel(FOR)), "kept", "of other IR");
    // What LLVM can't read stays as it is, for the compiler to say so.
    assert!(matches!(unroll(&lowering, "this is no IR"), Cow::Borrowed(_)));
}

#[test]
fn a_barrier_stays_one() {
    let Some(sysroot) = sysroot() else { return };
    let folder = Folder::new("unroll-barrier");
    let body = "start:
  %c = icmp eq i64 %n, 0
  br i1 %c, label %one, label %both

one:
  store i32 1, ptr %in
  br label %both

both:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %two, label %end

two:
  store i32 2, ptr %out
  br label %end

end:
  ret void
";
    let ir = kernel(body);
    assert!(kernels::read(&ir)["k"].is_convergent);
    let unrolled = unroll(&lowering(folder.path(), sysroot), &ir);
    assert_eq!(unrolled.matches("call void @llvm.nvvm.barrier").count(), 1, "{unrolled}");
    // What has an array left is tried with loops in one, unless it has a barrier.
    let with_arrays = |ir: &str| with_arrays(ir, |kernel| !kernel.is_convergent);
    let with_barrier = FILTER
        .replace("  %t = mul", "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n  %t = mul");
    assert_eq!(with_arrays(&kernel(&with_barrier)), Vec::<String>::new());
    assert_eq!(with_arrays(&kernel(FILTER)), ["k"]);
}

#[test]
fn a_change_is_kept_for_the_kernels_that_are_better_by_it() {
    let of = |body: &str, name: &str| kernel(body).replace("@k(", &format!("@{name}("));
    let all = |one: &str, two: &str| format!("{}{}", of(one, "a"), of(two, "b"));
    let (array, none) = (FOR, "start:\n  ret void\n");
    let names = ["a".to_owned(), "b".to_owned()];
    let kept = better(&all(array, array), &names, |names| {
        Ok(match names {
            [_, _] => all(none, array),
            [name] if name == "a" => "a alone".to_owned(),
            _ => unreachable!("{names:?}"),
        })
    });
    assert_eq!(kept.unwrap(), "a alone");
    let long = format!("start:\n{}  ret void\n", "  %x = add i32 1, 2\n".repeat(MORE_LINES * 2));
    let kept = better(&all(array, array), &names, |_| Ok(all(&long, array)));
    assert_eq!(kept.unwrap(), all(array, array), "too long");
}

#[test]
fn tests_of_a_reference_into_an_argument_are_answered() {
    let body = "start:
  %q = getelementptr float, ptr %in, i64 %n
  %r = getelementptr float, ptr %q, i64 %n
  %c = icmp eq ptr %r, null
  %d = icmp ne ptr %r, null
  store i1 %c, ptr %r
  ret void
";
    let ir = kernel(body);
    let text = nulls::answered(&ir);
    assert!(text.contains("  %c = or i1 false, false\n  %d = or i1 true, true\n"), "{text}");
    let same = |ir: String| assert!(matches!(nulls::answered(&ir), Cow::Borrowed(_)), "{ir}");
    same(ir.replace("ptr nonnull %in", "ptr %in"));
    same(ir.replace("ptr %r, null", "ptr %other, null"));
    same(ir.replace("ptr %r, null", "ptr %in, null"));
    same(ir.replace("icmp eq", "icmp ult").replace("icmp ne", "icmp ugt"));
    // A number that comes from an address may lead back to null, unless something lies there.
    let number = ir.replace("  %q =", "  %m = ptrtoint ptr %in to i64\n  %q =");
    assert!(matches!(nulls::answered(&number), Cow::Owned(_)));
    same(number.replace("store i1 %c, ptr %r", "store i1 %c, ptr %out"));
    for end in (0..ir.len()).step_by(7) {
        let _ = nulls::answered(&ir[..end]);
    }
}

#[test]
fn a_loop_that_looks_for_the_next_is_one_with_the_loop_over_them() {
    let names = ["k".to_owned()];
    let ir = kernel(FILTER);
    let one = one_loop::in_one(&ir, &names);
    assert!(!one.contains("outer"), "{one}");
    for line in [
        "inner:\n  %s = phi i32 [ 0, %start ], [ %gridwright.end.1.0, %gridwright.end.1 ]",
        "  %i = phi i64 [ 0, %start ], [ %gridwright.end.1.2, %gridwright.end.1 ]",
        "gridwright.end.1:\n  %gridwright.end.1.0 = phi i32 [ %s2, %found ], [ %s, %odd ]",
        "  br i1 %e, label %done, label %gridwright.end.1\n",
        "  br i1 %f, label %done, label %gridwright.end.1\n",
        "  br label %inner\n",
    ] {
        assert!(one.contains(line), "{line} is not in {one}");
    }
    assert_eq!(one_loop::in_one(&ir, &["other".to_owned()]), ir, "another kernel's");
    let lines = |ir: &str| one_loop::lines_with_turns(ir, "k", 10) / 10;
    assert!((30..40).contains(&lines(&ir)), "one loop: {}", lines(&ir));
    let counted = ir.replace("  br label %inner\n", "  %j = add i32 %s, 1\n  br label %inner\n");
    assert!((300..400).contains(&lines(&counted)), "one in the other: {}", lines(&counted));
    let for_loop = kernel(FOR);
    assert_eq!(one_loop::in_one(&for_loop, &names).replace('\n', ""), for_loop.replace('\n', ""), "one loop");
    for end in (0..ir.len()).step_by(7) {
        let _ = one_loop::in_one(&ir[..end], &names);
    }
}

#[test]
fn a_kernels_local_memory_is_read() {
    let of = |body: &str| {
        let kernel = kernels::read(&kernel(&format!("start:\n{body}  ret void\n")))["k"];
        (kernel.local_bytes, kernel.indexed_bytes)
    };
    assert_eq!(of("  %a = alloca [12 x i8], align 4\n"), (12, 0));
    assert_eq!(
        of("  %a = alloca [2 x [3 x float]], align 4\n  %b = alloca <4 x i32>\n  %c = alloca i1\n"),
        (41, 0)
    );
    assert_eq!(of("  %a = alloca { i32, i64 }, align 8\n"), (8, 0), "of a type that isn't read");
    let constant = "  %a = alloca [12 x i8], align 4\n  %p = getelementptr inbounds nuw i8, ptr %a, i64 8\n";
    assert_eq!(of(constant), (12, 0));
    assert_eq!(of(&format!("{constant}  %q = getelementptr i32, ptr %p, i64 %n\n")), (12, 12));
    assert_eq!(of(&format!("{constant}  %q = phi ptr [ %a, %x ], [ %p, %y ]\n")), (12, 12));
    assert_eq!(of(&format!("{constant}  %q = getelementptr i32, ptr %in, i64 %n\n")), (12, 0));
}

#[test]
fn where_an_argument_begins_is_said_of_its_pointer() {
    let body = "start:
  %n1 = ptrtoint ptr %in to i64
  %b = and i64 %n1, 15
  %c = icmp eq i64 %b, 0
  tail call void @llvm.assume(i1 %c)
  ret void
";
    let ir = kernel(body);
    let said =
        |ir: &str| alignment::said_of_pointers(ir).contains("[ \"align\"(ptr %in, i64 16) ]\n  ret void");
    assert!(said(&ir));
    // Of a pointer that is aligned to 4 only the other bits are left.
    let declared = ir.replace("ptr nonnull %in", "ptr noundef nonnull align 4 captures(none) %in");
    assert!(said(&declared.replace(", 15", ", 12")));
    for other in [
        ir.replace(", 15", ", 12"),
        ir.replace(", 15", ", 14"),
        ir.replace("i64 %b, 0", "i64 %b, 4"),
        ir.replace("icmp eq", "icmp ne"),
    ] {
        assert!(matches!(alignment::said_of_pointers(&other), Cow::Borrowed(_)), "{other}");
    }
}

#[test]
fn arrays_that_lie_whole_are_read_whole_in_loops() {
    let Some(sysroot) = sysroot() else { return };
    let folder = Folder::new("unroll-aligned");
    let body = "start:
  %n1 = ptrtoint ptr %in to i64
  %b = and i64 %n1, 15
  %c = icmp eq i64 %b, 0
  tail call void @llvm.assume(i1 %c)
  %end = getelementptr inbounds i8, ptr %in, i64 %n
  br label %turn

turn:
  %p = phi ptr [ %in, %start ], [ %next, %turn ]
  %s = phi float [ 0.0, %start ], [ %s2, %turn ]
  %x = load float, ptr %p, align 4
  %s2 = fadd float %s, %x
  %next = getelementptr inbounds i8, ptr %p, i64 16
  %e = icmp eq ptr %next, %end
  br i1 %e, label %done, label %turn

done:
  store float %s2, ptr %out, align 4
  ret void
";
    let ir = kernel(body);
    let unrolled = unroll(&lowering(folder.path(), sysroot), &ir);
    assert!(unrolled.contains("load float, ptr %p, align 16"), "{unrolled}");
}
