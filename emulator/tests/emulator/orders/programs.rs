//! Locks, tickets, counters and barriers of the grid, as programs write them.

use super::{each, is_ordered, is_race};

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
