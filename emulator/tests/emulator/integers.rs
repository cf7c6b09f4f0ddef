//! Integer instructions against the host's arithmetic.

use crate::harness::{check, integers};

const COUNT: usize = 700;

macro_rules! widths {
    ($name:literal, $types:literal, $f:expr) => {
        let (a, b) = (integers(1, COUNT), integers(2, COUNT));
        for bits in [16_u32, 32, 64] {
            for ty in $types.split(' ') {
                let instruction = format!("{}.{ty}{bits} %d, %a, %b;", $name);
                let kind = format!("b{bits}");
                let signed = ty == "s";
                check(&instruction, &kind, &[(&kind, &a), (&kind, &b)], |v| {
                    let extend = |x: u64| {
                        if signed {
                            i128::from(((x << (64 - bits)) as i64) >> (64 - bits))
                        } else {
                            i128::from(x)
                        }
                    };
                    let f: fn(i128, i128, u32) -> i128 = $f;
                    let result = f(extend(v[0]), extend(v[1]), bits) as u64;
                    if bits == 64 { result } else { result & ((1 << bits) - 1) }
                });
            }
        }
    };
}

#[test]
fn sums_differences_and_products() {
    widths!("add", "u s", |a, b, _| a + b);
    widths!("sub", "u s", |a, b, _| a - b);
    widths!("mul.lo", "u s", |a, b, _| a.wrapping_mul(b));
    widths!("mul.hi", "u s", |a, b, bits| a.wrapping_mul(b) >> bits);
    widths!("min", "u s", |a, b, _| a.min(b));
    widths!("max", "u s", |a, b, _| a.max(b));
}

#[test]
fn quotients_and_remainders() {
    widths!("div", "u s", |a, b, _| if b == 0 { -1 } else { a / b });
    widths!("rem", "u s", |a, b, _| if b == 0 { a } else { a % b });
}

#[test]
fn logic() {
    widths!("and", "b", |a, b, _| a & b);
    widths!("or", "b", |a, b, _| a | b);
    widths!("xor", "b", |a, b, _| a ^ b);
}

#[test]
fn shifts_are_clamped() {
    let (a, b) = (integers(3, COUNT), integers(4, COUNT));
    for bits in [16_u32, 32, 64] {
        let kind = format!("b{bits}");
        let mask = u64::MAX >> (64 - bits);
        let operands: [(&str, &[u64]); 2] = [(&kind, &a), ("u32", &b)];
        check(&format!("shl.b{bits} %d, %a, %b;"), &kind, &operands, |v| {
            if v[1] >= u64::from(bits) { 0 } else { (v[0] << v[1]) & mask }
        });
        check(&format!("shr.u{bits} %d, %a, %b;"), &kind, &operands, |v| {
            if v[1] >= u64::from(bits) { 0 } else { v[0] >> v[1] }
        });
        check(&format!("shr.s{bits} %d, %a, %b;"), &kind, &operands, |v| {
            let signed = ((v[0] << (64 - bits)) as i64) >> (64 - bits);
            (signed >> v[1].min(63)) as u64 & mask
        });
    }
}

#[test]
fn funnel_shifts() {
    let (a, b, c) = (integers(5, COUNT), integers(6, COUNT), integers(7, COUNT));
    let operands: [(&str, &[u64]); 3] = [("b32", &a), ("b32", &b), ("u32", &c)];
    let pair = |v: &[u64]| v[1] << 32 | v[0];
    check("shf.l.wrap.b32 %d, %a, %b, %c;", "b32", &operands, |v| {
        ((pair(v) << (v[2] & 31)) >> 32) & 0xffff_ffff
    });
    check("shf.r.wrap.b32 %d, %a, %b, %c;", "b32", &operands, |v| (pair(v) >> (v[2] & 31)) & 0xffff_ffff);
    check("shf.l.clamp.b32 %d, %a, %b, %c;", "b32", &operands, |v| {
        ((pair(v) << v[2].min(32)) >> 32) & 0xffff_ffff
    });
    check("shf.r.clamp.b32 %d, %a, %b, %c;", "b32", &operands, |v| (pair(v) >> v[2].min(32)) & 0xffff_ffff);
}

#[test]
fn products_and_sums_with_three_operands() {
    let (a, b, c) = (integers(8, COUNT), integers(9, COUNT), integers(10, COUNT));
    let operands: [(&str, &[u64]); 3] = [("b32", &a), ("b32", &b), ("b32", &c)];
    check("mad.lo.s32 %d, %a, %b, %c;", "b32", &operands, |v| {
        u64::from((v[0] as u32).wrapping_mul(v[1] as u32).wrapping_add(v[2] as u32))
    });
    check("mad.hi.u32 %d, %a, %b, %c;", "b32", &operands, |v| {
        u64::from(((v[0] * v[1]) >> 32) as u32).wrapping_add(v[2]) & 0xffff_ffff
    });
    check("sad.s32 %d, %a, %b, %c;", "b32", &operands, |v| {
        u64::from((v[0] as i32).abs_diff(v[1] as i32).wrapping_add(v[2] as u32))
    });
    let wide: [(&str, &[u64]); 3] = [("b32", &a), ("b32", &b), ("b64", &c)];
    check("mad.wide.s32 %d, %a, %b, %c;", "b64", &wide, |v| {
        (i64::from(v[0] as i32) * i64::from(v[1] as i32)).wrapping_add(v[2] as i64) as u64
    });
    let pair: [(&str, &[u64]); 2] = [("b32", &a), ("b32", &b)];
    check("mul.wide.u32 %d, %a, %b;", "b64", &pair, |v| v[0] * v[1]);
    check("mul.wide.s32 %d, %a, %b;", "b64", &pair, |v| {
        (i64::from(v[0] as i32) * i64::from(v[1] as i32)) as u64
    });
    check("mul24.lo.u32 %d, %a, %b;", "b32", &pair, |v| {
        ((v[0] & 0xff_ffff) * (v[1] & 0xff_ffff)) & 0xffff_ffff
    });
    let narrow: [(&str, &[u64]); 2] = [("b16", &a), ("b16", &b)];
    check("mul.wide.s16 %d, %a, %b;", "b32", &narrow, |v| {
        u64::from((i32::from(v[0] as i16) * i32::from(v[1] as i16)) as u32)
    });
}

#[test]
fn one_operand() {
    let a = integers(11, COUNT);
    let narrow: [(&str, &[u64]); 1] = [("b32", &a)];
    let wide: [(&str, &[u64]); 1] = [("b64", &a)];
    let mask = 0xffff_ffff;
    check("neg.s32 %d, %a;", "b32", &narrow, |v| v[0].wrapping_neg() & mask);
    check("abs.s64 %d, %a;", "b64", &wide, |v| (v[0] as i64).unsigned_abs());
    check("not.b64 %d, %a;", "b64", &wide, |v| !v[0]);
    check("cnot.b32 %d, %a;", "b32", &narrow, |v| u64::from(v[0] == 0));
    check("brev.b32 %d, %a;", "b32", &narrow, |v| u64::from((v[0] as u32).reverse_bits()));
    check("brev.b64 %d, %a;", "b64", &wide, |v| v[0].reverse_bits());
    check("clz.b32 %d, %a;", "b32", &narrow, |v| u64::from((v[0] as u32).leading_zeros()));
    check("clz.b64 %d, %a;", "b32", &wide, |v| u64::from(v[0].leading_zeros()));
    check("popc.b64 %d, %a;", "b32", &wide, |v| u64::from(v[0].count_ones()));
    check("bfind.u32 %d, %a;", "b32", &narrow, |v| {
        (0..32).rev().find(|bit| v[0] >> bit & 1 == 1).unwrap_or(mask)
    });
    check("bfind.shiftamt.u32 %d, %a;", "b32", &narrow, |v| {
        (0..32).rev().find(|bit| v[0] >> bit & 1 == 1).map_or(mask, |bit| 31 - bit)
    });
    check("bfind.s64 %d, %a;", "b32", &wide, |v| {
        let sign = v[0] >> 63;
        (0..63).rev().find(|bit| v[0] >> bit & 1 != sign).unwrap_or(mask)
    });
}

#[test]
fn bit_fields() {
    let (a, b, c, e) = (integers(12, COUNT), integers(13, COUNT), integers(14, COUNT), integers(15, COUNT));
    // The definition of PTX, bit by bit.
    let extract = |v: &[u64], width: u64, signed: bool| {
        let (start, length) = (v[1] & 0xff, v[2] & 0xff);
        let top = width - 1;
        let sign = if !signed || length == 0 { 0 } else { v[0] >> (start + length - 1).min(top) & 1 };
        (0..width).fold(0, |all, bit| {
            let value = if bit < length && start + bit <= top { v[0] >> (start + bit) & 1 } else { sign };
            all | value << bit
        })
    };
    let insert = |v: &[u64], width: u64| {
        let (start, length) = (v[2] & 0xff, v[3] & 0xff);
        (0..length).filter(|bit| start + bit < width).fold(v[1], |all, bit| {
            let at = start + bit;
            (all & !(1 << at)) | (if bit < 64 { v[0] >> bit & 1 } else { 0 }) << at
        })
    };
    for (bits, ty) in [(32, "b32"), (64, "b64")] {
        let operands: [(&str, &[u64]); 3] = [(ty, &a), ("u32", &b), ("u32", &c)];
        check(&format!("bfe.u{bits} %d, %a, %b, %c;"), ty, &operands, |v| extract(v, bits, false));
        check(&format!("bfe.s{bits} %d, %a, %b, %c;"), ty, &operands, |v| extract(v, bits, true));
        let operands: [(&str, &[u64]); 4] = [(ty, &a), (ty, &e), ("u32", &b), ("u32", &c)];
        check(&format!("bfi.b{bits} %d, %a, %b, %c, %e;"), ty, &operands, |v| insert(v, bits));
    }
}

#[test]
fn permutations_and_tables() {
    let (a, b, c) = (integers(16, COUNT), integers(17, COUNT), integers(18, COUNT));
    let operands: [(&str, &[u64]); 3] = [("b32", &a), ("b32", &b), ("b32", &c)];
    check("prmt.b32 %d, %a, %b, %c;", "b32", &operands, |v| {
        let all = v[1] << 32 | v[0];
        (0..4).fold(0, |result, number| {
            let pick = v[2] >> (4 * number);
            let byte = all >> (8 * (pick & 7)) & 0xff;
            let byte = if pick & 8 == 0 { byte } else { (byte >> 7) * 0xff };
            result | byte << (8 * number)
        })
    });
    check("prmt.b32.rc16 %d, %a, %b, %c;", "b32", &operands, |v| {
        (v[0] >> (16 * (v[2] & 1)) & 0xffff) * 0x1_0001
    });
    for table in [0x00_u64, 0x96, 0xe8, 0xca, 0x3c, 0xff] {
        check(&format!("lop3.b32 %d, %a, %b, %c, {table};"), "b32", &operands, |v| {
            (0..32).fold(0, |result, bit| {
                let row = (v[0] >> bit & 1) << 2 | (v[1] >> bit & 1) << 1 | (v[2] >> bit & 1);
                result | (table >> row & 1) << bit
            })
        });
    }
    check("dp4a.s32.u32 %d, %a, %b, %c;", "b32", &operands, |v| {
        let sum = (0..4).fold(v[2] as i32, |sum, byte| {
            let (a, b) = ((v[0] >> (8 * byte)) as i8, (v[1] >> (8 * byte)) as u8);
            sum.wrapping_add(i32::from(a) * i32::from(b))
        });
        u64::from(sum as u32)
    });
    check("dp2a.hi.s32.s32 %d, %a, %b, %c;", "b32", &operands, |v| {
        let sum = (0..2).fold(v[2] as i32, |sum, number| {
            let (a, b) = ((v[0] >> (16 * number)) as i16, (v[1] >> (8 * (number + 2))) as i8);
            sum.wrapping_add(i32::from(a) * i32::from(b))
        });
        u64::from(sum as u32)
    });
}

#[test]
fn carries_go_on() {
    let (a, b, c) = (integers(19, COUNT), integers(20, COUNT), integers(21, COUNT));
    let operands: [(&str, &[u64]); 2] = [("b64", &a), ("b64", &b)];
    let halves = ".reg .b32 %l<3>, %h<3>; mov.b64 {%l0, %h0}, %a; mov.b64 {%l1, %h1}, %b;";
    check(
        &format!("{halves} add.cc.u32 %l2, %l0, %l1; addc.u32 %h2, %h0, %h1; mov.b64 %d, {{%l2, %h2}};"),
        "b64",
        &operands,
        |v| v[0].wrapping_add(v[1]),
    );
    check(
        &format!("{halves} sub.cc.u32 %l2, %l0, %l1; subc.u32 %h2, %h0, %h1; mov.b64 %d, {{%l2, %h2}};"),
        "b64",
        &operands,
        |v| v[0].wrapping_sub(v[1]),
    );
    // A product of 64 bits, of 32-bit ones.
    let operands: [(&str, &[u64]); 3] = [("b32", &a), ("b32", &b), ("b64", &c)];
    check(
        ".reg .b32 %l<3>, %h<3>; mov.b64 {%l0, %h0}, %c;
         mad.lo.cc.u32 %l1, %a, %b, %l0; madc.hi.u32 %h1, %a, %b, %h0; mov.b64 %d, {%l1, %h1};",
        "b64",
        &operands,
        |v| (v[0] * v[1]).wrapping_add(v[2]),
    );
}

#[test]
fn comparisons_and_selections() {
    let (a, b, c) = (integers(22, COUNT), integers(23, COUNT), integers(24, COUNT));
    for bits in [16_u32, 32, 64] {
        let kind = format!("b{bits}");
        let operands: [(&str, &[u64]); 2] = [(&kind, &a), (&kind, &b)];
        let signed = |x: u64| ((x << (64 - bits)) as i64) >> (64 - bits);
        check(&format!("setp.lt.s{bits} %d, %a, %b;"), "pred", &operands, |v| {
            u64::from(signed(v[0]) < signed(v[1]))
        });
        check(&format!("setp.ge.u{bits} %d, %a, %b;"), "pred", &operands, |v| u64::from(v[0] >= v[1]));
        check(&format!("setp.hi.u{bits} %d, %a, %b;"), "pred", &operands, |v| u64::from(v[0] > v[1]));
        check(&format!("setp.ne.b{bits} %d, %a, %b;"), "pred", &operands, |v| u64::from(v[0] != v[1]));
        let with: [(&str, &[u64]); 3] = [(&kind, &a), (&kind, &b), ("pred", &c)];
        check(&format!("setp.le.and.s{bits} %d, %a, %b, !%c;"), "pred", &with, |v| {
            u64::from(signed(v[0]) <= signed(v[1]) && v[2] == 0)
        });
        check(&format!("setp.eq.xor.u{bits} %q|%d, %a, %b, %c;"), "pred", &with, |v| {
            u64::from((v[0] != v[1]) != (v[2] == 1))
        });
        check(
            &format!("selp.b{bits} %d, %a, %b, %c;"),
            &kind,
            &with,
            |v| if v[2] == 1 { v[0] } else { v[1] },
        );
    }
    let operands: [(&str, &[u64]); 3] = [("b32", &a), ("b32", &b), ("b32", &c)];
    check("slct.u32.s32 %d, %a, %b, %c;", "b32", &operands, |v| if v[2] as i32 >= 0 { v[0] } else { v[1] });
    check("set.gt.u32.s32 %d, %a, %b;", "b32", &operands, |v| {
        if v[0] as i32 > v[1] as i32 { 0xffff_ffff } else { 0 }
    });
    check("set.le.f32.u32 %d, %a, %b;", "b32", &operands, |v| if v[0] <= v[1] { 0x3f80_0000 } else { 0 });
}

#[test]
fn conversions_of_integers() {
    let a = integers(25, COUNT);
    let wide: [(&str, &[u64]); 1] = [("b64", &a)];
    let narrow: [(&str, &[u64]); 1] = [("b32", &a)];
    let short: [(&str, &[u64]); 1] = [("b16", &a)];
    let mask = 0xffff_ffff;
    check("cvt.u32.u64 %d, %a;", "b32", &wide, |v| v[0] & mask);
    check("cvt.s64.s32 %d, %a;", "b64", &narrow, |v| v[0] as i32 as u64);
    check("cvt.u64.u16 %d, %a;", "b64", &short, |v| v[0]);
    check("cvt.s32.s8 %d, %a;", "b32", &short, |v| u64::from(v[0] as i8 as u32));
    check("cvt.u16.u8 %d, %a;", "b16", &short, |v| v[0] & 0xff);
    check("cvt.s8.s32 %d, %a;", "b32", &narrow, |v| u64::from(v[0] as i8 as u32));
    check("cvt.u8.u64 %d, %a;", "b64", &wide, |v| v[0] & 0xff);
    check("cvt.sat.u8.s32 %d, %a;", "b32", &narrow, |v| (v[0] as i32).clamp(0, 255) as u64);
    check("cvt.sat.s16.s64 %d, %a;", "b16", &wide, |v| {
        (v[0] as i64).clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as u64 & 0xffff
    });
    check("cvt.sat.u32.s32 %d, %a;", "b32", &narrow, |v| (v[0] as i32).max(0) as u64);
}

#[test]
fn packing_and_unpacking() {
    let (a, b) = (integers(26, COUNT), integers(27, COUNT));
    let operands: [(&str, &[u64]); 2] = [("b16", &a), ("b16", &b)];
    check("mov.b32 %d, {%a, %b};", "b32", &operands, |v| v[1] << 16 | v[0]);
    check("mov.b64 %d, {%a, %b, %b, %a};", "b64", &operands, |v| v[0] << 48 | v[1] << 32 | v[1] << 16 | v[0]);
    check(
        ".reg .b16 %s<4>; mov.b64 {%s0, %s1, %s2, %s3}, %a; mov.b32 %d, {%s3, %s1};",
        "b32",
        &[("b64", &a)],
        |v| (v[0] >> 16 & 0xffff) << 16 | v[0] >> 48,
    );
    check(".reg .b32 %s; mov.b64 {_, %s}, %a; mov.b32 %d, %s;", "b32", &[("b64", &a)], |v| v[0] >> 32);
}

#[test]
fn distances_of_bytes() {
    let (a, b, c) = (integers(31, COUNT), integers(32, COUNT), integers(33, COUNT));
    let operands: [(&str, &[u64]); 3] = [("b32", &a), ("b32", &b), ("b32", &c)];
    let distance = |v: &[u64], byte: u32| (v[0] >> (8 * byte) & 0xff).abs_diff(v[1] >> (8 * byte) & 0xff);
    check("vabsdiff4.u32.u32.u32 %d, %a, %b, %c;", "b32", &operands, |v| {
        (0..4).map(|byte| distance(v, byte) << (8 * byte)).sum()
    });
    check("vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", "b32", &operands, |v| {
        (v[2] + (0..4).map(|byte| distance(v, byte)).sum::<u64>()) & 0xffff_ffff
    });
}
