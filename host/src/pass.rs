use gridwright_core::{KernelArg, Param, RawMatrix, RawSlice};
use gridwright_device::{Matrix, PerThread};

use crate::transfer::Region;
use crate::{Buffer, BufferSlice, BufferSliceMut, Device, Error, MatrixBuffer, ReadFrom, WriteTo};

/// An argument that a kernel parameter of type `P` can be given.
///
/// # Safety
/// `pass` returns memory that the argument borrows, exclusively where `P` writes.
#[diagnostic::on_unimplemented(
    message = "a kernel parameter of type `{P}` can't be given a `{Self}`",
    label = "not what this parameter takes",
    note = "`&[T]` takes `&Buffer<T>` or a `BufferSlice<T>`; `PerThread<[T]>` takes `&mut Buffer<T>` or a \
            `BufferSliceMut<T>`; `&Matrix<T>` takes `&MatrixBuffer<T>`; `PerThread<Matrix<T>>` takes \
            `&mut MatrixBuffer<T>`; numbers and structs go by value"
)]
pub unsafe trait Pass<P: Param> {
    /// What crosses.
    #[doc(hidden)]
    fn pass(self, to: &Destination) -> Result<P::Raw, Error>;
}

/// The parameter that an argument goes to.
#[derive(Debug)]
pub struct Destination<'d> {
    pub(crate) kernel: &'static str,
    pub(crate) parameter: &'static str,
    pub(crate) device: &'d Device,
}

impl Destination<'_> {
    fn slice<T>(&self, region: &Region<'_>) -> Result<RawSlice<T>, Error> {
        if self.device.is(region.device) {
            return Ok(RawSlice { pointer: region.pointer.cast().as_ptr(), len: region.len });
        }
        Err(Error::ForeignBuffer {
            place: format!("kernel `{}`, parameter `{}`", self.kernel, self.parameter),
            device: self.device.identity(),
            buffer_device: region.device.identity(),
        })
    }

    fn arrays<T, const N: usize>(&self, region: &Region<'_>) -> Result<RawSlice<[T; N]>, Error> {
        if N == 0 || !region.len.is_multiple_of(N) {
            let (kernel, parameter) = (self.kernel, self.parameter);
            return Err(Error::UnevenArrays { kernel, parameter, len: region.len, array: N });
        }
        let raw = self.slice(region)?;
        Ok(RawSlice { pointer: raw.pointer, len: raw.len / N })
    }

    fn matrix<T: KernelArg>(&self, matrix: &MatrixBuffer<T>) -> Result<RawMatrix<T>, Error> {
        let raw = self.slice(&matrix.region())?;
        Ok(RawMatrix { pointer: raw.pointer, rows: matrix.rows(), cols: matrix.cols() })
    }
}

// SAFETY: a value borrows nothing.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelArg> Pass<T> for T {
    fn pass(self, _: &Destination) -> Result<T, Error> {
        Ok(self)
    }
}

macro_rules! slices {
    ($($argument:ty => $parameter:ty, $region:ident;)*) => {$(
        // SAFETY: the argument borrows the region.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: KernelArg> Pass<$parameter> for $argument {
            #[allow(unused_mut)]
            fn pass(mut self, to: &Destination) -> Result<RawSlice<T>, Error> {
                to.slice(&self.$region())
            }
        }
    )*};
}

slices! {
    &Buffer<T> => &'static [T], region;
    BufferSlice<'_, T> => &'static [T], region;
    &BufferSlice<'_, T> => &'static [T], region;
    &mut Buffer<T> => PerThread<'static, [T]>, region_mut;
    BufferSliceMut<'_, T> => PerThread<'static, [T]>, region_mut;
    &mut BufferSliceMut<'_, T> => PerThread<'static, [T]>, region_mut;
}

// SAFETY: the argument borrows the region exclusively.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelArg, const N: usize> Pass<PerThread<'static, [[T; N]]>> for &mut Buffer<T> {
    fn pass(self, to: &Destination) -> Result<RawSlice<[T; N]>, Error> {
        to.arrays(&self.region_mut())
    }
}

// SAFETY: the argument borrows the region.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelArg, const N: usize> Pass<&'static [[T; N]]> for &Buffer<T> {
    fn pass(self, to: &Destination) -> Result<RawSlice<[T; N]>, Error> {
        to.arrays(&self.region())
    }
}

// SAFETY: the argument borrows the matrix.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelArg> Pass<&'static Matrix<T>> for &MatrixBuffer<T> {
    fn pass(self, to: &Destination) -> Result<RawMatrix<T>, Error> {
        to.matrix(self)
    }
}

// SAFETY: the argument borrows the matrix exclusively.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelArg> Pass<PerThread<'static, Matrix<T>>> for &mut MatrixBuffer<T> {
    fn pass(self, to: &Destination) -> Result<RawMatrix<T>, Error> {
        to.matrix(self)
    }
}
