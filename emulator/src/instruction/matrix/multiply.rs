//! Products of matrices: `mma` and, of a matrix half of which is zeros, `mma.sp`.

use super::form::Form;
use super::operation::{
    Combine, ElementType, Factor, FactorLayout, MultiplyMatrices, Sparsity, SumLayout, SumType, Sums,
    metadata_bits,
};
use crate::instruction::decoder::Decoder;
use crate::instruction::directed::Rounding;
use crate::parse::ParseError;
use crate::parse::syntax::{Number, Operand, Type};

/// Columns of B.
const COLUMNS: usize = 8;

pub(super) const COMBINES: [(&str, Combine); 2] = [("and", Combine::And), ("xor", Combine::Xor)];
pub(super) const ROUNDINGS: [(&str, Rounding); 4] =
    [("rn", Rounding::Nearest), ("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up)];

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Result<MultiplyMatrices, ParseError> {
    let parts = decoder.parts.clone();
    let mut form = decoder.known(parts.get(1..).and_then(Form::of))?;
    let is_sparse = form.take("sp") || form.take("sp::ordered_metadata");
    let saturates = form.take("satfinite");
    let combine = form.take_one(&COMBINES).filter(|_| form.take("popc"));
    let rounding = form.take_one(&ROUNDINGS);
    let ([d, a, b, c], [rows, cols, k]) = (form.types.as_slice(), form.shape.as_slice()) else {
        return Err(decoder.unknown());
    };
    let (a, b) = (decoder.known(ElementType::parse(a))?, decoder.known(ElementType::parse(b))?);
    let (c, d) = (decoder.known(SumType::parse(c))?, decoder.known(SumType::parse(d))?);
    let is_known = form.is_done()
        && *cols == COLUMNS
        && a.multiplies(b)
        && (combine.is_some() == (a == ElementType::Bit))
        && (!saturates || a.is_integer() && a != ElementType::Bit)
        && (rounding.is_none() || a == ElementType::Double);
    if !is_known {
        return Err(decoder.unknown());
    }
    let mut multiply = if (*rows, *k, a) == (8, 4, ElementType::Half) {
        if is_sparse || form.layouts.len() != 2 {
            return Err(decoder.unknown());
        }
        quads(decoder, &form.layouts, c, d)?
    } else {
        let fits = depths(is_sparse, *rows, a).contains(k) && c == d && adds_up(a, d, is_sparse);
        if !fits || form.layouts != ["row", "col"] {
            return Err(decoder.unknown());
        }
        plain(decoder, [*rows, *k], [a, b], d, is_sparse)?
    };
    multiply.saturates = saturates;
    multiply.combine = combine.unwrap_or(Combine::Multiply);
    multiply.rounding = rounding.unwrap_or(Rounding::Nearest);
    Ok(multiply)
}

/// How many products are added up, for so many rows of a type.
fn depths(is_sparse: bool, rows: usize, element: ElementType) -> &'static [usize] {
    use ElementType::{Bit, Brain, Double, E4m3, E5m2, Half, Signed4, Signed8, Tf32, Unsigned4, Unsigned8};
    match (is_sparse, rows, element) {
        (false, 16, Tf32) => &[4, 8],
        (false, 16, Double) => &[4, 8, 16],
        (false, 16, Half | Brain) | (true, 16, Tf32) => &[8, 16],
        (false, 16, E4m3 | E5m2 | Signed8 | Unsigned8) | (true, 16, Half | Brain) => &[16, 32],
        (false, 16, Signed4 | Unsigned4) | (true, 16, Signed8 | Unsigned8) => &[32, 64],
        (true, 16, Signed4 | Unsigned4) => &[64, 128],
        (true, 16, E4m3 | E5m2) => &[64],
        (false, 16, Bit) => &[128, 256],
        (false, 8, Double) => &[4],
        (false, 8, Signed8 | Unsigned8) => &[16],
        (false, 8, Signed4 | Unsigned4) => &[32],
        (false, 8, Bit) => &[128],
        _ => &[],
    }
}

/// Whether products of a type are added up in another one.
fn adds_up(element: ElementType, sum: SumType, is_sparse: bool) -> bool {
    match element {
        ElementType::Half => matches!(sum, SumType::Half | SumType::Single),
        ElementType::E4m3 | ElementType::E5m2 => sum == SumType::Single || sum == SumType::Half && !is_sparse,
        ElementType::Brain | ElementType::Tf32 => sum == SumType::Single,
        ElementType::Double => sum == SumType::Double,
        _ => sum == SumType::Integer,
    }
}

fn plain(
    decoder: &mut Decoder<'_, '_>,
    [rows, k]: [usize; 2],
    [a_type, b_type]: [ElementType; 2],
    sum: SumType,
    is_sparse: bool,
) -> Result<MultiplyMatrices, ParseError> {
    let (operands, sparsity) = match (is_sparse, decoder.operands()) {
        (false, operands) => (operands, None),
        (true, [operands @ .., metadata, selector]) => {
            let lanes = (rows * metadata_bits(a_type, k)).div_ceil(32 * 8);
            let selector = selected(decoder, selector, 4 / lanes.clamp(1, 4))?;
            (operands, Some(Sparsity { metadata: decoder.source(metadata, Type::Bits(32))?, selector }))
        }
        _ => return Err(decoder.unknown()),
    };
    let [d, a, b, c] = operands else { return Err(decoder.unknown()) };
    let kept = if is_sparse { k / 2 } else { k };
    let layout = if rows == 16 { FactorLayout::Tall } else { FactorLayout::Flat };
    let factor = Factor::new(a_type, rows, kept, layout);
    let count = factor.registers();
    let a = factor.read(decoder, a, count)?;
    let factor = Factor::new(b_type, COLUMNS, k, FactorLayout::Flat);
    let count = factor.registers();
    let b = factor.read(decoder, b, count)?;
    let sums = Sums::new(sum, rows, COLUMNS, SumLayout::Rows);
    let c = sums.clone().read(decoder, c)?;
    let d = sums.written(decoder, d)?;
    let (combine, rounding) = (Combine::Multiply, Rounding::Nearest);
    Ok(MultiplyMatrices { a, b, c, d, combine, saturates: false, rounding, sparsity })
}

/// The number that says which lanes have the metadata, below a limit.
pub(super) fn selected(
    decoder: &Decoder<'_, '_>,
    operand: &Operand<'_>,
    limit: usize,
) -> Result<u32, ParseError> {
    match operand {
        Operand::Number(Number::Integer(selector)) if *selector < limit as u64 => Ok(*selector as u32),
        _ => Err(decoder.error(format!("the selector of metadata isn't a number below {limit}"))),
    }
}

/// Four products of 8 by 4 and 4 by 8 elements, each by eight lanes.
fn quads(
    decoder: &mut Decoder<'_, '_>,
    layouts: &[&str],
    c_type: SumType,
    d_type: SumType,
) -> Result<MultiplyMatrices, ParseError> {
    let are_sums = |ty| matches!(ty, SumType::Half | SumType::Single);
    if !are_sums(c_type) || !are_sums(d_type) || (c_type, d_type) == (SumType::Single, SumType::Half) {
        return Err(decoder.unknown());
    }
    let [d, a, b, c] = decoder.exactly()?;
    let factor = |along_k| Factor::new(ElementType::Half, 32, 4, FactorLayout::Quads { along_k });
    let a = factor(layouts.first() == Some(&"row")).read(decoder, a, 2)?;
    let b = factor(layouts.last() == Some(&"col")).read(decoder, b, 2)?;
    let c = Sums::new(c_type, 32, COLUMNS, SumLayout::Quads).read(decoder, c)?;
    let d = Sums::new(d_type, 32, COLUMNS, SumLayout::Quads).written(decoder, d)?;
    let (combine, rounding) = (Combine::Multiply, Rounding::Nearest);
    Ok(MultiplyMatrices { a, b, c, d, combine, saturates: false, rounding, sparsity: None })
}
