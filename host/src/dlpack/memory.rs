//! What memory a tensor is made of, or is made into.

use std::ops::Deref;

use gridwright_core::KernelArg;

use crate::{Buffer, Error, MatrixBuffer, VolumeBuffer};

/// Memory that a tensor is made of by [`export`](super::export), and into by [`Tensor::import`](super::Tensor::import): a
/// [`Buffer`], which takes any number of dimensions in, a [`MatrixBuffer`] or a [`VolumeBuffer`].
///
/// ```
/// use gridwright::dlpack::{self, TensorMemory};
/// use gridwright::{Error, Stream};
///
/// fn round_trip<M: TensorMemory>(memory: M, stream: &Stream) -> Result<M, Error> {
///     dlpack::export(memory)?.import(stream)
/// }
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// # assert_eq!(stream.download(&round_trip(stream.upload(&[1, 2])?, &stream)?)?, [1, 2]);
/// # Ok::<(), gridwright::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a DLPack tensor",
    note = "a `Buffer`, a `MatrixBuffer` or a `VolumeBuffer` can"
)]
pub trait TensorMemory: sealed::Sealed + Sized {
    /// The elements.
    type Element: KernelArg;

    /// The memory's shape.
    #[doc(hidden)]
    fn shape(&self) -> Vec<usize>;

    #[doc(hidden)]
    fn into_elements(self) -> Buffer<Self::Element>;

    /// Whether memory of this kind can have a shape.
    #[doc(hidden)]
    fn check_shape(shape: &[usize]) -> Result<(), Error>;

    /// The memory of a shape that was checked, which has as many elements.
    #[doc(hidden)]
    fn from_elements(elements: Buffer<Self::Element>, shape: &[usize]) -> Option<Self>;
}

impl<T: KernelArg> TensorMemory for Buffer<T> {
    type Element = T;

    fn shape(&self) -> Vec<usize> {
        vec![self.len()]
    }

    fn into_elements(self) -> Buffer<T> {
        self
    }

    fn check_shape(_: &[usize]) -> Result<(), Error> {
        Ok(())
    }

    fn from_elements(elements: Buffer<T>, _: &[usize]) -> Option<Self> {
        Some(elements)
    }
}

impl<T: KernelArg> TensorMemory for MatrixBuffer<T> {
    type Element = T;

    fn shape(&self) -> Vec<usize> {
        vec![self.rows(), self.cols()]
    }

    fn into_elements(self) -> Buffer<T> {
        self.into_buffer()
    }

    fn check_shape(shape: &[usize]) -> Result<(), Error> {
        let &[rows, cols] = shape else { return Err(dimensions(shape, 2, "a matrix")) };
        crate::stream::check_matrix(rows, cols)
    }

    fn from_elements(elements: Buffer<T>, shape: &[usize]) -> Option<Self> {
        let &[rows, cols] = shape else { return None };
        Some(Self::new(elements, rows, cols))
    }
}

impl<T: KernelArg> TensorMemory for VolumeBuffer<T> {
    type Element = T;

    fn shape(&self) -> Vec<usize> {
        vec![self.planes(), self.rows(), self.cols()]
    }

    fn into_elements(self) -> Buffer<T> {
        self.into_buffer()
    }

    fn check_shape(shape: &[usize]) -> Result<(), Error> {
        let &[planes, rows, cols] = shape else { return Err(dimensions(shape, 3, "a volume")) };
        crate::volume::check(planes, rows, cols)
    }

    fn from_elements(elements: Buffer<T>, shape: &[usize]) -> Option<Self> {
        let &[planes, rows, cols] = shape else { return None };
        Some(Self::new(elements, planes, rows, cols))
    }
}

fn dimensions(shape: &[usize], expected: usize, what: &str) -> Error {
    let reason = format!(
        "a tensor of the shape {shape:?} has {} dimensions, and {what} has {expected}: a `Buffer` takes any number",
        shape.len()
    );
    Error::Interop { call: super::import::CALL, reason }
}

/// Memory of a tensor that nobody may write, from [`Tensor::import_read_only`](super::Tensor::import_read_only): a reference
/// is all that there is of it.
///
/// ```
/// use gridwright::dlpack::{self, ReadOnly};
/// use gridwright::{Buffer, Device};
///
/// let stream = Device::cpu()?.stream()?;
/// let tensor = dlpack::export(stream.upload(&[1_u32, 2])?)?;
/// let buffer: ReadOnly<Buffer<u32>> = tensor.import_read_only(&stream)?;
/// assert_eq!(stream.download(&*buffer)?, [1, 2]);
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Debug)]
pub struct ReadOnly<M>(pub(super) M);

impl<M> Deref for ReadOnly<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.0
    }
}

mod sealed {
    use crate::{Buffer, MatrixBuffer, VolumeBuffer};

    pub trait Sealed {}

    impl<T> Sealed for Buffer<T> {}
    impl<T> Sealed for MatrixBuffer<T> {}
    impl<T> Sealed for VolumeBuffer<T> {}
}
