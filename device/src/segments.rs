//! Segments: runs of a slice's elements, one after another, that begin and end where a list of offsets says.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, Range};

use gridwright_core::{Description, KernelArg, Layout, Param, RawParts, SliceExtent, Slot};

use crate::arch::{Identity, LaunchId};
use crate::bounds::no_segment;
use crate::per_group::GroupOwned;
use crate::per_thread::{OwnAnywhere, OwnShape, PerThread, anywhere};
use crate::rows::RowPart;
use crate::views::Linear;
use crate::{PerGroup, Thread};

/// Segments of a slice, each of any length: the rows of a sparse matrix, the neighbours of a graph's nodes.
///
/// A list of offsets says where they begin and end: segment *i* is the elements from `offsets[i]` up to
/// `offsets[i + 1]`. The upload checked that no offset is below the one before, so that segments don't overlap.
///
/// A kernel reads `&Segments<T>`, of which `x[i]` is the segment *i*. `PerThread<Segments<T>>` gives thread *i* the segment *i* as a
/// slice to write, by [`segment_mut`](PerThread::segment_mut), and `PerGroup<Segments<T>>` the group of index *i*, by
/// [`elements_from_mut`](PerGroup::elements_from_mut).
///
/// ```
/// use gridwright::prelude::*;
///
/// /// A sparse matrix times a vector, a thread a row.
/// #[gpu_kernel(requires = weights.len() == y.len() && columns.len() == y.len())]
/// fn multiply(t: Thread, weights: &Segments<f32>, columns: &Segments<u32>, x: &[f32], mut y: PerThread<[f32]>) {
///     if let Some(y) = y.get_mut(t) {
///         let mut sum = 0.0;
///         for (weight, &column) in weights[t.index()].iter().zip(&columns[t.index()]) {
///             sum += weight * x.get_or(column as usize, 0.0);
///         }
///         *y = sum;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// // Three rows, of which the second is empty.
/// let offsets = stream.upload_offsets(&[0, 2, 2, 3])?;
/// let (weights, columns) = (stream.upload(&[1.0, 2.0, 3.0])?, stream.upload(&[0, 1, 1])?);
/// let (x, mut y) = (stream.upload(&[10.0, 20.0])?, stream.alloc_zeroed(3)?);
/// let arguments = (weights.segments(&offsets), columns.segments(&offsets), &x, &mut y);
/// multiply::load(&device)?.launch(&stream, LaunchConfig::threads(3), arguments)?;
/// assert_eq!(stream.download(&y)?, [50.0, 0.0, 60.0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// A `const T*` with the `row_ptr` of a matrix in CSR.
pub struct Segments<T> {
    pointer: *const T,
    offsets: PartsWindow,
    _elements: PhantomData<T>,
}

// SAFETY: segments only ever give `&T`.
unsafe impl<T: Sync> Send for Segments<T> {}
// SAFETY: threads that share segments only get `&T`.
unsafe impl<T: Sync> Sync for Segments<T> {}

impl<T> Segments<T> {
    /// # Safety
    /// Nobody writes the slice or the offsets, of which there is one more than segments if there are any: none is below the one
    /// before, or more than the slice's length.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *const T, offsets: *const u32, count: usize) -> Self {
        Self { pointer, offsets: PartsWindow { indices: offsets, count }, _elements: PhantomData }
    }

    /// The number of segments.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_segment(rows: &Segments<f32>) -> usize {
    ///     rows.len() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.offsets.count
    }

    /// Whether there are no segments.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn has_no_segments(rows: &Segments<f32>) -> bool {
    ///     rows.is_empty()
    /// }
    /// ```
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.offsets.count == 0
    }

    /// The elements of a segment, or `None` if there is no segment of the number.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn sum_of_segment(t: Thread, rows: &Segments<f32>) -> f32 {
    ///     rows.get(t.index()).unwrap_or(&[]).iter().sum()
    /// }
    /// ```
    #[inline(always)]
    pub fn get(&self, segment: usize) -> Option<&[T]> {
        let range = self.range(segment)?;
        // SAFETY: the host saw that the segment is in the slice.
        Some(unsafe { core::slice::from_raw_parts(self.pointer.add(range.start), range.len()) })
    }

    /// The range of a segment's elements in the slice, or `None` if there is no segment of the number.
    ///
    /// It is for what lies beside the slice in another order.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn longest_segment(rows: &Segments<f32>) -> usize {
    ///     let longest = (0..rows.len()).filter_map(|row| rows.range(row)).map(|range| range.len()).max();
    ///     longest.unwrap_or(0)
    /// }
    /// ```
    #[inline(always)]
    pub fn range(&self, segment: usize) -> Option<Range<usize>> {
        // SAFETY: they are offsets.
        unsafe { self.offsets.segment(segment) }
    }
}

impl<T> Index<usize> for Segments<T> {
    type Output = [T];

    #[inline(always)]
    #[track_caller]
    fn index(&self, segment: usize) -> &[T] {
        match self.get(segment) {
            Some(elements) => elements,
            None => no_segment(segment, self.len()),
        }
    }
}

impl<T> fmt::Debug for Segments<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segments").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// The passing of a `&Segments<T>`: each thread reads all segments.
#[derive(Debug)]
pub struct ReadSegments<T>(PhantomData<T>);

/// The passing of a `PerGroup<Segments<T>>`: each group owns a segment.
#[derive(Debug)]
pub struct GroupSegments<T>(PhantomData<T>);

macro_rules! params {
    ($($param:ty => $passing:ty, $rank:literal, $spelling:literal;)*) => {$(
        // SAFETY: the extent is the number of parts, which are different owners' in launches of so many dimensions.
        unsafe impl<T: KernelArg> Param for $param {
            type Raw = RawParts<T>;
            type Extent = SliceExtent;
            type Passing = $passing;
            const RANK: u32 = $rank;

            fn extent(raw: &RawParts<T>) -> SliceExtent {
                SliceExtent { len: raw.count }
            }

            fn describe(raw: &RawParts<T>) -> Description {
                Description::Slice { len: raw.count }
            }

            const LAYOUT: Layout = T::LAYOUT;
            const SPELLING: &'static str = $spelling;

            fn slots(raw: &RawParts<T>, slot: impl FnMut(Slot)) {
                raw.slots(slot);
            }
        }
    )*};
}

params! {
    &'static Segments<T> => ReadSegments<T>, 3, "&Segments<_>";
    PerThread<'static, Segments<T>> => OwnAnywhere<Segments<T>, Linear>, 1, "PerThread<Segments<_>>";
    PerGroup<'static, Segments<T>> => GroupSegments<T>, 3, "PerGroup<Segments<_>>";
    PerThread<'static, crate::Scattered<T>> => OwnAnywhere<crate::Scattered<T>, Linear>, 1, "PerThread<Scattered<_>>";
}

/// A list of the parts' indices or offsets, and the number of parts.
#[derive(Clone, Copy, Debug)]
pub struct PartsWindow {
    pub(crate) indices: *const u32,
    pub(crate) count: usize,
}

impl PartsWindow {
    /// Where a segment begins and ends, or `None` where there is none of that number.
    ///
    /// # Safety
    /// The list is of offsets: one more than segments, each no less than the one before.
    #[inline(always)]
    unsafe fn segment(&self, segment: usize) -> Option<Range<usize>> {
        if segment >= self.count {
            return None;
        }
        // SAFETY: there is one more offset than segments.
        let (start, end) = unsafe { (*self.indices.add(segment), *self.indices.add(segment + 1)) };
        // SAFETY: the host saw that offsets ascend.
        unsafe { core::hint::assert_unchecked(start <= end) };
        Some(start as usize..end as usize)
    }
}

// SAFETY: the list is only read while it is used.
unsafe impl Send for PartsWindow {}
// SAFETY: threads that share the list only read it.
unsafe impl Sync for PartsWindow {}

// SAFETY: the segment is inside and not empty, and no other thread's begins there.
unsafe impl<T: KernelArg> OwnShape for Segments<T> {
    type Element = T;
    type Window = PartsWindow;
    anywhere!(Self);

    #[inline(always)]
    fn position(window: &PartsWindow, thread: Identity<'_>) -> Option<usize> {
        // SAFETY: they are offsets.
        let range = unsafe { window.segment(thread.index()) }?;
        (!range.is_empty()).then_some(range.start)
    }
}

impl<T: KernelArg> PerThread<'_, Segments<T>> {
    /// The thread's own segment, or `None` if the thread owns none.
    ///
    /// [`get_mut`](PerThread::get_mut) and [`elements_mut`](PerThread::elements_mut) give the segment's first element.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// Divides the weights of each node by their sum.
    /// #[gpu_kernel]
    /// fn normalize(t: Thread, mut weights: PerThread<Segments<f32>>) {
    ///     let Some(weights) = weights.segment_mut(t) else { return };
    ///     let sum: f32 = weights.iter().sum();
    ///     for weight in weights {
    ///         *weight /= sum;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let offsets = stream.upload_offsets(&[0, 3, 3, 4])?;
    /// let mut weights = stream.upload(&[1.0_f32, 2.0, 1.0, 7.0])?;
    /// normalize::load(&device)?.launch(&stream, LaunchConfig::threads(3), (weights.segments_mut(&offsets),))?;
    /// assert_eq!(stream.download(&weights)?, [0.25, 0.5, 0.25, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `x[row_ptr[i]]` up to `x[row_ptr[i + 1] - 1]`, where `i` is the thread's index.
    #[inline(always)]
    pub fn segment_mut(&mut self, thread: Thread<'_>) -> Option<&mut [T]> {
        // A thread of a launch that launched this one owns nothing here.
        if !thread.identity.is_of(self.launch()) {
            return None;
        }
        // SAFETY: they are offsets.
        let range = unsafe { self.window().segment(thread.identity.index()) }?;
        // SAFETY: the segment is inside, the thread's own, and borrowed exclusively.
        Some(unsafe { core::slice::from_raw_parts_mut(self.memory().add(range.start), range.len()) })
    }

    /// The number of segments, of all threads together.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn number_of_nodes(weights: PerThread<Segments<f32>>) -> usize {
    ///     weights.len()
    /// }
    /// ```
    #[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.window().count
    }
}

/// The window that is a group's segment, whose elements begin at the memory's pointer.
#[derive(Clone, Copy, Debug)]
pub struct SegmentWindow {
    /// Number of elements of the group's segment.
    elements: usize,
    count: usize,
}

// SAFETY: a group's index is its own in every launch, and segments don't overlap.
unsafe impl<T: KernelArg> GroupOwned for Segments<T> {
    type Element = T;
    type Window = SegmentWindow;
}

impl<T: KernelArg> PerGroup<'_, Segments<T>> {
    /// # Safety
    /// The slice is there, and only groups of that launch access it, each its own segment.
    #[inline(always)]
    pub(crate) unsafe fn of_group(raw: &RawParts<T>, group: usize, launch: LaunchId) -> Self {
        let &RawParts { pointer, indices, count, .. } = raw;
        // SAFETY: they are offsets.
        let range = unsafe { PartsWindow { indices, count }.segment(group) }.unwrap_or(0..0);
        // SAFETY: the segment is in the slice, of which only this group accesses it, as this function asks.
        unsafe {
            Self::from_raw(pointer.add(range.start), SegmentWindow { elements: range.len(), count }, launch)
        }
    }

    /// The number of segments, of all groups together.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn number_of_nodes(weights: PerGroup<Segments<f32>>) -> usize {
    ///     weights.len()
    /// }
    /// ```
    #[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.window().count
    }

    /// The number of elements of the group's own segment, or 0 where there is no segment for the group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn has_nothing_to_do(weights: PerGroup<Segments<f32>>) -> bool {
    ///     weights.segment_len() == 0
    /// }
    /// ```
    #[inline(always)]
    pub fn segment_len(&self) -> usize {
        self.window().elements
    }

    /// A view that gives each thread the element of the group's segment at `start` plus the thread's number, or
    /// `None` beyond the segment's end: `Option<&mut T>`.
    ///
    /// # Panics
    /// The phase does, of a group of another launch, which owns nothing of it.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// Numbers the elements of each segment.
    /// #[gpu_kernel(block = 32)]
    /// fn number(g: &Group, mut x: PerGroup<Segments<u32>>) {
    ///     for start in g.blocks(x.segment_len(), 32) {
    ///         g.each(x.elements_from_mut(start), |t, x| {
    ///             if let Some(x) = x {
    ///                 *x = (start + t.local().x) as u32;
    ///             }
    ///         });
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let offsets = stream.upload_offsets(&[0, 3, 5])?;
    /// let mut x = stream.alloc_zeroed(5)?;
    /// number::load(&device)?.launch(&stream, LaunchConfig::grid(2, 32), (x.segments_mut(&offsets),))?;
    /// assert_eq!(stream.download(&x)?, [0, 1, 2, 0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `x[row_ptr[blockIdx.x] + start + threadIdx.x]`, behind a check of the segment's end.
    #[inline(always)]
    pub fn elements_from_mut(&mut self, start: usize) -> RowPart<'_, T> {
        RowPart::from(self.pointer(), self.window().elements, start, self.launch())
    }
}
