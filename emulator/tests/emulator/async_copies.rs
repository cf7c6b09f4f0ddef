//! `cp.async`: what is copied, when it is seen, and what is found where it isn't waited for.

use gridwright_emulator::{Device, Finding, FindingKind, Launch, LaunchError, Module, Report};

use crate::harness::{Parameters, download, fault, kernel, run, upload};

/// Threads of the one group.
const THREADS: u32 = 64;

/// Runs a body in which `%rd3` is the address of the thread's 16 bytes of `x`, which has 1, 2, 3 … in words, `%r1` that of its 16
/// bytes of a tile, and `%rd4` that of its word of `y`.
fn launch(body: &str) -> (Result<Report, LaunchError>, Vec<u32>) {
    let device = Device::new();
    let words: Vec<u32> = (1..=THREADS * 4).collect();
    let x = upload(&device, &words, u32::to_le_bytes);
    let y = upload(&device, &[0; THREADS as usize], u32::to_le_bytes);
    let parameters = Parameters::default().wide(x).wide(y).0;
    let body = format!(
        ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<3>; .shared .align 16 .b8 tile[1024];
         ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r0, %tid.x;
         mul.wide.u32 %rd3, %r0, 16; add.u64 %rd3, %rd3, %rd1; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd4, %rd2;
         shl.b32 %r1, %r0, 4; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;\n{body}\nst.global.u32 [%rd4], %r5;"
    );
    let text = kernel(".param .u64 x, .param .u64 y", &body);
    let result = run(&device, &text, &Launch::new([1, 1, 1], [THREADS, 1, 1], &parameters));
    (result, download(&device, y, THREADS as usize, u32::from_le_bytes))
}

fn results(body: &str) -> Vec<u32> {
    let (report, results) = launch(body);
    let findings = report.unwrap().findings;
    assert!(findings.is_empty(), "{findings:?}\n{body}");
    results
}

fn findings(body: &str) -> Vec<Finding> {
    launch(body).0.unwrap().findings
}

fn of_threads(value: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..THREADS).map(value).collect()
}

#[test]
fn copies_of_each_size_come_with_what_is_beyond_the_source_zeroed() {
    let copy = |form: &str, word: u32| {
        results(&format!(
            "st.shared.v4.u32 [%r1], {{9, 9, 9, 9}};\n{form};\ncp.async.wait_all;\nld.shared.u32 %r5, [%r1+{}];",
            4 * word
        ))
    };
    for (form, words) in [
        ("cp.async.ca.shared.global [%r1], [%rd3], 4", [Some(1), None, None, None]),
        ("cp.async.ca.shared::cta.global.L2::128B [%r1], [%rd3], 8", [Some(1), Some(2), None, None]),
        ("cp.async.cg.shared.global [%r1], [%rd3], 16", [Some(1), Some(2), Some(3), Some(4)]),
        (
            "cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd3], 16, %rd1",
            [Some(1), Some(2), Some(3), Some(4)],
        ),
        ("cp.async.cg.shared.global [%r1], [%rd3], 16, 8", [Some(1), Some(2), Some(0), Some(0)]),
        ("mov.u32 %r6, 0; cp.async.ca.shared.global [%r1], [0], 8, %r6", [Some(0), Some(0), None, None]),
        (
            "setp.ge.u32 %p1, %r0, 0; cp.async.ca.shared.global [%r1], [0], 4, %p1",
            [Some(0), None, None, None],
        ),
        (
            "setp.lt.u32 %p1, %r0, 0; cp.async.ca.shared.global [%r1], [%rd3], 4, %p1",
            [Some(1), None, None, None],
        ),
    ] {
        for (word, expected) in words.into_iter().enumerate() {
            let expected = of_threads(|thread| match expected {
                None => 9,
                Some(0) => 0,
                Some(first) => first + 4 * thread,
            });
            assert_eq!(copy(form, word as u32), expected, "{form}, {word}");
        }
    }
    // A part of a word.
    let first = copy("cp.async.ca.shared.global [%r1], [%rd3], 4, 1", 0);
    assert_eq!(first, of_threads(|thread| (1 + 4 * thread) & 0xff));
}

/// Two groups of copies, of which the first is waited for.
const TWO: &str = "cp.async.ca.shared.global [%r1], [%rd3], 4;\ncp.async.commit_group;
    cp.async.ca.shared.global [%r1+4], [%rd3+4], 4;\ncp.async.commit_group;\ncp.async.wait_group 1;\n";

#[test]
fn groups_end_in_order() {
    assert_eq!(results(&format!("{TWO}ld.shared.u32 %r5, [%r1];")), of_threads(|thread| 1 + 4 * thread));
    let both = format!("{TWO}cp.async.wait_group 0;\nld.shared.u32 %r5, [%r1+4];");
    assert_eq!(results(&both), of_threads(|thread| 2 + 4 * thread));
    let early = findings(&format!("{TWO}ld.shared.u32 %r5, [%r1+4];"));
    assert!(matches!(early.as_slice(), [Finding { kind: FindingKind::Uninitialised(_), .. }]), "{early:?}");
    // What is in no group yet is waited for by `wait_all` only.
    let open =
        "cp.async.ca.shared.global [%r1], [%rd3], 4;\ncp.async.wait_group 0;\nld.shared.u32 %r5, [%r1];";
    assert_eq!(findings(open)[0].kind.name(), "uninitialised");
}

/// Each thread reads what another's copy brings, in the other warp.
fn exchange(behind: &str) -> String {
    format!(
        "cp.async.ca.shared.global [%r1], [%rd3], 4;\n{behind}\nxor.b32 %r6, %r1, 512;\nld.shared.u32 %r5, [%r6];"
    )
}

#[test]
fn others_see_a_copy_that_was_waited_for_behind_a_barrier() {
    let right = exchange("cp.async.wait_all;\nbar.sync 0;");
    assert_eq!(results(&right), of_threads(|thread| 1 + 4 * (thread ^ 32)));
    let names = |body: &str| findings(body).iter().map(|finding| finding.kind.name()).collect::<Vec<_>>();
    assert!(names(&exchange("cp.async.wait_all;")).contains(&"race"));
    assert_eq!(names(&exchange("bar.sync 0;")), ["uninitialised"]);
    // Both warps wait too late: each one's copy may end while the other reads. The second finds the copy of the first ended.
    let late = findings(&format!("{}\ncp.async.wait_all;", exchange("bar.sync 0;")));
    let [early, read, copied] = late.as_slice() else { panic!("{late:?}") };
    assert_eq!((early.kind.name(), early.thread), ("uninitialised", [0, 0, 0]));
    let FindingKind::Race { access, other, .. } = &read.kind else { panic!("{read}") };
    assert_eq!((read.line, access.is_write, read.thread), (early.line, false, [32, 0, 0]));
    // The copy is three lines above the read.
    assert_eq!((other.line + 3, other.is_write, other.thread), (early.line, true, [0, 0, 0]));
    let FindingKind::Race { other, .. } = &copied.kind else { panic!("{copied}") };
    assert_eq!((copied.line + 3, copied.thread), (early.line, [32, 0, 0]));
    assert_eq!((other.line, other.thread), (early.line, [0, 0, 0]));
}

#[test]
fn addresses_of_a_copy_are_checked() {
    for (body, kind) in [
        ("cp.async.ca.shared.global [%r1], [%rd3+1024], 4;", "out of bounds"),
        ("cp.async.ca.shared.global [%r1+1024], [%rd3], 4;", "out of bounds"),
        ("cp.async.cg.shared.global [%r1], [%rd3+4], 16;", "misaligned"),
        ("cp.async.ca.shared.global [%r1+4], [%rd3], 8;", "misaligned"),
    ] {
        assert_eq!(fault(launch(body).0).kind.name(), kind, "{body}");
    }
}

#[test]
fn other_forms_are_refused() {
    for form in [
        "cp.async.cg.shared.global [%r1], [%rd3], 4;",
        "cp.async.ca.shared.global [%r1], [%rd3], 12;",
        "cp.async.ca.global.shared [%rd3], [%r1], 4;",
        "cp.async.wait_group %r1;",
    ] {
        let text = kernel("", &format!(".reg .b32 %r<10>; .reg .b64 %rd<10>;\n{form}"));
        let error = Module::parse(&text).unwrap_err();
        assert!(error.to_string().contains("isn't understood"), "{form}: {error}");
    }
}
