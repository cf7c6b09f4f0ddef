//! The functions of `f64`: no branch where a selection does, on sums of two floats where one isn't exact enough.
//!
//! Coefficients are those of minimax polynomials, found by the exchange algorithm of Remez in numbers of 50 digits. What is
//! said of their error is the largest one in the function, relative to its value, with the coefficients rounded.

mod double_double;
mod error_function;
mod error_function_inverse;
mod exponential;
mod gamma;
mod hyperbolic;
mod inverse_trigonometry;
mod large_angle;
mod logarithm;
mod polynomial;
mod power;
mod remainder;
mod trigonometry;
