use core::ops::Deref;

use gridwright_core::KernelArg;

use super::Threads;
use crate::warp::{Reduction, WarpInteger};
use crate::{InPhase, Private, Values};

/// What a collective gives: one value for all threads, [`OfAll`], or a value to each thread, [`EachThread`].
///
/// ```
/// use gridwright::level::Gives;
///
/// fn size_of_result<G: Gives>() -> usize {
///     size_of::<G::Of<u64>>()
/// }
/// ```
pub trait Gives {
    /// The result of a collective whose values are combined into a `T`.
    type Of<T: Copy + 'static>;
    /// A number of threads.
    type Count;
}

/// Collectives give all threads of the level one value: a `T`, which code at the level goes on with.
///
/// ```
/// use gridwright::level::{Gives, OfAll};
///
/// let sum: <OfAll as Gives>::Of<f32> = 1.0;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OfAll;

impl Gives for OfAll {
    type Of<T: Copy + 'static> = T;
    type Count = usize;
}

/// Collectives give each thread the value of its own part of the level: a [`Private`].
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::level::{EachThread, Gives};
///
/// fn sums<'k, S: GroupShape>(g: &Group<'k, S>, values: &Private<f32>) -> <EachThread<'k> as Gives>::Of<f32> {
///     g.tiled::<8>().reduce(values, |a, b| a + b)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EachThread<'k>(core::marker::PhantomData<&'k ()>);

impl<'k> Gives for EachThread<'k> {
    type Of<T: Copy + 'static> = Private<'k, T>;
    type Count = Private<'k, u32>;
}

/// The result of a collective of `L` that combines values of type `T`: a `T` of a [`Level`], a [`Private<T>`](Private) of
/// [`LaneTiles`](crate::LaneTiles) and of a [`LanePartition`](crate::LanePartition).
pub type Given<L, T> = <<L as Collective>::Gives as Gives>::Of<T>;

/// A number of threads of `L`: a `usize` of a [`Level`], a [`Private<u32>`](Private) of [`LaneTiles`](crate::LaneTiles) and of a
/// [`LanePartition`](crate::LanePartition).
pub type Count<L> = <<L as Collective>::Gives as Gives>::Count;

/// Threads that compute together: a [`Level`], or the parts of one that compute side by side, as
/// [`LaneTiles`](crate::LaneTiles) and a [`LanePartition`](crate::LanePartition) are.
///
/// Their collectives are methods of [`Threads`], to which they dereference. A function that takes any of them:
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::level::{Collective, Given};
///
/// fn greatest<L: Collective>(level: &L, values: &Private<f32>) -> Given<L, f32> {
///     level.reduce(values, f32::max)
/// }
///
/// fn greatest_of_all_and_of_each_four<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) -> f32 {
///     let of_each_four = greatest(&g.tiled::<4>(), values);
///     greatest(g, &of_each_four)
/// }
/// ```
pub trait Collective: Sized + Deref<Target = Threads<Self>> + super::by_context::Sealed {
    /// What collectives give.
    type Gives: Gives;
    /// A value for each thread: a [`Private`] of the level's lifetime.
    type Private<T: Copy + 'static>: Deref<Target = Values<T>>;

    #[doc(hidden)]
    fn threads(&self) -> Count<Self>;

    #[doc(hidden)]
    fn ranks(&self) -> Self::Private<u32>;

    #[doc(hidden)]
    fn filled<T: Copy + 'static>(&self, value: T) -> Self::Private<T>;

    #[doc(hidden)]
    fn reduced<T, F>(&self, values: &Values<T>, combine: F) -> Given<Self, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase;

    #[doc(hidden)]
    #[inline(always)]
    fn reduced_integers<T: WarpInteger>(&self, values: &Values<T>, reduction: Reduction) -> Given<Self, T> {
        self.reduced(values, |a, b| a.combined(b, reduction))
    }

    #[doc(hidden)]
    fn scanned_with_own<T, F>(&self, values: &Values<T>, combine: F) -> Self::Private<T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase;

    #[doc(hidden)]
    fn scanned<T, F>(&self, values: &Values<T>, start: T, combine: F) -> Self::Private<T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase;

    #[doc(hidden)]
    #[track_caller]
    fn value_of<T: KernelArg>(&self, values: &Values<T>, thread: usize) -> Given<Self, T>;

    #[doc(hidden)]
    fn any_is(&self, values: &Values<bool>) -> Given<Self, bool>;

    #[doc(hidden)]
    fn all_are(&self, values: &Values<bool>) -> Given<Self, bool>;

    #[doc(hidden)]
    fn counted(&self, values: &Values<bool>) -> Count<Self>;
}

/// Whatever runs collectives as one: a [`Group`](crate::Group), a [`Warp`](crate::Warp), a [`LaneTile`](crate::LaneTile) of one,
/// [`Coalesced`](crate::Coalesced) lanes, a [`Cluster`](crate::Cluster) or a [`Grid`](crate::Grid).
///
/// A helper takes any of them, and has the methods of [`Threads`]:
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::Level;
///
/// /// The mean of all threads' values.
/// fn mean(level: &impl Level, values: &Private<f32>) -> f32 {
///     level.reduce(values, |a, b| a + b) / level.len() as f32
/// }
///
/// /// The mean of each group, and of each warp of it.
/// #[gpu_kernel(block = 64)]
/// fn means(g: &Group, x: &[f32], mut of_group: PerGroup<[f32]>, mut of_warp: PerThread<[f32]>) {
///     let mine = g.map((), |t, ()| x.get_or(t.index(), 0.0));
///     of_group.set(g, mean(g, &mine));
///     g.each_warp((&mine, &mut of_warp), |w, (mine, mut of_warp)| {
///         let mean = mean(w, mine);
///         w.each(of_warp.elements_mut(), |_, of_warp| {
///             if let Some(of_warp) = of_warp {
///                 *of_warp = mean;
///             }
///         });
///     });
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// # let x: Vec<f32> = (0..64).map(|i| i as f32).collect();
/// # let (mut of_group, mut of_warp) = (stream.alloc_zeroed(1)?, stream.alloc_zeroed(64)?);
/// # let arguments = (&stream.upload(&x)?, &mut of_group, &mut of_warp);
/// # means::load(&device)?.launch(&stream, LaunchConfig::threads(64), arguments)?;
/// # assert_eq!(stream.download(&of_group)?, [31.5]);
/// # assert_eq!(stream.download(&of_warp)?, [[15.5; 32], [47.5; 32]].concat());
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// A function template over `cooperative_groups` types.
pub trait Level: Collective<Gives = OfAll> {}

impl<L: Collective<Gives = OfAll>> Level for L {}
