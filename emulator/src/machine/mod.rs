//! What a machine is made of: registers and what lanes hold in them, frames, the memories of threads and groups, and what was begun
//! there and isn't done. Nothing here knows of an instruction.

mod address;
mod alternatives;
mod approximations;
mod async_copies;
mod fault;
mod fragment;
mod lanes;
mod local;
mod memory_use;
mod products;
mod registers;
mod shape;
mod slot;
mod unwritten_read;
mod vector;
mod workspace;

pub(crate) use address::{
    FUNCTION_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW, of_peer, peer, window,
};
pub(crate) use alternatives::{Alternative, AlternativeBytes, Alternatives, Cause, Origin};
pub use approximations::Approximations;
pub(crate) use async_copies::{Copies, PendingCopy};
pub(crate) use fault::{Done, Fault, Stopped};
pub(crate) use fragment::{Fragment, Frame, Wait};
pub(crate) use lanes::{Brain, Half, Lane, Lanes, Start};
pub(crate) use local::Local;
pub(crate) use memory_use::{Pointers, Use};
pub(crate) use products::{PendingProducts, Product};
pub(crate) use registers::{Constants, Registers, Row};
pub(crate) use shape::Shape;
pub(crate) use slot::{Operands, Predicate, Slot};
pub(crate) use unwritten_read::UnwrittenRead;
pub(crate) use vector::is_there as has_vectors;
pub(crate) use workspace::Workspace;

/// Lanes of a warp.
pub(crate) const WARP: usize = 32;

/// The lanes of a mask, from the lowest.
pub(crate) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lane)
    })
}
