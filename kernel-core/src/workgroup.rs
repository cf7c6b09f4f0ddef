use crate::KernelArg;

/// The most launch-sized partitions that a kernel may have: as many as parameters.
pub const MOST_PARTITIONS: usize = 12;

/// Bytes in front of each group kernel's workgroup memory, which reductions and other collectives use.
pub const COLLECTIVE_BYTES: usize = 1024;

/// Bytes at the end of the workgroup memory of a cluster's kernel, in which groups count who has left. Those of no other kernel are such
/// a number beyond a multiple of [`ALIGNMENT`].
pub const CLUSTER_BYTES: usize = 8;

/// Alignment of each piece of workgroup memory, in bytes: wide enough for any element.
pub const ALIGNMENT: usize = 16;

/// The bytes that a partition, or an array of fixed size, of so many bytes takes: rounded up to 16, so that the next
/// one is aligned. What can't be rounded up saturates, beyond any device's limit.
///
/// ```
/// assert_eq!(gridwright_core::partition_bytes(20), 32);
/// ```
pub const fn partition_bytes(bytes: usize) -> usize {
    bytes.saturating_add(ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT
}

/// An element of workgroup memory, which begins with bytes that nobody wrote.
///
/// # Safety
/// Any bytes are a value, and host and device see it alike. Both are what [`KernelArg`] promises: this holds
/// for each of those.
///
/// ```
/// use gridwright_core::WorkgroupElement;
///
/// fn lies_in_workgroup_memory<T: WorkgroupElement>() {}
/// lies_in_workgroup_memory::<[f32; 4]>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't lie in workgroup memory",
    label = "not an element of workgroup memory",
    note = "numbers, arrays of them and structs with `#[derive(Clone, Copy, KernelArg)] #[repr(C)]` can"
)]
pub unsafe trait WorkgroupElement: KernelArg {}

// SAFETY: what `KernelArg` promises.
unsafe impl<T: KernelArg> WorkgroupElement for T {}

/// One launch-sized partition of a kernel: a parameter `Workgroup<[T]>`.
///
/// ```
/// use gridwright_core::PartitionLayout;
///
/// assert_eq!(PartitionLayout::of::<f32>("scratch").size, 4);
/// ```
///
/// # From CUDA
/// An `extern __shared__` array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionLayout {
    /// The parameter's name.
    pub name: &'static str,
    /// The bytes of an element.
    pub size: usize,
}

impl PartitionLayout {
    /// The layout of a parameter with elements of a type.
    ///
    /// # Panics
    /// In the compiler, for elements that take no bytes or that must lie at multiples of more than 16.
    ///
    /// ```
    /// const SCRATCH: gridwright_core::PartitionLayout = gridwright_core::PartitionLayout::of::<u32>("scratch");
    /// ```
    pub const fn of<T: WorkgroupElement>(name: &'static str) -> Self {
        const {
            assert!(
                align_of::<T>() <= ALIGNMENT,
                "elements of workgroup memory may be aligned to at most 16 bytes: take a smaller `align` of the struct"
            );
            assert!(size_of::<T>() > 0, "elements of workgroup memory take at least a byte");
        }
        Self { name, size: size_of::<T>() }
    }
}

/// A launch's workgroup memory, whose sizes were checked.
///
/// In each group's memory lie, in this order: [`COLLECTIVE_BYTES`], the kernel's arrays of fixed size, its
/// launch-sized partitions. Each piece begins at a multiple of 16, see [`partition_bytes`].
///
/// ```
/// use gridwright_core::WorkgroupMemory;
///
/// // A kernel of threads has none.
/// assert_eq!(WorkgroupMemory::default().bytes, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkgroupMemory {
    /// The elements of each launch-sized partition.
    pub lens: [usize; MOST_PARTITIONS],
    /// The number of launch-sized partitions.
    pub count: usize,
    /// The bytes of all pieces.
    pub bytes: usize,
}

impl WorkgroupMemory {
    /// The elements of each launch-sized partition that there is, in the order of the parameters.
    ///
    /// ```
    /// assert!(gridwright_core::WorkgroupMemory::default().lens().is_empty());
    /// ```
    pub fn lens(&self) -> &[usize] {
        self.lens.get(..self.count).unwrap_or(&self.lens)
    }
}
