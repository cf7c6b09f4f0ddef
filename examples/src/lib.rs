//! What the examples share.

mod timing;

pub use timing::Timing;
