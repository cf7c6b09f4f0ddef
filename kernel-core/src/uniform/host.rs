/// What a phase's closure may capture, so that code at group level is the same for every thread.
///
/// On a GPU nothing that could be changed through a shared reference is: not an atomic on the stack. On the CPU a group is
/// one OS thread, and everything is. What the device compiler refuses, a program can't launch. Whatever is a
/// [`KernelArg`](crate::KernelArg) is uniform.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::Uniform;
///
/// /// Gives each thread a value that is the same for all: a closure may capture what is `Sync` and `Uniform`.
/// fn set<S: GroupShape, T: Copy + Sync + Uniform + 'static>(g: &Group<'_, S>, values: &mut Private<T>, value: T) {
///     g.each(values, |_, to| *to = value);
/// }
/// ```
///
/// # Safety
/// Nothing in it can be changed through a shared reference, on a GPU.
pub unsafe trait Uniform {}

// SAFETY: this isn't a GPU.
unsafe impl<T: ?Sized> Uniform for T {}
