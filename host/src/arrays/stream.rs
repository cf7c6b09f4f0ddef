use gridwright_core::KernelArg;
use ndarray::{Array, ArrayBase, Data, DataMut, Dimension};

use super::{ArrayDimension, ArrayMemory, elements, elements_mut};
use crate::{Error, Stream};

/// Arrays of the crate `ndarray`, with the feature `ndarray`.
impl Stream {
    /// An array's elements on the device, from where they are: an array of one dimension as a buffer, of two as a matrix, of
    /// three as a volume.
    ///
    /// # Errors
    /// [`Error::Strided`] for an array that doesn't lie row after row, such as a transposed one or a part of a row: upload its
    /// `as_standard_layout()`, which copies what isn't in order. [`Error::MatrixLimit`], [`Error::VolumeLimit`],
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// use ndarray::array;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let a = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    /// let matrix = stream.upload_array(&a)?;
    /// assert_eq!((matrix.rows(), matrix.cols()), (2, 3));
    ///
    /// assert!(stream.upload_array(&a.t()).is_err()); // its columns are rows of `a`
    /// let transposed = stream.upload_array(&a.t().as_standard_layout())?; // a copy
    /// assert_eq!(stream.download(&transposed)?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn upload_array<T, S, D>(&self, array: &ArrayBase<S, D>) -> Result<D::Buffer<T>, Error>
    where
        T: KernelArg,
        S: Data<Elem = T>,
        D: ArrayDimension,
    {
        array.raw_dim().upload(self, elements(array, "upload_array")?)
    }

    /// A buffer, a matrix or a volume as an array of one, two or three dimensions, once the work submitted so far is done.
    ///
    /// # Errors
    /// As for [`download`](Self::download).
    ///
    /// ```
    /// use ndarray::{Array2, array};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let matrix = stream.upload_matrix(2, 2, &[1, 2, 3, 4])?;
    /// let a: Array2<i32> = stream.download_array(&matrix)?;
    /// assert_eq!(a, array![[1, 2], [3, 4]]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn download_array<B: ArrayMemory>(
        &self,
        buffer: &B,
    ) -> Result<Array<B::Element, B::Dimension>, Error> {
        let elements = self.download(buffer)?;
        let given = elements.len();
        let array = Array::from_shape_vec(buffer.dimension(), elements);
        // A buffer has as many elements as its shape.
        array.map_err(|_| Error::LengthMismatch {
            place: "download_array",
            given,
            expected: buffer.dimension().size(),
        })
    }

    /// Copies an array to a buffer, a matrix or a volume of the same shape.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`]; [`Error::Strided`] as for [`upload_array`](Self::upload_array); [`Error::ForeignBuffer`].
    ///
    /// ```
    /// use ndarray::{array, s};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut matrix = stream.alloc_matrix_zeroed::<u32>(2, 2)?;
    /// let a = array![[1, 2], [3, 4], [5, 6]];
    /// stream.copy_from_array(&mut matrix, &a.slice(s![1.., ..]))?; // whole rows lie one after another
    /// assert_eq!(stream.download(&matrix)?, [3, 4, 5, 6]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn copy_from_array<B, S>(
        &self,
        buffer: &mut B,
        array: &ArrayBase<S, B::Dimension>,
    ) -> Result<(), Error>
    where
        B: ArrayMemory,
        S: Data<Elem = B::Element>,
    {
        const CALL: &str = "copy_from_array";
        check_shape(buffer, array, CALL)?;
        self.copy_from_slice(buffer, elements(array, CALL)?)
    }

    /// Copies a buffer, a matrix or a volume to an array of the same shape, once the work submitted so far is done.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`]; [`Error::Strided`] as for [`upload_array`](Self::upload_array); as for
    /// [`download`](Self::download). The array is as it was then.
    ///
    /// ```
    /// use ndarray::Array1;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1, 2, 3])?;
    /// let mut a = Array1::zeros(3);
    /// stream.copy_to_array(&buffer, &mut a)?;
    /// assert_eq!(a.sum(), 6);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn copy_to_array<B, S>(&self, buffer: &B, array: &mut ArrayBase<S, B::Dimension>) -> Result<(), Error>
    where
        B: ArrayMemory,
        S: DataMut<Elem = B::Element>,
    {
        const CALL: &str = "copy_to_array";
        check_shape(buffer, array, CALL)?;
        self.copy_to_slice(buffer, elements_mut(array, CALL)?)
    }
}

fn check_shape<B, S>(buffer: &B, array: &ArrayBase<S, B::Dimension>, place: &'static str) -> Result<(), Error>
where
    B: ArrayMemory,
    S: Data,
{
    let expected = buffer.dimension();
    if array.raw_dim() == expected {
        return Ok(());
    }
    let (given, expected) = (array.shape().to_vec(), expected.slice().to_vec());
    Err(Error::ShapeMismatch { place, given, expected })
}
