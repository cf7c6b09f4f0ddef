//! Elements that are updated atomically, and their operations.

use core::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};

use gridwright_core::KernelArg;

/// Numbers that are read and set atomically: `u8`, `u16`, `u32`, `i32`, `u64`, `i64`, `f32` and `f64`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::atomic::AtomicElement;
///
/// /// Moves an element to the next place.
/// fn advance<T: AtomicElement>(t: Thread, x: &Atomic<[T]>, i: usize) {
///     x.set(t, i + 1, x.read(t, i));
/// }
/// ```
///
/// # Safety
/// Each access is one access, whatever the device's other threads do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be updated atomically",
    note = "`u32`, `i32`, `u64`, `i64`, `f32` and `f64` can; `u8` and `u16` can be read and set, as flags are",
    note = "for a `bool`, write `Atomic<[u8]>`; of a struct, pass each number as an `Atomic` of its own"
)]
pub unsafe trait AtomicElement: KernelArg {
    /// # Safety
    /// The pointer is at a value that others access atomically only.
    #[doc(hidden)]
    unsafe fn load(at: *mut Self, ordering: Ordering) -> Self;

    /// # Safety
    /// As for `load`.
    #[doc(hidden)]
    unsafe fn store(at: *mut Self, value: Self, ordering: Ordering);
}

/// Numbers that are added to, compared and exchanged atomically: `u32`, `i32`, `u64`, `i64`, `f32` and `f64`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::atomic::AtomicValue;
///
/// /// Adds to one of the sums.
/// fn add<T: AtomicValue>(t: Thread, sums: &Atomic<[T]>, value: T) {
///     sums.fetch_add(t, t.index() % sums.len(), value);
/// }
/// ```
///
/// # Safety
/// Each operation is atomic among all threads of the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't have this atomic operation",
    note = "`u32`, `i32`, `u64`, `i64`, `f32` and `f64` have; `u8` and `u16` can only be read and set"
)]
pub unsafe trait AtomicValue: AtomicElement {
    #[doc(hidden)]
    fn sum(self, other: Self) -> Self;

    /// The lesser of two values, which `fetch_min` keeps.
    #[doc(hidden)]
    fn lesser(self, other: Self) -> Self;

    /// The greater of two values, which `fetch_max` keeps.
    #[doc(hidden)]
    fn greater(self, other: Self) -> Self;

    /// Whether two values are equal to `compare_exchange`, which then exchanges.
    #[doc(hidden)]
    fn is_same(self, other: Self) -> bool;

    /// # Safety
    /// The pointer is at a value that others access atomically only.
    #[doc(hidden)]
    unsafe fn fetch_add(at: *mut Self, value: Self, ordering: Ordering) -> Self;

    /// # Safety
    /// As for `fetch_add`.
    #[doc(hidden)]
    unsafe fn fetch_min(at: *mut Self, value: Self, ordering: Ordering) -> Self;

    /// # Safety
    /// As for `fetch_add`.
    #[doc(hidden)]
    unsafe fn fetch_max(at: *mut Self, value: Self, ordering: Ordering) -> Self;

    /// # Safety
    /// As for `fetch_add`.
    #[doc(hidden)]
    unsafe fn exchange(at: *mut Self, value: Self, ordering: Ordering) -> Self;

    /// # Safety
    /// As for `fetch_add`.
    #[doc(hidden)]
    unsafe fn compare_exchange(at: *mut Self, current: Self, new: Self, ordering: Ordering) -> Self;
}

/// Integers that every atomic operation takes: `u32`, `i32`, `u64` and `i64`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::atomic::AtomicInteger;
///
/// /// Whether this thread is the one that changed `first` from `from` to `to`.
/// fn is_mine<T: AtomicInteger>(t: Thread, first: &Atomic<[T]>, from: T, to: T) -> bool {
///     first.compare_exchange(t, 0, from, to) == from
/// }
/// ```
///
/// # Safety
/// Each operation is atomic among all threads of the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't have this atomic operation",
    note = "`u32`, `i32`, `u64` and `i64` have; `f32` and `f64` can be added to, compared and exchanged",
    note = "to subtract from a float, add the negative"
)]
pub unsafe trait AtomicInteger: AtomicValue + PartialEq {
    #[doc(hidden)]
    fn plain(self, other: Self, operation: Operation) -> Self;

    /// # Safety
    /// The pointer is at a value that others access atomically only.
    #[doc(hidden)]
    unsafe fn fetch_sub(at: *mut Self, value: Self, ordering: Ordering) -> Self;

    /// # Safety
    /// As for `fetch_sub`.
    #[doc(hidden)]
    unsafe fn fetch_and(at: *mut Self, value: Self, ordering: Ordering) -> Self;

    /// # Safety
    /// As for `fetch_sub`.
    #[doc(hidden)]
    unsafe fn fetch_or(at: *mut Self, value: Self, ordering: Ordering) -> Self;

    /// # Safety
    /// As for `fetch_sub`.
    #[doc(hidden)]
    unsafe fn fetch_xor(at: *mut Self, value: Self, ordering: Ordering) -> Self;
}

/// An operation on an integer, for updates that need not be atomic.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Sub,
    And,
    Or,
    Xor,
}

/// An ordering without its release, for a load or an exchange that doesn't happen.
#[inline(always)]
pub(super) fn of_a_load(ordering: Ordering) -> Ordering {
    match ordering {
        Release => Relaxed,
        AcqRel => Acquire,
        other => other,
    }
}

/// An ordering without its acquire, for a store.
#[inline(always)]
pub(super) fn of_a_store(ordering: Ordering) -> Ordering {
    match ordering {
        Acquire => Relaxed,
        AcqRel => Release,
        other => other,
    }
}
