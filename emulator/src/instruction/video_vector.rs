//! SIMD video instructions: `vadd2`, `vadd4` and the like on two halves or four bytes of a word, which selectors may pick from two.
//!
//! `vadd4.dtype.atype.btype{.sat|.add} d{.mask}, a{.selectors}, b{.selectors}, c;`: without `.add` the lanes that the mask leaves out
//! are those of `c`, with it the sum of the lanes in the mask is added to `c`.

use super::decoder::{Decoded, Decoder};
use super::handler::Handler;
use super::operation::Action;
use crate::machine::{Lanes, Operands, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};

// Bits of an operation's number. The selectors are in rows of constants of their own.
const MASK: u32 = 0;
const FOUR: u32 = 1 << 4;
const A_SIGNED: u32 = 1 << 5;
const B_SIGNED: u32 = 1 << 6;
const SIGNED: u32 = 1 << 7;
const SATURATE: u32 = 1 << 8;
const ADD: u32 = 1 << 9;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let Some((name, count)) = decoder.parts[0].split_at_checked(decoder.parts[0].len() - 1) else {
        return Err(decoder.unknown());
    };
    let lanes = if count == "4" { 4 } else { 2 };
    let mut types = Vec::new();
    let mut x = if lanes == 4 { FOUR } else { 0 };
    let mut comparison = None;
    for part in decoder.modifiers(0)? {
        match *part {
            "u32" => types.push(false),
            "s32" => types.push(true),
            "sat" if name != "vset" => x |= SATURATE,
            "add" => x |= ADD,
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
    let [d, a, b, c] = decoder.exactly()?;
    let (d, mask) = split(decoder, d, lanes)?;
    let d = decoder.destination(&d, 32)?;
    let mask = mask.map_or(0xf, |picks| picks.iter().fold(0, |mask, pick| mask | 1 << pick));
    let own = if lanes == 4 { [0, 1, 2, 3] } else { [0, 1, 0, 0] };
    let other = if lanes == 4 { [4, 5, 6, 7] } else { [2, 3, 0, 0] };
    let (a, a_picks) = split(decoder, a, lanes)?;
    let (b, b_picks) = split(decoder, b, lanes)?;
    let (a, b) = (decoder.source(&a, Type::Bits(32))?, decoder.source(&b, Type::Bits(32))?);
    let c = decoder.source(c, Type::Bits(32))?;
    // Lanes are picked into temporary rows first: selectors of either operand reach both.
    let [a, b] = [
        picked(decoder, [a, b], a_picks.as_deref(), own, lanes)?,
        picked(decoder, [a, b], b_picks.as_deref(), other, lanes)?,
    ];
    x |= (mask << MASK)
        | if signed { SIGNED } else { 0 }
        | if a_signed { A_SIGNED } else { 0 }
        | if b_signed { B_SIGNED } else { 0 };
    Ok(Action::Compute(handler, Operands { d, a, b, c, x, ..Operands::default() }))
}

/// A register, and the lanes that a mask or selectors name, from the lowest: `%r1.b7531` are 1, 3, 5, 7.
fn split<'s>(
    decoder: &Decoder<'_, 's>,
    operand: &Operand<'s>,
    lanes: u32,
) -> Result<(Operand<'s>, Option<Vec<u32>>), ParseError> {
    let Operand::Name(name) = operand else { return Ok((operand.clone(), None)) };
    let Some((register, picks)) = name.rsplit_once('.') else { return Ok((operand.clone(), None)) };
    let letter = if lanes == 4 { 'b' } else { 'h' };
    let digits = picks.strip_prefix(letter).ok_or_else(|| decoder.unknown())?;
    let picks: Option<Vec<u32>> =
        digits.chars().rev().map(|digit| digit.to_digit(10).filter(|digit| *digit < 2 * lanes)).collect();
    Ok((Operand::Name(register), Some(decoder.known(picks)?)))
}

fn picked(
    decoder: &mut Decoder<'_, '_>,
    [a, b]: [Slot; 2],
    picks: Option<&[u32]>,
    usual: [u32; 4],
    lanes: u32,
) -> Result<Slot, ParseError> {
    let Some(picks) = picks else {
        return Ok(if usual[0] == 0 { a } else { b });
    };
    if picks.len() != lanes as usize {
        return Err(decoder.error(format!("{} lanes are picked where there are {lanes}", picks.len())));
    }
    let x = picks.iter().rev().fold(if lanes == 4 { 1 } else { 0 }, |all, pick| all << 4 | pick);
    let d = decoder.temporary(32);
    let handler: Handler = if lanes == 4 {
        |lanes, o, mask| lanes.map2::<u32, u32, u32>(o, mask, |a, b| gathered(a, b, o.x, 8))
    } else {
        |lanes, o, mask| lanes.map2::<u32, u32, u32>(o, mask, |a, b| gathered(a, b, o.x, 16))
    };
    decoder.push(Action::Compute(handler, Operands { d, a, b, x, ..Operands::default() }))?;
    Ok(d)
}

fn gathered(a: u32, b: u32, picks: u32, bits: u32) -> u32 {
    let both = u64::from(b) << 32 | u64::from(a);
    let limit = (1_u64 << bits) - 1;
    (0..32 / bits).fold(0, |all, lane| {
        let pick = picks >> (4 * lane) & 7;
        all | ((both >> (pick * bits) & limit) << (lane * bits)) as u32
    })
}

fn handler(name: &str, comparison: Option<&str>) -> Option<Handler> {
    macro_rules! of {
        ($f:expr) => {{
            let handler: Handler = |lanes, o, mask| run(lanes, o, mask, $f);
            Some(handler)
        }};
    }
    match (name, comparison) {
        ("vadd", _) => of!(|a, b| a + b),
        ("vsub", _) => of!(|a, b| a - b),
        ("vabsdiff", _) => of!(|a, b| (a - b).abs()),
        ("vmin", _) => of!(|a, b| a.min(b)),
        ("vmax", _) => of!(|a, b| a.max(b)),
        // Halves are rounded away from zero.
        ("vavrg", _) => of!(|a, b| (a + b + i32::from(a + b >= 0)) >> 1),
        ("vset", Some("eq")) => of!(|a, b| (a == b).into()),
        ("vset", Some("ne")) => of!(|a, b| (a != b).into()),
        ("vset", Some("lt")) => of!(|a, b| (a < b).into()),
        ("vset", Some("le")) => of!(|a, b| (a <= b).into()),
        ("vset", Some("gt")) => of!(|a, b| (a > b).into()),
        ("vset", Some("ge")) => of!(|a, b| (a >= b).into()),
        _ => None,
    }
}

fn run(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, f: impl Fn(i32, i32) -> i32) {
    let x = o.x;
    let bits = if x & FOUR != 0 { 8 } else { 16 };
    let part = |value: u32, lane: u32, signed: bool| {
        let value = value >> (lane * bits) << (32 - bits);
        if signed { value as i32 >> (32 - bits) } else { (value >> (32 - bits)) as i32 }
    };
    let (least, most) =
        if x & SIGNED != 0 { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let limit = (1_u32 << bits) - 1;
    lanes.map3::<u32, u32, u32, u32>(o, mask, |a, b, c| {
        let mut result = c;
        for lane in (0..32 / bits).filter(|lane| x >> (MASK + lane) & 1 == 1) {
            let value = f(part(a, lane, x & A_SIGNED != 0), part(b, lane, x & B_SIGNED != 0));
            let value = if x & SATURATE != 0 { value.clamp(least, most) } else { value };
            if x & ADD != 0 {
                result = result.wrapping_add(value as u32);
            } else {
                result = (result & !(limit << (lane * bits))) | ((value as u32 & limit) << (lane * bits));
            }
        }
        result
    });
}
