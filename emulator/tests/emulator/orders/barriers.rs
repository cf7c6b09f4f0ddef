//! Barriers and meetings hand on what one thread releases and acquires; scopes of a cluster.

use super::{ACQUIRES, THREADS, each, is_ordered, is_race, two, wait};

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
