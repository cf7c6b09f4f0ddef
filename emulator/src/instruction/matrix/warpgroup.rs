//! `wgmma`: products of matrices by four warps, of which each has 16 rows.

use super::form::Form;
use super::multiply::{COMBINES, selected};
use super::operation::{
    Combine, ElementType, Factor, FactorLayout, Matrix, MultiplyByWarpgroup, SharedFactor, Sparsity,
    SumLayout, SumType, Sums, WarpgroupFactor, metadata_bits,
};
use super::registers::{destinations, elements};
use crate::instruction::decoder::Decoder;
use crate::machine::Slot;
use crate::parse::ParseError;
use crate::parse::syntax::{Number, Operand, Type};

/// Bits along K that a product takes.
const DEPTH: usize = 256;
/// Rows of a warp's part, and of all four.
const ROWS: usize = 16;
const ALL_ROWS: usize = 64;

/// Decodes the instructions that have something to do; none for the fence, which orders registers.
pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Result<Option<Matrix>, ParseError> {
    let parts = decoder.parts.clone();
    match parts.as_slice() {
        ["wgmma", "fence", "sync", "aligned"] if decoder.operands().is_empty() => Ok(None),
        ["wgmma", "commit_group", "sync", "aligned"] if decoder.operands().is_empty() => {
            Ok(Some(Matrix::CommitProducts))
        }
        ["wgmma", "wait_group", "sync", "aligned"] => match decoder.operands() {
            [Operand::Number(Number::Integer(but))] => {
                let but = u32::try_from(*but).map_err(|_| decoder.unknown())?;
                Ok(Some(Matrix::AwaitProducts(but)))
            }
            _ => Err(decoder.unknown()),
        },
        ["wgmma", "mma_async", rest @ ..] => {
            let form = decoder.known(Form::of(rest))?;
            Ok(Some(Matrix::MultiplyByWarpgroup(Box::new(multiply(decoder, form)?))))
        }
        _ => Err(decoder.unknown()),
    }
}

/// Whether B may have so many columns.
fn is_width(columns: usize, element: ElementType) -> bool {
    let most = (8..=256).contains(&columns);
    if element.is_integer() {
        most && (columns.is_multiple_of(16) || columns == 8 || columns == 24)
    } else {
        most && columns.is_multiple_of(8)
    }
}

fn is_sum(element: ElementType, sum: SumType) -> bool {
    match element {
        ElementType::Half | ElementType::E4m3 | ElementType::E5m2 => {
            matches!(sum, SumType::Half | SumType::Single)
        }
        ElementType::Brain | ElementType::Tf32 => sum == SumType::Single,
        ElementType::Signed8 | ElementType::Unsigned8 | ElementType::Bit => sum == SumType::Integer,
        ElementType::Signed4 | ElementType::Unsigned4 | ElementType::Double => false,
    }
}

fn multiply(decoder: &mut Decoder<'_, '_>, mut form: Form<'_>) -> Result<MultiplyByWarpgroup, ParseError> {
    let is_sparse = form.take("sp");
    let saturates = form.take("satfinite");
    let combine = form.take_one(&COMBINES).filter(|_| form.take("popc"));
    let ([d, a, b], [ALL_ROWS, columns, k]) = (form.types.as_slice(), form.shape.as_slice()) else {
        return Err(decoder.unknown());
    };
    let (columns, k) = (*columns, *k);
    let (a_type, b_type) = (decoder.known(ElementType::parse(a))?, decoder.known(ElementType::parse(b))?);
    let sum = decoder.known(SumType::parse(d))?;
    let is_bit = a_type == ElementType::Bit;
    let is_known = form.is_done()
        && form.layouts.is_empty()
        && a_type.multiplies(b_type)
        && is_sum(a_type, sum)
        && is_width(columns, a_type)
        && k * a_type.bits() == if is_sparse { 2 * DEPTH } else { DEPTH }
        && !(is_sparse && is_bit)
        && (combine == is_bit.then_some(Combine::And))
        && (!saturates || a_type.is_integer() && !is_bit);
    if !is_known {
        return Err(decoder.unknown());
    }
    let (d, a, b, scale, rest, sparsity) = match (is_sparse, decoder.operands()) {
        (false, [d, a, b, scale, rest @ ..]) => (d, a, b, scale, rest, None),
        (true, [d, a, b, metadata, selector, scale, rest @ ..]) => {
            let lanes = (ROWS * metadata_bits(a_type, k)).div_ceil(32 * 8);
            let selector = selected(decoder, selector, 4 / lanes.clamp(1, 4))?;
            let metadata = decoder.source(metadata, Type::Bits(32))?;
            (d, a, b, scale, rest, Some(Sparsity { metadata, selector }))
        }
        _ => return Err(decoder.unknown()),
    };
    let kept = if is_sparse { k / 2 } else { k };
    let in_registers = matches!(a, Operand::Vector(_));
    let numbers: Vec<i64> = rest
        .iter()
        .map(|operand| match operand {
            Operand::Number(Number::Integer(number)) => Ok(*number as i64),
            _ => Err(decoder.unknown()),
        })
        .collect::<Result<_, _>>()?;
    let may_turn = a_type.bits() == 16;
    let (signs, turns) = match (a_type.is_integer(), numbers.as_slice()) {
        (true, []) => ([1, 1], [0, 0]),
        (false, &[a, b, turn]) if may_turn && in_registers => ([a, b], [0, turn]),
        (false, &[a, b, turn_a, turn_b]) if may_turn && !in_registers => ([a, b], [turn_a, turn_b]),
        (false, &[a, b]) if !may_turn => ([a, b], [0, 0]),
        _ => return Err(decoder.unknown()),
    };
    if signs.iter().any(|sign| !matches!(sign, 1 | -1)) || turns.iter().any(|turn| !matches!(turn, 0 | 1)) {
        return Err(decoder.unknown());
    }
    let adds = decoder.predicate(scale)?;
    let shared = |descriptor: Slot, element, turn| SharedFactor { element, descriptor, turned: turn == 1 };
    let a = if in_registers {
        let factor = Factor::new(a_type, ROWS, kept, FactorLayout::Tall);
        let count = factor.registers();
        WarpgroupFactor::Registers(factor.read(decoder, a, count)?)
    } else {
        WarpgroupFactor::Shared(shared(decoder.source(a, Type::Bits(64))?, a_type, turns[0]))
    };
    let b = shared(decoder.source(b, Type::Bits(64))?, b_type, turns[1]);
    let mut sums = Sums::new(sum, ROWS, columns, SumLayout::Rows);
    sums.slots = destinations(decoder, d, sums.registers(), 32)?;
    if elements(decoder, d, sums.registers())?.iter().any(|one| matches!(one, Operand::Name("_"))) {
        return Err(decoder.unknown());
    }
    // What makes workgroup memory known to the checks: pieces of 16 bytes are read.
    decoder.code.finest_shared = decoder.code.finest_shared.min(4);
    let negative = signs[0] * signs[1] < 0;
    Ok(MultiplyByWarpgroup {
        a,
        b,
        k,
        sums,
        sparsity,
        adds,
        negative,
        saturates,
        combine: combine.unwrap_or(Combine::Multiply),
    })
}
