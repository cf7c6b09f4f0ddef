use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{
    AtomicI32, AtomicI64, AtomicU32, AtomicU64,
    Ordering::{self, Relaxed},
};

use gridwright_core::{Description, KernelArg, Layout, Param, RawSlice, SliceExtent, Slot};

use crate::Thread;
use crate::arch;
use crate::bounds::no_element;

/// Global memory that every thread of the launch updates, atomically and in no order.
///
/// Each update takes the thread that makes it, so that none is made at group level, where all threads of a
/// group would make it. An update is relaxed and visible to the whole device; the forms that end in `_with` take a
/// [`Scope`] and an [`Ordering`].
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn count_zeros(t: Thread, x: &[f32], zeros: Atomic<[u32]>) {
///     if x.get(t.index()) == Some(&0.0) {
///         zeros.fetch_add(t, 0, 1);
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x = stream.upload(&[0.0, 1.0, 0.0])?;
/// let mut zeros = stream.upload(&[0_u32])?;
/// count_zeros::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&x, &mut zeros))?;
/// assert_eq!(stream.download(&zeros)?, [2]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// A `T*` argument that only atomic functions access. Below, `a` is the memory, `i` an index and `v` a value:
///
/// | CUDA | here |
/// |---|---|
/// | `atomicAdd`, `atomicSub` | `a.fetch_add(t, i, v)`, `a.fetch_sub(t, i, v)` |
/// | `atomicMin`, `atomicMax` | `a.fetch_min(t, i, v)`, `a.fetch_max(t, i, v)` |
/// | `atomicAnd`, `atomicOr` | `a.fetch_and(t, i, v)`, `a.fetch_or(t, i, v)` |
/// | `atomicXor` | `a.fetch_xor(t, i, v)` |
/// | `atomicExch`, `atomicCAS` | `a.exchange(t, i, v)`, `a.compare_exchange(t, i, current, new)` |
/// | `cuda::atomic_ref` | the methods with a [`Scope`] and an [`Ordering`], such as `a.fetch_add_with(…)` |
/// | `atomicInc`, `atomicDec` | none: a loop of `compare_exchange` |
pub struct Atomic<'k, S: ?Sized> {
    pointer: *mut u8,
    len: usize,
    _memory: Borrowed<'k, S>,
}

/// Marker of memory of shape `S` that everybody may update.
type Borrowed<'k, S> = PhantomData<(&'k (), fn(&S))>;

// SAFETY: all accesses are atomic.
unsafe impl<S: ?Sized> Send for Atomic<'_, S> {}
// SAFETY: as above.
unsafe impl<S: ?Sized> Sync for Atomic<'_, S> {}

/// The threads that have to see an atomic update in order.
///
/// On GPUs the scope isn't passed on at present. On NVIDIA what reads, changes and writes an integer is atomic among the
/// threads of the device, PTX's default, also where [`System`](Self::System) is asked for: nothing else can access a
/// buffer while a launch has it. On AMD an update is the whole system's. A narrower scope is a promise that the program
/// needs no more.
///
/// ```
/// # use gridwright::prelude::*;
/// # fn in_a_kernel(t: Thread, ticket: Atomic<[u32]>) -> u32 {
/// let last = ticket.fetch_add_with(t, 0, 1, Scope::Device, Ordering::AcqRel);
/// # last }
/// ```
///
/// # From CUDA
/// `cuda::thread_scope_block`, `cuda::thread_scope_device` and `cuda::thread_scope_system`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The threads of the same workgroup.
    Workgroup,
    /// The threads of the same launch, and of others on the device.
    Device,
    /// The host and other devices, too.
    System,
}

/// Numbers that can be added to atomically: `u32`, `i32`, `u64`, `i64`, `f32` and `f64`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::AtomicValue;
///
/// /// Adds to one of the sums.
/// fn add<T: AtomicValue>(t: Thread, sums: &Atomic<[T]>, value: T) {
///     sums.fetch_add(t, t.index() % sums.len(), value);
/// }
/// ```
///
/// # Safety
/// `fetch_add` is atomic among all threads of the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be updated atomically",
    note = "`u32`, `i32`, `u64` and `i64` can; `f32` and `f64` can be added to"
)]
pub unsafe trait AtomicValue: KernelArg {
    #[doc(hidden)]
    fn sum(self, other: Self) -> Self;

    /// # Safety
    /// The pointer is at a value that others access atomically only.
    #[doc(hidden)]
    unsafe fn fetch_add(at: *mut Self, value: Self, ordering: Ordering) -> Self;
}

macro_rules! integers {
    ($($method:ident => $name:ident)*) => {
        /// Integers that every atomic operation takes: `u32`, `i32`, `u64` and `i64`.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// use gridwright::AtomicInteger;
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
            note = "`u32`, `i32`, `u64` and `i64` have; `f32` and `f64` can only be added to"
        )]
        pub unsafe trait AtomicInteger: AtomicValue + PartialEq {
            $(
                /// # Safety
                /// The pointer is at a value that others access atomically only.
                #[doc(hidden)]
                unsafe fn $name(at: *mut Self, value: Self, ordering: Ordering) -> Self;
            )*

            /// # Safety
            /// As for the others.
            #[doc(hidden)]
            unsafe fn compare_exchange(at: *mut Self, current: Self, new: Self, ordering: Ordering) -> Self;

            /// # Safety
            /// As for the others.
            #[doc(hidden)]
            unsafe fn load(at: *mut Self, ordering: Ordering) -> Self;

            /// # Safety
            /// As for the others.
            #[doc(hidden)]
            unsafe fn store(at: *mut Self, value: Self, ordering: Ordering);

            #[doc(hidden)]
            fn plain(self, other: Self, operation: Operation) -> Self;
        }

        macro_rules! integer {
            ($integer:ty, $atomic:ty) => {
                // SAFETY: `core`'s atomics.
                unsafe impl AtomicValue for $integer {
                    #[inline(always)]
                    fn sum(self, other: Self) -> Self {
                        self.wrapping_add(other)
                    }

                    #[inline(always)]
                    unsafe fn fetch_add(at: *mut Self, value: Self, ordering: Ordering) -> Self {
                        // SAFETY: the caller's contract; buffers are aligned to their elements.
                        let at = unsafe { <$atomic>::from_ptr(at) };
                        arch::ordered(ordering, |ordering| at.fetch_add(value, ordering))
                    }
                }

                // SAFETY: `core`'s atomics.
                unsafe impl AtomicInteger for $integer {
                    $(
                        #[inline(always)]
                        unsafe fn $name(at: *mut Self, value: Self, ordering: Ordering) -> Self {
                            // SAFETY: as above.
                            let at = unsafe { <$atomic>::from_ptr(at) };
                            arch::ordered(ordering, |ordering| at.$method(value, ordering))
                        }
                    )*

                    #[inline(always)]
                    unsafe fn compare_exchange(
                        at: *mut Self,
                        current: Self,
                        new: Self,
                        ordering: Ordering,
                    ) -> Self {
                        // SAFETY: as above.
                        let at = unsafe { <$atomic>::from_ptr(at) };
                        let (Ok(seen) | Err(seen)) = arch::ordered(ordering, |ordering| {
                            at.compare_exchange(current, new, ordering, of_a_load(ordering))
                        });
                        seen
                    }

                    #[inline(always)]
                    unsafe fn load(at: *mut Self, ordering: Ordering) -> Self {
                        // SAFETY: as above.
                        unsafe { <$atomic>::from_ptr(at) }.load(of_a_load(ordering))
                    }

                    #[inline(always)]
                    unsafe fn store(at: *mut Self, value: Self, ordering: Ordering) {
                        // SAFETY: as above.
                        unsafe { <$atomic>::from_ptr(at) }.store(value, of_a_store(ordering));
                    }

                    #[inline(always)]
                    fn plain(self, other: Self, operation: Operation) -> Self {
                        match operation {
                            Operation::Sub => self.wrapping_sub(other),
                            Operation::Min => self.min(other),
                            Operation::Max => self.max(other),
                            Operation::And => self & other,
                            Operation::Or => self | other,
                            Operation::Xor => self ^ other,
                            Operation::Exchange => other,
                        }
                    }
                }
            };
        }
    };
}

integers! {
    fetch_sub => fetch_sub
    fetch_min => fetch_min
    fetch_max => fetch_max
    fetch_and => fetch_and
    fetch_or => fetch_or
    fetch_xor => fetch_xor
    swap => exchange
}

integer!(u32, AtomicU32);
integer!(i32, AtomicI32);
integer!(u64, AtomicU64);
integer!(i64, AtomicI64);

/// An update's operation, where it need not be atomic.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Sub,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
}

macro_rules! float {
    ($float:ty, $add:ident) => {
        // SAFETY: by an instruction, or by comparing and exchanging.
        unsafe impl AtomicValue for $float {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            unsafe fn fetch_add(at: *mut Self, value: Self, ordering: Ordering) -> Self {
                // SAFETY: the caller's contract.
                arch::ordered(ordering, |ordering| unsafe { arch::$add(at, value, ordering) })
            }
        }
    };
}

float!(f32, add_f32);
float!(f64, add_f64);

/// The ordering of a load, or of an exchange that doesn't happen: it releases nothing.
fn of_a_load(ordering: Ordering) -> Ordering {
    match ordering {
        Ordering::Release => Relaxed,
        Ordering::AcqRel => Ordering::Acquire,
        other => other,
    }
}

/// The ordering of a store: it acquires nothing.
fn of_a_store(ordering: Ordering) -> Ordering {
    match ordering {
        Ordering::Acquire => Relaxed,
        Ordering::AcqRel => Ordering::Release,
        other => other,
    }
}

#[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
impl<T: KernelArg> Atomic<'_, [T]> {
    /// # Safety
    /// `pointer` is the first of `len` elements that this launch's threads access atomically only.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *mut T, len: usize) -> Self {
        Self { pointer: pointer.cast(), len, _memory: PhantomData }
    }

    /// The number of elements.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(bins: Atomic<[u32]>) -> usize {
    /// let last = bins.len() - 1;
    /// # last }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// # Panics
    /// Beyond the last element.
    #[inline(always)]
    #[track_caller]
    fn at(&self, index: usize) -> *mut T {
        let len = self.len;
        if index >= len {
            no_element(index, len, "that are updated atomically");
        }
        // SAFETY: the index was just seen to be inside.
        unsafe { self.pointer.cast::<T>().add(index) }
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $with:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// Beyond the last element.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// # fn in_a_kernel(t: Thread, x: Atomic<[u32]>) {
        #[doc = concat!("let before = x.", stringify!($name), "(t, 0, 3);")]
        /// # }
        /// ```
        #[inline(always)]
        #[track_caller]
        pub fn $name(&self, _: Thread<'_>, index: usize, value: T) -> T {
            // SAFETY: the element is inside, and accessed atomically only.
            unsafe { T::$name(self.at(index), value, Relaxed) }
        }

        $(#[$doc])*
        ///
        /// # Panics
        /// Beyond the last element.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// # fn in_a_kernel(t: Thread, x: Atomic<[u32]>) {
        #[doc = concat!("let before = x.", stringify!($with), "(t, 0, 3, Scope::Device, Ordering::AcqRel);")]
        /// # }
        /// ```
        #[inline(always)]
        #[track_caller]
        pub fn $with(&self, _: Thread<'_>, index: usize, value: T, _: Scope, ordering: Ordering) -> T {
            // SAFETY: as above.
            unsafe { T::$name(self.at(index), value, ordering) }
        }
    )*};
}

impl<T: AtomicValue> Atomic<'_, [T]> {
    operations! {
        /// Adds to the element; integers wrap around. Returns what was there.
        fetch_add fetch_add_with;
    }
}

impl<T: AtomicInteger> Atomic<'_, [T]> {
    operations! {
        /// Subtracts from the element, wrapping around. Returns what was there.
        fetch_sub fetch_sub_with;
        /// Keeps the lesser of the element and the value. Returns what was there.
        fetch_min fetch_min_with;
        /// Keeps the greater of the element and the value. Returns what was there.
        fetch_max fetch_max_with;
        /// Keeps the bits that are in both the element and the value. Returns what was there.
        fetch_and fetch_and_with;
        /// Keeps the bits that are in the element or the value. Returns what was there.
        fetch_or fetch_or_with;
        /// Keeps the bits that are in one of the element and the value only. Returns what was there.
        fetch_xor fetch_xor_with;
        /// Puts the value into the element. Returns what was there.
        exchange exchange_with;
    }

    /// Puts `new` into the element if `current` is in it. Returns what was there.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(t: Thread, lock: Atomic<[u32]>) -> bool {
    /// let was_first = lock.compare_exchange(t, 0, 0, 1) == 0;
    /// # was_first }
    /// ```
    ///
    /// # From CUDA
    /// `atomicCAS`.
    #[inline(always)]
    #[track_caller]
    pub fn compare_exchange(&self, t: Thread<'_>, index: usize, current: T, new: T) -> T {
        self.compare_exchange_with(t, index, current, new, Scope::Device, Relaxed)
    }

    /// Puts `new` into the element if `current` is in it. Returns what was there.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(t: Thread, lock: Atomic<[u32]>) -> bool {
    /// let was_first = lock.compare_exchange_with(t, 0, 0, 1, Scope::Device, Ordering::Acquire) == 0;
    /// # was_first }
    /// ```
    ///
    /// # From CUDA
    /// `cuda::atomic_ref::compare_exchange_strong`, which returns whether it did it rather than what was there.
    #[inline(always)]
    #[track_caller]
    pub fn compare_exchange_with(
        &self,
        _: Thread<'_>,
        index: usize,
        current: T,
        new: T,
        _: Scope,
        ordering: Ordering,
    ) -> T {
        // SAFETY: the element is inside, and accessed atomically only.
        unsafe { T::compare_exchange(self.at(index), current, new, ordering) }
    }

    /// The element's value now.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(t: Thread, flags: Atomic<[u32]>) -> bool {
    /// let is_set = flags.load(t, 0, Scope::Device, Ordering::Acquire) != 0;
    /// # is_set }
    /// ```
    ///
    /// # From CUDA
    /// `cuda::atomic_ref::load`.
    #[inline(always)]
    #[track_caller]
    pub fn load(&self, _: Thread<'_>, index: usize, _: Scope, ordering: Ordering) -> T {
        // SAFETY: as above.
        unsafe { T::load(self.at(index), ordering) }
    }

    /// Puts a value into the element.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(t: Thread, flags: Atomic<[u32]>) {
    /// flags.store(t, 0, 1, Scope::Device, Ordering::Release);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cuda::atomic_ref::store`.
    #[inline(always)]
    #[track_caller]
    pub fn store(&self, _: Thread<'_>, index: usize, value: T, _: Scope, ordering: Ordering) {
        // SAFETY: as above.
        unsafe { T::store(self.at(index), value, ordering) };
    }
}

impl<S: ?Sized> fmt::Debug for Atomic<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Atomic").field("len", &self.len).finish_non_exhaustive()
    }
}

/// Passing: every thread updates a slice.
#[derive(Debug)]
pub struct AtomicSlice<T>(PhantomData<T>);

// SAFETY: the extent is the slice's; nothing is owned.
unsafe impl<T: AtomicValue> Param for Atomic<'static, [T]> {
    type Raw = RawSlice<T>;
    type Extent = SliceExtent;
    type Passing = AtomicSlice<T>;
    const RANK: u32 = 3;

    fn extent(raw: &RawSlice<T>) -> SliceExtent {
        SliceExtent { len: raw.len }
    }

    fn describe(raw: &RawSlice<T>) -> Description {
        Description::Slice { len: raw.len }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "Atomic<[_]>";

    fn slots(raw: &RawSlice<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}
