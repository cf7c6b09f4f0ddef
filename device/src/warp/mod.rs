//! Warps: what a group asks of all of them at once, and code that each runs on its own.

mod items;
mod level;
mod of_group;
mod private_mut;

pub use items::{WarpChunks, WarpItems, WarpPlace};
pub use level::Warp;
pub use private_mut::PrivateMut;
