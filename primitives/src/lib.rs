//! Algorithms on devices' memory: reduce, scan, sort, select and more, on NVIDIA's and AMD's GPUs, the emulator and the CPU.

// So that what the macros write works in this crate too.
extern crate self as gridwright_primitives;

#[cfg(not(gridwright_device))]
mod adjacent;
#[cfg(not(gridwright_device))]
mod by_key;
#[cfg(not(gridwright_device))]
mod context;
#[cfg(not(gridwright_device))]
mod cpu;
#[cfg(not(gridwright_device))]
mod cpu_stand_in;
#[cfg(not(gridwright_device))]
mod error;
#[cfg(not(gridwright_device))]
mod input;
pub mod kernels;
pub mod operators;
#[cfg(not(gridwright_device))]
mod reduce;
#[cfg(not(gridwright_device))]
mod scan;
#[cfg(not(gridwright_device))]
mod segments;
#[cfg(not(gridwright_device))]
mod select;
pub mod source;
mod standard;
#[cfg(not(gridwright_device))]
mod workspace;

pub use kernels::adjacent::AdjacentDifference;
pub use kernels::by_key::{ReduceByKey, ScanByKey};
pub use kernels::reduce::Reduce;
pub use kernels::scan::Scan;
pub use kernels::segments::ReduceSegments;
pub use kernels::select::{Choice, First, Flag, Flagged, If, Partition, Select};
pub use standard::Standard;
#[cfg(not(gridwright_device))]
pub use {
    context::{Primitives, on},
    error::Error,
    input::{Backwards, Enumerated, Gathered, Input, Mapped, Numbers, Taken, Zipped, constant, counting},
    workspace::Workspace,
};
