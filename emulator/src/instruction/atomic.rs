//! Atomic operations, with and without a result.

use super::decoder::{Decoded, Decoder};
use super::memory::{Manner, access};
use super::operation::{Action, Atomic, AtomicKind};
use crate::parse::syntax::Type;

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

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    let has_result = decoder.parts[0] == "atom";
    let mut manner = Manner::atomic();
    let mut operation = None;
    for part in decoder.modifiers(1)? {
        match *part {
            "noftz" => {}
            part if part.starts_with("L1::") || part.starts_with("L2::") => {}
            part if manner.accept(part) => {}
            part if operation.is_none() => operation = kind(part),
            _ => return Err(decoder.unknown()),
        }
    }
    let operation = decoder.known(operation)?;
    let is_known = match (operation, ty) {
        (AtomicKind::Add, Type::Bits(_) | Type::Predicate) => false,
        (AtomicKind::Add, Type::Unsigned(bits) | Type::Signed(bits)) => bits >= 32,
        (AtomicKind::Add, _) => true,
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
        (operation, _) => operation,
    };
    let operands = decoder.operands();
    let (d, rest) = match operands {
        [d, rest @ ..] if has_result => (Some(d), rest),
        rest => (None, rest),
    };
    let (address, b, c) = match (rest, operation) {
        ([address, b, c], AtomicKind::Compare) => (address, b, Some(c)),
        // A policy of caching may follow.
        ([address, b] | [address, b, _], operation) if operation != AtomicKind::Compare => (address, b, None),
        _ => return Err(decoder.unknown()),
    };
    let result = match d {
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
