//! Random numbers in kernels, the same bits on every device.
//!
//! [`Philox`] is a generator of pseudo-random numbers that has no state but a position: any thread makes the numbers of any stream, at
//! any place, so that nothing has to be set up, stored or skipped through. [`Sobol`] gives points that fill space evenly, for integrals
//! in many dimensions. [`unit_f32`], [`normal_pair`] and their like make numbers of a distribution of such words.
//!
//! Normal numbers are made with the logarithm, sine and cosine of this module, of sums and products that round once, and not with those
//! of `math`, which may use a GPU's approximate instructions: so they have the same bits everywhere, too.
//!
//! # From CUDA
//! The device functions of cuRAND: `curandStatePhilox4_32_10_t` is [`Philox`], `curandStateSobol32_t` is [`Sobol`].
//! XORWOW, MRG32k3a and MTGP32 have no counterpart.

mod distribution;
mod elementary;
mod joe_kuo;
mod philox;
#[cfg(feature = "rand")]
mod rand_core;
mod sobol;

pub use distribution::{normal_pair, unit_f32, unit_f32_above_zero, unit_f64, unit_f64_above_zero};
pub use philox::{Philox, philox4x32_10};
pub use sobol::Sobol;

#[cfg(test)]
mod tests;
