//! Elements that threads write wherever a kernel found their places.

use core::marker::PhantomData;

use gridwright_core::KernelArg;

use crate::bounds::no_element;
use crate::{PerThread, Thread};

/// Memory of which each thread writes elements at places that the kernel computes: what
/// [`PerThread::anywhere`] gives to who answers for the places.
///
/// Phases and closures capture it.
///
/// ```
/// use gridwright::ownership::Anywhere;
/// use gridwright::prelude::*;
///
/// /// Writes an element at its place.
/// fn put(t: Thread, to: Anywhere<'_, [f32; 3]>, place: usize, value: [f32; 3]) {
///     to.set(t, place, value);
/// }
/// ```
#[derive(Debug)]
pub struct Anywhere<'a, T> {
    first: *mut T,
    len: usize,
    _memory: PhantomData<&'a mut T>,
}

impl<T> Clone for Anywhere<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Anywhere<'_, T> {}

// SAFETY: who made it promised that no two threads touch one element.
unsafe impl<T: Send> Send for Anywhere<'_, T> {}
// SAFETY: who made it promised that no two threads touch one element.
unsafe impl<T: Send> Sync for Anywhere<'_, T> {}

impl<T: KernelArg> PerThread<'_, [T]> {
    /// The memory, of which threads write elements at places that the kernel computes: what a scatter by a scan's or a sort's counts is, of
    /// whose places no type can promise that they differ. Of numbers, [`Atomic::set`](crate::Atomic::set) does it without a promise.
    ///
    /// # Safety
    /// In this launch no element that is written so is written by another thread too, nor read; what a group's threads exchange
    /// with a phase between is as if it were one thread's.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// Turns the elements around, by places that the kernel computes.
    /// #[gpu_kernel(requires = x.len() == y.len())]
    /// fn reverse(t: Thread, x: &[[f32; 3]], mut y: PerThread<[[f32; 3]]>) {
    ///     // SAFETY: no two threads have one index.
    ///     let y = unsafe { y.anywhere() };
    ///     if let Some(element) = x.get(t.index()) {
    ///         y.set(t, x.len() - 1 - t.index(), *element);
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let (x, mut y) = (stream.upload(&[[1.0; 3], [2.0; 3]])?, stream.alloc_zeroed::<[f32; 3]>(2)?);
    /// reverse::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&x, &mut y))?;
    /// assert_eq!(stream.download(&y)?, [[2.0; 3], [1.0; 3]]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `y[place] = value`, of whose `place` the author says that it is one thread's.
    #[inline(always)]
    pub unsafe fn anywhere(&mut self) -> Anywhere<'_, T> {
        let (pointer, window) = self.raw();
        // On the CPU a window may begin behind the first element.
        Anywhere { first: pointer.wrapping_sub(window.start), len: window.len, _memory: PhantomData }
    }
}

#[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
impl<T: KernelArg> Anywhere<'_, T> {
    /// The number of elements.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright::ownership::Anywhere;
    ///
    /// fn last(to: Anywhere<'_, u32>) -> usize {
    ///     to.len() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Writes an element.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright::ownership::Anywhere;
    ///
    /// fn clear(t: Thread, to: Anywhere<'_, u32>, place: usize) {
    ///     to.set(t, place, 0);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, _: Thread<'_>, index: usize, value: T) {
        if index >= self.len {
            no_element(index, self.len, "of which threads write any");
        }
        // SAFETY: the element is there; the promise that was made for this memory keeps others from it.
        unsafe { self.first.wrapping_add(index).write(value) };
    }

    /// Writes an element without a look at its place.
    ///
    /// # Safety
    /// The memory has more than `index` elements.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright::ownership::Anywhere;
    ///
    /// /// # Safety
    /// /// The place is one of the memory's.
    /// unsafe fn clear(t: Thread, to: Anywhere<'_, u32>, place: usize) {
    ///     // SAFETY: the caller says so.
    ///     unsafe { to.set_unchecked(t, place, 0) };
    /// }
    /// ```
    #[inline(always)]
    pub unsafe fn set_unchecked(&self, _: Thread<'_>, index: usize, value: T) {
        // SAFETY: the element is there, as the caller says; the promise that was made for this memory keeps others from it.
        unsafe { self.first.wrapping_add(index).write(value) };
    }

    /// Reads an element that this thread wrote before, or that no thread has written in this launch.
    ///
    /// # Safety
    /// The memory has more than `index` elements. Who writes the element is this thread, or one that a phase has come between.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright::ownership::Anywhere;
    ///
    /// /// # Safety
    /// /// The places are two of the memory's, and this thread's alone.
    /// unsafe fn swap(t: Thread, to: Anywhere<'_, u32>, a: usize, b: usize) {
    ///     // SAFETY: the caller says so.
    ///     unsafe {
    ///         let (first, second) = (to.get_unchecked(t, a), to.get_unchecked(t, b));
    ///         to.set_unchecked(t, a, second);
    ///         to.set_unchecked(t, b, first);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub unsafe fn get_unchecked(&self, _: Thread<'_>, index: usize) -> T {
        // SAFETY: the element is there, and nobody writes it now, as the caller says.
        unsafe { self.first.wrapping_add(index).read() }
    }
}
