use gridwright_core::KernelArg;

use super::collective::{Collective, Gives};
use super::threads::Threads;
use crate::Values;

/// Levels, and parts of levels, that are made of a warp's lanes, of which each can name others: a [`Warp`](crate::Warp), a
/// [`LaneTile`](crate::LaneTile), [`LaneTiles`](crate::LaneTiles), a [`LanePartition`](crate::LanePartition),
/// [`Coalesced`](crate::Coalesced) lanes, and a [`Group`](crate::Group), in which lanes are those of each thread's warp.
///
/// A *lane* is a thread's number: in its warp, in its tile, or among the lanes that were chosen, where it is the thread's rank.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::level::Lanes;
///
/// /// Each value minus that of the lane before it.
/// fn of_the_lane_before<L: Lanes>(lanes: &L, values: &Private<f32>) -> L::Private<f32> {
///     lanes.shuffle_up(values, 1)
/// }
/// ```
pub trait Lanes: Collective {
    /// What a [`ballot`](Threads::ballot) gives.
    type Votes: Gives;

    #[doc(hidden)]
    fn of_lanes<T: KernelArg>(&self, values: &Values<T>, lanes: &Values<u32>) -> Self::Private<T>;

    #[doc(hidden)]
    fn of_lane<T, F>(&self, values: &Values<T>, lane: F) -> Self::Private<T>
    where
        T: KernelArg,
        F: Fn(usize) -> usize + crate::InPhase;

    #[doc(hidden)]
    #[inline(always)]
    fn flipped<T: KernelArg>(&self, values: &Values<T>, mask: usize) -> Self::Private<T> {
        self.of_lane(values, move |lane| lane ^ mask)
    }

    #[doc(hidden)]
    #[inline(always)]
    fn shifted_up<T: KernelArg>(&self, values: &Values<T>, delta: usize) -> Self::Private<T> {
        self.of_lane(values, move |lane| lane.checked_sub(delta).unwrap_or(usize::MAX))
    }

    #[doc(hidden)]
    #[inline(always)]
    fn shifted_down<T: KernelArg>(&self, values: &Values<T>, delta: usize) -> Self::Private<T> {
        self.of_lane(values, move |lane| lane.saturating_add(delta))
    }

    #[doc(hidden)]
    fn votes(&self, values: &Values<bool>) -> Votes<Self>;

    #[doc(hidden)]
    fn equals(&self, values: &Values<u64>) -> Self::Private<u64>;

    #[doc(hidden)]
    fn equal_bits(&self, values: &Values<u32>, bits: u32) -> Self::Private<u64>;
}

/// The mask that a [`ballot`](Threads::ballot) of `L` gives: a `u64` of a [`Warp`](crate::Warp), a [`LaneTile`](crate::LaneTile) and
/// [`Coalesced`](crate::Coalesced) lanes, a [`Private<u64>`](crate::Private) of all else.
pub type Votes<L> = <<L as Lanes>::Votes as Gives>::Of<u64>;

impl<L: Lanes> Threads<L> {
    /// Each thread gets the value of the lane whose number it has in `lanes`, or its own value if there is no such lane.
    ///
    /// Lanes that [`Coalesced`](crate::Coalesced) leaves out get the same among themselves.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn of_the_first_in_four<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    ///     let lanes = w.map((), |t, ()| t.lane() as u32 / 4 * 4);
    ///     let theirs: Private<f32> = w.shuffle(values, &lanes);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_sync`, or `shfl(value, rank)` of a cooperative group. A value can have any size.
    #[inline(always)]
    pub fn shuffle<T: KernelArg>(&self, values: &Values<T>, lanes: &Values<u32>) -> L::Private<T> {
        self.level().of_lanes(values, lanes)
    }

    /// Each thread gets the value of the lane whose number is its own with the bits of `mask` flipped, or its own value if there is
    /// no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn of_the_other_in_the_pair<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    ///     let theirs: Private<f32> = w.shuffle_xor(values, 1);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_xor_sync`, or `shfl_xor(value, mask)` of a cooperative group.
    #[inline(always)]
    pub fn shuffle_xor<T: KernelArg>(&self, values: &Values<T>, mask: usize) -> L::Private<T> {
        self.level().flipped(values, mask)
    }

    /// Each thread gets the value of the lane `delta` places before its own. The first `delta` lanes keep their own values.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn of_the_one_before<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    ///     let theirs: Private<f32> = w.shuffle_up(values, 1);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_up_sync`, or `shfl_up(value, delta)` of a cooperative group.
    #[inline(always)]
    pub fn shuffle_up<T: KernelArg>(&self, values: &Values<T>, delta: usize) -> L::Private<T> {
        self.level().shifted_up(values, delta)
    }

    /// Each thread gets the value of the lane `delta` places behind its own. The last `delta` lanes keep their own values.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn of_the_next<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    ///     let theirs: Private<f32> = w.shuffle_down(values, 1);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_down_sync`, or `shfl_down(value, delta)` of a cooperative group.
    #[inline(always)]
    pub fn shuffle_down<T: KernelArg>(&self, values: &Values<T>, delta: usize) -> L::Private<T> {
        self.level().shifted_down(values, delta)
    }

    /// A mask with a bit for each lane whose value is true. The lowest bit is lane 0.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn first_match<S: GroupShape>(w: &Warp<'_, S>, found: &Private<bool>) -> u32 {
    ///     w.ballot(found).trailing_zeros()
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__ballot_sync`, as 64 bits: AMD's waves can have 64 lanes.
    #[inline(always)]
    pub fn ballot(&self, values: &Values<bool>) -> Votes<L> {
        self.level().votes(values)
    }

    /// Each thread gets a mask with a bit for each lane that has the same value as itself.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn with_the_same_bin<S: GroupShape>(w: &Warp<'_, S>, bins: &Private<u64>) {
    ///     let masks: Private<u64> = w.match_any(bins);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__match_any_sync`.
    #[inline(always)]
    pub fn match_any(&self, values: &Values<u64>) -> L::Private<u64> {
        self.level().equals(values)
    }

    /// Each thread gets a mask with a bit for each lane whose value has the same lowest `bits` bits as its own: a vote on each bit, which for
    /// some ten bits is faster than [`match_any`](Self::match_any). Of 32 bits or more the whole value is compared.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn with_the_same_digit<S: GroupShape>(w: &Warp<'_, S>, digits: &Private<u32>) {
    ///     let masks: Private<u64> = w.match_bits(digits, 8);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cub::MatchAny<8>(digit)`.
    #[inline(always)]
    pub fn match_bits(&self, values: &Values<u32>, bits: u32) -> L::Private<u64> {
        self.level().equal_bits(values, bits)
    }
}
