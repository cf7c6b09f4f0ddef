//! Gridwright's engine for the CPU: who runs which part of a launch, how it is handed over, and what becomes of its panics and printed
//! lines. It knows a kernel by its [`CpuEntry`](gridwright_core::CpuEntry), a function for a part of a launch. What that function does
//! with the threads of its part, in loops that become SIMD code, is `gridwright-device`'s: loops are made of the types that kernels
//! name.
//!
//! | module | what it holds |
//! |---|---|
//! | `kernel` | a kernel, and its launch |
//! | `partition`, `chunks`, `part` | a launch in parts, each of which one worker runs |
//! | `schedule`, `launch_cost` | who runs which part, by what launches cost before |
//! | `pool`, `current_core` | worker threads, and where they run |
//! | `fibers` | threads that wait for each other |
//! | `panic`, `panic_place` | a panic as a value, and whose it is |
//! | `lines` | printed lines |
//! | `errands` | threads that run work in their own time |
//! | `workers` | the threads, for a function of the program |
//! | `isa` | the instruction sets that this machine has |

mod chunks;
mod current_core;
mod errands;
pub mod fibers;
mod isa;
mod keep_loaded;
mod kernel;
mod launch_cost;
mod lines;
mod panic;
mod panic_place;
mod part;
mod partition;
mod pool;
mod schedule;
#[cfg(test)]
mod tests;
mod workers;

pub use errands::{Errand, send};
pub use isa::available;
pub(crate) use kernel::Launch;
pub use kernel::{Kernel, Processors};
pub use lines::{Printer, print};
pub use panic::{KernelPanic, install_hook, is_in_kernel};
pub use panic_place::{panic_in_groups, panic_in_thread};
pub use part::run_part;
pub use workers::Workers;
