//! What a launch, its host threads, groups and warps hold while kernels run.

mod active_lanes;
mod bulk_copies;
mod core;
mod group;
mod mbarriers;
mod peers;
mod warp;

pub(crate) use active_lanes::ActiveLanes;
pub(crate) use bulk_copies::{BulkCopies, Combined, InFlight, PIECE, WORD};
pub(crate) use core::{Cached, Core, Shared};
pub(crate) use group::{BARRIERS, GroupMemory};
pub(crate) use mbarriers::{Arrival, MOST, Object};
pub(crate) use peers::{Peer, Peers};
pub(crate) use warp::Warp;
