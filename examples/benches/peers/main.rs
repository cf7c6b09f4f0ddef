//! Gridwright on the CPU against all that others would take there: rayon, C with OpenMP, OpenCL, and kernels in Python.
//!
//! `cargo xtask bench --peers` runs this with every peer and keeps the record. Alone it races against what it finds.

mod kernels;
// The kernels are compiled for GPUs too, and there is nothing to race.
#[cfg(not(gridwright_device))]
mod races;

use gridwright::prelude::*;

#[host_only]
fn main() -> anyhow::Result<()> {
    races::run()
}
