//! Scalar video instructions: arithmetic of bytes, halves or words that operands pick, and a second operation on the result.
//!
//! `vadd.dtype.atype.btype{.sat} d, a{.b1}, b{.h0};`, `….op2 d, a, b, c;` and `… d.b2, a, b, c;`.

use super::decoder::{Decoded, Decoder, Place};
use super::handler::Handler;
use super::operation::Action;
use crate::machine::{Lanes, Operands, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};

/// A part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    shift: u32,
    bits: u32,
}

const WORD: Part = Part { shift: 0, bits: 32 };

impl Part {
    /// The part of `b0` to `b3`, `h0` and `h1`.
    fn parse(name: &str) -> Option<Self> {
        let (kind, number) = name.split_at_checked(1)?;
        let number: u32 = number.parse().ok()?;
        match (kind, number) {
            ("b", 0..4) => Some(Self { shift: 8 * number, bits: 8 }),
            ("h", 0..2) => Some(Self { shift: 16 * number, bits: 16 }),
            _ => None,
        }
    }

    fn of(self, value: u32, signed: bool) -> i64 {
        let value = value >> self.shift << (32 - self.bits);
        if signed { i64::from(value as i32 >> (32 - self.bits)) } else { (value >> (32 - self.bits)).into() }
    }

    fn code(self) -> u32 {
        (self.shift / 8) | ((self.bits / 8) << 2)
    }

    fn decode(code: u32) -> Self {
        Self { shift: (code & 3) * 8, bits: (code >> 2 & 7) * 8 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Second {
    None,
    Add,
    Min,
    Max,
    /// The result goes into a part of the third operand.
    Merge,
}

// Bits of an operation's number.
const A: u32 = 0;
const B: u32 = 5;
const D: u32 = 10;
const SECOND: u32 = 15;
const A_SIGNED: u32 = 1 << 18;
const B_SIGNED: u32 = 1 << 19;
const SIGNED: u32 = 1 << 20;
const SATURATE: u32 = 1 << 21;
const WRAP: u32 = 1 << 22;
const NEGATE_PRODUCT: u32 = 1 << 23;
const NEGATE_ADDEND: u32 = 1 << 24;
const PLUS_ONE: u32 = 1 << 25;
const SHIFT: u32 = 26;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    if decoder.parts[0] == "vmad" {
        return multiply_add(decoder);
    }
    let name = decoder.parts[0];
    let is_shift = matches!(name, "vshl" | "vshr");
    let mut types = Vec::new();
    let mut x = 0;
    let (mut second, mut comparison, mut mode) = (Second::None, None, false);
    for part in decoder.modifiers(0)? {
        match *part {
            "u32" => types.push(false),
            "s32" => types.push(true),
            "sat" if name != "vset" => x |= SATURATE,
            "wrap" | "clamp" if is_shift => {
                mode = true;
                x |= if *part == "wrap" { WRAP } else { 0 };
            }
            "add" => second = Second::Add,
            "min" => second = Second::Min,
            "max" => second = Second::Max,
            part @ ("eq" | "ne" | "lt" | "le" | "gt" | "ge") if name == "vset" => comparison = Some(part),
            _ => return Err(decoder.unknown()),
        }
    }
    let (signed, a_signed, b_signed) = match (types.as_slice(), name) {
        (&[a, b], "vset") => (false, a, b),
        (&[d, a, b], _) if name != "vset" => (d, a, b),
        _ => return Err(decoder.unknown()),
    };
    let handler = decoder.known(handler(name, comparison))?;
    if is_shift && (!mode || b_signed) {
        return Err(decoder.unknown());
    }
    let (d, a, b, c) = match decoder.operands() {
        [d, a, b] => (d, a, b, None),
        [d, a, b, c] => (d, a, b, Some(c)),
        _ => return Err(decoder.unknown()),
    };
    let (d, part) = result(decoder, d)?;
    if part != WORD {
        second = Second::Merge;
    }
    if c.is_some() != (second != Second::None) {
        return Err(decoder.error("a third operand without a use, or a use of one that isn't there"));
    }
    let ((a, a_part), (b, b_part)) = (source(decoder, a)?, source(decoder, b)?);
    let c = match c {
        Some(c) => decoder.source(c, Type::Bits(32))?,
        None => a,
    };
    x |= a_part.code() << A | b_part.code() << B | part.code() << D | (second as u32) << SECOND;
    x |= flag(signed, SIGNED) | flag(a_signed, A_SIGNED) | flag(b_signed, B_SIGNED);
    Ok(Action::Compute(handler, Operands { d, a, b, c, x, ..Operands::default() }))
}

fn flag(set: bool, bit: u32) -> u32 {
    if set { bit } else { 0 }
}

/// A register and the part of it that a selector picks.
fn source<'s>(decoder: &mut Decoder<'_, 's>, operand: &Operand<'s>) -> Result<(Slot, Part), ParseError> {
    if let Operand::Name(name) = operand
        && let Some((register, part)) = name.rsplit_once('.')
        && let Some(part) = Part::parse(part)
    {
        return Ok((decoder.source(&Operand::Name(register), Type::Bits(32))?, part));
    }
    Ok((decoder.source(operand, Type::Bits(32))?, WORD))
}

fn result<'s>(decoder: &mut Decoder<'_, 's>, operand: &Operand<'s>) -> Result<(Slot, Part), ParseError> {
    if let Operand::Name(name) = operand
        && let Some((register, part)) = name.rsplit_once('.')
        && let Some(part) = Part::parse(part)
    {
        return Ok((decoder.destination(&Operand::Name(register), 32)?, part));
    }
    Ok((decoder.destination(operand, 32)?, WORD))
}

fn handler(name: &str, comparison: Option<&str>) -> Option<Handler> {
    macro_rules! of {
        ($f:expr) => {{
            let handler: Handler = |lanes, o, mask| run(lanes, o, mask, $f);
            Some(handler)
        }};
    }
    match (name, comparison) {
        ("vadd", _) => of!(|a, b, _| a + b),
        ("vsub", _) => of!(|a, b, _| a - b),
        ("vabsdiff", _) => of!(|a, b, _| (a - b).abs()),
        ("vmin", _) => of!(|a, b, _| a.min(b)),
        ("vmax", _) => of!(|a, b, _| a.max(b)),
        ("vshl", _) => of!(|a, b, x| a << shift_amount(b, x)),
        ("vshr", _) => of!(|a, b, x| a >> shift_amount(b, x)),
        ("vset", Some("eq")) => of!(|a, b, _| (a == b).into()),
        ("vset", Some("ne")) => of!(|a, b, _| (a != b).into()),
        ("vset", Some("lt")) => of!(|a, b, _| (a < b).into()),
        ("vset", Some("le")) => of!(|a, b, _| (a <= b).into()),
        ("vset", Some("gt")) => of!(|a, b, _| (a > b).into()),
        ("vset", Some("ge")) => of!(|a, b, _| (a >= b).into()),
        _ => None,
    }
}

fn shift_amount(amount: i64, x: u32) -> i64 {
    if x & WRAP != 0 { amount & 31 } else { amount.clamp(0, 32) }
}

/// A value within what a number of so many bits can be.
fn saturated(value: i64, bits: u32, signed: bool) -> i64 {
    if signed {
        value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        value.clamp(0, (1 << bits) - 1)
    }
}

fn run(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, f: impl Fn(i64, i64, u32) -> i64) {
    let x = o.x;
    let (a_part, b_part, part) = (Part::decode(x >> A), Part::decode(x >> B), Part::decode(x >> D));
    let signed = x & SIGNED != 0;
    lanes.map3::<u32, u32, u32, u32>(o, mask, |a, b, c| {
        let value = f(a_part.of(a, x & A_SIGNED != 0), b_part.of(b, x & B_SIGNED != 0), x);
        let value = if x & SATURATE != 0 { saturated(value, part.bits, signed) } else { value };
        let pair = |f: fn(i64, i64) -> i64| f(WORD.of(value as u32, signed), WORD.of(c, signed)) as u32;
        match x >> SECOND & 7 {
            1 => (value as u32).wrapping_add(c),
            2 => pair(i64::min),
            3 => pair(i64::max),
            4 => {
                let bits = (((1_u64 << part.bits) - 1) << part.shift) as u32;
                (c & !bits) | ((value as u32) << part.shift & bits)
            }
            _ => value as u32,
        }
    });
}

/// `vmad.dtype.atype.btype{.sat}{.shr7|.shr15} d, {-}a{.b0}, {-}b{.h1}, {-}c;`, with `.po` one more.
fn multiply_add(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let mut types = Vec::new();
    let mut x = 0;
    for part in decoder.modifiers(0)? {
        match *part {
            "u32" => types.push(false),
            "s32" => types.push(true),
            "sat" => x |= SATURATE,
            "po" => x |= PLUS_ONE,
            "shr7" => x |= 1 << SHIFT,
            "shr15" => x |= 2 << SHIFT,
            _ => return Err(decoder.unknown()),
        }
    }
    let &[_, a_signed, b_signed] = types.as_slice() else { return Err(decoder.unknown()) };
    let [d, a, b, c] = decoder.exactly()?;
    let d = decoder.destination(d, 32)?;
    let factor = |decoder: &mut Decoder<'_, '_>, operand: &Operand<'_>| match operand {
        Operand::Negated(name) => {
            let (name, part) = match name.rsplit_once('.').map(|(name, part)| (name, Part::parse(part))) {
                Some((name, Some(part))) => (name, part),
                _ => (*name, WORD),
            };
            Ok::<_, ParseError>((register(decoder, name)?, part, true))
        }
        Operand::Name(name) => {
            let (name, part) = match name.rsplit_once('.').map(|(name, part)| (name, Part::parse(part))) {
                Some((name, Some(part))) => (name, part),
                _ => (*name, WORD),
            };
            Ok((register(decoder, name)?, part, false))
        }
        Operand::Number(crate::parse::syntax::Number::Integer(value)) => {
            Ok((decoder.constant(32, *value), WORD, false))
        }
        _ => Err(decoder.unknown()),
    };
    let (a, a_part, negates_a) = factor(decoder, a)?;
    let (b, b_part, negates_b) = factor(decoder, b)?;
    let (c, _, negates_c) = factor(decoder, c)?;
    x |= a_part.code() << A | b_part.code() << B | flag(a_signed, A_SIGNED) | flag(b_signed, B_SIGNED);
    x |= flag(negates_a != negates_b, NEGATE_PRODUCT) | flag(negates_c, NEGATE_ADDEND);
    let is_signed = a_signed || b_signed || negates_a || negates_b || negates_c;
    x |= flag(is_signed, SIGNED);
    let handler: Handler = |lanes, o, mask| {
        let x = o.x;
        let (a_part, b_part) = (Part::decode(x >> A), Part::decode(x >> B));
        let signed = x & SIGNED != 0;
        let shift = [0, 7, 15, 0][(x >> SHIFT & 3) as usize];
        lanes.map3::<u32, u32, u32, u32>(o, mask, |a, b, c| {
            let product =
                i128::from(a_part.of(a, x & A_SIGNED != 0)) * i128::from(b_part.of(b, x & B_SIGNED != 0));
            let product = if x & NEGATE_PRODUCT != 0 { -product } else { product };
            let addend = i128::from(WORD.of(c, signed));
            let addend = if x & NEGATE_ADDEND != 0 { -addend } else { addend };
            let sum = product + addend + i128::from(x & PLUS_ONE != 0);
            let sum = sum >> shift;
            if x & SATURATE == 0 {
                return sum as u32;
            }
            let (least, most) =
                if signed { (i32::MIN.into(), i32::MAX.into()) } else { (0, u32::MAX.into()) };
            sum.clamp(least, most) as u32
        });
    };
    Ok(Action::Compute(handler, Operands { d, a, b, c, x, ..Operands::default() }))
}

fn register(decoder: &mut Decoder<'_, '_>, name: &str) -> Result<Slot, ParseError> {
    match decoder.known_place(name)? {
        Place::Register { bits: 32, index } => Ok(Slot(index)),
        _ => Err(decoder.error(format!("`{name}` isn't a register of 32 bits"))),
    }
}
