//! Elements at indices of a list, one for each thread.

use core::marker::PhantomData;

use gridwright_core::KernelArg;

use crate::PerThread;
use crate::arch::Identity;
use crate::per_thread::{OwnShape, anywhere};
use crate::segments::PartsWindow;

/// Elements at indices that the launch lists: `PerThread<Scattered<T>>` gives thread *i* the element at the *i*-th
/// index of the list.
///
/// The list is a `DistinctIndices`: the upload checked that no index is in it twice, so that no two threads write one
/// element. One list serves as many launches as one likes.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// y[order[i]] = x[i].
/// #[gpu_kernel(requires = x.len() == y.len())]
/// fn scatter(t: Thread, x: &[f32], mut y: PerThread<Scattered<f32>>) {
///     if let Some(y) = y.get_mut(t) {
///         *y = x[t.index()];
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let order = stream.upload_distinct(&[3, 0, 2])?;
/// let (x, mut y) = (stream.upload(&[1.0, 2.0, 3.0])?, stream.alloc_zeroed(4)?);
/// scatter::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&x, y.scattered(&order)))?;
/// assert_eq!(stream.download(&y)?, [2.0, 0.0, 3.0, 1.0]);
/// # Ok(())
/// # }
/// ```
///
/// Where the kernel itself finds the places, `Atomic<[T]>` writes to them: `y.set(t, i, value)`.
///
/// # From CUDA
/// `y[order[i]] = …`, of whose `order` the author says that it is a permutation.
#[derive(Debug)]
pub struct Scattered<T>(PhantomData<T>);

// SAFETY: indices of the list differ, and the host saw that they are below the slice's length.
unsafe impl<T: KernelArg> OwnShape for Scattered<T> {
    type Element = T;
    type Window = PartsWindow;
    anywhere!(Self);

    #[inline(always)]
    fn position(&PartsWindow { indices, count }: &PartsWindow, thread: Identity<'_>) -> Option<usize> {
        let index = thread.index();
        // SAFETY: the index was just seen to be in the list.
        (index < count).then(|| unsafe { *indices.add(index) } as usize)
    }
}

#[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
impl<T: KernelArg> PerThread<'_, Scattered<T>> {
    /// The number of elements that threads own, which is the number of indices.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn number_of_elements(y: PerThread<Scattered<f32>>) -> usize {
    ///     y.len()
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.window().count
    }
}
