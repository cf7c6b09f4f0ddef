use core::fmt;
use core::marker::PhantomData;

use gridwright_core::{KernelArg, partition_bytes};

use crate::element::ArrayElement;
use crate::views::{Atomics, Elements, ElementsMut, FixedSlots, Shared, Slots};
use crate::warp::WarpChunks;

/// Memory that the threads of a workgroup share: OpenCL's local memory.
///
/// `Workgroup<[T]>` is *launch-sized*: each launch says how many elements it has, with
/// `LaunchConfig::…​.workgroup::<T>(len)`. `Workgroup<[T; N]>`, `Workgroup<[[T; N]; M]>` and `Workgroup<[[[T; N]; M]; L]>`
/// have the size that their type says, and no launch has to mention them.
///
/// A group's phases hand it out (see *Glossary* in the book: view, slot). [`elements_mut`](Self::elements_mut) gives each thread a slot,
/// [`each`](Self::each) a slot to read, [`shared`](Self::shared) all of the memory to read, and [`atomic`](Self::atomic) all of
/// it to update.
///
/// When a group begins, the memory holds bytes that mean nothing. On a GPU they are what was there before; on the
/// CPU every byte is 0xff, so that what was forgotten is seen: a float is NaN, an index is out of bounds.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// One sum a workgroup.
/// #[gpu_kernel(requires = scratch.len() == g.len() && g.len().is_power_of_two())]
/// fn block_sum(g: &Group, x: &[f32], mut out: PerGroup<[f32]>, mut scratch: Workgroup<[f32]>) {
///     g.each(scratch.elements_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
///     let mut half = g.len() / 2;
///     while half > 0 {
///         let (low, high) = scratch.split_at_mut(half);
///         g.each((low.elements_mut().take(half), high.elements().take(half)), |_, (low, high)| *low += *high);
///         half /= 2;
///     }
///     let total = g.read(&scratch, 0);
///     out.set(g, total);
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x = stream.upload(&[1.0_f32; 1000])?;
/// let mut sums = stream.alloc_zeroed::<f32>(4)?;
/// let config = LaunchConfig::grid(4, 256).workgroup::<f32>(256);
/// block_sum::load(&device)?.launch(&stream, config, (&x, &mut sums))?;
/// assert_eq!(stream.download(&sums)?, [256.0, 256.0, 256.0, 232.0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `__shared__ T memory[N]`. Launch-sized memory is `extern __shared__ T memory[]`, several times if need be.
pub struct Workgroup<'k, S: ?Sized + Slots> {
    pointer: *mut S,
    _memory: PhantomData<&'k mut S::Element>,
}

// SAFETY: it gives views only, which phases hand out.
unsafe impl<S: ?Sized + Slots> Send for Workgroup<'_, S> {}
// SAFETY: threads that share it get views to read only, which phases hand out.
unsafe impl<S: ?Sized + Slots> Sync for Workgroup<'_, S> {}

impl<'k, S: ?Sized + Slots> Workgroup<'k, S> {
    /// # Safety
    /// The pointer is at memory of this workgroup that nothing else refers to.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *mut S) -> Self {
        Self { pointer, _memory: PhantomData }
    }

    /// A view that gives each thread a slot to read: along one axis the slot of the thread's number in the group,
    /// along more that of its column, row and plane.
    ///
    /// The phase panics if there are fewer slots than threads.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn copy_slots(g: &Group, mut out: PerThread<[u32]>, w: Workgroup<[u32]>) {
    ///     g.each((w.elements(), out.elements_mut()), |_, (slot, out)| {
    ///         if let Some(out) = out {
    ///             *out = *slot;
    ///         }
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// The value of `memory[threadIdx.x]`.
    #[inline(always)]
    pub fn elements(&self) -> Elements<'_, S> {
        Elements { pointer: self.pointer, _memory: PhantomData, _map: PhantomData }
    }

    /// A view that gives each thread a slot to write: the slot that [`each`](Self::each) gives it to read.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn clear_slots(g: &Group, mut w: Workgroup<[u32]>) {
    ///     g.each(w.elements_mut(), |_, slot| *slot = 0);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// An assignment to `memory[threadIdx.x]`.
    #[inline(always)]
    pub fn elements_mut(&mut self) -> ElementsMut<'_, S> {
        ElementsMut { pointer: self.pointer, _memory: PhantomData, _map: PhantomData }
    }

    /// A view with which every thread reads all of the memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn sum_all_slots(g: &Group, mut out: PerThread<[u32]>, w: Workgroup<[u32]>) {
    ///     g.each((w.shared(), out.elements_mut()), |_, (w, out)| {
    ///         if let Some(out) = out {
    ///             *out = w.iter().sum();
    ///         }
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// The value of `memory[i]`, whatever the index.
    #[inline(always)]
    pub fn shared(&self) -> Shared<'_, S> {
        Shared { pointer: self.pointer, _memory: PhantomData }
    }

    /// A view with which every thread updates all of the memory, atomically.
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
    ///
    /// # From CUDA
    /// Atomic functions on `__shared__` memory, such as `atomicAdd(&memory[i], 1)`.
    #[inline(always)]
    pub fn atomic(&mut self) -> Atomics<'_, S> {
        Atomics { pointer: self.pointer, _memory: PhantomData }
    }

    /// A view for [`Group::each_warp`](crate::Group::each_warp) that gives each warp `len` neighbouring elements of
    /// its own.
    ///
    /// The first warp gets the first elements. If the memory ends within the elements of the last warp, that warp gets fewer.
    ///
    /// `each_warp` panics if a warp would get none.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 256)]
    /// fn greatest_indices(g: &Group, mut greatest: Workgroup<[u32; 8]>) {
    ///     g.each_warp(greatest.warp_chunks_mut(1), |w, mut slot| {
    ///         let indices = w.map((), |t, ()| t.index() as u32);
    ///         w.set(&mut slot, 0, w.reduce(&indices, u32::max));
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn warp_chunks_mut(&mut self, len: usize) -> WarpChunks<'_, S::Element> {
        self.flat().warp_chunks_mut(len)
    }

    /// A pointer to the memory's first element, for kernels that are an `unsafe fn`.
    ///
    /// The kernel's threads say themselves who writes what, and when. Elements lie side by side, of several axes row
    /// after row.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 256)]
    /// unsafe fn shifted(t: Thread, x: *mut u32, mut tile: Workgroup<[u32; 256]>) {
    ///     let (i, tile) = (t.local().x, tile.as_mut_ptr());
    ///     unsafe { *tile.add(i) = *x.add(t.col()) };
    ///     unsafe { sync_threads(t) };
    ///     unsafe { *x.add(t.col()) = *tile.add((i + 1) % 256) };
    /// }
    /// ```
    ///
    /// # From CUDA
    /// The address of a `__shared__` array.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut S::Element {
        self.pointer.cast()
    }

    /// All of the memory as one row of slots.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 256)]
    /// fn clear_tile(g: &Group, mut tile: Workgroup<[[f32; 16]; 16]>) {
    ///     g.each(tile.flat().elements_mut(), |_, slot| *slot = 0.0);
    /// }
    /// ```
    #[inline(always)]
    pub fn flat(&mut self) -> WorkgroupMut<'_, S::Element> {
        let len = self.count();
        let slots = core::ptr::slice_from_raw_parts_mut(self.pointer.cast::<S::Element>(), len);
        // SAFETY: the same memory, borrowed exclusively.
        WorkgroupMut(unsafe { Workgroup::from_raw(slots) })
    }

    #[inline(always)]
    pub(crate) fn whole(&mut self) -> *mut S {
        self.pointer
    }

    /// A pointer to the element at an index inside the memory.
    #[inline(always)]
    pub(crate) fn element(&self, index: usize) -> *mut S::Element {
        self.pointer.cast::<S::Element>().wrapping_add(index)
    }

    /// The number of elements of the memory, of all axes together.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        let [x, y, z] = S::sizes(self.pointer);
        x * y * z
    }

    #[inline(always)]
    pub(crate) fn sizes(&self) -> [usize; 3] {
        S::sizes(self.pointer)
    }
}

#[allow(clippy::len_without_is_empty)] // a launch with none is refused
impl<'k, T: KernelArg> Workgroup<'k, [T]> {
    /// The number of elements of the memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn half_len(w: Workgroup<[f32]>) -> usize {
    ///     w.len() / 2
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.pointer.len()
    }

    /// Splits the memory into two parts, the first of `middle` elements. A phase can hand out both side by side.
    ///
    /// # Panics
    /// If there are fewer than `middle` elements.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn fold_halves(g: &Group, mut w: Workgroup<[f32]>) {
    ///     let half = w.len() / 2;
    ///     let (low, high) = w.split_at_mut(half);
    ///     g.each((low.elements_mut().take(half), high.elements().take(half)), |_, (low, high)| *low += *high);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn split_at_mut(&mut self, middle: usize) -> (WorkgroupMut<'_, T>, WorkgroupMut<'_, T>) {
        self.reborrow().split_at_mut(middle)
    }

    /// The first `N` elements of the memory as an array. The array's length is known when the kernel is compiled,
    /// which drops bounds checks.
    ///
    /// # Panics
    /// If there are fewer.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn count_first_byte(g: &Group, x: &[u8], mut bins: Workgroup<[u32]>) {
    ///     let mut bins = bins.array::<256>();
    ///     g.each(bins.atomic(), |t, bins| {
    ///         bins.fetch_add(t, usize::from(x[0]), 1);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn array<const N: usize>(&mut self) -> Workgroup<'_, [T; N]>
    where
        T: ArrayElement,
    {
        let len = self.len();
        assert!(N <= len, "an array of {N} of workgroup memory of {len} elements");
        // SAFETY: the memory has as many elements, and is borrowed exclusively.
        unsafe { Workgroup::from_raw(self.pointer.cast::<[T; N]>()) }
    }

    /// The memory as arrays of `N` neighbouring elements, of which each thread gets one. Elements that don't fill an
    /// array are left out.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn clear_fours(g: &Group, mut w: Workgroup<[f32]>) {
    ///     g.each(w.chunks::<4>().elements_mut(), |_, four| *four = [0.0; 4]);
    /// }
    /// ```
    #[inline(always)]
    pub fn chunks<const N: usize>(&mut self) -> WorkgroupMut<'_, [T; N]> {
        self.reborrow().chunks()
    }

    /// All of the memory as a [`WorkgroupMut`], which is the type of its parts.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn clear_slots(g: &Group, mut w: Workgroup<[f32]>) {
    ///     let whole = w.reborrow();
    ///     g.each(whole.elements_mut(), |_, slot| *slot = 0.0);
    /// }
    /// ```
    #[inline(always)]
    pub fn reborrow(&mut self) -> WorkgroupMut<'_, T> {
        // SAFETY: borrowed exclusively.
        WorkgroupMut(unsafe { Workgroup::from_raw(self.pointer) })
    }
}

/// A part of a workgroup's memory, or all of it in another form: what [`split_at_mut`](Workgroup::split_at_mut),
/// [`chunks`](Workgroup::chunks) and [`flat`](Workgroup::flat) return.
///
/// It is used up by the view that is made of it; [`reborrow`](Self::reborrow) keeps it.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel(requires = w.len() >= 2 * g.len())]
/// fn halves(g: &Group, mut w: Workgroup<[u32]>) {
///     let (mut low, high) = w.split_at_mut(g.len());
///     g.each((low.reborrow().elements_mut(), high.elements_mut()), |_, (low, high)| (*low, *high) = (1, 2));
///     g.each(low.elements_mut(), |_, low| *low += 1);
/// }
/// ```
///
/// # From CUDA
/// A pointer into `__shared__` memory, with the number of elements behind it.
#[derive(Debug)]
pub struct WorkgroupMut<'a, T: KernelArg>(pub(crate) Workgroup<'a, [T]>);

#[allow(clippy::len_without_is_empty)] // as of the whole
impl<'a, T: KernelArg> WorkgroupMut<'a, T> {
    /// The number of elements of the part.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn half_len(w: WorkgroupMut<f32>) -> usize {
    ///     w.len() / 2
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// A view that gives each thread a slot of the part to read, as [`Workgroup::each`] does.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn fold_halves(g: &Group, mut w: Workgroup<[u32]>) {
    ///     let (low, high) = w.split_at_mut(32);
    ///     g.each((low.elements_mut().take(32), high.elements().take(32)), |_, (low, high)| *low += *high);
    /// }
    /// ```
    #[inline(always)]
    pub fn elements(self) -> Elements<'a, [T]> {
        Elements { pointer: self.0.pointer, _memory: PhantomData, _map: PhantomData }
    }

    /// A view that gives each thread a slot of the part to write, as [`Workgroup::elements_mut`] does.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn clear_first_slots(g: &Group, mut w: Workgroup<[u32]>) {
    ///     let (low, _) = w.split_at_mut(32);
    ///     g.each(low.elements_mut().take(32), |_, low| *low = 0);
    /// }
    /// ```
    #[inline(always)]
    pub fn elements_mut(self) -> ElementsMut<'a, [T]> {
        ElementsMut { pointer: self.0.pointer, _memory: PhantomData, _map: PhantomData }
    }

    /// A view with which every thread reads all of the part.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn sum_of_high_part(g: &Group, mut w: Workgroup<[u32]>) {
    ///     let (low, high) = w.split_at_mut(32);
    ///     g.each((low.elements_mut().take(32), high.shared()), |_, (low, high)| *low = high.iter().sum());
    /// }
    /// ```
    #[inline(always)]
    pub fn shared(self) -> Shared<'a, [T]> {
        Shared { pointer: self.0.pointer, _memory: PhantomData }
    }

    /// A view with which every thread updates all of the part, atomically.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn count_in_the_first(g: &Group, mut w: Workgroup<[u32]>) {
    ///     let (low, _) = w.split_at_mut(32);
    ///     g.each(low.atomic(), |t, low| {
    ///         low.fetch_add(t, 0, 1);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn atomic(self) -> Atomics<'a, [T]> {
        Atomics { pointer: self.0.pointer, _memory: PhantomData }
    }

    /// A view that gives each warp `len` neighbouring elements of the part, as [`Workgroup::warp_chunks_mut`] does.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn count_lanes(g: &Group, mut w: Workgroup<[u32]>) {
    ///     let (counts, _) = w.split_at_mut(g.warps());
    ///     g.each_warp(counts.warp_chunks_mut(1), |w, mut count| w.set(&mut count, 0, w.len() as u32));
    /// }
    /// ```
    #[inline(always)]
    pub fn warp_chunks_mut(self, len: usize) -> WarpChunks<'a, T> {
        WarpChunks::new(self, len)
    }

    /// Splits the part into two parts, the first of `middle` elements.
    ///
    /// # Panics
    /// If there are fewer than `middle` elements.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn add_two_parts(g: &Group, mut w: Workgroup<[u32]>) {
    ///     let (a, rest) = w.split_at_mut(32);
    ///     let (b, c) = rest.split_at_mut(32);
    ///     let parts = (a.elements_mut().take(32), b.elements().take(32), c.elements().take(32));
    ///     g.each(parts, |_, (a, b, c)| *a = *b + *c);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn split_at_mut(self, middle: usize) -> (WorkgroupMut<'a, T>, WorkgroupMut<'a, T>) {
        let len = self.len();
        assert!(middle <= len, "workgroup memory of {len} elements was split at {middle}");
        let first: *mut T = self.0.pointer.cast();
        // SAFETY: two parts of this memory that don't overlap; `self` is used up.
        unsafe {
            let low = core::ptr::slice_from_raw_parts_mut(first, middle);
            let high = core::ptr::slice_from_raw_parts_mut(first.add(middle), len - middle);
            (WorkgroupMut(Workgroup::from_raw(low)), WorkgroupMut(Workgroup::from_raw(high)))
        }
    }

    /// The part as arrays of `N` neighbouring elements, of which each thread gets one, as with [`Workgroup::chunks`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn clear_fours(g: &Group, mut w: Workgroup<[f32]>) {
    ///     let (low, _) = w.split_at_mut(4 * g.len());
    ///     g.each(low.chunks::<4>().elements_mut(), |_, four| *four = [0.0; 4]);
    /// }
    /// ```
    #[inline(always)]
    pub fn chunks<const N: usize>(self) -> WorkgroupMut<'a, [T; N]> {
        const { assert!(N > 0, "chunks of nothing") };
        let count = self.len() / N;
        let chunks = core::ptr::slice_from_raw_parts_mut(self.0.pointer.cast(), count);
        // SAFETY: so many arrays fit; `self` is used up.
        WorkgroupMut(unsafe { Workgroup::from_raw(chunks) })
    }

    /// A reborrow of the part, which can be used up in the part's place.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn write_twice(g: &Group, mut w: Workgroup<[u32]>) {
    ///     let (mut low, _) = w.split_at_mut(32);
    ///     g.each(low.reborrow().elements_mut().take(32), |_, low| *low = 1);
    ///     g.each(low.elements_mut().take(32), |_, low| *low += 1);
    /// }
    /// ```
    #[inline(always)]
    pub fn reborrow(&mut self) -> WorkgroupMut<'_, T> {
        self.0.reborrow()
    }
}

impl<S: ?Sized + Slots> fmt::Debug for Workgroup<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workgroup").field("sizes", &self.sizes()).finish_non_exhaustive()
    }
}

/// A group's memory, from which the macro cuts the parameters: fixed arrays first, then launch-sized partitions,
/// in the order of the parameters.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'k> {
    pointer: *mut u8,
    lens: &'k [usize],
    _memory: PhantomData<&'k mut ()>,
}

impl<'k> Memory<'k> {
    /// # Safety
    /// The pointer is at as much memory as the pieces that are cut take, aligned to 16 bytes, that only this group
    /// uses until 'k ends.
    #[inline(always)]
    pub(crate) unsafe fn new(pointer: *mut u8, lens: &'k [usize]) -> Self {
        Self { pointer, lens, _memory: PhantomData }
    }

    /// The number of elements that the launch gave to a partition.
    #[inline(always)]
    pub fn len(&self, partition: usize) -> usize {
        self.lens[partition]
    }

    /// The next of the kernel's fixed arrays.
    ///
    /// # Safety
    /// It is of the kernel's parameters, in order.
    #[inline(always)]
    pub unsafe fn fixed<S: FixedSlots>(&mut self) -> Workgroup<'k, S> {
        const { assert!(align_of::<S>() <= 16, "elements of workgroup memory are aligned to at most 16 bytes") };
        let pointer = self.cut(size_of::<S>());
        // SAFETY: the launch counted it, and nobody gets it again.
        unsafe { Workgroup::from_raw(pointer.cast()) }
    }

    /// The next of the kernel's launch-sized partitions.
    ///
    /// # Safety
    /// It is of the kernel's parameters, in order, and the launch gave it so many elements.
    #[inline(always)]
    pub unsafe fn partition<T: KernelArg>(&mut self, len: usize) -> Workgroup<'k, [T]> {
        const { assert!(align_of::<T>() <= 16, "elements of workgroup memory are aligned to at most 16 bytes") };
        let pointer = self.cut(size_of::<T>() * len);
        // SAFETY: the launch counted it, and nobody gets it again.
        unsafe { Workgroup::from_raw(core::ptr::slice_from_raw_parts_mut(pointer.cast(), len)) }
    }

    #[inline(always)]
    fn cut(&mut self, bytes: usize) -> *mut u8 {
        let pointer = self.pointer;
        self.pointer = pointer.wrapping_add(partition_bytes(bytes));
        pointer
    }
}
