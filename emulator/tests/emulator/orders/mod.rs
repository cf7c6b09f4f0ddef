//! What orders threads for the check of races: release and acquire patterns, scopes, chains over threads and barriers. Each order has a
//! twin in which something is missing, and the race is found.
//!
//! PTX ISA, "Memory Consistency Model": "Release and Acquire Patterns", "Causality Order".

mod barriers;
mod patterns;
mod programs;

use gridwright_emulator::{Device, DeviceOptions, Finding, FindingKind, Launch};

use crate::harness::{Parameters, download, kernel, run, upload};

/// Threads of a group.
const THREADS: u32 = 64;

/// Registers: `%r0` the thread, `%r1` the group, `%r2` the thread in the launch; `%f` a flag and `%g` another, `%d` data, all zero; `%own`
/// the thread's own word of the data. In workgroup memory `flag` and `data` are zero.
const HEAD: &str = ".reg .b32 %r<20>; .reg .b64 %f, %g, %d, %own, %rd<8>; .reg .pred %p<4>;
    .shared .align 8 .u32 flag; .shared .align 8 .u32 data;
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 64, %r0;
    ld.param.u64 %f, [x]; add.u64 %g, %f, 128; add.u64 %d, %f, 256; mul.wide.u32 %own, %r2, 4; add.u64 %own, %own, %d;
    setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.u32 [flag], 0; @%p0 st.shared.u32 [data], 0; bar.sync 0;\n";

/// All findings of a body on one host thread and on several, with groups one after the other and in turn; and the first words.
fn each(body: &str, groups: u32, cluster: u32) -> Vec<(Vec<Finding>, Vec<u32>)> {
    let settings =
        if cluster > 1 { vec![(1, false), (3, false)] } else { vec![(1, true), (3, true), (3, false)] };
    let with = |(host_threads, cooperative)| {
        let device = Device::new();
        let device = Device::with_options(DeviceOptions { host_threads, ..device.options() });
        let x = upload(&device, &vec![0_u32; 64 + (THREADS * groups) as usize], u32::to_le_bytes);
        let parameters = Parameters::default().wide(x).0;
        let mut launch = Launch::new([groups, 1, 1], [THREADS, 1, 1], &parameters);
        launch.cooperative = cooperative;
        launch.cluster = [cluster, 1, 1];
        let text = kernel(".param .u64 x", &format!("{HEAD}{body}"));
        let findings =
            run(&device, &text, &launch).unwrap_or_else(|error| panic!("{error}\n{text}")).findings;
        (findings, download(&device, x, 65, u32::from_le_bytes))
    };
    settings.into_iter().map(with).collect()
}

fn is_ordered(body: &str, groups: u32) {
    for (findings, _) in each(body, groups, 1) {
        assert!(findings.is_empty(), "{body}\n{}", findings[0]);
    }
}

/// The race is found, where the text after the mark `// race` is.
fn is_race(body: &str, groups: u32) {
    let line = HEAD.lines().count() + body.lines().position(|line| line.contains("// race")).unwrap();
    for (findings, _) in each(body, groups, 1) {
        let is_there = |found: &Finding| {
            let FindingKind::Race { other, .. } = &found.kind else { return false };
            // The kernel's text has five lines in front.
            [found.line, other.line].contains(&(line as u32 + 6))
        };
        assert!(findings.iter().any(is_there), "{line}: {body}\n{findings:?}");
    }
}

/// Thread 0 of group 0 does one thing and thread `other` of the launch another; the rest does nothing.
fn two(first: &str, other: u32, second: &str) -> String {
    format!(
        "setp.eq.u32 %p1, %r2, {other}; @%p1 bra OTHER; setp.ne.u32 %p1, %r2, 0; @%p1 bra END;
         {first}
         bra END;
         OTHER: {second}
         END:"
    )
}

/// Reads until the flag isn't zero.
fn wait(read: &str) -> String {
    format!("WAIT: {read} setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT;")
}

const RELEASES: &[&str] = &[
    "fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%f], 1;",
    "fence.sc.gpu; st.relaxed.gpu.global.u32 [%f], 1;",
    "fence.acq_rel.sys; st.relaxed.sys.u32 [%f], 1;",
    "membar.gl; st.volatile.global.u32 [%f], 1;",
    "membar.sys; st.volatile.u32 [%f], 1;",
    "st.release.gpu.global.u32 [%f], 1;",
    "st.release.sys.u32 [%f], 1;",
    "fence.acq_rel.gpu; atom.relaxed.gpu.global.exch.b32 %r4, [%f], 1;",
    "membar.gl; atom.global.add.u32 %r4, [%f], 1;",
    "membar.gl; red.global.add.u32 [%f], 1;",
    "red.release.gpu.global.add.u32 [%f], 1;",
    "atom.release.gpu.global.or.b32 %r4, [%f], 1;",
    "atom.acq_rel.gpu.cas.b32 %r4, [%f], 0, 1;",
    // Other strong writes between: the pattern is there.
    "fence.acq_rel.gpu; st.relaxed.gpu.u32 [%g], 1; st.relaxed.gpu.u32 [%f], 1;",
    "st.release.gpu.u32 [%f], 0; st.relaxed.gpu.u32 [%f], 1;",
];

const NO_RELEASES: &[&str] = &[
    "st.relaxed.gpu.global.u32 [%f], 1;",
    "st.volatile.global.u32 [%f], 1;",
    "atom.relaxed.gpu.global.exch.b32 %r4, [%f], 1;",
    "atom.acquire.gpu.global.exch.b32 %r4, [%f], 1;",
    "red.global.add.u32 [%f], 1;",
    "st.relaxed.gpu.global.u32 [%f], 1; fence.acq_rel.gpu;",
    "st.release.gpu.global.u32 [%g], 1; st.relaxed.gpu.u32 [%f], 1;",
    // Scopes that the reader isn't in.
    "fence.acq_rel.cta; st.relaxed.gpu.global.u32 [%f], 1;",
    "fence.acq_rel.cluster; st.relaxed.gpu.global.u32 [%f], 1;",
    "membar.cta; st.volatile.global.u32 [%f], 1;",
    "st.release.cta.global.u32 [%f], 1;",
    "st.release.cluster.global.u32 [%f], 1;",
    "fence.acq_rel.gpu; st.relaxed.cta.global.u32 [%f], 1;",
    "membar.cta; atom.global.exch.b32 %r4, [%f], 1;",
];

const ACQUIRES: &[&str] = &[
    "ld.relaxed.gpu.global.u32 %r3, [%f]; fence.acq_rel.gpu;",
    "ld.acquire.gpu.global.u32 %r3, [%f];",
    "ld.acquire.sys.u32 %r3, [%f];",
    "ld.volatile.global.u32 %r3, [%f]; membar.gl;",
    "atom.acquire.gpu.global.or.b32 %r3, [%f], 0;",
    "atom.relaxed.gpu.global.add.u32 %r3, [%f], 0; fence.sc.gpu;",
];
