//! What warps are given of a group's memory and values, and sizes of their tiles.

mod items;
mod private_mut;
mod reduction;
mod rows;
mod tile;
mod tiles;
mod warp_private;

pub use items::{WarpChunks, WarpItems, WarpPlace};
pub use private_mut::PrivateMut;
pub(crate) use reduction::Reduction;
pub use reduction::WarpInteger;
pub use rows::{RowsOfWarp, WarpRow, WarpRows};
pub(crate) use tile::each_warp;
pub use tile::{LaneCount, LaneTile, LaneTileSize};
pub use tiles::{WarpTile, WarpTiles};
pub use warp_private::WarpPrivate;
pub(crate) use warp_private::only_warps;
