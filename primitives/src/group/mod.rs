//! Building blocks of kernels of groups, in which each thread has `N` items: loads and stores, exchange, reduction, scan, sort, ranks and
//! histograms.
//!
//! Of a group of `t` threads, *blocked* items are neighbours: thread `i` has the elements from `N * i` on. *Striped* items are `t` apart: thread
//! `i` has the elements `i`, `i + t`, `i + 2 t`, …, so that neighbours read neighbours, which is how GPUs read memory best.
//!
//! ```
//! use gridwright::prelude::*;
//! use gridwright_primitives::group;
//!
//! /// Sorts each run of 1024 elements.
//! #[gpu_kernel(block = 256, requires = x.len() == y.len())]
//! fn sort_runs(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut memory: Workgroup<[u32; 1024]>) {
//!     let first = g.index() * 1024;
//!     let mut items = group::load_striped::<4, _, _>(g, x, first, u32::MAX);
//!     group::sort(g, &mut items, |a, b| a < b, &mut memory.flat());
//!     let sorted = group::blocked_to_striped(g, &items, &mut memory.flat());
//!     // SAFETY: a group writes its own run.
//!     let y = unsafe { y.anywhere() };
//!     group::store_striped(g, &sorted, y, first);
//! }
//!
//! # fn main() -> Result<(), gridwright::Error> {
//! let device = Device::cpu()?;
//! let stream = device.stream()?;
//! let (x, mut y) = (stream.upload(&[3_u32, 1, 2])?, stream.alloc_zeroed(3)?);
//! sort_runs::load(&device)?.launch(&stream, LaunchConfig::grid(1, 256), (&x, &mut y))?;
//! assert_eq!(stream.download(&y)?, [1, 2, 3]);
//! # Ok(())
//! # }
//! ```
//!
//! # From CUDA
//! CUB's block-wide collectives: `BlockLoad`, `BlockStore`, `BlockExchange`, `BlockReduce`, `BlockScan`, `BlockMergeSort`, `BlockRadixRank` and
//! `BlockHistogram`.

mod exchange;
mod load;
mod rank;
mod scan;
mod sort;

pub use exchange::{blocked_to_striped, exchange, striped_to_blocked};
pub use load::{load_blocked, load_striped, store_blocked, store_striped};
pub use rank::{count, rank};
pub use scan::{reduce, scan_exclusive, scan_inclusive};
pub use sort::sort;
