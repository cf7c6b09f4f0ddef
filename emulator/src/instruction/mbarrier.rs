//! Barriers that are objects in workgroup memory: `mbarrier`.

use super::decoder::{Decoded, Decoder};
use super::memory::{Manner, access};
use super::operation::{Action, Mbarrier, MbarrierKind, Memory};
use crate::parse::syntax::{Operand, Type};

/// An object's bits, of which only these instructions know what they mean.
const OBJECT: Type = Type::Bits(64);
const COUNT: Type = Type::Unsigned(32);

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let Some(["mbarrier", name @ ..]) = decoder.parts.strip_suffix(&["b64"]) else {
        return Err(decoder.unknown());
    };
    // All of them are at objects of the thread's own group, which `shared` alone says too.
    let (order, name): (Vec<&str>, Vec<&str>) = name.iter().copied().partition(|part| {
        matches!(*part, "relaxed" | "release" | "acquire" | "cta" | "cluster" | "shared" | "shared::cta")
    });
    let is_shared = order.iter().any(|part| part.starts_with("shared"));
    let operands = decoder.operands();
    let (at, kind) = match (name.as_slice(), operands) {
        (["init"], [at, count]) => (at, MbarrierKind::Initialise(decoder.source(count, COUNT)?)),
        (["inval"], [at]) => (at, MbarrierKind::Invalidate),
        (["expect_tx"], [at, bytes]) => (at, MbarrierKind::Expect(decoder.source(bytes, COUNT)?)),
        (["arrive"], [state, at, count @ ..]) if count.len() <= 1 => {
            let state = decoder.destination(state, 64)?;
            let count = count.first().map(|count| decoder.source(count, COUNT)).transpose()?;
            (at, MbarrierKind::Arrive { state, count, bytes: None })
        }
        (["arrive", "expect_tx"], [state, at, bytes]) => {
            let state = decoder.destination(state, 64)?;
            let bytes = Some(decoder.source(bytes, COUNT)?);
            (at, MbarrierKind::Arrive { state, count: None, bytes })
        }
        // For how long a thread may sleep meanwhile can follow.
        (["test_wait"], [done, at, phase]) | (["try_wait"], [done, at, phase] | [done, at, phase, _]) => {
            let Operand::Name(done) = done else { return Err(decoder.unknown()) };
            let done = decoder.predicate_register(done)?;
            (at, MbarrierKind::Test { done, state: decoder.source(phase, OBJECT)? })
        }
        (["test_wait", "parity"], [done, at, phase])
        | (["try_wait", "parity"], [done, at, phase] | [done, at, phase, _]) => {
            let Operand::Name(done) = done else { return Err(decoder.unknown()) };
            let done = decoder.predicate_register(done)?;
            (at, MbarrierKind::TestParity { done, parity: decoder.source(phase, COUNT)? })
        }
        _ => return Err(decoder.unknown()),
    };
    if !is_shared {
        return Err(decoder.unknown());
    }
    let access = access(decoder, &Manner::of(Memory::Shared), at, OBJECT)?;
    Ok(Action::Mbarrier(Box::new(Mbarrier { access, kind })))
}
