use core::fmt;

use crate::arch::Cells;

/// One value for each thread of a group, that lives across phases: on a GPU a register.
///
/// [`Group::private`](crate::Group::private) and [`Group::map`](crate::Group::map) make it; a group's phases hand it out as
/// `&private` or `&mut private`; the group's collectives take it (see *Glossary* in the book: private value, collective).
///
/// ```
/// use gridwright::prelude::*;
///
/// /// The sum of 32 neighbours, for each group of 32 threads.
/// #[gpu_kernel(block = 32)]
/// fn sums(g: &Group, x: &[u32], mut out: PerGroup<[u32]>) {
///     let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
///     out.set(g, g.reduce(&mine, |a, b| a + b));
/// }
/// ```
///
/// # From CUDA
/// A local variable, in a register of each thread, that lives across `__syncthreads()`.
pub struct Private<'g, T: Copy + 'static> {
    pub(crate) cells: Cells<'g, T>,
}

impl<T: Copy + 'static> fmt::Debug for Private<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Private").finish_non_exhaustive()
    }
}
