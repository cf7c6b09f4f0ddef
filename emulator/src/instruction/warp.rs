//! Operations between the lanes of a warp.

use super::access::AtomicKind;
use super::atomic::kind;
use super::decoder::{Decoded, Decoder};
use super::operation::{Action, Vote, Warp, WarpKind};
use crate::machine::{Predicate, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let mut warp = Warp {
        kind: WarpKind::ActiveMask,
        members: None,
        d: Slot::default(),
        p: None,
        a: Slot::default(),
        b: Slot::default(),
        c: Slot::default(),
        source: Predicate::FALSE,
        matrix: None,
    };
    let parts = decoder.parts.clone();
    match parts.as_slice() {
        ["activemask", "b32"] => {
            let [d] = decoder.exactly()?;
            warp.d = decoder.destination(d, 32)?;
        }
        ["shfl", "sync", mode, "b32"] => {
            warp.kind = shuffle(decoder, mode)?;
            let [d, a, b, c, members] = decoder.exactly()?;
            warp.members = Some(decoder.source(members, Type::Bits(32))?);
            shuffled(decoder, &mut warp, [d, a, b, c])?;
        }
        ["shfl", mode, "b32"] => {
            warp.kind = shuffle(decoder, mode)?;
            let [d, a, b, c] = decoder.exactly()?;
            shuffled(decoder, &mut warp, [d, a, b, c])?;
        }
        ["vote", "sync", mode, ty] => {
            let [d, source, members] = decoder.exactly()?;
            warp.members = Some(decoder.source(members, Type::Bits(32))?);
            voted(decoder, &mut warp, mode, ty, d, source)?;
        }
        ["vote", mode, ty] => {
            let [d, source] = decoder.exactly()?;
            voted(decoder, &mut warp, mode, ty, d, source)?;
        }
        ["match", how @ ("any" | "all"), "sync", ty] => {
            let ty = decoder.known(Type::parse(ty).filter(|ty| matches!(ty, Type::Bits(32 | 64))))?;
            let wide = ty.bits() == 64;
            let [d, a, members] = decoder.exactly()?;
            if *how == "any" {
                warp.kind = WarpKind::MatchAny { wide };
                warp.d = decoder.destination(d, 32)?;
            } else {
                warp.kind = WarpKind::MatchAll { wide };
                with_predicate(decoder, &mut warp, d)?;
            }
            warp.a = decoder.source(a, ty)?;
            warp.members = Some(decoder.source(members, Type::Bits(32))?);
        }
        ["redux", "sync", operation, ty] => {
            let ty = decoder.known(Type::parse(ty).filter(|ty| ty.bits() == 32 && !ty.is_float()))?;
            let operation = decoder.known(kind(operation))?;
            let is_logic = matches!(operation, AtomicKind::And | AtomicKind::Or | AtomicKind::Xor);
            let is_arithmetic = matches!(operation, AtomicKind::Add | AtomicKind::Min | AtomicKind::Max);
            if is_logic != matches!(ty, Type::Bits(_)) || !(is_logic || is_arithmetic) {
                return Err(decoder.unknown());
            }
            warp.kind = WarpKind::Reduce(operation, ty);
            let [d, a, members] = decoder.exactly()?;
            warp.d = decoder.destination(d, 32)?;
            warp.a = decoder.source(a, ty)?;
            warp.members = Some(decoder.source(members, Type::Bits(32))?);
        }
        ["elect", "sync"] => {
            warp.kind = WarpKind::Elect;
            let [d, members] = decoder.exactly()?;
            with_predicate(decoder, &mut warp, d)?;
            warp.members = Some(decoder.source(members, Type::Bits(32))?);
        }
        _ => return Err(decoder.unknown()),
    }
    Ok(Action::Warp(Box::new(warp)))
}

fn shuffle(decoder: &Decoder<'_, '_>, mode: &str) -> Result<WarpKind, ParseError> {
    decoder.known(match mode {
        "up" => Some(WarpKind::ShuffleUp),
        "down" => Some(WarpKind::ShuffleDown),
        "bfly" => Some(WarpKind::ShuffleXor),
        "idx" => Some(WarpKind::ShuffleIndex),
        _ => None,
    })
}

/// A result with or without a predicate behind a bar.
fn with_predicate<'s>(
    decoder: &mut Decoder<'_, 's>,
    warp: &mut Warp,
    d: &Operand<'s>,
) -> Result<(), ParseError> {
    match d {
        Operand::Pair(d, p) => {
            warp.d = decoder.destination(&Operand::Name(d), 32)?;
            warp.p = Some(decoder.predicate_register(p)?);
        }
        d => warp.d = decoder.destination(d, 32)?,
    }
    Ok(())
}

fn shuffled<'s>(
    decoder: &mut Decoder<'_, 's>,
    warp: &mut Warp,
    operands: [&Operand<'s>; 4],
) -> Result<(), ParseError> {
    let [d, a, b, c] = operands;
    with_predicate(decoder, warp, d)?;
    warp.a = decoder.source(a, Type::Bits(32))?;
    warp.b = decoder.source(b, Type::Bits(32))?;
    warp.c = decoder.source(c, Type::Bits(32))?;
    Ok(())
}

fn voted<'s>(
    decoder: &mut Decoder<'_, 's>,
    warp: &mut Warp,
    mode: &str,
    ty: &str,
    d: &Operand<'s>,
    source: &Operand<'s>,
) -> Result<(), ParseError> {
    let vote = match (mode, ty) {
        ("all", "pred") => Vote::All,
        ("any", "pred") => Vote::Any,
        ("uni", "pred") => Vote::Uniform,
        ("ballot", "b32") => Vote::Ballot,
        _ => return Err(decoder.unknown()),
    };
    warp.kind = WarpKind::Vote(vote);
    warp.source = decoder.predicate(source)?;
    match d {
        d if vote == Vote::Ballot => warp.d = decoder.destination(d, 32)?,
        Operand::Name(p) => warp.p = Some(decoder.predicate_register(p)?),
        _ => return Err(decoder.unknown()),
    }
    Ok(())
}
