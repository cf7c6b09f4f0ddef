use core::marker::PhantomData;

use super::slots::Slots;
use super::view::{Access, View};
use crate::Thread;
use crate::arch::{self, Identity};
use crate::atomic::{AtomicElement, AtomicInteger, AtomicValue};
use crate::bounds::no_element;

/// Bytes of workgroup memory that a CPU keeps in registers while a phase updates it, at most.
pub(crate) const MOST_IN_REGISTERS: usize = 64;

/// A view with which every thread updates workgroup memory, atomically: [`WorkgroupAtomics`].
///
/// [`Workgroup::atomic`](crate::Workgroup::atomic) makes it, for phases of a group or a warp.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::views::Atomics;
///
/// fn count<S: GroupShape>(g: &Group<'_, S>, bins: Atomics<'_, [u32; 64]>) {
///     g.each(bins, |t, bins| {
///         bins.fetch_add(t, t.index() % 64, 1);
///     });
/// }
/// #[gpu_kernel]
/// fn count_threads(g: &Group, mut w: Workgroup<[u32; 64]>) {
///     count(g, w.atomic());
/// }
/// ```
#[derive(Debug)]
pub struct Atomics<'a, S: ?Sized + Slots> {
    pub(crate) pointer: *mut S,
    pub(crate) _memory: PhantomData<(&'a (), *mut S::Element)>,
}

impl<S: ?Sized + Slots> Clone for Atomics<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized + Slots> Copy for Atomics<'_, S> {}

/// Workgroup memory that every thread of the group updates, atomically and in no order: what a phase gives for
/// [`Workgroup::atomic`](crate::Workgroup::atomic).
///
/// ```
/// use gridwright::prelude::*;
///
/// /// How often each byte value is in the data, added to `counts`.
/// #[gpu_kernel(block = 256, requires = counts.len() == 256)]
/// fn histogram(g: &Group, data: &[u8], counts: Atomic<[u32]>, mut bins: Workgroup<[u32; 256]>) {
///     g.each(bins.elements_mut(), |_, bin| *bin = 0);
///     g.each(bins.atomic(), |t, bins| {
///         if let Some(&value) = data.get(t.index()) {
///             bins.fetch_add(t, usize::from(value), 1);
///         }
///     });
///     g.each(bins.elements(), |t, bin| {
///         counts.fetch_add(t, t.local().x, *bin);
///     });
/// }
/// ```
///
/// # From CUDA
/// Atomic functions on `__shared__` memory: `atomicAdd` is `fetch_add`, and so on, as of
/// [`Atomic`](crate::Atomic#from-cuda).
#[derive(Debug)]
pub struct WorkgroupAtomics<'i, S: ?Sized + Slots> {
    pointer: *mut S,
    // Neither `Send` nor `Sync`: on the CPU a group is one OS thread, and its updates are plain ones.
    _memory: PhantomData<(&'i (), *mut S::Element)>,
}

impl<S: ?Sized + Slots> Clone for WorkgroupAtomics<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized + Slots> Copy for WorkgroupAtomics<'_, S> {}

#[allow(clippy::len_without_is_empty)] // a group without workgroup memory isn't launched
impl<S: ?Sized + Slots> WorkgroupAtomics<'_, S> {
    /// The number of elements of the workgroup memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn count_threads(g: &Group, mut bins: Workgroup<[u32]>) {
    ///     g.each(bins.atomic(), |t, bins| {
    ///         bins.fetch_add(t, t.index() % bins.len(), 1);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        let [x, y, z] = S::sizes(self.pointer);
        x * y * z
    }

    /// # Panics
    /// Beyond the last element.
    #[inline(always)]
    #[track_caller]
    fn at(&self, index: usize) -> *mut S::Element {
        let len = self.len();
        if index >= len {
            no_element(index, len, "in workgroup memory");
        }
        // SAFETY: the index was just seen to be inside.
        unsafe { self.pointer.cast::<S::Element>().add(index) }
    }
}

macro_rules! operations {
    ($bound:ident: $($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// Beyond the last element.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// #[gpu_kernel]
        /// fn update_the_first(g: &Group, mut w: Workgroup<[u32]>) {
        #[doc = concat!("    g.each(w.atomic(), |t, w| { w.", stringify!($name), "(t, 0, 3); });")]
        /// }
        /// ```
        #[inline(always)]
        #[track_caller]
        pub fn $name(&self, _: Thread<'_>, index: usize, value: S::Element) -> S::Element
        where
            S::Element: $bound,
        {
            // SAFETY: the pointer is at an element that all threads update atomically in this phase.
            unsafe { arch::workgroup_atomic::$name(self.at(index), value) }
        }
    )*};
}

// The bounds are the methods', so that the compiler says what can't be done, and what to write.
impl<S: ?Sized + Slots> WorkgroupAtomics<'_, S> {
    /// Reads the element at `index` atomically.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn mark_found(g: &Group, mut is_found: Workgroup<[u8; 64]>) {
    ///     g.each(is_found.atomic(), |t, is_found| {
    ///         if is_found.read(t, 0) == 0 {
    ///             is_found.set(t, 0, 1);
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn read(&self, _: Thread<'_>, index: usize) -> S::Element
    where
        S::Element: AtomicElement,
    {
        // SAFETY: the pointer is at an element that all threads access atomically in this phase.
        unsafe { arch::workgroup_atomic::load(self.at(index)) }
    }

    /// Writes the element at `index` atomically.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn mark_all(g: &Group, mut is_found: Workgroup<[u8; 64]>) {
    ///     g.each(is_found.atomic(), |t, is_found| is_found.set(t, t.index() % 64, 1));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, _: Thread<'_>, index: usize, value: S::Element)
    where
        S::Element: AtomicElement,
    {
        // SAFETY: the pointer is at an element that all threads access atomically in this phase.
        unsafe { arch::workgroup_atomic::store(self.at(index), value) };
    }
}

impl<S: ?Sized + Slots> WorkgroupAtomics<'_, S> {
    operations! { AtomicValue:
        /// Adds a value to an element, and returns what the element was before. Integers wrap around.
        fetch_add;
        /// Puts the lesser of an element and a value into the element, and returns what the element was before.
        ///
        /// Floats are ordered as by `total_cmp`, but a NaN that is given changes nothing.
        fetch_min;
        /// Puts the greater of an element and a value into the element, and returns what the element was before.
        ///
        /// Floats are ordered as by `total_cmp`, but a NaN that is given changes nothing.
        fetch_max;
        /// Puts a value into an element, and returns what the element was before.
        exchange;
    }

    /// Puts `new` into an element that is `current`, and returns what the element was before. Floats are compared by
    /// their bits.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn claim_the_first(g: &Group, mut w: Workgroup<[u32]>) {
    ///     g.each(w.atomic(), |t, w| { w.compare_exchange(t, 0, 0, 1); });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `atomicCAS` on `__shared__` memory.
    #[inline(always)]
    #[track_caller]
    pub fn compare_exchange(
        &self,
        _: Thread<'_>,
        index: usize,
        current: S::Element,
        new: S::Element,
    ) -> S::Element
    where
        S::Element: AtomicValue,
    {
        // SAFETY: the pointer is at an element that all threads update atomically in this phase.
        unsafe { arch::workgroup_atomic::compare_exchange(self.at(index), current, new) }
    }
}

impl<S: ?Sized + Slots> WorkgroupAtomics<'_, S> {
    operations! { AtomicInteger:
        /// Subtracts a value from an element, wrapping around, and returns what the element was before.
        fetch_sub;
        /// Keeps the bits that are in both an element and a value, and returns what the element was before.
        fetch_and;
        /// Keeps the bits that are in an element or a value, and returns what the element was before.
        fetch_or;
        /// Keeps the bits that are in only one of an element and a value, and returns what the element was before.
        fetch_xor;
    }
}

// SAFETY: updates are atomic among the group's threads, and seen by all, after a barrier.
unsafe impl<'a, S: ?Sized + Slots + 'static> View for Atomics<'a, S> {
    type Item<'i> = WorkgroupAtomics<'i, S>;
    type Arg = *mut S;
    type Sizes = ();
    type State = *mut S;
    const ACCESS: Access = Access::Write;
    // A counter, or a few.
    const UPDATED: usize = if S::BYTES <= MOST_IN_REGISTERS { S::BYTES } else { 0 };

    #[inline(always)]
    unsafe fn move_updates(pointer: &mut *mut S, to: *mut u8) -> *mut u8 {
        let before = *pointer;
        *pointer = S::moved(before, to);
        before.cast()
    }

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    #[inline(always)]
    unsafe fn open(self) -> (*mut S, ()) {
        (self.pointer, ())
    }

    #[inline(always)]
    unsafe fn item<'i>(pointer: &mut *mut S, (): (), _: Identity<'_>) -> WorkgroupAtomics<'i, S> {
        WorkgroupAtomics { pointer: *pointer, _memory: PhantomData }
    }

    #[inline(always)]
    unsafe fn load(pointer: &mut *mut S, (): (), _: Identity<'_>) -> *mut S {
        *pointer
    }

    #[inline(always)]
    unsafe fn lend<'i>(state: &'i mut *mut S) -> WorkgroupAtomics<'i, S> {
        WorkgroupAtomics { pointer: *state, _memory: PhantomData }
    }

    #[inline(always)]
    unsafe fn store(_: &mut *mut S, (): (), _: Identity<'_>, _: *mut S) {}
}
