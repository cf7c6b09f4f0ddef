//! Stores and reductions that a barrier in workgroup memory counts: `st.async` and `red.async`.
//!
//! They are done at once, which is one of the times at which they may be: who doesn't wait for the barrier isn't found here.

use super::access::{AtomicKind, Memory};
use super::atomic::kind;
use super::decoder::{Decoded, Decoder};
use super::memory::{Manner, access};
use super::operation::{Action, Atomic, Mbarrier, MbarrierKind};
use crate::parse::syntax::{Operand, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    let is_store = decoder.parts[0] == "st";
    let (mut count, mut operation, mut is_counted) = (1, None, false);
    for part in decoder.modifiers(1)? {
        match *part {
            "async" | "weak" | "relaxed" | "cluster" | "shared::cluster" | "shared" => {}
            "mbarrier::complete_tx::bytes" => is_counted = true,
            "v2" if is_store => count = 2,
            "v4" if is_store => count = 4,
            part if !is_store && operation.is_none() => operation = Some(decoder.known(kind(part))?),
            _ => return Err(decoder.unknown()),
        }
    }
    let [at, value, barrier] = decoder.exactly()?;
    if !is_counted || !matches!(ty.bits(), 32 | 64) || is_store == operation.is_some() {
        return Err(decoder.unknown());
    }
    let mut manner = Manner::atomic();
    manner.memory = Memory::Shared;
    let mut target = access(decoder, &manner, at, ty)?;
    let action = match operation {
        None => {
            let values = match value {
                Operand::Vector(values) => values.as_slice(),
                value => std::slice::from_ref(value),
            };
            if values.len() != count {
                return Err(decoder.error(format!("{} values where the opcode says {count}", values.len())));
            }
            for value in values {
                target.values.push(decoder.wide_source(value, ty)?);
            }
            Action::Store(Box::new(target))
        }
        Some(kind @ (AtomicKind::Exchange | AtomicKind::Compare)) => {
            return Err(decoder.error(format!("`red.async` with {kind:?}")));
        }
        Some(kind) => {
            if ty.is_float() {
                return Err(decoder.unknown());
            }
            let b = decoder.source(value, ty)?;
            Action::Atomic(Box::new(Atomic { access: target, kind, element: ty, result: None, b, c: b }))
        }
    };
    decoder.push(action)?;
    let bytes = decoder.constant(32, u64::from(ty.bytes()) * count as u64);
    let access = access(decoder, &Manner::of(Memory::Shared), barrier, Type::Bits(64))?;
    Ok(Action::Mbarrier(Box::new(Mbarrier { access, kind: MbarrierKind::Complete(bytes) })))
}
