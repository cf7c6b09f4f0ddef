//! The algorithms on the CPU and on emulated GPUs, beside what the standard library gives.

mod devices;
mod reduce;
mod scan;
