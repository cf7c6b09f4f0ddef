use core::fmt;
use core::marker::PhantomData;

use gridwright_core::{Dim, Uniform};

use super::memory::GroupMemory;
use crate::arch::{self, GroupContext, GroupShape, WarpPrivateValues};
use crate::element::ArrayElement;
use crate::thread::Brand;
use crate::warp;
use crate::{Access, Blocks, Matrix, Warp, WarpItems, WarpPrivate, Workgroup};

/// A workgroup: the first argument, `g: &Group`, of a kernel whose body runs for a whole group at once.
///
/// The kernel's body runs at *group level*: every thread of the group runs it, all with the same values. What threads
/// do on their own they do in *phases*, closures that [`each`](crate::Threads::each), [`map`](crate::Threads::map) and
/// [`each_while`](crate::Threads::each_while) call for each thread, with what that thread may touch. A phase that touches memory
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
///         g.each((ta.elements_mut(), tb.elements_mut()), |t, (a_slot, b_slot)| {
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
    pub(crate) context: GroupContext<'k, S>,
    _brand: PhantomData<Brand<'k>>,
}

impl<'k, S: GroupShape> Group<'k, S> {
    #[inline(always)]
    pub(crate) fn new(context: GroupContext<'k, S>) -> Self {
        Self { context, _brand: PhantomData }
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
        self.context.index()
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
        let [x, y, z] = self.context.grid();
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
        let [x, y, z] = self.context.grid();
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
        let [x, y, z] = self.context.sizes();
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
        let [x, y, z] = self.context.origin();
        Dim { x, y, z }
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
    ///     g.each_warp(slots.warp_chunks_mut(1), |w, mut slot| {
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
        self.context.begin(D::ACCESS);
        warp::each_warp(&self.context, items, body);
        // A barrier also where it got no memory: it may have read what it captured, and the group's next phase may write that.
        self.context.end(D::ACCESS);
    }

    /// The number of the group's warps. The last one may have fewer threads than the others.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn in_a_kernel(g: &Group, mut w: Workgroup<[u32]>) {
    /// g.each(w.elements_mut().take(g.warps()), |_, slot| *slot = 0);
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
        WarpPrivate { values: WarpPrivateValues::filled(&self.context, value) }
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
        self.context.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively.
        unsafe { arch::fill(&self.context, memory, value) };
        self.context.end(Access::Write);
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
        self.context.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively.
        unsafe { arch::fill_with::<_, _, N, M>(&self.context, to.element(0), value) };
        self.context.end(Access::Write);
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
        self.context.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively.
        unsafe { arch::load(&self.context, to.cast(), to.len(), from, start) };
        self.context.end(Access::Write);
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
        self.context.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively, and a row has as many elements.
        unsafe { arch::load_tile::<_, _, COLS, N, M>(&self.context, to.element(0), from, row, col) };
        self.context.end(Access::Write);
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
            `each_warp`; what threads or warps read and write is handed out: `g.each((&private, w.elements_mut()), |t, (private, \
            slot)| …)`, `g.each_warp(&private, |w, private| …)`"
)]
pub unsafe trait InPhase: Sync + Uniform {}

// SAFETY: the bounds say so.
#[diagnostic::do_not_recommend]
unsafe impl<F: Sync + Uniform> InPhase for F {}
