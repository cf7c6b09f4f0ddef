//! Gridwright on the CPU against what one would write by hand with rayon, and against one thread.
//!
//! `cargo xtask bench` runs this and keeps the record. `cargo bench -p gridwright-races --bench cpu -- saxpy`
//! looks at one subject.

mod kernels;
// The kernels are compiled for GPUs too, and there is nothing to race.
#[cfg(not(gridwright_device))]
mod races;

use gridwright::prelude::*;

#[host_only]
fn main() -> anyhow::Result<()> {
    races::run()
}
