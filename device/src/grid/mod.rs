//! Grids: code that all threads of a launch run together, and the memory that they share.

mod items;
mod level;
mod memory;
mod stride;
mod wide;

pub use items::{GridItems, GridParts};
pub use level::Grid;
pub use memory::{GridMemory, GridSlice};
pub use stride::{GridStride, StrideMut};
pub use wide::GridWide;
