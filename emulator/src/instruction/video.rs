//! SIMD video instructions, of those the one that hardware still has: distances of bytes.

use super::decoder::{Decoded, Decoder};
use super::map3;
use crate::parse::syntax::Type;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let handler = match decoder.parts.as_slice() {
        // All lanes are written, so that of the third operand none is left.
        ["vabsdiff4", "u32", "u32", "u32"] => {
            map3!(u32, u32, u32 => u32, |a, b, _| u32::from_le_bytes(distances(a, b)))
        }
        ["vabsdiff4", "u32", "u32", "u32", "add"] => map3!(u32, u32, u32 => u32, |a, b, c| {
            distances(a, b).iter().fold(c, |sum, &distance| sum.wrapping_add(distance.into()))
        }),
        _ => return Err(decoder.unknown()),
    };
    decoder.uniform_of(3, Some(handler), Type::Unsigned(32))
}

fn distances(a: u32, b: u32) -> [u8; 4] {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    std::array::from_fn(|byte| a[byte].abs_diff(b[byte]))
}
