//! The algorithms on the CPU and on emulated GPUs, beside what the standard library gives.
//!
//! This target is compiled for GPUs too, for its own instances; what isn't theirs is left out there.

#![allow(clippy::unwrap_used)]
#![expect(unreachable_pub, reason = "instances name what they are made of in what they make public")]

mod group;
mod instances;
mod programs;
mod scan_instances;

#[cfg(not(gridwright_device))]
mod by_key;
#[cfg(not(gridwright_device))]
mod cases;
#[cfg(not(gridwright_device))]
mod collect;
#[cfg(not(gridwright_device))]
mod devices;
#[cfg(not(gridwright_device))]
mod histogram;
#[cfg(not(gridwright_device))]
mod inputs;
#[cfg(not(gridwright_device))]
mod merge_sort;
#[cfg(not(gridwright_device))]
mod order;
#[cfg(not(gridwright_device))]
mod random;
#[cfg(not(gridwright_device))]
mod reduce;
#[cfg(not(gridwright_device))]
mod rows;
#[cfg(not(gridwright_device))]
mod scan;
#[cfg(not(gridwright_device))]
mod scan_segments;
#[cfg(not(gridwright_device))]
mod scatter;
#[cfg(not(gridwright_device))]
mod select;
#[cfg(not(gridwright_device))]
mod sort;
#[cfg(not(gridwright_device))]
mod workspaces;
