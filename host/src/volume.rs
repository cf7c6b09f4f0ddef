use std::fmt;
use std::sync::Arc;

use gridwright_core::KernelArg;

use crate::allocation::Allocation;
use crate::submission::Place;
use crate::{Buffer, Device, Error, Stream};

/// A volume in a device's memory, plane after plane, each row after row.
///
/// A kernel's `&Volume<T>` takes a `&VolumeBuffer<T>`; `PerThread<Volume<T>>` takes a `&mut VolumeBuffer<T>`.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let volume = stream.upload_volume(2, 1, 3, &[1, 2, 3, 4, 5, 6])?;
/// assert_eq!((volume.planes(), volume.rows(), volume.cols()), (2, 1, 3));
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// Memory as from `cudaMalloc3D`. There is no pitch: rows and planes lie one directly after another.
pub struct VolumeBuffer<T> {
    elements: Buffer<T>,
    planes: usize,
    rows: usize,
    cols: usize,
}

impl<T: KernelArg> VolumeBuffer<T> {
    /// A volume of `planes * rows * cols` elements.
    #[cfg(feature = "dlpack")]
    pub(crate) fn new(elements: Buffer<T>, planes: usize, rows: usize, cols: usize) -> Self {
        Self { elements, planes, rows, cols }
    }

    /// The elements, plane after plane and row after row, without their shape.
    #[cfg(feature = "dlpack")]
    pub(crate) fn into_buffer(self) -> Buffer<T> {
        self.elements
    }

    /// The number of planes.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.alloc_volume_zeroed::<f32>(2, 3, 4)?.planes(), 2);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The number of rows.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.alloc_volume_zeroed::<f32>(2, 3, 4)?.rows(), 3);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.alloc_volume_zeroed::<f32>(2, 3, 4)?.cols(), 4);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn cols(&self) -> usize {
        self.cols
    }

    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    pub(crate) fn device(&self) -> &Device {
        self.elements.device()
    }

    pub(crate) fn place(&self) -> Place {
        self.elements.place()
    }

    pub(crate) fn owner(&self) -> Option<&Arc<Allocation>> {
        self.elements.owner()
    }
}

impl<T> fmt::Debug for VolumeBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VolumeBuffer")
            .field("planes", &self.planes)
            .field("rows", &self.rows)
            .field("cols", &self.cols)
            .finish_non_exhaustive()
    }
}

impl Stream {
    /// A new volume with a copy of `elements`, which lie plane after plane, each row after row.
    ///
    /// # Errors
    /// [`Error::VolumeSize`] if there aren't `planes * rows * cols` of them, [`Error::VolumeLimit`],
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let cube = stream.upload_volume(2, 2, 2, &[0.0_f32; 8])?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc3D` without a pitch, and `cudaMemcpy3D` from the host to the device.
    pub fn upload_volume<T: KernelArg>(
        &self,
        planes: usize,
        rows: usize,
        cols: usize,
        elements: &[T],
    ) -> Result<VolumeBuffer<T>, Error> {
        check_elements(planes, rows, cols, elements.len())?;
        check(planes, rows, cols)?;
        Ok(VolumeBuffer { elements: self.upload(elements)?, planes, rows, cols })
    }

    /// A new volume whose bytes are zero.
    ///
    /// # Errors
    /// [`Error::VolumeLimit`] for more than 2³² - 1 planes, rows or columns, [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let grid = stream.alloc_volume_zeroed::<f32>(64, 48, 32)?;
    /// assert_eq!((grid.planes(), grid.rows(), grid.cols()), (64, 48, 32));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc3D` without a pitch, and `cudaMemset3D` with zero.
    pub fn alloc_volume_zeroed<T: KernelArg>(
        &self,
        planes: usize,
        rows: usize,
        cols: usize,
    ) -> Result<VolumeBuffer<T>, Error> {
        check(planes, rows, cols)?;
        let sizes = [planes, rows, cols, size_of::<T>()];
        let len = count(planes, rows, cols).ok_or_else(|| Error::OutOfMemory {
            device: self.device().name().into(),
            requested: sizes.iter().fold(1, |bytes: u128, &n| bytes.saturating_mul(n as u128)),
            free: None,
            total: None,
        })?;
        Ok(VolumeBuffer { elements: self.alloc_zeroed(len)?, planes, rows, cols })
    }
}

/// The elements, or `None` where no `usize` counts them. A size of zero makes none, however large the others are.
fn count(planes: usize, rows: usize, cols: usize) -> Option<usize> {
    if cols == 0 { Some(0) } else { planes.checked_mul(rows)?.checked_mul(cols) }
}

/// Whether a volume of these sizes has so many elements.
pub(crate) fn check_elements(planes: usize, rows: usize, cols: usize, len: usize) -> Result<(), Error> {
    let matches = count(planes, rows, cols) == Some(len);
    if matches { Ok(()) } else { Err(Error::VolumeSize { planes, rows, cols, len }) }
}

pub(crate) fn check(planes: usize, rows: usize, cols: usize) -> Result<(), Error> {
    let most = u32::MAX as usize;
    let over = [planes, rows, cols].into_iter().any(|n| n > most);
    if over { Err(Error::VolumeLimit { planes, rows, cols }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use crate::{Device, Error, Stream};

    fn stream() -> Stream {
        Device::cpu().and_then(|device| device.stream()).unwrap()
    }

    #[test]
    fn a_volume_comes_back_as_it_went() {
        let elements: Vec<u32> = (0..24).collect();
        let stream = stream();
        let mut volume = stream.upload_volume(2, 3, 4, &elements).unwrap();
        assert_eq!(stream.download(&volume).unwrap(), elements);
        stream.fill(&mut volume, 7).unwrap();
        assert_eq!(stream.download(&volume).unwrap(), [7; 24]);
    }

    #[test]
    fn sizes_that_make_another_number_of_elements_are_refused() {
        for sizes in [(2, 3, 3), (2, 3, 5), (0, 3, 4), (1 << 32, 1 << 32, 24), (usize::MAX, 2, 1)] {
            let error = stream().upload_volume(sizes.0, sizes.1, sizes.2, &[0_u8; 24]).unwrap_err();
            assert!(matches!(error, Error::VolumeSize { len: 24, .. }), "{sizes:?}: {error}");
        }
    }

    #[test]
    fn sizes_beyond_32_bits_are_refused_also_of_nothing() {
        let (most, stream) = (u32::MAX as usize, stream());
        for sizes in [(most + 1, 0, 1), (0, most + 1, 1), (1, 0, most + 1), (usize::MAX, usize::MAX, 0)] {
            let error = stream.alloc_volume_zeroed::<f32>(sizes.0, sizes.1, sizes.2).unwrap_err();
            assert!(matches!(error, Error::VolumeLimit { .. }), "{sizes:?}: {error}");
        }
        for sizes in [(most, most, 0), (0, most, most), (most, 0, most), (most, 0, 0)] {
            let volume = stream.alloc_volume_zeroed::<f32>(sizes.0, sizes.1, sizes.2).unwrap();
            assert_eq!((volume.planes(), volume.rows(), volume.cols()), sizes);
        }
    }

    #[test]
    fn more_elements_than_there_is_memory_for_are_counted_without_overflow() {
        let most = u32::MAX as usize;
        let error = stream().alloc_volume_zeroed::<f64>(most, most, most).unwrap_err();
        let expected = (most as u128).pow(3) * 8;
        assert!(matches!(error, Error::OutOfMemory { requested, .. } if requested == expected), "{error}");
    }
}
