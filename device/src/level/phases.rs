use super::memory::LevelMemory;
use super::threads::Threads;
use crate::arch::{Endless, Turns};
use crate::grid::GridWide;
use crate::thread::Repeatable;
use crate::{Access, InPhase, Items, LaneItems, Thread, Whole};

/// Levels that have phases: a [`Group`](crate::Group), a [`Warp`](crate::Warp), a [`LaneTile`](crate::LaneTile) and a
/// [`Grid`](crate::Grid).
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::level::Phases;
///
/// /// The sum of all threads' indices, at any of these levels.
/// fn sum_of_indices<L: Phases>(level: &L) -> u32 {
///     level.reduce(&level.map((), |t, ()| t.index() as u32), |a, b| a + b)
/// }
/// ```
pub trait Phases: super::Level {
    /// Which views the level's phases hand out.
    type At: Accepts<()>;

    #[doc(hidden)]
    #[track_caller]
    fn phase<D, F>(&self, items: D, body: F)
    where
        D: Items,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>);

    #[doc(hidden)]
    #[track_caller]
    fn mapped<D, R, F>(&self, items: D, body: F) -> Self::Private<R>
    where
        D: Items,
        R: Copy + 'static,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> R;

    #[doc(hidden)]
    #[track_caller]
    fn phase_while<D, N, F>(&self, items: D, turns: N, body: F)
    where
        D: Items,
        N: Turns,
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, D::Item<'i>) -> bool;

    #[doc(hidden)]
    #[track_caller]
    fn phase_while_branching<D, F>(&self, items: D, body: F)
    where
        D: Items,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> bool;

    #[doc(hidden)]
    fn begin(&self, access: Access);

    #[doc(hidden)]
    fn end(&self, access: Access);

    #[doc(hidden)]
    fn leads(&self) -> bool;
}

/// What phases of a level hand out, as [`Phases::At`] says: all [`Items`] at [`AtGroup`], [`LaneItems`] at [`AtWarp`], and
/// [`GridWide`] items at [`AtGrid`].
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::level::{Accepts, Phases};
///
/// /// The squares of values, at any level whose phases hand out private values.
/// fn squares<L: Phases>(level: &L, values: &Private<f32>) -> L::Private<f32>
/// where
///     L::At: for<'a, 'k> Accepts<&'a Private<'k, f32>>,
/// {
///     level.map(values, |_, value| value * value)
/// }
/// ```
pub trait Accepts<D> {}

/// Phases of a [`Group`](crate::Group) hand out all [`Items`].
///
/// ```
/// use gridwright::level::{Accepts, AtGroup};
/// use gridwright::views::Items;
///
/// fn is_accepted<D: Items>() -> impl Accepts<D> {
///     AtGroup
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AtGroup;

/// Phases of a [`Warp`](crate::Warp) hand out [`LaneItems`].
///
/// ```
/// use gridwright::level::{Accepts, AtWarp};
/// use gridwright::warp::LaneItems;
///
/// fn is_accepted<D: LaneItems>() -> impl Accepts<D> {
///     AtWarp
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AtWarp;

/// Phases of a [`Grid`](crate::Grid) hand out [`GridWide`] items.
///
/// ```
/// use gridwright::level::{Accepts, AtGrid};
/// use gridwright::grid::GridWide;
///
/// fn is_accepted<D: GridWide>() -> impl Accepts<D> {
///     AtGrid
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AtGrid;

impl<D: Items> Accepts<D> for AtGroup {}
impl<D: LaneItems> Accepts<D> for AtWarp {}
impl<D: GridWide> Accepts<D> for AtGrid {}

impl<L: Phases> Threads<L> {
    /// A phase: calls `body` for each thread of the level, with the thread's item of each view.
    ///
    /// `items` is a view or a tuple of up to sixteen: a group hands out [`Items`], a warp [`LaneItems`], which go by lanes, a grid
    /// [`GridWide`] items, of what there is once for the grid. Threads run in no order. What they write to memory that the level
    /// shares, the next phase sees: a phase that touches such memory ends with a barrier.
    ///
    /// # Panics
    /// If a view has fewer slots than threads take part. The launch then ends with `Error::KernelPanic`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// Each element minus its left neighbour in the group.
    /// #[gpu_kernel(block = 64)]
    /// fn differences(g: &Group, x: &[f32], mut y: PerThread<[f32]>, mut w: Workgroup<[f32; 64]>) {
    ///     g.each(w.elements_mut(), |t, w| *w = x.get(t.index()).copied().unwrap_or(0.0));
    ///     g.each((y.elements_mut(), w.shared()), |t, (y, w)| {
    ///         let i = t.local().x;
    ///         if let Some(y) = y {
    ///             *y = if i > 0 { w[i] - w[i - 1] } else { w[i] };
    ///         }
    ///     });
    /// }
    /// ```
    ///
    /// A warp's memory is shared by its lanes only:
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn halves(g: &Group, mut memory: Workgroup<[u32]>) {
    ///     g.each_warp(memory.warp_chunks_mut(g.warp_size()), |w, mut memory| {
    ///         w.each(memory.reborrow().elements_mut(), |t, slot| *slot = t.index() as u32);
    ///         let (low, high) = memory.split_at_mut(w.len() / 2);
    ///         w.each((low.elements_mut().take(w.len() / 2), high.elements().take(w.len() / 2)), |_, (low, high)| *low += *high);
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// The code between two `__syncthreads()`, two `__syncwarp()` or two `grid.sync()`.
    #[inline(always)]
    #[track_caller]
    pub fn each<D, F>(&self, items: D, body: F)
    where
        D: Items,
        L::At: Accepts<D>,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) + InPhase,
    {
        self.level().phase(items, body);
    }

    /// A phase that makes a value for each thread of the level.
    ///
    /// # Panics
    /// If a view has fewer slots than threads take part.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn sum_of_squares<S: GroupShape>(g: &Group<'_, S>, x: &[f32]) -> f32 {
    ///     let squares = g.map((), |t, ()| x.get(t.index()).map_or(0.0, |x| x * x));
    ///     g.reduce(&squares, |a, b| a + b)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// The code between two `__syncthreads()` that sets a variable, which the code behind them uses.
    #[inline(always)]
    #[track_caller]
    pub fn map<D, R, F>(&self, items: D, body: F) -> L::Private<R>
    where
        D: Items + Whole,
        L::At: Accepts<D>,
        R: Copy + 'static,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> R + InPhase,
    {
        self.level().mapped(items, body)
    }

    /// A phase that calls `body` for each thread again and again, until `body` returns `false` for that thread.
    ///
    /// On a GPU this is a loop in each thread. On the CPU many threads run side by side, and one that has finished may be
    /// called again on its last state: so its [`Thread`] is one that atomics don't accept. This makes loops of
    /// different length, such as those of mandelbrot, several times faster there. Where effects are needed, there is
    /// [`each_while_branching`](Self::each_while_branching).
    ///
    /// # Panics
    /// If a view has fewer slots than threads take part.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// The number of steps to 1 of the Collatz sequence.
    /// #[gpu_kernel]
    /// fn collatz(g: &Group, mut steps: PerThread<[u32]>) {
    ///     let mut n = g.map((), |t, ()| t.index() as u32 + 1);
    ///     let mut count = g.private(0_u32);
    ///     g.each_while((&mut n, &mut count), |_, (n, count)| {
    ///         if *n == 1 {
    ///             return false;
    ///         }
    ///         *n = if *n % 2 == 0 { *n / 2 } else { *n * 3 + 1 };
    ///         *count += 1;
    ///         true
    ///     });
    ///     g.each((&count, steps.elements_mut()), |_, (count, steps)| {
    ///         if let Some(steps) = steps {
    ///             *steps = *count;
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_while<D, F>(&self, items: D, body: F)
    where
        D: Items,
        L::At: Accepts<D>,
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, D::Item<'i>) -> bool + InPhase,
    {
        self.level().phase_while(items, Endless, body);
    }

    /// A phase that calls `body` for each thread until `body` returns `false`, at most `most` times.
    ///
    /// All threads have one `most`. On the CPU this common limit costs nothing, whereas a count that each
    /// thread keeps itself is a comparison in each call.
    ///
    /// # Panics
    /// If a view has fewer slots than threads take part.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// Square roots by Newton's method, as exact as they become, but in no more than 20 steps.
    /// #[gpu_kernel]
    /// fn roots(g: &Group, x: &[f32], mut y: PerThread<[f32]>) {
    ///     let x = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(1.0));
    ///     let mut root = g.map(&x, |_, x| x.max(1.0));
    ///     g.each_while_up_to(20, (&x, &mut root), |_, (x, root)| {
    ///         let next = 0.5 * (*root + x / *root);
    ///         let is_better = next < *root;
    ///         if is_better {
    ///             *root = next;
    ///         }
    ///         is_better
    ///     });
    ///     g.each((&root, y.elements_mut()), |_, (root, y)| {
    ///         if let Some(y) = y {
    ///             *y = *root;
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_while_up_to<D, F>(&self, most: u32, items: D, body: F)
    where
        D: Items,
        L::At: Accepts<D>,
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, D::Item<'i>) -> bool + InPhase,
    {
        self.level().phase_while(items, most, body);
    }

    /// A phase that calls `body` for each thread exactly until `body` returns `false`: `body` may have effects.
    ///
    /// The calls for one thread are made in order.
    ///
    /// # Panics
    /// If a view has fewer slots than threads take part.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn take_jobs<S: GroupShape>(g: &Group<'_, S>, queue: &Atomic<[u32]>, jobs: u32) {
    ///     g.each_while_branching((), |t, ()| {
    ///         let job = queue.fetch_add(t, 0, 1);
    ///         job < jobs
    ///     });
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_while_branching<D, F>(&self, items: D, body: F)
    where
        D: Items,
        L::At: Accepts<D>,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> bool + InPhase,
    {
        self.level().phase_while_branching(items, body);
    }

    /// Reads an element of memory that the level shares, after the phase that wrote it and before the next one that writes it. All
    /// threads get the same value.
    ///
    /// A group and a warp read workgroup memory, a grid reads a [`GridMemory`](crate::GridMemory). A warp reads its own part, or
    /// memory that no warp writes.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn in_turns(g: &Group, turns: Workgroup<[u32]>) {
    ///     for _turn in 0..g.read(&turns, 0) {
    ///         // the group as often as the first number says
    ///     }
    ///     g.each_warp((), |w, ()| {
    ///         for _turn in 0..w.read(&turns, w.index()) {
    ///             // each warp as often as its number says
    ///         }
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// An element of `__shared__` memory that every thread reads between two `__syncthreads()`.
    #[inline(always)]
    #[track_caller]
    pub fn read<M: LevelMemory<L::At>>(&self, memory: &M, index: usize) -> M::Value {
        self.level().begin(Access::Read);
        // SAFETY: the phase that wrote it ended with a barrier, and so does this; what no phase of the level wrote, nobody writes
        // before the next barrier of the level above.
        let value = unsafe { memory.get(index) };
        self.level().end(Access::Read);
        value
    }

    /// Writes an element of memory that the level shares: a group's and a warp's own workgroup memory, a grid's
    /// [`GridMemory`](crate::GridMemory).
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn zeros(g: &Group, x: &[u32], mut counts: Workgroup<[u32]>) {
    ///     let found = g.map((), |t, ()| x.get(t.index()) == Some(&0));
    ///     g.each_warp((&found, counts.warp_chunks_mut(1)), |w, (found, mut count)| {
    ///         w.set(&mut count, 0, w.count(found) as u32);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn set<M: LevelMemory<L::At>>(&self, memory: &mut M, index: usize, value: M::Value) {
        let element = memory.element_mut(index);
        self.level().begin(Access::Write);
        if self.level().leads() {
            // SAFETY: the memory has the element, is the level's own and borrowed exclusively, and one thread writes it, between two
            // barriers.
            unsafe { element.write(value) };
        }
        self.level().end(Access::Write);
    }
}
