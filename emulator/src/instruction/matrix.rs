//! Products of matrices that the lanes of a warp hold together, and loads of such matrices: `mma.sync` and `ldmatrix`.

use super::decoder::{Decoded, Decoder};
use super::memory::{Manner, access};
use super::operation::{
    Action, FactorType, LoadMatrices, Matrix, Memory, MultiplyMatrices, SumType, Warp, WarpKind,
};
use super::{Handler, Predicate, Slot, map1};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let parts = decoder.parts.clone();
    let matrix = match parts.as_slice() {
        ["mma", "sync", "aligned", shape, "row", "col", d, a, b, c] if a == b && c == d => {
            Matrix::Multiply(multiply(decoder, shape, a, d)?)
        }
        ["ldmatrix", "sync", "aligned", "m8n8", count, manner @ .., "b16"] => {
            Matrix::Load(load(decoder, count, manner)?)
        }
        _ => return Err(decoder.unknown()),
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

fn multiply(
    decoder: &mut Decoder<'_, '_>,
    shape: &str,
    factor: &str,
    sum: &str,
) -> Result<MultiplyMatrices, ParseError> {
    let (factor, sum, rows, k) = decoder.known(match (shape, factor, sum) {
        ("m16n8k8", "f16", "f32") => Some((FactorType::Half, SumType::Single, 16, 8)),
        ("m16n8k8", "f16", "f16") => Some((FactorType::Half, SumType::Half, 16, 8)),
        ("m16n8k8", "bf16", "f32") => Some((FactorType::Brain, SumType::Single, 16, 8)),
        ("m16n8k16", "f16", "f32") => Some((FactorType::Half, SumType::Single, 16, 16)),
        ("m16n8k16", "f16", "f16") => Some((FactorType::Half, SumType::Half, 16, 16)),
        ("m16n8k16", "bf16", "f32") => Some((FactorType::Brain, SumType::Single, 16, 16)),
        ("m16n8k4", "tf32", "f32") => Some((FactorType::Tf32, SumType::Single, 16, 4)),
        ("m16n8k8", "tf32", "f32") => Some((FactorType::Tf32, SumType::Single, 16, 8)),
        ("m16n8k16", "s8", "s32") => Some((FactorType::Signed, SumType::Integer, 16, 16)),
        ("m16n8k16", "u8", "s32") => Some((FactorType::Unsigned, SumType::Integer, 16, 16)),
        ("m16n8k32", "s8", "s32") => Some((FactorType::Signed, SumType::Integer, 16, 32)),
        ("m16n8k32", "u8", "s32") => Some((FactorType::Unsigned, SumType::Integer, 16, 32)),
        ("m8n8k4", "f64", "f64") => Some((FactorType::Double, SumType::Double, 8, 4)),
        _ => None,
    })?;
    let [d, a, b, c] = decoder.exactly()?;
    // A lane has a part of 1 in 32 of each.
    let registers = |elements: usize, bytes: usize| elements * bytes / 32 / bytes.max(4);
    let (factor_type, sum_type) = match factor {
        FactorType::Double => (Type::Float(64), Type::Float(64)),
        _ => (Type::Bits(32), Type::Bits(32)),
    };
    let a = sources(decoder, a, registers(rows * k, factor.bytes()), factor_type)?;
    let b = sources(decoder, b, registers(8 * k, factor.bytes()), factor_type)?;
    let count = registers(rows * 8, sum.bytes());
    let c = sources(decoder, c, count, sum_type)?;
    let d = destinations(decoder, d, count, sum_type)?;
    Ok(MultiplyMatrices { factor, sum, rows, k, a, b, c, d })
}

fn load(decoder: &mut Decoder<'_, '_>, count: &str, parts: &[&str]) -> Result<LoadMatrices, ParseError> {
    let count = decoder.known(match count {
        "x1" => Some(1),
        "x2" => Some(2),
        "x4" => Some(4),
        _ => None,
    })?;
    let (transposed, parts) = match parts {
        ["trans", rest @ ..] => (true, rest),
        parts => (false, parts),
    };
    let memory = match parts {
        [] => Memory::Generic,
        ["shared" | "shared::cta"] => Memory::Shared,
        _ => return Err(decoder.unknown()),
    };
    let [d, address] = decoder.exactly()?;
    let d = destinations(decoder, d, count, Type::Bits(32))?;
    let access = access(decoder, &Manner::of(memory), address, Type::Bits(32))?;
    Ok(LoadMatrices { access, transposed, d })
}

fn elements<'o, 's>(
    decoder: &Decoder<'_, 's>,
    operand: &'o Operand<'s>,
    count: usize,
) -> Result<&'o [Operand<'s>], ParseError> {
    let elements = match operand {
        Operand::Vector(elements) => elements.as_slice(),
        // One may stand without braces.
        operand => std::slice::from_ref(operand),
    };
    if elements.len() != count {
        let message = format!("{} registers where the opcode says {count}", elements.len());
        return Err(decoder.error(message));
    }
    Ok(elements)
}

fn sources<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    count: usize,
    ty: Type,
) -> Result<Vec<Slot>, ParseError> {
    let float = Type::Float(ty.bits());
    elements(decoder, operand, count)?
        .iter()
        .map(|element| {
            // Floats may be written as such.
            let is_float = matches!(element, Operand::Number(crate::parse::syntax::Number::Single(_)));
            decoder.source(element, if is_float { float } else { ty })
        })
        .collect()
}

fn destinations<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    count: usize,
    ty: Type,
) -> Result<Vec<Slot>, ParseError> {
    elements(decoder, operand, count)?.iter().map(|element| decoder.destination(element, ty.bits())).collect()
}

/// `cvt.rna.tf32.f32`: to the nearest of 10 bits, halves away from zero.
pub(super) fn round_to_tf32(decoder: &mut Decoder<'_, '_>) -> Decoded {
    fn rounded(bits: u32) -> u32 {
        let is_nan = f32::from_bits(bits).is_nan();
        if is_nan { 0x7fff_ffff } else { bits.wrapping_add(0x1000) & !0x1fff }
    }
    let handler: Handler = map1!(u32 => u32, rounded);
    decoder.uniform_of(1, Some(handler), Type::Bits(32))
}
