//! Arrays that are divided among ranks, and the halos of their parts.
//!
//! | module | what it holds |
//! |---|---|
//! | `axes` | what memory an array of 1, 2 or 3 axes has |
//! | `partition` | how an array is to be divided |
//! | `grid` | the grid of ranks with the least halo |
//! | `parts` | where each rank's part is, and who its neighbours are |
//! | `halo` | what a rank sends to neighbours, and receives from them |
//! | `array` | the array, and how it is made |
//! | `exchange` | how halos are filled |
//! | `gather` | all parts on one rank |

mod array;
mod axes;
mod exchange;
mod gather;
mod grid;
mod halo;
mod partition;
mod parts;

pub use array::Distributed;
pub use axes::{Axes, Local, Shape};
pub use partition::{Partition, PartitionError};
pub use parts::{Part, Parts};
