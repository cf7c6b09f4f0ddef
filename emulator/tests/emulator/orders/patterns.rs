//! Releases and acquires from thread to thread, with and without what they need.

use super::{ACQUIRES, NO_RELEASES, RELEASES, THREADS, is_ordered, is_race, two, wait};

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
