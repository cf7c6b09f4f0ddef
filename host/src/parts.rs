//! Lists that say where owners' parts of a buffer are, checked once, and arguments that are memory with such a list.

use std::fmt;

use gridwright_core::{KernelArg, RawParts, RawPlaced};
use gridwright_device::{Diagonal, Matrix, Offset, PerGroup, Permuted, PlacedTiles};

use crate::pass::{Destination, Pass};
use crate::transfer::Region;
use crate::{Buffer, Error, MatrixBuffer, ReadFrom, Stream, WriteTo};

/// Where segments of a buffer begin and end, in a device's memory: each offset is no less than the one before, which was seen when
/// they were uploaded.
///
/// [`Buffer::segments`] and [`Buffer::segments_mut`] put a buffer beside it, for a kernel's `&Segments<T>`,
/// `PerThread<Segments<T>>` and `PerGroup<Segments<T>>`.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// // Three segments: two elements, none, and one.
/// let offsets = stream.upload_offsets(&[0, 2, 2, 3])?;
/// assert_eq!(offsets.len(), 3);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// The `row_ptr` of a matrix in CSR.
pub struct Offsets {
    offsets: Buffer<u32>,
    /// One beyond the last segment's last element.
    end: usize,
}

/// Indices in a device's memory of which no two are the same, which was seen when they were uploaded.
///
/// [`Buffer::scattered`] puts a buffer beside it, for a kernel's `PerThread<Scattered<T>>`, and
/// [`MatrixBuffer::tiles_by`] a matrix whose tiles it numbers.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let order = stream.upload_distinct(&[3, 0, 2])?;
/// assert_eq!(order.len(), 3);
/// # Ok::<(), gridwright::Error>(())
/// ```
pub struct DistinctIndices {
    indices: Buffer<u32>,
    greatest: Option<u32>,
}

impl Offsets {
    /// The number of segments.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.upload_offsets(&[0, 5])?.len(), 1);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no segments.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(stream.upload_offsets(&[0])?.is_empty());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl DistinctIndices {
    /// The number of indices.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.upload_distinct(&[7, 9])?.len(), 2);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether there are no indices.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(stream.upload_distinct(&[])?.is_empty());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }
}

impl Stream {
    /// A copy of offsets for a device, each of which has to be no less than the one before: of *n* segments there are *n* + 1.
    ///
    /// # Errors
    /// [`Error::DescendingOffsets`], [`Error::OutOfMemory`].
    ///
    /// ```
    /// # use gridwright::{Device, Error};
    /// # let stream = Device::cpu()?.stream()?;
    /// let error = stream.upload_offsets(&[0, 4, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "offset 2 is 3, below the one before it, which is 4");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpy` of a `row_ptr`, which nobody checks.
    pub fn upload_offsets(&self, offsets: &[u32]) -> Result<Offsets, Error> {
        for (at, pair) in offsets.windows(2).enumerate() {
            if let &[before, offset] = pair
                && offset < before
            {
                return Err(Error::DescendingOffsets { at: at + 1, before, offset });
            }
        }
        let end = offsets.last().map_or(0, |&last| last as usize);
        Ok(Offsets { offsets: self.upload(offsets)?, end })
    }

    /// A copy of indices for a device, of which no two may be the same.
    ///
    /// # Errors
    /// [`Error::RepeatedIndex`], [`Error::OutOfMemory`]; [`Error::CaptureBroken`] in a capture: until a replay the list would be zeros,
    /// which are the same.
    ///
    /// ```
    /// # use gridwright::{Device, Error};
    /// # let stream = Device::cpu()?.stream()?;
    /// let error = stream.upload_distinct(&[5, 1, 2, 1]).unwrap_err();
    /// assert_eq!(error.to_string(), "index 1 is twice in the list, at 1 and at 3");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpy` of a permutation, which nobody checks.
    pub fn upload_distinct(&self, indices: &[u32]) -> Result<DistinctIndices, Error> {
        self.forbid_capture("upload_distinct")?;
        let greatest = indices.iter().copied().max();
        if let Some(index) = repeated(indices, greatest.unwrap_or(0)) {
            let mut places = (0..).zip(indices).filter(|&(_, &other)| other == index).map(|(at, _)| at);
            let (first, second) = (places.next().unwrap_or(0), places.next().unwrap_or(0));
            return Err(Error::RepeatedIndex { index, first, second });
        }
        Ok(DistinctIndices { indices: self.upload(indices)?, greatest })
    }
}

/// An index that is there twice, if one is.
fn repeated(indices: &[u32], greatest: u32) -> Option<u32> {
    let words = greatest as usize / 64 + 1;
    // A bit for each possible index, where that is little memory beside the list.
    if words <= indices.len().saturating_mul(4) {
        let mut seen = vec![0_u64; words];
        return indices.iter().copied().find(|&index| {
            let bit = 1 << (index % 64);
            seen.get_mut(index as usize / 64).is_some_and(|word| {
                let is_there = *word & bit != 0;
                *word |= bit;
                is_there
            })
        });
    }
    let mut sorted = indices.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).find_map(|pair| match pair {
        &[a, b] if a == b => Some(a),
        _ => None,
    })
}

/// A buffer beside the offsets of its segments, to read: what a kernel's `&Segments<T>` takes.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel]
/// # fn sums(t: Thread, x: &Segments<u32>, mut y: PerThread<[u32]>) {
/// #     if let Some(y) = y.get_mut(t) {
/// #         *y = x[t.index()].iter().sum();
/// #     }
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// let offsets = stream.upload_offsets(&[0, 2, 3])?;
/// let (x, mut y) = (stream.upload(&[1, 2, 3])?, stream.alloc_zeroed(2)?);
/// sums::load(&device)?.launch(&stream, LaunchConfig::threads(2), (x.segments(&offsets), &mut y))?;
/// assert_eq!(stream.download(&y)?, [3, 3]);
/// # Ok(())
/// # }
/// ```
pub struct BufferSegments<'b, T> {
    buffer: &'b Buffer<T>,
    offsets: &'b Offsets,
}

/// A buffer beside the offsets of its segments, to write: what `PerThread<Segments<T>>` and `PerGroup<Segments<T>>` take.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel]
/// # fn reverse(t: Thread, mut x: PerThread<Segments<u32>>) {
/// #     if let Some(x) = x.segment_mut(t) {
/// #         x.reverse();
/// #     }
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// let offsets = stream.upload_offsets(&[0, 2, 5])?;
/// let mut x = stream.upload(&[1, 2, 3, 4, 5])?;
/// reverse::load(&device)?.launch(&stream, LaunchConfig::threads(2), (x.segments_mut(&offsets),))?;
/// assert_eq!(stream.download(&x)?, [2, 1, 5, 4, 3]);
/// # Ok(())
/// # }
/// ```
pub struct BufferSegmentsMut<'b, T> {
    buffer: &'b mut Buffer<T>,
    offsets: &'b Offsets,
}

/// A buffer beside distinct indices of its elements: what `PerThread<Scattered<T>>` takes.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel]
/// # fn count(t: Thread, mut y: PerThread<Scattered<u32>>) {
/// #     if let Some(y) = y.get_mut(t) {
/// #         *y = t.index() as u32;
/// #     }
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// let order = stream.upload_distinct(&[2, 0, 1])?;
/// let mut y = stream.alloc_zeroed(3)?;
/// count::load(&device)?.launch(&stream, LaunchConfig::threads(3), (y.scattered(&order),))?;
/// assert_eq!(stream.download(&y)?, [1, 2, 0]);
/// # Ok(())
/// # }
/// ```
pub struct BufferScattered<'b, T> {
    buffer: &'b mut Buffer<T>,
    indices: &'b DistinctIndices,
}

/// A matrix with the place of its tiles: what `PerGroup<Matrix<T>, PlacedTiles<ROWS, COLS, P>>` takes.
///
/// [`MatrixBuffer::tiles_on_diagonal`], [`tiles_from`](MatrixBuffer::tiles_from) and [`tiles_by`](MatrixBuffer::tiles_by) make it.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel(block = (2, 2))]
/// # fn ones(g: &Group, mut m: PerGroup<Matrix<u32>, PlacedTiles<2, 2, Diagonal>>) {
/// #     g.each(m.patches_mut::<1, 1>(), |_, patch| patch.for_each(|_, _, m| *m = 1));
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// let mut m = stream.alloc_matrix_zeroed(4, 4)?;
/// let tiles = m.tiles_on_diagonal(1);
/// ones::load(&device)?.launch(&stream, LaunchConfig::grid(2, (2, 2)), (tiles,))?;
/// assert_eq!(stream.download(&m)?[..4], [0, 0, 1, 1]);
/// # Ok(())
/// # }
/// ```
pub struct MatrixTiles<'b, T, P> {
    matrix: &'b mut MatrixBuffer<T>,
    place: P,
}

/// A diagonal of tiles.
#[derive(Debug)]
pub struct OnDiagonal(usize);

/// The row and the column of tiles of the first one.
#[derive(Debug)]
pub struct From([usize; 2]);

/// A list of tiles' numbers.
#[derive(Debug)]
pub struct By<'b>(&'b DistinctIndices);

impl<T: KernelArg> Buffer<T> {
    /// The buffer as segments to read.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn host(x: &Buffer<f32>, offsets: &gridwright::ownership::Offsets) {
    /// let argument = x.segments(offsets);
    /// # }
    /// ```
    pub fn segments<'b>(&'b self, offsets: &'b Offsets) -> BufferSegments<'b, T> {
        BufferSegments { buffer: self, offsets }
    }

    /// The buffer as segments to write.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn host(x: &mut Buffer<f32>, offsets: &gridwright::ownership::Offsets) {
    /// let argument = x.segments_mut(offsets);
    /// # }
    /// ```
    pub fn segments_mut<'b>(&'b mut self, offsets: &'b Offsets) -> BufferSegmentsMut<'b, T> {
        BufferSegmentsMut { buffer: self, offsets }
    }

    /// The buffer's elements in the order of a list, to write: thread *i* owns the element at the *i*-th index.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn host(y: &mut Buffer<f32>, order: &gridwright::ownership::DistinctIndices) {
    /// let argument = y.scattered(order);
    /// # }
    /// ```
    pub fn scattered<'b>(&'b mut self, indices: &'b DistinctIndices) -> BufferScattered<'b, T> {
        BufferScattered { buffer: self, indices }
    }
}

impl<T: KernelArg> MatrixBuffer<T> {
    /// The matrix with its tiles along a diagonal: those whose row and column of tiles add up to `diagonal`, from the upper right one
    /// to the lower left one.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn host(m: &mut MatrixBuffer<f32>) {
    /// let argument = m.tiles_on_diagonal(3);
    /// # }
    /// ```
    pub fn tiles_on_diagonal(&mut self, diagonal: usize) -> MatrixTiles<'_, T, OnDiagonal> {
        MatrixTiles { matrix: self, place: OnDiagonal(diagonal) }
    }

    /// The matrix with its tiles from a row and a column of tiles on.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn host(m: &mut MatrixBuffer<f32>) {
    /// let all_but_the_first_row_and_column = m.tiles_from(1, 1);
    /// # }
    /// ```
    pub fn tiles_from(&mut self, row: usize, col: usize) -> MatrixTiles<'_, T, From> {
        MatrixTiles { matrix: self, place: From([row, col]) }
    }

    /// The matrix with its tiles in the order of a list of their numbers, which count row after row of tiles.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn host(m: &mut MatrixBuffer<f32>, order: &gridwright::ownership::DistinctIndices) {
    /// let argument = m.tiles_by(order);
    /// # }
    /// ```
    pub fn tiles_by<'b>(&'b mut self, numbers: &'b DistinctIndices) -> MatrixTiles<'b, T, By<'b>> {
        MatrixTiles { matrix: self, place: By(numbers) }
    }
}

impl Destination<'_> {
    /// # Errors
    /// [`Error::BeyondBuffer`] where the list reaches beyond the memory.
    fn reaches(&self, end: usize, len: usize, of: &'static str) -> Result<(), Error> {
        let (kernel, parameter) = (self.kernel, self.parameter);
        if end > len { Err(Error::BeyondBuffer { kernel, parameter, of, end, len }) } else { Ok(()) }
    }

    /// Memory of which a list says so many parts, that reach up to `end`.
    fn parts<T>(
        &mut self,
        memory: &Region<'_>,
        list: &Buffer<u32>,
        end: usize,
        count: usize,
    ) -> Result<RawParts<T>, Error> {
        self.reaches(end, memory.len, "elements")?;
        let (slice, list) = (self.slice(memory)?, self.slice(&list.region())?);
        Ok(RawParts { pointer: slice.pointer, len: slice.len, indices: list.pointer, count })
    }

    pub(crate) fn segments<T: KernelArg>(
        &mut self,
        &BufferSegments { buffer, offsets }: &BufferSegments<'_, T>,
    ) -> Result<RawParts<T>, Error> {
        self.parts(&buffer.region(), &offsets.offsets, offsets.end, offsets.len())
    }

    pub(crate) fn segments_mut<T: KernelArg>(
        &mut self,
        BufferSegmentsMut { buffer, offsets }: BufferSegmentsMut<'_, T>,
    ) -> Result<RawParts<T>, Error> {
        self.parts(&buffer.region_mut(), &offsets.offsets, offsets.end, offsets.len())
    }

    pub(crate) fn scattered<T: KernelArg>(
        &mut self,
        BufferScattered { buffer, indices }: BufferScattered<'_, T>,
    ) -> Result<RawParts<T>, Error> {
        self.parts(&buffer.region_mut(), &indices.indices, indices.end(), indices.len())
    }
}

impl DistinctIndices {
    /// One beyond the greatest.
    fn end(&self) -> usize {
        self.greatest.map_or(0, |greatest| (greatest as usize).saturating_add(1))
    }
}

/// No list of numbers: a pointer that nobody follows.
const NO_LIST: (*const u32, usize) = (std::ptr::dangling(), 0);

/// The parameter that a matrix with placed tiles goes to.
type Placed<T, P, const ROWS: usize, const COLS: usize> =
    PerGroup<'static, Matrix<T>, PlacedTiles<ROWS, COLS, P>>;

// SAFETY: the argument borrows the matrix exclusively.
#[diagnostic::do_not_recommend]
unsafe impl<T, const ROWS: usize, const COLS: usize> Pass<Placed<T, Diagonal, ROWS, COLS>>
    for MatrixTiles<'_, T, OnDiagonal>
where
    T: KernelArg,
{
    fn pass(self, to: &mut Destination) -> Result<RawPlaced<T>, Error> {
        let OnDiagonal(diagonal) = self.place;
        let matrix = to.matrix_mut(self.matrix)?;
        // The last column of tiles that the diagonal crosses.
        let last = matrix.cols.div_ceil(COLS.max(1)).saturating_sub(1).min(diagonal);
        let (numbers, count) = NO_LIST;
        Ok(RawPlaced { matrix, row: limited(diagonal - last), col: limited(last), numbers, count })
    }
}

// SAFETY: the argument borrows the matrix exclusively, and `matrix_mut` adds it to the accesses.
#[diagnostic::do_not_recommend]
unsafe impl<T, const ROWS: usize, const COLS: usize> Pass<Placed<T, Offset, ROWS, COLS>>
    for MatrixTiles<'_, T, From>
where
    T: KernelArg,
{
    fn pass(self, to: &mut Destination) -> Result<RawPlaced<T>, Error> {
        let From([row, col]) = self.place;
        let (numbers, count) = NO_LIST;
        let matrix = to.matrix_mut(self.matrix)?;
        Ok(RawPlaced { matrix, row: limited(row), col: limited(col), numbers, count })
    }
}

// SAFETY: the matrix is borrowed exclusively, and `matrix_mut` adds it to the accesses. The list's numbers differ: `upload_distinct` saw
// that, wrote them at once, and nobody writes them afterwards.
#[diagnostic::do_not_recommend]
unsafe impl<T, const ROWS: usize, const COLS: usize> Pass<Placed<T, Permuted, ROWS, COLS>>
    for MatrixTiles<'_, T, By<'_>>
where
    T: KernelArg,
{
    fn pass(self, to: &mut Destination) -> Result<RawPlaced<T>, Error> {
        let By(indices) = self.place;
        let matrix = to.matrix_mut(self.matrix)?;
        let tiles = |len: usize, size: usize| len.div_ceil(size.max(1));
        let all = tiles(matrix.rows, ROWS).saturating_mul(tiles(matrix.cols, COLS));
        to.reaches(indices.end(), all, "tiles")?;
        let list = to.slice(&indices.indices.region())?;
        Ok(RawPlaced { matrix, row: 0, col: 0, numbers: list.pointer, count: list.len })
    }
}

/// A row or a column of tiles as GPUs get it, in 32 bits. A matrix ends before the greatest.
fn limited(at: usize) -> usize {
    at.min(u32::MAX as usize)
}

macro_rules! debug {
    ($($name:ident $([$($generics:tt)*] [$($given:tt)*])?;)*) => {$(
        impl $(<$($generics)*>)? fmt::Debug for $name $(<$($given)*>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

debug! {
    Offsets;
    DistinctIndices;
    BufferSegments [T] ['_, T];
    BufferSegmentsMut [T] ['_, T];
    BufferScattered [T] ['_, T];
    MatrixTiles [T, P] ['_, T, P];
}

#[cfg(test)]
mod tests {
    use super::repeated;

    #[test]
    fn an_index_that_is_there_twice_is_found_in_lists_of_every_kind() {
        let of = |indices: &[u32]| repeated(indices, indices.iter().copied().max().unwrap_or(0));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[0, 1, 2, 63, 64]), None);
        assert_eq!(of(&[64, 1, 64]), Some(64));
        // Few, and far apart.
        assert_eq!(of(&[u32::MAX, 0]), None);
        assert_eq!(of(&[u32::MAX, 7, u32::MAX]), Some(u32::MAX));
    }
}
