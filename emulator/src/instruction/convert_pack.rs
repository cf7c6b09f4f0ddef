//! `cvt.pack`: two integers saturated to few bits, and packed in front of the others of a word.

use super::decoder::{Decoded, Decoder};
use super::handler::Handler;
use super::operation::Action;
use crate::machine::Operands;
use crate::parse::syntax::Type;

const SIGNED: u32 = 1 << 8;
const UNSIGNED_SOURCE: u32 = 1 << 9;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let parts = decoder.parts.clone();
    let (to, from, has_rest) = match parts.as_slice() {
        ["cvt", "pack", "sat", to, from] => (*to, *from, false),
        ["cvt", "pack", "sat", to, from, "b32"] => (*to, *from, true),
        _ => return Err(decoder.unknown()),
    };
    let bits = match (to, has_rest) {
        ("u16" | "s16", _) => 16,
        ("u8" | "s8", true) => 8,
        ("u4" | "s4", true) => 4,
        ("u2" | "s2", true) => 2,
        _ => return Err(decoder.unknown()),
    };
    let x = bits
        | if to.starts_with('s') { SIGNED } else { 0 }
        | match from {
            "s32" => 0,
            "u32" => UNSIGNED_SOURCE,
            _ => return Err(decoder.unknown()),
        };
    let word = Type::Bits(32);
    let (d, a, b, c) = match decoder.operands() {
        [d, a, b] if !has_rest => (d, a, b, None),
        [d, a, b, c] if has_rest => (d, a, b, Some(c)),
        _ => return Err(decoder.unknown()),
    };
    let d = decoder.destination(d, 32)?;
    let (a, b) = (decoder.source(a, word)?, decoder.source(b, word)?);
    let c = match c {
        Some(c) => decoder.source(c, word)?,
        None => decoder.constant(32, 0),
    };
    let handler: Handler = |lanes, o, mask| {
        let x = o.x;
        let bits = x & 0xff;
        let (least, most) = if x & SIGNED != 0 {
            (-(1_i64 << (bits - 1)), (1_i64 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        };
        let narrow = |value: u32| {
            let value = if x & UNSIGNED_SOURCE != 0 { i64::from(value) } else { i64::from(value as i32) };
            value.clamp(least, most) as u64 & ((1 << bits) - 1)
        };
        lanes.map3::<u32, u32, u32, u32>(o, mask, |a, b, c| {
            (u64::from(c) << (2 * bits) | narrow(a) << bits | narrow(b)) as u32
        });
    };
    Ok(Action::Compute(handler, Operands { d, a, b, c, x, ..Operands::default() }))
}
