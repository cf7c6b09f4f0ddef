//! Arithmetic of pairs of 16-bit integers: `add`, `min` and `max` of `u16x2` and `s16x2`.

use super::decoder::{Decoded, Decoder};
use super::handler::{Handler, map2};
use crate::parse::syntax::Type;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    let signed = ty == Type::SignedPair;
    let handler: Option<Handler> = match (decoder.parts[0], decoder.modifiers(1)?) {
        ("add", []) => Some(map2!(u32, u32 => u32, |a, b| each(a, b, u16::wrapping_add))),
        ("min", []) if signed => Some(map2!(u32, u32 => u32, |a, b| each_signed(a, b, |a, b| a.min(b)))),
        ("max", []) if signed => Some(map2!(u32, u32 => u32, |a, b| each_signed(a, b, |a, b| a.max(b)))),
        ("min", []) => Some(map2!(u32, u32 => u32, |a, b| each(a, b, |a, b| a.min(b)))),
        ("max", []) => Some(map2!(u32, u32 => u32, |a, b| each(a, b, |a, b| a.max(b)))),
        ("min", ["relu"]) if signed => {
            Some(map2!(u32, u32 => u32, |a, b| each_signed(a, b, |a, b| a.min(b).max(0))))
        }
        ("max", ["relu"]) if signed => {
            Some(map2!(u32, u32 => u32, |a, b| each_signed(a, b, |a, b| a.max(b).max(0))))
        }
        _ => None,
    };
    decoder.uniform_of(2, handler, ty)
}

fn each(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16 | u32::from(f(a as u16, b as u16))
}

fn each_signed(a: u32, b: u32, f: impl Fn(i16, i16) -> i16) -> u32 {
    each(a, b, |a, b| f(a as i16, b as i16) as u16)
}
