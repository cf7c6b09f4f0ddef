//! `cp.async.bulk` and `mbarrier`: what is copied, when it is seen, and what is found where it isn't waited for.

use gridwright_emulator::{Device, Finding, FindingKind, Launch, LaunchError, Module, Report};

use crate::harness::{Parameters, download, fault, kernel, run, upload};

/// Threads of the one group.
const THREADS: u32 = 64;

/// Runs a body in which `%rd1` is the address of `x`, which has 1, 2, 3 … in 256 words, `%r1` that of a tile of 1024 bytes, `%r8` that of
/// a place for a barrier, `%p0` says that this is thread 0, and `%r3` is the address of the thread's word of the tile. The thread's result
/// is `%r5`.
fn launch(body: &str) -> (Result<Report, LaunchError>, Vec<u32>) {
    let device = Device::new();
    let words: Vec<u32> = (1..=256).collect();
    let x = upload(&device, &words, u32::to_le_bytes);
    let y = upload(&device, &[0; THREADS as usize], u32::to_le_bytes);
    let parameters = Parameters::default().wide(x).wide(y).0;
    let body = format!(
        ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<4>; .shared .align 16 .b8 tile[1024];
         .shared .align 8 .b64 barrier; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r0, %tid.x;
         mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd4, %rd2; mov.u32 %r1, tile; mov.u32 %r8, barrier;
         setp.eq.u32 %p0, %r0, 0; shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r1; mov.u32 %r5, 0;
         {body}\nst.global.u32 [%rd4], %r5;"
    );
    let text = kernel(".param .u64 x, .param .u64 y", &body);
    let result = run(&device, &text, &Launch::new([1, 1, 1], [THREADS, 1, 1], &parameters));
    (result, download(&device, y, THREADS as usize, u32::from_le_bytes))
}

fn findings(body: &str) -> Vec<Finding> {
    launch(body).0.unwrap().findings
}

fn names(body: &str) -> Vec<&'static str> {
    findings(body).iter().map(|finding| finding.kind.name()).collect()
}

fn results(body: &str) -> Vec<u32> {
    let (report, results) = launch(body);
    let findings = report.unwrap().findings;
    assert!(findings.is_empty(), "{findings:?}\n{body}");
    results
}

fn of_threads(value: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..THREADS).map(value).collect()
}

/// Thread 0 initialises the barrier.
const BEGIN: &str = "@%p0 mbarrier.init.shared.b64 [%r8], 1;\n@%p0 fence.proxy.async;\nbar.sync 0;\n";
/// Thread 0 begins a copy of 256 bytes.
const COPY: &str = "@%p0 mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r8], 256;
    @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 256, [%r8];\n";

/// All wait for a phase of a parity.
fn wait(parity: u32) -> String {
    format!(
        "WAIT{parity}: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r8], {parity};\n@!%p1 bra WAIT{parity};\n"
    )
}

const READ: &str = "ld.shared.u32 %r5, [%r3];\n";

#[test]
fn all_who_wait_see_what_was_copied() {
    assert_eq!(results(&format!("{BEGIN}{COPY}{}{READ}", wait(0))), of_threads(|thread| 1 + thread));
    // Who waited for, and tells the others by a barrier.
    let alone = format!("{BEGIN}{COPY}@!%p0 bra ON;\n{}ON: bar.sync 0;\n{READ}", wait(0));
    assert_eq!(results(&alone), of_threads(|thread| 1 + thread));
    // By the number of the phase, which the arrival gave.
    let by_state = "mbarrier.init.shared.b64 [%r8], 64;\nbar.sync 0;\n".to_owned();
    let by_state = by_state.replace("mbarrier", "@%p0 mbarrier")
        + "@%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [%r8], 256;
           @%p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r1], [%rd1], 256, [%r8], %rd1;
           mbarrier.arrive.shared.b64 %rd5, [%r8];
           WAIT: mbarrier.test_wait.shared.b64 %p1, [%r8], %rd5;\n@!%p1 bra WAIT;\n"
        + READ;
    assert_eq!(results(&by_state), of_threads(|thread| 1 + thread));
}

#[test]
fn a_barrier_is_used_for_one_phase_after_another() {
    let second = COPY.replace("[%rd1]", "[%rd1+512]");
    let both = format!(
        "{BEGIN}{COPY}{}{READ}bar.sync 0;\n{second}{}add.u32 %r7, %r5, 0;\n{READ}add.u32 %r5, %r5, %r7;\n",
        wait(0),
        wait(1)
    );
    assert_eq!(results(&both), of_threads(|thread| 1 + thread + 129 + thread));
    // It goes, and another one is made in its place.
    let again = format!(
        "{BEGIN}{COPY}{}bar.sync 0;\n@%p0 mbarrier.inval.shared.b64 [%r8];\n{BEGIN}{second}{}{READ}",
        wait(0),
        wait(0).replace("WAIT0", "AGAIN")
    );
    assert_eq!(results(&again), of_threads(|thread| 129 + thread));
}

#[test]
fn without_bytes_arrivals_alone_complete_a_phase() {
    let exchange = "@%p0 mbarrier.init.shared.b64 [%r8], 64;\nbar.sync 0;\nst.shared.u32 [%r3], %r0;\n
        mbarrier.arrive.shared.b64 %rd5, [%r8];\nxor.b32 %r6, %r3, 128;\n";
    let read = "ld.shared.u32 %r5, [%r6];\n";
    assert_eq!(results(&format!("{exchange}{}{read}", wait(0))), of_threads(|thread| thread ^ 32));
    assert!(names(&format!("{exchange}{read}")).contains(&"race"));
    // Two arrivals of each thread, at once or not.
    let double = exchange
        .replace("64;", "128;")
        .replace("arrive.shared.b64 %rd5, [%r8];", "arrive.shared.b64 _, [%r8], 2;");
    assert_eq!(results(&format!("{double}{}{read}", wait(0))), of_threads(|thread| thread ^ 32));
}

#[test]
fn reads_that_do_not_wait_are_found() {
    let early = names(&format!("{BEGIN}{COPY}{READ}{}", wait(0)));
    assert!(early.contains(&"uninitialised"), "{early:?}");
    // A barrier of the group isn't one of the copy.
    assert!(names(&format!("{BEGIN}{COPY}bar.sync 0;\n{READ}{}", wait(0))).contains(&"uninitialised"));
    // One look isn't enough.
    let once = "mbarrier.try_wait.parity.shared.b64 %p1, [%r8], 0;\n";
    assert!(names(&format!("{BEGIN}{COPY}{once}{READ}{}", wait(0))).contains(&"uninitialised"));
    // The phase before is complete, for whoever asks while this one isn't.
    let first_warp = "setp.ge.u32 %p2, %r0, 32;\n@%p2 bra ON;\n";
    let wrong = format!("{BEGIN}{COPY}{first_warp}{}{READ}ON: {}", wait(1), wait(0));
    assert!(names(&wrong).contains(&"uninitialised"));
    // The second warp doesn't wait, and comes late enough to read what is there.
    let unordered = format!("{BEGIN}{COPY}{first_warp}{}ON: {READ}", wait(0));
    assert_eq!(names(&unordered), ["race"]);
}

#[test]
fn writes_under_a_copy_are_found() {
    let write = "st.shared.u32 [%r3], %r0;\n";
    // In front of it, in another warp, with no barrier between them.
    let before = format!("{BEGIN}{write}{COPY}{}", wait(0));
    assert!(names(&before).contains(&"race"), "{:?}", findings(&before));
    assert_eq!(names(&format!("{BEGIN}{write}bar.sync 0;\n{COPY}{}", wait(0))), [""; 0]);
    // While it runs.
    assert!(names(&format!("{BEGIN}{COPY}{write}{}", wait(0))).contains(&"race"));
}

#[test]
fn a_copy_that_nobody_waits_for_is_found() {
    let [finding] = &findings(&format!("{BEGIN}{COPY}"))[..] else { panic!() };
    assert!(matches!(finding.kind, FindingKind::CopyOutlivesGroup { bytes: 256 }), "{finding}");
    assert_eq!(finding.thread, [0, 0, 0]);
    assert!(finding.to_string().contains("a copy of 256 bytes"), "{finding}");
}

#[test]
fn addresses_and_sizes_of_a_copy_are_checked() {
    let copy = |from: &str, to: &str| format!("{BEGIN}{}{}", COPY.replace(from, to), wait(0));
    for (body, kind) in [
        (copy("[%rd1]", "[%rd1+784]"), "out of bounds"),
        (copy("[%r1]", "[%r1+1024]"), "out of bounds"),
        (copy("[%rd1]", "[%rd1+8]"), "misaligned"),
        (copy("[%r1]", "[%r1+8]"), "misaligned"),
        (copy("256, [%r8]", "248, [%r8]"), "misused mbarrier"),
    ] {
        assert_eq!(fault(launch(&body).0).kind.name(), kind, "{body}");
    }
    // None at all.
    assert_eq!(results(&copy("256", "0")), of_threads(|_| 0));
}

#[test]
fn misused_barriers_end_the_launch() {
    let arrive = "mbarrier.arrive.shared.b64 _, [%r8];\n";
    for (body, problem) in [
        (format!("@%p0 {arrive}"), "wasn't initialised"),
        (format!("@%p0 mbarrier.inval.shared.b64 [%r8];\n{arrive}"), "wasn't initialised"),
        (wait(0), "wasn't initialised"),
        (format!("{BEGIN}{BEGIN}"), "initialised already"),
        (BEGIN.replace(", 1;", ", 0;"), "counts no arrivals"),
        (BEGIN.replace(", 1;", ", 1048576;"), "counts no arrivals"),
        (format!("{BEGIN}mbarrier.arrive.shared.b64 _, [%r8], 2;"), "more threads arrive"),
        (format!("{BEGIN}@%p0 mbarrier.expect_tx.shared.b64 [%r8], 1048576;"), "1048575 bytes"),
        (format!("{BEGIN}{COPY}@%p0 mbarrier.inval.shared.b64 [%r8];"), "on its way"),
    ] {
        let finding = fault(launch(&body).0);
        assert!(
            finding.kind.name() == "misused mbarrier" && finding.to_string().contains(problem),
            "{finding}\n{body}"
        );
    }
    // More bytes than come.
    let waits = format!("{BEGIN}{}{}", COPY.replace("_, [%r8], 256", "_, [%r8], 512"), wait(0));
    assert_eq!(fault(launch_with_limit(&waits)).kind.name(), "instruction limit");
}

/// Launches a kernel of this body for few instructions.
fn launch_with_limit(body: &str) -> Result<Report, LaunchError> {
    let body = format!(
        ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<4>; .shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 barrier;
         ld.param.u64 %rd1, [x]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r8, barrier; setp.eq.u32 %p0, %r0, 0;\n{body}"
    );
    let device = Device::new();
    let x = upload(&device, &[1_u32; 256], u32::to_le_bytes);
    let parameters = Parameters::default().wide(x).0;
    let mut launch = Launch::new([1, 1, 1], [THREADS, 1, 1], &parameters);
    launch.instruction_limit = 10_000;
    run(&device, &kernel(".param .u64 x", &body), &launch)
}

#[test]
fn other_forms_are_refused() {
    for form in [
        "mbarrier.try_wait.shared.b64 %p1, [%r1];",
        "cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16, [%r1];",
    ] {
        let text = kernel("", &format!(".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<3>;\n{form}"));
        let error = Module::parse(&text).unwrap_err();
        assert!(error.to_string().contains("isn't understood"), "{form}: {error}");
    }
}
