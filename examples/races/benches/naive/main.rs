//! Kernels as one writes them the first time, against the loop that one would write with rayon.
//!
//! `cargo xtask bench --naive` runs this and keeps the record. `cargo bench -p gridwright-races --bench naive -- table`
//! looks at some rows.

mod kernels;
// The kernels are compiled for GPUs too, and there is nothing to race.
#[cfg(not(gridwright_device))]
mod races;

use gridwright::prelude::*;

#[host_only]
fn main() -> anyhow::Result<()> {
    races::run()
}
