//! Products of few bits beside wide sums, and fields of bits.

use crate::probe::probes;

probes! {
    all_products:
    fn mad_u24(a, b) { ((a as u32 & 0xff_ffff) as u64 * (b as u32 & 0xff_ffff) as u64).wrapping_add(b) }
    fn mad_u24_own(a, b) { ((a as u32 & 0xff_ffff) as u64 * (b as u32 & 0xff_ffff) as u64).wrapping_add(a) }
    fn mad_u24_constant(a, b) { (a & 0xff_ffff) * (b & 0xff_ffff) + 0x1_0000_0001 }
    fn mad_u24_common(a, b, n) { ((a & 0xff_ffff) * (b & 0xff_ffff)).wrapping_add(n << 20) }
    fn mad_u24_by_common(a, b, n) { ((a & 0xff_ffff) * (n & 0xff_ffff)).wrapping_add(b) }
    fn mul_u24(a, b) { (a & 0xff_ffff) * (b & 0xff_ffff) }
    fn mul_u24_low(a, b) { ((a as u32 & 0xff_ffff).wrapping_mul(b as u32 & 0xff_ffff)) as u64 }
    fn mad_u24_low(a, b) { ((a as u32 & 0xff_ffff).wrapping_mul(b as u32 & 0xff_ffff)).wrapping_add((a >> 32) as u32) as u64 }
    fn mad_u24_low_as_u64(a, b) { ((a as u32 & 0xff_ffff).wrapping_mul(b as u32 & 0xff_ffff) as u64).wrapping_add(b) }
    fn mad_u24_sub(a, b) { b.wrapping_sub((a & 0xff_ffff) * (b & 0xff_ffff)) }
    fn mad_u24_of_shifted(a, b) { ((a as u32 >> 8) as u64 * (b as u32 >> 8) as u64).wrapping_add(b) }
    fn mad_u24_by_u32(a, b) { ((a & 0xff_ffff) * (b as u32 as u64)).wrapping_add(b) }
    fn mad_u16(a, b) { (a as u16 as u64 * b as u16 as u64).wrapping_add(b) }
    fn mad_u16_low(a, b) { ((a as u16).wrapping_mul(b as u16) as u64).wrapping_add(a) }
    fn mad_u8(a, b) { (a as u8 as u64 * b as u8 as u64).wrapping_add(a) }
    fn mad_u20(a, b) { ((a & 0xf_ffff) * (b & 0xf_ffff)).wrapping_add(a) }
    fn mad_i24(a, b) { (((a as i64) << 40 >> 40) * ((b as i64) << 40 >> 40)).wrapping_add(b as i64) as u64 }
    fn mad_i24_as_i32(a, b) {
        let (x, y) = ((a as i32) << 8 >> 8, (b as i32) << 8 >> 8);
        (x as i64 * y as i64).wrapping_add(a as i64) as u64
    }
    fn mad_i24_low(a, b) {
        let (x, y) = ((a as i32) << 8 >> 8, (b as i32) << 8 >> 8);
        x.wrapping_mul(y).wrapping_add((a >> 32) as i32) as u64
    }
    fn mad_i24_low_as_i64(a, b) {
        let (x, y) = ((a as i32) << 8 >> 8, (b as i32) << 8 >> 8);
        (x.wrapping_mul(y) as i64).wrapping_add(a as i64) as u64
    }
    fn mul_i24(a, b) { (((a as i64) << 40 >> 40) * ((b as i64) << 40 >> 40)) as u64 }
    fn mad_i16(a, b) { (a as i16 as i64 * b as i16 as i64).wrapping_add(b as i64) as u64 }
    fn mad_i32(a, b) { (a as i32 as i64).wrapping_mul(b as i32 as i64).wrapping_add(a as i64) as u64 }
    fn mad_u32(a, b) { (a as u32 as u64).wrapping_mul(b as u32 as u64).wrapping_add(a) }
    fn mad_mixed(a, b) { (a as u32 as i64).wrapping_mul(b as i32 as i64).wrapping_add(a as i64) as u64 }
    fn mad_odd(a, b) { ((a as u32 & 0xff_ffff) as u64 * (b as u32 & 0xff_ffff | 1) as u64).wrapping_add(b << 32) }
    fn mul_high_u24(a, b) { ((a & 0xff_ffff) * (b & 0xff_ffff)) >> 32 }
    fn mul_high_i24(a, b) { ((((a as i64) << 40 >> 40) * ((b as i64) << 40 >> 40)) >> 32) as u64 }
    fn mul_high_u32(a, b) { (a as u32 as u64 * b as u32 as u64) >> 32 }
    fn mul_high_u64(a, b) { ((a as u128 * b as u128) >> 64) as u64 }
    fn mul_u128(a, b) { let p = (a as u128).wrapping_mul(b as u128 + 3); p as u64 ^ (p >> 64) as u64 }
    fn multiply_all(a, b) { let p = a as u128 * b as u128 + a as u128; p as u64 ^ (p >> 64) as u64 }
    fn square_plus(a, b) { let x = a & 0xff_ffff; (x * x).wrapping_add(a) }
    fn dot_u24(a, b) { ((a & 0xff_ffff) * (b & 0xff_ffff)).wrapping_add((a >> 40) * (b >> 40)).wrapping_add(a) }
    fn index_of(a, b, n) { (a as u32 & 0xff_ffff) as u64 * (n & 0xff_ffff) + (b & 0xff_ffff) }
    fn checked_mul_u24(a, b) { (a as u32 & 0xff_ffff).checked_mul(b as u32 & 0xff_ffff).map_or(7 << 40, u64::from) }
    fn overflowing_mul_i32(a, b) {
        let (x, over) = (a as i32).overflowing_mul(b as i32);
        x as u64 ^ (over as u64) << 50
    }
    fn overflowing_mul_u64(a, b) {
        let (x, over) = a.overflowing_mul(b);
        x ^ (over as u64) << 50
    }
    fn checked_mul_i64(a, b) { (a as i64).checked_mul(b as i64).unwrap_or(7) as u64 }
    fn saturating_mul_i32(a, b) { (a as i32).saturating_mul(b as i32) as u64 }

    fn low_ones_plus(a, b) { let x = a as u32; (((x as u64) << 32) | 0xffff).wrapping_add(x as u64) }
    fn low_ones_plus_masked(a, b) { let x = a as u32; (((x as u64) << 32) | 0xffff).wrapping_add((x & 0xff_ffff) as u64) }
    fn shifted_plus_product(a, b) { ((a as u32 as u64) << 32).wrapping_add((a & 0xff_ffff) * (b & 0xff_ffff)) }
    fn high_and_low(a, b) { (((a as u32 as u64) << 32) | (b as u32 as u64)).wrapping_add(a as u32 as u64) }
    fn sign_filled_field(a, b) { (((a as i32) << 9 >> 20) as u32 & 0xffff) as u64 }
    fn zero_filled_field(a, b) { (((a as i32) << 9 >> 20) as u32 >> 4 & 0xfff) as u64 }
    fn zero_filled_of_wide(a, b) { ((a as i64) << 9 >> 20) as u64 >> 4 & 0xfff_ffff_ffff }
    fn field_of_signed_byte(a, b) { ((a as i8 as i32 as u32) >> 4 & 0xff) as u64 }
    fn field_of_signed_byte_top(a, b) { ((a as i8 as i32 as u32) >> 28) as u64 | ((b as i16 as i32 as u32) >> 12) as u64 }
    fn field_at(a, b) { (a >> (b & 31)) & 0xff }
    fn field_of_width(a, b) { (a as u32 >> (b & 15) & ((1 << (b >> 8 & 15)) - 1)) as u64 }
    fn signed_field_of_width(a, b) { let w = (b & 31) as u32 + 1; (((a as u32) << (32 - w)) as i32 >> (32 - w)) as u64 }
    fn field_inserted(a, b) { (a & !0x0ff0) | (b << 4 & 0x0ff0) }
    fn field_of_sum(a, b) { ((a as u32).wrapping_add(b as u32) >> 5 & 0x7ff) as u64 }
    fn field_of_negated(a, b) { ((a as u32 & 0xff).wrapping_neg() >> 8 & 0xff) as u64 }
    fn field_of_difference(a, b) { (((a as u32 & 0xff).wrapping_sub(b as u32 & 0xff)) >> 8) as u64 }
    fn table_index_of_field(a, b, n, m) { m[(a as i8 as i32 as u32 >> 2 & 0xff) as usize] ^ m[(b >> 60) as usize] }
}
