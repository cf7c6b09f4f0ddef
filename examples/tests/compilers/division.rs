//! Divisions whose operands are known to have few bits: AMD's are done in floats or in half the width, where that seems to do.

use crate::probe::probes;

/// The low bits with their sign.
#[inline(always)]
fn signed(x: u64, bits: u32) -> i32 {
    (x as i32) << (32 - bits) >> (32 - bits)
}

probes! {
    divisions:
    fn div_i32_as_i64(a, b) {
        let (a, b) = (a as i32 as i64, b as i32 as i64);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_i32_as_i64(a, b) {
        let (a, b) = (a as i32 as i64, b as i32 as i64);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_euclid_i32_as_i64(a, b) {
        let (a, b) = (a as i32 as i64, b as i32 as i64);
        if b == 0 { 7 } else { a.div_euclid(b) as u64 }
    }
    fn rem_euclid_i32_as_i64(a, b) {
        let (a, b) = (a as i32 as i64, b as i32 as i64);
        if b == 0 { 7 } else { a.rem_euclid(b) as u64 }
    }
    fn wrapping_div_i32_as_i64(a, b) {
        let (a, b) = (a as i32 as i64, b as i32 as i64);
        if b == 0 { 7 } else { a.wrapping_div(b) as u64 }
    }
    fn checked_div_i32_as_i64(a, b) { (a as i32 as i64).checked_div(b as i32 as i64).unwrap_or(7) as u64 }
    fn div_shifted_i64(a, b) {
        let (a, b) = (a as i64 >> 32, b as i64 >> 32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i32_by_i16_as_i64(a, b) {
        let (a, b) = (a as i32 as i64, b as i16 as i64);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i16_as_i64(a, b) {
        let (a, b) = (a as i16 as i64, b as i16 as i64);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i8_as_i64(a, b) {
        let (a, b) = (a as i8 as i64, b as i8 as i64);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i33_as_i64(a, b) {
        let (a, b) = ((a as i64) << 31 >> 31, (b as i64) << 31 >> 31);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i24_as_i64(a, b) {
        let (a, b) = ((a as i64) << 40 >> 40, (b as i64) << 40 >> 40);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_i24_as_i64(a, b) {
        let (a, b) = ((a as i64) << 40 >> 40, (b as i64) << 40 >> 40);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_i64(a, b) {
        let (a, b) = (a as i64, b as i64);
        if b == 0 { 7 } else { a.wrapping_div(b) as u64 }
    }
    fn rem_i64(a, b) {
        let (a, b) = (a as i64, b as i64);
        if b == 0 { 7 } else { a.wrapping_rem(b) as u64 }
    }
    fn div_u64(a, b) { if b == 0 { 7 } else { a / b } }
    fn rem_u64(a, b) { if b == 0 { 7 } else { a % b } }
    fn div_i32_of_minus_one(a, b) {
        // The divisor is 1 or -1.
        let (a, b) = (a as i32 as i64, (b as i32 | 1).signum() as i64);
        (a / b) as u64
    }

    fn div_u24(a, b) {
        let (a, b) = (a as u32 & 0xff_ffff, b as u32 & 0xff_ffff);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_u24(a, b) {
        let (a, b) = (a as u32 & 0xff_ffff, b as u32 & 0xff_ffff);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_rem_u24(a, b) {
        let (a, b) = (a as u32 & 0xff_ffff, b as u32 & 0xff_ffff);
        if b == 0 { 7 } else { ((a / b) as u64) << 32 | (a % b) as u64 }
    }
    fn div_back_u24(a, b) {
        // Quotient and remainder have to give the dividend.
        let (a, b) = (a as u32 & 0xff_ffff, (b as u32 & 0xff_ffff).max(1));
        let quotient = a / b;
        (a.wrapping_sub(quotient.wrapping_mul(b)) < b) as u64
    }
    fn div_u24_shifted(a, b) {
        let (a, b) = (a as u32 >> 8, b as u32 >> 8);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_u24_shifted(a, b) {
        let (a, b) = (a as u32 >> 8, b as u32 >> 8);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_u24_as_u64(a, b) {
        let (a, b) = (a & 0xff_ffff, b & 0xff_ffff);
        if b == 0 { 7 } else { a / b }
    }
    fn rem_u24_as_u64(a, b) {
        let (a, b) = (a & 0xff_ffff, b & 0xff_ffff);
        if b == 0 { 7 } else { a % b }
    }
    fn div_u24_min(a, b) {
        let (a, b) = ((a as u32).min(0xff_ffff), (b as u32).min(0xff_ffff));
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_u23(a, b) {
        let (a, b) = (a as u32 & 0x7f_ffff, b as u32 & 0x7f_ffff);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_u23(a, b) {
        let (a, b) = (a as u32 & 0x7f_ffff, b as u32 & 0x7f_ffff);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_u22(a, b) {
        let (a, b) = (a as u32 & 0x3f_ffff, b as u32 & 0x3f_ffff);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_u25(a, b) {
        let (a, b) = (a as u32 & 0x1ff_ffff, b as u32 & 0x1ff_ffff);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_u24_by_u16(a, b) {
        let (a, b) = (a as u32 & 0xff_ffff, b as u16 as u32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_u16_by_u24(a, b) {
        let (a, b) = (a as u16 as u32, b as u32 & 0xff_ffff);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_u24_by_u8(a, b) {
        let (a, b) = (a as u32 & 0xff_ffff, b as u8 as u32);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_u32_by_u24(a, b) {
        let (a, b) = (a as u32, b as u32 & 0xff_ffff);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_u24_by_u32(a, b) {
        let (a, b) = (a as u32 & 0xff_ffff, b as u32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_or_one(a, b) { let x = a as u32; (x % (x | 1)) as u64 }
    fn rem_or_one_u24(a, b) { let x = a as u32 & 0xff_ffff; (x % (x | 1)) as u64 }
    fn div_u32(a, b) {
        let (a, b) = (a as u32, b as u32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_u32(a, b) {
        let (a, b) = (a as u32, b as u32);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_u16(a, b) {
        let (a, b) = (a as u16, b as u16);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_u8(a, b) {
        let (a, b) = (a as u8, b as u8);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_ceil_u24(a, b) {
        let (a, b) = (a as u32 & 0xff_ffff, b as u32 & 0xff_ffff);
        if b == 0 { 7 } else { a.div_ceil(b) as u64 }
    }
    fn next_multiple_u24(a, b) {
        let (a, b) = (a as u32 & 0xff_ffff, b as u32 & 0xff_ffff);
        if b == 0 { 7 } else { a.next_multiple_of(b) as u64 }
    }
    fn checked_rem_u24(a, b) { (a as u32 & 0xff_ffff).checked_rem(b as u32 & 0xff_ffff).map_or(7, u64::from) }
    fn div_common_u24(a, b, n) {
        let (a, n) = (a as u32 & 0xff_ffff, (n as u32 & 0xff_ffff) | 1);
        (a / n) as u64 ^ ((n / (b as u32 & 0xff_ffff | 1)) as u64) << 32
    }
    fn digits_u24(a, b) {
        // A number's digits in some base.
        let (mut rest, base) = (a as u32 & 0xff_ffff, (b as u32 & 0xfff) + 2);
        let mut sum = 0;
        while rest > 0 {
            sum = sum * 31 % 65_521 + (rest % base) as u64;
            rest /= base;
        }
        sum
    }
    fn gcd_u24(a, b) {
        let (mut a, mut b) = (a as u32 & 0xff_ffff, b as u32 & 0xff_ffff);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a as u64
    }

    fn div_i24(a, b) {
        let (a, b) = (signed(a, 24), signed(b, 24));
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_i24(a, b) {
        let (a, b) = (signed(a, 24), signed(b, 24));
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_euclid_i24(a, b) {
        let (a, b) = (signed(a, 24), signed(b, 24));
        if b == 0 { 7 } else { a.div_euclid(b) as u64 }
    }
    fn rem_euclid_i24(a, b) {
        let (a, b) = (signed(a, 24), signed(b, 24));
        if b == 0 { 7 } else { a.rem_euclid(b) as u64 }
    }
    fn div_i24_shifted(a, b) {
        let (a, b) = (a as i32 >> 8, b as i32 >> 8);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i23(a, b) {
        let (a, b) = (signed(a, 23), signed(b, 23));
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i25(a, b) {
        let (a, b) = (signed(a, 25), signed(b, 25));
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i16_as_i32(a, b) {
        let (a, b) = (a as i16 as i32, b as i16 as i32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_i16_as_i32(a, b) {
        let (a, b) = (a as i16 as i32, b as i16 as i32);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_i8_as_i32(a, b) {
        let (a, b) = (a as i8 as i32, b as i8 as i32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i8_as_i16(a, b) {
        let (a, b) = (a as i8 as i16, b as i8 as i16);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i24_by_i8(a, b) {
        let (a, b) = (signed(a, 24), b as i8 as i32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_i24_by_u16(a, b) {
        let (a, b) = (signed(a, 24), b as u16 as i32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn wrapping_div_i16(a, b) {
        let (a, b) = (a as i16, b as i16);
        if b == 0 { 7 } else { a.wrapping_div(b) as u64 }
    }
    fn wrapping_div_i8(a, b) {
        let (a, b) = (a as i8, b as i8);
        if b == 0 { 7 } else { a.wrapping_div(b) as u64 }
    }
    fn checked_div_i8(a, b) { (a as i8).checked_div(b as i8).map_or(700, |x| x as u64) }
    fn overflowing_div_i16(a, b) {
        let (a, b) = (a as i16, b as i16);
        if b == 0 { return 7 }
        let (x, over) = a.overflowing_div(b);
        x as u64 ^ (over as u64) << 40
    }
    fn wrapping_div_i32(a, b) {
        let (a, b) = (a as i32, b as i32);
        if b == 0 { 7 } else { a.wrapping_div(b) as u64 }
    }
    fn wrapping_rem_i32(a, b) {
        let (a, b) = (a as i32, b as i32);
        if b == 0 { 7 } else { a.wrapping_rem(b) as u64 }
    }
    fn checked_div_i32(a, b) { (a as i32).checked_div(b as i32).map_or(7 << 40, |x| x as u64) }
    fn div_euclid_i32(a, b) {
        let (a, b) = (a as i32, b as i32);
        if b == 0 { 7 } else { a.wrapping_div_euclid(b) as u64 }
    }
    fn mean_of_bytes(a, b) {
        // A signed mean with rounding, as filters of images have it.
        let sum: i32 = a.to_le_bytes().iter().map(|&x| x as i8 as i32).sum();
        let weight = b.to_le_bytes().iter().map(|&x| x as i8 as i32).sum::<i32>();
        if weight == 0 { 7 } else { (sum * 256 / weight) as u64 }
    }
    fn scaled_u8(a, b) {
        let (value, alpha) = (a as u8 as u32, b as u8 as u32);
        if alpha == 0 { 7 } else { (value * 255 / alpha) as u64 }
    }
    fn div_of_all_ones(a, b) {
        let b = b as u32 & 0xff_ffff;
        if b == 0 { 7 } else { (u32::MAX / b) as u64 }
    }
    fn div_of_high_ones(a, b) {
        let (a, b) = (a as u32 | 0xff80_0000, b as u8 as u32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn div_by_high_ones(a, b) {
        let (a, b) = (a as u32 | 0xff80_0000, b as u32 | 0xff80_0000);
        ((a / b) as u64) << 32 | (a % b) as u64
    }
    fn div_of_sign_as_unsigned(a, b) {
        let (a, b) = ((a as i32 >> 16) as u32, b as u8 as u32);
        if b == 0 { 7 } else { (a / b) as u64 }
    }
    fn rem_of_sign_as_unsigned(a, b) {
        let (a, b) = ((a as i32 >> 8) as u32, (b as i16 as i32) as u32);
        if b == 0 { 7 } else { (a % b) as u64 }
    }
    fn div_of_high_ones_u64(a, b) {
        let (a, b) = (a | 0xffff_ffff_ff80_0000, b & 0xff);
        if b == 0 { 7 } else { a / b }
    }
    fn div_of_sign_as_unsigned_u64(a, b) {
        let (a, b) = ((a as i64 >> 40) as u64, (b as i64 >> 40) as u64);
        if b == 0 { 7 } else { a / b ^ (a % b).rotate_left(32) }
    }
    fn div_u33(a, b) {
        let (a, b) = (a & 0x1_ffff_ffff, b & 0xffff_ffff);
        if b == 0 { 7 } else { a / b ^ (a % b).rotate_left(32) }
    }
    fn div_rem_u16(a, b) {
        let (a, b) = (a as u16, b as u16);
        if b == 0 { 7 } else { ((a / b) as u64) << 16 | (a % b) as u64 }
    }
    fn div_rem_i32(a, b) {
        let (a, b) = (a as i32 >> 1, b as i32 >> 1);
        if b == 0 { 7 } else { ((a / b) as u32 as u64) << 32 | (a % b) as u32 as u64 }
    }
    fn div_u128(a, b) {
        let (a, b) = ((a as u128) << 20 | 5, (b as u128) << 3 | 1);
        (a / b) as u64 ^ (a % b) as u64
    }
    fn scaled_u16(a, b) {
        let (value, scale) = (a as u16 as u32, b as u16 as u32);
        if scale == 0 { 7 } else { (value * 255 / scale) as u64 }
    }
}
