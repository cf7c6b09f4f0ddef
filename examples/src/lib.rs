//! What the examples share, and the samples that more than their own programs run.
//!
//! This is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#[cfg(not(gridwright_device))]
pub mod check;
pub mod elementary;
#[cfg(not(gridwright_device))]
mod interop;
#[cfg(not(gridwright_device))]
mod noise;
#[cfg(not(gridwright_device))]
mod photograph;
#[cfg(not(gridwright_device))]
mod picture;
#[cfg(not(gridwright_device))]
mod sample;
pub mod samples;
#[cfg(not(gridwright_device))]
mod size;
#[cfg(not(gridwright_device))]
mod timing;

#[cfg(not(gridwright_device))]
pub use {
    interop::cudarc_stream,
    noise::{noise, scattered},
    photograph::{Photograph, read_png},
    picture::{write_colours, write_grays, write_picture},
    sample::{Report, Sample, devices_of_a_kind},
    size::up_to,
    timing::Timing,
};
