//! Algorithms on devices' memory: reduce, scan, sort, select and more, on NVIDIA's and AMD's GPUs, the emulator and the CPU.

// So that what the macros write works in this crate too.
extern crate self as gridwright_primitives;

#[cfg(not(gridwright_device))]
mod algorithms;
#[cfg(not(gridwright_device))]
mod context;
#[cfg(not(gridwright_device))]
mod cpu;
#[cfg(not(gridwright_device))]
mod error;
mod even;
pub mod group;
#[cfg(not(gridwright_device))]
mod input;
pub mod kernels;
mod key;
pub mod operators;
#[cfg(not(gridwright_device))]
mod order;
pub mod source;
mod standard;
#[cfg(not(gridwright_device))]
mod workspace;

pub use even::{Even, EvenBins};
pub use kernels::adjacent::AdjacentDifference;
pub use kernels::by_key::{ReduceByKey, ScanByKey};
pub use kernels::collect::{Collect, Scatter};
pub use kernels::histogram::Histogram;
pub use kernels::merge::MergeSort;
pub use kernels::radix::{NoValue, Sort};
pub use kernels::reduce::Reduce;
pub use kernels::rows::{MatrixVector, ReduceRows};
pub use kernels::scan::Scan;
pub use kernels::scan_segments::ScanSegments;
pub use kernels::search::Search;
pub use kernels::segments::ReduceSegments;
pub use kernels::select::{Choice, First, Flag, Flagged, If, Partition, Select};
pub use key::{KeyBits, SortKey};
pub use standard::Standard;
#[cfg(not(gridwright_device))]
pub use {
    context::{Primitives, capture, on},
    error::Error,
    input::{Backwards, Enumerated, Gathered, Input, Mapped, Numbers, Taken, Zipped, constant, counting},
    order::SortOrder,
    workspace::Workspace,
};
