//! Arithmetic of 32- and 64-bit floats.

use super::approximate;
use super::decoder::{Decoded, Decoder};
use super::directed::{self, Rounding, Soft};
use super::handler::{Handler, handler, map1, map2, map3};
use super::operation::Action;
use super::single::{FLUSH, SATURATE, canonical, flush, saturated};
use crate::machine::{Lane, Lanes, Operands};
use crate::parse::syntax::{Operand, Type};

/// What stands between the name and the type.
#[derive(Debug, Clone, Copy, Default)]
struct Form<'s> {
    rounding: Option<Rounding>,
    approximate: bool,
    full: bool,
    flush: bool,
    saturate: bool,
    nan: bool,
    xorsign: bool,
    other: Option<&'s str>,
}

fn form<'s>(decoder: &Decoder<'_, 's>) -> Result<Form<'s>, crate::parse::ParseError> {
    let mut form = Form::default();
    for part in decoder.modifiers(1)? {
        match *part {
            "approx" => form.approximate = true,
            "full" => form.full = true,
            "ftz" => form.flush = true,
            "sat" => form.saturate = true,
            "NaN" => form.nan = true,
            "xorsign" => form.xorsign = true,
            "abs" if form.xorsign => {}
            part => match Rounding::parse(part) {
                Some(rounding) if form.rounding.is_none() => form.rounding = Some(rounding),
                _ if form.other.is_none() => form.other = Some(part),
                _ => return Err(decoder.unknown()),
            },
        }
    }
    Ok(form)
}

#[inline]
fn saturated_double(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) + 0.0 }
}

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    if decoder.parts[0] == "testp" {
        return test(decoder);
    }
    let ty = decoder.value_type()?;
    let form = form(decoder)?;
    let name = decoder.parts[0];
    let is_wide = match ty {
        Type::Float(32) => false,
        Type::Float(64) => true,
        _ => return Err(decoder.unknown()),
    };
    if form.other.is_some() || (is_wide && (form.flush && !form.approximate)) {
        return Err(decoder.unknown());
    }
    let sources = match name {
        "fma" | "mad" => 3,
        "add" | "sub" | "mul" | "div" | "min" | "max" | "copysign" => 2,
        _ => 1,
    };
    let exact = form.rounding.unwrap_or(Rounding::Nearest) == Rounding::Nearest;
    let plain = exact && !form.flush && !form.saturate;
    let handler = if is_wide { double(name, &form, exact) } else { single(name, &form, plain) };
    let action = decoder.uniform_of(sources, handler, ty)?;
    let rounding = form.rounding.unwrap_or(Rounding::Nearest).number();
    let x = rounding | if form.flush { FLUSH } else { 0 } | if form.saturate { SATURATE } else { 0 };
    match action {
        Action::Compute(handler, operands) => Ok(Action::Compute(handler, Operands { x, ..operands })),
        action => Ok(action),
    }
}

fn single(name: &str, form: &Form<'_>, plain: bool) -> Option<Handler> {
    let rounded = form.rounding.is_some();
    Some(match name {
        "add" if plain => map2!(f32, f32 => f32, |a, b| canonical(a + b)),
        "sub" if plain => map2!(f32, f32 => f32, |a, b| canonical(a - b)),
        "mul" if plain => map2!(f32, f32 => f32, |a, b| canonical(a * b)),
        "fma" | "mad" if plain && rounded => {
            map3!(f32, f32, f32 => f32, |a, b, c| canonical(a.mul_add(b, c)))
        }
        "add" => {
            handler!(|lanes, o, mask| {
                general(lanes, o, mask, |a, b, _, mode| {
                    if mode == Rounding::Nearest { a + b } else { Soft::add(a, b, mode) }
                });
            })
        }
        "sub" => {
            handler!(|lanes, o, mask| {
                general(lanes, o, mask, |a, b, _, mode| {
                    if mode == Rounding::Nearest { a - b } else { Soft::sub(a, b, mode) }
                });
            })
        }
        "mul" => {
            handler!(|lanes, o, mask| {
                general(lanes, o, mask, |a, b, _, mode| {
                    if mode == Rounding::Nearest { a * b } else { Soft::mul(a, b, mode) }
                });
            })
        }
        "fma" | "mad" if rounded => handler!(|lanes, o, mask| {
            general(lanes, o, mask, |a, b, c, mode| {
                if mode == Rounding::Nearest { a.mul_add(b, c) } else { Soft::fma(a, b, c, mode) }
            });
        }),
        "div" if rounded => {
            handler!(|lanes, o, mask| {
                general(lanes, o, mask, |a, b, _, mode| {
                    if mode == Rounding::Nearest { a / b } else { Soft::div(a, b, mode) }
                });
            })
        }
        "rcp" if rounded => handler!(|lanes, o, mask| {
            general(lanes, o, mask, |a, _, _, mode| {
                if mode == Rounding::Nearest { 1.0 / a } else { Soft::div(1.0, a, mode) }
            });
        }),
        "sqrt" if rounded => {
            handler!(|lanes, o, mask| general(lanes, o, mask, |a, _, _, mode| directed::sqrt_single(a, mode)))
        }
        name if form.approximate || (form.full && name == "div") => approximate::handler(name)?,
        "min" if form.xorsign && form.nan => handler!(|lanes, o, mask| {
            general(lanes, o, mask, |a, b, _, _| {
                with_nan(a.abs(), b.abs(), least).copysign(a * 1.0_f32.copysign(b))
            });
        }),
        "max" if form.xorsign && form.nan => handler!(|lanes, o, mask| {
            general(lanes, o, mask, |a, b, _, _| {
                with_nan(a.abs(), b.abs(), greatest).copysign(a * 1.0_f32.copysign(b))
            });
        }),
        "min" if form.xorsign => handler!(|lanes, o, mask| {
            general(lanes, o, mask, |a, b, _, _| least(a.abs(), b.abs()).copysign(a * 1.0_f32.copysign(b)));
        }),
        "max" if form.xorsign => handler!(|lanes, o, mask| {
            general(lanes, o, mask, |a, b, _, _| {
                greatest(a.abs(), b.abs()).copysign(a * 1.0_f32.copysign(b))
            });
        }),
        "min" if form.nan => {
            handler!(|lanes, o, mask| general(lanes, o, mask, |a, b, _, _| with_nan(a, b, least)))
        }
        "max" if form.nan => {
            handler!(|lanes, o, mask| general(lanes, o, mask, |a, b, _, _| with_nan(a, b, greatest)))
        }
        "min" => handler!(|lanes, o, mask| general(lanes, o, mask, |a, b, _, _| least(a, b))),
        "max" => handler!(|lanes, o, mask| general(lanes, o, mask, |a, b, _, _| greatest(a, b))),
        "abs" if form.flush => map1!(f32 => f32, |a| flush(a).abs()),
        "neg" if form.flush => map1!(f32 => f32, |a| -flush(a)),
        "abs" => map1!(u32 => u32, |a| a & 0x7fff_ffff),
        "neg" => map1!(u32 => u32, |a| a ^ 0x8000_0000),
        "copysign" => map2!(u32, u32 => u32, |a, b| (b & 0x7fff_ffff) | (a & 0x8000_0000)),
        _ => return None,
    })
}

fn double(name: &str, form: &Form<'_>, exact: bool) -> Option<Handler> {
    let rounded = form.rounding.is_some();
    if form.saturate && !matches!(name, "add" | "sub" | "mul" | "fma" | "mad")
        || form.full
        || form.nan
        || form.xorsign
    {
        return None;
    }
    Some(match name {
        "add" if exact => map2!(f64, f64 => f64, |a, b| a + b),
        "sub" if exact => map2!(f64, f64 => f64, |a, b| a - b),
        "mul" if exact => map2!(f64, f64 => f64, |a, b| a * b),
        "fma" | "mad" if exact && rounded => map3!(f64, f64, f64 => f64, |a, b, c| a.mul_add(b, c)),
        "div" if exact && rounded => map2!(f64, f64 => f64, |a, b| a / b),
        "rcp" if exact && rounded => map1!(f64 => f64, |a| 1.0 / a),
        "sqrt" if exact && rounded => map1!(f64 => f64, |a| a.sqrt()),
        "add" => {
            handler!(|lanes, o, mask| general_double(lanes, o, mask, |a, b, _, mode| Soft::add(a, b, mode)))
        }
        "sub" => {
            handler!(|lanes, o, mask| general_double(lanes, o, mask, |a, b, _, mode| Soft::sub(a, b, mode)))
        }
        "mul" => {
            handler!(|lanes, o, mask| general_double(lanes, o, mask, |a, b, _, mode| Soft::mul(a, b, mode)))
        }
        "fma" | "mad" if rounded => handler!(|lanes, o, mask| general_double(lanes, o, mask, Soft::fma)),
        "div" if rounded => {
            handler!(|lanes, o, mask| general_double(lanes, o, mask, |a, b, _, mode| Soft::div(a, b, mode)))
        }
        "rcp" if rounded => {
            handler!(|lanes, o, mask| general_double(lanes, o, mask, |a, _, _, mode| Soft::div(1.0, a, mode)))
        }
        "sqrt" if rounded => {
            handler!(|lanes, o, mask| general_double(lanes, o, mask, |a, _, _, mode| directed::sqrt(a, mode)))
        }
        // The low half of the result is zero on the hardware.
        "rcp" if form.approximate && form.flush => map1!(f64 => f64, |a| high_half(1.0 / flush_double(a))),
        "rsqrt" if form.approximate && form.flush => {
            map1!(f64 => f64, |a| high_half(1.0 / flush_double(a).sqrt()))
        }
        "rsqrt" if form.approximate => map1!(f64 => f64, |a| 1.0 / a.sqrt()),
        "min" => {
            map2!(f64, f64 => f64, |a, b| if a == b { if a.is_sign_negative() { a } else { b } } else { a.min(b) })
        }
        "max" => {
            map2!(f64, f64 => f64, |a, b| if a == b { if a.is_sign_negative() { b } else { a } } else { a.max(b) })
        }
        "abs" => map1!(u64 => u64, |a| a & (u64::MAX >> 1)),
        "neg" => map1!(u64 => u64, |a| a ^ (1 << 63)),
        "copysign" => map2!(u64, u64 => u64, |a, b| (b & (u64::MAX >> 1)) | (a & (1 << 63))),
        _ => return None,
    })
}

fn flush_double(value: f64) -> f64 {
    if value.abs() < f64::MIN_POSITIVE { 0.0_f64.copysign(value) } else { value }
}

fn high_half(value: f64) -> f64 {
    if value.is_nan() { value } else { f64::from_bits(flush_double(value).to_bits() & (u64::MAX << 32)) }
}

pub(super) fn least(a: f32, b: f32) -> f32 {
    if a == b { if a.is_sign_negative() { a } else { b } } else { a.min(b) }
}

pub(super) fn greatest(a: f32, b: f32) -> f32 {
    if a == b { if a.is_sign_negative() { b } else { a } } else { a.max(b) }
}

pub(super) fn with_nan(a: f32, b: f32, f: impl Fn(f32, f32) -> f32) -> f32 {
    if a.is_nan() || b.is_nan() { f32::NAN } else { f(a, b) }
}

#[inline(always)]
fn general(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, f: impl Fn(f32, f32, f32, Rounding) -> f32) {
    let (mode, flushes, saturates) = (Rounding::of(o), o.x & FLUSH != 0, o.x & SATURATE != 0);
    let input = |value: f32| if flushes { flush(value) } else { value };
    lanes.map3::<f32, f32, f32, f32>(o, mask, |a, b, c| {
        let value = input(f(input(a), input(b), input(c), mode));
        if saturates { saturated(value) } else { canonical(value) }
    });
}

#[inline(always)]
fn general_double(
    lanes: &mut Lanes<'_>,
    o: &Operands,
    mask: u32,
    f: impl Fn(f64, f64, f64, Rounding) -> f64,
) {
    let (mode, saturates) = (Rounding::of(o), o.x & SATURATE != 0);
    lanes.map3::<f64, f64, f64, f64>(o, mask, |a, b, c| {
        let value = f(a, b, c, mode);
        if saturates { saturated_double(value) } else { value }
    });
}

fn test(decoder: &mut Decoder<'_, '_>) -> Decoded {
    macro_rules! class {
        ($f:expr) => {{
            let handlers: [Handler; 2] = [
                handler!(|lanes, o, mask| {
                    let a = f32::read(lanes, o.a);
                    let bits = a.iter().enumerate().fold(0, |bits, (lane, a)| {
                        bits | u32::from($f(f64::from(*a), a.is_subnormal())) << lane
                    });
                    lanes.set_predicate(o.p, mask, bits);
                }),
                handler!(|lanes, o, mask| {
                    let a = f64::read(lanes, o.a);
                    let bits = a
                        .iter()
                        .enumerate()
                        .fold(0, |bits, (lane, a)| bits | u32::from($f(*a, a.is_subnormal())) << lane);
                    lanes.set_predicate(o.p, mask, bits);
                }),
            ];
            handlers
        }};
    }
    let handlers = match decoder.parts.get(1) {
        Some(&"finite") => class!(|a: f64, _: bool| a.is_finite()),
        Some(&"infinite") => class!(|a: f64, _: bool| a.is_infinite()),
        Some(&"number") => class!(|a: f64, _: bool| !a.is_nan()),
        Some(&"notanumber") => class!(|a: f64, _: bool| a.is_nan()),
        Some(&"normal") => class!(|a: f64, subnormal: bool| a.is_finite() && a != 0.0 && !subnormal),
        Some(&"subnormal") => class!(|_: f64, subnormal: bool| subnormal),
        _ => return Err(decoder.unknown()),
    };
    let ty = decoder.value_type()?;
    let handler = match (ty, decoder.parts.len()) {
        (Type::Float(32), 3) => handlers[0],
        (Type::Float(64), 3) => handlers[1],
        _ => return Err(decoder.unknown()),
    };
    let [Operand::Name(p), a] = decoder.exactly()? else { return Err(decoder.unknown()) };
    let p = decoder.predicate_register(p)?;
    let a = decoder.source(a, ty)?;
    Ok(Action::Compute(handler, Operands { a, p, ..Operands::default() }))
}
