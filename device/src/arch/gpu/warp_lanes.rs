//! The lanes of a warp, or of a tile of one, that this thread is among, and what they exchange.

use gridwright_core::KernelArg;

use super::words::by_word;
use crate::arch::hardware;

/// This thread's warp, or its tile of one.
#[derive(Clone, Copy, Debug)]
pub struct Warp {
    /// The hardware's lane that is the warp's first: zero, but for tiles.
    pub(super) first: u32,
    /// The number of lanes of a full warp.
    pub(super) size: u32,
    /// This thread's place in the warp.
    pub(super) lane: u32,
    /// The number of the warp's threads: all, but in the last warp of a group.
    pub(super) threads: u32,
    /// The warp's number in the group, or in what it is a tile of.
    pub(super) number: u32,
}

impl Warp {
    /// The warp of the hardware, of the thread of a number in a group of so many.
    #[inline(always)]
    pub(super) fn whole(number: u32, threads: u32) -> Self {
        let size = hardware::warp_size();
        let (lane, threads) = (number % size, present(number, threads, size));
        Self { first: 0, size, lane, threads, number: number / size }
    }

    /// The tile of so many lanes, a power of two, of the thread of a number, in a group of so many that is of whole warps
    /// but for the last.
    #[inline(always)]
    pub(super) fn tile_of_group(number: u32, threads: u32, size: u32) -> Self {
        let (lane, threads) = (number % size, present(number, threads, size));
        let first = number % hardware::warp_size() / size * size;
        Self { first, size, lane, threads, number: number / size }
    }

    /// The tile of `size` lanes of this warp that has the thread.
    #[inline(always)]
    pub(super) fn tile(self, size: u32) -> Self {
        let (lane, threads) = (self.lane % size, present(self.lane, self.threads, size));
        Self { first: self.first + self.lane / size * size, size, lane, threads, number: self.lane / size }
    }

    /// A bit for each of the warp's threads, the lowest for its first.
    #[inline(always)]
    pub(super) fn lanes(self) -> u64 {
        u64::MAX >> (64 - self.threads)
    }

    /// A bit for each of the warp's threads, the lowest for the first lane of the hardware.
    #[inline(always)]
    pub(super) fn members(self) -> u64 {
        self.lanes() << self.first
    }

    /// The value of a lane; of one that isn't there, the thread's own.
    #[inline(always)]
    pub(super) fn value_of<T: KernelArg>(self, value: T, lane: u32) -> T {
        let lane = if lane < self.threads { lane } else { self.lane };
        // SAFETY: called at group or warp level; the lane is there.
        by_word(value, |word| unsafe { hardware::shuffle(self.members(), word, self.first + lane) })
    }

    /// The hardware's lane that this thread is.
    #[inline(always)]
    fn of_hardware(self) -> u32 {
        self.first + self.lane
    }

    /// The value of the lane `distance` places before this one, less than the hardware's warp has, and whether there is one in its run of
    /// `run` lanes, a power of two: else the thread's own.
    #[inline(always)]
    fn value_before_in<T: KernelArg>(self, value: T, distance: u32, run: u32) -> (T, bool) {
        // What has no words comes by no shuffle.
        let mut is_there = self.lane % run >= distance;
        let value = by_word(value, |word| {
            let (members, lane) = (self.members(), self.of_hardware());
            let theirs;
            // SAFETY: called at group or warp level; a warp's threads are its first lanes.
            (theirs, is_there) = unsafe { hardware::shuffle_up(members, word, lane, distance, run) };
            theirs
        });
        (value, is_there)
    }

    /// The value of the lane `distance` places before this one, and whether there is one: else the thread's own.
    #[inline(always)]
    pub(super) fn value_before<T: KernelArg>(self, value: T, distance: u32) -> (T, bool) {
        self.value_before_in(value, distance, self.size)
    }

    /// The value of the lane `distance` places behind this one, less than the hardware's warp has; of one that isn't there, the thread's own.
    #[inline(always)]
    pub(super) fn value_behind<T: KernelArg>(self, value: T, distance: u32) -> T {
        let Self { size, threads, .. } = self;
        by_word(value, |word| {
            let (members, lane) = (self.members(), self.of_hardware());
            // SAFETY: called at group or warp level; a warp's threads are its first lanes.
            unsafe { hardware::shuffle_down(members, word, lane, distance, size, threads) }
        })
    }

    /// The value of the lane whose number is this one's with the bits of `mask` flipped, which is less than the warp's size; of one that
    /// isn't there, the thread's own.
    #[inline(always)]
    pub(super) fn value_across<T: KernelArg>(self, value: T, mask: u32) -> T {
        let Self { size, threads, .. } = self;
        by_word(value, |word| {
            let (members, lane) = (self.members(), self.of_hardware());
            // SAFETY: called at group or warp level; a warp's threads are its first lanes.
            unsafe { hardware::shuffle_xor(members, word, lane, mask, size, threads) }
        })
    }

    /// The value of a lane, for all: what code at the level of the warp, or of the group, goes by. It is the same in each
    /// thread also where that lane has panicked: then it is the value of another, since a shuffle from a lane that has ended
    /// gives each thread something of its own.
    ///
    /// All that leaves the lanes comes by here, but for votes and the hardware's reductions, which are one value for all.
    #[inline(always)]
    pub(super) fn value_for_all<T: KernelArg>(self, value: T, lane: u32) -> T {
        // SAFETY: called at group or warp level; callers name a lane that is there.
        let lane = unsafe { hardware::living_lane(self.members(), self.first + lane) };
        // SAFETY: called at group or warp level; the lane was just found to be there.
        by_word(value, |word| unsafe { hardware::shuffle(self.members(), word, lane) })
    }

    /// Waits until all of the warp's threads are here; what they wrote to memory that they share is seen by
    /// all.
    #[inline(always)]
    pub(super) fn barrier(self) {
        hardware::barrier_of_warp(self.members());
    }

    #[inline(always)]
    pub(super) fn ballot(self, value: bool) -> u64 {
        // SAFETY: called at group or warp level.
        let votes = unsafe { hardware::ballot(self.members(), value) };
        votes >> self.first & self.lanes()
    }

    /// The values of all lanes, combined in lane 0. Each other lane has combined some of them, too.
    #[inline(always)]
    pub(super) fn combined<T: KernelArg>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let mut sum = value;
        let mut half = self.size / 2;
        while half > 0 {
            let theirs = self.value_across(sum, half);
            if self.lane ^ half < self.threads {
                sum = combine(sum, theirs);
            }
            half /= 2;
        }
        sum
    }

    /// The values of all lanes, combined: for each lane the same.
    #[inline(always)]
    pub(super) fn reduced<T: KernelArg>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        self.value_for_all(self.combined(value, combine), 0)
    }

    /// The values of the lanes up to this one, combined in order.
    #[inline(always)]
    pub(super) fn combined_so_far<T: KernelArg>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        self.combined_so_far_in(value, self.size, combine)
    }

    /// The values of the lanes up to this one in its run of `run` lanes, a power of two, combined in order.
    #[inline(always)]
    fn combined_so_far_in<T: KernelArg>(self, value: T, run: u32, combine: impl Fn(T, T) -> T) -> T {
        let mut sum = value;
        let mut distance = 1;
        while distance < run {
            let (theirs, is_there) = self.value_before_in(sum, distance, run);
            if is_there {
                sum = combine(theirs, sum);
            }
            distance *= 2;
        }
        sum
    }

    /// The values of the warps before this one, combined in order: `value` gives that of each warp of the group, of which there are as
    /// many as `warps`, no more than lanes. All of the hardware's lanes are there.
    ///
    /// Each run of as many lanes as there are warps does the same, so that no lane combines what doesn't belong together.
    #[inline(always)]
    pub(super) fn combined_before<T: KernelArg>(
        self,
        warps: u32,
        value: impl FnOnce(u32) -> T,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        let so_far = self.combined_so_far_in(value(self.lane % warps), warps, combine);
        let before = self.number.wrapping_sub(1);
        // SAFETY: called at group level; all of the hardware's lanes are there.
        let sum = by_word(so_far, |word| unsafe { hardware::shuffle(self.members(), word, before) });
        (self.number > 0).then_some(sum)
    }
}

/// The number of threads, of so many, in the run of `size` that has a number.
#[inline(always)]
fn present(number: u32, threads: u32, size: u32) -> u32 {
    if threads.is_multiple_of(size) { size } else { size.min(threads - number / size * size) }
}
