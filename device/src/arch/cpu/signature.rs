use gridwright_core::{Images, IndexWidth, ParamList};

use super::{Chunk, Shape, ThreadParams};

/// What crosses from host to device at a launch of the kernel `K`.
pub type Raw<K> = <<K as Signature>::Params as ParamList>::Raw;

/// A kernel as `#[gpu_kernel]` describes it to the host.
///
/// # Safety
/// Written by the macro only: `run` runs the kernel's body once for each thread of the chunk.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kernel, or not an instance of one",
    label = "no such instance",
    note = "a generic kernel runs with the types that `#[gpu_kernel(instances(…))]` names: add this one there"
)]
pub unsafe trait Signature: 'static {
    /// The types of the parameters.
    type Params: ThreadParams;
    /// The name, with the generic arguments of an instance.
    const NAME: &'static str;
    /// The names of the parameters.
    const PARAMETERS: &'static [&'static str];
    /// The width of index arithmetic on a GPU.
    const INDEX: IndexWidth;
    /// The name of the entry in device images.
    const ENTRY: &'static str;
    /// The images that have it, of the crate that has the kernel.
    const IMAGES: &'static Images;

    /// Evaluates `requires = …`; the error is the text of the first condition that doesn't hold.
    fn require(arguments: &Raw<Self>) -> Result<(), &'static str>;

    /// Runs the threads of a chunk on the CPU.
    ///
    /// # Safety
    /// As for [`run_threads`](super::run_threads).
    unsafe fn run<S: Shape>(shape: S, chunk: &Chunk<'_>, arguments: &Raw<Self>);
}
