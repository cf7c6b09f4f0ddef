//! The machine: lanes, warps, groups, and the host threads that run them.

mod address;
mod alternative_bytes;
mod alternatives;
mod async_copy;
mod atomic;
mod barrier;
mod bulk_copy;
mod call;
mod cluster;
mod core;
mod count;
mod fragment;
mod group;
mod lanes;
mod local;
mod matrix;
mod mbarrier;
mod memory;
mod observe;
mod print;
mod reduce;
mod registers;
mod special;
mod strong;
mod surface;
mod texture;
mod transfer;
mod unwritten;
mod uses;
mod vector;
mod warp;
mod warp_operation;
mod worker;

pub(crate) use address::{
    FUNCTION_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW, of_peer, peer, window,
};
pub(crate) use lanes::{Brain, Half, Lane, Lanes};
pub(crate) use registers::{Constants, Row};
pub(crate) use special::Special;
pub(crate) use vector::is_there as has_vectors;
pub(crate) use worker::launch;

/// Lanes of a warp.
const WARP: usize = 32;

/// The lanes of a mask, from the lowest.
fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lane)
    })
}
