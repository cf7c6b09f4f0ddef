//! Checks the ten puzzles: `cargo run -p gridwright-puzzles`. Their kernels are in `src/puzzles`, each with its task.
//!
//! The kernels run in the emulator of a GPU, which sees races and accesses beyond the end; `GRIDWRIGHT_DEVICE` names another device.

mod puzzles;

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

#[host_only]
use puzzles::PUZZLES;

#[host_only]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = match std::env::var_os("GRIDWRIGHT_DEVICE") {
        Some(_) => Device::from_env()?,
        None => Device::emulator()?,
    };
    println!("on {}:", device.name());
    let mut solved = 0;
    for (name, check) in PUZZLES {
        match check(&device) {
            Ok(()) => {
                solved += 1;
                println!("  ✓ {name}");
            }
            Err(unsolved) => println!("  ✗ {name}: {unsolved}"),
        }
    }
    println!("{solved} of {} are solved", PUZZLES.len());
    Ok(())
}

/// A puzzle's check on a device.
#[host_only]
type Check = fn(&Device) -> Result<(), Unsolved>;
