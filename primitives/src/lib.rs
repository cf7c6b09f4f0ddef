//! Algorithms on devices' memory: reduce, scan, sort, select and more, on NVIDIA's and AMD's GPUs, the emulator and the CPU.

// So that what the macros write works in this crate too.
extern crate self as gridwright_primitives;

#[cfg(not(gridwright_device))]
mod adjacent;
#[cfg(not(gridwright_device))]
mod by_key;
#[cfg(not(gridwright_device))]
mod collect;
#[cfg(not(gridwright_device))]
mod context;
#[cfg(not(gridwright_device))]
mod cpu;
#[cfg(not(gridwright_device))]
mod error;
pub mod group;
#[cfg(not(gridwright_device))]
mod input;
pub mod kernels;
#[macro_use]
pub mod source;
mod even;
#[cfg(not(gridwright_device))]
mod histogram;
mod key;
#[cfg(not(gridwright_device))]
mod merge_sort;
pub mod operators;
#[cfg(not(gridwright_device))]
mod order;
#[cfg(not(gridwright_device))]
mod reduce;
#[cfg(not(gridwright_device))]
mod rows;
#[cfg(not(gridwright_device))]
mod scan;
#[cfg(not(gridwright_device))]
mod scatter;
#[cfg(not(gridwright_device))]
mod search;
#[cfg(not(gridwright_device))]
mod segmented_sort;
#[cfg(not(gridwright_device))]
mod segments;
#[cfg(not(gridwright_device))]
mod select;
#[cfg(not(gridwright_device))]
mod sort;
mod standard;
#[cfg(not(gridwright_device))]
mod top_k;
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
