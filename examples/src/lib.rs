//! What the examples share.

mod photograph;
mod picture;
mod size;
mod timing;

pub use photograph::Photograph;
pub use picture::{write_colours, write_grays};
pub use size::up_to;
pub use timing::Timing;
