use gridwright_core::KernelArg;

use crate::arch::{self, GroupShape};
use crate::{Group, InPhase, Private, Values};

/// Operations by which the threads of a warp (AMD: wave) use each other's values.
///
/// A warp is a run of the group's threads, counted row after row: 32 on NVIDIA and on the CPU, 32 or 64 on AMD. The
/// last warp of a group may have fewer threads.
impl<'k, S: GroupShape> Group<'k, S> {
    /// Each thread gets whether any value in its warp is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, found: &Private<bool>) {
    /// let somebody_found_it = g.vote_any(found);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__any_sync`.
    #[inline(always)]
    pub fn vote_any(&self, values: &Values<bool>) -> Private<'k, bool> {
        Private { values: arch::warp::any(&self.context, &values.values) }
    }

    /// Each thread gets whether every value in its warp is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, done: &Private<bool>) {
    /// let all_are_done = g.vote_all(done);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__all_sync`.
    #[inline(always)]
    pub fn vote_all(&self, values: &Values<bool>) -> Private<'k, bool> {
        Private { values: arch::warp::all(&self.context, &values.values) }
    }

    /// Each thread gets the values of its warp combined into one, two by two, in an order of the device's choosing.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) {
    /// let sums = g.warp_reduce(values, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::WarpReduce`, or `cg::reduce`; every lane gets the result.
    #[inline(always)]
    pub fn warp_reduce<T, F>(&self, values: &Values<T>, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { values: arch::warp::reduce(&self.context, &values.values, combine) }
    }
}
