use gridwright_core::Signature;

use super::span::Name;
use crate::{Graph, Kernel, UnsafeKernel};

/// What [`Profiler::declare`](crate::Profiler::declare) takes: a [`Kernel`], an [`UnsafeKernel`] or a [`Graph`].
///
/// ```
/// use gridwright::profile::{Measured, Profiler};
///
/// fn declare_gigabytes(profiler: &Profiler, work: &impl Measured, gigabytes: u64) {
///     profiler.declare(work, gigabytes * 1_000_000_000);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not work of a device",
    note = "a `Kernel`, an `UnsafeKernel` or a `Graph` is"
)]
pub trait Measured: sealed::Sealed {}

impl<K: Signature> Measured for Kernel<K> {}
impl<K: Signature> Measured for UnsafeKernel<K> {}
impl Measured for Graph {}

impl<K: Signature> sealed::Sealed for Kernel<K> {
    fn name(&self) -> Name {
        Name::kernel::<K>()
    }
}

impl<K: Signature> sealed::Sealed for UnsafeKernel<K> {
    fn name(&self) -> Name {
        Name::kernel::<K>()
    }
}

impl sealed::Sealed for Graph {
    fn name(&self) -> Name {
        self.piece().name
    }
}

mod sealed {
    use crate::profile::span::Name;

    pub trait Sealed {
        #[doc(hidden)]
        fn name(&self) -> Name;
    }
}
