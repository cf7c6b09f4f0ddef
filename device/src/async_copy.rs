use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;

use crate::arch::{self, GroupContext, GroupShape};
use crate::element::ArrayElement;
use crate::{Access, Group, GroupMemory, Matrix, Workgroup};

/// Copies to workgroup memory that run while the group computes: what [`Group::copies`] gives to its closure.
///
/// `'s` is as long as the body runs, and memory that is copied to is given away, or borrowed for all of it: what a copy may
/// still write can't be touched, not even if the [`Loading`] is forgotten. `'env` is what may be borrowed, as with
/// [`std::thread::scope`](https://doc.rust-lang.org/std/thread/fn.scope.html).
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::memory::AsyncCopies;
///
/// /// Begins the copy of a tile and of what is beside it, and waits for both.
/// fn load_both<'s, 'env, 'k, S: GroupShape>(
///     copies: &AsyncCopies<'s, 'env, 'k, S>,
///     x: &'s [f32],
///     tiles: [Workgroup<'s, [f32; 64]>; 2],
///     start: usize,
/// ) {
///     let [here, beside] = tiles;
///     let loading = (copies.load(here, x, start), copies.load(beside, x, start + 64));
///     copies.wait(loading);
/// }
/// ```
///
/// # From CUDA
/// `cuda::pipeline` with `cuda::memcpy_async`, or `__pipeline_memcpy_async`: `cp.async`.
pub struct AsyncCopies<'s, 'env: 's, 'k, S: GroupShape> {
    context: &'env GroupContext<'k, S>,
    /// Number of copies begun so far, equal for all threads.
    begun: Cell<u32>,
    _scope: PhantomData<&'s mut &'s ()>,
    _environment: PhantomData<&'env mut &'env ()>,
}

/// A copy to workgroup memory that has begun. [`AsyncCopies::wait`] ends the copy and gives the memory back.
///
/// ```
/// # use gridwright::prelude::*;
/// fn work_while_loading<S: GroupShape>(g: &Group<'_, S>, x: &[f32], tile: Workgroup<[f32; 64]>) {
///     g.copies(|copies| {
///         let loading = copies.load(tile, x, 0);
///         // … what needs something else
///         let tile = copies.wait(loading);
///         g.each(tile.elements(), |_, _slot| {});
///     });
/// }
/// ```
///
/// Before that nothing can touch it:
///
/// ```compile_fail,E0599
/// # use gridwright::prelude::*;
/// #[gpu_kernel(block = 64)]
/// fn too_early(g: &Group, x: &[f32], tile: Workgroup<[f32; 64]>) {
///     g.copies(|copies| {
///         let loading = copies.load(tile, x, 0);
///         g.each(loading.elements_mut(), |_, slot| *slot = 0.0); // error: no method named `elements_mut` found
///     });
/// }
/// ```
#[must_use = "the memory comes back from `wait`"]
pub struct Loading<'s, M> {
    memory: M,
    /// Number of copies that the `AsyncCopies` had begun, this one included. No other `AsyncCopies` counts it.
    number: u32,
    _scope: PhantomData<&'s mut &'s ()>,
}

impl<'k, S: GroupShape> Group<'k, S> {
    /// Calls `body` at group level, where copies to workgroup memory can run while the group does something else.
    ///
    /// [`load`](AsyncCopies::load) and [`load_tile`](AsyncCopies::load_tile) begin a copy, any number of them, and
    /// [`wait`](AsyncCopies::wait) ends it. On NVIDIA's GPUs from sm_80 on the hardware copies by itself (`cp.async`): a
    /// loop that begins the copy of its next turn before it computes hides the time that memory takes, and no register
    /// holds what comes. Elsewhere the copy is made when it is begun, with the same result.
    ///
    /// A copy takes its memory, and `wait` gives it back. Copies that nothing waits for are waited for when the body ends.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// const T: usize = 16;
    ///
    /// /// C = A·B: while one pair of tiles is multiplied, the next is copied.
    /// #[gpu_kernel(block = (T, T), requires = a.cols() == b.rows())]
    /// fn matmul(g: &Group, a: &Matrix<f32>, b: &Matrix<f32>, mut c: PerThread<Matrix<f32>>,
    ///           mut a_tiles: Workgroup<[[[f32; T]; T]; 2]>, mut b_tiles: Workgroup<[[[f32; T]; T]; 2]>) {
    ///     let (row, col) = (g.origin().y, g.origin().x);
    ///     let mut acc = g.private(0.0_f32);
    ///     let ([a0, a1], [b0, b1]) = (a_tiles.stages(), b_tiles.stages());
    ///     g.copies(|copies| {
    ///         let mut loading = (copies.load_tile(a0, a, row, 0), copies.load_tile(b0, b, 0, col));
    ///         let mut free = (a1, b1);
    ///         for k in (0..a.cols()).step_by(T) {
    ///             let next = (copies.load_tile(free.0, a, row, k + T), copies.load_tile(free.1, b, k + T, col));
    ///             let (ta, tb) = copies.wait(loading);
    ///             g.each((&mut acc, ta.shared(), tb.shared()), |t, (acc, ta, tb)| {
    ///                 let l = t.local();
    ///                 for i in 0..T {
    ///                     *acc = ta[l.y][i].mul_add(tb[i][l.x], *acc);
    ///                 }
    ///             });
    ///             (loading, free) = (next, (ta, tb));
    ///         }
    ///     });
    ///     g.each((&acc, c.elements_mut()), |_, (acc, c)| {
    ///         if let Some(c) = c {
    ///             *c = *acc;
    ///         }
    ///     });
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let a = stream.upload_matrix(20, 50, &[1.0; 1000])?;
    /// let b = stream.upload_matrix(50, 40, &[2.0; 2000])?;
    /// let mut c = stream.alloc_matrix_zeroed(20, 40)?;
    /// matmul::load(&device)?.launch(&stream, LaunchConfig::for_matrix(20, 40), (&a, &b, &mut c))?;
    /// assert!(stream.download(&c)?.iter().all(|&c| c == 100.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Memory that is being copied to can't be used beside the copy, also where only a part of it was given away:
    ///
    /// ```compile_fail,E0499
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn while_it_comes(g: &Group, x: &[f32], mut tile: Workgroup<[f32; 64]>) {
    ///     g.copies(|copies| {
    ///         std::mem::forget(copies.load(tile.flat(), x, 0));
    ///         g.fill(&mut tile, 0.0);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn copies<'env, R, F>(&'env self, body: F) -> R
    where
        F: for<'s> FnOnce(&'s AsyncCopies<'s, 'env, 'k, S>) -> R,
    {
        let copies = AsyncCopies {
            context: &self.context,
            begun: Cell::new(0),
            _scope: PhantomData,
            _environment: PhantomData,
        };
        let result = body(&copies);
        arch::wait_for_copies(0);
        self.context.end(Access::Write);
        result
    }
}

impl<'s, S: GroupShape> AsyncCopies<'s, '_, '_, S> {
    /// Begins to copy `from[start..]` to workgroup memory, as far as the memory has room. Elements beyond the end of
    /// `from` are zero.
    ///
    /// The hardware copies 16 bytes at once where the memory, its size, the first element and the number of elements that
    /// there are allow it, else elements of 4, 8 or 16 bytes. Elements whose alignment is less than 4 bytes are copied by
    /// the threads.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn load_in_background<S: GroupShape>(g: &Group<'_, S>, x: &[f32], w: Workgroup<[f32]>) {
    ///     g.copies(|copies| {
    ///         let loading = copies.load(w, x, g.origin().x);
    ///         // … what needs something else
    ///         let w = copies.wait(loading);
    ///         # let _ = w.len();
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cuda::memcpy_async` by the whole block, and `pipeline.producer_commit()`.
    #[inline(always)]
    pub fn load<M: GroupMemory + 's>(
        &self,
        mut to: M,
        from: &'s [M::Element],
        start: usize,
    ) -> Loading<'s, M> {
        let memory = to.elements();
        // SAFETY: nobody else has the memory for as long as copies may run, and what is copied is shared as long.
        unsafe { arch::begin_load(self.context, memory.cast(), memory.len(), from, start) };
        self.begun(to)
    }

    /// Begins to copy the tile of a matrix that begins at a row and a column. Elements outside of the matrix are zero.
    ///
    /// As [`load`](Self::load), row by row: 16 bytes at once where the matrix's rows begin at multiples of 16 bytes, and
    /// the tile's too.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn load_tile_of_group<S: GroupShape>(
    ///     g: &Group<'_, S>,
    ///     m: &Matrix<f32>,
    ///     tile: Workgroup<[[f32; 16]; 16]>,
    /// ) {
    ///     g.copies(|copies| {
    ///         let loading = copies.load_tile(tile, m, g.origin().y, g.origin().x);
    ///         let tile = copies.wait(loading);
    ///         # let _ = tile.shared();
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cuda::memcpy_async` for each row of a tile, and `pipeline.producer_commit()`.
    #[inline(always)]
    pub fn load_tile<T: ArrayElement, const N: usize, const M: usize>(
        &self,
        to: Workgroup<'s, [[T; N]; M]>,
        from: &'s Matrix<T>,
        row: usize,
        col: usize,
    ) -> Loading<'s, Workgroup<'s, [[T; N]; M]>> {
        self.load_padded_tile::<N, T, N, M>(to, from, row, col)
    }

    /// Begins to copy a matrix's tile to the first `COLS` elements of each row of `to`. Elements outside of the matrix are zero.
    ///
    /// The rest of a row of `to` keeps rows in different banks, and holds what it held.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn load_padded<S: GroupShape>(g: &Group<'_, S>, m: &Matrix<f32>, tile: Workgroup<[[f32; 20]; 16]>) {
    ///     g.copies(|copies| {
    ///         let loading = copies.load_padded_tile::<16, _, _, _>(tile, m, g.origin().y, g.origin().x);
    ///         let tile = copies.wait(loading);
    ///         # let _ = tile.shared();
    ///     });
    /// }
    /// ```
    ///
    /// A row of `to` has at least `COLS` elements:
    ///
    /// ```compile_fail,E0080
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn beyond_a_row(g: &Group, m: &Matrix<f32>, tile: Workgroup<[[f32; 16]; 16]>) {
    ///     g.copies(|copies| drop(copies.load_padded_tile::<20, _, _, _>(tile, m, 0, 0)));
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// beyond_a_row::load(&Device::cpu()?)?;
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)]
    pub fn load_padded_tile<const COLS: usize, T: ArrayElement, const N: usize, const M: usize>(
        &self,
        to: Workgroup<'s, [[T; N]; M]>,
        from: &'s Matrix<T>,
        row: usize,
        col: usize,
    ) -> Loading<'s, Workgroup<'s, [[T; N]; M]>> {
        const { assert!(COLS <= N, "more columns are copied than a row has") };
        // SAFETY: nobody else has the tile while copies may run, the matrix is shared as long, and a row has room for `COLS`.
        unsafe { arch::begin_load_tile::<_, _, COLS, N, M>(self.context, to.element(0), from, row, col) };
        self.begun(to)
    }

    #[inline(always)]
    fn begun<M>(&self, memory: M) -> Loading<'s, M> {
        let number = self.begun.get().wrapping_add(1);
        self.begun.set(number);
        Loading { memory, number, _scope: PhantomData }
    }

    /// Waits until copies have ended, and gives their memory back, in which every thread sees the copied elements.
    ///
    /// Copies that were begun later go on. For several copies at once, give a tuple.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn load_both<S: GroupShape>(
    ///     g: &Group<'_, S>,
    ///     x: &[f32],
    ///     y: &[f32],
    ///     v: Workgroup<[f32]>,
    ///     w: Workgroup<[f32]>,
    /// ) {
    ///     g.copies(|copies| {
    ///         let (v, w) = (copies.load(v, x, 0), copies.load(w, y, 0));
    ///         let (v, w) = copies.wait((v, w));
    ///         # let _ = v.len() + w.len();
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__pipeline_wait_prior` and `__syncthreads()`.
    #[inline(always)]
    pub fn wait<L: Loads<'s>>(&self, loads: L) -> L::Memory {
        arch::wait_for_copies(loads.later(self.begun.get()));
        self.context.end(Access::Write);
        loads.memory()
    }
}

/// Copies that [`AsyncCopies::wait`] can wait for: a [`Loading`] or a tuple of up to four.
///
/// ```
/// # use gridwright::prelude::*;
/// fn load_two_parts<S: GroupShape>(g: &Group<'_, S>, x: &[f32], v: Workgroup<[f32]>, w: Workgroup<[f32]>) {
///     g.copies(|copies| {
///         let loading = (copies.load(v, x, 0), copies.load(w, x, 64));
///         let (v, w) = copies.wait(loading); // `Loads::Memory` of the pair
///         # let _ = v.len() + w.len();
///     });
/// }
/// ```
///
/// # Safety
/// `later` is no more than how many copies were begun after the last of them, if so many were begun in all.
pub unsafe trait Loads<'s> {
    /// The memory that [`AsyncCopies::wait`] gives back.
    type Memory;

    #[doc(hidden)]
    fn later(&self, begun: u32) -> u32;

    #[doc(hidden)]
    fn memory(self) -> Self::Memory;
}

// SAFETY: copies are counted; where the count has run over, it is too few.
unsafe impl<'s, M> Loads<'s> for Loading<'s, M> {
    type Memory = M;

    #[inline(always)]
    fn later(&self, begun: u32) -> u32 {
        begun.wrapping_sub(self.number)
    }

    #[inline(always)]
    fn memory(self) -> M {
        self.memory
    }
}

macro_rules! tuples {
    // There is no copy to wait for.
    () => {};
    ($($load:ident $i:tt),*) => {
        // SAFETY: the fewest came after the last.
        unsafe impl<'s, $($load: Loads<'s>),*> Loads<'s> for ($($load,)*) {
            type Memory = ($($load::Memory,)*);

            #[inline(always)]
            fn later(&self, begun: u32) -> u32 {
                u32::MAX $(.min(self.$i.later(begun)))*
            }

            #[inline(always)]
            fn memory(self) -> Self::Memory {
                ($(self.$i.memory(),)*)
            }
        }
    };
}

gridwright_core::for_tuples!(4, tuples);

impl<S: GroupShape> fmt::Debug for AsyncCopies<'_, '_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncCopies").field("begun", &self.begun.get()).finish_non_exhaustive()
    }
}

impl<M> fmt::Debug for Loading<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loading").field("number", &self.number).finish_non_exhaustive()
    }
}

macro_rules! stages {
    ($([$($generics:tt)*] $memory:ty => $stage:ty;)*) => {$(
        impl<T: ArrayElement, $($generics)* const STAGES: usize> Workgroup<'_, $memory> {
            /// The parts of workgroup memory, one for each stage of a pipeline of [copies](Group::copies).
            ///
            /// ```
            /// # use gridwright::prelude::*;
            /// #[gpu_kernel(block = 64)]
            /// fn load_two_stages(g: &Group, x: &[f32], mut stages: Workgroup<[[f32; 64]; 2]>) {
            ///     let [mut even, mut odd] = stages.stages();
            ///     g.load(&mut even, x, 0);
            ///     g.load(&mut odd, x, 64);
            /// }
            /// ```
            #[inline(always)]
            pub fn stages(&mut self) -> [Workgroup<'_, $stage>; STAGES] {
                let first = self.as_mut_ptr().cast::<$stage>();
                // SAFETY: the array has as many parts, which don't overlap, and is borrowed exclusively.
                core::array::from_fn(|stage| unsafe { Workgroup::from_raw(first.add(stage)) })
            }
        }
    )*};
}

stages! {
    [const N: usize,] [[T; N]; STAGES] => [T; N];
    [const N: usize, const M: usize,] [[[T; N]; M]; STAGES] => [[T; N]; M];
}
