/// What a kernel isn't: something that code calls.
///
/// Nothing has it; it is there for its message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a kernel isn't called: a launch runs it, for each of its threads",
    label = "this is a kernel",
    note = "the host launches it: `name::load(&device)?.launch(&stream, LaunchConfig::threads(n), (&x, &mut y))?`",
    note = "what kernels share is a function without `#[gpu_kernel]`"
)]
pub trait Called {}
