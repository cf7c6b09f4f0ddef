use gridwright_core::KernelArg;

use crate::arch::{self, GroupShape};
use crate::{Group, InPhase, Private};

/// Operations by which the threads of a warp (AMD: wave) use each other's values.
///
/// A warp is a run of the group's threads, counted row after row: 32 on NVIDIA and on the CPU, 32 or 64 on AMD. The
/// last warp of a group may have fewer threads.
impl<'k, S: GroupShape> Group<'k, S> {
    /// Each thread gets the value of the lane of its warp whose number it has in `lanes`, or its own value if there is
    /// no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn take_the_first_in_four<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    ///     let lanes = g.map((), |t, ()| t.lane() as u32 / 4 * 4);
    ///     let of_the_first_in_four = g.shuffle(values, &lanes);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_sync`, in every warp of the group. A value can have any size.
    #[inline(always)]
    pub fn shuffle<T: KernelArg>(&self, values: &Private<'_, T>, lanes: &Private<'_, u32>) -> Private<'k, T> {
        Private { cells: arch::warp::shuffle_to(&self.team, &values.cells, &lanes.cells) }
    }

    /// Each thread gets the value of the lane whose number is its own with the bits of `mask` flipped, or its own value
    /// if there is no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn swap_in_pairs<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    ///     let of_the_other_in_the_pair = g.shuffle_xor(values, 1);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_xor_sync`, in every warp of the group.
    #[inline(always)]
    pub fn shuffle_xor<T: KernelArg>(&self, values: &Private<'_, T>, mask: usize) -> Private<'k, T> {
        Private { cells: arch::warp::shuffle(&self.team, &values.cells, |_, lane| lane ^ mask) }
    }

    /// Each thread gets the value of the lane `delta` places before its own. The first `delta` lanes of a warp keep
    /// their own values.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn take_the_one_before<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    ///     let of_the_one_before = g.shuffle_up(values, 1);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_up_sync`, in every warp of the group.
    #[inline(always)]
    pub fn shuffle_up<T: KernelArg>(&self, values: &Private<'_, T>, delta: usize) -> Private<'k, T> {
        Private { cells: arch::warp::shift_up(&self.team, &values.cells, delta) }
    }

    /// Each thread gets the value of the lane `delta` places behind its own. The last `delta` lanes of a warp keep
    /// their own values.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn take_the_next<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    ///     let of_the_next = g.shuffle_down(values, 1);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_down_sync`, in every warp of the group.
    #[inline(always)]
    pub fn shuffle_down<T: KernelArg>(&self, values: &Private<'_, T>, delta: usize) -> Private<'k, T> {
        Private { cells: arch::warp::shift_down(&self.team, &values.cells, delta) }
    }

    /// Each thread gets a mask with a bit for each lane of its warp whose value is true. The lowest bit is lane 0.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn find_masks<S: GroupShape>(g: &Group<'_, S>, found: &Private<bool>) {
    ///     let masks = g.ballot(found);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__ballot_sync`, as 64 bits: AMD's waves can have 64 lanes.
    #[inline(always)]
    pub fn ballot(&self, values: &Private<'_, bool>) -> Private<'k, u64> {
        Private { cells: arch::warp::ballot(&self.team, &values.cells) }
    }

    /// Each thread gets whether any value in its warp is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn vote_on_found<S: GroupShape>(g: &Group<'_, S>, found: &Private<bool>) {
    ///     let somebody_found_it = g.vote_any(found);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__any_sync`.
    #[inline(always)]
    pub fn vote_any(&self, values: &Private<'_, bool>) -> Private<'k, bool> {
        Private { cells: arch::warp::any(&self.team, &values.cells) }
    }

    /// Each thread gets whether every value in its warp is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn vote_on_done<S: GroupShape>(g: &Group<'_, S>, done: &Private<bool>) {
    ///     let all_are_done = g.vote_all(done);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__all_sync`.
    #[inline(always)]
    pub fn vote_all(&self, values: &Private<'_, bool>) -> Private<'k, bool> {
        Private { cells: arch::warp::all(&self.team, &values.cells) }
    }

    /// Each thread gets a mask with a bit for each lane of its warp that has the same value as itself.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn match_bins<S: GroupShape>(g: &Group<'_, S>, bins: &Private<u64>) {
    ///     let with_the_same_bin = g.match_any(bins);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__match_any_sync`.
    #[inline(always)]
    pub fn match_any(&self, values: &Private<'_, u64>) -> Private<'k, u64> {
        Private { cells: arch::warp::match_any(&self.team, &values.cells) }
    }

    /// Each thread gets the values of its warp combined into one, two by two, in an order of the device's choosing.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn sum_each_warp<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    ///     let sums = g.warp_reduce(values, |a, b| a + b);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cub::WarpReduce`, or `cg::reduce`; every lane gets the result.
    #[inline(always)]
    pub fn warp_reduce<T, F>(&self, values: &Private<'_, T>, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { cells: arch::warp::reduce(&self.team, &values.cells, combine) }
    }
}
