//! `wmma`: loads, products and stores of matrices whose parts only these instructions know.

use super::form::Form;
use super::multiply::{COMBINES, ROUNDINGS};
use super::operation::{
    Combine, ElementType, Factor, FactorLayout, Fragment, Matrix, MoveFragment, MultiplyMatrices, SumLayout,
    SumType, Sums,
};
use super::registers::destinations;
use crate::instruction::access::Memory;
use crate::instruction::decoder::Decoder;
use crate::instruction::directed::Rounding;
use crate::instruction::memory::{Manner, access};
use crate::parse::ParseError;
use crate::parse::syntax::Type;

/// Registers of a factor of 16-bit floats, of whatever shape.
const HALF_REGISTERS: usize = 8;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Result<Matrix, ParseError> {
    let parts = decoder.parts.clone();
    match parts.as_slice() {
        ["wmma", "load", which @ ("a" | "b" | "c"), rest @ ..] => {
            let form = decoder.known(Form::of(rest))?;
            Ok(Matrix::LoadFragment(moved(decoder, which, form)?))
        }
        ["wmma", "store", "d", rest @ ..] => {
            let form = decoder.known(Form::of(rest))?;
            Ok(Matrix::StoreFragment(moved(decoder, "d", form)?))
        }
        ["wmma", "mma", rest @ ..] => {
            let form = decoder.known(Form::of(rest))?;
            Ok(Matrix::Multiply(multiply(decoder, form)?))
        }
        _ => Err(decoder.unknown()),
    }
}

/// Whether there are products of a shape of these elements.
fn is_shape(shape: [usize; 3], element: ElementType) -> bool {
    match element {
        ElementType::Half | ElementType::Brain | ElementType::Signed8 | ElementType::Unsigned8 => {
            matches!(shape, [16, 16, 16] | [32, 8, 16] | [8, 32, 16])
        }
        ElementType::Tf32 => shape == [16, 16, 8],
        ElementType::Double => shape == [8, 8, 4],
        ElementType::Signed4 | ElementType::Unsigned4 => shape == [8, 8, 32],
        ElementType::Bit => shape == [8, 8, 128],
        ElementType::E4m3 | ElementType::E5m2 => false,
    }
}

/// Whether there are sums of a shape and a type.
fn has_sums([rows, cols, k]: [usize; 3], ty: SumType) -> bool {
    match ty {
        SumType::Half => is_shape([rows, cols, k], ElementType::Half),
        SumType::Single => {
            is_shape([rows, cols, k], ElementType::Half) || is_shape([rows, cols, k], ElementType::Tf32)
        }
        SumType::Integer => [ElementType::Signed8, ElementType::Signed4, ElementType::Bit]
            .iter()
            .any(|element| is_shape([rows, cols, k], *element)),
        SumType::Double => is_shape([rows, cols, k], ElementType::Double),
    }
}

/// A factor, and how many registers it takes.
fn factor(element: ElementType, [rows, cols, k]: [usize; 3], is_a: bool) -> (Factor, usize) {
    let lines = if is_a { rows } else { cols };
    // The 32 columns of 8 by 32 take the place of rows.
    let is_tall = if is_a { rows >= 16 } else { cols == 32 };
    let layout = if is_tall { FactorLayout::Tall } else { FactorLayout::Flat };
    let factor = Factor::new(element, lines, k, layout);
    let registers = if element == ElementType::Half { HALF_REGISTERS } else { factor.registers() };
    (factor, registers)
}

fn sums(ty: SumType, [rows, cols, _]: [usize; 3]) -> Sums {
    let layout = if cols == 32 { SumLayout::Columns } else { SumLayout::Rows };
    Sums::new(ty, rows, cols, layout)
}

fn shape(decoder: &Decoder<'_, '_>, form: &Form<'_>) -> Result<[usize; 3], ParseError> {
    decoder.known(form.shape.as_slice().try_into().ok())
}

fn moved(decoder: &mut Decoder<'_, '_>, which: &str, mut form: Form<'_>) -> Result<MoveFragment, ParseError> {
    let memory = form.take_one(&[
        ("shared", Memory::Shared),
        ("shared::cta", Memory::Shared),
        ("global", Memory::Global),
    ]);
    let shape = shape(decoder, &form)?;
    let ([layout], [ty], true) = (form.layouts.as_slice(), form.types.as_slice(), form.is_done()) else {
        return Err(decoder.unknown());
    };
    let (values, address, stride) = match (which, decoder.operands()) {
        ("d", [address, values, stride @ ..]) | (_, [values, address, stride @ ..]) if stride.len() <= 1 => {
            (values, address, stride.first())
        }
        _ => return Err(decoder.unknown()),
    };
    let is_factor = matches!(which, "a" | "b");
    let along_lines = if which == "b" { *layout == "col" } else { *layout == "row" };
    let (fragment, bits, lines, across) = if is_factor {
        let element = decoder.known(ElementType::parse(ty))?;
        if !is_shape(shape, element) || element.bits() < 8 && !along_lines {
            return Err(decoder.unknown());
        }
        let (mut factor, registers) = factor(element, shape, which == "a");
        let bits = if element == ElementType::Double { 64 } else { 32 };
        factor.slots = destinations(decoder, values, registers, bits)?;
        let (lines, across) = (factor.lines, factor.k);
        (Fragment::Factor(factor), element.bits(), lines, across)
    } else {
        let ty = decoder.known(SumType::parse(ty))?;
        if !has_sums(shape, ty) {
            return Err(decoder.unknown());
        }
        let sums = sums(ty, shape);
        let (lines, across) = (sums.rows, sums.cols);
        let sums = if which == "d" { sums.read(decoder, values)? } else { sums.written(decoder, values)? };
        (Fragment::Sums(sums), ty.bits(), lines, across)
    };
    let stride = match stride {
        Some(stride) => decoder.source(stride, Type::Unsigned(32))?,
        None => decoder.constant(32, if along_lines { across } else { lines } as u64),
    };
    // Elements of less than a byte come in words.
    let unit = if bits < 8 { 32 } else { bits as u8 };
    let access = access(decoder, &Manner::of(memory.unwrap_or(Memory::Generic)), address, Type::Bits(unit))?;
    Ok(MoveFragment { fragment, access, stride, along_lines })
}

fn multiply(decoder: &mut Decoder<'_, '_>, mut form: Form<'_>) -> Result<MultiplyMatrices, ParseError> {
    let saturates = form.take("satfinite");
    let combine = form.take_one(&COMBINES).filter(|_| form.take("popc"));
    let rounding = form.take_one(&ROUNDINGS);
    let shape = shape(decoder, &form)?;
    let (a, b, c, d) = match form.types.as_slice() {
        [d, c] => ("f16", "f16", *c, *d),
        [d, a, b, c] if *a != "f16" => (*a, *b, *c, *d),
        _ => return Err(decoder.unknown()),
    };
    let element = decoder.known(ElementType::parse(a))?;
    let (c_type, d_type) = (decoder.known(SumType::parse(c))?, decoder.known(SumType::parse(d))?);
    let fits = match element {
        ElementType::Half => {
            let are_sums = |ty| matches!(ty, SumType::Half | SumType::Single);
            are_sums(c_type) && are_sums(d_type)
        }
        ElementType::Brain | ElementType::Tf32 => c_type == SumType::Single,
        ElementType::Double => c_type == SumType::Double,
        _ => c_type == SumType::Integer,
    };
    let fits = fits && (element == ElementType::Half || c_type == d_type);
    let layouts = form.layouts.as_slice();
    let is_known = form.is_done()
        && fits
        && a == b
        && is_shape(shape, element)
        && layouts.len() == 2
        && (element.bits() >= 8 || layouts == ["row", "col"])
        && (combine.is_some() == (element == ElementType::Bit))
        && (!saturates || element.is_integer() && element != ElementType::Bit)
        && (rounding.is_none() || element == ElementType::Double);
    if !is_known {
        return Err(decoder.unknown());
    }
    let [d, a, b, c] = decoder.exactly()?;
    let (factor_a, count) = factor(element, shape, true);
    let a = factor_a.read(decoder, a, count)?;
    let (factor_b, count) = factor(element, shape, false);
    let b = factor_b.read(decoder, b, count)?;
    let c = sums(c_type, shape).read(decoder, c)?;
    let d = sums(d_type, shape).written(decoder, d)?;
    Ok(MultiplyMatrices {
        a,
        b,
        c,
        d,
        combine: combine.unwrap_or(Combine::Multiply),
        saturates,
        rounding: rounding.unwrap_or(Rounding::Nearest),
        sparsity: None,
    })
}
