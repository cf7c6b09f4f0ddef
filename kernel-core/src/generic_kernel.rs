use crate::Signature;

/// A generic kernel with its arguments, such as `map<f32>`: what an [`Instance`] of it is made of, wherever that stands.
///
/// Written by `#[gpu_kernel]` beside a kernel whose instances others may make. Programs name it in bounds at most.
///
/// # Safety
/// All of it is what `#[gpu_kernel]` wrote of one function: entries of instances rest on the description, and on the function `__body` of
/// the type.
///
/// ```
/// use gridwright_core::GenericKernel;
///
/// /// Threads of the declared block.
/// fn threads<G: GenericKernel>() -> usize {
///     G::BLOCK.iter().product()
/// }
/// ```
pub unsafe trait GenericKernel {
    /// The types of the parameters, as [`Signature::Params`].
    type Params;
    /// The elements of launch-sized workgroup memory, as [`Signature::Sizes`].
    type Sizes;
    /// The types that the parameters' types are made of, as a nested list: `(A, (B, ()))`.
    type Parts;
    /// What the macro of the kernel's name says of it, a space between any two tokens.
    const DESCRIPTION: &'static str;
    /// The declared block; ones if there is none.
    const BLOCK: [usize; 3] = [1; 3];
    /// The declared most threads of a group.
    const MAX_THREADS: usize = 1;
    /// The declared groups on a GPU's core.
    const MIN_GROUPS: usize = 1;
}

/// A nested list of types.
///
/// ```
/// use gridwright_core::Parts;
///
/// assert_eq!(size_of::<<(u64, (u8, ())) as Parts>::Head>(), 8);
/// ```
pub trait Parts {
    /// The first.
    type Head;
    /// The others.
    type Tail;
}

impl<H, T> Parts for (H, T) {
    type Head = H;
    type Tail = T;
}

/// An instance of a generic kernel with certain arguments.
///
/// It is the bound by which code that is generic itself launches kernels; `kernel_trait!` writes it.
///
/// ```
/// use gridwright_core::{GenericKernel, Instance};
///
/// /// What users know an instance by.
/// fn name<G: GenericKernel, K: Instance<G>>() -> &'static str {
///     K::NAME
/// }
/// ```
///
/// # Safety
/// Written by the macros only: the kernel runs the generic kernel's code, and where that is unsafe it asks of callers what that asks.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't an instance of `{G}`",
    label = "another kernel",
    note = "`instance! {{ impl library::Trait for Mine; }}` makes the instances that a trait names, and implements it"
)]
pub unsafe trait Instance<G: GenericKernel>: Signature<Params = G::Params, Sizes = G::Sizes> {}
