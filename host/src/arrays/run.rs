//! Views of arrays as arguments of `run`.

use gridwright_core::KernelArg;
use ndarray::{ArrayView, ArrayViewMut};

use super::{ArrayDimension, check_order, elements, elements_mut};
use crate::{Error, HostMemory, HostMemoryMut, Stream};

/// ```
/// use gridwright::prelude::*;
/// use ndarray::{Array2, array};
///
/// #[gpu_kernel(requires = x.rows() == y.rows() && x.cols() == y.cols())]
/// fn add(t: Thread, x: &Matrix<f32>, mut y: PerThread<Matrix<f32>>) {
///     if let Some(y) = y.get_mut(t) {
///         *y += x.get_or(t.row(), t.col(), 0.0);
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let (x, mut y) = (array![[1.0_f32, 2.0], [3.0, 4.0]], Array2::ones((2, 2)));
/// add::load(&device)?.run(&device, LaunchConfig::for_matrix(2, 2), (x.view(), InOut(y.view_mut())))?;
/// assert_eq!(y, array![[2.0, 3.0], [4.0, 5.0]]);
/// # Ok(())
/// # }
/// ```
impl<T: KernelArg, D: ArrayDimension> HostMemory<T> for ArrayView<'_, T, D> {
    type Buffer = D::Buffer<T>;

    fn upload(&self, stream: &Stream) -> Result<D::Buffer<T>, Error> {
        stream.upload_array(self)
    }
}

impl<T: KernelArg, D: ArrayDimension> HostMemory<T> for ArrayViewMut<'_, T, D> {
    type Buffer = D::Buffer<T>;

    fn upload(&self, stream: &Stream) -> Result<D::Buffer<T>, Error> {
        self.raw_dim().upload(stream, elements(self, "run")?)
    }
}

impl<T: KernelArg, D: ArrayDimension> HostMemoryMut<T> for ArrayViewMut<'_, T, D> {
    fn zeroed(&self, stream: &Stream) -> Result<D::Buffer<T>, Error> {
        // Before the launch, not after it.
        check_order(self, "run")?;
        self.raw_dim().zeroed(stream)
    }

    fn download(mut self, stream: &Stream, buffer: &D::Buffer<T>) -> Result<(), Error> {
        stream.copy_to_slice(buffer, elements_mut(&mut self, "run")?)
    }
}
