use crate::{Bounds, CpuEntry, GroupExtent, Images, ParamList, PartitionLayout};

/// What crosses from host to device at a launch of the kernel `K`.
pub type Raw<K> = <<K as Signature>::Params as ParamList>::Raw;

/// A kernel as `#[gpu_kernel]` describes it to the host.
///
/// # Safety
/// Written by the macro only: `CPU` runs the kernel's body once for each thread, or once for each group.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kernel, or not an instance of one",
    label = "no such instance",
    note = "a generic kernel runs with the types that `#[gpu_kernel(instances(…))]` names, and a kernel without that list with those of \
            instances elsewhere: `instance! {{ kernel name = kernel<f32>; }}` makes one, which is loaded by its name"
)]
pub unsafe trait Signature: 'static {
    /// The types of the parameters, without workgroup memory.
    type Params: ParamList;
    /// The element types of launch-sized workgroup memory: a nested tuple such as `((), f32)`.
    type Sizes: 'static;
    /// What messages call the kernel: its name, with the generic arguments of an instance, or its path where another has that name.
    const NAME: &'static str;
    /// The names of the parameters, without workgroup memory.
    const PARAMETERS: &'static [&'static str];
    /// What the kernel demands of a launch.
    const BOUNDS: Bounds;
    /// The launch-sized partitions of workgroup memory.
    const PARTITIONS: &'static [PartitionLayout];
    /// Bytes of workgroup memory that every launch takes.
    const FIXED_BYTES: usize;
    /// The kernel's path in its crate, by which images have its entry.
    const ENTRY: &'static str;
    /// The images that have the entry, of the crate that has the kernel.
    const IMAGES: &'static Images;
    /// The kernel's code for the CPU.
    const CPU: CpuEntry;
    /// Whether the kernel is an `unsafe fn`, so that whoever launches it answers for what its author asks.
    const IS_UNSAFE: bool;
    /// A bit for each parameter by value, the first one's the lowest: whether AMD's entry takes it in parts, which it does unless
    /// it is a number.
    const VALUES_IN_PARTS: u32 = 0;

    /// Evaluates `requires = …`; the error is the text of the first condition that doesn't hold.
    fn require(arguments: &Raw<Self>, group: GroupExtent, lens: &[usize]) -> Result<(), &'static str>;
}
