//! Threads of a few groups, step by step.

use super::fence::STRIDE;
use super::*;
use crate::checks::synchronisation::Released;
use crate::instruction::Level;

fn clocks(group: u32, warps: usize) -> Clocks {
    let mut clocks = Clocks::default();
    clocks.reset(group, warps);
    clocks
}

/// What a thread does now.
fn now(clocks: &Clocks, thread: usize) -> Moment {
    let (warp, lane) = (thread / WARP, thread % WARP);
    let (warp_count, epoch) = (clocks.of_warp(warp), clocks.of_lane(warp, lane));
    Moment { group: clocks.group, thread, warp_count, epoch }
}

fn strong_write(clocks: &Clocks, thread: usize) -> Moment {
    Moment { epoch: clocks.of_strong_write(thread / WARP, thread % WARP), ..now(clocks, thread) }
}

/// Thread to thread, by a relaxed write and a read.
fn hand_over(from: &mut Clocks, thread: usize, to: &mut Clocks, reader: usize) {
    let released = from.release(thread / WARP, thread % WARP, Level::None, Level::Device);
    to.acquire(reader / WARP, reader % WARP, &released.device);
}

#[test]
fn a_barrier_orders_what_was_before_it_only() {
    let mut clocks = clocks(0, 2);
    let before = now(&clocks, 0);
    assert!(!clocks.is_ordered(before, 40));
    let mut barrier = Brought::default();
    clocks.arrive(0, &mut barrier);
    clocks.arrive(1, &mut barrier);
    clocks.depart(0, &barrier);
    clocks.depart(1, &barrier);
    assert!(clocks.is_ordered(before, 40));
    assert!(clocks.is_ordered(before, 1));
    let after = now(&clocks, 0);
    assert!(!clocks.is_ordered(after, 40));
    assert!(!clocks.is_ordered(after, 1));
}

#[test]
fn who_only_arrives_learns_nothing() {
    let mut clocks = clocks(0, 2);
    let (first, second) = (now(&clocks, 0), now(&clocks, 32));
    let mut barrier = Brought::default();
    clocks.arrive(0, &mut barrier);
    clocks.arrive(1, &mut barrier);
    clocks.depart(1, &barrier);
    assert!(clocks.is_ordered(first, 32));
    assert!(!clocks.is_ordered(second, 0));
}

#[test]
fn lanes_that_met_are_ordered() {
    let mut clocks = clocks(0, 1);
    let before = now(&clocks, 3);
    clocks.meet(0, 0b1100);
    assert!(clocks.is_ordered(before, 2));
    assert!(!clocks.is_ordered(before, 1));
    let after = now(&clocks, 3);
    assert!(!clocks.is_ordered(after, 2));
    clocks.meet(0, 0b0110);
    assert!(clocks.is_ordered(before, 1));
}

#[test]
fn meetings_beyond_the_end_of_a_count_are_ordered() {
    let mut clocks = clocks(0, 1);
    *clocks.own_count(0, 3) = u32::MAX - 1;
    for _ in 0..3 {
        let before = now(&clocks, 3);
        clocks.meet(0, 0b1100);
        assert!(clocks.is_ordered(before, 2));
    }
}

#[test]
fn a_fence_and_a_strong_write_hand_over_what_is_before_the_fence_and_the_write() {
    let (mut giver, mut taker) = (clocks(1, 1), clocks(2, 1));
    let before = now(&giver, 5);
    let strong = strong_write(&giver, 5);
    hand_over(&mut giver, 5, &mut taker, 7);
    assert!(!taker.is_ordered(before, 7) && !taker.is_ordered(strong, 7), "without a fence");
    giver.fence(0, 1 << 5, Level::Device);
    let between = now(&giver, 5);
    let (first, other) = (strong_write(&giver, 5), now(&giver, 6));
    hand_over(&mut giver, 5, &mut taker, 7);
    assert!(taker.is_ordered(before, 7) && taker.is_ordered(first, 7));
    assert!(!taker.is_ordered(between, 7) && !taker.is_ordered(other, 7));
    assert!(!taker.is_ordered(before, 6), "another lane");
    let second = strong_write(&giver, 5);
    assert!(!taker.is_ordered(second, 7), "a write that nobody read");
    for _ in 0..2 * STRIDE {
        let next = strong_write(&giver, 5);
        hand_over(&mut giver, 5, &mut taker, 7);
        assert!(taker.is_ordered(next, 7) && !taker.is_ordered(between, 7));
    }
}

#[test]
fn a_release_hands_over_itself_and_nothing_behind_it() {
    let (mut giver, mut taker) = (clocks(1, 1), clocks(2, 1));
    let write = strong_write(&giver, 0);
    let released = giver.release(0, 0, Level::Device, Level::Device);
    let after = strong_write(&giver, 0);
    taker.acquire(0, 0, &released.device);
    assert!(taker.is_ordered(write, 0) && !taker.is_ordered(after, 0));
    let released = giver.release(0, 0, Level::Group, Level::Device);
    let mut other = clocks(3, 1);
    other.acquire(0, 0, &released.device);
    assert!(!other.is_ordered(write, 0), "released for its group only");
    other.acquire(0, 0, &released.group);
    assert!(other.is_ordered(write, 0) && other.is_ordered(after, 0));
}

#[test]
fn a_fence_of_narrow_scope_hands_over_nothing_to_others_but_what_an_older_one_did() {
    let mut giver = clocks(1, 1);
    let first = now(&giver, 0);
    giver.fence(0, 1, Level::Device);
    let second = now(&giver, 0);
    giver.fence(0, 1, Level::Group);
    let write = strong_write(&giver, 0);
    let Released { group, cluster, device, .. } = giver.release(0, 0, Level::None, Level::Device);
    for (clock, knows_second) in [(group, true), (cluster, false), (device, false)] {
        assert!(clock.knows(first) && clock.knows(write));
        assert_eq!(clock.knows(second), knows_second);
    }
    let narrow = giver.release(0, 0, Level::None, Level::Group);
    assert!(narrow.group.knows(second) && narrow.cluster.is_empty() && narrow.device.is_empty());
}

#[test]
fn order_goes_on_over_barriers_and_third_threads() {
    let (mut first, mut second, mut third) = (clocks(1, 2), clocks(2, 2), clocks(30, 2));
    let write = now(&first, 40);
    let mut barrier = Brought::default();
    (0..2).for_each(|warp| first.arrive(warp, &mut barrier));
    (0..2).for_each(|warp| first.depart(warp, &barrier));
    first.fence(0, 1, Level::Device);
    hand_over(&mut first, 0, &mut second, 0);
    assert!(second.is_ordered(write, 0) && !second.is_ordered(write, 40));
    let mut barrier = Brought::default();
    (0..2).for_each(|warp| second.arrive(warp, &mut barrier));
    (0..2).for_each(|warp| second.depart(warp, &barrier));
    assert!(second.is_ordered(write, 40));
    second.fence(1, 1 << 8, Level::Device);
    hand_over(&mut second, 40, &mut third, 33);
    assert!(third.is_ordered(write, 33) && !third.is_ordered(write, 34));
    third.meet(1, 0b110);
    assert!(third.is_ordered(write, 34) && !third.is_ordered(write, 36));
}

#[test]
fn what_each_thread_fenced_before_a_barrier_one_thread_releases_behind_it() {
    let (mut giver, mut taker) = (clocks(1, 2), clocks(2, 1));
    let (fenced, not_fenced) = (now(&giver, 40), now(&giver, 41));
    giver.fence(1, 1 << 8, Level::Device);
    let mut barrier = Brought::default();
    (0..2).for_each(|warp| giver.arrive(warp, &mut barrier));
    (0..2).for_each(|warp| giver.depart(warp, &barrier));
    hand_over(&mut giver, 0, &mut taker, 0);
    assert!(taker.is_ordered(fenced, 0) && !taker.is_ordered(not_fenced, 0));
}
