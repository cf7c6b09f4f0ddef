//! What the examples share.

pub mod kernels;
#[cfg(not(gridwright_device))]
mod timing;

#[cfg(not(gridwright_device))]
pub use timing::Timing;
