//! What the examples share, and the samples that more than their own programs run.
//!
//! This is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

pub mod elementary;
#[cfg(not(gridwright_device))]
mod photograph;
#[cfg(not(gridwright_device))]
mod picture;
pub mod samples;
#[cfg(not(gridwright_device))]
mod size;
#[cfg(not(gridwright_device))]
mod timing;

#[cfg(not(gridwright_device))]
pub use {
    photograph::Photograph,
    picture::{write_colours, write_grays},
    size::up_to,
    timing::Timing,
};
