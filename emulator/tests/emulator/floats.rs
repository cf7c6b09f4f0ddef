//! Floats against the host's arithmetic.

use half::{bf16, f16};

use crate::harness::{apply, check, doubles, integers, singles};

const COUNT: usize = 700;

fn same(result: u64, wanted: f32) -> bool {
    let result = f32::from_bits(result as u32);
    result.to_bits() == wanted.to_bits() || (result.is_nan() && wanted.is_nan())
}

fn same_double(result: u64, wanted: f64) -> bool {
    result == wanted.to_bits() || (f64::from_bits(result).is_nan() && wanted.is_nan())
}

fn on_singles(instruction: &str, f: impl Fn(f32, f32, f32) -> f32) {
    let (a, b, c) = (singles(1, COUNT), singles(2, COUNT), singles(3, COUNT));
    let results = apply(instruction, "f32", &[("f32", &a), ("f32", &b), ("f32", &c)]);
    for (number, result) in results.into_iter().enumerate() {
        let [a, b, c] = [&a, &b, &c].map(|values| f32::from_bits(values[number] as u32));
        let wanted = f(a, b, c);
        assert!(same(result, wanted), "{instruction} of {a:e} {b:e} {c:e}: {result:#x}, not {wanted:e}");
    }
}

fn on_doubles(instruction: &str, f: impl Fn(f64, f64, f64) -> f64) {
    let (a, b, c) = (doubles(4, COUNT), doubles(5, COUNT), doubles(6, COUNT));
    let results = apply(instruction, "f64", &[("f64", &a), ("f64", &b), ("f64", &c)]);
    for (number, result) in results.into_iter().enumerate() {
        let [a, b, c] = [&a, &b, &c].map(|values| f64::from_bits(values[number]));
        let wanted = f(a, b, c);
        assert!(
            same_double(result, wanted),
            "{instruction} of {a:e} {b:e} {c:e}: {result:#x}, not {wanted:e}"
        );
    }
}

fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}

#[test]
fn nearest_arithmetic() {
    on_singles("add.f32 %d, %a, %b;", |a, b, _| a + b);
    on_singles("sub.rn.f32 %d, %a, %b;", |a, b, _| a - b);
    on_singles("mul.f32 %d, %a, %b;", |a, b, _| a * b);
    on_singles("div.rn.f32 %d, %a, %b;", |a, b, _| a / b);
    on_singles("fma.rn.f32 %d, %a, %b, %c;", f32::mul_add);
    on_singles("sqrt.rn.f32 %d, %a;", |a, _, _| a.sqrt());
    on_singles("rcp.rn.f32 %d, %a;", |a, _, _| 1.0 / a);
    on_doubles("add.f64 %d, %a, %b;", |a, b, _| a + b);
    on_doubles("mul.rn.f64 %d, %a, %b;", |a, b, _| a * b);
    on_doubles("div.rn.f64 %d, %a, %b;", |a, b, _| a / b);
    on_doubles("fma.rn.f64 %d, %a, %b, %c;", f64::mul_add);
    on_doubles("sqrt.rn.f64 %d, %a;", |a, _, _| a.sqrt());
}

#[test]
fn flushed_and_saturated_arithmetic() {
    on_singles("add.ftz.f32 %d, %a, %b;", |a, b, _| flush(flush(a) + flush(b)));
    on_singles("mul.ftz.f32 %d, %a, %b;", |a, b, _| flush(flush(a) * flush(b)));
    on_singles("fma.rn.ftz.sat.f32 %d, %a, %b, %c;", |a, b, c| {
        let value = flush(flush(a).mul_add(flush(b), flush(c)));
        if value.is_nan() || value <= 0.0 { 0.0 } else { value.min(1.0) }
    });
    on_singles("add.sat.f32 %d, %a, %b;", |a, b, _| {
        let value = a + b;
        if value.is_nan() || value <= 0.0 { 0.0 } else { value.min(1.0) }
    });
    on_singles("neg.ftz.f32 %d, %a;", |a, _, _| -flush(a));
}

/// In one direction the result is the greatest float below the exact one: the nearest or its neighbour, by the sign of the
/// error, which 64 bits hold exactly for products of 32-bit floats.
#[test]
fn directed_rounding_of_products() {
    let toward = |exact: f64, up: bool| {
        let nearest = exact as f32;
        match up {
            true if f64::from(nearest) < exact => nearest.next_up(),
            false if f64::from(nearest) > exact => nearest.next_down(),
            _ => nearest,
        }
    };
    let product = |a: f32, b: f32| f64::from(a) * f64::from(b);
    on_singles("mul.rp.f32 %d, %a, %b;", |a, b, _| toward(product(a, b), true));
    on_singles("mul.rm.f32 %d, %a, %b;", |a, b, _| toward(product(a, b), false));
    on_singles("mul.rz.f32 %d, %a, %b;", |a, b, _| toward(product(a, b), product(a, b) < 0.0));
}

#[test]
fn directed_sums_bracket_the_exact_one() {
    let (a, b) = (doubles(7, COUNT), doubles(8, COUNT));
    let operands: [(&str, &[u64]); 2] = [("f64", &a), ("f64", &b)];
    let [up, down, zero] =
        ["rp", "rm", "rz"].map(|mode| apply(&format!("add.{mode}.f64 %d, %a, %b;"), "f64", &operands));
    for number in 0..COUNT {
        let [a, b] = [&a, &b].map(|values| f64::from_bits(values[number]));
        let [up, down, zero] = [&up, &down, &zero].map(|values| f64::from_bits(values[number]));
        let nearest = a + b;
        if !nearest.is_finite() {
            continue;
        }
        assert!(nearest == up || nearest == down, "{a:e} {b:e}: {down:e} {nearest:e} {up:e}");
        assert!(up == down || up == down.next_up(), "{a:e} {b:e}: {down:e} {up:e}");
        assert!(zero == if nearest > 0.0 { down } else { up }, "{a:e} {b:e}: {down:e} {zero:e} {up:e}");
    }
}

#[test]
fn least_and_greatest() {
    let least = |a: f32, b: f32| match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b && a.is_sign_negative() => a,
        _ => {
            if a < b {
                a
            } else {
                b
            }
        }
    };
    on_singles("min.f32 %d, %a, %b;", |a, b, _| least(a, b));
    on_singles("max.f32 %d, %a, %b;", |a, b, _| -least(-a, -b));
    on_singles(
        "max.NaN.f32 %d, %a, %b;",
        |a, b, _| if a.is_nan() || b.is_nan() { f32::NAN } else { -least(-a, -b) },
    );
    on_doubles("min.f64 %d, %a, %b;", |a, b, _| if a == b && a.is_sign_negative() { a } else { b.min(a) });
}

#[test]
fn signs_and_classes() {
    let a = singles(9, COUNT);
    let b = singles(10, COUNT);
    let operands: [(&str, &[u64]); 2] = [("b32", &a), ("b32", &b)];
    check("neg.f32 %d, %a;", "f32", &operands, |v| v[0] ^ 0x8000_0000);
    check("abs.f32 %d, %a;", "f32", &operands, |v| v[0] & 0x7fff_ffff);
    check("copysign.f32 %d, %a, %b;", "f32", &operands, |v| (v[1] & 0x7fff_ffff) | (v[0] & 0x8000_0000));
    let float = |bits: u64| f32::from_bits(bits as u32);
    check("testp.subnormal.f32 %d, %a;", "pred", &operands, |v| u64::from(float(v[0]).is_subnormal()));
    check("testp.normal.f32 %d, %a;", "pred", &operands, |v| u64::from(float(v[0]).is_normal()));
    check("testp.notanumber.f32 %d, %a;", "pred", &operands, |v| u64::from(float(v[0]).is_nan()));
    check("setp.lt.f32 %d, %a, %b;", "pred", &operands, |v| u64::from(float(v[0]) < float(v[1])));
    check("setp.ne.f32 %d, %a, %b;", "pred", &operands, |v| {
        u64::from(float(v[0]).partial_cmp(&float(v[1])).is_some_and(std::cmp::Ordering::is_ne))
    });
    check("setp.neu.f32 %d, %a, %b;", "pred", &operands, |v| u64::from(float(v[0]) != float(v[1])));
    check("setp.geu.f32 %d, %a, %b;", "pred", &operands, |v| {
        u64::from(float(v[0]).partial_cmp(&float(v[1])).is_none_or(std::cmp::Ordering::is_ge))
    });
    check("setp.nan.f32 %d, %a, %b;", "pred", &operands, |v| {
        u64::from(float(v[0]).is_nan() || float(v[1]).is_nan())
    });
}

/// The bounds of the PTX manual.
#[test]
fn approximations_are_within_their_bounds() {
    let relative = |instruction: &str, bound: f64, inputs: &[u64], f: fn(f64) -> f64| {
        let results = apply(instruction, "f32", &[("f32", inputs)]);
        for (&input, result) in inputs.iter().zip(results) {
            let input = f64::from(f32::from_bits(input as u32));
            let (wanted, result) = (f(input), f64::from(f32::from_bits(result as u32)));
            if wanted.is_finite() && wanted.abs() > 1e-37 && wanted.abs() < 1e38 {
                assert!(
                    ((result - wanted) / wanted).abs() <= bound,
                    "{instruction} of {input}: {result}, not {wanted}"
                );
            }
        }
    };
    let inputs: Vec<u64> = (1..2000_u32).map(|i| u64::from((i as f32 * 0.05).to_bits())).collect();
    let ulp = f64::from(f32::EPSILON);
    relative("rcp.approx.f32 %d, %a;", ulp, &inputs, |a| 1.0 / a);
    relative("rsqrt.approx.f32 %d, %a;", 2.0_f64.powf(-22.4), &inputs, |a| 1.0 / a.sqrt());
    relative("sqrt.approx.f32 %d, %a;", 2.0_f64.powi(-23), &inputs, f64::sqrt);
    relative("ex2.approx.f32 %d, %a;", 2.0 * ulp, &inputs, f64::exp2);
    relative("tanh.approx.f32 %d, %a;", 2.0_f64.powi(-11), &inputs, f64::tanh);
    let absolute = |instruction: &str, bound: f64, f: fn(f64) -> f64| {
        let inputs: Vec<u64> =
            (0..1000_u32).map(|i| u64::from((0.01 + i as f32 * 0.003).to_bits())).collect();
        for (&input, result) in inputs.iter().zip(apply(instruction, "f32", &[("f32", &inputs)])) {
            let wanted = f(f64::from(f32::from_bits(input as u32)));
            assert!((f64::from(f32::from_bits(result as u32)) - wanted).abs() <= bound, "{instruction}");
        }
    };
    absolute("sin.approx.f32 %d, %a;", 2.0_f64.powf(-20.5), f64::sin);
    absolute("cos.approx.f32 %d, %a;", 2.0_f64.powf(-20.5), f64::cos);
    absolute("lg2.approx.f32 %d, %a;", 2.0_f64.powf(-20.0), f64::log2);
}

#[test]
fn conversions_from_floats() {
    let a = singles(11, COUNT);
    let operands: [(&str, &[u64]); 1] = [("f32", &a)];
    let float = |v: &[u64]| f32::from_bits(v[0] as u32);
    check("cvt.rzi.s32.f32 %d, %a;", "s32", &operands, |v| u64::from(float(v) as i32 as u32));
    check("cvt.rni.u32.f32 %d, %a;", "u32", &operands, |v| u64::from(float(v).round_ties_even() as u32));
    check("cvt.rmi.s64.f32 %d, %a;", "s64", &operands, |v| float(v).floor() as i64 as u64);
    check("cvt.rpi.s16.f32 %d, %a;", "s16", &operands, |v| u64::from(float(v).ceil() as i16 as u16));
    check("cvt.f64.f32 %d, %a;", "f64", &operands, |v| f64::from(float(v)).to_bits());
    on_singles("cvt.rni.f32.f32 %d, %a;", |a, _, _| a.round_ties_even());
    on_singles("cvt.sat.f32.f32 %d, %a;", |a, _, _| if a.is_nan() || a <= 0.0 { 0.0 } else { a.min(1.0) });
    let b = doubles(12, COUNT);
    let results = apply("cvt.rn.f32.f64 %d, %a;", "f32", &[("f64", &b)]);
    assert!(b.iter().zip(results).all(|(&b, result)| same(result, f64::from_bits(b) as f32)));
    let results = apply("cvt.rn.f16.f32 %d, %a;", "f16", &[("f32", &a)]);
    for (&a, result) in a.iter().zip(results) {
        let wanted = f16::from_f32(f32::from_bits(a as u32));
        assert!(
            result == u64::from(wanted.to_bits()) || wanted.is_nan(),
            "{a:x}: {result:x}, not {wanted:x?}"
        );
    }
}

#[test]
fn conversions_from_integers() {
    let a = integers(13, COUNT);
    let wide: [(&str, &[u64]); 1] = [("b64", &a)];
    let narrow: [(&str, &[u64]); 1] = [("b32", &a)];
    check("cvt.rn.f32.s32 %d, %a;", "f32", &narrow, |v| u64::from((v[0] as i32 as f32).to_bits()));
    check("cvt.rn.f32.u64 %d, %a;", "f32", &wide, |v| u64::from((v[0] as f32).to_bits()));
    check("cvt.rn.f64.s64 %d, %a;", "f64", &wide, |v| (v[0] as i64 as f64).to_bits());
    check("cvt.rz.f32.u32 %d, %a;", "f32", &narrow, |v| {
        let nearest = v[0] as f32;
        u64::from(if f64::from(nearest) > v[0] as f64 { nearest.next_down() } else { nearest }.to_bits())
    });
}

/// The half that is nearest to a value, by trying the neighbours of a guess; of two the even one.
fn nearest_half(value: f64) -> u64 {
    if value.is_nan() {
        return 0x7fff;
    }
    if value.abs() >= 65520.0 {
        return if value < 0.0 { 0xfc00 } else { 0x7c00 };
    }
    let guess = f16::from_f32(value as f32).to_bits() & 0x7fff;
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let distance = |bits: &u16| (f16::from_bits(*bits).to_f64() - value.abs()).abs();
    let near = (guess.saturating_sub(1)..=guess + 1).filter(|bits| *bits < 0x7c00);
    let nearest = near.min_by(|a, b| distance(a).total_cmp(&distance(b)).then((a & 1).cmp(&(b & 1))));
    u64::from(nearest.unwrap() | sign)
}

/// What is beyond 32-bit floats: infinite, or a multiple of the least number, ties to even.
fn tiny_brain(magnitude: f64) -> u64 {
    if magnitude > 1.0 {
        return 0x7f80;
    }
    (magnitude / 2.0_f64.powi(-133)).round_ties_even() as u64
}

#[test]
fn halves() {
    let (a, b, c) = (integers(14, COUNT), integers(15, COUNT), integers(16, COUNT));
    let operands: [(&str, &[u64]); 3] = [("b16", &a), ("b16", &b), ("b16", &c)];
    let value = |bits: u64| f16::from_bits(bits as u16).to_f64();
    let bits = nearest_half;
    check("add.f16 %d, %a, %b;", "f16", &operands, |v| bits(value(v[0]) + value(v[1])));
    check("mul.rn.f16 %d, %a, %b;", "f16", &operands, |v| bits(value(v[0]) * value(v[1])));
    // Products of halves have 22 bits, from 2^-48 up: sums of such numbers and halves fit into the 128 bits of an integer.
    check("fma.rn.f16 %d, %a, %b, %c;", "f16", &operands, |v| {
        let [a, b, c] = [value(v[0]), value(v[1]), value(v[2])];
        let rough = a.mul_add(b, c);
        if !rough.is_finite() || rough == 0.0 {
            return bits(rough);
        }
        let scale = 2.0_f64.powi(48);
        let exact = (a * b * scale) as i128 + (c * scale) as i128;
        // Cut to 40 bits, of which the last says if anything was lost: that rounds as the whole does.
        let magnitude = exact.unsigned_abs();
        let cut = magnitude.checked_ilog2().unwrap_or(0).saturating_sub(40);
        let kept = magnitude >> cut << cut;
        let sticky = if kept == magnitude { kept } else { kept | 1 << cut };
        let value = sticky as f64 / scale;
        bits(if exact < 0 { -value } else { value })
    });
    let brain = |bits: u64| bf16::from_bits(bits as u16).to_f64();
    // Products of such numbers have 16 bits: 32-bit floats hold them, where they aren't too small for that.
    check("mul.bf16 %d, %a, %b;", "bf16", &operands, |v| {
        let product = brain(v[0]) * brain(v[1]);
        let single = product as f32;
        if product.is_nan() {
            return 0x7fff;
        }
        if f64::from(single) != product {
            return u64::from(if product.is_sign_negative() { 0x8000_u16 } else { 0 })
                | tiny_brain(product.abs());
        }
        u64::from(bf16::from_f32(single).to_bits())
    });
    let pairs: [(&str, &[u64]); 2] = [("b32", &a), ("b32", &b)];
    check("add.f16x2 %d, %a, %b;", "b32", &pairs, |v| {
        let half = |shift: u32| bits(value(v[0] >> shift & 0xffff) + value(v[1] >> shift & 0xffff));
        half(16) << 16 | half(0)
    });
    let is_less = |v: &[u64], shift: u32| value(v[0] >> shift & 0xffff) < value(v[1] >> shift & 0xffff);
    check("set.lt.f16x2.f16x2 %d, %a, %b;", "b32", &pairs, |v| {
        (u64::from(is_less(v, 16)) * 0x3c00_0000) | (u64::from(is_less(v, 0)) * 0x3c00)
    });
    check("setp.lt.f16x2 %q|%d, %a, %b;", "pred", &pairs, |v| u64::from(is_less(v, 16)));
    check("set.lt.f16.f16 %d, %a, %b;", "b16", &operands, |v| u64::from(is_less(v, 0)) * 0x3c00);
    check("cvt.f32.f16 %d, %a;", "f32", &[("b16", &a)], |v| {
        let value = f16::from_bits(v[0] as u16);
        if value.is_nan() { 0x7fff_ffff } else { u64::from(value.to_f32().to_bits()) }
    });
}
