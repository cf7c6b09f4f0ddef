//! What orders threads for the check of races: release and acquire patterns, scopes, chains over threads and barriers. Each order has a
//! twin in which something is missing, and the race is found.
//!
//! PTX ISA, "Memory Consistency Model": "Release and Acquire Patterns", "Causality Order".

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

#[test]
fn what_is_before_a_release_and_its_write_are_ordered_before_what_is_behind_the_acquire() {
    for (number, release) in RELEASES.iter().enumerate() {
        for acquire in [ACQUIRES[0], ACQUIRES[number % ACQUIRES.len()]] {
            let first = format!("st.global.u32 [%d], 1; ld.global.u32 %r5, [%d+4]; {release}");
            let second = format!(
                "{} st.global.u32 [%d], 2; st.global.u32 [%d+4], 2; st.global.u32 [%f], 0; ld.global.u32 %r5, [%f];",
                wait(acquire)
            );
            is_ordered(&two(&first, THREADS, &second), 2);
        }
    }
}

#[test]
fn without_a_release_the_data_races() {
    for release in NO_RELEASES {
        let first = format!("st.global.u32 [%d], 1; // race\n{release}");
        let second = format!("{} ld.global.u32 %r5, [%d];", wait(ACQUIRES[0]));
        is_race(&two(&first, THREADS, &second), 2);
    }
    // A reader of narrow scope.
    let first = format!("st.global.u32 [%d], 1; // race\n{}", RELEASES[0]);
    let second = format!("{} ld.global.u32 %r5, [%d];", wait("ld.acquire.cta.global.u32 %r3, [%f];"));
    is_race(&two(&first, THREADS, &second), 2);
}

#[test]
fn what_is_behind_a_fence_and_its_write_is_not_released() {
    for release in RELEASES {
        let before = release.replacen("; st.", "; st.global.u32 [%d], 1; // race\nst.", 1);
        if before != *release && release.starts_with("fence") {
            let second = format!("{} ld.global.u32 %r5, [%d];", wait(ACQUIRES[0]));
            is_race(&two(&before, THREADS, &second), 2);
        }
        let first = format!("{release}\nst.global.u32 [%d], 1; // race");
        let second = format!("{} ld.global.u32 %r5, [%d];", wait(ACQUIRES[1]));
        is_race(&two(&first, THREADS, &second), 2);
    }
}

#[test]
fn a_plain_write_to_a_flag_that_nobody_took_races() {
    let first = format!("{} // race", RELEASES[0]);
    is_race(&two(&first, THREADS, "ld.relaxed.gpu.u32 %r3, [%g]; st.global.u32 [%f], 0;"), 2);
}

/// Between warps, and between lanes of one warp.
#[test]
fn threads_of_a_group_are_ordered_by_narrow_scopes_too() {
    for other in [32, 1] {
        for release in RELEASES.iter().copied().chain([
            "fence.acq_rel.cta; st.relaxed.cta.global.u32 [%f], 1;",
            "membar.cta; st.volatile.global.u32 [%f], 1;",
            "st.release.cta.global.u32 [%f], 1;",
            "fence.acq_rel.cluster; red.relaxed.cluster.global.add.u32 [%f], 1;",
        ]) {
            let first = format!("st.global.u32 [%d], 1; {release}");
            for acquire in ["ld.acquire.cta.global.u32 %r3, [%f];", ACQUIRES[0]] {
                let second = format!("{} st.global.u32 [%d], 2; st.global.u32 [%f], 0;", wait(acquire));
                is_ordered(&two(&first, other, &second), 1);
            }
        }
        let first = "st.global.u32 [%d], 1; // race\nst.relaxed.gpu.u32 [%f], 1;";
        is_race(&two(first, other, &format!("{} ld.global.u32 %r5, [%d];", wait(ACQUIRES[1]))), 1);
    }
}

#[test]
fn flags_in_workgroup_memory_order_all_memory() {
    let second = |acquire: &str| {
        format!(
            "{} ld.shared.u32 %r5, [data]; st.shared.u32 [data], %r5; ld.global.u32 %r5, [%d]; st.shared.u32 [flag], 0;",
            wait(acquire)
        )
    };
    let acquires = [
        "ld.acquire.cta.shared.u32 %r3, [flag];",
        "ld.volatile.shared.u32 %r3, [flag]; membar.cta;",
        "mov.u64 %rd1, flag; cvta.shared.u64 %rd1, %rd1; ld.acquire.cta.u32 %r3, [%rd1];",
        "atom.acquire.cta.shared.or.b32 %r3, [flag], 0;",
    ];
    let first =
        |release: &str| format!("st.shared.u32 [data], 1; // race\nst.global.u32 [%d], 1;\n{release}");
    for release in [
        "fence.acq_rel.cta; st.relaxed.cta.shared.u32 [flag], 1;",
        "membar.cta; st.volatile.shared.u32 [flag], 1;",
        "st.release.cta.shared.u32 [flag], 1;",
        "mov.u64 %rd1, flag; cvta.shared.u64 %rd1, %rd1; atom.release.cta.exch.b32 %r4, [%rd1], 1;",
        "membar.gl; atom.shared.add.u32 %r4, [flag], 1;",
    ] {
        for acquire in acquires {
            is_ordered(&two(&first(release), 32, &second(acquire)), 1);
        }
    }
    for release in ["st.volatile.shared.u32 [flag], 1;", "atom.shared.add.u32 %r4, [flag], 1;"] {
        is_race(&two(&first(release), 32, &second(acquires[0])), 1);
    }
}

/// Thread 0 of group 0 to group 1, and that one on to group 2.
fn three(first: &str, second: &str, third: &str) -> String {
    format!(
        "setp.ne.u32 %p1, %r0, 0; @%p1 bra END; setp.eq.u32 %p1, %r1, 1; @%p1 bra SECOND; setp.eq.u32 %p1, %r1, 2; @%p1 bra THIRD;
         {first}
         bra END;
         SECOND: {second}
         bra END;
         THIRD: {third}
         END:"
    )
}

#[test]
fn order_goes_on_over_a_third_thread() {
    let first = format!("st.global.u32 [%d], 1; // race\n{}", RELEASES[0]);
    let take = wait(ACQUIRES[1]);
    let on = "WAITON: ld.acquire.gpu.u32 %r3, [%g]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAITON; st.global.u32 [%d], 2;";
    is_ordered(&three(&first, &format!("{take} st.release.gpu.u32 [%g], 1;"), on), 3);
    is_ordered(&three(&first, &format!("{take} fence.acq_rel.gpu; red.global.add.u32 [%g], 1;"), on), 3);
    is_race(&three(&first, &format!("{take} st.relaxed.gpu.u32 [%g], 1;"), on), 3);
    is_race(&three(&first, &format!("{take} st.release.cta.u32 [%g], 1;"), on), 3);
}

#[test]
fn updates_hand_on_a_release_and_other_stores_do_not() {
    let first = format!("st.global.u32 [%d], 1; // race\n{}", RELEASES[0]);
    let take = wait("ld.relaxed.gpu.u32 %r3, [%f];");
    let third = "WAITON: ld.acquire.gpu.u32 %r3, [%f]; setp.ne.u32 %p2, %r3, 2; @%p2 bra WAITON; ld.global.u32 %r5, [%d];";
    for update in ["atom.relaxed.gpu.add.u32 %r4, [%f], 1;", "red.relaxed.gpu.inc.u32 [%f], 9;"] {
        is_ordered(&three(&first, &format!("{take} {update}"), third), 3);
    }
    // It waits for the store, so that it never reads from the release.
    let third =
        format!("WAITG: ld.relaxed.gpu.u32 %r3, [%g]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAITG; {third}");
    is_race(
        &three(&first, &format!("{take} st.relaxed.gpu.u32 [%f], 2; st.relaxed.gpu.u32 [%g], 1;"), &third),
        3,
    );
}

/// All threads of group 0 write, and one of them releases; one of group 1 acquires, and all of them read.
#[test]
fn barriers_of_a_group_hand_on_what_one_thread_releases_and_acquires() {
    let body = |before: &str, after: &str, fence: &str| {
        format!(
            "setp.eq.u32 %p1, %r1, 1; @%p1 bra OTHER;
             st.global.u32 [%own], 1; // race
             {before}
             @!%p0 bra END; {fence} red.global.add.u32 [%f], 1; bra END;
             OTHER: @!%p0 bra MEET; {} MEET: {after}
             xor.b32 %r5, %r0, 33; mul.wide.u32 %rd1, %r5, 4; add.u64 %rd1, %rd1, %d; ld.global.u32 %r5, [%rd1];
             END:",
            wait("ld.volatile.u32 %r3, [%f];")
        )
    };
    is_ordered(&body("bar.sync 0;", "bar.sync 0;", "membar.gl;"), 2);
    is_ordered(&body("barrier.sync 3;", "bar.sync 1, 64;", "fence.acq_rel.gpu;"), 2);
    is_ordered(&body("membar.gl; bar.sync 0;", "bar.sync 0;", ""), 2);
    is_race(&body("", "bar.sync 0;", "membar.gl;"), 2);
    is_race(&body("bar.sync 0;", "", "membar.gl;"), 2);
    is_race(&body("bar.sync 0;", "bar.sync 0;", ""), 2);
    is_race(&body("bar.warp.sync -1;", "bar.sync 0;", "membar.gl;"), 2);
    // What all have read may be written again.
    let back = body("bar.sync 0;", "bar.sync 0;", "membar.gl;")
        .replace("st.global.u32 [%own], 1;", "ld.global.u32 %r5, [%own];");
    is_ordered(&back.replace("ld.global.u32 %r5, [%rd1];", "st.global.u32 [%rd1], 1;"), 2);
}

#[test]
fn meetings_of_a_warp_hand_on_what_one_lane_acquires() {
    let body = |meet: &str| {
        format!(
            "setp.eq.u32 %p1, %r1, 1; @%p1 bra OTHER;
             st.global.u32 [%own], 1; // race
             bar.sync 0; @%p0 st.release.gpu.u32 [%f], 1; bra END;
             OTHER: setp.ge.u32 %p1, %r0, 32; @%p1 bra END; @!%p0 bra MEET; {} MEET: {meet}
             xor.b32 %r5, %r0, 33; mul.wide.u32 %rd1, %r5, 4; add.u64 %rd1, %rd1, %d; ld.global.u32 %r5, [%rd1];
             END:",
            wait("ld.acquire.gpu.u32 %r3, [%f];")
        )
    };
    is_ordered(&body("bar.warp.sync -1;"), 2);
    is_race(&body("vote.sync.any.pred %p3, %p1, -1;"), 2);
}

#[test]
fn a_lock_orders_who_holds_it() {
    let body = |lock: &str, unlock: &str| {
        format!(
            "@!%p0 bra END;
             WAIT: {lock} setp.ne.u32 %p1, %r3, 0; @%p1 bra WAIT;
             ld.global.u32 %r4, [%d]; add.u32 %r4, %r4, 1; st.global.u32 [%d], %r4; // race
             {unlock}
             END:"
        )
    };
    let locks = [
        ("atom.acquire.gpu.cas.b32 %r3, [%f], 0, 1;", "st.release.gpu.u32 [%f], 0;"),
        ("atom.cas.b32 %r3, [%f], 0, 1; membar.gl;", "membar.gl; atom.exch.b32 %r5, [%f], 0;"),
        (
            "atom.relaxed.gpu.exch.b32 %r3, [%f], 1; fence.acq_rel.gpu;",
            "fence.acq_rel.gpu; st.volatile.u32 [%f], 0;",
        ),
    ];
    for (lock, unlock) in locks {
        for (findings, words) in each(&body(lock, unlock), 16, 1) {
            assert!(findings.is_empty(), "{}", findings[0]);
            assert_eq!(words[64], 16);
        }
    }
    is_race(&body(locks[1].0, "atom.exch.b32 %r5, [%f], 0;"), 16);
    is_race(&body(locks[1].0, "membar.cta; atom.exch.b32 %r5, [%f], 0;"), 16);
}

#[test]
fn tickets_order_who_is_served() {
    let body = |next: &str| {
        format!(
            "@!%p0 bra END;
             atom.relaxed.gpu.add.u32 %r6, [%f], 1;
             WAIT: ld.acquire.gpu.u32 %r3, [%g]; setp.ne.u32 %p1, %r3, %r6; @%p1 bra WAIT;
             ld.global.u32 %r4, [%d]; add.u32 %r4, %r4, 1; st.global.u32 [%d], %r4; // race
             {next}
             END:"
        )
    };
    is_ordered(&body("add.u32 %r3, %r3, 1; st.release.gpu.u32 [%g], %r3;"), 12);
    is_ordered(&body("fence.sc.gpu; red.relaxed.gpu.add.u32 [%g], 1;"), 12);
    is_race(&body("red.relaxed.gpu.add.u32 [%g], 1;"), 12);
}

/// The last group adds up what the others left, and clears the counter for the next launch.
#[test]
fn the_last_group_may_clear_its_counter() {
    let body = |fence: &str| {
        format!(
            "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %d; @!%p0 bra MEET;
             st.global.u32 [%rd2], 1; // race
             {fence} atom.global.inc.u32 %r3, [%f], 7; st.shared.u32 [flag], %r3;
             MEET: bar.sync 0; ld.shared.u32 %r3, [flag]; setp.ne.u32 %p1, %r3, 7; @%p1 bra END;
             setp.ge.u32 %p1, %r0, 8; @%p1 bra LAST; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd3, %d; ld.global.u32 %r5, [%rd3];
             LAST: @%p0 st.global.u32 [%f], 0;
             END:"
        )
    };
    is_ordered(&body("membar.gl;"), 8);
    is_ordered(&body("fence.acq_rel.gpu;"), 8);
    is_race(&body(""), 8);
    is_race(&body("membar.cta;"), 8);
    // Without the data: the counter alone.
    is_ordered(
        "@!%p0 bra END; atom.global.inc.u32 %r3, [%f], 7; setp.ne.u32 %p1, %r3, 7; @%p1 bra END; st.global.u32 [%f], 0; END:",
        8,
    );
}

/// Each group waits for the one before it, and reads what that one and others before it wrote.
#[test]
fn groups_that_look_back_know_all_before_them() {
    let body = |publish: &str| {
        format!(
            "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %f; @!%p0 bra END;
             setp.eq.u32 %p1, %r1, 0; @%p1 bra PUBLISH;
             WAIT: ld.acquire.gpu.u32 %r3, [%rd2+-4]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT;
             ld.global.u32 %r4, [%own+-256]; setp.lt.u32 %p2, %r1, 2; @%p2 bra PUBLISH; ld.global.u32 %r5, [%own+-512];
             PUBLISH: st.global.u32 [%own], 1; // race
             {publish}
             END:"
        )
    };
    is_ordered(&body("st.release.gpu.u32 [%rd2], 1;"), 30);
    is_ordered(&body("fence.acq_rel.gpu; st.relaxed.gpu.u32 [%rd2], 1;"), 30);
    is_race(&body("st.relaxed.gpu.u32 [%rd2], 1;"), 30);
}

/// A barrier of the grid as cooperative groups have it, twice. Each group has a host thread: all have to run at the same time.
#[test]
fn a_barrier_of_the_grid_orders_all_groups() {
    let round = |name: &str, target: u32, fence: &str| {
        format!(
            "bar.sync 0; @!%p0 bra {name}END; {fence} atom.add.u32 %r3, [%f], 1;
             {name}WAIT: ld.volatile.u32 %r3, [%f]; setp.lt.u32 %p1, %r3, {target}; @%p1 bra {name}WAIT; {fence}
             {name}END: bar.sync 0;"
        )
    };
    let body = |fence: &str| {
        let neighbour =
            "add.u32 %r4, %r2, 65; rem.u32 %r4, %r4, 192; mul.wide.u32 %rd1, %r4, 4; add.u64 %rd1, %rd1, %d;";
        format!(
            "st.global.u32 [%own], 1; // race
             {}
             {neighbour} ld.global.u32 %r5, [%rd1];
             {}
             st.global.u32 [%own], 2;",
            round("A", 3, fence),
            round("B", 6, fence)
        )
    };
    for (fence, is_clean) in
        [("membar.gl;", true), ("fence.acq_rel.gpu;", true), ("", false), ("membar.cta;", false)]
    {
        for (findings, _) in each(&body(fence), 3, 1) {
            assert_eq!(findings.is_empty(), is_clean, "{fence}: {findings:?}");
        }
    }
}

#[test]
fn barriers_of_a_cluster_order_device_memory() {
    let body = |arrive: &str| {
        format!(
            "st.global.u32 [%own], 1;
             {arrive} barrier.cluster.wait.acquire;
             xor.b32 %r4, %r2, 65; mul.wide.u32 %rd1, %r4, 4; add.u64 %rd1, %rd1, %d; ld.global.u32 %r5, [%rd1];"
        )
    };
    for (arrive, is_clean) in [
        ("barrier.cluster.arrive;", true),
        ("barrier.cluster.arrive.release;", true),
        ("fence.acq_rel.cluster; barrier.cluster.arrive.relaxed;", true),
        ("fence.acq_rel.gpu; barrier.cluster.arrive.relaxed;", true),
        ("barrier.cluster.arrive.relaxed;", false),
        ("fence.acq_rel.cta; barrier.cluster.arrive.relaxed;", false),
    ] {
        for (findings, _) in each(&body(arrive), 4, 2) {
            assert_eq!(findings.is_empty(), is_clean, "{arrive}: {findings:?}");
        }
    }
}

/// Within a cluster, by a flag of narrow scope in device memory and by one in the other group's memory.
#[test]
fn scopes_of_a_cluster_order_its_groups() {
    let remote = "mov.u64 %rd1, flag; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd1, %rd1, 1;";
    let begin = "barrier.cluster.arrive; barrier.cluster.wait;";
    let end = "barrier.cluster.arrive; barrier.cluster.wait;";
    for (release, acquire, is_clean) in [
        ("st.release.cluster.u32 [%f], 1;", "ld.acquire.cluster.u32 %r3, [%f];", true),
        ("fence.acq_rel.cluster; red.relaxed.cluster.add.u32 [%f], 1;", ACQUIRES[1], true),
        ("st.release.cta.u32 [%f], 1;", "ld.acquire.cluster.u32 %r3, [%f];", false),
        ("st.release.cluster.u32 [%rd1], 1;", "ld.acquire.cluster.shared.u32 %r3, [flag];", true),
        ("membar.gl; st.volatile.u32 [%rd1], 1;", "ld.volatile.shared.u32 %r3, [flag];", true),
        ("st.volatile.u32 [%rd1], 1;", "ld.volatile.shared.u32 %r3, [flag];", false),
    ] {
        let first = format!("{remote} st.global.u32 [%d], 1; {release}");
        let second = format!("{} ld.global.u32 %r5, [%d];", wait(acquire));
        let body = two(&first, THREADS, &second);
        for (findings, _) in each(&format!("{begin}\n{body} {end}"), 2, 2) {
            assert_eq!(findings.is_empty(), is_clean, "{release}: {findings:?}");
        }
    }
}
