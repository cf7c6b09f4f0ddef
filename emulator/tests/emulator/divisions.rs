//! Divisions by zero: an unused quotient is no finding, whatever is computed of it; a used one is.

use gridwright_emulator::{Device, Finding, FindingKind, Launch};

use crate::harness::{Parameters, download, kernel, run, upload};

/// 64 threads in one group. `%r0` is the thread's number, `%r1` what it reads from `x` (0, 1, 2, 3, 0, …), `%rd2` where; `%r8` is
/// its word of the group's memory.
const HEAD: &str = ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<8>; .reg .b16 %h<4>; .reg .f32 %f<4>;
    .shared .align 16 .b8 tile[256]; .local .align 8 .b8 own[16];
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 4; cvt.u32.u64 %r9, %rd0; mov.u32 %r8, tile; add.u32 %r8, %r8, %r9;
    ld.param.u64 %rd1, [x]; add.u64 %rd2, %rd1, %rd0; ld.global.u32 %r1, [%rd2];\n";

/// What was found, and what `x` is then.
fn outcome(body: &str) -> (Vec<Finding>, Vec<u32>) {
    let device = Device::new();
    let values: [u32; 64] = std::array::from_fn(|thread| thread as u32 % 4);
    let x = upload(&device, &values, u32::to_le_bytes);
    let parameters = Parameters::default().wide(x).0;
    let text = kernel(".param .u64 x", &format!("{HEAD}{body}"));
    let report = run(&device, &text, &Launch::new([1, 1, 1], [64, 1, 1], &parameters)).unwrap();
    (report.findings, download(&device, x, 64, u32::from_le_bytes))
}

#[track_caller]
fn passes(body: &str) -> Vec<u32> {
    let (findings, x) = outcome(body);
    assert!(findings.is_empty(), "{body}\n{findings:?}");
    x
}

/// Checks that only a division in the line `division` is found, in so many threads.
#[track_caller]
fn is_found(body: &str, division: &str, threads: u64) -> Finding {
    let (findings, _) = outcome(body);
    let [finding] = findings.as_slice() else { panic!("{body}\n{findings:?}") };
    assert_eq!(finding.kind, FindingKind::DivisionByZero, "{body}");
    let text = kernel(".param .u64 x", &format!("{HEAD}{body}"));
    let line = text.lines().position(|line| line.contains(division)).unwrap() + 1;
    assert_eq!((finding.line as usize, finding.count), (line, threads), "{body}");
    assert!(finding.to_string().contains("integer division by zero in `k`"), "{finding}");
    finding.clone()
}

#[test]
fn a_quotient_that_nobody_uses_is_no_finding() {
    passes("div.u32 %r2, 100, %r1;");
    passes("rem.s32 %r2, 100, %r1; add.s32 %r3, %r2, 7; mul.lo.s32 %r3, %r3, %r3; cvt.rn.f32.s32 %f0, %r3;");
    passes("cvt.u64.u32 %rd4, %r1; div.s64 %rd3, 100, %rd4; cvt.u16.u32 %h0, %r1; div.u16 %h1, %h0, %h0;");
}

/// As LLVM makes it of a guarded division in a loop: the quotient is computed in front, and used behind the guard.
#[test]
fn a_division_that_was_taken_out_of_its_guard_passes() {
    let hoisted = "
        div.u32 %r2, 100000, %r1;
        setp.ne.u32 %p0, %r1, 0;
        mov.u32 %r3, 0; mov.u32 %r4, 0;
    LOOP:
        @!%p0 bra NEXT;
        xor.b32 %r5, %r2, %r4; add.u32 %r3, %r3, %r5;
    NEXT:
        add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 10; @%p1 bra LOOP;
        st.global.u32 [%rd2], %r3;";
    let of = |divisor: u32| if divisor == 0 { 0 } else { (0..10).map(|i| (100_000 / divisor) ^ i).sum() };
    let right: Vec<u32> = (0..64).map(|thread| of(thread % 4)).collect();
    assert_eq!(passes(hoisted), right);
    let selected = hoisted
        .replace("@!%p0 bra NEXT;", "")
        .replace("add.u32 %r3, %r3, %r5;", "selp.b32 %r6, %r5, 0, %p0; add.u32 %r3, %r3, %r6;");
    assert_eq!(passes(&selected), right);
    let predicated = hoisted.replace("@!%p0 bra NEXT;", "").replace("add.u32 %r3", "@%p0 add.u32 %r3");
    assert_eq!(passes(&predicated), right);
}

#[test]
fn a_comparison_that_is_combined_with_the_guard_passes() {
    let body = "
        div.u32 %r2, 100, %r1; setp.ne.u32 %p0, %r1, 0;
        setp.gt.u32 %p1, %r2, 40; and.pred %p2, %p0, %p1; selp.u32 %r3, 1, 0, %p2; st.global.u32 [%rd2], %r3;";
    let right: Vec<u32> = (0..64).map(|thread| u32::from(matches!(thread % 4, 1 | 2))).collect();
    assert_eq!(passes(body), right);
    let combined = body
        .replace("setp.gt.u32 %p1, %r2, 40; and.pred %p2, %p0, %p1;", "setp.gt.and.u32 %p2, %r2, 40, %p0;");
    assert_eq!(passes(&combined), right);
    is_found(&combined.replace("%r1, 0;", "%r1, 9;"), "div.u32", 16);
}

#[test]
fn a_stored_quotient_is_found() {
    let found = is_found("div.u32 %r2, 100, %r1;\nst.global.u32 [%rd2], %r2;", "div.u32", 16);
    assert_eq!((found.group, found.thread), ([0; 3], [0; 3]));
    is_found("rem.u32 %r2, 100, %r1;\nst.global.u8 [%rd2], %r2;", "rem.u32", 16);
    is_found(
        "cvt.u64.u32 %rd3, %r1;\ndiv.s64 %rd4, 9, %rd3;\ncvt.u32.u64 %r2, %rd4;\nst.global.u32 [%rd2], %r2;",
        "div.s64",
        16,
    );
    is_found("cvt.u16.u32 %h0, %r1;\ndiv.s16 %h1, 9, %h0;\nst.global.u16 [%rd2], %h1;", "div.s16", 16);
    is_found(
        "div.s32 %r2, 100, %r1;\ncvt.rn.f32.s32 %f0, %r2; fma.rn.f32 %f0, %f0, 0f3f000000, 0f3f800000; st.global.f32 [%rd2], %f0;",
        "div.s32",
        16,
    );
}

#[test]
fn a_quotient_that_is_computed_with_is_found() {
    for computed in [
        "add.u32 %r3, %r2, 1;",
        "min.u32 %r3, %r2, 5;",
        "max.u32 %r3, %r2, 5;",
        "min.s32 %r3, %r2, -5;",
        "and.b32 %r3, %r2, 4;",
        "rem.u32 %r3, %r2, 5;",
        "shr.u32 %r3, %r2, 31;",
        "setp.eq.u32 %p0, %r2, 7; selp.u32 %r3, 1, 0, %p0;",
        "set.eq.u32.u32 %r3, %r2, 7;",
        "clz.b32 %r3, %r2;",
        "setp.ne.u32 %p0, %r0, 999; selp.u32 %r3, %r2, 0, %p0;",
    ] {
        is_found(&format!("div.u32 %r2, 100, %r1;\n{computed} st.global.u32 [%rd2], %r3;"), "div.u32", 16);
    }
    passes("div.u32 %r2, 100, %r1; and.b32 %r3, %r2, 0; st.global.u32 [%rd2], %r3;");
    passes(
        "div.u32 %r2, 100, %r1; setp.eq.u32 %p0, %r0, 999; selp.u32 %r3, %r2, 0, %p0; st.global.u32 [%rd2], %r3;",
    );
}

#[test]
fn a_branch_on_a_quotient_is_found() {
    is_found(
        "div.u32 %r2, 100, %r1;\nsetp.eq.u32 %p0, %r2, 77; @%p0 bra END; add.u32 %r3, %r0, 1; END:",
        "div.u32",
        16,
    );
    is_found(
        "div.u32 %r2, 100, %r1;\nsetp.lt.u32 %p0, %r2, 77; @%p0 st.global.u32 [%rd2], %r0;",
        "div.u32",
        16,
    );
    passes("div.u32 %r2, 100, %r1;\nsetp.lt.u32 %p0, %r2, 77; @%p0 add.u32 %r3, %r0, 1;");
}

#[test]
fn an_address_of_a_quotient_is_found() {
    let body = "div.u32 %r2, 3, %r1;\nand.b32 %r2, %r2, 3; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd1, %rd3; ld.global.u32 %r3, [%rd3];";
    is_found(body, "div.u32", 16);
}

#[test]
fn a_quotient_is_followed_through_the_groups_memory() {
    let stored = "div.u32 %r2, 100, %r1;\nst.shared.u32 [%r8], %r2; bar.sync 0;";
    passes(stored);
    let other = "xor.b32 %r10, %r8, 128; ld.shared.u32 %r3, [%r10];";
    passes(&format!("{stored} {other}"));
    is_found(&format!("{stored} {other} st.global.u32 [%rd2], %r3;"), "div.u32", 16);
    let byte = "xor.b32 %r10, %r8, 128; ld.shared.s8 %r3, [%r10+1];";
    is_found(&format!("{stored} {byte} st.global.u32 [%rd2], %r3;"), "div.u32", 16);
    passes(&format!("{stored} st.shared.u32 [%r8], %r0; bar.sync 0; {other} st.global.u32 [%rd2], %r3;"));
    is_found(&format!("{stored} atom.shared.add.u32 %r3, [%r8], 1;"), "div.u32", 16);
}

#[test]
fn a_quotient_is_followed_through_a_threads_own_memory() {
    let stored = "div.u32 %r2, 100, %r1;\nst.local.u32 [own+4], %r2;";
    passes(&format!("{stored} ld.local.u32 %r3, [own]; st.global.u32 [%rd2], %r3;"));
    is_found(&format!("{stored} ld.local.u32 %r3, [own+4]; st.global.u32 [%rd2], %r3;"), "div.u32", 16);
    passes(&format!(
        "{stored} st.local.u32 [own+4], %r0; ld.local.u32 %r3, [own+4]; st.global.u32 [%rd2], %r3;"
    ));
}

#[test]
fn a_quotient_is_followed_between_lanes() {
    let shuffled = "div.u32 %r2, 100, %r1;\nshfl.sync.down.b32 %r3, %r2, 1, 31, -1;";
    passes(shuffled);
    // Lane 31 gets its own.
    is_found(&format!("{shuffled} st.global.u32 [%rd2], %r3;"), "div.u32", 14);
    passes("div.u32 %r2, 100, %r1;\nshfl.sync.idx.b32 %r3, %r2, 1, 31, -1; st.global.u32 [%rd2], %r3;");
    is_found(
        "div.u32 %r2, 100, %r1;\nsetp.lt.u32 %p0, %r2, 50; vote.sync.any.pred %p1, %p0, -1;",
        "div.u32",
        16,
    );
    is_found("div.u32 %r2, 100, %r1;\nredux.sync.add.s32 %r3, %r2, -1;", "div.u32", 16);
}

#[test]
fn of_two_divisions_the_used_one_is_named() {
    let two = "div.u32 %r2, 100, %r1;\nrem.u32 %r3, 100, %r1;\nadd.u32 %r4, %r2, %r3;\n";
    is_found(&format!("{two}st.global.u32 [%rd2], %r3;"), "rem.u32", 16);
    is_found(&format!("{two}st.global.u32 [%rd2], %r2;"), "div.u32", 16);
}

#[test]
fn an_atomic_operation_with_a_quotient_is_found() {
    is_found("div.u32 %r2, 100, %r1;\natom.global.add.u32 %r3, [%rd1], %r2;", "div.u32", 16);
    passes("div.u32 %r2, 100, %r1;\natom.global.add.u32 %r3, [%rd1], 1; add.u32 %r2, %r2, %r3;");
}

#[test]
fn a_quotient_that_a_function_gives_is_followed() {
    let function = ".func (.param .b32 result) half(.param .b32 value)\n{ .reg .b32 %a; ld.param.b32 %a, [value]; shr.u32 %a, %a, 1; st.param.b32 [result], %a; ret; }\n";
    let body = "div.u32 %r2, 100, %r1;\n{ .param .b32 in; .param .b32 out; st.param.b32 [in], %r2; call.uni (out), half, (in); ld.param.b32 %r3, [out]; }\n";
    for (rest, count) in [("", 0), ("st.global.u32 [%rd2], %r3;", 16)] {
        let device = Device::new();
        let values: [u32; 64] = std::array::from_fn(|thread| thread as u32 % 4);
        let parameters = Parameters::default().wide(upload(&device, &values, u32::to_le_bytes)).0;
        let text = kernel(".param .u64 x", &format!("{HEAD}{body}{rest}"));
        let text = text.replacen(".visible .entry", &format!("{function}.visible .entry"), 1);
        let report = run(&device, &text, &Launch::new([1, 1, 1], [64, 1, 1], &parameters)).unwrap();
        assert_eq!(report.findings.iter().map(|finding| finding.count).sum::<u64>(), count);
    }
}

#[test]
fn clocks_are_read_once() {
    passes(
        "div.u32 %r2, 100, %r1; mov.u64 %rd3, %globaltimer; cvt.u32.u64 %r3, %rd3; st.global.u32 [%rd2], %r3;",
    );
}

#[test]
fn the_least_number_divided_by_minus_one_is_itself() {
    for (bits, least) in [(16, 0x8000), (32, 0x8000_0000_u64), (64, 1 << 63)] {
        let minus_one = u64::MAX >> (64 - bits);
        let ty = format!("s{bits}");
        let pair: &[(&str, &[u64])] = &[(&ty, &[least]), (&ty, &[minus_one])];
        let of = |name: &str| crate::harness::apply(&format!("{name}.{ty} %d, %a, %b;"), &ty, pair);
        assert_eq!((of("div"), of("rem")), (vec![least], vec![0]), "{bits} bits");
    }
}
