//! Arrays of the crate `ndarray`, in and out: as they are if they lie row after row, and refused if they don't.

mod run;
mod stream;
#[cfg(test)]
mod tests;

use gridwright_core::KernelArg;
use ndarray::{ArrayBase, Data, DataMut, Dimension, Ix1, Ix2, Ix3};

use crate::{Buffer, Error, MatrixBuffer, Stream, VolumeBuffer, WriteTo};

/// The elements of an array, row after row.
fn elements<'a, S: Data, D: Dimension>(
    array: &'a ArrayBase<S, D>,
    place: &'static str,
) -> Result<&'a [S::Elem], Error> {
    array.as_slice().ok_or_else(|| strided(array, place))
}

/// The elements of an array, row after row, to write.
fn elements_mut<'a, S: DataMut, D: Dimension>(
    array: &'a mut ArrayBase<S, D>,
    place: &'static str,
) -> Result<&'a mut [S::Elem], Error> {
    check_order(array, place)?;
    // Of an array in this order there is a slice.
    array.as_slice_mut().ok_or(Error::Strided { place, shape: Vec::new(), strides: Vec::new() })
}

fn check_order<S: Data, D: Dimension>(array: &ArrayBase<S, D>, place: &'static str) -> Result<(), Error> {
    if array.is_standard_layout() { Ok(()) } else { Err(strided(array, place)) }
}

fn strided<S: Data, D: Dimension>(array: &ArrayBase<S, D>, place: &'static str) -> Error {
    Error::Strided { place, shape: array.shape().to_vec(), strides: array.strides().to_vec() }
}

/// The number of dimensions that an array and a buffer have: `Ix1` is a [`Buffer`]'s, `Ix2` a [`MatrixBuffer`]'s, `Ix3` a
/// [`VolumeBuffer`]'s.
///
/// ```
/// use gridwright::memory::ArrayDimension;
/// use gridwright::{Error, KernelArg, Stream};
/// use ndarray::Array;
///
/// fn on_device<T: KernelArg, D: ArrayDimension>(stream: &Stream, x: &Array<T, D>) -> Result<D::Buffer<T>, Error> {
///     stream.upload_array(x)
/// }
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// # assert_eq!(on_device(&stream, &ndarray::array![[1, 2], [3, 4]])?.rows(), 2);
/// # Ok::<(), gridwright::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "there is no memory of a device with `{Self}` of dimensions",
    note = "arrays of one, two and three dimensions can be uploaded; take those of more by `into_shape_with_order`, and those of \
            `IxDyn` by `into_dimensionality`"
)]
pub trait ArrayDimension: Dimension + sealed::Sealed {
    /// What has as many dimensions on a device.
    type Buffer<T: KernelArg>: ArrayMemory<Element = T, Dimension = Self>;

    #[doc(hidden)]
    fn upload<T: KernelArg>(&self, stream: &Stream, elements: &[T]) -> Result<Self::Buffer<T>, Error>;

    #[doc(hidden)]
    fn zeroed<T: KernelArg>(&self, stream: &Stream) -> Result<Self::Buffer<T>, Error>;
}

/// What an array is on a device: a [`Buffer`], a [`MatrixBuffer`] or a [`VolumeBuffer`].
///
/// ```
/// use gridwright::memory::ArrayMemory;
/// use gridwright::{Error, Stream};
///
/// fn print<B: ArrayMemory<Element = f32>>(stream: &Stream, x: &B) -> Result<(), Error> {
///     println!("{}", stream.download_array(x)?);
///     Ok(())
/// }
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// # print(&stream, &stream.upload(&[1.0, 2.0])?)?;
/// # Ok::<(), gridwright::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no shape that arrays have",
    note = "a `Buffer`, a `MatrixBuffer` and a `VolumeBuffer` have"
)]
pub trait ArrayMemory: WriteTo {
    /// The dimensions of the array.
    type Dimension: ArrayDimension<Buffer<Self::Element> = Self>;

    /// The size of each dimension.
    #[doc(hidden)]
    fn dimension(&self) -> Self::Dimension;
}

macro_rules! dimensions {
    ($($dimension:ident => $buffer:ident [$($size:ident)*]: $upload:ident [$($axis:literal)*], $alloc:ident [$($of:literal)*];)*) => {$(
        impl sealed::Sealed for $dimension {}

        impl ArrayDimension for $dimension {
            type Buffer<T: KernelArg> = $buffer<T>;

            fn upload<T: KernelArg>(&self, stream: &Stream, elements: &[T]) -> Result<$buffer<T>, Error> {
                stream.$upload($(self[$axis],)* elements)
            }

            fn zeroed<T: KernelArg>(&self, stream: &Stream) -> Result<$buffer<T>, Error> {
                stream.$alloc($(self[$of]),*)
            }
        }

        impl<T: KernelArg> ArrayMemory for $buffer<T> {
            type Dimension = $dimension;

            fn dimension(&self) -> $dimension {
                ndarray::Dim([$(self.$size()),*])
            }
        }
    )*};
}

dimensions! {
    Ix1 => Buffer [len]: upload [], alloc_zeroed [0];
    Ix2 => MatrixBuffer [rows cols]: upload_matrix [0 1], alloc_matrix_zeroed [0 1];
    Ix3 => VolumeBuffer [planes rows cols]: upload_volume [0 1 2], alloc_volume_zeroed [0 1 2];
}

mod sealed {
    pub trait Sealed {}
}
