//! Matrices of 8 by 8 elements of 16 bits: `ldmatrix`, `stmatrix` and `movmatrix`.

use super::form::Form;
use super::operation::{Matrix, MoveMatrices};
use super::registers::{destinations, sources};
use crate::instruction::access::Memory;
use crate::instruction::decoder::Decoder;
use crate::instruction::memory::{Manner, access};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};

const COUNTS: [(&str, usize); 3] = [("x1", 1), ("x2", 2), ("x4", 4)];
const MEMORIES: [(&str, Memory); 2] = [("shared", Memory::Shared), ("shared::cta", Memory::Shared)];

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Result<Matrix, ParseError> {
    let parts = decoder.parts.clone();
    let mut form = decoder.known(parts.get(1..).and_then(Form::of))?;
    let transposed = form.take("trans");
    let (count, memory) = (form.take_one(&COUNTS), form.take_one(&MEMORIES));
    if form.shape != [8, 8] || form.types != ["b16"] || !form.layouts.is_empty() || !form.is_done() {
        return Err(decoder.unknown());
    }
    let [first, second] = decoder.exactly()?;
    let name = parts.first().copied().unwrap_or_default();
    if name == "movmatrix" {
        if !transposed || count.is_some() || memory.is_some() || !matches!(second, Operand::Name(_)) {
            return Err(decoder.unknown());
        }
        let a = decoder.source(second, Type::Bits(32))?;
        return Ok(Matrix::Transpose { d: decoder.destination(first, 32)?, a });
    }
    let count = decoder.known(count)?;
    let is_store = name == "stmatrix";
    let (address, values) = if is_store { (first, second) } else { (second, first) };
    let are_registers = |values: &Operand<'_>| match values {
        Operand::Vector(values) => values.iter().all(|value| matches!(value, Operand::Name(_))),
        _ => false,
    };
    if !are_registers(values) {
        return Err(decoder.unknown());
    }
    let values = if is_store {
        sources(decoder, values, count, 32)?
    } else {
        destinations(decoder, values, count, 32)?
    };
    // The elements are of 16 bits, but a row of 16 bytes is accessed as one.
    let manner = Manner::of(memory.unwrap_or(Memory::Generic));
    let access = access(decoder, &manner, address, Type::Bits(32))?;
    let moved = MoveMatrices { access, transposed, values };
    Ok(if is_store { Matrix::Store(moved) } else { Matrix::Load(moved) })
}
