/// What a phase's closure may capture, so that code at group level is the same for every thread.
///
/// On a GPU nothing that could be changed through a shared reference is: not an atomic on the stack. On the CPU a group is
/// one OS thread, and everything is. What the device compiler refuses, a program can't launch.
///
/// # Safety
/// Nothing in it can be changed through a shared reference, on a GPU.
pub unsafe trait Uniform {}

// SAFETY: this isn't a GPU.
unsafe impl<T: ?Sized> Uniform for T {}
