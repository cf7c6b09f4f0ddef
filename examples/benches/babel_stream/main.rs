//! The CPU backend against BabelStream's build with OpenMP: the same loops, in one process, in alternating rounds.
//!
//! `cargo xtask bench --stream` runs this and keeps the record.

#[cfg(not(gridwright_device))]
#[path = "../../src/bin/babel_stream/arrays.rs"]
mod arrays;
#[cfg(not(gridwright_device))]
#[path = "../../src/bin/babel_stream/benchmark.rs"]
#[expect(dead_code, reason = "the program's options")]
mod benchmark;
#[cfg(not(gridwright_device))]
#[path = "../measured/compiled.rs"]
mod compiled;
#[path = "../../src/bin/babel_stream/kernels.rs"]
mod kernels;
#[cfg(not(gridwright_device))]
#[path = "../measured/machine.rs"]
mod machine;
#[cfg(not(gridwright_device))]
mod open_mp;
#[cfg(not(gridwright_device))]
mod race;
#[cfg(not(gridwright_device))]
#[path = "../../src/bin/babel_stream/validation.rs"]
mod validation;

use gridwright::prelude::*;

#[host_only]
fn main() -> anyhow::Result<()> {
    race::run()
}
