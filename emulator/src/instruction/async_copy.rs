//! Copies from global to workgroup memory that are waited for later: `cp.async`, in groups.

use super::access::Memory;
use super::decoder::{Decoded, Decoder};
use super::mbarrier;
use super::memory::{Manner, access, is_hint};
use super::operation::{Action, AsyncCopy, Bytes};
use crate::parse::ParseError;
use crate::parse::syntax::{Number, Operand, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    match decoder.parts.as_slice() {
        ["cp", "async", "mbarrier", ..] => mbarrier::arrive_with_copies(decoder),
        ["cp", "async", "commit_group"] if decoder.operands().is_empty() => Ok(Action::CommitCopies),
        ["cp", "async", "wait_all"] if decoder.operands().is_empty() => Ok(Action::WaitForCopies(None)),
        ["cp", "async", "wait_group"] => match decoder.operands() {
            [Operand::Number(Number::Integer(pending))] => {
                let pending = u32::try_from(*pending).map_err(|_| decoder.unknown())?;
                Ok(Action::WaitForCopies(Some(pending)))
            }
            _ => Err(decoder.unknown()),
        },
        ["cp", "async", "ca" | "cg", "shared" | "shared::cta", "global", hints @ ..]
            if hints.iter().all(|part| is_hint(part)) =>
        {
            copy(decoder)
        }
        _ => Err(decoder.unknown()),
    }
}

fn copy(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let has_policy = decoder.parts.contains(&"L2::cache_hint");
    let operands = decoder.operands();
    let operands = match operands.split_last() {
        Some((_, rest)) if has_policy => rest,
        _ => operands,
    };
    let [target, source, Operand::Number(Number::Integer(size)), rest @ ..] = operands else {
        return Err(decoder.unknown());
    };
    let is_cached_everywhere = decoder.parts[2] == "ca";
    let size = match *size {
        4 | 8 if is_cached_everywhere => *size as u32,
        16 => 16,
        _ => return Err(decoder.unknown()),
    };
    let bytes = match rest {
        [] => Bytes::All,
        [operand] => taken(decoder, operand)?,
        _ => return Err(decoder.unknown()),
    };
    if bytes != Bytes::All {
        // Less than an element may be read.
        decoder.code.finest_global = 1;
    }
    let word = Type::Bits(32);
    let target = access(decoder, &Manner::of(Memory::Shared), target, word)?;
    let source = access(decoder, &Manner::of(Memory::Global), source, word)?;
    Ok(Action::AsyncCopy(Box::new(AsyncCopy { target, source, size, bytes })))
}

/// How much is read: a number of bytes, or a predicate that says that nothing is.
fn taken<'s>(decoder: &mut Decoder<'_, 's>, operand: &Operand<'s>) -> Result<Bytes, ParseError> {
    let predicate = match operand {
        Operand::Not(_) => true,
        Operand::Name(name) => decoder.is_predicate(name),
        _ => false,
    };
    Ok(match predicate {
        true => Bytes::NoneIf(decoder.predicate(operand)?),
        false => Bytes::AsMany(decoder.source(operand, Type::Unsigned(32))?),
    })
}
