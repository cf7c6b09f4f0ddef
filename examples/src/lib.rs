//! What the examples share: timing.

mod timing;

pub use timing::Timing;
