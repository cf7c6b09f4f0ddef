//! Atomic operations, with and without a result.

use super::access::AtomicKind;
use super::decoder::{Decoded, Decoder};
use super::memory::{Manner, access};
use super::operation::{Action, Atomic};
use crate::parse::syntax::{Operand, Type};

pub(super) fn kind(name: &str) -> Option<AtomicKind> {
    Some(match name {
        "add" => AtomicKind::Add,
        "min" => AtomicKind::Min,
        "max" => AtomicKind::Max,
        "and" => AtomicKind::And,
        "or" => AtomicKind::Or,
        "xor" => AtomicKind::Xor,
        "exch" => AtomicKind::Exchange,
        "cas" => AtomicKind::Compare,
        "inc" => AtomicKind::Increment,
        "dec" => AtomicKind::Decrement,
        _ => return None,
    })
}

fn is_half(ty: Type) -> bool {
    matches!(ty, Type::Float(16) | Type::BFloat | Type::HalfPair | Type::BFloatPair)
}

/// An atomic of a vector, each of whose elements is one of its own: the whole isn't one operation.
fn vector<'s>(
    decoder: &mut Decoder<'_, 's>,
    manner: &Manner,
    kind: AtomicKind,
    ty: Type,
    (d, address, b): (Option<&Operand<'s>>, &Operand<'s>, &Operand<'s>),
    count: usize,
) -> Decoded {
    let elements = |operand: &Operand<'s>| match operand {
        Operand::Vector(items) if items.len() == count => Ok(items.clone()),
        _ => Err(decoder.error(format!("not {count} registers where the opcode says so"))),
    };
    let sources = elements(b)?;
    let results = d.map(elements).transpose()?;
    let mut atomics = Vec::with_capacity(count);
    for (index, source) in sources.iter().enumerate() {
        let b = decoder.source(source, ty)?;
        let result = match results.as_ref().and_then(|results| results.get(index)) {
            None | Some(Operand::Name("_")) => None,
            Some(d) => Some(decoder.destination(d, ty.bits())?),
        };
        let mut access = access(decoder, manner, address, ty)?;
        access.offset = access.offset.wrapping_add((index * ty.bytes() as usize) as i64);
        atomics.push(Action::Atomic(Box::new(Atomic { access, kind, element: ty, result, b, c: b })));
    }
    let last = atomics.pop();
    for atomic in atomics {
        decoder.push(atomic)?;
    }
    decoder.known(last)
}

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    let has_result = decoder.parts[0] == "atom";
    let mut manner = Manner::atomic();
    let mut operation = None;
    let mut count = 1;
    for part in decoder.modifiers(1)? {
        match *part {
            "noftz" => {}
            "v2" => count = 2,
            "v4" => count = 4,
            "v8" => count = 8,
            part if part.starts_with("L1::") || part.starts_with("L2::") => {}
            part if manner.accept(part) => {}
            part if operation.is_none() => operation = kind(part),
            _ => return Err(decoder.unknown()),
        }
    }
    let operation = decoder.known(operation)?;
    if ty.bits() > 64 {
        return Err(decoder.unknown());
    }
    let is_known = match (operation, ty) {
        (AtomicKind::Add, Type::Bits(_) | Type::Predicate) => false,
        (AtomicKind::Add, Type::Unsigned(bits) | Type::Signed(bits)) => bits >= 32,
        (AtomicKind::Add, _) => true,
        (AtomicKind::Min | AtomicKind::Max, _) if is_half(ty) => count > 1,
        (AtomicKind::Min | AtomicKind::Max, Type::Unsigned(bits) | Type::Signed(bits)) => bits >= 32,
        (AtomicKind::And | AtomicKind::Or | AtomicKind::Xor, Type::Bits(bits)) => bits >= 32,
        (AtomicKind::Exchange, Type::Bits(bits)) => bits >= 32,
        // LLVM writes these with other types too.
        (AtomicKind::Exchange, Type::Unsigned(bits) | Type::Signed(bits)) => bits >= 32,
        (AtomicKind::Compare, Type::Bits(bits) | Type::Unsigned(bits) | Type::Signed(bits)) => bits >= 16,
        (AtomicKind::Increment | AtomicKind::Decrement, Type::Unsigned(32)) => true,
        _ => false,
    };
    if !is_known {
        return Err(decoder.unknown());
    }
    let operation = match (operation, ty.is_float()) {
        (AtomicKind::Add, true) => AtomicKind::AddFloat,
        (AtomicKind::Min, true) => AtomicKind::MinFloat,
        (AtomicKind::Max, true) => AtomicKind::MaxFloat,
        (operation, _) => operation,
    };
    let operands = decoder.operands();
    let (d, rest) = match operands {
        [d, rest @ ..] if has_result => (Some(d), rest),
        rest => (None, rest),
    };
    let (address, b, c) = match (rest, operation) {
        ([address, b, c] | [address, b, c, _], AtomicKind::Compare) => (address, b, Some(c)),
        // A policy of caching may follow.
        ([address, b] | [address, b, _], operation) if operation != AtomicKind::Compare => (address, b, None),
        _ => return Err(decoder.unknown()),
    };
    if count > 1 {
        return vector(decoder, &manner, operation, ty, (d, address, b), count);
    }
    let result = match d {
        Some(Operand::Name("_")) => None,
        Some(d) => Some(decoder.destination(d, ty.bits())?),
        None => None,
    };
    let b = decoder.source(b, ty)?;
    let c = match c {
        Some(c) => decoder.source(c, ty)?,
        None => b,
    };
    let access = access(decoder, &manner, address, ty)?;
    Ok(Action::Atomic(Box::new(Atomic { access, kind: operation, element: ty, result, b, c })))
}
