//! Numbers that the standard library lacks: halves of floats, and products that nothing fuses.
//!
//! | to | see |
//! |---|---|
//! | have floats of 16 bits | [`F16`], [`Bf16`] |
//! | compute with two of them at once | [`F16x2`], [`Bf16x2`] |
//! | have the same rounding on every device | [`unfused_mul`], [`Unfused`] |
//!
//! Functions are in [`math`](crate::math) and [`int`](crate::int), and random numbers in [`random`](crate::random).
//!
//! ```
//! use gridwright::numbers::{F16, unfused_mul};
//!
//! assert_eq!(F16::from_f32(1.5).to_f32(), 1.5);
//! assert_eq!(unfused_mul(3.0, 7.0) - 21.0, 0.0);
//! ```

pub use gridwright_device::{Bf16, Bf16x2, F16, F16x2, Unfused, unfused_mul};
