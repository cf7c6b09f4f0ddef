use core::cell::UnsafeCell;

/// What a phase's closure may capture, so that code at group level is the same for every thread: nothing that could be
/// changed through a shared reference, such as an atomic on the stack.
///
/// # Safety
/// Nothing in it can be changed through a shared reference.
#[diagnostic::on_unimplemented(
    message = "a phase can't use `{Self}` of the code around it",
    label = "can be changed through a shared reference",
    note = "each thread of the group would see a value of its own there; use workgroup memory, `Private` values or an `Atomic` parameter",
    note = "of a type parameter the compiler doesn't know: bound it by `KernelArg`, or by `gridwright::group::Uniform`"
)]
pub unsafe auto trait Uniform {}

impl<T: ?Sized> !Uniform for UnsafeCell<T> {}
