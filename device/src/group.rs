use core::fmt;
use core::marker::PhantomData;

use gridwright_core::{COLLECTIVE_BYTES, Dim, KernelArg, Uniform};

use crate::arch::{self, Cells, Endless, GroupShape, Team, WarpCells};
use crate::bounds::no_element;
use crate::element::ArrayElement;
use crate::thread::{Brand, Repeatable};
use crate::views::FixedSlots;
use crate::warp;
use crate::{
    Access, Blocks, Items, Matrix, Private, Thread, Warp, WarpItems, WarpPrivate, Whole, Workgroup,
    WorkgroupMut,
};

/// A workgroup: the first argument, `g: &Group`, of a kernel whose body runs for a whole group at once.
///
/// The kernel's body runs at *group level*: every thread of the group runs it, all with the same values. What threads
/// do on their own they do in *phases*, closures that [`each`](Self::each), [`map`](Self::map) and
/// [`each_while`](Self::each_while) call for each thread, with what that thread may touch. A phase that touches memory
/// that the group shares ends with a barrier. The framework inserts the barrier, so it can't be forgotten. A closure
/// can't begin a phase, so no barrier can be reached by some threads only.
///
/// A function that takes a group is generic over its shape: `fn helper<S: GroupShape>(g: &Group<'_, S>)`.
///
/// ```
/// use gridwright::prelude::*;
///
/// const T: usize = 16;
///
/// /// C = A·B with 16×16 tiles in workgroup memory.
/// #[gpu_kernel(block = (T, T), requires = a.cols() == b.rows())]
/// fn matmul(g: &Group, a: &Matrix<f32>, b: &Matrix<f32>, mut c: PerThread<Matrix<f32>>,
///           mut ta: Workgroup<[[f32; T]; T]>, mut tb: Workgroup<[[f32; T]; T]>) {
///     let mut acc = g.private(0.0_f32); // one value a thread: a register on a GPU
///     for k in (0..a.cols()).step_by(T) {
///         g.each((ta.each_mut(), tb.each_mut()), |t, (a_slot, b_slot)| {
///             *a_slot = a.get_or(t.row(), k + t.local().x, 0.0);
///             *b_slot = b.get_or(k + t.local().y, t.col(), 0.0);
///         });
///         g.each((&mut acc, ta.shared(), tb.shared()), |t, (acc, ta, tb)| {
///             let l = t.local();
///             for i in 0..T {
///                 *acc = ta[l.y][i].mul_add(tb[i][l.x], *acc);
///             }
///         });
///     }
///     g.each((&acc, c.each_mut()), |_, (acc, c)| {
///         if let Some(c) = c {
///             *c = *acc;
///         }
///     });
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let a = stream.upload_matrix(20, 30, &[1.0; 600])?;
/// let b = stream.upload_matrix(30, 40, &[2.0; 1200])?;
/// let mut c = stream.upload_matrix(20, 40, &[0.0; 800])?;
/// matmul::load(&device)?.launch(&stream, LaunchConfig::for_matrix(20, 40), (&a, &b, &mut c))?;
/// assert!(stream.download(&c)?.iter().all(|&c| c == 60.0));
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// A thread block, `cg::thread_block`. Barriers are the ends of phases: there is no `__syncthreads()` to write.
pub struct Group<'k, S: GroupShape> {
    pub(crate) team: Team<'k, S>,
    _brand: PhantomData<Brand<'k>>,
}

impl<'k, S: GroupShape> Group<'k, S> {
    #[inline(always)]
    pub(crate) fn new(team: Team<'k, S>) -> Self {
        Self { team, _brand: PhantomData }
    }

    /// The number of the group's threads.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) -> usize {
    /// let half = g.len() / 2;
    /// # half }
    /// ```
    ///
    /// # From CUDA
    /// `blockDim.x * blockDim.y * blockDim.z`.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)] // a group has a thread
    pub fn len(&self) -> usize {
        let [x, y, z] = self.team.sizes();
        x * y * z
    }

    /// The number of the group in the launch, counted row after row.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) -> bool {
    /// let first = g.index() == 0;
    /// # first }
    /// ```
    ///
    /// # From CUDA
    /// `blockIdx.x`, in one dimension.
    #[inline(always)]
    pub fn index(&self) -> usize {
        self.team.index()
    }

    /// The number of groups in the launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) -> usize {
    /// let threads = g.groups() * g.len();
    /// # threads }
    /// ```
    ///
    /// # From CUDA
    /// `gridDim.x`, in one dimension.
    #[inline(always)]
    pub fn groups(&self) -> usize {
        let [x, y, z] = self.team.grid();
        x * y * z
    }

    /// The number of groups of the launch along x, y and z.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) -> bool {
    /// let in_the_last_row = g.index() / g.grid().x == g.grid().y - 1;
    /// # in_the_last_row }
    /// ```
    ///
    /// # From CUDA
    /// `gridDim`.
    #[inline(always)]
    pub fn grid(&self) -> Dim {
        let [x, y, z] = self.team.grid();
        Dim { x, y, z }
    }

    /// The number of threads of the group along x, y and z.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) -> usize {
    /// let columns = g.shape().x;
    /// # columns }
    /// ```
    ///
    /// # From CUDA
    /// `blockDim`.
    #[inline(always)]
    pub fn shape(&self) -> Dim {
        let [x, y, z] = self.team.sizes();
        Dim { x, y, z }
    }

    /// The column, row and plane of the group's first thread in the launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) -> usize {
    /// let first_row = g.origin().y;
    /// # first_row }
    /// ```
    ///
    /// # From CUDA
    /// `blockIdx.x * blockDim.x`, and so along y and z.
    #[inline(always)]
    pub fn origin(&self) -> Dim {
        let [x, y, z] = self.team.origin();
        Dim { x, y, z }
    }

    /// A phase of the group: calls `body` for each thread, with the thread's item of each view.
    ///
    /// `items` is a view or a tuple of up to eight. Threads run in no order. What they write to memory that
    /// the group shares, the next phase sees.
    ///
    /// # Panics
    /// If a view has fewer slots than threads take part. The launch then ends with `Error::KernelPanic`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// Each element minus its left neighbour in the group.
    /// #[gpu_kernel(block = 64)]
    /// fn differences(g: &Group, x: &[f32], mut y: PerThread<[f32]>, mut w: Workgroup<[f32; 64]>) {
    ///     g.each(w.each_mut(), |t, w| *w = x.get(t.index()).copied().unwrap_or(0.0));
    ///     g.each((y.each_mut(), w.shared()), |t, (y, w)| {
    ///         let i = t.local().x;
    ///         if let Some(y) = y {
    ///             *y = if i > 0 { w[i] - w[i - 1] } else { w[i] };
    ///         }
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// The code between two `__syncthreads()`: a phase ends with one, if it touches memory of the group.
    #[inline(always)]
    #[track_caller]
    pub fn each<D, F>(&self, items: D, body: F)
    where
        D: Items,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) + InPhase,
    {
        items.each(&self.team, body);
    }

    /// A phase that makes a value for each thread of the group.
    ///
    /// # Panics
    /// As for [`each`](Self::each).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, x: &[f32]) -> f32 {
    /// let squares = g.map((), |t, ()| x.get(t.index()).map_or(0.0, |x| x * x));
    /// # g.reduce(&squares, |a, b| a + b) }
    /// ```
    ///
    /// # From CUDA
    /// The code between two `__syncthreads()` that sets a variable, which the code behind them uses.
    #[inline(always)]
    #[track_caller]
    pub fn map<D, R, F>(&self, items: D, body: F) -> Private<'k, R>
    where
        D: Items + Whole,
        R: Copy + 'static,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> R + InPhase,
    {
        Private { cells: items.map(&self.team, body) }
    }

    /// A phase that calls `body` for each thread of the group again and again, until `body` returns `false` for that thread.
    ///
    /// On a GPU this is a loop in each thread. On the CPU many threads run side by side, and one that has finished may be
    /// called again on its last state: so its [`Thread`] is one that atomics don't accept. This makes loops of
    /// different length, such as those of mandelbrot, several times faster there. Where effects are needed, there is
    /// [`each_while_branching`](Self::each_while_branching).
    ///
    /// # Panics
    /// As for [`each`](Self::each).
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
    ///     g.each((&count, steps.each_mut()), |_, (count, steps)| {
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
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, D::Item<'i>) -> bool + InPhase,
    {
        items.each_while(&self.team, Endless, body);
    }

    /// A phase that calls `body` for each thread of the group until `body` returns `false`, at most `most` times.
    ///
    /// All threads of the group have one `most`. On the CPU this common limit costs nothing, whereas a count that each
    /// thread keeps itself is a comparison in each call.
    ///
    /// # Panics
    /// As for [`each`](Self::each).
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
    ///     g.each((&root, y.each_mut()), |_, (root, y)| {
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
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, D::Item<'i>) -> bool + InPhase,
    {
        items.each_while(&self.team, most, body);
    }

    /// A phase that calls `body` for each thread of the group exactly until `body` returns `false`: `body` may have effects.
    ///
    /// The calls for one thread are made in order.
    ///
    /// # Panics
    /// As for [`each`](Self::each).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, queue: &Atomic<[u32]>, jobs: u32) {
    /// g.each_while_branching((), |t, ()| {
    ///     let job = queue.fetch_add(t, 0, 1);
    ///     job < jobs
    /// });
    /// # }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_while_branching<D, F>(&self, items: D, body: F)
    where
        D: Items,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> bool + InPhase,
    {
        items.each_while_branching(&self.team, body);
    }

    /// Calls `body` for each warp of the group, which runs it on its own, with phases, shuffles and votes of the warp.
    ///
    /// `items` says what each warp gets: one of [`WarpItems`](crate::WarpItems), or a tuple of up to eight. Warps run in
    /// no order and may take different ways: loops at warp level end when the warp says so. When all have ended, the
    /// group goes on, and sees what they wrote.
    ///
    /// # Panics
    /// If workgroup memory has too few elements for the group's warps.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// The greatest element of a few rows of the matrix, of which each warp takes one.
    /// #[gpu_kernel(block = 128)]
    /// fn greatest(g: &Group, m: &Matrix<f32>, mut out: PerGroup<[f32]>, mut slots: Workgroup<[f32; 4]>) {
    ///     let first = g.index() * g.warps();
    ///     g.each_warp(slots.each_warp_mut(1), |w, mut slot| {
    ///         let mut mine = w.private(f32::MIN);
    ///         let row = first + w.index();
    ///         for col in (0..m.cols()).step_by(w.size()) {
    ///             w.each(&mut mine, |t, mine| *mine = mine.max(m.get_or(row, col + t.lane(), f32::MIN)));
    ///         }
    ///         w.set(&mut slot, 0, w.reduce(&mine, f32::max));
    ///     });
    ///     let greatest = (0..g.warps()).map(|warp| g.read(&slots, warp)).fold(f32::MIN, f32::max);
    ///     out.set(g, greatest);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// Code that depends on `threadIdx.x / warpSize`.
    #[inline(always)]
    #[track_caller]
    pub fn each_warp<D, F>(&self, items: D, body: F)
    where
        D: WarpItems,
        F: for<'w, 'i> Fn(&Warp<'w, S>, D::Item<'i>) + InPhase,
    {
        self.team.begin(D::ACCESS);
        warp::each_warp(&self.team, items, body);
        // A barrier also where it got no memory: it may have read what it captured, and the group's next phase may write that.
        self.team.end(D::ACCESS);
    }

    /// The number of the group's warps. The last one may have fewer threads than the others.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn in_a_kernel(g: &Group, mut w: Workgroup<[u32]>) {
    /// g.each(w.each_mut().take(g.warps()), |_, slot| *slot = 0);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `(blockDim.x + warpSize - 1) / warpSize`, in one dimension.
    #[inline(always)]
    pub fn warps(&self) -> usize {
        self.len().div_ceil(self.warp_size())
    }

    /// The number of threads of a full warp: 32, or 64 on AMD's CDNA GPUs. On the CPU it is 32.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) -> bool {
    /// let full_warps_only = g.len().is_multiple_of(g.warp_size());
    /// # full_warps_only }
    /// ```
    ///
    /// # From CUDA
    /// `warpSize`.
    #[inline(always)]
    pub fn warp_size(&self) -> usize {
        arch::warp_size()
    }

    /// An iterator over the places where blocks of `len` elements begin, of `n` elements in all: 0, `len`, twice `len`, below `n`.
    ///
    /// It compiles to what a `while` with a counter does.
    ///
    /// # Panics
    /// If `len` is zero, or one of them is more than `isize::MAX`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// The sum of each group's part of every 64 elements.
    /// #[gpu_kernel(block = 64)]
    /// fn sum(g: &Group, x: &[f32], mut out: PerGroup<[f32]>) {
    ///     let mut sums = g.private(0.0_f32);
    ///     for start in g.blocks(x.len(), 64 * g.groups()) {
    ///         g.each(&mut sums, |t, sum| *sum += x.get_or(start + t.index(), 0.0));
    ///     }
    ///     out.set(g, g.reduce(&sums, |a, b| a + b));
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `for (int start = 0; start < n; start += TILE)`, with barriers inside.
    #[inline(always)]
    #[track_caller]
    pub fn blocks(&self, n: usize, len: usize) -> Blocks {
        Blocks::new(n, len)
    }

    /// A private value for each thread of the group: each begins as `value`, and phases change it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) {
    /// let mut sum = g.private(0.0_f32);
    /// g.each(&mut sum, |t, sum| *sum += t.index() as f32);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// A local variable that lives across `__syncthreads()`.
    #[inline(always)]
    pub fn private<T: Copy + 'static>(&self, value: T) -> Private<'k, T> {
        Private { cells: Cells::filled(&self.team, value) }
    }

    /// A private value for each warp: each begins as `value`, and the warp changes it. See [`WarpPrivate`](crate::WarpPrivate).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>) {
    /// let mut turns = g.warp_private(0_u32);
    /// g.each_warp(&mut turns, |_, turns| *turns += 1);
    /// # }
    /// ```
    #[inline(always)]
    pub fn warp_private<T: Copy + 'static>(&self, value: T) -> WarpPrivate<'k, T> {
        WarpPrivate { cells: WarpCells::filled(&self.team, value) }
    }

    /// Reads an element of workgroup memory at group level, after the phase that wrote it and before the next one that writes it.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, w: &Workgroup<[f32]>) -> f32 {
    /// let first = g.read(w, 0);
    /// # first }
    /// ```
    ///
    /// # From CUDA
    /// An element of `__shared__` memory that every thread reads between two `__syncthreads()`.
    #[inline(always)]
    #[track_caller]
    pub fn read<M: GroupMemory>(&self, memory: &M, index: usize) -> M::Element {
        self.team.begin(Access::Read);
        // SAFETY: the phase that wrote it ended with a barrier, and so does this.
        let value = unsafe { memory.get(index) };
        self.team.end(Access::Read);
        value
    }

    /// Writes one value to all of a workgroup's memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, bins: &mut Workgroup<[u32; 1000]>) {
    /// g.fill(bins, 0); // whatever the number of threads
    /// # }
    /// ```
    #[inline(always)]
    pub fn fill<M: GroupMemory>(&self, memory: &mut M, value: M::Element) {
        let memory = memory.elements();
        self.team.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively.
        unsafe { arch::fill(&self.team, memory, value) };
        self.team.end(Access::Write);
    }

    /// Fills workgroup memory of two axes: each element becomes what `value` gives for its row and column.
    ///
    /// The number of threads doesn't matter: the memory may be larger than the block, as a tile with its neighbours is.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel(block = (16, 16))]
    /// # fn in_a_kernel(g: &Group, heat: &Matrix<f32>, power: &Matrix<f32>, mut tile: Workgroup<[[f32; 18]; 18]>) {
    /// let (top, left) = (g.origin().y.wrapping_sub(1), g.origin().x.wrapping_sub(1));
    /// g.fill_with(&mut tile, |row, col| {
    ///     let (row, col) = (top.wrapping_add(row), left.wrapping_add(col));
    ///     heat.get_or(row, col, 0.0) + power.get_or(row, col, 0.0)
    /// });
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// A loop from `threadIdx.y * blockDim.x + threadIdx.x` on, in steps of the block's threads, that fills a `__shared__` tile, and
    /// a barrier.
    #[inline(always)]
    pub fn fill_with<T: ArrayElement, const N: usize, const M: usize, F>(
        &self,
        to: &mut Workgroup<'_, [[T; N]; M]>,
        value: F,
    ) where
        F: Fn(usize, usize) -> T + InPhase,
    {
        self.team.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively.
        unsafe { arch::fill_with::<_, _, N, M>(&self.team, to.element(0), value) };
        self.team.end(Access::Write);
    }

    /// Copies `from[start..]` to workgroup memory, as far as the memory has room. Elements outside of `from` are zero.
    ///
    /// The copy may begin before the first element, by a number below zero in `usize`'s arithmetic: `x.wrapping_sub(halo)`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, x: &[f32], w: &mut Workgroup<[f32]>) {
    /// g.load(w, x, g.origin().x);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// A loop from `threadIdx.x` on that fills `__shared__` memory in steps of `blockDim.x`, and a barrier.
    #[inline(always)]
    pub fn load<M: GroupMemory>(&self, to: &mut M, from: &[M::Element], start: usize) {
        let to = to.elements();
        self.team.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively.
        unsafe { arch::load(&self.team, to.cast(), to.len(), from, start) };
        self.team.end(Access::Write);
    }

    /// Copies the tile of a matrix that begins at a row and a column to workgroup memory. Elements outside of the matrix are zero.
    ///
    /// The tile may begin before the first row or column: `g.origin().y.wrapping_sub(1)` loads a border, too.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, m: &Matrix<f32>, tile: &mut Workgroup<[[f32; 16]; 16]>) {
    /// g.load_tile(tile, m, g.origin().y, g.origin().x);
    /// # }
    /// ```
    #[inline(always)]
    pub fn load_tile<T: ArrayElement, const N: usize, const M: usize>(
        &self,
        to: &mut Workgroup<'_, [[T; N]; M]>,
        from: &Matrix<T>,
        row: usize,
        col: usize,
    ) {
        self.load_padded_tile::<N, T, N, M>(to, from, row, col);
    }

    /// Copies a matrix's tile to the first `COLS` elements of each row of `to`. Elements outside of the matrix are zero.
    ///
    /// The rest of a row of `to` keeps rows in different banks, and holds what it held.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, m: &Matrix<f32>, tile: &mut Workgroup<[[f32; 17]; 16]>) {
    /// g.load_padded_tile::<16, _, _, _>(tile, m, g.origin().y, g.origin().x);
    /// # }
    /// ```
    ///
    /// A row of `to` has at least `COLS` elements:
    ///
    /// ```compile_fail,E0080
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn beyond_a_row(g: &Group, m: &Matrix<f32>, mut tile: Workgroup<[[f32; 16]; 16]>) {
    ///     g.load_padded_tile::<20, _, _, _>(&mut tile, m, 0, 0);
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// beyond_a_row::load(&Device::cpu()?)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// The load of a tile with a column more, such as `__shared__ float tile[32][33]`.
    #[inline(always)]
    pub fn load_padded_tile<const COLS: usize, T: ArrayElement, const N: usize, const M: usize>(
        &self,
        to: &mut Workgroup<'_, [[T; N]; M]>,
        from: &Matrix<T>,
        row: usize,
        col: usize,
    ) {
        const { assert!(COLS <= N, "more columns are copied than a row has") };
        self.team.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively, and a row has as many elements.
        unsafe { arch::load_tile::<_, _, COLS, N, M>(&self.team, to.element(0), from, row, col) };
        self.team.end(Access::Write);
    }

    /// Combines the values of all threads of the group into one, two by two, in an order of the device's choosing.
    ///
    /// `combine` has to be associative and commutative, or the result depends on the device. Every thread gets the same result.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) -> f32 {
    /// let greatest = g.reduce(values, f32::max);
    /// # greatest }
    /// ```
    ///
    /// # From CUDA
    /// `cub::BlockReduce`, whose result only thread 0 has.
    #[inline(always)]
    pub fn reduce<T, F>(&self, values: &Private<'_, T>, combine: F) -> T
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        fits_collectives::<T>();
        arch::collective::reduce(&self.team, &values.cells, combine)
    }

    /// Each thread gets its own value combined with those of all threads before it. `combine` has to be associative.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<u32>) {
    /// let sums = g.scan_inclusive(values, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `InclusiveScan` of `cub::BlockScan`.
    #[inline(always)]
    pub fn scan_inclusive<T, F>(&self, values: &Private<'_, T>, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        fits_collectives::<T>();
        Private { cells: arch::collective::scan_inclusive(&self.team, &values.cells, combine) }
    }

    /// Each thread gets `start` combined with the values of all threads before it. `combine` has to be associative,
    /// with `start` as its neutral element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, counts: &Private<u32>) {
    /// let offsets = g.scan_exclusive(counts, 0, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `ExclusiveScan` of `cub::BlockScan`.
    #[inline(always)]
    pub fn scan_exclusive<T, F>(&self, values: &Private<'_, T>, start: T, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        fits_collectives::<T>();
        Private { cells: arch::collective::scan_exclusive(&self.team, &values.cells, start, combine) }
    }

    /// Gives all threads of the group the value of one thread. Threads are counted row after row.
    ///
    /// # Panics
    /// If the group has no such thread.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) -> f32 {
    /// let last = g.broadcast(values, g.len() - 1);
    /// # last }
    /// ```
    ///
    /// # From CUDA
    /// A `__shared__` variable that one thread writes before `__syncthreads()`, and all read behind it.
    #[inline(always)]
    #[track_caller]
    pub fn broadcast<T: KernelArg>(&self, values: &Private<'_, T>, thread: usize) -> T {
        fits_collectives::<T>();
        let threads = self.len();
        assert!(thread < threads, "thread {thread} of a group of {threads}");
        arch::collective::broadcast(&self.team, &values.cells, thread)
    }

    /// Whether the value of any thread is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, x: &[f32]) -> bool {
    /// let has_nan = g.any(&g.map((), |t, ()| x.get(t.index()).is_some_and(|x| x.is_nan())));
    /// # has_nan }
    /// ```
    ///
    /// # From CUDA
    /// `__syncthreads_or`.
    #[inline(always)]
    pub fn any(&self, values: &Private<'_, bool>) -> bool {
        arch::collective::any(&self.team, &values.cells)
    }

    /// Whether every thread's value is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, done: &Private<bool>) -> bool {
    /// let all_done = g.all(done);
    /// # all_done }
    /// ```
    ///
    /// # From CUDA
    /// `__syncthreads_and`.
    #[inline(always)]
    pub fn all(&self, values: &Private<'_, bool>) -> bool {
        arch::collective::all(&self.team, &values.cells)
    }

    /// The number of threads whose value is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(g: &Group<'_, S>, found: &Private<bool>) -> usize {
    /// let found = g.count(found);
    /// # found }
    /// ```
    ///
    /// # From CUDA
    /// `__syncthreads_count`.
    #[inline(always)]
    pub fn count(&self, values: &Private<'_, bool>) -> usize {
        arch::collective::count(&self.team, &values.cells)
    }
}

impl<S: GroupShape> fmt::Debug for Group<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group").field("index", &self.index()).field("shape", &self.shape()).finish()
    }
}

/// Closures that a phase can call: all that they capture is the same for every thread, and no thread changes it.
///
/// A function that takes a closure for its phases needs no other bound:
///
/// ```
/// use gridwright::InPhase;
/// use gridwright::prelude::*;
///
/// fn for_each<S: GroupShape, F: Fn(u32) -> u32 + InPhase>(
///     g: &Group<'_, S>,
///     values: &mut Private<'_, u32>,
///     change: F,
/// ) {
///     g.each(values, |_, value| *value = change(*value));
/// }
/// ```
///
/// # Safety
/// What the closure captures is `Sync`, and [`Uniform`].
#[diagnostic::on_unimplemented(
    message = "a phase can't use this of the code around it",
    label = "captures its group or warp, a `Private`, a `Cell`, an atomic on the stack or another value that threads could \
             change",
    note = "phases and collectives begin at group level only, outside of closures, and a warp's in the closure of \
            `each_warp`; what threads or warps read and write is handed out: `g.each((&private, w.each_mut()), |t, (private, \
            slot)| …)`, `g.each_warp(&private, |w, private| …)`"
)]
pub unsafe trait InPhase: Sync + Uniform {}

// SAFETY: the bounds say so.
#[diagnostic::do_not_recommend]
unsafe impl<F: Sync + Uniform> InPhase for F {}

/// Workgroup memory that a group reads and fills as a whole: [`Workgroup`] and [`WorkgroupMut`].
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::group::GroupMemory;
///
/// /// Makes all of it ones, whether it is a whole memory or a part.
/// fn ones<S: GroupShape>(g: &Group<'_, S>, memory: &mut impl GroupMemory<Element = f32>) {
///     g.fill(memory, 1.0);
/// }
/// ```
///
/// # Safety
/// `elements` is the memory, borrowed.
pub unsafe trait GroupMemory {
    /// The type of the memory's elements.
    type Element: KernelArg;

    /// # Panics
    /// Beyond the last element.
    ///
    /// # Safety
    /// At group level, between the barriers that keep others from writing it.
    #[doc(hidden)]
    unsafe fn get(&self, index: usize) -> Self::Element;

    #[doc(hidden)]
    fn elements(&mut self) -> *mut [Self::Element];
}

macro_rules! memory {
    ($([$($generics:tt)*] $memory:ty, $element:ty, $this:ident => $inner:expr;)*) => {$(
        // SAFETY: it is.
        unsafe impl<$($generics)*> GroupMemory for $memory {
            type Element = $element;

            #[inline(always)]
            #[track_caller]
            unsafe fn get(&self, index: usize) -> $element {
                let $this = self;
                let len = $inner.count();
                if index >= len {
                    no_element(index, len, "in workgroup memory");
                }
                // SAFETY: the index was just seen to be inside; a barrier came after the phase that wrote the element.
                unsafe { $inner.element(index).read() }
            }

            #[inline(always)]
            fn elements(&mut self) -> *mut [$element] {
                let $this = self;
                core::ptr::slice_from_raw_parts_mut($inner.element(0), $inner.count())
            }
        }
    )*};
}

memory! {
    [T: KernelArg] Workgroup<'_, [T]>, T, memory => memory;
    [S: FixedSlots] Workgroup<'_, S>, S::Element, memory => memory;
    [T: KernelArg] WorkgroupMut<'_, T>, T, memory => memory.0;
}

/// Refuses, in every build, what no warp of a group on a GPU could put where the others find it.
#[inline(always)]
fn fits_collectives<T>() {
    const {
        assert!(
            size_of::<T>() <= COLLECTIVE_BYTES,
            "the threads of a group exchange values of at most 1024 bytes: exchange larger ones in pieces, or through workgroup memory"
        );
    }
}
