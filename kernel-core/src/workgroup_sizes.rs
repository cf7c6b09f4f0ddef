use core::fmt;
use core::marker::PhantomData;

use crate::workgroup::ALIGNMENT;
use crate::{MOST_PARTITIONS, PartitionLayout, Refused, WorkgroupError, WorkgroupMemory};

/// What a launch says of one launch-sized partition with elements of type `T`: what
/// [`LaunchConfig::workgroup`](crate::LaunchConfig::workgroup) adds to a config's type.
///
/// ```
/// use gridwright_core::{LaunchConfig, Partition};
///
/// let config: LaunchConfig<((), Partition<f32>)> = LaunchConfig::threads(1000).workgroup::<f32>(256);
/// ```
///
/// # From CUDA
/// A size in the third argument of `<<<…>>>`.
pub struct Partition<T> {
    asked: Asked,
    _elements: PhantomData<fn() -> T>,
}

/// What a launch says of the bytes of the kernel's only launch-sized partition: what
/// [`LaunchConfig::dyn_workgroup_bytes`](crate::LaunchConfig::dyn_workgroup_bytes) makes of a config's type.
///
/// ```
/// use gridwright_core::{Bytes, LaunchConfig};
///
/// let config: LaunchConfig<Bytes> = LaunchConfig::threads(1000).dyn_workgroup_bytes(1024);
/// ```
///
/// # From CUDA
/// The third argument of `<<<…>>>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub(crate) usize);

/// The size of a partition, as a caller wrote it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Elements(usize),
    /// Elements for each thread of a group.
    PerThread(usize),
    Bytes(usize),
}

/// A config's part about workgroup memory, which sets the partitions of a kernel: those whose element types are
/// `N`, a nested tuple. `()` is none, `((), f32)` one of `f32`, `(((), f32), u32)` one of `f32` and then one of `u32`.
///
/// ```
/// use gridwright_core::{LaunchConfig, Sets};
///
/// /// Whether it sets one partition of `f32`, is in its type.
/// fn sets_one<W: Sets<((), f32)>>(_: LaunchConfig<W>) {}
/// sets_one(LaunchConfig::threads(64).workgroup::<f32>(256));
/// ```
///
/// # Safety
/// [`each_size`](Self::each_size) gives one size for each type in `N`, in their order.
#[diagnostic::on_unimplemented(
    message = "the config must set the size of each `Workgroup<[T]>` that the kernel has, and of no other",
    label = "sets `{Self}`, where the kernel has partitions of `{N}`",
    note = "add one `.workgroup::<T>(len)` to the config for each parameter `Workgroup<[T]>`, in their order; or \
            `.workgroup_per_thread::<T>(k)` for k elements for each thread of a workgroup; or, for a kernel with \
            exactly one, `.dyn_workgroup_bytes(n)`"
)]
pub unsafe trait Sets<N>: Copy {
    /// Calls `size` with the size of each partition, in the order of the kernel's parameters.
    #[doc(hidden)]
    fn each_size(&self, size: &mut dyn FnMut(Asked));

    /// Checks the sizes of a kernel's `partitions`, whose memory lies behind `fixed` bytes, for groups of
    /// `threads_per_group`, on a device that gives a group at most `limit` bytes.
    ///
    /// # Errors
    /// [`WorkgroupError`] for a size that is zero, uneven, or over the limit.
    ///
    /// ```
    /// use gridwright_core::{Bytes, LaunchConfig, PartitionLayout, Sets};
    ///
    /// const PARTITIONS: &[PartitionLayout] = &[PartitionLayout::of::<f32>("scratch")];
    ///
    /// fn bytes<W: Sets<((), f32)>>(sizes: &W) -> Option<usize> {
    ///     Some(sizes.resolve(PARTITIONS, 1024, 256, 48 * 1024).ok()?.bytes)
    /// }
    /// ```
    fn resolve(
        &self,
        partitions: &'static [PartitionLayout],
        fixed: usize,
        threads_per_group: usize,
        limit: usize,
    ) -> Result<WorkgroupMemory, WorkgroupError> {
        let mut lens = [0; MOST_PARTITIONS];
        let mut count = 0;
        // At most twelve partitions of less than 2^64 bytes each, rounded up: no sum of them overflows.
        let mut bytes = fixed as u128;
        let mut failed = None;
        let mut places = lens.iter_mut().zip(partitions);
        self.each_size(&mut |asked| {
            let Some((len, layout)) = places.next() else { return };
            match elements(asked, *layout, threads_per_group) {
                Ok(elements) => {
                    *len = elements;
                    count += 1;
                    bytes += (elements as u128 * layout.size as u128).next_multiple_of(ALIGNMENT as u128);
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        });
        match (failed, usize::try_from(bytes)) {
            (Some(error), _) => Err(error),
            (None, Ok(bytes)) if bytes <= limit => Ok(WorkgroupMemory { lens, count, bytes }),
            (None, _) => Err(WorkgroupError::OverLimit { bytes, fixed, limit }),
        }
    }
}

/// The elements of a partition, at least one; their bytes fit a `usize`.
fn elements(asked: Asked, layout: PartitionLayout, threads: usize) -> Result<usize, WorkgroupError> {
    let PartitionLayout { name: partition, size: element } = layout;
    let elements = match asked {
        Asked::Elements(elements) => elements as u128,
        // Two factors below 2^64.
        Asked::PerThread(elements) => elements as u128 * threads as u128,
        Asked::Bytes(bytes) if bytes.checked_rem(element) == Some(0) => (bytes / element) as u128,
        Asked::Bytes(bytes) => return Err(WorkgroupError::Uneven { partition, bytes, element }),
    };
    if elements == 0 {
        return Err(WorkgroupError::Zero { partition });
    }
    let count = usize::try_from(elements).ok();
    count.filter(|count| count.checked_mul(element).is_some()).ok_or(WorkgroupError::Overflow {
        partition,
        elements,
        element,
    })
}

// SAFETY: no partitions, no sizes.
unsafe impl Sets<()> for () {
    fn each_size(&self, _: &mut dyn FnMut(Asked)) {}
}

// SAFETY: those in front are their own promise, and one size follows for the last type.
#[diagnostic::do_not_recommend]
unsafe impl<A: Sets<B>, B, T> Sets<(B, T)> for (A, Partition<T>) {
    fn each_size(&self, size: &mut dyn FnMut(Asked)) {
        self.0.each_size(size);
        size(self.1.asked);
    }
}

// SAFETY: one type, one size.
unsafe impl<T> Sets<((), T)> for Bytes {
    fn each_size(&self, size: &mut dyn FnMut(Asked)) {
        size(Asked::Bytes(self.0));
    }
}

// SAFETY: a kernel that the macro refused has no partitions, and is never launched.
#[diagnostic::do_not_recommend]
unsafe impl<W: Copy> Sets<Refused> for W {
    fn each_size(&self, _: &mut dyn FnMut(Asked)) {}
}

impl<T> Partition<T> {
    pub(crate) const fn new(asked: Asked) -> Self {
        Self { asked, _elements: PhantomData }
    }
}

impl<T> Clone for Partition<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Partition<T> {}

impl<T> PartialEq for Partition<T> {
    fn eq(&self, other: &Self) -> bool {
        self.asked == other.asked
    }
}

impl<T> Eq for Partition<T> {}

impl<T> fmt::Debug for Partition<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Partition").field(&self.asked).finish()
    }
}
