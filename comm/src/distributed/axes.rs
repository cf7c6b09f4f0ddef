use gridwright::memory::{ReadFrom, WriteTo};
use gridwright::{Buffer, KernelArg, MatrixBuffer, Stream, VolumeBuffer};

/// The number of an array's axes, 1 to 3, for [`Shape`].
///
/// ```
/// use gridwright_comm::{Axes, Shape};
///
/// fn takes_a_shape<S: Shape>() {}
/// takes_a_shape::<Axes<2>>();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Axes<const AXES: usize>;

/// The memory that a rank's part of a [`Distributed`](crate::Distributed) array is in: a [`Buffer`], a [`MatrixBuffer`] or a [`VolumeBuffer`].
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_comm::Local;
///
/// /// A part of an array of two axes is a matrix.
/// fn rows(part: &Local<f32, 2>) -> usize {
///     part.rows()
/// }
/// ```
pub type Local<T, const AXES: usize> = <Axes<AXES> as Shape>::Memory<T>;

/// What [`Axes`] of a number have: implemented for one, two and three.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_comm::{Axes, Distributed, Error, Shape};
///
/// /// Fills halos of an array of any number of axes.
/// fn fill<const AXES: usize>(x: &mut Distributed<f32, AXES>, stream: &Stream) -> Result<(), Error>
/// where
///     Axes<AXES>: Shape,
/// {
///     x.exchange(stream)
/// }
/// ```
pub trait Shape: sealed::Sealed {
    /// Memory of these axes.
    type Memory<T: KernelArg>: ReadFrom<Element = T> + WriteTo;

    /// A copy of elements on the device. `sizes` are planes, rows and columns.
    #[doc(hidden)]
    fn upload<T: KernelArg>(
        stream: &Stream,
        sizes: [usize; 3],
        elements: &[T],
    ) -> Result<Self::Memory<T>, gridwright::Error>;

    /// Memory of zeros. `sizes` are planes, rows and columns.
    #[doc(hidden)]
    fn zeroed<T: KernelArg>(stream: &Stream, sizes: [usize; 3])
    -> Result<Self::Memory<T>, gridwright::Error>;
}

impl Shape for Axes<1> {
    type Memory<T: KernelArg> = Buffer<T>;

    fn upload<T: KernelArg>(
        stream: &Stream,
        _: [usize; 3],
        elements: &[T],
    ) -> Result<Buffer<T>, gridwright::Error> {
        stream.upload(elements)
    }

    fn zeroed<T: KernelArg>(
        stream: &Stream,
        [_, _, len]: [usize; 3],
    ) -> Result<Buffer<T>, gridwright::Error> {
        stream.alloc_zeroed(len)
    }
}

impl Shape for Axes<2> {
    type Memory<T: KernelArg> = MatrixBuffer<T>;

    fn upload<T: KernelArg>(
        stream: &Stream,
        [_, rows, cols]: [usize; 3],
        elements: &[T],
    ) -> Result<MatrixBuffer<T>, gridwright::Error> {
        stream.upload_matrix(rows, cols, elements)
    }

    fn zeroed<T: KernelArg>(
        stream: &Stream,
        [_, rows, cols]: [usize; 3],
    ) -> Result<MatrixBuffer<T>, gridwright::Error> {
        stream.alloc_matrix_zeroed(rows, cols)
    }
}

impl Shape for Axes<3> {
    type Memory<T: KernelArg> = VolumeBuffer<T>;

    fn upload<T: KernelArg>(
        stream: &Stream,
        [planes, rows, cols]: [usize; 3],
        elements: &[T],
    ) -> Result<VolumeBuffer<T>, gridwright::Error> {
        stream.upload_volume(planes, rows, cols, elements)
    }

    fn zeroed<T: KernelArg>(
        stream: &Stream,
        [planes, rows, cols]: [usize; 3],
    ) -> Result<VolumeBuffer<T>, gridwright::Error> {
        stream.alloc_volume_zeroed(planes, rows, cols)
    }
}

/// Values of axes as those of planes, rows and columns: axes that aren't there are the first.
pub(super) fn padded<V: Copy, const AXES: usize>(values: [V; AXES], absent: V) -> [V; 3] {
    let mut all = [absent; 3];
    for (to, value) in all.iter_mut().rev().zip(values.into_iter().rev()) {
        *to = value;
    }
    all
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::Axes<1> {}
    impl Sealed for super::Axes<2> {}
    impl Sealed for super::Axes<3> {}
}
