//! The algorithms on the CPU, on slices, by the threads of the device.
//!
//! Operators are associative; they need not commute: the order of elements is kept, but in reductions by the library's own operators, which do. How
//! elements are grouped depends on their number and size alone, so results are the same bits by any number of threads and any instruction set. A
//! panic of an operator comes to the caller; outputs then hold any values. What takes memory says so: else it is some values for each thread.
//!
//! | module | what it holds |
//! |---|---|
//! | `reduce`, `reduce_matrix`, `reduce_segments` | reductions of all, of rows and columns, of segments; a matrix times a vector |
//! | `scan`, `scan_segments` | scans of all, by key, of segments |
//! | `select`, `run_lengths`, `reduce_by_key` | what a predicate or flags keep, partitions, runs of equal neighbours |
//! | `histogram` | counts of bins |
//! | `map`, `gather` | each element on its own, or by its number |
//! | `segments`, `index`, `read`, `pairs`, `output` | what is read and written |
//! | `chain` | what is before each block of a scan |
//! | `turn` | blocks, and what goes from each to the next, in order |
//! | `mask`, `compress` | which elements are kept, and those one behind the other |
//! | `sort`, `search`, `top_k` | sorts, places in sorted elements, the first of many |
//! | `bound` | a lazy input with its slices |
//! | `isa` | one copy of a loop for each instruction set |
//! | `rows`, `combine` | rows of elements scanned in vectors, by which operators |
//! | `past_caches` | results written past the caches |

mod bound;
mod chain;
mod combine;
mod compress;
mod gather;
mod histogram;
mod index;
mod isa;
mod map;
mod mask;
mod output;
mod pairs;
mod past_caches;
mod read;
mod reduce;
mod reduce_by_key;
mod reduce_matrix;
mod reduce_segments;
mod rows;
mod run_lengths;
mod scan;
mod scan_segments;
mod search;
mod segments;
mod select;
mod shared;
#[cfg_attr(
    not(test),
    allow(dead_code, unused_imports, reason = "called by the device-wide functions, which come next")
)]
mod sort;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod top_k;
mod turn;

pub(crate) use bound::Bound;
pub(crate) use combine::{By, Combine};
pub(crate) use gather::{IndexError, scatter};
pub(crate) use gridwright::KernelArg;
pub(crate) use gridwright::launch::Workers;
pub(crate) use gridwright_core::Isa;
pub(crate) use histogram::histogram_of_bins;
pub(crate) use map::{adjacent_difference, collect};
pub(crate) use pairs::{Firsts, Seconds};
pub(crate) use read::Read;
pub(crate) use reduce::reduce;
pub(crate) use reduce_by_key::reduce_by_key;
pub(crate) use reduce_matrix::{matrix_vector, reduce_columns, reduce_rows};
pub(crate) use reduce_segments::reduce_segments;
pub(crate) use run_lengths::run_lengths;
pub(crate) use scan::{exclusive_scan, inclusive_scan};
pub(crate) use scan_segments::{scan_by_key, scan_segments};
pub(crate) use search::{lower_bound, upper_bound};
pub(crate) use segments::Offsets;
pub(crate) use select::{partition, select, select_flagged, unique};
pub(crate) use sort::{Bits, merge_sort, radix_sort, radix_sort_keys, sort_segments};
pub(crate) use top_k::{Found, top_k};
