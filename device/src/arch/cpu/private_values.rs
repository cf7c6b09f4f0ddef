use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::NonNull;

use super::Identity;
use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::scratch::Scratch;
use crate::{Access, Keep, Private, View};

/// The values of a [`Private`], one for each thread of the group.
#[derive(Debug)]
pub struct PrivateValues<'g, T> {
    values: NonNull<T>,
    len: usize,
    scratch: &'g Scratch,
}

impl<'g, T: Copy + 'static> PrivateValues<'g, T> {
    /// Room for a value for each thread, to be written before it is read.
    #[inline(always)]
    pub(super) fn room<S: GroupShape>(context: &GroupContext<'g, S>) -> Self {
        Self::room_for(context, context.threads())
    }

    /// Room for `len` values, to be written before they are read.
    #[inline(always)]
    pub(super) fn room_for<S: GroupShape>(context: &GroupContext<'g, S>, len: usize) -> Self {
        Self { values: context.scratch.take(len), len, scratch: context.scratch }
    }

    /// PrivateValues that hold `value` for each thread.
    #[inline(always)]
    pub(crate) fn filled<S: GroupShape>(context: &GroupContext<'g, S>, value: T) -> Self {
        Self::of_count(context, context.threads(), value)
    }

    /// PrivateValues that hold `count` times the same value.
    #[inline(always)]
    pub(super) fn of_count<S: GroupShape>(context: &GroupContext<'g, S>, count: usize, value: T) -> Self {
        let values = Self::room_for(context, count);
        for at in 0..values.len {
            // SAFETY: there is room for `len` values.
            unsafe { values.values.add(at).write(value) };
        }
        values
    }

    /// A pointer to the values.
    #[inline(always)]
    pub(crate) fn pointer(&self) -> *mut T {
        self.values.as_ptr()
    }

    #[inline(always)]
    pub(super) fn values(&self) -> &[T] {
        // SAFETY: all values were written before they were given to anybody.
        unsafe { NonNull::slice_from_raw_parts(self.values, self.len).as_ref() }
    }

    /// The values of the first `threads` threads.
    ///
    /// # Panics
    /// If the values are of fewer threads.
    #[inline(always)]
    #[track_caller]
    pub(super) fn of_threads(&self, threads: usize) -> &[T] {
        self.check(threads);
        &self.values()[..threads]
    }

    #[inline(always)]
    pub(super) fn values_mut(&mut self) -> &mut [T] {
        // SAFETY: all values were written before, or are `MaybeUninit`, which needn't be, and they are borrowed exclusively.
        unsafe { NonNull::slice_from_raw_parts(self.values, self.len).as_mut() }
    }

    /// A part of the values, for other hands.
    ///
    /// # Safety
    /// They have such a part. It isn't dropped, and nobody uses the two in a way that Rust forbids.
    #[inline(always)]
    pub(super) unsafe fn part(&self, first: usize, len: usize) -> Self {
        // SAFETY: the values have the part, as this function asks, so that its first value is among theirs, or at their end.
        Self { values: unsafe { self.values.add(first) }, len, scratch: self.scratch }
    }

    /// All of the values, for other hands.
    ///
    /// # Safety
    /// As for `part`.
    #[inline(always)]
    pub(super) unsafe fn whole(&self) -> Self {
        // SAFETY: all of the values are a part of them; the caller doesn't drop what it gets, and uses the two as Rust allows.
        unsafe { self.part(0, self.len) }
    }

    /// # Panics
    /// If they are of fewer threads.
    #[inline(always)]
    #[track_caller]
    pub(super) fn check(&self, threads: usize) {
        if self.len < threads {
            too_few_values(self.len, threads);
        }
    }
}

/// The numbers by value: a reference in a message would keep them in memory for all phases.
#[cold]
#[inline(never)]
#[track_caller]
fn too_few_values(len: usize, threads: usize) -> ! {
    panic!("private values of {len} threads in a group of {threads}")
}

/// Copies that were only read.
impl<T> Keep for PrivateValues<'_, MaybeUninit<T>> {}

impl<T> Drop for PrivateValues<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: `room` took it, and nobody else has it.
        unsafe { self.scratch.give_back(self.values, self.len) };
    }
}

// SAFETY: a thread gets its own value, which nobody else sees within a phase or after it.
unsafe impl<'a, T: Copy + 'static> View for &'a mut Private<'_, T> {
    type Item<'i> = &'i mut T;
    type Arg = &'a mut [T];
    type Sizes = ();
    type State = T;
    const ACCESS: Access = Access::None;
    // A store that depends on the thread is slower than a load and a store that don't.
    const BY_VALUE: bool = Self::SMALL;
    const SMALL: bool = size_of::<T>() <= size_of::<u64>();

    #[inline(always)]
    fn check(&self, _: [usize; 3], threads: usize) {
        self.values.check(threads);
    }

    #[inline(always)]
    unsafe fn open(self) -> (&'a mut [T], ()) {
        (self.values.values_mut(), ())
    }

    #[inline(always)]
    unsafe fn item<'i>(values: &mut &'a mut [T], (): (), thread: Identity<'_>) -> &'i mut T {
        // SAFETY: there is a value for each thread that takes part.
        unsafe { &mut *values.as_mut_ptr().add(thread.number()) }
    }

    #[inline(always)]
    unsafe fn load(values: &mut &'a mut [T], (): (), thread: Identity<'_>) -> T {
        // SAFETY: `check` saw that there is a value for each thread that takes part.
        unsafe { *values.get_unchecked(thread.number()) }
    }

    #[inline(always)]
    unsafe fn load_small(values: &mut &'a mut [T], (): (), thread: Identity<'_>) -> T {
        // SAFETY: `check` saw that there is a value for each thread that takes part. A volatile load is no other instruction's operand.
        unsafe { (&raw const *values.get_unchecked(thread.number())).read_volatile() }
    }

    #[inline(always)]
    unsafe fn lend(state: &mut T) -> &mut T {
        state
    }

    #[inline(always)]
    unsafe fn store(values: &mut &'a mut [T], (): (), thread: Identity<'_>, state: T) {
        // SAFETY: `check` saw that there is a value for each thread that takes part.
        unsafe { *values.get_unchecked_mut(thread.number()) = state };
    }
}

// SAFETY: items are only read.
unsafe impl<'a, T: Copy + 'static> View for &'a Private<'_, T> {
    type Item<'i> = &'i T;
    type Arg = &'a [T];
    type Sizes = ();
    type State = T;
    const ACCESS: Access = Access::None;

    #[inline(always)]
    fn check(&self, _: [usize; 3], threads: usize) {
        self.values.check(threads);
    }

    #[inline(always)]
    unsafe fn open(self) -> (&'a [T], ()) {
        (self.values.values(), ())
    }

    #[inline(always)]
    unsafe fn item<'i>(values: &mut &'a [T], (): (), thread: Identity<'_>) -> &'i T {
        // SAFETY: there is a value for each thread that takes part.
        unsafe { &*values.as_ptr().add(thread.number()) }
    }

    #[inline(always)]
    unsafe fn load(values: &mut &'a [T], (): (), thread: Identity<'_>) -> T {
        // SAFETY: `check` saw that there is a value for each thread that takes part.
        unsafe { *values.get_unchecked(thread.number()) }
    }

    #[inline(always)]
    unsafe fn lend(state: &mut T) -> &T {
        state
    }

    #[inline(always)]
    unsafe fn store(_: &mut &'a [T], (): (), _: Identity<'_>, _: T) {}
}

/// The values that [`Items::map`](crate::Items::map) makes.
pub(super) struct Results<'g, T>(PrivateValues<'g, MaybeUninit<T>>);

impl<'g, T: Copy + 'static> Results<'g, T> {
    #[inline(always)]
    pub(super) fn new<S: GroupShape>(context: &GroupContext<'g, S>) -> Self {
        Self(PrivateValues::room(context))
    }

    /// Room for the value of each thread.
    #[inline(always)]
    pub(super) fn room(&mut self) -> &mut [MaybeUninit<T>] {
        self.0.values_mut()
    }

    /// # Safety
    /// All were written.
    #[inline(always)]
    pub(super) unsafe fn written(self) -> PrivateValues<'g, T> {
        // The memory has a new owner, of the same layout.
        let values = ManuallyDrop::new(self.0);
        PrivateValues { values: values.values.cast(), len: values.len, scratch: values.scratch }
    }
}
