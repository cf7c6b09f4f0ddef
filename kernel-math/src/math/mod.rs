//! Functions of real numbers: what C's `math.h` and CUDA's headers have, under std's names.
//!
//! Each is a function, `math::exp(x)`, and a method, `x.exp()`, of a trait, which is in the prelude of kernels. On GPUs both are
//! the same code. On the CPU std's own method wins where std has one: it calls the system's library, once for each number, and
//! a loop over it isn't vectorised. **`math::exp(x)` is this module's on every device**: the same source, inlined, within the
//! documented error everywhere, and vectorised on the CPU. Write that in kernels.
//!
//! ```
//! use gridwright_math::math;
//!
//! /// The logistic function of each element.
//! fn logistic(x: &[f32], y: &mut [f32]) {
//!     for (x, y) in x.iter().zip(y) {
//!         *y = 1.0 / (1.0 + math::exp(-x));
//!     }
//! }
//!
//! let mut y = [0.0; 3];
//! logistic(&[-1e9, 0.0, 1e9], &mut y);
//! assert_eq!(y, [0.0, 0.5, 1.0]);
//! ```
//!
//! The traits are families: [`Exponential`], [`Logarithm`] and so on. A bound on one is what a function that is generic over
//! `f32` and `f64` needs.
//!
//! All functions take any argument: NaN gives NaN, what C's Annex F says of infinities and zeros holds, and subnormal
//! arguments and results are handled like others, but on GPUs in [`fast`].
//!
//! The largest errors of the `f32` functions, in units in the last place from the correctly rounded result, over all
//! arguments, are those of CUDA's or less:
//!
//! | units | functions |
//! |---|---|
//! | 0 | arithmetic, rounding, remainders |
//! | 1 | `exp` `exp_m1` `ln` `ln_1p` `log2` `sin_pi` `cos_pi` `cbrt` `rcbrt` |
//! | 2 | `exp2` `exp10` `log10` `sin` `cos` `asin` `acos` `atan` `cosh` `tanh` `erf` `erf_inv` `rsqrt` |
//! | 3 | `atan2` `sinh` `asinh` `atanh` `hypot` |
//! | 4 | `tan` `powf` `acosh` `erfc` `erfc_inv` |
//! | 5 | `log` `norm_cdf` `norm_cdf_inv` `gamma` |
//! | 6 | `ln_gamma`, but for its zeros between -10.001 and -2.264, where the absolute error counts |
//!
//! On GPUs `exp`, `exp10`, `sinh`, `cosh`, `erfc`, `norm_cdf` and `gamma` rest on the hardware's power of two, and their bounds on
//! what CUDA's documentation says of the same instruction in `expf`: what the PTX ISA promises of it is one unit worse.
//!
//! One source serves all devices: range reductions and polynomials in explicit fused multiply-adds, without branches
//! where it can be. Where a GPU has an instruction that approximates a step well enough, that is
//! taken (`arch::gpu`).
//!
//! Kernels are compiled for processors that have fused multiply-adds, too. Other code of the host has the instruction if its
//! target does, on x86-64 by a flag such as `-Ctarget-cpu=x86-64-v3`. Otherwise each is a call, with the same result, and a loop
//! isn't vectorised.
//!
//! # From CUDA
//! The names are std's, one for `f32` and `f64`: `expf` and `exp` are [`exp`], `logf` and `log` are [`ln`].
//! `__expf` and its like are in [`fast`]. There are no Bessel functions, no `erfcx`, and no norms of several numbers.

mod arithmetic;
mod error_function;
mod exponential;
mod f32;
#[allow(clippy::approx_constant)] // upper parts of constants, whose lower parts are beside them
mod f64;
pub mod fast;
mod functions;
mod gamma;
mod hyperbolic;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
mod inherent;
mod logarithm;
mod power;
mod remainder;
mod rounding;
mod trigonometry;

#[cfg(test)]
mod tests;

pub use arithmetic::{
    Arithmetic, abs, copysign, frexp, ldexp, max, min, mul_add, recip, signum, sqrt, to_degrees, to_radians,
};
pub use error_function::{ErrorFunction, erf, erf_inv, erfc, erfc_inv, norm_cdf, norm_cdf_inv};
pub use exponential::{Exponential, exp, exp_m1, exp2, exp10};
pub use gamma::{Gamma, gamma, ln_gamma};
pub use hyperbolic::{Hyperbolic, acosh, asinh, atanh, cosh, sinh, tanh};
pub use logarithm::{Logarithm, ln, ln_1p, log, log2, log10};
pub use power::{Power, cbrt, hypot, powf, powi, rcbrt, rsqrt};
pub use remainder::{Remainder, div_euclid, rem, rem_euclid, remainder};
pub use rounding::{Rounding, ceil, floor, fract, round, round_ties_even, trunc};
pub use trigonometry::{Trigonometry, acos, asin, atan, atan2, cos, cos_pi, sin, sin_cos, sin_pi, tan};
