//! Global memory that all threads update atomically.

mod float;
mod integer;
pub(crate) mod value;

pub use value::{AtomicElement, AtomicInteger, AtomicValue};

use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::{self, Relaxed};

use gridwright_core::{Description, KernelArg, Layout, Param, RawSlice, SliceExtent, Slot};

use crate::Thread;
use crate::bounds::no_element;

/// Global memory that every thread of the launch updates, atomically and in no order.
///
/// Each update takes the thread that makes it, so that none is made at group level, where all threads of a
/// group would make it. An update is relaxed and visible to the whole device; [`load`](Self::load), [`store`](Self::store)
/// and the forms that end in `_with` take a [`Scope`] and an [`Ordering`].
///
/// All of [`AtomicElement`] are read and set, flags of a byte among them; those of [`AtomicValue`], floats too, are added to,
/// compared and exchanged; those of [`AtomicInteger`] have the operations of bits as well.
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
// SAFETY: threads that share it access the memory atomically only.
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
/// fn draw_ticket(t: Thread, ticket: Atomic<[u32]>) -> u32 {
///     ticket.fetch_add_with(t, 0, 1, Scope::Device, Ordering::AcqRel)
/// }
/// ```
///
/// # From CUDA
/// `cuda::thread_scope_block`, `cuda::thread_scope_device` and `cuda::thread_scope_system`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The threads of the updating thread's workgroup.
    Workgroup,
    /// All threads on the device, of this launch and of others.
    Device,
    /// All threads on the device, the host, and other devices.
    System,
}

#[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
impl<T: KernelArg> Atomic<'_, [T]> {
    /// # Safety
    /// `pointer` is the first of `len` elements that this launch's threads access atomically only.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *mut T, len: usize) -> Self {
        Self { pointer: pointer.cast(), len, _memory: PhantomData }
    }

    /// The number of elements of the memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_bin(bins: Atomic<[u32]>) -> usize {
    ///     bins.len() - 1
    /// }
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
    ($bound:ident: $($(#[$doc:meta])* $name:ident $with:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// Beyond the last element.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// fn update_the_first(t: Thread, x: Atomic<[u32]>) {
        #[doc = concat!("    let before = x.", stringify!($name), "(t, 0, 3);")]
        /// }
        /// ```
        #[inline(always)]
        #[track_caller]
        pub fn $name(&self, _: Thread<'_>, index: usize, value: T) -> T
        where
            T: $bound,
        {
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
        /// fn update_the_first(t: Thread, x: Atomic<[u32]>) {
        #[doc = concat!("    let before = x.", stringify!($with), "(t, 0, 3, Scope::Device, Ordering::AcqRel);")]
        /// }
        /// ```
        #[inline(always)]
        #[track_caller]
        pub fn $with(&self, _: Thread<'_>, index: usize, value: T, _: Scope, ordering: Ordering) -> T
        where
            T: $bound,
        {
            // SAFETY: the element is inside, and accessed atomically only.
            unsafe { T::$name(self.at(index), value, ordering) }
        }
    )*};
}

// The bounds are the methods', so that the compiler says what can't be done, and what to write.
impl<T: KernelArg> Atomic<'_, [T]> {
    /// Reads the element at `index`: [`load`](Self::load) for the whole device and in no order.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_new(t: Thread, is_reached: Atomic<[u8]>) -> bool {
    ///     is_reached.read(t, t.index()) == 0
    /// }
    /// ```
    ///
    /// # From CUDA
    /// A load of a `volatile` element, or `cuda::atomic_ref::load` with `memory_order_relaxed`.
    #[inline(always)]
    #[track_caller]
    pub fn read(&self, t: Thread<'_>, index: usize) -> T
    where
        T: AtomicElement,
    {
        self.load(t, index, Scope::Device, Relaxed)
    }

    /// Writes the element at `index`: [`store`](Self::store) for the whole device and in no order.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn mark_reached(t: Thread, is_reached: Atomic<[u8]>) {
    ///     is_reached.set(t, t.index(), 1);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// A store to a `volatile` element, or `cuda::atomic_ref::store` with `memory_order_relaxed`.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, t: Thread<'_>, index: usize, value: T)
    where
        T: AtomicElement,
    {
        self.store(t, index, value, Scope::Device, Relaxed);
    }

    /// Reads the element at `index`, ordered as `ordering` says for the threads of a scope.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_flag_set(t: Thread, flags: Atomic<[u32]>) -> bool {
    ///     flags.load(t, 0, Scope::Device, Ordering::Acquire) != 0
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cuda::atomic_ref::load`.
    #[inline(always)]
    #[track_caller]
    pub fn load(&self, _: Thread<'_>, index: usize, _: Scope, ordering: Ordering) -> T
    where
        T: AtomicElement,
    {
        // SAFETY: the element is inside, and accessed atomically only.
        unsafe { T::load(self.at(index), ordering) }
    }

    /// Writes the element at `index`, ordered as `ordering` says for the threads of a scope.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn set_flag(t: Thread, flags: Atomic<[u32]>) {
    ///     flags.store(t, 0, 1, Scope::Device, Ordering::Release);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cuda::atomic_ref::store`.
    #[inline(always)]
    #[track_caller]
    pub fn store(&self, _: Thread<'_>, index: usize, value: T, _: Scope, ordering: Ordering)
    where
        T: AtomicElement,
    {
        // SAFETY: the element is inside, and accessed atomically only.
        unsafe { T::store(self.at(index), value, ordering) };
    }
}

impl<T: KernelArg> Atomic<'_, [T]> {
    operations! { AtomicValue:
        /// Adds a value to an element, and returns what the element was before. Integers wrap around.
        fetch_add fetch_add_with;
        /// Puts the lesser of an element and a value into the element, and returns what the element was before.
        ///
        /// Floats are ordered as by `total_cmp`, but a NaN that is given changes nothing.
        fetch_min fetch_min_with;
        /// Puts the greater of an element and a value into the element, and returns what the element was before.
        ///
        /// Floats are ordered as by `total_cmp`, but a NaN that is given changes nothing.
        fetch_max fetch_max_with;
        /// Puts a value into an element, and returns what the element was before.
        exchange exchange_with;
    }

    /// Puts `new` into an element that is `current`, and returns what the element was before. Floats are compared by
    /// their bits.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn try_lock(t: Thread, lock: Atomic<[u32]>) -> bool {
    ///     lock.compare_exchange(t, 0, 0, 1) == 0
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `atomicCAS`.
    #[inline(always)]
    #[track_caller]
    pub fn compare_exchange(&self, t: Thread<'_>, index: usize, current: T, new: T) -> T
    where
        T: AtomicValue,
    {
        self.compare_exchange_with(t, index, current, new, Scope::Device, Relaxed)
    }

    /// Puts `new` into an element that is `current`, ordered as `ordering` says, and returns what the element was
    /// before. Floats are compared by their bits.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn try_lock(t: Thread, lock: Atomic<[u32]>) -> bool {
    ///     lock.compare_exchange_with(t, 0, 0, 1, Scope::Device, Ordering::Acquire) == 0
    /// }
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
    ) -> T
    where
        T: AtomicValue,
    {
        // SAFETY: the element is inside, and accessed atomically only.
        unsafe { T::compare_exchange(self.at(index), current, new, ordering) }
    }
}

impl<T: KernelArg> Atomic<'_, [T]> {
    operations! { AtomicInteger:
        /// Subtracts a value from an element, wrapping around, and returns what the element was before.
        fetch_sub fetch_sub_with;
        /// Keeps the bits that are in both an element and a value, and returns what the element was before.
        fetch_and fetch_and_with;
        /// Keeps the bits that are in an element or a value, and returns what the element was before.
        fetch_or fetch_or_with;
        /// Keeps the bits that are in only one of an element and a value, and returns what the element was before.
        fetch_xor fetch_xor_with;
    }
}

impl<S: ?Sized> fmt::Debug for Atomic<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Atomic").field("len", &self.len).finish_non_exhaustive()
    }
}

/// The passing of an `Atomic<[T]>`: every thread updates the slice.
#[derive(Debug)]
pub struct AtomicSlice<T>(PhantomData<T>);

// SAFETY: the extent is the slice's; nothing is owned.
unsafe impl<T: AtomicElement> Param for Atomic<'static, [T]> {
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
