use core::fmt;
use core::marker::PhantomData;
use core::ops::Index;

use gridwright_core::{Description, KernelArg, Layout, Param, RawVolume, Slot, VolumeExtent};

use crate::arch::element3;
use crate::bounds::not_in_volume;

/// A volume in device memory that every thread reads and none writes: a kernel's `&Volume<T>`.
///
/// Elements lie plane after plane, and in a plane row after row.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// The mean of an element and its two neighbours in the planes beside it; beyond the edge counts as zero.
/// #[gpu_kernel]
/// fn blur(t: Thread, scan: &Volume<f32>, mut out: PerThread<Volume<f32>>) {
///     let (plane, row, col) = (t.plane(), t.row(), t.col());
///     if let Some(out) = out.get_mut(t) {
///         let before = scan.get_or(plane.wrapping_sub(1), row, col, 0.0);
///         let behind = scan.get_or(plane + 1, row, col, 0.0);
///         *out = (before + scan.get_or(plane, row, col, 0.0) + behind) / 3.0;
///     }
/// }
/// ```
///
/// # From CUDA
/// A `const T*` argument with the numbers of planes, rows and columns. There is no pitch.
pub struct Volume<T> {
    pointer: *const T,
    planes: usize,
    rows: usize,
    cols: usize,
    _elements: PhantomData<T>,
}

// SAFETY: a volume only ever gives `&T` and copies of `T`.
unsafe impl<T: Sync> Send for Volume<T> {}
// SAFETY: threads that share a volume only get `&T` and copies of `T`.
unsafe impl<T: Sync> Sync for Volume<T> {}

impl<T> Volume<T> {
    /// # Safety
    /// `pointer` is the first of `planes * rows * cols` elements that nobody writes while the volume is read.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *const T, [planes, rows, cols]: [usize; 3]) -> Self {
        Self { pointer, planes, rows, cols, _elements: PhantomData }
    }

    /// The number of planes of the volume.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_flat(v: &Volume<f32>) -> bool {
    ///     v.planes() == 1
    /// }
    /// ```
    #[inline(always)]
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The number of rows of a plane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn all_rows(v: &Volume<f32>) -> std::ops::Range<usize> {
    ///     0..v.rows()
    /// }
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns of a plane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn all_columns(v: &Volume<f32>) -> std::ops::Range<usize> {
    ///     0..v.cols()
    /// }
    /// ```
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The element at a plane, a row and a column, or `None` outside the volume.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn element_before(t: Thread, v: &Volume<f32>) -> f32 {
    ///     let before = v.get(t.plane().wrapping_sub(1), t.row(), t.col()).copied();
    ///     before.unwrap_or(0.0)
    /// }
    /// ```
    #[inline(always)]
    pub fn get(&self, plane: usize, row: usize, col: usize) -> Option<&T> {
        let (pointer, [planes, rows, cols]) = self.pinned();
        // `&`, not `&&`: one branch, and on NVIDIA the read-only load survives.
        if (plane < planes) & (row < rows) & (col < cols) {
            // SAFETY: the position was just seen to be inside.
            Some(unsafe { &*pointer.add(element3(plane, rows, row, cols, col)) })
        } else {
            None
        }
    }

    /// The fields in registers, for the reason given at `Matrix::pinned`.
    #[inline(always)]
    fn pinned(&self) -> (*const T, [usize; 3]) {
        let (pointer, sizes) = (self.pointer, [self.planes, self.rows, self.cols]);
        // SAFETY: no target of 64 bits has an object that starts at the middle of the address space.
        #[cfg(target_pointer_width = "64")]
        unsafe {
            core::hint::assert_unchecked(pointer.addr() != 1 << 63);
        }
        (pointer, sizes)
    }
}

/// The index of a plane, a row and a column, `v[(plane, row, col)]`, which panics outside the volume.
///
/// ```
/// # use gridwright::prelude::*;
/// fn element_in_front(t: Thread, v: &Volume<f32>) -> f32 {
///     v[(0, t.row(), t.col())]
/// }
/// ```
impl<T> Index<(usize, usize, usize)> for Volume<T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, (plane, row, col): (usize, usize, usize)) -> &T {
        let (pointer, [planes, rows, cols]) = self.pinned();
        if (plane >= planes) | (row >= rows) | (col >= cols) {
            not_in_volume([plane, row, col], [planes, rows, cols]);
        }
        // SAFETY: the position was just seen to be inside.
        unsafe { &*pointer.add(element3(plane, rows, row, cols, col)) }
    }
}

impl<T: Copy> Volume<T> {
    /// The element at a plane, a row and a column, or `default` outside the volume.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn element_behind(t: Thread, v: &Volume<f32>) -> f32 {
    ///     v.get_or(t.plane() + 1, t.row(), t.col(), 0.0)
    /// }
    /// ```
    #[inline(always)]
    pub fn get_or(&self, plane: usize, row: usize, col: usize, default: T) -> T {
        let (pointer, [planes, rows, cols]) = self.pinned();
        if (plane < planes) & (row < rows) & (col < cols) {
            // SAFETY: the position was just seen to be inside.
            unsafe { *pointer.add(element3(plane, rows, row, cols, col)) }
        } else {
            default
        }
    }
}

impl<T> fmt::Debug for Volume<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = [self.planes, self.rows, self.cols];
        f.debug_struct("Volume").field("sizes", &sizes).finish_non_exhaustive()
    }
}

/// The passing of a `&Volume<T>`: each thread reads the whole volume.
#[derive(Debug)]
pub struct ReadVolume<T>(PhantomData<T>);

// SAFETY: the extent is the volume's; nothing is owned.
unsafe impl<T: KernelArg> Param for &'static Volume<T> {
    type Raw = RawVolume<T>;
    type Extent = VolumeExtent;
    type Passing = ReadVolume<T>;
    const RANK: u32 = 3;

    fn extent(raw: &RawVolume<T>) -> VolumeExtent {
        VolumeExtent { planes: raw.planes, rows: raw.rows, cols: raw.cols }
    }

    fn describe(raw: &RawVolume<T>) -> Description {
        Description::Volume { planes: raw.planes, rows: raw.rows, cols: raw.cols }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "&Volume<_>";

    fn slots(raw: &RawVolume<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}
