//! Warps: what a group asks of all of them at once, and code that each runs on its own. Parts of warps: tiles of
//! neighbouring lanes, and groups of lanes that have something in common.

mod coalesced;
mod items;
mod lane_tiles;
mod level;
mod of_group;
mod partition;
mod private_mut;
mod reduction;
mod rows;
mod tile;
mod tiles;
mod warp_private;

pub use coalesced::Coalesced;
pub use items::{WarpChunks, WarpItems, WarpPlace};
pub use lane_tiles::LaneTiles;
pub use level::Warp;
pub use partition::LanePartition;
pub use private_mut::PrivateMut;
pub(crate) use reduction::Reduction;
pub use reduction::WarpInteger;
pub use rows::{RowsOfWarp, WarpRow, WarpRows};
pub(crate) use tile::each_warp;
pub use tile::{Tile, TileLanes, TileSize};
pub use tiles::{WarpTile, WarpTiles};
pub use warp_private::WarpPrivate;
pub(crate) use warp_private::only_warps;
