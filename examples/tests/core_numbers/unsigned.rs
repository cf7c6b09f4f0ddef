//! Operators and methods of unsigned integers.

use crate::rows::rows;

/// The rows of a type, with its signed twin. Where an operation panics, the row has another value.
macro_rules! unsigned {
    ($number:ident, $signed:ident, words $words:literal: $arithmetic:ident, $overflow:ident, $bits:ident, $methods:ident) => {
        rows! { $arithmetic: $number, words $words, |a, b, c| {
            add: if a.checked_add(b).is_some() { a + b } else { 0 };
            sub: if b <= a { a - b } else { 0 };
            mul: if a.checked_mul(b).is_some() { a * b } else { 0 };
            div: if b != 0 { a / b } else { 0 };
            rem: if b != 0 { a % b } else { 0 };
            div_by_3: a / 3;
            div_by_7: a / 7;
            div_by_10: a / 10;
            div_by_16: a / 16;
            div_by_100: a / 100;
            rem_by_3: a % 3;
            rem_by_7: a % 7;
            rem_by_10: a % 10;
            rem_by_16: a % 16;
            rem_by_100: a % 100;
            div_and_rem: if b != 0 { (a / b, a % b) } else { (0, 0) };
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
            wrapping_div: if b != 0 { a.wrapping_div(b) } else { 0 };
            wrapping_rem: if b != 0 { a.wrapping_rem(b) } else { 0 };
            wrapping_pow: a.wrapping_pow(b as u32 % 70);
            wrapping_add_signed: a.wrapping_add_signed(b as $signed);
            wrapping_sub_signed: a.wrapping_sub_signed(b as $signed);
            saturating_add: a.saturating_add(b);
            saturating_sub: a.saturating_sub(b);
            saturating_mul: a.saturating_mul(b);
            saturating_div: if b != 0 { a.saturating_div(b) } else { 0 };
            saturating_pow: a.saturating_pow(b as u32 % 70);
            saturating_add_signed: a.saturating_add_signed(b as $signed);
            saturating_sub_signed: a.saturating_sub_signed(b as $signed);
        } }
        rows! { $overflow: $number, words $words, |a, b, c| {
            checked_add: a.checked_add(b);
            checked_sub: a.checked_sub(b);
            checked_mul: a.checked_mul(b);
            checked_div: a.checked_div(b);
            checked_rem: a.checked_rem(b);
            checked_neg: a.checked_neg();
            checked_shl: a.checked_shl(b as u32);
            checked_shr: a.checked_shr(b as u32);
            checked_pow: a.checked_pow(b as u32 % 70);
            checked_div_euclid: a.checked_div_euclid(b);
            checked_rem_euclid: a.checked_rem_euclid(b);
            checked_add_signed: a.checked_add_signed(b as $signed);
            checked_sub_signed: a.checked_sub_signed(b as $signed);
            checked_signed_diff: a.checked_signed_diff(b);
            checked_next_multiple_of: a.checked_next_multiple_of(b);
            checked_next_power_of_two: a.checked_next_power_of_two();
            checked_ilog: a.checked_ilog(b);
            checked_ilog2: a.checked_ilog2();
            checked_ilog10: a.checked_ilog10();
            overflowing_add: a.overflowing_add(b);
            overflowing_sub: a.overflowing_sub(b);
            overflowing_mul: a.overflowing_mul(b);
            overflowing_neg: a.overflowing_neg();
            overflowing_shl: a.overflowing_shl(b as u32);
            overflowing_shr: a.overflowing_shr(b as u32);
            overflowing_pow: a.overflowing_pow(b as u32 % 70);
            overflowing_add_signed: a.overflowing_add_signed(b as $signed);
            overflowing_sub_signed: a.overflowing_sub_signed(b as $signed);
            carrying_add: a.carrying_add(b, c & 1 == 1);
            borrowing_sub: a.borrowing_sub(b, c & 1 == 1);
            carrying_mul: a.carrying_mul(b, c);
            carrying_mul_add: a.carrying_mul_add(b, c, a ^ c);
        } }
        rows! { $bits: $number, words $words, |a, b, c| {
            not: !a;
            bit_and: a & b;
            bit_or: a | b;
            bit_xor: a ^ b;
            and_not: a & !b;
            blend: a & c | b & !c;
            majority: a & b | a & c | b & c;
            parity: a ^ b ^ c;
            shl: a << (b as u32 & ($number::BITS - 1));
            shr: a >> (b as u32 & ($number::BITS - 1));
            shl_by_1: a << 1;
            shr_by_1: a >> 1;
            shl_by_5: a << 5;
            shr_by_5: a >> 5;
            shl_by_most: a << ($number::BITS - 1);
            shr_by_most: a >> ($number::BITS - 1);
            shl_then_shr: a << (b as u32 & ($number::BITS - 1)) >> (c as u32 & ($number::BITS - 1));
            wrapping_shl: a.wrapping_shl(b as u32);
            wrapping_shr: a.wrapping_shr(b as u32);
            unbounded_shl: a.unbounded_shl(b as u32);
            unbounded_shr: a.unbounded_shr(b as u32);
            guarded_shl: if b < $number::BITS as $number { a.unbounded_shl(b as u32) } else { 0 };
            guarded_shr: if b < $number::BITS as $number { a.unbounded_shr(b as u32) } else { 0 };
            chosen_shl: if (b as u32) < $number::BITS { a << b as u32 } else { c };
            chosen_shr: if (b as u32) < $number::BITS { a >> b as u32 } else { c };
            rotate_left: a.rotate_left(b as u32);
            rotate_right: a.rotate_right(b as u32);
            rotate_left_by_3: a.rotate_left(3);
            rotate_by_half: a.rotate_left($number::BITS / 2);
            funnel: a << (c as u32 & ($number::BITS - 1)) | b.unbounded_shr($number::BITS - (c as u32 & ($number::BITS - 1)));
            is_bit_set: a >> (b as u32 & ($number::BITS - 1)) & 1 == 1;
            with_bit_set: a | 1 << (b as u32 & ($number::BITS - 1));
            low_bits: a & ((1 << (b as u32 & ($number::BITS - 1))) - 1);
            count_ones: a.count_ones();
            count_zeros: a.count_zeros();
            leading_zeros: a.leading_zeros();
            leading_ones: a.leading_ones();
            trailing_zeros: a.trailing_zeros();
            trailing_ones: a.trailing_ones();
            lowest_one: a & a.wrapping_neg();
            without_lowest_one: a & a.wrapping_sub(1);
            swap_bytes: a.swap_bytes();
            reverse_bits: a.reverse_bits();
            to_be: a.to_be();
            to_le: a.to_le();
            from_be: $number::from_be(a);
            sum_of_bytes: a.to_be_bytes().iter().fold(0_u32, |sum, byte| sum * 3 + u32::from(*byte) % 16);
            of_ne_bytes: { let mut bytes = a.to_ne_bytes(); bytes.reverse(); $number::from_ne_bytes(bytes) };
        } }
        rows! { $methods: $number, words $words, |a, b, c| {
            pow: { let exponent = b as u32 % 9; if a.checked_pow(exponent).is_some() { a.pow(exponent) } else { 0 } };
            pow_2: a.wrapping_pow(2);
            pow_5: a.wrapping_pow(5);
            isqrt: a.isqrt();
            ilog: if a > 0 && b > 1 { a.ilog(b) } else { 0 };
            ilog2: if a > 0 { a.ilog2() } else { 0 };
            ilog10: if a > 0 { a.ilog10() } else { 0 };
            abs_diff: a.abs_diff(b);
            div_euclid: if b != 0 { a.div_euclid(b) } else { 0 };
            rem_euclid: if b != 0 { a.rem_euclid(b) } else { 0 };
            div_ceil: if b != 0 { a.div_ceil(b) } else { 0 };
            next_multiple_of: if a.checked_next_multiple_of(b).is_some() { a.next_multiple_of(b) } else { 0 };
            is_multiple_of: a.is_multiple_of(b);
            midpoint: a.midpoint(b);
            is_power_of_two: a.is_power_of_two();
            next_power_of_two: if a.checked_next_power_of_two().is_some() { a.next_power_of_two() } else { 0 };
            cast_signed: a.cast_signed();
            default_or: if a == $number::default() { b } else { a };
            swapped: { let mut pair = [a, b]; if c & 1 == 1 { pair.swap(0, 1); } pair[0] };
            largest: [a, b, c].into_iter().max();
            sorted: { let mut all = [a, b, c]; all.sort_unstable(); all[1] };
            average: a / 2 + b / 2 + (a & b & 1);
            gcd: { let (mut x, mut y) = (a, b); while y != 0 { (x, y) = (y, x % y); } x };
        } }
    };
}

unsigned! { u8, i8, words 2: u8_arithmetic, u8_overflow, u8_bits, u8_methods }
unsigned! { u16, i16, words 2: u16_arithmetic, u16_overflow, u16_bits, u16_methods }
unsigned! { u32, i32, words 2: u32_arithmetic, u32_overflow, u32_bits, u32_methods }
unsigned! { u64, i64, words 2: u64_arithmetic, u64_overflow, u64_bits, u64_methods }
unsigned! { usize, isize, words 2: usize_arithmetic, usize_overflow, usize_bits, usize_methods }
unsigned! { u128, i128, words 3: u128_arithmetic, u128_overflow, u128_bits, u128_methods }
