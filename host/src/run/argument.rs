use gridwright_core::{ByValue, KernelArg, Param, RawMatrix, RawSlice, RawVolume, ReadSlice};
use gridwright_device::{Atomic, GridMemory, Matrix, OwnMap, PerGroup, PerThread, Volume};

use super::host::{AsMatrix, AsVolume, HostMemory, HostMemoryMut, InOut, Out};
use crate::{Buffer, Error, MatrixBuffer, Pass, Stream, VolumeBuffer};

/// An argument of `run` for a kernel parameter of type `P`: a value, or memory of the host with what is to become of
/// it. `X` is `P::Passing`.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel]
/// # fn scale(t: Thread, by: f32, mut x: PerThread<[f32]>) {
/// #     if let Some(x) = x.get_mut(t) {
/// #         *x *= by;
/// #     }
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// let mut x = vec![1.0_f32; 1000];
/// // `PerThread<[f32]>` takes `InOut` or `Out` of a slice, an array or a `Vec`.
/// scale::load(&device)?.run(&device, LaunchConfig::threads(1000), (3.0, InOut(&mut x)))?;
/// assert!(x.iter().all(|&x| x == 3.0));
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`run` can't give a kernel parameter of type `{P}` a `{Self}`",
    label = "not what this parameter takes",
    note = "`&[T]` takes `&elements`; `PerThread<[T]>`, `PerGroup<[T]>`, `GridMemory<[T]>` and `Atomic<[T]>` take `InOut(&mut elements)` or \
            `Out(&mut elements)`, where `elements` is a slice, an array or a `Vec`; matrices and volumes take \
            `AsMatrix(rows, cols, &elements)` and `AsVolume(planes, rows, cols, &elements)` in the same way, as \
            `Out(AsMatrix(rows, cols, &mut elements))`; numbers and structs go by value"
)]
pub trait Offload<P: Param, X = <P as Param>::Passing>: Sized {
    /// The argument on the device.
    #[doc(hidden)]
    type Staged;

    /// The argument that the launch is given.
    #[doc(hidden)]
    type Argument<'s>: Pass<P>
    where
        Self::Staged: 's;

    /// Copies the argument to the device.
    #[doc(hidden)]
    fn stage(&self, stream: &Stream) -> Result<Self::Staged, Error>;

    #[doc(hidden)]
    fn argument(staged: &mut Self::Staged) -> Self::Argument<'_>;

    /// Copies the argument back.
    #[doc(hidden)]
    fn finish(self, stream: &Stream, staged: Self::Staged) -> Result<(), Error>;
}

#[diagnostic::do_not_recommend]
impl<T: KernelArg> Offload<T, ByValue<T>> for T {
    type Staged = T;
    type Argument<'s>
        = T
    where
        T: 's;

    fn stage(&self, _: &Stream) -> Result<T, Error> {
        Ok(*self)
    }

    fn argument(staged: &mut T) -> T {
        *staged
    }

    fn finish(self, _: &Stream, _: T) -> Result<(), Error> {
        Ok(())
    }
}

/// Parameters that are only read.
macro_rules! read {
    ($([$($generics:tt)*] $host:ty => $parameter:ty, $passing:ty, $buffer:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*, T: KernelArg> Offload<$parameter, $passing> for $host
        where
            $host: HostMemory<T, Buffer = $buffer>,
        {
            type Staged = $buffer;
            type Argument<'s>
                = &'s $buffer
            where
                $buffer: 's;

            fn stage(&self, stream: &Stream) -> Result<$buffer, Error> {
                self.upload(stream)
            }

            fn argument(staged: &mut $buffer) -> &$buffer {
                staged
            }

            fn finish(self, _: &Stream, _: $buffer) -> Result<(), Error> {
                Ok(())
            }
        }
    )*};
}

read! {
    ['m, M: ?Sized] &'m M => &'static [T], ReadSlice<T>, Buffer<T>;
    ['m, M: ?Sized] &'m M => *const T, <*const T as Param>::Passing, Buffer<T>;
    ['m, M: ?Sized, X] AsMatrix<&'m M> => &'static Matrix<T>, X, MatrixBuffer<T>;
    ['m, M: ?Sized, X] AsMatrix<&'m M> => *const T, X, MatrixBuffer<T>;
    ['m, M: ?Sized, X] AsVolume<&'m M> => &'static Volume<T>, X, VolumeBuffer<T>;
    ['m, M: ?Sized, X] AsVolume<&'m M> => *const T, X, VolumeBuffer<T>;
}

#[cfg(feature = "ndarray")]
read! {
    ['m] ndarray::ArrayView1<'m, T> => &'static [T], ReadSlice<T>, Buffer<T>;
    ['m] ndarray::ArrayView1<'m, T> => *const T, <*const T as Param>::Passing, Buffer<T>;
    ['m, X] ndarray::ArrayView2<'m, T> => &'static Matrix<T>, X, MatrixBuffer<T>;
    ['m, X] ndarray::ArrayView2<'m, T> => *const T, X, MatrixBuffer<T>;
    ['m, X] ndarray::ArrayView3<'m, T> => &'static Volume<T>, X, VolumeBuffer<T>;
    ['m, X] ndarray::ArrayView3<'m, T> => *const T, X, VolumeBuffer<T>;
}

/// Parameters that are written.
macro_rules! written {
    ($([$($generics:tt)*] $parameter:ty as $raw:ty, $buffer:ty;)*) => {$(
        written!(mode InOut upload: [$($generics)*] $parameter as $raw, $buffer);
        written!(mode Out zeroed: [$($generics)*] $parameter as $raw, $buffer);
    )*};
    (mode $mode:ident $stage:ident: [$($generics:tt)*] $parameter:ty as $raw:ty, $buffer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: KernelArg, H: HostMemoryMut<T, Buffer = $buffer>, X, $($generics)*> Offload<$parameter, X> for $mode<H>
        where
            $parameter: Param<Raw = $raw>,
        {
            type Staged = $buffer;
            type Argument<'s>
                = &'s mut $buffer
            where
                $buffer: 's;

            fn stage(&self, stream: &Stream) -> Result<$buffer, Error> {
                self.0.$stage(stream)
            }

            fn argument(staged: &mut $buffer) -> &mut $buffer {
                staged
            }

            fn finish(self, stream: &Stream, staged: $buffer) -> Result<(), Error> {
                self.0.download(stream, &staged)
            }
        }
    };
}

written! {
    [M: OwnMap<[T]>] PerThread<'static, [T], M> as RawSlice<T>, Buffer<T>;
    [M: OwnMap<Matrix<T>>] PerThread<'static, Matrix<T>, M> as RawMatrix<T>, MatrixBuffer<T>;
    [M: OwnMap<Volume<T>>] PerThread<'static, Volume<T>, M> as RawVolume<T>, VolumeBuffer<T>;
    [] PerGroup<'static, [T]> as RawSlice<T>, Buffer<T>;
    [] PerGroup<'static, Matrix<T>> as RawMatrix<T>, MatrixBuffer<T>;
    [] Atomic<'static, [T]> as RawSlice<T>, Buffer<T>;
    [] GridMemory<'static, [T]> as RawSlice<T>, Buffer<T>;
    [] *mut T as RawSlice<T>, Buffer<T>;
}
