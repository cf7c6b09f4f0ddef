//! Shifts whose amount is guarded, and shifts of a few bits: a guard of a wide amount has to stay, and a sign has to come from the right bit.

use crate::probe::probes;

probes! {
    all_shifts:
    fn shl_below_64(a, b) { if b < 64 { a.unbounded_shl(b as u32) } else { 0 } }
    fn shr_below_64(a, b) { if b < 64 { a.unbounded_shr(b as u32) } else { 0 } }
    fn sar_below_64(a, b) { if b < 64 { (a as i64).unbounded_shr(b as u32) as u64 } else { 0 } }
    fn shl_operator_below_64(a, b) { if b < 64 { a << b } else { 0 } }
    fn shr_operator_below_64(a, b) { if b < 64 { a >> b } else { 0 } }
    fn shl_not_above_63(a, b) { if b > 63 { 0 } else { a << b } }
    fn shr_not_above_63(a, b) { if b > 63 { 0 } else { a >> b } }
    fn shl_up_to_63(a, b) { if b <= 63 { a << b } else { 0 } }
    fn shl_in_range(a, b) { if (0..64).contains(&b) { a << b } else { 0 } }
    fn shl_i64_amount(a, b) { let b = b as i64; if (0..64).contains(&b) { a << b } else { 0 } }
    fn shl_usize_amount(a, b) { let b = b as usize; if b >= 64 { 0 } else { a << b } }
    fn shl_u32_below_32(a, b) { (if b < 32 { (a as u32) << b as u32 } else { 0 }) as u64 }
    fn shr_u32_below_32(a, b) { (if b < 32 { a as u32 >> b as u32 } else { 0 }) as u64 }
    fn shl_u32_not_above_31(a, b) { (if b > 31 { 0 } else { (a as u32) << b }) as u64 }
    fn sar_i32_below_32(a, b) { (if b < 32 { a as i32 >> b } else { 0 }) as u64 }
    fn shl_u16_below_16(a, b) { (if b < 16 { (a as u16) << b } else { 0 }) as u64 }
    fn shr_u16_below_16(a, b) { (if b < 16 { a as u16 >> b } else { 0 }) as u64 }
    fn shl_u8_below_8(a, b) { (if b < 8 { (a as u8) << b } else { 0 }) as u64 }
    fn shr_u8_below_8(a, b) { (if b < 8 { a as u8 >> b } else { 0 }) as u64 }
    fn shl_u32_below_64(a, b) { (if b < 64 { (a as u32).unbounded_shl(b as u32) } else { 0 }) as u64 }
    fn shl_u64_below_32(a, b) { if b < 32 { a << b } else { 0 } }
    fn shl_checked_amount(a, b) { u32::try_from(b).ok().and_then(|b| a.checked_shl(b)).unwrap_or(0) }
    fn shr_checked_amount(a, b) { u32::try_from(b).ok().and_then(|b| a.checked_shr(b)).unwrap_or(0) }
    fn shl_filtered(a, b) { Some(b).filter(|&b| b < 64).map_or(0, |b| a << b) }
    fn shl_matched(a, b) { match b { 0..64 => a << b, _ => 0 } }
    fn shl_guarded_twice(a, b) { if b < 64 && a != 3 { a << b } else { 0 } }
    fn shl_and_mask(a, b) { if b < 64 { (1_u64 << b) & a } else { 0 } }
    fn mask_of_bits(a, b) { (if b >= 64 { u64::MAX } else { (1 << b) - 1 }) ^ a }
    fn bit_test(a, b) { (b < 64 && a >> b & 1 == 1) as u64 }
    fn shl_common(a, b, n) { if n < 64 { a << n } else { 0 } }
    fn shr_common(a, b, n) { if n < 64 { a >> n } else { 0 } }
    fn shl_by_difference(a, b) { let k = b.wrapping_sub(a); if k < 64 { a << k } else { 0 } }
    fn shl_u128(a, b) {
        let x = if b < 128 { (a as u128 | 1 << 90) << b } else { 0 };
        x as u64 ^ (x >> 64) as u64
    }
    fn shr_u128(a, b) {
        let x = if b < 128 { ((a as u128) << 50 | 1) >> b } else { 0 };
        x as u64 ^ (x >> 64) as u64
    }
    fn unbounded_shl_u32(a, b) { (a as u32).unbounded_shl(b as u32) as u64 }
    fn unbounded_shr_i32(a, b) { (a as i32).unbounded_shr(b as u32) as u64 }
    fn unbounded_shl_u16(a, b) { (a as u16).unbounded_shl(b as u32) as u64 }
    fn wrapping_shl_u64(a, b) { a.wrapping_shl(b as u32) }
    fn wrapping_shr_i16(a, b) { (a as i16).wrapping_shr(b as u32) as u64 }
    fn wrapping_shr_i8(a, b) { (a as i8).wrapping_shr(b as u32) as u64 }
    fn overflowing_shl_u32(a, b) {
        let (x, over) = (a as u32).overflowing_shl(b as u32);
        x as u64 | (over as u64) << 63
    }

    fn sign_bit_widened(a, b) { ((((b & 1) as i32).wrapping_neg()) << 31) as i64 as u64 }
    fn sign_bit_of_16_widened(a, b) { (((b & 1) as i16).wrapping_neg() << 15) as i64 as u64 }
    fn sign_bit_of_16_as_i32(a, b) { (((b & 1) as i16).wrapping_neg() << 15) as i32 as u32 as u64 }
    fn sign_of_small_widened(a, b) { ((((b & 3) as i32) - 1) << 30) as i64 as u64 }
    fn scaled_widened(a, b) { ((a as i8 as i32) << 24) as i64 as u64 }
    fn scaled_unsigned_widened(a, b) { ((a as u8 as u32) << 24) as u64 ^ ((b as u16 as u32) << 16) as u64 }
    fn shifted_product_widened(a, b) { ((a as i16 as i32).wrapping_mul(b as i16 as i32) as i64 as u64) << 7 }

    fn rotate_common(a, b, n) { (a as u32).rotate_left(n as u32) as u64 }
    fn rotate_of_common(a, b, n) { (n as u32).rotate_left(8) as u64 ^ a }
    fn rotate_right_of_common(a, b, n) { n.rotate_right(24) ^ a }
    fn rotate_8(a, b) { (a as u32).rotate_left(8) as u64 ^ (b as u16).rotate_left(3) as u64 }
    fn rotate_by(a, b) { a.rotate_left(b as u32) ^ (a as u32).rotate_right(b as u32) as u64 }
    fn rotate_bytes(a, b) { (a as u8).rotate_left(b as u32) as u64 }
    fn funnel(a, b) { ((a << 32 | b & 0xffff_ffff) >> (a & 31)) & 0xffff_ffff }
    fn funnel_constant(a, b) { ((a as u32) << 9 | b as u32 >> 23) as u64 }
    fn difference_of_shifts(a, b) { (a << 31).wrapping_sub(a >> 33) }
    fn difference_of_shifts_8(a, b) { (a << 8).wrapping_sub(a >> 56) }
    fn sum_of_shifts(a, b) { (a << 31).wrapping_add((a as i64 >> 33) as u64) }
    fn difference_of_shifts_u32(a, b) { ((a as u32) << 7).wrapping_sub(a as u32 >> 25) as u64 }
    fn square_of_shifted(a, b) { let s = (a as u32 ^ 8) << 14; (s.wrapping_mul(s) & 7) as u64 }
    fn nested_masked_shifts(a, b) { ((a as u32) << (((b as u32) << (a as u32 & 31)) & 31)) as u64 }
    fn signed_shift_compared(a, b) { (0xc000_0000_u32 >= ((a as u32 | 0x8000_0000) as i32 >> 3) as u32) as u64 }
    fn shift_chain(a, b) { ((a as u32 >> (b & 7)) << (b & 3)) as u64 ^ ((a as i16 >> (b & 15)) as u64) }
    fn lane_scaled(a, b) { ((a as u32) << 3).wrapping_add(a as u32) as u64 }
}
