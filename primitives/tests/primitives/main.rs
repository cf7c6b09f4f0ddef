//! The algorithms on the CPU and on emulated GPUs, beside what the standard library gives.

#[cfg(not(gridwright_device))]
mod by_key;
#[cfg(not(gridwright_device))]
mod devices;
mod instances;
#[cfg(not(gridwright_device))]
mod random;
#[cfg(not(gridwright_device))]
mod reduce;
#[cfg(not(gridwright_device))]
mod scan;
#[cfg(not(gridwright_device))]
mod select;
