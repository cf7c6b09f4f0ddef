use crate::KernelArg;

/// A function that a kernel is given by value, with what it has captured: `op.call((x, y))`.
///
/// Kernels that take any operator are generic over it. Users write theirs by `operator!`, like a closure, or implement the trait for a
/// struct of their own with `#[derive(KernelArg)]`. `Arguments` is a tuple of the arguments' types, as `Fn` has it.
///
/// ```
/// use gridwright_core::Operator;
///
/// /// An operator on what it gives itself.
/// fn twice<T, O: Operator<(T,), Output = T>>(operator: O, x: T) -> T {
///     operator.call((operator.call((x,)),))
/// }
/// ```
///
/// # From CUDA
/// A functor that a templated `__global__` function takes by value, or an extended `__device__` lambda.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't an operator on `{Arguments}`",
    label = "no such operator",
    note = "`operator! {{ struct Name {{ captured: f32 }} = |x: f32| -> f32 {{ … }} }}` writes one; the types of its arguments are \
            those of the kernel's call"
)]
pub trait Operator<Arguments>: KernelArg {
    /// What a call gives.
    type Output;

    /// Calls the operator.
    fn call(&self, arguments: Arguments) -> Self::Output;
}
