//! Copies of boxes: parts of matrices and volumes whose rows don't lie one behind another.

use crate::profile::Piece;
use crate::submission::{BoxCopy, BoxSide};
use crate::transfer::Region;
use crate::{Activity, Error, ReadFrom, Stream, WriteTo};

/// Where a box of elements lies in memory, for [`Stream::copy_box`]: in a volume of these sizes, from this element on.
///
/// ```
/// use gridwright::memory::VolumePart;
///
/// // The second and third column of a matrix of 4 rows and 5 columns begin here.
/// let place = VolumePart { sizes: [1, 4, 5], starts: [0, 0, 1] };
/// assert_eq!(VolumePart::whole([1, 4, 2]).starts, [0; 3]);
/// ```
///
/// # From CUDA
/// The pitch, the height and the position of one side of a `cudaMemcpy3DParms`, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VolumePart {
    /// Planes, rows and columns of the whole memory. Their product is its number of elements.
    pub sizes: [usize; 3],
    /// Plane, row and column of the box's first element.
    pub starts: [usize; 3],
}

impl VolumePart {
    /// All of memory of these sizes, as of a box that is packed.
    ///
    /// ```
    /// use gridwright::memory::VolumePart;
    ///
    /// assert_eq!(VolumePart::whole([1, 2, 3]), VolumePart { sizes: [1, 2, 3], starts: [0, 0, 0] });
    /// ```
    pub const fn whole(sizes: [usize; 3]) -> Self {
        Self { sizes, starts: [0; 3] }
    }

    /// The box's side in bytes, if it lies in memory of so many elements of a size.
    fn side(&self, extents: [usize; 3], len: usize, element: usize) -> Result<BoxSide, Error> {
        let [planes, rows, cols] = self.sizes;
        crate::volume::check_elements(planes, rows, cols, len)?;
        for ((size, start), extent) in self.sizes.into_iter().zip(self.starts).zip(extents) {
            let end = start.saturating_add(extent);
            if end > size {
                return Err(Error::OutOfRange { start, end, len: size });
            }
        }
        // No overflow: elements of memory that is there.
        let [plane, row, col] = self.starts;
        let first = ((plane * rows + row) * cols + col) * element;
        Ok(BoxSide { first, pitch: cols * element, height: rows })
    }
}

impl Stream {
    /// Copies a box of elements from memory to other memory of the same device, after the stream's work: a column of a matrix, a face of a
    /// volume. The host doesn't wait.
    ///
    /// `extents` are the box's planes, rows and columns. Memory of any kind has any sizes whose product is its number of elements: a
    /// matrix is one plane.
    ///
    /// # Errors
    /// [`Error::VolumeSize`] if sizes don't make the memory's number of elements, [`Error::OutOfRange`] if the box isn't within them,
    /// [`Error::ForeignBuffer`], [`Error::DeviceLost`].
    ///
    /// ```
    /// use gridwright::memory::VolumePart;
    ///
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let matrix = stream.upload_matrix(2, 3, &[1, 2, 3, 4, 5, 6])?;
    /// let mut column = stream.alloc_zeroed(2)?;
    /// let extents = [1, 2, 1];
    /// let from = VolumePart { sizes: [1, 2, 3], starts: [0, 0, 2] };
    /// stream.copy_box(extents, &matrix, from, &mut column, VolumePart::whole(extents))?;
    /// assert_eq!(stream.download(&column)?, [3, 6]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpy2DAsync` and `cudaMemcpy3DAsync` on the device. The box is checked, and the copy waits for earlier work on both
    /// buffers, on whatever stream.
    pub fn copy_box<A, B>(
        &self,
        extents: [usize; 3],
        from: &A,
        from_place: VolumePart,
        to: &mut B,
        to_place: VolumePart,
    ) -> Result<(), Error>
    where
        A: ReadFrom,
        B: WriteTo<Element = A::Element>,
    {
        let (from, to) = (from.region(), to.region_mut());
        let copy = self.box_of::<A::Element>(extents, (&from, from_place), (&to, to_place))?;
        if self.is_recorded("copy_box")? {
            return self.record_call(|draft| draft.copy_box(&from, &to, copy));
        }
        let Some(copy) = copy else { return Ok(()) };
        let accesses = [from.access(), to.access()];
        let bytes = copy.row * copy.rows * copy.planes;
        let timing = self.timing(&accesses, || Piece::moves(Activity::CopyOnDevice, bytes));
        // SAFETY: the box was checked to lie in both; one is borrowed, the other mutably, so that they don't overlap.
        unsafe { self.device().backend().copy_box(self.id(), from.place, to.place, &copy) }?;
        timing.end();
        Ok(())
    }

    /// The copy in bytes, if there are any.
    fn box_of<T>(
        &self,
        extents: [usize; 3],
        (from, from_place): (&Region<'_>, VolumePart),
        (to, to_place): (&Region<'_>, VolumePart),
    ) -> Result<Option<BoxCopy>, Error> {
        self.check(from, from.len, "copy_box, from")?;
        self.check(to, to.len, "copy_box, to")?;
        let size = size_of::<T>();
        let (from, to) = (from_place.side(extents, from.len, size)?, to_place.side(extents, to.len, size)?);
        let [planes, rows, cols] = extents;
        let copy = BoxCopy { row: cols * size, rows, planes, from, to };
        Ok([planes, rows, copy.row].iter().all(|&extent| extent > 0).then(|| copy.joined()))
    }
}
