//! Levels: whatever threads run together, from a tile of a warp's lanes to the whole grid.
//!
//! A level is a file, which says what only that level has. What all have is written once, as methods of [`Threads`]: a level
//! dereferences to its threads, so that they are the level's methods, too.
//!
//! - `collective`: what collectives are made of at each level, [`Collective`], and what a helper asks for, [`Level`];
//! - `threads`: collectives of all levels;
//! - `named`: reductions by a named operation;
//! - `lanes`: collectives of levels that are made of lanes, [`Lanes`];
//! - `phases`: phases, of levels that have them, [`Phases`];
//! - `by_context`: what levels whose threads `arch` runs as one do alike.

mod by_context;
mod cluster;
mod coalesced;
mod collective;
mod grid;
mod group;
mod lane_partition;
mod lane_tiles;
mod lanes;
mod memory;
mod named;
mod phases;
mod threads;
mod warp;
mod warps_of_group;

pub use cluster::Cluster;
pub use coalesced::Coalesced;
pub use collective::{Collective, Count, EachThread, Given, Gives, Level, OfAll};
pub use grid::Grid;
pub use group::{Group, InPhase};
pub use lane_partition::LanePartition;
pub use lane_tiles::LaneTiles;
pub use lanes::{Lanes, Votes};
pub use memory::{GroupMemory, LevelMemory};
pub use phases::{Accepts, AtGrid, AtGroup, AtWarp, Phases};
pub use threads::Threads;
pub use warp::Warp;
