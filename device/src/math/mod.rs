//! Functions of real numbers for kernels: what C's `math.h` and CUDA's headers have, under std's names. They are those of
//! [`gridwright_math::math`], which says how large their errors are, and [`Float`], the bound of kernels that are written for
//! both floats.
//!
//! Each is a function, `math::exp(x)`, and a method, `x.exp()`, of a trait in the prelude. On GPUs both are the same code. On
//! the CPU std's own method wins where std has one: it calls the system's library, once for each thread, and a loop over it
//! isn't vectorised. **`math::exp(x)` is this module's on every device**: the same source, inlined, within the documented
//! error everywhere, and vectorised on the CPU. Write that in kernels.
//!
//! ```
//! use gridwright::{math, prelude::*};
//!
//! /// The logistic function of each element.
//! #[gpu_kernel(requires = x.len() == y.len())]
//! fn logistic(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
//!     if let Some(y) = y.get_mut(t) {
//!         *y = 1.0 / (1.0 + math::exp(-x[t.index()]));
//!     }
//! }
//!
//! #[host_only]
//! fn main() -> Result<(), gridwright::Error> {
//!     let device = Device::from_env()?;
//!     let mut y = vec![0.0_f32; 3];
//!     logistic::load(&device)?.run(&device, LaunchConfig::threads(3), (&[-1e9_f32, 0.0, 1e9], Out(&mut y)))?;
//!     assert_eq!(y, [0.0, 0.5, 1.0]);
//!     Ok(())
//! }
//! ```
//!
//! The traits are families: [`Exponential`], [`Logarithm`] and so on. A bound on one is what a function that is generic over
//! `f32` and `f64` needs.

mod float;

pub use float::Float;
pub use gridwright_math::math::fast;
pub use gridwright_math::math::{
    Arithmetic, abs, copysign, frexp, ldexp, max, min, mul_add, recip, signum, sqrt, to_degrees, to_radians,
};
pub use gridwright_math::math::{ErrorFunction, erf, erf_inv, erfc, erfc_inv, norm_cdf, norm_cdf_inv};
pub use gridwright_math::math::{Exponential, exp, exp_m1, exp2, exp10};
pub use gridwright_math::math::{Gamma, gamma, ln_gamma};
pub use gridwright_math::math::{Hyperbolic, acosh, asinh, atanh, cosh, sinh, tanh};
pub use gridwright_math::math::{Logarithm, ln, ln_1p, log, log2, log10};
pub use gridwright_math::math::{Power, cbrt, hypot, powf, powi, rcbrt, rsqrt};
pub use gridwright_math::math::{Remainder, div_euclid, rem, rem_euclid, remainder};
pub use gridwright_math::math::{Rounding, ceil, floor, fract, round, round_ties_even, trunc};
pub use gridwright_math::math::{
    Trigonometry, acos, asin, atan, atan2, cos, cos_pi, sin, sin_cos, sin_pi, tan,
};
