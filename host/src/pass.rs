use gridwright_core::{KernelArg, Param, RawMatrix, RawParts, RawSlice, RawTexture, RawVolume, Texel};
use gridwright_device::{
    Atomic, Dimension, GridMemory, Matrix, OwnMap, PerGroup, PerThread, Rows, Scattered, Segments, Surface,
    Texture, Tiles, Volume,
};

use crate::accesses::Accesses;
use crate::submission::Kind;
use crate::transfer::Region;
use crate::{
    Buffer, BufferScattered, BufferSegments, BufferSegmentsMut, BufferSlice, BufferSliceMut, Device, Error,
    MatrixBuffer, ReadFrom, TextureBuffer, UnifiedBuffer, VolumeBuffer, WriteTo,
};

/// An argument that a kernel parameter of type `P` can be given.
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
/// # let stream = device.stream()?;
/// # let mut x = stream.upload(&[1.0_f32, 2.0, 3.0, 4.0])?;
/// // `PerThread<[f32]>` takes a buffer, or a part of one.
/// let upper_half = x.slice_mut(2..4)?;
/// scale::load(&device)?.launch(&stream, LaunchConfig::threads(2), (3.0, upper_half))?;
/// # assert_eq!(stream.download(&x)?, [1.0, 2.0, 9.0, 12.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Safety
/// `pass` returns memory that the argument borrows, exclusively where `P` writes, and adds it to the destination's
/// accesses.
#[diagnostic::on_unimplemented(
    message = "a kernel parameter of type `{P}` can't be given a `{Self}`",
    label = "not what this parameter takes",
    note = "memory of the host is uploaded: `let mut x = stream.upload(&x)?;`; or `kernel.run(&device, config, (&x, InOut(&mut y)))` takes slices, arrays and vectors",
    note = "`&[T]` takes a `&Buffer<T>`, and what a kernel writes a `&mut Buffer<T>`, or parts of them; `&Matrix<T>` a `&MatrixBuffer<T>`, \
            `&Volume<T>` a `&VolumeBuffer<T>`, textures a `&TextureBuffer<T, _>`, all `&mut` where they are written; `Segments<T>` an `x.segments(&offsets)`, `Scattered<T>` a \
            `y.scattered(&order)`, `PlacedTiles` an `m.tiles_from(row, col)`; numbers and structs go \
            by value; `*const T` of an unsafe kernel takes any buffer by `&`, and `*mut T` by `&mut`"
)]
pub unsafe trait Pass<P: Param> {
    /// The raw argument, which crosses to the device.
    #[doc(hidden)]
    fn pass(self, to: &mut Destination) -> Result<P::Raw, Error>;
}

/// The parameter that an argument goes to.
#[derive(Debug)]
pub struct Destination<'d> {
    pub(crate) kernel: &'static str,
    pub(crate) parameter: &'static str,
    pub(crate) device: &'d Device,
    pub(crate) accesses: &'d mut Accesses,
}

impl Destination<'_> {
    pub(crate) fn slice<T>(&mut self, region: &Region<'_>) -> Result<RawSlice<T>, Error> {
        if self.device.is(region.device) {
            let (kernel, parameter) = (self.kernel, self.parameter);
            self.accesses.add(region, || format!("kernel `{kernel}`, parameter `{parameter}`"))?;
            return Ok(RawSlice { pointer: region.place.pointer.cast().as_ptr(), len: region.len });
        }
        if self.device.reaches(region.device) && self.accesses.takes_peers() {
            self.accesses.add_peer(region);
            return Ok(RawSlice { pointer: region.place.pointer.cast().as_ptr(), len: region.len });
        }
        Err(self.foreign(region))
    }

    /// A texture of the kernel's own device only: objects of a driver mean nothing to another.
    fn texture<T: Texel, D: Dimension>(
        &mut self,
        texture: &TextureBuffer<T, D>,
        kind: Kind,
    ) -> Result<RawTexture, Error> {
        let region = texture.region(kind);
        if !self.device.is(region.device) {
            return Err(self.foreign(&region));
        }
        let (kernel, parameter) = (self.kernel, self.parameter);
        self.accesses.add(&region, || format!("kernel `{kernel}`, parameter `{parameter}`"))?;
        Ok(texture.raw(kind))
    }

    fn foreign(&self, region: &Region<'_>) -> Error {
        Error::ForeignBuffer {
            place: format!("kernel `{}`, parameter `{}`", self.kernel, self.parameter),
            device: self.device.identity(),
            buffer_device: region.device.identity(),
        }
    }

    fn arrays<T, const N: usize>(&mut self, region: &Region<'_>) -> Result<RawSlice<[T; N]>, Error> {
        if N == 0 || !region.len.is_multiple_of(N) {
            let (kernel, parameter) = (self.kernel, self.parameter);
            return Err(Error::UnevenArrays { kernel, parameter, len: region.len, array: N });
        }
        let raw = self.slice(region)?;
        Ok(RawSlice { pointer: raw.pointer, len: raw.len / N })
    }

    fn matrix<T: KernelArg>(&mut self, matrix: &MatrixBuffer<T>) -> Result<RawMatrix<T>, Error> {
        let raw = self.slice(&matrix.region())?;
        Ok(RawMatrix { pointer: raw.pointer, rows: matrix.rows(), cols: matrix.cols() })
    }

    pub(crate) fn matrix_mut<T: KernelArg>(
        &mut self,
        matrix: &mut MatrixBuffer<T>,
    ) -> Result<RawMatrix<T>, Error> {
        let (rows, cols) = (matrix.rows(), matrix.cols());
        let raw = self.slice(&matrix.region_mut())?;
        Ok(RawMatrix { pointer: raw.pointer, rows, cols })
    }

    fn volume<T: KernelArg>(&mut self, volume: &VolumeBuffer<T>) -> Result<RawVolume<T>, Error> {
        let RawSlice { pointer, .. } = self.slice(&volume.region())?;
        Ok(RawVolume { pointer, planes: volume.planes(), rows: volume.rows(), cols: volume.cols() })
    }

    fn volume_mut<T: KernelArg>(&mut self, volume: &mut VolumeBuffer<T>) -> Result<RawVolume<T>, Error> {
        let (planes, rows, cols) = (volume.planes(), volume.rows(), volume.cols());
        let RawSlice { pointer, .. } = self.slice(&volume.region_mut())?;
        Ok(RawVolume { pointer, planes, rows, cols })
    }
}

// SAFETY: a value borrows nothing.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelArg> Pass<T> for T {
    fn pass(self, _: &mut Destination) -> Result<T, Error> {
        Ok(self)
    }
}

/// Parameters that are only read. Matrices and volumes go as a whole.
macro_rules! read {
    ($([$($generics:tt)*] $argument:ty => $parameter:ty as $raw:ty, $to:ident $(. $region:ident)?;)*) => {$(
        // SAFETY: the argument borrows the memory.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: KernelArg, $($generics)*> Pass<$parameter> for $argument {
            fn pass(self, to: &mut Destination) -> Result<$raw, Error> {
                to.$to(&self$(.$region())?)
            }
        }
    )*};
}

// The one that the compiler shows.
// SAFETY: the argument borrows the memory.
unsafe impl<T: KernelArg> Pass<&'static [T]> for &Buffer<T> {
    fn pass(self, to: &mut Destination) -> Result<RawSlice<T>, Error> {
        to.slice(&self.region())
    }
}

read! {
    [] BufferSlice<'_, T> => &'static [T] as RawSlice<T>, slice.region;
    [] &BufferSlice<'_, T> => &'static [T] as RawSlice<T>, slice.region;
    [const N: usize] &Buffer<T> => &'static [[T; N]] as RawSlice<[T; N]>, arrays.region;
    [] &UnifiedBuffer<T> => &'static [T] as RawSlice<T>, slice.region;
    [const N: usize] &UnifiedBuffer<T> => &'static [[T; N]] as RawSlice<[T; N]>, arrays.region;
    [] &MatrixBuffer<T> => &'static Matrix<T> as RawMatrix<T>, matrix;
    [] &VolumeBuffer<T> => &'static Volume<T> as RawVolume<T>, volume;
    [] BufferSegments<'_, T> => &'static Segments<T> as RawParts<T>, segments;
    [] &Buffer<T> => *const T as RawSlice<T>, slice.region;
    [] &UnifiedBuffer<T> => *const T as RawSlice<T>, slice.region;
    [] BufferSlice<'_, T> => *const T as RawSlice<T>, slice.region;
    [] &BufferSlice<'_, T> => *const T as RawSlice<T>, slice.region;
    [] &MatrixBuffer<T> => *const T as RawSlice<T>, slice.region;
    [] &VolumeBuffer<T> => *const T as RawSlice<T>, slice.region;
}

// SAFETY: the argument borrows the texture.
#[diagnostic::do_not_recommend]
unsafe impl<T: Texel, D: Dimension> Pass<&'static Texture<T, D>> for &TextureBuffer<T, D> {
    fn pass(self, to: &mut Destination) -> Result<RawTexture, Error> {
        to.texture(self, Kind::Read)
    }
}

// SAFETY: the argument borrows the texture exclusively.
#[diagnostic::do_not_recommend]
unsafe impl<T: Texel, D: Dimension> Pass<Surface<'static, T, D>> for &mut TextureBuffer<T, D> {
    fn pass(self, to: &mut Destination) -> Result<RawTexture, Error> {
        to.texture(self, Kind::Write)
    }
}

/// Parameters that are written. `M` is the map by which threads own elements.
macro_rules! written {
    ($argument:ident . $region:ident) => { &$argument.$region() };
    ($argument:ident) => { $argument };
    ($([$($generics:tt)*] $argument:ty => $parameter:ty as $raw:ty, $to:ident $(. $region:ident)?;)*) => {$(
        // SAFETY: the argument borrows the memory exclusively.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: KernelArg, $($generics)*> Pass<$parameter> for $argument
        where
            $parameter: Param<Raw = $raw>,
        {
            #[allow(unused_mut)]
            fn pass(mut self, to: &mut Destination) -> Result<$raw, Error> {
                to.$to(written!(self $(.$region)?))
            }
        }
    )*};
}

written! {
    [M: OwnMap<[T]>] &mut Buffer<T> => PerThread<'static, [T], M> as RawSlice<T>, slice.region_mut;
    [M: OwnMap<[T]>] BufferSliceMut<'_, T> => PerThread<'static, [T], M> as RawSlice<T>, slice.region_mut;
    [M: OwnMap<[T]>] &mut BufferSliceMut<'_, T> => PerThread<'static, [T], M> as RawSlice<T>, slice.region_mut;
    [M: OwnMap<[[T; N]]>, const N: usize] &mut Buffer<T> => PerThread<'static, [[T; N]], M> as RawSlice<[T; N]>,
        arrays.region_mut;
    [M: OwnMap<[T]>] &mut UnifiedBuffer<T> => PerThread<'static, [T], M> as RawSlice<T>, slice.region_mut;
    [M: OwnMap<[[T; N]]>, const N: usize] &mut UnifiedBuffer<T> => PerThread<'static, [[T; N]], M> as RawSlice<[T; N]>,
        arrays.region_mut;
    [M: OwnMap<Matrix<T>>] &mut MatrixBuffer<T> => PerThread<'static, Matrix<T>, M> as RawMatrix<T>, matrix_mut;
    [M: OwnMap<Volume<T>>] &mut VolumeBuffer<T> => PerThread<'static, Volume<T>, M> as RawVolume<T>, volume_mut;
    [] &mut Buffer<T> => PerGroup<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] BufferSliceMut<'_, T> => PerGroup<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] &mut BufferSliceMut<'_, T> => PerGroup<'static, [T]> as RawSlice<T>, slice.region_mut;
    [const N: usize] &mut Buffer<T> => PerGroup<'static, [[T; N]]> as RawSlice<[T; N]>, arrays.region_mut;
    [] &mut UnifiedBuffer<T> => PerGroup<'static, [T]> as RawSlice<T>, slice.region_mut;
    [const N: usize] &mut UnifiedBuffer<T> => PerGroup<'static, [[T; N]]> as RawSlice<[T; N]>, arrays.region_mut;
    [] &mut MatrixBuffer<T> => PerGroup<'static, Matrix<T>> as RawMatrix<T>, matrix_mut;
    [const N: usize] &mut MatrixBuffer<T> => PerGroup<'static, Matrix<T>, Rows<N>> as RawMatrix<T>, matrix_mut;
    [const R: usize, const C: usize] &mut MatrixBuffer<T> => PerGroup<'static, Matrix<T>, Tiles<R, C>> as RawMatrix<T>,
        matrix_mut;
    [] BufferSegmentsMut<'_, T> => PerThread<'static, Segments<T>> as RawParts<T>, segments_mut;
    [] BufferSegmentsMut<'_, T> => PerGroup<'static, Segments<T>> as RawParts<T>, segments_mut;
    [] BufferScattered<'_, T> => PerThread<'static, Scattered<T>> as RawParts<T>, scattered;
    [] &mut Buffer<T> => GridMemory<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] BufferSliceMut<'_, T> => GridMemory<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] &mut BufferSliceMut<'_, T> => GridMemory<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] &mut UnifiedBuffer<T> => GridMemory<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] &mut Buffer<T> => Atomic<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] BufferSliceMut<'_, T> => Atomic<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] &mut BufferSliceMut<'_, T> => Atomic<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] &mut UnifiedBuffer<T> => Atomic<'static, [T]> as RawSlice<T>, slice.region_mut;
    [] &mut UnifiedBuffer<T> => *mut T as RawSlice<T>, slice.region_mut;
    [] &mut Buffer<T> => *mut T as RawSlice<T>, slice.region_mut;
    [] BufferSliceMut<'_, T> => *mut T as RawSlice<T>, slice.region_mut;
    [] &mut BufferSliceMut<'_, T> => *mut T as RawSlice<T>, slice.region_mut;
    [] &mut MatrixBuffer<T> => *mut T as RawSlice<T>, slice.region_mut;
    [] &mut VolumeBuffer<T> => *mut T as RawSlice<T>, slice.region_mut;
}
