//! Trees of and, or, exclusive or and not over three numbers, and other folds of integers.

use crate::probe::probes;

probes! {
    all_bits:
    fn majority(a, b, n) { (a & b) | (b & n) | (a & n) }
    fn parity_and_majority(a, b, n) { (a ^ b ^ n) & ((a & b) | (b & n) | (a & n)) }
    fn chosen(a, b, n) { ((a & b) | (!a & n)) as u32 as u64 }
    fn chosen_twice(a, b) { let c = a.rotate_left(32); (((a & b) | (!a & c)) ^ (a & c)) as u32 as u64 }
    fn repeated_and_xor(a, b) { let (x, y, z) = (a as u32, b as u32, (a >> 32) as u32); (((x & y) ^ (x & z)) | (x ^ y)) as u64 }
    fn repeated_or_not(a, b) { let (x, y, z) = (a as u32, b as u32, (b >> 32) as u32); ((x | !y) & (x | z) & !(y & z)) as u64 }
    fn repeated_xor(a, b) { let (x, y, z) = (a as u32, b as u32, (a >> 32) as u32); ((x ^ y) & (y ^ z) & (x | z)) as u64 }
    fn nested_not(a, b) { let (x, y, z) = (a as u32, b as u32, (a >> 32) as u32); (!(x & !(y | !(z ^ x)))) as u64 }
    fn same_twice(a, b) { let (x, y) = (a as u32, b as u32); ((x & y) | (x & !y) ^ (y | x)) as u64 }
    fn with_constant(a, b) { let (x, y) = (a as u32, b as u32); (((x | 0x55) & y) ^ (x & 0x0f0f_f0f0) | (y & !x)) as u64 }
    fn five_operations(a, b, n) { (((a | b) ^ (b & n)) & (!a ^ n)) | (a & !b) }
    fn six_operations(a, b, n) { ((a ^ (b | n)) & !(a & (b ^ n))) ^ (!n | (a & b)) }
    fn sixteen_bits(a, b) { let (x, y, z) = (a as u16, b as u16, (a >> 16) as u16); ((x & y) ^ (!x | z) ^ (y & z)) as u64 }
    fn of_conditions(a, b, n) { let (p, q, r) = (a < b, b < n, a & 1 == 1); ((p & q) | (!p & r) ^ (q & !r)) as u64 }
    fn merged(a, b, n) { a ^ ((a ^ b) & n) }
    fn added_without_carry(a, b) { (a ^ b).wrapping_add((a & b) << 1) }
    fn mean(a, b) { (a & b).wrapping_add((a ^ b) >> 1) ^ u64::midpoint(a, b) }
    fn isolated(a, b) { (a & a.wrapping_neg()) ^ (b & b.wrapping_sub(1)) ^ (a ^ a.wrapping_sub(1)).rotate_left(5) }
    fn next_power(a, b) { (a as u32).checked_next_power_of_two().unwrap_or(3) as u64 ^ ((b as u16).is_power_of_two() as u64) << 40 }
    fn zeros(a, b) {
        (a.leading_zeros() as u64) | (a.trailing_zeros() as u64) << 8 | ((b as u32).leading_zeros() as u64) << 16
            | ((b as u16).trailing_zeros() as u64) << 24 | ((b as u8).leading_zeros() as u64) << 32
            | ((a as i16).leading_zeros() as u64) << 40
    }
    fn ones(a, b) { (a.count_ones() + (b as u8).count_ones()) as u64 | ((a as i16).count_zeros() as u64) << 8 | ((b as u32).leading_ones() as u64) << 16 }
    fn reversed(a, b) { a.reverse_bits() ^ b.swap_bytes() ^ (a as u32).reverse_bits() as u64 }
    fn interleaved(a, b) {
        let spread = |x: u64| {
            let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
            let x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
            let x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
            let x = (x | x << 2) & 0x3333_3333_3333_3333;
            (x | x << 1) & 0x5555_5555_5555_5555
        };
        spread(a as u32 as u64) | spread(b as u32 as u64) << 1
    }
    fn absolute_differences(a, b) { a.abs_diff(b) ^ (a as i32).abs_diff(b as i32) as u64 ^ (a as u8).abs_diff(b as u8) as u64 }
    fn absolutes(a, b) { (a as i32).unsigned_abs() as u64 ^ (b as i64).wrapping_abs() as u64 ^ (a as i16).wrapping_abs() as u64 }
    fn largest_of_absolutes(a, b, n) { (a as i32).wrapping_abs().max(b as i32).max(n as i32) as u64 }
    fn smallest(a, b, n) { (a as i32).min(b as i32).min(n as i32) as u64 ^ (a as u32).min(b as u32).max(n as u32) as u64 }
    fn clamped(a, b) { (a as i32).clamp(-128, 127) as i8 as u64 ^ ((b as i64).clamp(-32768, 32767) as i16 as u16 as u64) << 8 }
    fn clamped_unsigned(a, b) { (a as u32).min(255) as u8 as u64 | ((b as i32).clamp(0, 65535) as u16 as u64) << 8 }
    fn signs(a, b) { (a as i32).signum() as u64 ^ (b as i64).signum() as u64 ^ (((a as i8) < 0) as u64) << 9 }
    fn smaller_half_is(a, b) { if (a as u16).min(b as u16) == 4 { 1 } else { 2 } }
    fn negated_half(a, b) { (a as i16).wrapping_neg() as i32 as u64 ^ ((a as i16).wrapping_neg() > 0) as u64 }
    fn negated_byte(a, b) { (a as i8).wrapping_neg() as i32 as u64 ^ ((b as i8).wrapping_abs() < 0) as u64 }
    fn compared_wide_and_narrow(a, b) { ((a as i32 as i64) < (b as u32 as i64)) as u64 | ((a as i16 as i32) < (b as u16 as i32)) as u64 * 2 }
    fn compared_after_difference(a, b) { ((a as u32).wrapping_sub(b as u32) > a as u32) as u64 | (((a as i32).wrapping_sub(b as i32) < 0) as u64) << 1 }
    fn negated_condition(a, b) { (((a < b) as u32).wrapping_neg() >= b as u32) as u64 }
    fn complement_of_difference(a, b) { (a as u32).wrapping_sub(0x8000_0000_u32.wrapping_sub(a as u32)) as u64 }
    fn remainder_of_constant(a, b) { (a as u32 % 7) as u64 | ((b as i32 % 10) as i8 as u8 as u64) << 8 | (a % 1000) << 16 }
    fn quotient_of_constant(a, b) { a / 7 ^ (b as i64 / -5) as u64 ^ (a as u16 / 3) as u64 ^ (b as i32 / 1_000_000) as u64 }
    fn multiple_of_constant(a, b) { (a as u32).is_multiple_of(12) as u64 | (b.is_multiple_of(10) as u64) << 1 }
}
