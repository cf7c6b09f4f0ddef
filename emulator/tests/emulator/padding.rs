//! Bytes that nothing wrote: a struct's padding may be copied with it, and what is computed of such bytes is found.

use gridwright_emulator::{Device, Finding, FindingKind, Launch, Space};

use crate::harness::{Parameters, download, kernel, run};

/// Threads of the one group.
const THREADS: u64 = 64;

/// `%r0` is the thread's number, `%r5` what its pair begins with, `%h1` what is behind that. Its pair of 8 bytes, of which the last three
/// are padding, is at `%r8` in workgroup memory and at `%rd2` in device memory; `%r7` and `%rd4` are its pairs of copies.
const HEAD: &str = ".reg .b32 %r<24>; .reg .b64 %rd<24>; .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b128 %q<2>;
    .shared .align 16 .b8 tile[1024]; .local .align 16 .b8 own[32];
    mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 3; mov.u32 %r8, tile; add.u32 %r8, %r8, %r1; add.u32 %r7, %r8, 512;
    cvt.u64.u32 %rd0, %r1; ld.param.u64 %rd1, [x]; add.u64 %rd2, %rd1, %rd0; add.u64 %rd4, %rd2, 512;
    add.u32 %r5, %r0, 1000; cvt.u16.u32 %h1, %r0; add.u16 %h1, %h1, 7;\n";

const FUNCTION: &str = ".func (.param .align 8 .b8 result[8]) same(.param .align 8 .b8 value[8])
    { .reg .b64 %a; ld.param.b64 %a, [value]; st.param.b64 [result], %a; ret; }\n";

/// Where a pair is written field by field, and read at once to `%rd5`.
const READS: [(&str, &str); 5] = [
    ("workgroup", "st.shared.u32 [%r8], %r5; st.shared.u8 [%r8+4], %h1;\nld.shared.b64 %rd5, [%r8];"),
    (
        "workgroup, in halves",
        "st.shared.u32 [%r8], %r5; st.shared.u8 [%r8+4], %h1;\nld.shared.v2.b32 {%r10, %r11}, [%r8]; mov.b64 %rd5, {%r10, %r11};",
    ),
    (
        "of another warp",
        "st.shared.u32 [%r8], %r5; st.shared.u8 [%r8+4], %h1; bar.sync 0; xor.b32 %r9, %r8, 256; mov.u32 %r12, %r9;
         ld.shared.b64 %rd5, [%r12]; bar.sync 0; st.shared.b64 [%r12], %rd5; bar.sync 0;\nld.shared.b64 %rd5, [%r8];",
    ),
    ("device", "st.global.u32 [%rd2], %r5; st.global.u8 [%rd2+4], %h1;\nld.global.b64 %rd5, [%rd2];"),
    (
        "generic",
        "cvt.u64.u32 %rd6, %r8; cvta.shared.u64 %rd6, %rd6; st.u32 [%rd6], %r5; st.u8 [%rd6+4], %h1;\nld.b64 %rd5, [%rd6];",
    ),
];

/// How a pair comes from `%rd5` to `%rd7`.
const MOVES: [(&str, &str); 9] = [
    ("not at all", "mov.b64 %rd7, %rd5;"),
    ("in parts", "mov.b64 {%r13, %r14}, %rd5; mov.b64 %rd7, {%r13, %r14};"),
    ("chosen", "setp.lt.u32 %p1, %r0, 99; mov.u64 %rd9, 3; selp.b64 %rd7, %rd5, %rd9, %p1;"),
    (
        "shifted",
        "shr.u64 %rd9, %rd5, 32; cvt.u32.u64 %r13, %rd9; cvt.u32.u64 %r14, %rd5; cvt.u64.u32 %rd9, %r13; shl.b64 %rd9, %rd9, 32;
         cvt.u64.u32 %rd10, %r14; or.b64 %rd7, %rd9, %rd10;",
    ),
    (
        "permuted",
        "mov.b64 {%r13, %r14}, %rd5; prmt.b32 %r15, %r14, 0, 0x0123; prmt.b32 %r15, %r15, 0, 0x0123; mov.b64 %rd7, {%r13, %r15};",
    ),
    (
        "shuffled",
        "mov.b64 {%r13, %r14}, %rd5; shfl.sync.bfly.b32 %r13, %r13, 1, 31, -1; shfl.sync.bfly.b32 %r14, %r14, 1, 31, -1;
         shfl.sync.bfly.b32 %r13, %r13, 1, 31, -1; shfl.sync.bfly.b32 %r14, %r14, 1, 31, -1; mov.b64 %rd7, {%r13, %r14};",
    ),
    ("through workgroup memory", "st.shared.b64 [%r7], %rd5; ld.shared.v2.b32 {%r13, %r14}, [%r7]; mov.b64 %rd7, {%r13, %r14};"),
    ("through its own memory", "st.local.b64 [own+8], %rd5; ld.local.b64 %rd7, [own+8];"),
    (
        "through a function",
        "{ .param .align 8 .b8 in[8]; .param .align 8 .b8 out[8]; st.param.b64 [in], %rd5; call.uni (out), same, (in); ld.param.b64 %rd7, [out]; }",
    ),
];

fn text(body: &str) -> String {
    kernel(".param .u64 x", &format!("{HEAD}{body}")).replacen(
        ".visible .entry",
        &format!("{FUNCTION}.visible .entry"),
        1,
    )
}

/// Runs a body on 1024 bytes of device memory that nothing wrote.
fn outcome(device: &Device, body: &str) -> (Vec<Finding>, u64) {
    let x = device.alloc(1024).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let launch = Launch::new([1, 1, 1], [THREADS as u32, 1, 1], &parameters);
    (run(device, &text(body), &launch).unwrap().findings, x)
}

#[track_caller]
fn passes(body: &str) -> (Device, u64) {
    let device = Device::new();
    let (findings, x) = outcome(&device, body);
    assert!(findings.is_empty(), "{body}\n{findings:?}");
    (device, x)
}

/// Checks that only the last read in a body is found, whose line begins with `read`, in so many threads.
#[track_caller]
fn is_found(body: &str, read: &str, threads: u64) {
    let (findings, _) = outcome(&Device::new(), body);
    let [finding] = findings.as_slice() else { panic!("{body}\n{findings:?}") };
    assert!(matches!(finding.kind, FindingKind::Uninitialised(_)), "{body}\n{finding}");
    let text = text(body);
    let reads = text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with(read));
    let line = reads.last().unwrap().1;
    assert_eq!((finding.line, finding.count), (line, threads), "{body}\n{finding}");
}

/// Whether a byte of device memory counts as never written.
fn is_unwritten(device: &Device, address: u64) -> bool {
    let body =
        ".reg .b64 %rd1; .reg .b16 %h1; .reg .pred %p1; ld.param.u64 %rd1, [x]; ld.global.u8 %h1, [%rd1];
        setp.eq.u16 %p1, %h1, 9; @%p1 bra END; END:";
    let parameters = Parameters::default().wide(address).0;
    let report = run(device, &kernel(".param .u64 x", body), &Launch::new([1, 1, 1], [1, 1, 1], &parameters));
    !report.unwrap().findings.is_empty()
}

#[test]
fn padding_is_copied_with_what_is_beside_it() {
    for (from, read) in READS {
        for (how, moved) in MOVES {
            let (device, x) = passes(&format!("{read}\n{moved}\nst.global.b64 [%rd4], %rd7;"));
            let values = download(&device, x + 512, 2 * THREADS as usize, u32::from_le_bytes);
            let of = |thread: u64| [thread as u32 + 1000, thread as u32 + 7];
            let right: Vec<u32> = (0..THREADS).flat_map(of).collect();
            assert_eq!(values, right, "{from}, {how}");
            let marks: Vec<bool> =
                (0..8).map(|byte| is_unwritten(&device, x + 512 + 8 * 33 + byte)).collect();
            assert_eq!(marks, [false, false, false, false, false, true, true, true], "{from}, {how}");
        }
    }
}

#[test]
fn padding_that_decides_something_is_found_however_it_was_moved() {
    let uses = [
        "setp.eq.u64 %p2, %rd7, 5; @%p2 bra END; END:",
        "shr.u64 %rd9, %rd7, 40; add.u64 %rd9, %rd9, %rd0; add.u64 %rd9, %rd9, 3; st.global.b64 [%rd4], %rd9;",
        "shr.u64 %rd9, %rd7, 40; add.u64 %rd9, %rd4, %rd9; st.global.u32 [%rd9], %r0;",
        "shr.u64 %rd9, %rd7, 40; cvt.u32.u64 %r20, %rd9; st.global.u32 [%rd4], 0; atom.global.add.u32 %r21, [%rd4], %r20;",
        "popc.b64 %r20, %rd7; st.global.u32 [%rd4], %r20;",
    ];
    for (from, read) in READS {
        let line = read.lines().last().unwrap().split(' ').next().unwrap();
        for (how, moved) in MOVES {
            for using in uses {
                let body = format!("{read}\n{moved}\n{using}");
                let (findings, _) = outcome(&Device::new(), &body);
                assert_eq!(findings.len(), 1, "{from}, {how}: {using}\n{findings:?}");
                if how != "through workgroup memory" {
                    is_found(&body, line, THREADS);
                }
            }
        }
    }
}

/// Zero and an unknown byte are unknown, and no copy.
#[test]
fn a_sum_of_zeros_is_no_copy() {
    let read = "st.shared.u8 [%r8], 0;\nld.shared.b64 %rd5, [%r8];";
    for sum in [
        "add.u64 %rd7, %rd5, 0;",
        "sub.u64 %rd7, %rd5, 0;",
        "mul.lo.u64 %rd7, %rd5, 1;",
        "mad.lo.u64 %rd7, %rd0, 0, %rd5;",
    ] {
        is_found(
            &format!(
                "{read} {sum} st.shared.b64 [%r7], %rd7; ld.shared.b64 %rd7, [%r7]; st.global.b64 [%rd4], %rd7;"
            ),
            "ld.shared",
            THREADS,
        );
        passes(&format!("{read} {sum} cvt.u16.u64 %h2, %rd7; st.global.u8 [%rd4], %h2;"));
    }
}

#[test]
fn written_fields_beside_padding_are_used_freely() {
    for (_, read) in READS {
        let (device, x) = passes(&format!(
            "{read}\ncvt.u32.u64 %r20, %rd5; add.u32 %r20, %r20, 1; shr.u64 %rd9, %rd5, 32; cvt.u32.u64 %r21, %rd9; and.b32 %r21, %r21, 255;
             add.u32 %r20, %r20, %r21; setp.gt.u32 %p1, %r20, 5; @%p1 st.global.u32 [%rd4], %r20;"
        ));
        let values = download(&device, x + 512, 2, u32::from_le_bytes);
        assert_eq!(values[0], 1008);
    }
}

/// The host may read all that is in device memory: what has nothing beside it isn't padding.
#[test]
fn a_copy_to_device_memory_of_nothing_but_unwritten_bytes_is_found() {
    is_found("ld.shared.b64 %rd5, [%r8]; st.global.b64 [%rd4], %rd5;", "ld.shared", THREADS);
    is_found("ld.global.u32 %r10, [%rd2]; st.global.u32 [%rd4], %r10;", "ld.global", THREADS);
    passes("ld.shared.b64 %rd5, [%r8]; st.shared.b64 [%r7], %rd5;");
}

#[test]
fn what_is_read_and_not_used_is_no_finding() {
    passes("ld.shared.u32 %r10, [%r8];");
    passes(
        "ld.shared.u32 %r10, [%r8]; setp.lt.u32 %p1, %r0, 99; selp.u32 %r11, 4, %r10, %p1; st.global.u32 [%rd4], %r11;",
    );
    is_found(
        "ld.shared.u32 %r10, [%r8]; setp.lt.u32 %p1, %r0, 9; selp.u32 %r11, 4, %r10, %p1; st.global.u32 [%rd4], %r11;",
        "ld.shared",
        THREADS - 9,
    );
}

#[test]
fn a_value_that_is_partly_unwritten_is_stored_whole_over_what_was_written() {
    let body = "st.shared.u64 [%r7], 5; st.shared.u32 [%r8], %r5; ld.shared.b64 %rd5, [%r8]; st.shared.b64 [%r7], %rd5;\nld.shared.b64 %rd7, [%r7];";
    passes(&format!("{body} st.global.b64 [%rd4], %rd7;"));
    is_found(
        &format!("{body} shr.u64 %rd7, %rd7, 33; st.global.b64 [%rd4], %rd7;"),
        "ld.shared.b64 %rd7",
        THREADS,
    );
    passes(&format!(
        "{body} st.shared.u32 [%r7+4], 1; ld.shared.b64 %rd7, [%r7]; add.u64 %rd7, %rd7, %rd7; st.global.b64 [%rd4], %rd7;"
    ));
}

#[test]
fn wide_vectors_and_rows_of_128_bits_hand_on_padding() {
    let write = "and.b32 %r10, %r0, 31; shl.b32 %r10, %r10, 4; mov.u32 %r11, tile; add.u32 %r10, %r10, %r11; setp.lt.u32 %p1, %r0, 32; @!%p1 bra END;
        cvt.u64.u32 %rd9, %r5; st.shared.u64 [%r10], %rd9; st.shared.u8 [%r10+8], %h1; shl.b64 %rd10, %rd0, 1; add.u64 %rd10, %rd10, %rd1;\n";
    for copy in [
        "ld.shared.v2.b64 {%rd5, %rd6}, [%r10]; st.global.v2.b64 [%rd10], {%rd5, %rd6};",
        "ld.shared.v4.b32 {%r12, %r13, %r14, %r15}, [%r10]; st.global.v4.b32 [%rd10], {%r12, %r13, %r14, %r15};",
        "ld.shared.b128 %q1, [%r10]; st.global.b128 [%rd10], %q1;",
    ] {
        let (device, x) = passes(&format!("{write}{copy} END:"));
        let values = download(&device, x, 64, u64::from_le_bytes);
        assert_eq!(values, (0..32).flat_map(|thread| [thread + 1000, thread + 7]).collect::<Vec<u64>>());
        assert!(
            !is_unwritten(&device, x + 8) && is_unwritten(&device, x + 9) && is_unwritten(&device, x + 15)
        );
    }
}

#[test]
fn asynchronous_copies_hand_on_padding() {
    let copy = "st.global.u32 [%rd2], %r5; st.global.u8 [%rd2+4], %h1;\ncp.async.ca.shared.global [%r8], [%rd2], 8; cp.async.wait_all;\nld.shared.b64 %rd5, [%r8];";
    passes(&format!("{copy} st.global.b64 [%rd4], %rd5;"));
    is_found(&format!("{copy} shr.u64 %rd5, %rd5, 44; st.global.b64 [%rd4], %rd5;"), "ld.shared", THREADS);
}

#[test]
fn padding_is_copied_within_a_cluster() {
    let body = "st.shared.u32 [%r8], %r5; st.shared.u8 [%r8+4], %h1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
        mapa.shared::cluster.u32 %r9, %r8, 1; mov.u32 %r10, %cluster_ctarank; setp.ne.u32 %p1, %r10, 0; @%p1 bra LAST;
        ld.shared::cluster.b64 %rd5, [%r9];\nst.shared::cluster.b64 [%r9+512], %rd5;
        LAST: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; @!%p1 bra END;
        ld.shared.b64 %rd5, [%r7];\n";
    for (rest, is_found) in [
        ("st.global.b64 [%rd4], %rd5;", false),
        ("shr.u64 %rd5, %rd5, 44; st.global.b64 [%rd4], %rd5;", true),
    ] {
        let device = Device::new();
        let x = device.alloc(1024).unwrap();
        let parameters = Parameters::default().wide(x).0;
        let mut launch = Launch::new([2, 1, 1], [THREADS as u32, 1, 1], &parameters);
        launch.cluster = [2, 1, 1];
        let findings = run(&device, &text(&format!("{body}{rest} END:")), &launch).unwrap().findings;
        assert_eq!(!findings.is_empty(), is_found, "{findings:?}");
        let is_expected = |finding: &Finding| matches!(&finding.kind, FindingKind::Uninitialised(access) if access.space == Space::Shared);
        assert!(findings.iter().all(is_expected), "{findings:?}");
    }
}
