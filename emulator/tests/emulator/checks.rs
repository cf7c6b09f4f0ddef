//! Each check: a kernel that it finds something in, and a near twin in which it finds nothing.

use gridwright_emulator::{Checks, Device, Finding, FindingKind, Launch, Module, Report, Space};

use crate::harness::{Parameters, download, fault, kernel, run, upload};

const REGISTERS: &str = ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<4>; .reg .b16 %h<3>;
    .shared .align 16 .b8 tile[512];
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 4; cvt.u32.u64 %r9, %rd0; mov.u32 %r8, tile; add.u32 %r8, %r8, %r9;\n";

/// Runs a body with 64 threads in one group, and a parameter `x`: 256 bytes that were written.
fn launch(body: &str) -> Result<Report, gridwright_emulator::LaunchError> {
    grid(body, 1)
}

fn grid(body: &str, groups: u32) -> Result<Report, gridwright_emulator::LaunchError> {
    let device = Device::new();
    let x = upload(&device, &[1_u32; 64], u32::to_le_bytes);
    let parameters = Parameters::default().wide(x).0;
    let body = format!("{REGISTERS}ld.param.u64 %rd1, [x]; add.u64 %rd2, %rd1, %rd0;\n{body}");
    let text = kernel(".param .u64 x", &body);
    run(&device, &text, &Launch::new([groups, 1, 1], [64, 1, 1], &parameters))
}

fn findings(body: &str) -> Vec<Finding> {
    launch(body).unwrap().findings
}

fn names(found: &[Finding]) -> Vec<&'static str> {
    found.iter().map(|finding| finding.kind.name()).collect()
}

#[test]
fn accesses_behind_the_end_of_an_allocation() {
    let finding = fault(launch("ld.global.u32 %r1, [%rd2+4];"));
    let FindingKind::OutOfBounds(access) = &finding.kind else { panic!("{finding}") };
    assert_eq!((finding.thread, access.size, access.space), ([63, 0, 0], 4, Space::Global));
    let nearest = access.nearest.as_ref().unwrap();
    assert_eq!((nearest.bytes, access.address - nearest.address), (256, 256));
    assert!(finding.to_string().contains("0 bytes behind the end of the 256"), "{finding}");
    assert!(launch("ld.global.u32 %r1, [%rd2];").is_ok());
}

#[test]
fn accesses_behind_the_end_of_workgroup_memory() {
    let finding = fault(launch("st.shared.u32 [%r8+260], %r0;"));
    assert_eq!(finding.kind.name(), "out of bounds");
    assert_eq!(finding.thread, [63, 0, 0]);
    assert!(findings("st.shared.u32 [%r8+256], %r0;").is_empty());
}

#[test]
fn misaligned_accesses() {
    for body in [
        "ld.global.u32 %r1, [%rd1+2];",
        "ld.shared.u64 %rd3, [tile+4];",
        "ld.global.v2.u32 {%r1, %r2}, [%rd1+4];",
    ] {
        assert_eq!(fault(launch(body)).kind.name(), "misaligned", "{body}");
    }
    assert!(launch("ld.global.v2.u32 {%r1, %r2}, [%rd1+8]; ld.global.u16 %h1, [%rd1+2];").is_ok());
}

#[test]
fn freed_memory() {
    let device = Device::new();
    let text = kernel(
        ".param .u64 x",
        ".reg .b64 %rd1; .reg .b32 %r1; ld.param.u64 %rd1, [x]; ld.global.u32 %r1, [%rd1];",
    );
    let x = upload(&device, &[1_u32; 4], u32::to_le_bytes);
    let parameters = Parameters::default().wide(x).0;
    let launch = Launch::new([1, 1, 1], [1, 1, 1], &parameters);
    assert!(run(&device, &text, &launch).is_ok());
    device.free(x).unwrap();
    assert_eq!(fault(run(&device, &text, &launch)).kind.name(), "use after free");
}

#[test]
fn constants_are_not_written() {
    let text = kernel("", ".reg .b64 %rd1; mov.u64 %rd1, table; st.global.u32 [%rd1], 1;")
        .replace(".visible .entry", ".const .align 4 .u32 table[2] = {1, 2};\n.visible .entry");
    let finding = fault(run(&Device::new(), &text, &Launch::new([1, 1, 1], [1, 1, 1], &[])));
    assert_eq!(finding.kind.name(), "write to constants");
    assert!(finding.to_string().contains("`table`"), "{finding}");
}

#[test]
fn uninitialised_workgroup_memory() {
    let found = findings("ld.shared.u32 %r1, [%r8]; st.global.u32 [%rd2], %r1;");
    assert_eq!(names(&found), ["uninitialised"]);
    assert_eq!(found[0].count, 64);
    assert!(findings("st.shared.u32 [%r8], 1; ld.shared.u32 %r1, [%r8];").is_empty());
    let half =
        "st.shared.u16 [%r8], 1; ld.shared.u32 %r1, [%r8]; setp.eq.u32 %p1, %r1, 5; @%p1 bra END; END:";
    assert_eq!(names(&findings(half)), ["uninitialised"]);
    assert!(findings("ld.shared.u32 %r1, [%r8];").is_empty(), "its value doesn't matter");
}

#[test]
fn uninitialised_device_memory() {
    let device = Device::new();
    let text = kernel(
        ".param .u64 x",
        ".reg .b64 %rd1; .reg .b32 %r1; .reg .pred %p1; ld.param.u64 %rd1, [x]; ld.global.u32 %r1, [%rd1+4];
         setp.eq.u32 %p1, %r1, 5; @%p1 bra END; END:",
    );
    let x = device.alloc(64).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let launch = Launch::new([1, 1, 1], [1, 1, 1], &parameters);
    let found = |device: &Device| names(&run(device, &text, &launch).unwrap().findings);
    assert_eq!(found(&device), ["uninitialised"]);
    device.write(x, &[0; 7]).unwrap();
    assert_eq!(found(&device), ["uninitialised"]);
    device.write(x + 7, &[0]).unwrap();
    assert!(found(&device).is_empty());
    device.mark_initialised(x + 6, 1, false).unwrap();
    assert_eq!(found(&device), ["uninitialised"]);
    let write = kernel(".param .u64 x", ".reg .b64 %rd1; ld.param.u64 %rd1, [x]; st.global.u32 [%rd1+4], 0;");
    run(&device, &write, &launch).unwrap();
    assert!(found(&device).is_empty());
}

#[test]
fn a_copy_is_initialised_where_its_source_is() {
    let device = Device::new();
    let text = kernel(
        ".param .u64 x, .param .u32 at",
        ".reg .b64 %rd1; .reg .b32 %r1; .reg .b16 %h1; ld.param.u64 %rd1, [x]; ld.param.u32 %r1, [at];
         .reg .b64 %rd2; cvt.u64.u32 %rd2, %r1; add.u64 %rd1, %rd1, %rd2; ld.global.u8 %h1, [%rd1];
         .reg .pred %p1; setp.eq.u16 %p1, %h1, 5; @%p1 bra END; END:",
    );
    let [x, y] = [(); 2].map(|()| device.alloc(300).unwrap());
    device.write(y, &[1; 300]).unwrap();
    let is_found = |address: u64, at: u32| {
        let parameters = Parameters::default().wide(address).narrow(at).0;
        let launch = Launch::new([1, 1, 1], [1, 1, 1], &parameters);
        !run(&device, &text, &launch).unwrap().findings.is_empty()
    };
    for (start, len) in [(3, 60), (70, 1), (127, 2), (192, 64), (299, 1)] {
        device.write(x + start, &vec![2; len]).unwrap();
    }
    // Behind the first byte, so that words of bits aren't copied whole.
    device.copy(x, y + 1, 299).unwrap();
    assert!(!is_found(y, 0));
    for at in 0..299 {
        assert_eq!(is_found(y, at + 1), is_found(x, at), "{at}");
    }
    // Onto itself.
    device.copy(y + 1, y, 299).unwrap();
    assert!((0..299).all(|at| is_found(y, at) == is_found(x, at)));
    device.fill(x, &[0], 300).unwrap();
    device.copy(x, y, 300).unwrap();
    assert!((0..300).all(|at| !is_found(y, at)));
}

/// Each thread reads what its right neighbour wrote.
#[test]
fn races_in_workgroup_memory() {
    let exchange = |between: &str| {
        format!(
            "st.shared.u32 [%r8], %r0; st.shared.u32 [%r8+256], %r0;\n{between}\nxor.b32 %r2, %r8, 4;\nld.shared.u32 %r1, [%r2];"
        )
    };
    let found = findings(&exchange(""));
    assert_eq!(names(&found), ["race"]);
    let FindingKind::Race { other, access, .. } = &found[0].kind else { panic!() };
    assert!(other.is_write && !access.is_write && found[0].line > other.line);
    assert_ne!(other.thread, found[0].thread);
    assert!(findings(&exchange("bar.sync 0;")).is_empty());
    // Both are in one warp.
    assert!(findings(&exchange("bar.warp.sync -1;")).is_empty());
    // A part of a warp isn't all of it.
    let partial = "setp.lt.u32 %p1, %r0, 32; and.b32 %r3, %r0, 31; setp.lt.and.u32 %p1, %r3, 16, %p1;\n@%p1 bar.warp.sync 0xffff;";
    assert_eq!(names(&findings(&exchange(partial))), ["race"]);
}

#[test]
fn two_warps_are_not_ordered_by_a_barrier_of_one() {
    let body = "setp.ge.u32 %p1, %r0, 32; @%p1 bra READ;
        st.shared.u32 [%r8], 1; bar.warp.sync -1; bra END;
        READ: ld.shared.u32 %r1, [%r8+-128]; END:";
    assert!(names(&findings(body)).contains(&"race"));
    let named = "setp.ge.u32 %p1, %r0, 32; @%p1 bra READ;
        st.shared.u32 [%r8], 1; bar.arrive 1, 64; bra END;
        READ: bar.sync 1, 64; ld.shared.u32 %r1, [%r8+-128]; END:";
    assert!(findings(named).is_empty(), "{:?}", findings(named));
}

#[test]
fn bytes_next_to_each_other_do_not_race() {
    let own = "mov.u32 %r3, tile; add.u32 %r3, %r3, %r0; mov.b16 %h1, 1; st.shared.u8 [%r3], %h1;";
    assert!(findings(own).is_empty());
    let overlapping = "mov.u32 %r3, tile; shr.u32 %r4, %r0, 1; add.u32 %r3, %r3, %r4; mov.b16 %h1, 1; st.shared.u8 [%r3], %h1;";
    assert_eq!(names(&findings(overlapping)), ["race"]);
}

#[test]
fn races_in_device_memory() {
    let found = grid("st.global.u32 [%rd2], %r0;", 2).unwrap().findings;
    assert_eq!(names(&found), ["race"]);
    let FindingKind::Race { other, .. } = &found[0].kind else { panic!() };
    assert_ne!(other.group, found[0].group);
    assert!(grid("st.global.u32 [%rd2], %r0;", 1).unwrap().findings.is_empty());
    assert!(grid("ld.global.u32 %r1, [%rd2];", 2).unwrap().findings.is_empty());
    assert!(grid("red.global.add.u32 [%rd2], 1;", 2).unwrap().findings.is_empty());
    assert_eq!(
        names(&grid("red.global.add.u32 [%rd2], 1; ld.global.u32 %r1, [%rd2];", 2).unwrap().findings),
        ["race"]
    );
}

/// Groups leave a value each; the one that counts to the end reads them all.
#[test]
fn the_last_group_may_read_what_others_fenced() {
    let body = |fence: &str| {
        format!(
            "mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd3, %rd1;
             setp.ne.u32 %p1, %r0, 0; @%p1 bra END;
             st.global.u32 [%rd3+128], %r1; {fence}
             atom.global.add.u32 %r2, [%rd1], 1;
             setp.ne.u32 %p2, %r2, 8; @%p2 bra END;
             ld.global.u32 %r3, [%rd1+128]; ld.global.u32 %r4, [%rd1+132]; ld.global.u32 %r5, [%rd1+156];
             END:"
        )
    };
    let fenced = grid(&body("membar.gl;"), 8).unwrap().findings;
    assert!(fenced.is_empty(), "{fenced:?}");
    assert!(names(&grid(&body(""), 8).unwrap().findings).contains(&"race"));
    assert!(names(&grid(&body("membar.cta;"), 8).unwrap().findings).contains(&"race"));
}

#[test]
fn barriers_in_divergent_code() {
    let divergent = "setp.lt.u32 %p1, %r0, 7; @%p1 bra FEW; bar.sync 0; bra END; FEW: bar.sync 0; END:";
    assert_eq!(names(&findings(divergent)), ["divergent barrier"]);
    let by_warp = "setp.lt.u32 %p1, %r0, 32; @%p1 bra FEW; bar.sync 0; bra END; FEW: bar.sync 0; END:";
    assert!(findings(by_warp).is_empty());
    let unaligned = divergent.replace("bar.sync", "barrier.sync");
    assert!(findings(&unaligned).is_empty());
    let exits = "setp.lt.u32 %p1, %r0, 7; @%p1 exit; bar.sync 0;";
    assert!(findings(exits).is_empty(), "who has exited isn't waited for");
    let counted = "setp.lt.u32 %p1, %r0, 32; @%p1 exit; bar.sync 0, 64;";
    assert_eq!(fault(launch(counted)).kind.name(), "deadlock", "a number of threads is more than there are");
}

#[test]
fn threads_that_wait_for_ever() {
    let body = "setp.lt.u32 %p1, %r0, 7; @%p1 bra FEW; bar.sync 0; bra END; FEW: bar.sync 1; END:";
    let finding = fault(launch(body));
    let FindingKind::Deadlock { waiting } = &finding.kind else { panic!("{finding}") };
    assert_eq!(waiting.iter().map(|(_, threads)| threads).sum::<u32>(), 64);
    let shuffle = "setp.lt.u32 %p1, %r0, 7; @%p1 bra FEW; shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; bra END; FEW: bar.sync 1; END:";
    assert_eq!(fault(launch(shuffle)).kind.name(), "deadlock");
}

/// PTX ISA: all of them wait for the members that haven't exited, and work on those.
#[test]
fn masks_may_name_lanes_that_have_exited() {
    for (operation, results) in [
        ("bar.warp.sync -1; mov.u32 %r2, 7;", [7, 7]),
        ("vote.sync.all.pred %p2, 1, -1; selp.u32 %r2, 1, 0, %p2;", [1, 1]),
        ("vote.sync.uni.pred %p2, 1, -1; selp.u32 %r2, 1, 0, %p2;", [1, 1]),
        ("vote.sync.ballot.b32 %r2, 1, -1;", [0xffff_fffe, 0xffff_fffe]),
        ("match.any.sync.b32 %r2, 5, -1;", [0xffff_fffe, 0xffff_fffe]),
        ("match.all.sync.b32 %r2, 5, -1;", [0xffff_fffe, 0xffff_fffe]),
        ("redux.sync.add.s32 %r2, 1, -1;", [31, 31]),
        ("redux.sync.min.u32 %r2, %r0, -1;", [1, 1]),
        ("elect.sync %r2|%p2, -1;", [1, 1]),
        ("activemask.b32 %r2;", [0xffff_fffe, 0xffff_fffe]),
        ("shfl.sync.down.b32 %r2, %r0, 1, 31, -1;", [2, 3]),
        ("shfl.sync.idx.b32 %r2, %r0, 9, 31, -1;", [9, 9]),
    ] {
        let device = Device::new();
        let x = upload(&device, &[0_u32; 32], u32::to_le_bytes);
        let parameters = Parameters::default().wide(x).0;
        let body = format!(
            "{REGISTERS}ld.param.u64 %rd1, [x]; add.u64 %rd2, %rd1, %rd0;
             setp.eq.u32 %p1, %r0, 0; @%p1 exit;\n{operation}\nst.global.u32 [%rd2], %r2;"
        );
        let launch = Launch::new([1, 1, 1], [32, 1, 1], &parameters);
        let report = run(&device, &kernel(".param .u64 x", &body), &launch).unwrap();
        assert!(report.findings.is_empty(), "{operation}: {:?}", report.findings);
        let words = download(&device, x, 3, u32::from_le_bytes);
        assert_eq!(words[1..], results, "{operation}");
    }
    let from_an_exited_one = "setp.eq.u32 %p1, %r0, 0; @%p1 exit; shfl.sync.up.b32 %r2, %r0, 1, 0, -1;";
    let found = findings(from_an_exited_one);
    assert!(
        matches!(
            found.as_slice(),
            [Finding { kind: FindingKind::InactiveSource { lane: 0 }, thread: [1, 0, 0], .. }]
        ),
        "{found:?}"
    );
}

#[test]
fn members_that_are_wrong() {
    let exited = "setp.lt.u32 %p1, %r0, 7; @%p1 exit; shfl.sync.idx.b32 %r1, %r0, 9, 31, -1;";
    assert!(findings(exited).is_empty());
    assert_eq!(names(&findings(&exited.replace(", 9,", ", 5,"))), ["inactive source"]);
    assert!(findings("shfl.sync.idx.b32 %r1, %r0, 9, 31, -1;").is_empty());
    assert_eq!(names(&findings("vote.sync.any.pred %p1, %p2, 0xffff;")), ["not a member"]);
    let half = "and.b32 %r2, %r0, 31; setp.lt.u32 %p1, %r2, 16; @!%p1 bra END; shfl.sync.idx.b32 %r1, %r0, 20, 31, 0xffff; END:";
    assert_eq!(names(&findings(half)), ["inactive source"]);
    assert!(findings(&half.replace("20,", "2,")).is_empty());
}

#[test]
fn divisions_by_zero() {
    assert_eq!(names(&findings("div.u32 %r1, 5, %r0; st.global.u32 [%rd2], %r1;")), ["division by zero"]);
    assert!(findings("add.u32 %r0, %r0, 1; rem.s32 %r1, 5, %r0; st.global.u32 [%rd2], %r1;").is_empty());
}

#[test]
fn switches_are_independent() {
    let device = Device::new();
    let body = format!(
        "{REGISTERS}div.u32 %r1, 5, %r0; setp.eq.u32 %p0, %r1, 5; @%p0 bra END; END: ld.shared.u32 %r1, [tile]; setp.eq.u32 %p0, %r1, 5; @%p0 bra LAST; LAST: st.shared.u32 [tile], %r0;"
    );
    let text = kernel("", &body);
    let all = |checks: Checks| {
        let mut launch = Launch::new([1, 1, 1], [64, 1, 1], &[]);
        launch.checks = checks;
        let mut names = names(&run(&device, &text, &launch).unwrap().findings);
        names.dedup();
        names
    };
    assert!(all(Checks::NONE).is_empty());
    assert_eq!(all(Checks { division: true, ..Checks::NONE }), ["division by zero"]);
    assert_eq!(all(Checks { workgroup_races: true, ..Checks::NONE }), ["race"]);
    assert_eq!(all(Checks { uninitialised_workgroup: true, ..Checks::NONE }), ["uninitialised"]);
}

#[test]
fn findings_say_where_the_source_is() {
    let text = format!(
        "{}\n.file 1 \"src/kernel.rs\"\n",
        kernel(
            "",
            ".reg .b32 %r1; .reg .pred %p1; .shared .u32 word;\n.loc 1 12 5\nld.shared.u32 %r1, [word];\nsetp.eq.u32 %p1, %r1, 5; @%p1 bra END; END:"
        )
    );
    let found = run(&Device::new(), &text, &Launch::new([1, 1, 1], [1, 1, 1], &[])).unwrap().findings;
    assert!(found[0].to_string().contains("(src/kernel.rs:12:5)"), "{}", found[0]);
    let line = text.lines().position(|line| line.contains("ld.shared")).unwrap() + 1;
    assert_eq!(found[0].line as usize, line);
}

#[test]
fn findings_are_bounded_and_counted() {
    let loads = "ld.shared.u32 %r1, [tile]; setp.eq.u32 %p1, %r1, 5; @%p1 add.u32 %r2, %r2, 1; @%p1 st.shared.u32 [tile+4], %r0;\n".repeat(20);
    let module = Module::parse(&kernel("", &format!("{REGISTERS}{loads}"))).unwrap();
    let device = Device::new();
    let mut launch = Launch::new([1, 1, 1], [64, 1, 1], &[]);
    launch.most_findings = 5;
    let report = device.launch(&device.load(&module).unwrap(), "k", &launch).unwrap();
    assert_eq!(report.findings.len(), 5);
    assert_eq!(report.total_findings, 20 * 64);
}
