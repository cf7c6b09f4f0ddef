//! What a launch costs the host: ours, with all its checks, against bare cudarc, of the same kernel in the same process, in
//! alternating rounds.
//!
//! On a driver that runs nothing the host is all that there is: `GRIDWRIGHT_EMULATOR_EXECUTE=0` with the driver library.

// The kernel is compiled for GPUs too, and there is nothing to race.
#[cfg(not(gridwright_device))]
mod graph;
#[cfg(not(gridwright_device))]
mod race;
#[cfg(not(gridwright_device))]
mod times;

use gridwright::prelude::*;
#[host_only]
use {clap::Parser, gridwright_measured::device};

/// Two buffers and a number, like most kernels.
#[gpu_kernel(requires = x.len() == y.len())]
fn axpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}

/// Races a launch of ours against the bare one.
#[host_only]
#[derive(Parser)]
struct Options {
    /// One round of two launches, to see that everything runs. The times mean nothing.
    #[arg(long)]
    quick: bool,
    /// Given by `cargo bench`.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let quick = Options::parse().quick;
    race::run(quick)?;
    graph::run(quick)
}
