//! What each line of the PTX costs.

use std::collections::BTreeMap;

use gridwright_emulator::{Checks, Counts, Device, DeviceOptions, Launch, Report};

use super::harness::{HEAD, Parameters, kernel, run};

/// Runs a kernel `k` whose parameter is memory of 64 KiB, and counts.
fn counted(text: &str, grid: u32, block: u32) -> Report {
    let device = Device::with_options(DeviceOptions { host_threads: 2, ..DeviceOptions::default() });
    let memory = device.alloc(1 << 16).unwrap();
    device.fill(memory, &[0], 1 << 16).unwrap();
    let parameters = Parameters::default().wide(memory);
    let mut launch = Launch::new([grid, 1, 1], [block, 1, 1], &parameters.0);
    launch.checks = Checks::NONE;
    launch.count_lines = true;
    run(&device, text, &launch).unwrap()
}

/// The counts of the one line that contains a text.
fn of(report: &Report, text: &str, part: &str) -> Counts {
    let mut found = text.lines().zip(1..).filter(|(line, _)| line.contains(part));
    let (_, number) = found.next().unwrap();
    assert!(found.next().is_none(), "several lines with {part}");
    report.lines.get(&number).copied().unwrap_or_default()
}

#[test]
fn lines_of_a_loop_count_each_turn() {
    let text = kernel(
        ".param .u64 x",
        ".reg .b32 %i, %a, %b; .reg .b64 %w; .reg .pred %p;
         mov.u32 %i, %tid.x;
         AGAIN:
         add.u32 %i, %i, 1;
         setp.lt.u32 %p, %i, 70;
         @%p bra AGAIN;
         @%p add.u32 %i, %i, 3;
         cvt.u64.u32 %w, %i;
         mov.b64 {%a, %b}, %w;",
    );
    // 3 groups of 40 threads: a warp of 32 lanes, whose first one makes 70 turns, and one of 8, whose first makes 38.
    let report = counted(&text, 3, 40);
    let expect = |part: &str, warps: u64, threads: u64| {
        let counts = of(&report, &text, part);
        assert_eq!(
            (counts.warp_instructions, counts.thread_instructions),
            (3 * warps, 3 * threads),
            "{part}"
        );
    };
    let turns: u64 = (0..40).map(|thread| 70 - thread).sum();
    expect("mov.u32", 2, 40);
    for part in ["  add", "setp", "bra"] {
        expect(part, 70 + 38, turns);
    }
    // The guard is false for all, and the instruction is issued.
    expect("@%p add", 2, 40);
    expect("mov.b64", 2, 40);
    let sum = |of: fn(&Counts) -> u64| report.lines.values().map(of).sum::<u64>();
    // `mov.b64` is a step for each half, and one more.
    assert_eq!(report.warp_instructions, sum(|counts| counts.warp_instructions) + 2 * 3 * 2);
    assert_eq!(sum(|counts| counts.sectors + counts.bank_passes + counts.local_accesses), 0);
}

#[test]
fn strided_accesses_touch_more_sectors_than_coalesced_ones() {
    let text = kernel(
        ".param .u64 x",
        ".reg .b32 %i, %v; .reg .b64 %x, %c, %s, %w, %m; .reg .pred %p;
         ld.param.u64 %x, [x];
         mov.u32 %i, %tid.x;
         mul.wide.u32 %c, %i, 4; add.u64 %c, %c, %x;
         mul.wide.u32 %s, %i, 128; add.u64 %s, %s, %x;
         mul.wide.u32 %w, %i, 16; add.u64 %w, %w, %x;
         add.u64 %m, %c, 4;
         ld.global.u32 %v, [%c];
         ld.global.u32 %v, [%s];
         ld.global.v4.u32 {%v, %v, %v, %i}, [%w];
         ld.global.u32 %v, [%m];
         ld.global.u32 %v, [%x];
         ld.u32 %v, [%c+0];
         mov.u32 %i, %tid.x;
         setp.lt.u32 %p, %i, 8;
         @%p st.global.u32 [%c], %v;
         atom.global.add.u32 %v, [%x], 1;",
    );
    let report = counted(&text, 1, 32);
    for (part, sectors) in [
        ("u32 %v, [%c];", 4),
        ("u32 %v, [%s];", 32),
        ("[%w];", 16),
        ("[%m];", 5),
        ("ld.global.u32 %v, [%x];", 1),
        ("[%c+0];", 4),
        ("@%p st", 1),
        ("atom", 1),
    ] {
        assert_eq!(of(&report, &text, part).sectors, sectors, "{part}");
    }
}

#[test]
fn words_of_one_bank_are_served_in_turns() {
    let text = kernel(
        ".param .u64 x",
        ".shared .align 16 .b8 s[8192];
         .reg .b32 %i, %v, %b, %row, %col, %two, %quad, %pad, %a; .reg .b64 %d;
         mov.u32 %i, %tid.x;
         mov.u32 %b, s;
         mad.lo.u32 %row, %i, 4, %b;
         mad.lo.u32 %col, %i, 128, %b;
         mad.lo.u32 %pad, %i, 132, %b;
         mad.lo.u32 %two, %i, 8, %b;
         mad.lo.u32 %quad, %i, 16, %b;
         st.shared.u32 [%row], %i;
         st.shared.u32 [%col], %i;
         st.shared.u32 [%pad], %i;
         ld.shared.u32 %v, [%two];
         ld.shared.u64 %d, [%two+0];
         ld.shared.v2.u64 {%d, %d}, [%quad];
         ld.shared.u32 %v, [%b];
         atom.shared.add.u32 %v, [%b], 1;
         atom.shared.add.u32 %v, [%row], 1;
         ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v}, [%quad];
         ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%v, %i, %a, %two}, [%col];",
    );
    let report = counted(&text, 1, 32);
    for (part, passes) in [
        ("st.shared.u32 [%row]", 1),
        ("st.shared.u32 [%col]", 32),
        ("st.shared.u32 [%pad]", 1),
        ("[%two];", 2),
        ("[%two+0];", 2),
        ("ld.shared.v2.u64", 4),
        ("ld.shared.u32 %v, [%b];", 1),
        ("atom.shared.add.u32 %v, [%b]", 32),
        ("atom.shared.add.u32 %v, [%row]", 1),
        // Eight rows of 16 bytes side by side, and four times eight rows that begin in one bank.
        ("ldmatrix.sync.aligned.m8n8.x1", 1),
        ("ldmatrix.sync.aligned.m8n8.x4", 32),
    ] {
        assert_eq!(of(&report, &text, part).bank_passes, passes, "{part}");
    }
}

#[test]
fn copies_count_for_both_memories() {
    let text = kernel(
        ".param .u64 x",
        ".shared .align 16 .b8 s[1024];
         .reg .b32 %i, %b; .reg .b64 %x, %w;
         ld.param.u64 %x, [x];
         mov.u32 %i, %tid.x;
         mov.u32 %b, s;
         mad.lo.u32 %b, %i, 16, %b;
         mul.wide.u32 %w, %i, 16; add.u64 %x, %x, %w;
         cp.async.cg.shared.global [%b], [%x], 16;
         cp.async.cg.shared.global [%b+0], [%x], 16, 0;
         cp.async.wait_all;",
    );
    let report = counted(&text, 1, 32);
    let counts = of(&report, &text, "[%b], [%x], 16;");
    assert_eq!((counts.sectors, counts.bank_passes), (16, 4));
    // Nothing is read, and zeros are written.
    let counts = of(&report, &text, "[%b+0]");
    assert_eq!((counts.sectors, counts.bank_passes), (0, 4));
}

#[test]
fn local_accesses_are_those_of_variables_and_not_of_arguments() {
    let text = format!(
        "{HEAD}.func (.param .b32 r) f(.param .b32 a)
{{
.reg .b32 %v;
ld.param.b32 %v, [a];
add.u32 %v, %v, 1;
st.param.b32 [r], %v;
ret;
}}
.visible .entry k(.param .u64 x)
{{
.local .align 4 .b8 depot[64];
.reg .b32 %i, %v; .reg .b64 %l, %g;
mov.u32 %i, %tid.x;
{{
.param .b32 a;
.param .b32 r;
st.param.b32 [a], %i;
call (r), f, (a);
ld.param.b32 %v, [r];
}}
and.b32 %i, %i, 15;
mul.wide.u32 %l, %i, 4;
mov.u64 %g, depot;
add.u64 %l, %l, %g;
st.local.u32 [%l], %v;
cvta.local.u64 %g, %l;
ld.u32 %v, [%g];
ret;
}}
"
    );
    let report = counted(&text, 1, 64);
    let mut local: BTreeMap<&str, u64> = BTreeMap::new();
    for (line, number) in text.lines().zip(1..) {
        let counts = report.lines.get(&number).copied().unwrap_or_default();
        assert_eq!((counts.sectors, counts.bank_passes), (0, 0), "{line}");
        local.extend((counts.local_accesses > 0).then_some((line, counts.local_accesses)));
    }
    assert_eq!(local, BTreeMap::from([("st.local.u32 [%l], %v;", 2), ("ld.u32 %v, [%g];", 2)]));
    // A function's lines count too.
    assert_eq!(of(&report, &text, "add.u32 %v, %v, 1").warp_instructions, 2);
}

#[test]
fn nothing_is_counted_unless_it_is_asked_for() {
    let text = kernel("", "");
    let report = run(&Device::new(), &text, &Launch::new([1, 1, 1], [32, 1, 1], &[])).unwrap();
    assert_eq!((report.warp_instructions, report.lines.len()), (1, 0));
}
