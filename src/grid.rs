//! Grids: kernels whose body runs for all threads of the launch at once.
//!
//! | to | see |
//! |---|---|
//! | work as the whole launch | [`Grid`] |
//! | share global memory between phases | [`GridMemory`] |
//! | hand it out to threads | [`GridWide`]: [`StrideMut`], of which each thread gets a [`GridStride`] |
//! | hand it out to groups | [`GridItems`], [`GridParts`] |
//!
//! ```
//! use gridwright::prelude::*;
//!
//! /// Divides each element by the largest one.
//! #[gpu_kernel]
//! fn normalise(grid: &Grid, mut x: GridMemory<[f32]>) {
//!     let mut largest = grid.private(0.0_f32);
//!     grid.each((x.grid_stride_mut(), &mut largest), |_, (x, largest)| {
//!         x.for_each(|_, x| *largest = largest.max(*x));
//!     });
//!     let largest = grid.reduce(&largest, f32::max);
//!     grid.each(x.grid_stride_mut(), |_, x| x.for_each(|_, x| *x /= largest));
//! }
//! ```

pub use gridwright_device::{Grid, GridItems, GridMemory, GridParts, GridStride, GridWide, StrideMut};
