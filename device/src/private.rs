use core::fmt;
use core::ops::Deref;

use crate::arch::PrivateValues;

/// One value for each thread of a group, that lives across phases: on a GPU a register.
///
/// [`private`](crate::Threads::private) and [`map`](crate::Threads::map) of a level make it; phases hand it out as
/// `&private` or `&mut private`; the level's collectives take it (see *Glossary* in the book: private value, collective).
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
#[repr(transparent)]
pub struct Private<'g, T: Copy + 'static> {
    pub(crate) values: PrivateValues<'g, T>,
}

impl<T: Copy + 'static> fmt::Debug for Private<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Private").finish_non_exhaustive()
    }
}

impl<T: Copy + 'static> Deref for Private<'_, T> {
    type Target = Values<T>;

    #[inline(always)]
    fn deref(&self) -> &Values<T> {
        let private: *const Self = self;
        // SAFETY: both are values and nothing else. Values are only read, and only for as long as the private is borrowed.
        unsafe { &*private.cast() }
    }
}

/// The values of a [`Private`], whatever its lifetime: what collectives take. A `&Private<T>` coerces to `&Values<T>`.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::Level;
/// use gridwright::level::Values;
///
/// fn sum(level: &impl Level, values: &Values<u32>) -> u32 {
///     level.reduce_add(values)
/// }
///
/// fn sum_of_group<S: GroupShape>(g: &Group<'_, S>, values: &Private<u32>) -> u32 {
///     sum(g, values)
/// }
/// ```
#[repr(transparent)]
pub struct Values<T: Copy + 'static> {
    pub(crate) values: PrivateValues<'static, T>,
}

impl<T: Copy + 'static> Values<T> {
    /// The values as phases hand them out.
    #[inline(always)]
    pub(crate) fn as_private(&self) -> &Private<'_, T> {
        let values: *const Self = self;
        // SAFETY: both are values and nothing else, and the private has the lifetime of the borrow.
        unsafe { &*values.cast() }
    }
}

impl<T: Copy + 'static> fmt::Debug for Values<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values").finish_non_exhaustive()
    }
}
