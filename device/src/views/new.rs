use core::hint::assert_unchecked;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::slice_from_raw_parts_mut;

use gridwright_core::KernelArg;

use super::own::check_launch;
use super::view::{Access, Keep, View};
use crate::arch::{
    Exclusive, GroupContext, GroupShape, Identity, LaunchId, exclusive, exclusive_pointer, keep_new,
    keeps_new, store_new,
};
use crate::per_thread::{OwnShape, SliceWindow};

/// A view that gives each thread its own element to write anew: `Option<&mut T>`, whose bytes are zero.
///
/// [`PerThread::elements_new`](crate::PerThread::elements_new) makes it, for phases of a group, a warp or a grid.
///
/// ```
/// # use gridwright::prelude::*;
/// fn number_elements<S: GroupShape>(g: &Group<'_, S>, mut y: PerThread<'_, [f32]>) {
///     g.each(y.elements_new(), |t, y| {
///         if let Some(y) = y {
///             *y = t.index() as f32;
///         }
///     });
/// }
/// ```
#[derive(Debug)]
pub struct NewMut<'a, T, const DEINTERLEAVED: bool = false> {
    /// Pointer to the window, or to a copy of the part that the phase's threads own, or to that part's words.
    pub(crate) pointer: *mut T,
    pub(crate) window: SliceWindow,
    /// The launch whose threads own the memory.
    pub(crate) launch: LaunchId,
    /// Number of words from the first of one place to the first of the next, where words are apart.
    pub(crate) stride: usize,
    pub(crate) _memory: PhantomData<&'a mut T>,
}

/// Sizes of a [`NewMut`]: the elements at hand, the distance of their words, and whether each thread is known to have
/// an element.
#[derive(Clone, Copy, Debug)]
pub struct NewSizes {
    window: SliceWindow,
    stride: usize,
    each_has: bool,
}

impl<'a, T: KernelArg> NewMut<'a, T> {
    /// The view's elements with their words taken apart on the CPU, as
    /// [`ReadElements::deinterleaved`](crate::ReadElements::deinterleaved) does.
    ///
    /// It is for elements of four words that come of one another, such as a vector's prefix sums.
    ///
    /// ```
    /// use gridwright::memory::Vector;
    /// use gridwright::prelude::*;
    ///
    /// /// Of each vector the sums of its numbers up to each.
    /// #[gpu_kernel(block = 256, requires = x.len() == y.len())]
    /// fn running_sums(g: &Group, x: &[Vector<u32, 4>], mut y: PerThread<[Vector<u32, 4>]>) {
    ///     let x = x.elements_from(g.origin().x).deinterleaved(g);
    ///     g.each((&x, y.elements_new().deinterleaved()), |_, (x, y)| {
    ///         if let (Some(x), Some(y)) = (x, y) {
    ///             let mut sum = 0;
    ///             *y = x.map(|x| {
    ///                 sum += x;
    ///                 sum
    ///             });
    ///         }
    ///     });
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let x = stream.upload(&[Vector::from([1, 2, 3, 4]); 300])?;
    /// let mut y = stream.alloc_zeroed(300)?;
    /// running_sums::load(&device)?.launch(&stream, LaunchConfig::threads(300), (&x, &mut y))?;
    /// assert_eq!(stream.download(&y)?, [Vector::from([1, 3, 6, 10]); 300]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)]
    pub fn deinterleaved(self) -> NewMut<'a, T, true> {
        let Self { pointer, window, launch, stride, _memory } = self;
        NewMut { pointer, window, launch, stride, _memory }
    }
}

// SAFETY: indices of threads differ; nobody else ever sees the elements.
unsafe impl<'a, T: KernelArg, const DEINTERLEAVED: bool> View for NewMut<'a, T, DEINTERLEAVED> {
    type Item<'i> = Option<&'i mut T>;
    type Arg = Exclusive<'a, [MaybeUninit<T>]>;
    type Sizes = NewSizes;
    type State = Option<T>;
    const ACCESS: Access = Access::None;
    const EDGED: bool = true;
    const BY_VALUE: bool = true;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    #[inline(always)]
    fn writes_past_caches(&self, threads: usize) -> bool {
        keeps_new::<T, DEINTERLEAVED>(&self.window, threads)
    }

    /// # Panics
    /// With a group of another launch, which owns nothing of it.
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'a, 'g, T, G, DEINTERLEAVED>) {
        check_launch(context.launch(), self.launch);
        // SAFETY: from the pointer on there is what the window has, which the view borrows exclusively.
        let (pointer, window, stride, kept) =
            unsafe { keep_new::<_, _, DEINTERLEAVED>(context, self.pointer, self.window) };
        (Self { pointer, window, stride, ..self }, kept)
    }

    #[inline(always)]
    unsafe fn open(self) -> (Self::Arg, NewSizes) {
        let Self { pointer, window, stride, .. } = self;
        let room = slice_from_raw_parts_mut(pointer.cast(), if stride == 0 { window.owned } else { stride });
        // SAFETY: the view borrows what the group's threads own exclusively, and what is kept apart is this phase's.
        (unsafe { exclusive(room) }, NewSizes { window, stride, each_has: false })
    }

    #[inline(always)]
    fn inside(sizes: NewSizes, _: usize, group: [usize; 3], first: Identity<'_>) -> Option<NewSizes> {
        let each_has = <[T]>::has_group(&sizes.window, group, first);
        each_has.then_some(NewSizes { each_has, ..sizes })
    }

    unsafe fn item<'i>(_: &mut Self::Arg, _: NewSizes, _: Identity<'_>) -> Option<&'i mut T> {
        unreachable!("a new one is lent")
    }

    #[inline(always)]
    unsafe fn load(_: &mut Self::Arg, sizes: NewSizes, thread: Identity<'_>) -> Option<T> {
        // SAFETY: where `each_has` is set, `inside` saw that each thread of the group has an element.
        unsafe { position::<T>(sizes, thread) }.map(|_| bytemuck::Zeroable::zeroed())
    }

    #[inline(always)]
    unsafe fn lend(state: &mut Option<T>) -> Option<&mut T> {
        state.as_mut()
    }

    #[inline(always)]
    unsafe fn store(arg: &mut Self::Arg, sizes: NewSizes, thread: Identity<'_>, state: Option<T>) {
        let first: *mut T = exclusive_pointer(arg).cast();
        // SAFETY: where `each_has` is set, `inside` saw that each thread of the group has an element.
        let (Some(position), Some(element)) = (unsafe { position::<T>(sizes, thread) }, state) else {
            return;
        };
        // SAFETY: the pointer and the stride are what `in_order` got of `keep_new`; the position is in its window, and this thread's own.
        unsafe { store_new::<_, DEINTERLEAVED>(element, first, sizes.stride, position) };
    }
}

/// The place of the thread's element, if it has one.
///
/// # Safety
/// Where each thread is said to have one, it does.
#[inline(always)]
unsafe fn position<T: KernelArg>(sizes: NewSizes, thread: Identity<'_>) -> Option<usize> {
    let position = <[T]>::position(&sizes.window, thread);
    // SAFETY: where each thread is said to have an element, it does, as this function asks.
    unsafe { assert_unchecked(!sizes.each_has | position.is_some()) };
    position
}
