//! What the examples share.

mod size;
mod timing;

pub use size::up_to;
pub use timing::Timing;
