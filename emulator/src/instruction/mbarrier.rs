//! Barriers that are objects in workgroup memory: `mbarrier`.

use super::access::Memory;
use super::decoder::{Decoded, Decoder};
use super::memory::{Manner, access};
use super::operation::{Action, Mbarrier, MbarrierKind};
use crate::machine::Operands;
use crate::parse::syntax::{Operand, Type};

/// An object's bits, of which only these instructions know what they mean.
const OBJECT: Type = Type::Bits(64);
const COUNT: Type = Type::Unsigned(32);

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let Some(["mbarrier", name @ ..]) = decoder.parts.strip_suffix(&["b64"]) else {
        return Err(decoder.unknown());
    };
    let (order, name): (Vec<&str>, Vec<&str>) = name.iter().copied().partition(|part| {
        matches!(
            *part,
            "relaxed"
                | "release"
                | "acquire"
                | "cta"
                | "cluster"
                | "shared"
                | "shared::cta"
                | "shared::cluster"
        )
    });
    let is_shared = order.iter().any(|part| part.starts_with("shared"));
    let [operation, options @ ..] = name.as_slice() else { return Err(decoder.unknown()) };
    let (mut expects, mut completes, mut by_parity) = (false, true, false);
    for option in options {
        match *option {
            "expect_tx" => expects = true,
            "noComplete" => completes = false,
            "parity" => by_parity = true,
            _ => return Err(decoder.unknown()),
        }
    }
    let operands = decoder.operands();
    let (at, kind) = match (*operation, operands) {
        ("pending_count", [d, state]) => {
            let (d, a) = (decoder.destination(d, 32)?, decoder.source(state, OBJECT)?);
            let handler = super::handler::map1!(u64 => u32, |state| state as u32 & MbarrierKind::PENDING);
            return Ok(Action::Compute(handler, Operands { d, a, ..Operands::default() }));
        }
        ("init", [at, count]) => (at, MbarrierKind::Initialise(decoder.source(count, COUNT)?)),
        ("inval", [at]) => (at, MbarrierKind::Invalidate),
        ("expect_tx", [at, bytes]) => (at, MbarrierKind::Expect(decoder.source(bytes, COUNT)?)),
        ("complete_tx", [at, bytes]) => (at, MbarrierKind::Complete(decoder.source(bytes, COUNT)?)),
        ("arrive" | "arrive_drop", [state, at, number @ ..]) if number.len() <= 1 => {
            let state = decoder.destination(state, 64)?;
            let number = number.first().map(|number| decoder.source(number, COUNT)).transpose()?;
            let (count, bytes) = if expects { (None, number) } else { (number, None) };
            if expects && number.is_none() {
                return Err(decoder.unknown());
            }
            (at, MbarrierKind::Arrive { state, count, bytes, drops: *operation == "arrive_drop", completes })
        }
        // For how long a thread may sleep meanwhile can follow.
        ("test_wait", [done, at, phase]) | ("try_wait", [done, at, phase] | [done, at, phase, _]) => {
            let Operand::Name(done) = done else { return Err(decoder.unknown()) };
            let done = decoder.predicate_register(done)?;
            let kind = if by_parity {
                MbarrierKind::TestParity { done, parity: decoder.source(phase, COUNT)? }
            } else {
                MbarrierKind::Test { done, state: decoder.source(phase, OBJECT)? }
            };
            (at, kind)
        }
        _ => return Err(decoder.unknown()),
    };
    let memory = if is_shared { Memory::Shared } else { Memory::Generic };
    let access = access(decoder, &Manner::of(memory), at, OBJECT)?;
    Ok(Action::Mbarrier(Box::new(Mbarrier { access, kind })))
}

/// `cp.async.mbarrier.arrive`: the thread's copies come at once, and it arrives. Without `noinc` the arrival is counted beforehand, so
/// that nothing changes but what is known to have come.
pub(super) fn arrive_with_copies(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let parts = decoder.parts.clone();
    let Some(rest) = parts.strip_prefix(&["cp", "async", "mbarrier", "arrive"]) else {
        return Err(decoder.unknown());
    };
    let (mut is_counted, mut memory) = (true, Memory::Generic);
    for part in rest {
        match *part {
            "noinc" => is_counted = false,
            "shared" | "shared::cta" => memory = Memory::Shared,
            "b64" => {}
            _ => return Err(decoder.unknown()),
        }
    }
    let [at] = decoder.exactly()?;
    decoder.push(Action::WaitForCopies(None))?;
    let count = is_counted.then(|| decoder.constant(32, 0));
    let state = decoder.temporary(64);
    let access = access(decoder, &Manner::of(memory), at, OBJECT)?;
    let kind = MbarrierKind::Arrive { state, count, bytes: None, drops: false, completes: true };
    Ok(Action::Mbarrier(Box::new(Mbarrier { access, kind })))
}
