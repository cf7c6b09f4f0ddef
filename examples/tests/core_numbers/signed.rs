//! Operators and methods of signed integers.

use crate::rows::rows;

/// The rows of a type, with its unsigned twin. Where an operation panics, the row has another value.
macro_rules! signed {
    ($number:ident, $unsigned:ident, words $words:literal: $arithmetic:ident, $overflow:ident, $bits:ident, $methods:ident) => {
        rows! { $arithmetic: $number, words $words, |a, b, c| {
            add: if a.checked_add(b).is_some() { a + b } else { 0 };
            sub: if a.checked_sub(b).is_some() { a - b } else { 0 };
            mul: if a.checked_mul(b).is_some() { a * b } else { 0 };
            div: if a.checked_div(b).is_some() { a / b } else { 0 };
            rem: if a.checked_rem(b).is_some() { a % b } else { 0 };
            neg: if a != $number::MIN { -a } else { 0 };
            div_by_3: a / 3;
            div_by_7: a / 7;
            div_by_minus_10: a / -10;
            div_by_16: a / 16;
            div_by_minus_1: if a != $number::MIN { a / -1 } else { 0 };
            rem_by_3: a % 3;
            rem_by_7: a % 7;
            rem_by_minus_10: a % -10;
            rem_by_16: a % 16;
            div_and_rem: if a.checked_div(b).is_some() { (a / b, a % b) } else { (0, 0) };
            mul_and_add: a.wrapping_mul(b).wrapping_add(c);
            eq: a == b;
            ne: a != b;
            lt: a < b;
            le: a <= b;
            gt: a > b;
            ge: a >= b;
            cmp: a.cmp(&b);
            min: a.min(b);
            max: a.max(b);
            clamp: if b <= c { a.clamp(b, c) } else { 0 };
            wrapping_add: a.wrapping_add(b);
            wrapping_sub: a.wrapping_sub(b);
            wrapping_mul: a.wrapping_mul(b);
            wrapping_neg: a.wrapping_neg();
            wrapping_abs: a.wrapping_abs();
            wrapping_abs_max: a.wrapping_abs().max(b);
            wrapping_div: if b != 0 { a.wrapping_div(b) } else { 0 };
            wrapping_rem: if b != 0 { a.wrapping_rem(b) } else { 0 };
            wrapping_div_euclid: if b != 0 { a.wrapping_div_euclid(b) } else { 0 };
            wrapping_rem_euclid: if b != 0 { a.wrapping_rem_euclid(b) } else { 0 };
            wrapping_pow: a.wrapping_pow(b as u32 % 70);
            wrapping_add_unsigned: a.wrapping_add_unsigned(b as $unsigned);
            wrapping_sub_unsigned: a.wrapping_sub_unsigned(b as $unsigned);
            saturating_add: a.saturating_add(b);
            saturating_sub: a.saturating_sub(b);
            saturating_mul: a.saturating_mul(b);
            saturating_div: if b != 0 { a.saturating_div(b) } else { 0 };
            saturating_neg: a.saturating_neg();
            saturating_abs: a.saturating_abs();
            saturating_pow: a.saturating_pow(b as u32 % 70);
            saturating_add_unsigned: a.saturating_add_unsigned(b as $unsigned);
            saturating_sub_unsigned: a.saturating_sub_unsigned(b as $unsigned);
        } }
        rows! { $overflow: $number, words $words, |a, b, c| {
            checked_add: a.checked_add(b);
            checked_sub: a.checked_sub(b);
            checked_mul: a.checked_mul(b);
            checked_div: a.checked_div(b);
            checked_rem: a.checked_rem(b);
            checked_neg: a.checked_neg();
            checked_abs: a.checked_abs();
            checked_shl: a.checked_shl(b as u32);
            checked_shr: a.checked_shr(b as u32);
            checked_pow: a.checked_pow(b as u32 % 70);
            checked_isqrt: a.checked_isqrt();
            checked_div_euclid: a.checked_div_euclid(b);
            checked_rem_euclid: a.checked_rem_euclid(b);
            checked_add_unsigned: a.checked_add_unsigned(b as $unsigned);
            checked_sub_unsigned: a.checked_sub_unsigned(b as $unsigned);
            checked_ilog: a.checked_ilog(b);
            checked_ilog2: a.checked_ilog2();
            checked_ilog10: a.checked_ilog10();
            overflowing_add: a.overflowing_add(b);
            overflowing_sub: a.overflowing_sub(b);
            overflowing_mul: a.overflowing_mul(b);
            overflowing_neg: a.overflowing_neg();
            overflowing_abs: a.overflowing_abs();
            overflowing_div: if b != 0 { a.overflowing_div(b) } else { (0, false) };
            overflowing_rem: if b != 0 { a.overflowing_rem(b) } else { (0, false) };
            overflowing_div_euclid: if b != 0 { a.overflowing_div_euclid(b) } else { (0, false) };
            overflowing_rem_euclid: if b != 0 { a.overflowing_rem_euclid(b) } else { (0, false) };
            overflowing_shl: a.overflowing_shl(b as u32);
            overflowing_shr: a.overflowing_shr(b as u32);
            overflowing_pow: a.overflowing_pow(b as u32 % 70);
            overflowing_add_unsigned: a.overflowing_add_unsigned(b as $unsigned);
            overflowing_sub_unsigned: a.overflowing_sub_unsigned(b as $unsigned);
        } }
        rows! { $bits: $number, words $words, |a, b, c| {
            not: !a;
            bit_and: a & b;
            bit_or: a | b;
            bit_xor: a ^ b;
            blend: a & c | b & !c;
            shl: a << (b as u32 & ($number::BITS - 1));
            shr: a >> (b as u32 & ($number::BITS - 1));
            shl_by_5: a << 5;
            shr_by_5: a >> 5;
            shr_by_most: a >> ($number::BITS - 1);
            sign_extended: a << (b as u32 & ($number::BITS - 1)) >> (b as u32 & ($number::BITS - 1));
            sign_extended_half: a << ($number::BITS / 2) >> ($number::BITS / 2);
            wrapping_shl: a.wrapping_shl(b as u32);
            wrapping_shr: a.wrapping_shr(b as u32);
            unbounded_shl: a.unbounded_shl(b as u32);
            unbounded_shr: a.unbounded_shr(b as u32);
            chosen_shl: if (b as u32) < $number::BITS { a << b as u32 } else { c };
            chosen_shr: if (b as u32) < $number::BITS { a >> b as u32 } else { c };
            rotate_left: a.rotate_left(b as u32);
            rotate_right: a.rotate_right(b as u32);
            count_ones: a.count_ones();
            count_zeros: a.count_zeros();
            leading_zeros: a.leading_zeros();
            leading_ones: a.leading_ones();
            trailing_zeros: a.trailing_zeros();
            trailing_ones: a.trailing_ones();
            swap_bytes: a.swap_bytes();
            reverse_bits: a.reverse_bits();
            to_be: a.to_be();
        } }
        rows! { $methods: $number, words $words, |a, b, c| {
            abs: if a != $number::MIN { a.abs() } else { 0 };
            unsigned_abs: a.unsigned_abs();
            abs_diff: a.abs_diff(b);
            signum: a.signum();
            is_positive: a.is_positive();
            is_negative: a.is_negative();
            pow: { let exponent = b as u32 % 9; if a.checked_pow(exponent).is_some() { a.pow(exponent) } else { 0 } };
            pow_2: a.wrapping_pow(2);
            pow_5: a.wrapping_pow(5);
            isqrt: if a >= 0 { a.isqrt() } else { 0 };
            ilog: if a > 0 && b > 1 { a.ilog(b) } else { 0 };
            ilog2: if a > 0 { a.ilog2() } else { 0 };
            ilog10: if a > 0 { a.ilog10() } else { 0 };
            div_euclid: if a.checked_div(b).is_some() { a.div_euclid(b) } else { 0 };
            rem_euclid: if a.checked_rem(b).is_some() { a.rem_euclid(b) } else { 0 };
            rem_euclid_by_7: a.rem_euclid(7);
            midpoint: a.midpoint(b);
            cast_unsigned: a.cast_unsigned();
            largest: [a, b, c].into_iter().max();
            sorted: { let mut all = [a, b, c]; all.sort_unstable(); all[1] };
            between: if a < b { -1 } else if a > c { 1 } else { 0_i32 };
        } }
    };
}

signed! { i8, u8, words 2: i8_arithmetic, i8_overflow, i8_bits, i8_methods }
signed! { i16, u16, words 2: i16_arithmetic, i16_overflow, i16_bits, i16_methods }
signed! { i32, u32, words 2: i32_arithmetic, i32_overflow, i32_bits, i32_methods }
signed! { i64, u64, words 2: i64_arithmetic, i64_overflow, i64_bits, i64_methods }
signed! { isize, usize, words 2: isize_arithmetic, isize_overflow, isize_bits, isize_methods }
signed! { i128, u128, words 3: i128_arithmetic, i128_overflow, i128_bits, i128_methods }
