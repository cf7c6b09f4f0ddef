//! Operations on matrices that the lanes of a warp hold together.

mod form;
mod fragment;
mod moves;
mod multiply;
mod operation;
mod registers;
mod warpgroup;

pub(crate) use operation::{
    Combine, ElementType, Factor, Fragment, Matrix, MoveFragment, MoveMatrices, MultiplyByWarpgroup,
    MultiplyMatrices, SharedFactor, SumLayout, SumType, Sums, WarpgroupFactor, metadata_bits,
};

use super::decoder::{Decoded, Decoder};
use super::operation::{Action, Warp, WarpKind};
use crate::machine::{Predicate, Slot};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let matrix = match decoder.parts.as_slice() {
        ["mma", ..] => Matrix::Multiply(multiply::decode(decoder)?),
        ["wmma", ..] => fragment::decode(decoder)?,
        ["wgmma", ..] => match warpgroup::decode(decoder)? {
            Some(matrix) => matrix,
            None => return Ok(Action::Nothing),
        },
        _ => moves::decode(decoder)?,
    };
    // The aligned form is executed by all lanes of a warp together.
    let members = Some(decoder.constant(32, u64::from(u32::MAX)));
    let none = Slot::default();
    Ok(Action::Warp(Box::new(Warp {
        kind: WarpKind::Matrix,
        members,
        matrix: Some(matrix),
        d: none,
        p: None,
        a: none,
        b: none,
        c: none,
        source: Predicate::FALSE,
    })))
}
