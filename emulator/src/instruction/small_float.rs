//! Conversions to and from floats of 8 bits, which come in pairs: `e4m3x2` and `e5m2x2`.

use super::decoder::{Decoded, Decoder};
use super::directed::{self, Rounding};
use super::handler::Handler;
use super::operation::Action;
use crate::machine::{Lane, Lanes, Operands};
use crate::parse::syntax::Type;

const RELU: u32 = 1;
/// The format of five bits of exponent.
const E5M2: u32 = 2;

pub(super) fn is_small(part: &str) -> bool {
    matches!(part, "e4m3x2" | "e5m2x2")
}

/// Decodes `cvt` where one of the last two parts is a small format.
pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let mut x = 0;
    let mut formats = Vec::new();
    let (mut nearest, mut saturates) = (false, false);
    for part in decoder.modifiers(0)? {
        match *part {
            "rn" => nearest = true,
            "satfinite" => saturates = true,
            "relu" => x |= RELU,
            part if is_small(part) || Type::parse(part).is_some() => formats.push(part),
            _ => return Err(decoder.unknown()),
        }
    }
    let &[to, from] = formats.as_slice() else { return Err(decoder.unknown()) };
    if !nearest || (is_small(to) && !saturates) {
        return Err(decoder.unknown());
    }
    if to == "e5m2x2" || from == "e5m2x2" {
        x |= E5M2;
    }
    let mut operands = Operands { x, ..Operands::default() };
    let handler: Handler = match (to, from) {
        (_, "f32") if is_small(to) => {
            let [d, a, b] = decoder.exactly()?;
            operands.d = decoder.destination(d, 16)?;
            operands.a = decoder.source(a, Type::Float(32))?;
            operands.b = decoder.source(b, Type::Float(32))?;
            from_singles
        }
        (_, "f16x2" | "bf16x2") if is_small(to) => {
            let [d, a] = decoder.exactly()?;
            operands.d = decoder.destination(d, 16)?;
            operands.a = decoder.source(a, Type::Bits(32))?;
            if from == "f16x2" { from_halves } else { from_brains }
        }
        ("f16x2" | "bf16x2", _) if is_small(from) => {
            let [d, a] = decoder.exactly()?;
            operands.d = decoder.destination(d, 32)?;
            operands.a = decoder.source(a, Type::Bits(16))?;
            if to == "f16x2" { to_halves } else { to_brains }
        }
        _ => return Err(decoder.unknown()),
    };
    Ok(Action::Compute(handler, operands))
}

/// The exponent's bias, the bits of the fraction and the bits of the largest finite value.
fn format(x: u32) -> (i32, i32, u8) {
    if x & E5M2 != 0 { (15, 2, 0x7b) } else { (7, 3, 0x7e) }
}

/// The nearest value of a format; the largest one where there is none.
fn narrowed(value: f64, x: u32) -> u8 {
    let (bias, fraction, most) = format(x);
    if value.is_nan() {
        return 0x7f;
    }
    if x & RELU != 0 && value <= 0.0 {
        return 0;
    }
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return sign;
    }
    if magnitude.is_infinite() {
        return sign | most;
    }
    // Zero and denormals of a double are far below the least value of any small format.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    let units = (magnitude * 2_f64.powi(fraction - exponent)).round_ties_even();
    let code = units + f64::from((exponent + bias - 1) << fraction);
    sign | if code >= f64::from(most) { most } else { code as u8 }
}

fn widened(code: u8, x: u32) -> f64 {
    if x & E5M2 != 0 { from_e5m2(code) } else { from_e4m3(code) }
}

/// A float of 4 bits of exponent and 3 of fraction, which has no infinities.
pub(crate) fn from_e4m3(code: u8) -> f64 {
    let (bias, fraction, _) = format(0);
    let magnitude = i32::from(code & 0x7f);
    let (exponent, part) = (magnitude >> fraction, magnitude & ((1 << fraction) - 1));
    let value = match (exponent, part) {
        (15, 7) => f64::NAN,
        (0, _) => f64::from(part) * 2_f64.powi(1 - bias - fraction),
        _ => f64::from(part + (1 << fraction)) * 2_f64.powi(exponent - bias - fraction),
    };
    if code & 0x80 != 0 { -value } else { value }
}

/// The upper half of a 16-bit float.
pub(crate) fn from_e5m2(code: u8) -> f64 {
    half::f16::from_bits(u16::from(code) << 8).to_f64()
}

fn pair(high: f64, low: f64, x: u32) -> u16 {
    u16::from(narrowed(high, x)) << 8 | u16::from(narrowed(low, x))
}

fn from_singles(lanes: &mut Lanes<'_>, o: &Operands, mask: u32) {
    lanes.map2::<f32, f32, u16>(o, mask, |a, b| pair(a.into(), b.into(), o.x));
}

fn from_halves(lanes: &mut Lanes<'_>, o: &Operands, mask: u32) {
    let value = |bits: u32| half::f16::from_bits(bits as u16).to_f64();
    lanes.map1::<u32, u16>(o, mask, |a| pair(value(a >> 16), value(a), o.x));
}

fn from_brains(lanes: &mut Lanes<'_>, o: &Operands, mask: u32) {
    let value = |bits: u32| half::bf16::from_bits(bits as u16).to_f64();
    lanes.map1::<u32, u16>(o, mask, |a| pair(value(a >> 16), value(a), o.x));
}

fn to_halves(lanes: &mut Lanes<'_>, o: &Operands, mask: u32) {
    widen_pairs(lanes, o, mask, |value| directed::to_half(value, Rounding::Nearest));
}

fn to_brains(lanes: &mut Lanes<'_>, o: &Operands, mask: u32) {
    widen_pairs(lanes, o, mask, |value| directed::to_brain(value, Rounding::Nearest));
}

fn widen_pairs(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, bits: impl Fn(f64) -> u16) {
    let one = |code: u8| {
        let value = widened(code, o.x);
        if value.is_nan() {
            return 0x7fff;
        }
        bits(if o.x & RELU != 0 { value.max(0.0) } else { value })
    };
    let rows = u16::read(lanes, o.a);
    let results = rows.map(|a| u32::from(one((a >> 8) as u8)) << 16 | u32::from(one(a as u8)));
    u32::write(lanes, o.d, mask, &results);
}

#[cfg(test)]
mod tests {
    use super::{E5M2, narrowed, widened};

    #[test]
    fn every_value_of_a_format_is_its_own_nearest() {
        for x in [0, E5M2] {
            for code in 0..=u8::MAX {
                let value = widened(code, x);
                if value.is_finite() {
                    assert_eq!(narrowed(value, x), code, "{value}");
                }
            }
        }
    }

    #[test]
    fn values_are_rounded_to_the_nearest_and_to_the_largest() {
        assert_eq!(narrowed(0.40625, 0), 0x2d);
        assert_eq!(narrowed(f64::from(12.9_f32), 0), 0x55);
        assert_eq!(narrowed(449.0, 0), 0x7e);
        assert_eq!(narrowed(1e9, 0), 0x7e);
        assert_eq!(narrowed(f64::NEG_INFINITY, E5M2), 0xfb);
        assert_eq!(narrowed(2_f64.powi(-10), 0), 0);
        assert_eq!(narrowed(1.5 * 2_f64.powi(-10), 0), 1);
    }
}
