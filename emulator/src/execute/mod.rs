//! What executes instructions: lanes, warps, groups, and the host threads that run them. What they hold is in `state`.

mod alternatives;
mod async_copy;
mod atomic;
mod barrier;
mod bulk_copy;
mod call;
mod cluster;
mod count;
mod group;
mod matrix;
mod mbarrier;
mod memory;
mod observe;
mod print;
mod reduce;
mod special;
mod state;
mod strong;
mod surface;
mod texture;
mod transfer;
mod unwritten;
mod uses;
mod warp;
mod warp_operation;
mod worker;

pub(crate) use state::Shared;
pub(crate) use worker::run;
