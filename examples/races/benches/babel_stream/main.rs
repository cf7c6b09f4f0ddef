//! The CPU backend against BabelStream's build with OpenMP: the same loops, in one process, in alternating rounds.
//!
//! `cargo xtask bench --stream` runs this and keeps the record.

mod open_mp;
mod race;

use gridwright_examples::samples::babel_stream::{arrays, benchmark, validation};
use gridwright_measured::{compiled, machine};

fn main() -> anyhow::Result<()> {
    race::run()
}
