//! Warps and parts of them: runs of a group's threads that compute together.
//!
//! | to | see |
//! |---|---|
//! | work as a warp | [`Warp`]; in one of a group's phases, [`Group::each_warp`](crate::Group::each_warp) |
//! | work as a run of its lanes | [`LaneTiles`], [`LaneTile`]; [`LaneCount`] and [`LaneTileSize`] in bounds |
//! | work as the lanes that have something to do, or that have one label | [`Coalesced`], [`LanePartition`] |
//! | hand out memory and values to warps | [`WarpItems`]: [`WarpChunks`], [`WarpTiles`], [`WarpRows`], [`WarpPrivate`], [`PrivateMut`] |
//! | write what a warp owns | [`WarpTile`], [`WarpRow`], [`RowsOfWarp`] |
//! | hand out memory and values to lanes | [`LaneItems`] |
//! | reduce by one of the device's own operations | [`WarpInteger`] |
//!
//! ```
//! use gridwright::prelude::*;
//!
//! /// Each element becomes the sum of its warp's.
//! #[gpu_kernel(block = 64)]
//! fn sums(g: &Group, mut x: PerThread<[f32]>) {
//!     g.each_warp(&mut x, |w, mut x| {
//!         let mine = w.map(x.elements_mut(), |_, x| x.map_or(0.0, |x| *x));
//!         let sum = w.reduce(&mine, |a, b| a + b);
//!         w.each(x.elements_mut(), |_, x| {
//!             if let Some(x) = x {
//!                 *x = sum;
//!             }
//!         });
//!     });
//! }
//! ```

pub use gridwright_device::{
    Coalesced, LaneCount, LaneItems, LanePartition, LaneTile, LaneTileSize, LaneTiles, PrivateMut,
    RowsOfWarp, Warp, WarpChunks, WarpInteger, WarpItems, WarpPrivate, WarpRow, WarpRows, WarpTile,
    WarpTiles,
};
