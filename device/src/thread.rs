use core::marker::PhantomData;

use crate::arch::Identity;

/// One thread of a launch: the proof of *who* runs, which [`PerThread::get_mut`] asks for.
///
/// A kernel gets its thread as the first argument. There is no other way to come by one: it can't be
/// made, kept beyond the kernel, or given to another OS thread.
///
/// In two dimensions the column is x, the row is y.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn positions(t: Thread, mut out: PerThread<Matrix<[u32; 2]>>) {
///     let position = [t.row() as u32, t.col() as u32];
///     if let Some(out) = out.get_mut(t) {
///         *out = position;
///     }
/// }
/// ```
///
/// It can't leave its kernel:
///
/// ```compile_fail
/// use gridwright::prelude::*;
///
/// fn keep(_: Thread<'static>) {}
///
/// #[gpu_kernel]
/// fn stash(t: Thread) {
///     keep(t);
/// }
/// ```
///
/// [`PerThread::get_mut`]: crate::PerThread::get_mut
///
/// The closure of [`Group::each_while`] gets a `Thread<'_, Repeatable>`, which functions that have effects don't accept.
///
/// A function that only asks where the thread is takes either kind:
///
/// ```
/// use gridwright::prelude::*;
///
/// fn square_of_distance<C>(t: Thread<'_, C>) -> usize {
///     t.row() * t.row() + t.col() * t.col()
/// }
/// ```
///
/// [`Group::each_while`]: crate::Threads::each_while
///
/// # From CUDA
/// The built-in variables `threadIdx`, `blockIdx`, `blockDim` and `gridDim`, as one value that only a thread has.
#[derive(Debug)]
pub struct Thread<'t, C = Once> {
    pub(crate) identity: Identity<'t>,
    _calls: PhantomData<C>,
    _brand: PhantomData<Brand<'t>>,
}

// Derived, they would ask for them of `C`.
impl<C> Clone for Thread<'_, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Thread<'_, C> {}

/// Mark of a thread whose code is called once, and may have effects.
#[derive(Clone, Copy, Debug)]
pub struct Once;

/// Mark of a thread whose code may be called again with the same state.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::group::Repeatable;
///
/// /// Where a thread of `each_while` begins. Atomics don't take it.
/// fn start(t: Thread<'_, Repeatable>, step: f32) -> f32 {
///     t.index() as f32 * step
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Repeatable;

/// Marker of a thread: invariant in 't, neither `Send` nor `Sync`. A thread is itself, here and now.
pub(crate) type Brand<'t> = (fn(&'t ()) -> &'t (), *const ());

/// The position of a thread in its workgroup.
///
/// ```
/// # use gridwright::prelude::*;
/// fn is_on_the_diagonal(t: Thread) -> bool {
///     let Local { x, y, .. } = t.local();
///     x == y
/// }
/// ```
///
/// # From CUDA
/// `threadIdx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// Column of the thread in its workgroup.
    pub x: usize,
    /// Row of the thread in its workgroup.
    pub y: usize,
    /// Plane of the thread in its workgroup.
    pub z: usize,
}

impl<'t, C> Thread<'t, C> {
    #[inline(always)]
    pub(crate) fn new(identity: Identity<'t>) -> Self {
        Self { identity, _calls: PhantomData, _brand: PhantomData }
    }

    /// The thread's position in the launch, counted row after row.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn iota(t: Thread, mut out: PerThread<[u64]>) {
    ///     if let Some(out) = out.get_mut(t) {
    ///         *out = t.index() as u64;
    ///     }
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `blockIdx.x * blockDim.x + threadIdx.x`, in one dimension.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.identity.index()
    }

    /// The thread's row in the launch, its y.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_on_top(t: Thread) -> bool {
    ///     t.row() == 0
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `blockIdx.y * blockDim.y + threadIdx.y`.
    #[inline(always)]
    pub fn row(self) -> usize {
        self.identity.row()
    }

    /// The thread's column in the launch, its x.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_leftmost(t: Thread) -> bool {
    ///     t.col() == 0
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `blockIdx.x * blockDim.x + threadIdx.x`.
    #[inline(always)]
    pub fn col(self) -> usize {
        self.identity.col()
    }

    /// The thread's plane in the launch, its z.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_in_front(t: Thread) -> bool {
    ///     t.plane() == 0
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `blockIdx.z * blockDim.z + threadIdx.z`.
    #[inline(always)]
    pub fn plane(self) -> usize {
        self.identity.plane()
    }

    /// The thread's position in its workgroup.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn column_plus_row(t: Thread) -> usize {
    ///     let Local { x, y, z: _ } = t.local();
    ///     x + y
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `threadIdx`.
    #[inline(always)]
    pub fn local(self) -> Local {
        self.identity.local()
    }

    /// The number of the thread's workgroup, counted row after row.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_in_the_first_group(t: Thread) -> bool {
    ///     t.group_index() == 0
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `blockIdx.x`, in one dimension.
    #[inline(always)]
    pub fn group_index(self) -> usize {
        self.identity.group_index()
    }

    /// The thread's place in its warp (AMD: wave): from 0 to 31, or to 63 on AMD's CDNA GPUs. On the CPU a warp has 32
    /// threads.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn leads_its_warp(t: Thread) -> bool {
    ///     t.lane() == 0
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `threadIdx.x % warpSize`, in one dimension; PTX's `%laneid`.
    #[inline(always)]
    pub fn lane(self) -> usize {
        self.identity.lane()
    }
}
