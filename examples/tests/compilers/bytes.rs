//! Bytes and halves within words: dot products, packing, and signs of halves, for which AMD has instructions that match too easily.

use crate::probe::probes;

/// Four bytes of a number.
#[inline(always)]
fn four(x: u64) -> [u8; 4] {
    (x as u32).to_le_bytes()
}

probes! {
    all_bytes:
    fn square_and_parity(a, b) { let p = a as u32 & 0xff; (p * p + ((p * p) & 1)) as u64 }
    fn product_and_parity(a, b) { let p = (a as u32 & 0xff) * (b as u32 & 0xff); (p + (p & 1)) as u64 }
    fn product_and_low_bits(a, b) { let p = (a as u8 as u32) * (b as u8 as u32); (p + (p & 0xff)) as u64 }
    fn product_or_one(a, b) { let p = (a as u8 as u32) * (b as u8 as u32); (p + (p | 1)) as u64 }
    fn product_xor(a, b) { let p = (a as u8 as u32) * (b as u8 as u32); (p + (p ^ 0xf0)) as u64 }
    fn product_shifted(a, b) { let p = (a as u8 as u32) * (b as u8 as u32); (p + (p >> 3)) as u64 }
    fn product_masked_by(a, b) { let p = (a as u8 as u32) * (b as u8 as u32); (p + (p & b as u32)) as u64 }
    fn products_and_mask(a, b) {
        let ([a0, a1, ..], [b0, b1, ..]) = (four(a).map(u32::from), four(b).map(u32::from));
        (a0 * b0 + a1 * b1 + ((a0 * b0) & 1)) as u64
    }
    fn products_of_masked(a, b) {
        let ([a0, a1, ..], [b0, b1, ..]) = (four(a).map(u32::from), four(b).map(u32::from));
        ((a0 & 0x7f) * b0 + a1 * (b1 & 0x0f)) as u64
    }
    fn square_and_parity_i8(a, b) { let p = a as i8 as i32; (p * p + ((p * p) & 1)) as u64 }
    fn product_and_parity_i8(a, b) { let p = a as i8 as i32 * b as i8 as i32; (p + (p & 3)) as u64 }
    fn product_and_parity_u16(a, b) { let p = (a as u16 as u32).wrapping_mul(b as u16 as u32); p.wrapping_add(p & 1) as u64 }
    fn square_and_parity_u64(a, b) { let p = a & 0xff; p * p + ((p * p) & 1) }
    fn dot_4(a, b) { (0..4).map(|i| four(a)[i] as u32 * four(b)[i] as u32).sum::<u32>() as u64 }
    fn dot_4_i8(a, b) { (0..4).map(|i| four(a)[i] as i8 as i32 * four(b)[i] as i8 as i32).sum::<i32>() as u64 }
    fn dot_4_mixed(a, b) { (0..4).map(|i| four(a)[i] as i32 * four(b)[i] as i8 as i32).sum::<i32>() as u64 }
    fn dot_4_and_u32(a, b) {
        let sum = (a >> 32) as u32;
        (0..4).fold(sum, |sum, i| sum.wrapping_add(four(a)[i] as u32 * four(b)[i] as u32)) as u64
    }
    fn dot_4_and_u64(a, b) {
        let sum = 0xffff_ff00 + (b >> 40);
        (0..4).fold(sum, |sum, i| sum + four(a)[i] as u64 * four(b)[i] as u64)
    }
    fn dot_4_and_wide(a, b) { (0..4).fold(b, |sum, i| sum.wrapping_add(four(a)[i] as u64 * four(b)[i] as u64)) }
    fn dot_4_i8_and_i64(a, b) {
        (0..4).fold(b as i64, |sum, i| sum.wrapping_add(four(a)[i] as i8 as i64 * four(b)[i] as i8 as i64)) as u64
    }
    fn dot_4_and_i64(a, b) {
        (0..4).fold(-5_i64, |sum, i| sum + (four(a)[i] as i8 as i32 * four(b)[i] as i8 as i32) as i64) as u64
    }
    fn dot_3(a, b) { (0..3).map(|i| four(a)[i] as u32 * four(b)[i] as u32).sum::<u32>() as u64 }
    fn dot_3_and_byte(a, b) { (0..3).map(|i| four(a)[i] as u32 * four(b)[i] as u32).sum::<u32>() as u64 + (a >> 24 & 0xff) }
    fn dot_2(a, b) { (0..2).map(|i| four(a)[i] as u32 * four(b)[i] as u32).sum::<u32>() as u64 }
    fn dot_2_of_3_times(a, b) {
        let ([a0, a1, a2, _], [b0, b1, b2, _]) = (four(a).map(u32::from), four(b).map(u32::from));
        (a0 * b0 + a1 * b1 + a2 * b2 + (a0 & 1) * (b0 & 1)) as u64
    }
    fn dot_reversed(a, b) { (0..4).map(|i| four(a)[i] as u32 * four(b)[3 - i] as u32).sum::<u32>() as u64 }
    fn dot_repeated(a, b) { (0..4).map(|i| four(a)[i & 1] as u32 * four(b)[i] as u32).sum::<u32>() as u64 }
    fn dot_8(a, b) { (0..8).map(|i| a.to_le_bytes()[i] as u32 * b.to_le_bytes()[i] as u32).sum::<u32>() as u64 }
    fn dot_8_i8(a, b) { (0..8).map(|i| a.to_le_bytes()[i] as i8 as i32 * b.to_le_bytes()[i] as i8 as i32).sum::<i32>() as u64 }
    fn dot_u16(a, b) {
        let x = (a as u16 as u32).wrapping_mul(b as u16 as u32);
        x.wrapping_add((a as u32 >> 16).wrapping_mul(b as u32 >> 16)).wrapping_add((a >> 32) as u32) as u64
    }
    fn dot_i16(a, b) {
        let x = (a as i16 as i32).wrapping_mul(b as i16 as i32);
        x.wrapping_add((a as i32 >> 16).wrapping_mul(b as i32 >> 16)).wrapping_add((a >> 32) as i32) as u64
    }
    fn dot_i16_and_i64(a, b) {
        let x = (a as i16 as i64) * (b as i16 as i64) + (a as i32 >> 16) as i64 * (b as i32 >> 16) as i64;
        x.wrapping_add(b as i64) as u64
    }
    fn dot_nibbles(a, b) { (0..8).map(|i| (a as u32 >> (4 * i) & 15) * (b as u32 >> (4 * i) & 15)).sum::<u32>() as u64 }
    fn dot_signed_nibbles(a, b) {
        let nibble = |x: u64, i: u32| (x as i32) << (28 - 4 * i) >> 28;
        (0..8).map(|i| nibble(a, i) * nibble(b, i)).sum::<i32>() as u64
    }
    fn byte_sum_and_products(a, b) {
        let ([a0, a1, a2, a3], [b0, b1, ..]) = (four(a).map(u32::from), four(b).map(u32::from));
        (a0 + a1 + a2 + a3 + a0 * b0 + a1 * b1) as u64
    }
    fn byte_products_minus(a, b) {
        let ([a0, a1, ..], [b0, b1, ..]) = (four(a).map(u32::from), four(b).map(u32::from));
        (a0 * b0).wrapping_sub(a1 * b1) as u64
    }
    fn chosen_byte_minus_byte(a, b) {
        const TABLE: [u8; 8] = [1, 86, 0, 16, 64, 0, 255, 1];
        let chosen = if a as u32 == u32::MAX { TABLE[b as usize & 7] } else { 0 };
        let (difference, under) = chosen.overflowing_sub(a as u8);
        (if under { 1 } else { difference }) as u64
    }
    fn luma(a, b) { let [r, g, b, _] = four(a).map(u32::from); ((77 * r + 150 * g + 29 * b + 128) >> 8) as u64 }
    fn luma_and_alpha(a, b) {
        let ([r, g, bl, _], [al, ..]) = (four(a).map(u32::from), four(b).map(u32::from));
        ((r * al + g * al + bl * al + ((r * al) & 0xff)) >> 2) as u64
    }
    fn blend(a, b) {
        let t = (b >> 32) as u8 as u32;
        let mix = |x: u8, y: u8| (x as u32 * (255 - t) + y as u32 * t + 127) / 255;
        let (x, y) = (four(a), four(b));
        u32::from_le_bytes(std_array(|i| mix(x[i], y[i]) as u8)) as u64
    }

    fn sar_8_of_half_xor(a, b) { let x = a as u32; ((((x as i16) >> 8) as u16 as u32) ^ x) as u64 }
    fn sar_8_of_half_or(a, b) { let x = a as u32; ((((x as i16) >> 8) as u16 as u32) | (b as u32) << 16) as u64 }
    fn sar_8_of_half_add(a, b) { let x = a as u32; ((((x as i16) >> 8) as u16 as u32).wrapping_add(b as u32)) as u64 }
    fn sar_8_of_half_sub(a, b) { ((b as u32).wrapping_sub(((a as i16) >> 8) as u16 as u32)) as u64 }
    fn sar_8_of_half_mul(a, b) { ((((a as i16) >> 8) as u16 as u32).wrapping_mul(b as u32)) as u64 }
    fn sar_8_of_half_max(a, b) { ((((a as i16) >> 8) as u16 as u32).max(b as u32)) as u64 }
    fn sar_8_of_half_less(a, b) { ((((a as i16) >> 8) as u16 as u32) < b as u32) as u64 }
    fn sar_8_of_half_float(a, b) { ((((a as i16) >> 8) as u16 as f32) + (b as u16 as f32)) as u64 }
    fn sar_8_of_half_and(a, b) { ((((a as i16) >> 8) as u16 as u32) & b as u32) as u64 }
    fn sar_8_of_half_wide(a, b) { (((a as i16) >> 8) as u16 as u64).wrapping_add(b) }
    fn sar_8_of_high_half(a, b) { let x = a as u32; ((((x >> 16) as i16 >> 8) as u16 as u32) ^ x) as u64 }
    fn sar_4_of_half(a, b) { let x = a as u32; ((((x as i16) >> 4) as u16 as u32) ^ x) as u64 }
    fn sar_15_of_half(a, b) { let x = a as u32; ((((x as i16) >> 15) as u16 as u32) ^ b as u32) as u64 }
    fn sar_by_of_half(a, b) { ((((a as i16) >> (b & 15)) as u16 as u32) ^ a as u32) as u64 }
    fn sar_of_byte(a, b) { let x = a as u32; ((((x as i8) >> 4) as u8 as u32) ^ x) as u64 }
    fn byte_as_half_as_word(a, b) { let x = a as u32; ((x as i8 as i16 as u16 as u32) ^ x) as u64 }
    fn byte_as_half_add(a, b) { ((a as i8 as i16 as u16 as u32).wrapping_add(b as u32)) as u64 }
    fn high_byte_as_half(a, b) { ((((a as u32) >> 8) as i8 as i16 as u16 as u32) ^ b as u32) as u64 }
    fn top_byte_as_half(a, b) { ((((a as u32) >> 24) as i8 as i16 as u16 as u32).wrapping_add(b as u32)) as u64 }
    fn shr_of_half(a, b) { let x = a as u32; (((x as u16 >> 8) as i8 as i32 as u32) ^ x) as u64 }
    fn halves_added(a, b) {
        let low = (a as u16).wrapping_add(b as u16) as u32;
        let high = ((a >> 16) as u16).wrapping_sub((b >> 16) as u16) as u32;
        (low | high << 16) as u64
    }
    fn halves_swapped(a, b) { ((a as u32).rotate_left(16) ^ (b as i16 as u32)) as u64 }
    fn joined_selections(a, b) {
        let low = (a as u32 >> 8 & 0xff) as i8 as i16 as u16;
        let high = (b as u32 >> 16) as u16 >> 8;
        (low as u32 | (high as u32) << 16) as u64
    }
    fn bytes_of_bytes(a, b) { ((((a as u32 >> 16) & 0xffff) >> 8 & 0xff) + ((b as u32 >> 8 & 0xffff) & 0xff)) as u64 }
    fn negated_half(a, b) { ((a as i16).wrapping_neg() as i32 as u32 ^ b as u32) as u64 }
    fn saturated_halves(a, b) {
        ((a as i16).saturating_sub(b as i16) as u16 as u64) << 16 | (a as u16).saturating_add(b as u16) as u64
    }
    fn saturating_sub_of_least(a, b) { (a as i16).saturating_sub(i16::MIN) as u64 }
    fn saturating_i8(a, b) { (a as i8).saturating_sub(b as i8) as u64 ^ ((a as i8).saturating_add(b as i8) as u64) << 8 }
    fn min_max_halves(a, b) { ((a as i16).min(b as i16) as u64) << 32 ^ (a as u16).max(b as u16) as u64 }

    fn pack_sign_byte(a, b) {
        // Byte 1 of a widened i8 is its sign.
        let sign = (b as i8 as i32 as u32) >> 8 & 0xff;
        (sign | (a as u32 & 0xff) << 8 | (a as u32 & 0xff00) << 8 | sign << 24) as u64
    }
    fn pack_sign_bytes(a, b) {
        let (x, y) = (a as i8 as i32 as u32, b as i8 as i32 as u32);
        ((x >> 8 & 0xff) | (y & 0xff) << 8 | (y >> 16 & 0xff) << 16 | (x & 0xff) << 24) as u64
    }
    fn pack_sign_of_half(a, b) {
        let x = a as i16 as i32 as u32;
        ((x >> 16 & 0xff) | (b as u32 & 0xffff_ff00)) as u64
    }
    fn pack_of_shifted(a, b) {
        let x = (a as i32 >> 20) as u32;
        ((x >> 8 & 0xff) << 16 | (b as u32 & 0xff) | (x & 0xff) << 24) as u64
    }
    fn pack_of_unsigned_shift(a, b) {
        let x = a as u32 >> 12;
        ((x >> 16 & 0xff) << 8 | (b as u32 >> 24) | (x >> 8 & 0xff) << 24 | (b as u32 & 0xff) << 16) as u64
    }
    fn pack_wide(a, b) {
        let x = (a as i32 as i64) as u64;
        (x >> 32 & 0xff) | (b & 0xff) << 8 | (x >> 56) << 16 | (x & 0xff) << 24
    }
    fn pack_high_word(a, b) { (a >> 32 & 0xff00_ff00) | (b as u32 as u64 & 0x00ff_00ff) }
    fn pack_bytes(a, b) {
        let (x, y) = (four(a), four(b));
        u32::from_le_bytes([x[1], y[3], x[0], y[2]]) as u64
    }
    fn pack_signed_bytes(a, b) {
        let (x, y) = (four(a), four(b));
        (((x[1] as i8 as i32) << 8) as u32 & 0xffff_ff00 | y[3] as u32) as u64
    }
    fn pack_or_of_signed(a, b) { (((a as i8 as i32) << 16) as u32 | (b as u8 as u32)) as u64 }
    fn pack_halves_of_signed(a, b) { ((a as i8 as i16 as u16 as u32) | (b as i8 as i16 as u16 as u32) << 16) as u64 }
    fn swap_and_sign(a, b) { ((a as u32).swap_bytes() as i16 as u32 ^ b as u32) as u64 }
    fn reversed_bits(a, b) { (a as u8).reverse_bits() as u64 | (b as u16).reverse_bits() as u64 >> 4 | (a as u32).swap_bytes() as u64 }
    fn rgb_565(a, b) { let [r, g, b, _] = four(a).map(u32::from); ((r >> 3) << 11 | (g >> 2) << 5 | b >> 3) as u64 }
    fn rgb_of_565(a, b) {
        let x = a as u16;
        let (r, g, bl) = ((x >> 11) as u8, (x >> 5 & 0x3f) as u8, (x & 0x1f) as u8);
        u32::from_le_bytes([r << 3 | r >> 2, g << 2 | g >> 4, bl << 3 | bl >> 2, b as u8]) as u64
    }
}

/// An array by its indices.
#[inline(always)]
fn std_array<const N: usize>(f: impl FnMut(usize) -> u8) -> [u8; N] {
    core::array::from_fn(f)
}
