use gridwright_core::KernelArg;

use crate::{Buffer, Error, MatrixBuffer, Stream, VolumeBuffer};

/// Memory of the host that a kernel reads and writes: copied to the device before the launch, and back after it.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn double(t: Thread, mut x: PerThread<[f32]>) {
///     if let Some(x) = x.get_mut(t) {
///         *x *= 2.0;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let mut x = vec![1.0, 2.0, 3.0];
/// double::load(&device)?.run(&device, LaunchConfig::threads(3), (InOut(&mut x),))?;
/// assert_eq!(x, [2.0, 4.0, 6.0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cudaMemcpy` before the launch with `cudaMemcpyHostToDevice`, and after it with `cudaMemcpyDeviceToHost`.
#[derive(Debug)]
pub struct InOut<M>(pub M);

/// Memory of the host that a kernel writes: zeros on the device before the launch, copied back after it.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn squares(t: Thread, mut out: PerThread<[u32]>) {
///     if let Some(out) = out.get_mut(t) {
///         *out = (t.index() * t.index()) as u32;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let mut out = [7; 4];
/// squares::load(&device)?.run(&device, LaunchConfig::threads(3).block(1), (Out(&mut out),))?;
/// assert_eq!(out, [0, 1, 4, 0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cudaMemset` before the launch, and `cudaMemcpy` after it with `cudaMemcpyDeviceToHost`.
#[derive(Debug)]
pub struct Out<M>(pub M);

/// Rows, columns and elements, row after row: memory of the host as a matrix.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel(requires = image.rows() == out.rows() && image.cols() == out.cols())]
/// fn invert(t: Thread, image: &Matrix<u8>, mut out: PerThread<Matrix<u8>>) {
///     if let Some(out) = out.get_mut(t) {
///         *out = 255 - image.get_or(t.row(), t.col(), 0);
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let (image, mut inverted) = ([0, 1, 2, 3, 4, 5], [0; 6]);
/// let arguments = (AsMatrix(2, 3, &image), Out(AsMatrix(2, 3, &mut inverted)));
/// invert::load(&device)?.run(&device, LaunchConfig::for_matrix(2, 3), arguments)?;
/// assert_eq!(inverted, [255, 254, 253, 252, 251, 250]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct AsMatrix<M>(pub usize, pub usize, pub M);

/// Planes, rows, columns and elements, row after row and plane after plane: memory of the host as a volume.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn planes(t: Thread, mut out: PerThread<Volume<u32>>) {
///     if let Some(out) = out.get_mut(t) {
///         *out = t.plane() as u32;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let mut out = [9; 4];
/// planes::load(&device)?.run(&device, LaunchConfig::for_volume(2, 1, 2), (Out(AsVolume(2, 1, 2, &mut out)),))?;
/// assert_eq!(out, [0, 0, 1, 1]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct AsVolume<M>(pub usize, pub usize, pub usize, pub M);

/// Memory of the host with elements `T`, as one shape or another: slices, arrays and vectors by reference, and [`AsMatrix`]
/// and [`AsVolume`] of those.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::memory::HostMemory;
///
/// /// A slice, an array or a vector is one; so is a matrix made of one.
/// fn takes<M: HostMemory<f32>>(_: M) {}
/// takes(&[1.0; 6]);
/// takes(&vec![1.0; 6]);
/// takes(AsMatrix(2, 3, &[1.0; 6]));
/// ```
pub trait HostMemory<T: KernelArg>: Sized {
    /// The memory's shape on the device.
    type Buffer;

    /// A copy on the device.
    #[doc(hidden)]
    fn upload(&self, stream: &Stream) -> Result<Self::Buffer, Error>;
}

/// Memory of the host with elements `T` that can be written: see [`HostMemory`].
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::memory::HostMemoryMut;
///
/// fn takes<M: HostMemoryMut<f32>>(_: M) {}
/// let mut x = vec![1.0; 6];
/// takes(&mut x);
/// takes(AsMatrix(2, 3, &mut x));
/// ```
pub trait HostMemoryMut<T: KernelArg>: HostMemory<T> {
    /// Memory of the device with as many zeros.
    #[doc(hidden)]
    fn zeroed(&self, stream: &Stream) -> Result<Self::Buffer, Error>;

    /// Copies the elements back.
    #[doc(hidden)]
    fn download(self, stream: &Stream, buffer: &Self::Buffer) -> Result<(), Error>;
}

impl<T: KernelArg, M: AsRef<[T]> + ?Sized> HostMemory<T> for &M {
    type Buffer = Buffer<T>;

    fn upload(&self, stream: &Stream) -> Result<Buffer<T>, Error> {
        stream.upload((**self).as_ref())
    }
}

impl<T: KernelArg, M: AsRef<[T]> + AsMut<[T]> + ?Sized> HostMemory<T> for &mut M {
    type Buffer = Buffer<T>;

    fn upload(&self, stream: &Stream) -> Result<Buffer<T>, Error> {
        stream.upload((**self).as_ref())
    }
}

impl<T: KernelArg, M: AsRef<[T]> + AsMut<[T]> + ?Sized> HostMemoryMut<T> for &mut M {
    fn zeroed(&self, stream: &Stream) -> Result<Buffer<T>, Error> {
        stream.alloc_zeroed((**self).as_ref().len())
    }

    fn download(self, stream: &Stream, buffer: &Buffer<T>) -> Result<(), Error> {
        stream.copy_to_slice(buffer, self.as_mut())
    }
}

macro_rules! shaped {
    ($($shape:ident => $buffer:ident: $upload:ident $alloc:ident $check:path, ($($size:tt)*) $elements:tt;)*) => {$(
        impl<T: KernelArg, M: AsRef<[T]> + ?Sized> HostMemory<T> for $shape<&M> {
            type Buffer = $buffer<T>;

            fn upload(&self, stream: &Stream) -> Result<$buffer<T>, Error> {
                stream.$upload($(self.$size,)* (*self.$elements).as_ref())
            }
        }

        impl<T: KernelArg, M: AsRef<[T]> + AsMut<[T]> + ?Sized> HostMemory<T> for $shape<&mut M> {
            type Buffer = $buffer<T>;

            fn upload(&self, stream: &Stream) -> Result<$buffer<T>, Error> {
                stream.$upload($(self.$size,)* (*self.$elements).as_ref())
            }
        }

        impl<T: KernelArg, M: AsRef<[T]> + AsMut<[T]> + ?Sized> HostMemoryMut<T> for $shape<&mut M> {
            fn zeroed(&self, stream: &Stream) -> Result<$buffer<T>, Error> {
                $check($(self.$size,)* (*self.$elements).as_ref().len())?;
                stream.$alloc($(self.$size),*)
            }

            fn download(self, stream: &Stream, buffer: &$buffer<T>) -> Result<(), Error> {
                stream.copy_to_slice(buffer, self.$elements.as_mut())
            }
        }
    )*};
}

shaped! {
    AsMatrix => MatrixBuffer: upload_matrix alloc_matrix_zeroed crate::stream::check_elements, (0 1) 2;
    AsVolume => VolumeBuffer: upload_volume alloc_volume_zeroed crate::volume::check_elements, (0 1 2) 3;
}
