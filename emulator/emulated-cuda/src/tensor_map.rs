//! Maps of tensors, which kernels hand to their copies. `cuda.h` says what may stand in them. Only rectangular tiles are supported,
//! without interleaving.

use std::ffi::{c_int, c_uint};

use gridwright_emulator::{Swizzle, TENSOR_MAP_BYTES, TensorElement, TensorMap};

use crate::abi::{In, InOut, Out, Untyped};
use crate::error::Error;

/// Most dimensions of a tensor.
const MOST: usize = 5;
/// Bytes that a tensor and its rows, and what a tile has of a row, are multiples of.
const ALIGNMENT: u64 = 16;

/// `CUtensorMap`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Map([u8; TENSOR_MAP_BYTES]);

/// The elements of `CUtensorMapDataType`: of some, hardware makes something else on the way, which isn't emulated.
fn element(number: c_int) -> Result<TensorElement, Error> {
    Ok(match number {
        0 => TensorElement::Unsigned(1),
        1 => TensorElement::Unsigned(2),
        2 => TensorElement::Unsigned(4),
        3 => TensorElement::Signed(4),
        4 => TensorElement::Unsigned(8),
        5 => TensorElement::Signed(8),
        6 => TensorElement::Half,
        7 | 10..=12 => TensorElement::Single,
        8 => TensorElement::Double,
        9 => TensorElement::Brain,
        // Elements of 4 and of 6 bits, which sm_90 hasn't.
        13..=15 => return Err(Error::NOT_SUPPORTED),
        _ => return Err(Error::INVALID_VALUE),
    })
}

fn require(holds: bool) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

fn is_float(element: TensorElement) -> bool {
    !matches!(element, TensorElement::Unsigned(_) | TensorElement::Signed(_))
}

driver! {
    fn cuTensorMapEncodeTiled(
        map: Out<Map>,
        ty: c_int,
        rank: c_uint,
        address: Untyped,
        dimensions: In<u64>,
        strides: In<u64>,
        tile: In<u32>,
        steps: In<u32>,
        interleave: c_int,
        swizzle: c_int,
        promotion: c_int,
        fill: c_int,
    ) {
        let element = element(ty)?;
        let rank = rank as usize;
        let address = address.address() as u64;
        require(!map.is_null() && (1..=MOST).contains(&rank) && address.is_multiple_of(ALIGNMENT))?;
        require((0..=2).contains(&interleave) && (0..=3).contains(&promotion) && (0..=1).contains(&fill))?;
        if interleave != 0 || swizzle > 3 {
            return Err(Error::NOT_SUPPORTED);
        }
        let swizzle = u32::try_from(swizzle).ok().and_then(Swizzle::of_number).ok_or(Error::INVALID_VALUE)?;
        require(fill == 0 || is_float(element))?;
        let mut encoded = TensorMap {
            element,
            address,
            rank,
            dimensions: [1; MOST],
            strides: [0; MOST - 1],
            tile: [1; MOST],
            steps: [1; MOST],
            swizzle,
            fills_nan: fill == 1,
        };
        for axis in 0..rank {
            let (size, width, step) = (dimensions.at(axis)?, tile.at(axis)?, steps.at(axis)?);
            require((1..=1 << 32).contains(&size) && (1..=256).contains(&width) && (1..=8).contains(&step))?;
            (encoded.dimensions[axis], encoded.tile[axis], encoded.steps[axis]) = (size, width, step);
        }
        for axis in 0..rank - 1 {
            let stride = strides.at(axis)?;
            require(stride.is_multiple_of(ALIGNMENT) && stride < 1 << 40)?;
            encoded.strides[axis] = stride;
        }
        let row = u64::from(encoded.tile[0]) * element.bytes() as u64;
        require(row.is_multiple_of(ALIGNMENT) && (swizzle == Swizzle::None || row <= swizzle.span()))?;
        map.put(Map(encoded.encode()))
    }

    fn cuTensorMapReplaceAddress(map: InOut<Map>, address: Untyped) {
        let address = address.address() as u64;
        require(address.is_multiple_of(ALIGNMENT))?;
        let mut decoded = TensorMap::decode(&map.at(0)?.0).ok_or(Error::INVALID_VALUE)?;
        decoded.address = address;
        map.put_at(0, Map(decoded.encode()))
    }
}
