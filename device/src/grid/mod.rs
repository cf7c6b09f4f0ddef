//! Memory that all threads of a launch share, and what phases of a grid and its groups are given of it.

mod items;
mod memory;
mod stride;
mod wide;

pub use items::{GridItems, GridParts};
pub use memory::{GridMemory, GridSlice};
pub use stride::{GridStride, StrideMut};
pub use wide::GridWide;
