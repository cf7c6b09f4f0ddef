//! Arithmetic of 16-bit floats, alone and in pairs.
//!
//! Sums, differences, products and fused sums are computed in 64 bits, where they are exact or nearly so, and rounded once
//! to odd before they are rounded to 16 bits: that gives what one exact rounding would.

use half::{bf16, f16};

use super::access::AtomicKind;
use super::decoder::{Decoded, Decoder};
use super::directed::{self, Rounding};
use super::handler::Handler;
use super::operation::Action;
use super::single;
use crate::machine::{Lane, Lanes, Operands};
use crate::parse::syntax::Type;

const FLUSH: u32 = 1;
const SATURATE: u32 = 2;
const RELU: u32 = 4;
const NAN: u32 = 8;
/// The result has the sign of the product.
const XORSIGN: u32 = 16;

/// A 16-bit format.
trait Format {
    fn widen(bits: u16) -> f64;
    fn round(value: f64) -> u16;
    const NAN: u16;
    const LEAST_NORMAL: f64;
}

struct Ieee;
struct Brain;

impl Format for Ieee {
    fn widen(bits: u16) -> f64 {
        f16::from_bits(bits).to_f64()
    }

    fn round(value: f64) -> u16 {
        directed::to_half(value, Rounding::Nearest)
    }

    const NAN: u16 = 0x7fff;
    const LEAST_NORMAL: f64 = 6.103_515_625e-5;
}

impl Format for Brain {
    fn widen(bits: u16) -> f64 {
        bf16::from_bits(bits).to_f64()
    }

    fn round(value: f64) -> u16 {
        directed::to_brain(value, Rounding::Nearest)
    }

    const NAN: u16 = 0x7fff;
    const LEAST_NORMAL: f64 = 1.175_494_350_822_287_5e-38;
}

/// `a + b` rounded to odd: a second rounding to fewer bits is then as good as one.
fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() || sum == 0.0 {
        return sum;
    }
    let c = sum - a;
    let error = (a - (sum - c)) + (b - c);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    if (error > 0.0) == (sum > 0.0) {
        f64::from_bits(sum.to_bits() + 1)
    } else {
        f64::from_bits(sum.to_bits() - 1)
    }
}

type Wide = fn(f64, f64, f64) -> f64;

fn least(a: f64, b: f64, _: f64) -> f64 {
    if a == b { if a.is_sign_negative() { a } else { b } } else { a.min(b) }
}

fn greatest(a: f64, b: f64, _: f64) -> f64 {
    if a == b { if a.is_sign_negative() { b } else { a } } else { a.max(b) }
}

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    let name = decoder.parts[0];
    let mut x = 0;
    for part in decoder.modifiers(1)? {
        x |= match *part {
            "rn" if !matches!(name, "min" | "max" | "abs" | "neg") => 0,
            "approx" if matches!(name, "ex2" | "tanh") => 0,
            "ftz" => FLUSH,
            "sat" if matches!(name, "add" | "sub" | "mul" | "fma") => SATURATE,
            "relu" if name == "fma" => RELU,
            "NaN" if matches!(name, "min" | "max") => NAN,
            "xorsign" if matches!(name, "min" | "max") => XORSIGN,
            "abs" if matches!(name, "min" | "max") => 0,
            _ => return Err(decoder.unknown()),
        };
    }
    macro_rules! handler {
        ($f:expr) => {{
            const F: Wide = $f;
            let handlers: [Handler; 4] = [
                |lanes, o, mask| scalar::<Ieee>(lanes, o, mask, F),
                |lanes, o, mask| paired::<Ieee>(lanes, o, mask, F),
                |lanes, o, mask| scalar::<Brain>(lanes, o, mask, F),
                |lanes, o, mask| paired::<Brain>(lanes, o, mask, F),
            ];
            handlers
        }};
    }
    let (sources, handlers) = match name {
        "add" => (2, handler!(|a, b, _| a + b)),
        "sub" => (2, handler!(|a, b, _| a - b)),
        "mul" => (2, handler!(|a, b, _| a * b)),
        "fma" => (3, handler!(|a, b, c| add_to_odd(a * b, c))),
        "min" => (2, handler!(least)),
        "max" => (2, handler!(greatest)),
        "ex2" => (1, handler!(|a, _, _| a.exp2())),
        "tanh" => (1, handler!(|a, _, _| a.tanh())),
        "abs" if x & FLUSH != 0 => (1, handler!(|a, _, _| a.abs())),
        "neg" if x & FLUSH != 0 => (1, handler!(|a, _, _| -a)),
        "abs" | "neg" => {
            let handler: Handler = match (name, ty) {
                ("abs", Type::HalfPair | Type::BFloatPair) => {
                    super::handler::map1!(u32 => u32, |a| a & 0x7fff_7fff)
                }
                ("abs", _) => super::handler::map1!(u16 => u16, |a| a & 0x7fff),
                (_, Type::HalfPair | Type::BFloatPair) => {
                    super::handler::map1!(u32 => u32, |a| a ^ 0x8000_8000)
                }
                _ => super::handler::map1!(u16 => u16, |a| a ^ 0x8000),
            };
            (1, [handler; 4])
        }
        _ => return Err(decoder.unknown()),
    };
    let handler = match ty {
        Type::Float(16) => handlers[0],
        Type::HalfPair => handlers[1],
        Type::BFloat => handlers[2],
        Type::BFloatPair => handlers[3],
        _ => return Err(decoder.unknown()),
    };
    match decoder.uniform_of(sources, Some(handler), ty)? {
        Action::Compute(handler, operands) => Ok(Action::Compute(handler, Operands { x, ..operands })),
        action => Ok(action),
    }
}

fn one<F: Format>(x: u32, [a, b, c]: [u16; 3], f: Wide) -> u16 {
    let flush = |value: f64| {
        if x & FLUSH != 0 && value.abs() < F::LEAST_NORMAL { 0.0_f64.copysign(value) } else { value }
    };
    let (a, b, c) = (flush(F::widen(a)), flush(F::widen(b)), flush(F::widen(c)));
    if x & NAN != 0 && (a.is_nan() || b.is_nan()) {
        return F::NAN;
    }
    let value = f(a, b, c);
    let mut value =
        if x & XORSIGN != 0 { f(a.abs(), b.abs(), c).copysign(a * 1.0_f64.copysign(b)) } else { value };
    if x & SATURATE != 0 {
        value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
    }
    if x & RELU != 0 && value < 0.0 {
        value = 0.0;
    }
    if value.is_nan() {
        return F::NAN;
    }
    F::round(flush(value))
}

fn scalar<F: Format>(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, f: Wide) {
    let (a, b, c) = (u16::read(lanes, o.a), u16::read(lanes, o.b), u16::read(lanes, o.c));
    let results = std::array::from_fn(|lane| one::<F>(o.x, [a[lane], b[lane], c[lane]], f));
    u16::write(lanes, o.d, mask, &results);
}

fn paired<F: Format>(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, f: Wide) {
    let (a, b, c) = (u32::read(lanes, o.a), u32::read(lanes, o.b), u32::read(lanes, o.c));
    let results = std::array::from_fn(|lane| {
        let low = one::<F>(o.x, [a[lane] as u16, b[lane] as u16, c[lane] as u16], f);
        let high = one::<F>(o.x, [(a[lane] >> 16) as u16, (b[lane] >> 16) as u16, (c[lane] >> 16) as u16], f);
        u32::from(high) << 16 | u32::from(low)
    });
    u32::write(lanes, o.d, mask, &results);
}

/// What an atomic makes of two halves, two pairs or two single floats.
pub(crate) fn combine(kind: AtomicKind, ty: Type, a: u32, b: u32) -> u32 {
    let f: Wide = match kind {
        AtomicKind::MinFloat => least,
        AtomicKind::MaxFloat => greatest,
        _ => |a, b, _| a + b,
    };
    let pair = |one: fn(u32, [u16; 3], Wide) -> u16| {
        let low = one(0, [a as u16, b as u16, 0], f);
        u32::from(one(0, [(a >> 16) as u16, (b >> 16) as u16, 0], f)) << 16 | u32::from(low)
    };
    match ty {
        Type::Float(16) => one::<Ieee>(0, [a as u16, b as u16, 0], f).into(),
        Type::BFloat => one::<Brain>(0, [a as u16, b as u16, 0], f).into(),
        Type::HalfPair => pair(one::<Ieee>),
        Type::BFloatPair => pair(one::<Brain>),
        _ => single::canonical(f32::from_bits(a) + f32::from_bits(b)).to_bits(),
    }
}
