//! Levels: whatever threads run together, and helper functions that take any of them.
//!
//! A level dereferences to its [`Threads`], whose methods are the collectives and phases that all levels have. The levels are
//! [`Group`](crate::Group), [`Warp`], [`LaneTile`](crate::warp::LaneTile), [`Coalesced`] lanes, [`Cluster`] and [`Grid`].
//! [`LaneTiles`] and a [`LanePartition`] are parts of a level side by side.
//!
//! | to | see |
//! |---|---|
//! | take any level | [`Level`](crate::Level) |
//! | take its parts, too | [`Collective`]; what its collectives give is [`Given`] and [`Count`], by [`Gives`]: [`OfAll`] or [`EachThread`] |
//! | exchange values between lanes | [`Lanes`], [`Votes`] |
//! | run phases | [`Phases`]; what they hand out is for [`Accepts`] to say: [`AtGroup`], [`AtWarp`], [`AtGrid`] |
//! | read and write what a level shares | [`LevelMemory`] |
//! | take private values of any level | [`Values`] |
//!
//! [`Warp`]: crate::warp::Warp
//! [`Coalesced`]: crate::warp::Coalesced
//! [`LaneTiles`]: crate::warp::LaneTiles
//! [`LanePartition`]: crate::warp::LanePartition
//! [`Cluster`]: crate::cluster::Cluster
//! [`Grid`]: crate::grid::Grid
//!
//! ```
//! use gridwright::Level;
//! use gridwright::prelude::*;
//!
//! /// The mean of all threads' values.
//! fn mean(level: &impl Level, values: &Private<f32>) -> f32 {
//!     level.reduce(values, |a, b| a + b) / level.len() as f32
//! }
//!
//! fn of_group_and_warps<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) -> f32 {
//!     g.each_warp(values, |w, values| {
//!         let of_warp = mean(w, values);
//!         w.each((), |t, ()| gpu_println!(t, "{}", of_warp));
//!     });
//!     mean(g, values)
//! }
//! ```

pub use gridwright_device::{
    Accepts, AtGrid, AtGroup, AtWarp, Collective, Count, EachThread, Given, Gives, Lanes, LevelMemory, OfAll,
    Phases, Threads, Values, Votes,
};
