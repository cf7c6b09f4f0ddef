/// What a phase's closure may capture, so that code at group level is the same for every thread.
///
/// On a GPU nothing that could be changed through a shared reference is: not an atomic on the stack. On the CPU a group is
/// one OS thread, and everything is. What the device compiler refuses, a program can't launch. Whatever is a
/// [`KernelArg`](crate::KernelArg) is uniform.
///
/// ```
/// use gridwright_core::{KernelArg, Uniform};
///
/// /// Twice a value that is the same for all threads: a phase's closure may capture what is `Sync` and `Uniform`.
/// fn both<T: Copy + Sync + Uniform>(value: T) -> [T; 2] {
///     [value, value]
/// }
///
/// /// Whatever is a kernel argument is uniform.
/// fn of_argument<T: KernelArg>(value: T) -> [T; 2] {
///     both(value)
/// }
/// assert_eq!(of_argument(2.5_f32), [2.5, 2.5]);
/// ```
///
/// # Safety
/// Nothing in it can be changed through a shared reference, on a GPU.
pub unsafe trait Uniform {}

// SAFETY: this isn't a GPU.
unsafe impl<T: ?Sized> Uniform for T {}
