use core::convert::Infallible;
use core::marker::PhantomData;

use gridwright_core::KernelArg;

use crate::arch::{GroupContext, GroupShape, Identity, LaunchId};
use crate::views::check_launch;
use crate::{Access, Keep, View};

/// A view that gives each thread its elements of a grid-stride loop: a [`GridStride`].
///
/// [`GridMemory::grid_stride_mut`](crate::GridMemory::grid_stride_mut) makes it, for phases of a grid.
///
/// ```
/// # use gridwright::prelude::*;
/// fn number_elements<S: GroupShape>(grid: &Grid<'_, S>, mut x: GridMemory<'_, [f32]>) {
///     grid.each(x.grid_stride_mut(), |_, mine| mine.for_each(|i, x| *x = i as f32));
/// }
/// ```
#[derive(Debug)]
pub struct StrideMut<'a, T: KernelArg> {
    pointer: *mut T,
    len: usize,
    launch: LaunchId,
    _memory: PhantomData<&'a mut T>,
}

impl<T: KernelArg> StrideMut<'_, T> {
    /// A view of memory that is borrowed exclusively, of the launch that it belongs to.
    #[inline(always)]
    pub(super) fn new(pointer: *mut T, len: usize, launch: LaunchId) -> Self {
        Self { pointer, len, launch, _memory: PhantomData }
    }
}

/// The elements of one thread in a grid-stride loop.
///
/// They are the one at the thread's index, and each that is as many further on as the launch has threads.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn fill(grid: &Grid, value: f32, mut x: GridMemory<[f32]>) {
///     grid.each(x.grid_stride_mut(), |_, x| x.for_each(|_, x| *x = value));
/// }
/// ```
///
/// # From CUDA
/// The elements `x[i]` of a loop whose step is `gridDim.x * blockDim.x`.
#[derive(Debug)]
pub struct GridStride<'i, T> {
    pointer: *mut T,
    len: usize,
    first: usize,
    step: usize,
    _memory: PhantomData<&'i mut T>,
}

impl<T> GridStride<'_, T> {
    /// Calls `body` for each of the thread's elements, with the element's index and the element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn number_elements(grid: &Grid, mut x: GridMemory<[u32]>) {
    ///     grid.each(x.grid_stride_mut(), |_, x| x.for_each(|i, x| *x = i as u32));
    /// }
    /// ```
    #[inline(always)]
    pub fn for_each(self, mut body: impl FnMut(usize, &mut T)) {
        let mut at = self.first;
        while at < self.len {
            // SAFETY: inside, and of this thread only: others' indices differ by less than a step.
            body(at, unsafe { &mut *self.pointer.add(at) });
            // Beyond the end of what an address space holds is beyond the end.
            at = at.saturating_add(self.step);
        }
    }
}

// SAFETY: indices of threads differ by less than their number, which is the step.
unsafe impl<'a, T: KernelArg> View for StrideMut<'a, T> {
    type Item<'i> = GridStride<'i, T>;
    type Arg = *mut T;
    type Sizes = usize;
    type State = Infallible;
    const ACCESS: Access = Access::WriteGlobal;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    /// # Panics
    /// With a grid of another launch, whose threads own nothing of it.
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'a, 'g, T, G>) {
        check_launch(context.launch(), self.launch);
        (self, ())
    }

    #[inline(always)]
    unsafe fn open(self) -> (*mut T, usize) {
        (self.pointer, self.len)
    }

    #[inline(always)]
    unsafe fn item<'i>(pointer: &mut *mut T, len: usize, thread: Identity<'_>) -> GridStride<'i, T> {
        let (first, step) = (thread.index(), thread.threads_of_grid());
        GridStride { pointer: *pointer, len, first, step, _memory: PhantomData }
    }

    /// # Panics
    /// Always: a group's `each_while` calls again what had an end, and keeps no copy of a thread's elements to undo it. At the
    /// grid's level there is none.
    unsafe fn load(_: &mut *mut T, _: usize, _: Identity<'_>) -> Infallible {
        panic!("a grid-stride loop isn't repeated: `each_while` doesn't take `grid_stride_mut`")
    }

    #[inline(always)]
    unsafe fn lend<'i>(never: &'i mut Infallible) -> GridStride<'i, T> {
        match *never {}
    }

    #[inline(always)]
    unsafe fn store(_: &mut *mut T, _: usize, _: Identity<'_>, never: Infallible) {
        match never {}
    }
}
