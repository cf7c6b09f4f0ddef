//! Carries of numbers in parts, against what wide numbers give.

use crate::probe::probes;

/// A sum with carries by hand, word by word.
#[inline(always)]
fn sum_of_words<const N: usize>(x: [u32; N], y: [u32; N], mut carry: bool) -> ([u32; N], bool) {
    let mut sum = [0; N];
    for i in 0..N {
        let (s, first) = x[i].overflowing_add(y[i]);
        let (s, second) = s.overflowing_add(carry as u32);
        (sum[i], carry) = (s, first | second);
    }
    (sum, carry)
}

/// A difference with borrows by hand, word by word.
#[inline(always)]
fn difference_of_words<const N: usize>(x: [u32; N], y: [u32; N], mut borrow: bool) -> ([u32; N], bool) {
    let mut difference = [0; N];
    for i in 0..N {
        let (d, first) = x[i].overflowing_sub(y[i]);
        let (d, second) = d.overflowing_sub(borrow as u32);
        (difference[i], borrow) = (d, first | second);
    }
    (difference, borrow)
}

#[inline(always)]
fn words(a: u64, b: u64) -> [u32; 4] {
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}

#[inline(always)]
fn folded(words: &[u32]) -> u64 {
    words.iter().fold(0, |sum, &word| sum.rotate_left(23) ^ word as u64)
}

probes! {
    all_carries:
    fn carry_of_three(a, b) {
        let (x, y, c) = (a as u32, b as u32, (a >> 63) as u32);
        let (s, over) = x.wrapping_add(y).overflowing_add(c);
        s as u64 | (over as u64) << 32
    }
    fn carry_of_three_one(a, b) {
        let (s, over) = (a as u32).wrapping_add(b as u32).overflowing_add(1);
        s as u64 | (over as u64) << 32
    }
    fn carry_of_condition(a, b) {
        let (s, over) = (a as u32).wrapping_add(b as u32).overflowing_add((a < b) as u32);
        s as u64 | (over as u64) << 32
    }
    fn carry_only_of_condition(a, b) { (a as u32).wrapping_add(b as u32).overflowing_add((a < b) as u32).1 as u64 }
    fn carry_of_wide_condition(a, b) {
        let (s, over) = a.wrapping_add(b).overflowing_add((a < b) as u64);
        s ^ (over as u64) << 32
    }
    fn borrow_of_three(a, b) {
        let (d, under) = (a as u32).wrapping_sub(b as u32).overflowing_sub((a >> 63) as u32);
        d as u64 | (under as u64) << 32
    }
    fn borrow_of_condition(a, b) {
        let (d, under) = (a as u32).wrapping_sub(b as u32).overflowing_sub((a < b) as u32);
        d as u64 | (under as u64) << 32
    }
    fn carry_by_comparison(a, b) {
        let s = (a as u32).wrapping_add(b as u32).wrapping_add((a > b) as u32);
        s as u64 | ((s < a as u32) as u64) << 32
    }
    fn carry_into_carry(a, b) {
        let (s, first) = (a as u32).overflowing_add(b as u32);
        let (s, second) = s.overflowing_add(first as u32);
        let (s, third) = s.overflowing_add(second as u32);
        s as u64 | (third as u64) << 32 | (second as u64) << 33 | (first as u64) << 34
    }
    fn carry_added_to_other(a, b) {
        let (low, carry) = (a as u32).overflowing_add(b as u32);
        let (high, over) = ((a >> 32) as u32).wrapping_add((b >> 32) as u32).overflowing_add(carry as u32);
        (low as u64 | (high as u64) << 32) ^ (over as u64) << 63
    }
    fn borrow_taken_from_other(a, b) {
        let (low, borrow) = (a as u32).overflowing_sub(b as u32);
        let (high, under) = ((a >> 32) as u32).wrapping_sub((b >> 32) as u32).overflowing_sub(borrow as u32);
        (low as u64 | (high as u64) << 32) ^ (under as u64) << 63
    }
    fn four_words_added(a, b) {
        let (s, carry) = sum_of_words(words(a, b), words(b.rotate_left(7), a), false);
        folded(&s) ^ carry as u64
    }
    fn four_words_added_and_one(a, b) {
        let (s, carry) = sum_of_words(words(a, b), words(!a, !b), a & 1 == 1);
        folded(&s) ^ carry as u64
    }
    fn four_words_subtracted(a, b) {
        let (d, borrow) = difference_of_words(words(a, b), words(b, a), false);
        folded(&d) ^ borrow as u64
    }
    fn four_words_subtracted_and_one(a, b) {
        let (d, borrow) = difference_of_words(words(a, b), words(a, b.wrapping_add(1)), b & 1 == 1);
        folded(&d) ^ borrow as u64
    }
    fn words_against_u128(a, b) {
        let (x, y) = ((a as u128) << 64 | b as u128, (b as u128) << 64 | a as u128);
        let (s, carry) = sum_of_words(words(b, a), words(a, b), false);
        let (wide, over) = x.overflowing_add(y);
        let same = s == [wide as u32, (wide >> 32) as u32, (wide >> 64) as u32, (wide >> 96) as u32];
        (same && carry == over) as u64
    }
    fn differences_against_u128(a, b) {
        let (x, y) = ((a as u128) << 64 | b as u128, (b as u128) << 64 | a as u128);
        let (d, borrow) = difference_of_words(words(b, a), words(a, b), false);
        let (wide, under) = x.overflowing_sub(y);
        let same = d == [wide as u32, (wide >> 32) as u32, (wide >> 64) as u32, (wide >> 96) as u32];
        (same && borrow == under) as u64
    }
    fn halves_with_carries(a, b) {
        let (low, carry) = a.overflowing_add(b);
        let (high, over) = a.rotate_left(9).overflowing_add(b.rotate_left(5));
        let (high, again) = high.overflowing_add(carry as u64);
        low ^ high.rotate_left(17) ^ (over | again) as u64
    }
    fn sixteen_bit_words(a, b) {
        let (s, first) = (a as u16).overflowing_add(b as u16);
        let (s, second) = s.overflowing_add((a > b) as u16);
        s as u64 | (first as u64) << 16 | (second as u64) << 17
    }
    fn bytes_with_carries(a, b) {
        let (x, y) = (a.to_le_bytes(), b.to_le_bytes());
        let (mut sum, mut carry) = ([0; 8], false);
        for i in 0..8 {
            let (s, first) = x[i].overflowing_add(y[i]);
            let (s, second) = s.overflowing_add(carry as u8);
            (sum[i], carry) = (s, first | second);
        }
        u64::from_le_bytes(sum) ^ (carry as u64) << 11
    }
    fn sum_of_u128(a, b) {
        let (s, over) = ((a as u128) << 64 | b as u128).overflowing_add(((b as u128) << 64) | !a as u128);
        s as u64 ^ (s >> 64) as u64 ^ (over as u64) << 5
    }
    fn difference_of_u128(a, b) {
        let (d, under) = ((a as u128) << 64 | b as u128).overflowing_sub(((b as u128) << 64) | a as u128);
        d as u64 ^ (d >> 64) as u64 ^ (under as u64) << 5
    }
    fn i128_compared(a, b) {
        let (x, y) = ((a as i64 as i128) << 40 | b as i128, (b as i64 as i128) << 40 | a as i128);
        (x < y) as u64 | ((x.wrapping_sub(y) < 0) as u64) << 1 | ((x.wrapping_add(y) > 0) as u64) << 2
    }
    fn shifted_u128_added(a, b) {
        let s = ((a as u128) << 37).wrapping_add((b as u128) << 41).wrapping_sub((a as u128) << 3);
        s as u64 ^ (s >> 64) as u64
    }
    fn overflowing_i32(a, b) {
        let (s, over) = (a as i32).overflowing_add(b as i32);
        let (d, under) = (a as i32).overflowing_sub(b as i32);
        (s ^ d.rotate_left(9)) as u64 ^ (over as u64) << 40 ^ (under as u64) << 41
    }
    fn overflowing_i64(a, b) {
        let (s, over) = (a as i64).overflowing_add(b as i64);
        let (d, under) = (a as i64).overflowing_sub(b as i64);
        (s ^ d.rotate_left(9)) as u64 ^ (over as u64) << 40 ^ (under as u64) << 41
    }
    fn checked_and_saturating(a, b) {
        a.checked_add(b).unwrap_or(1) ^ a.saturating_sub(b) ^ (a as u32).saturating_add(b as u32) as u64
    }
    fn saturating_then_wrapping(a, b) { (a as i32).saturating_sub(b as i32).wrapping_add(b as i32) as u64 }
    fn saturating_signed(a, b) { (a as i64).saturating_add(b as i64) as u64 ^ (a as i32).saturating_sub(b as i32) as u64 }
    fn carry_common(a, b, n) {
        let (s, over) = (n as u32).wrapping_add(0xffff_ffff).overflowing_add((a < b) as u32);
        s as u64 ^ (over as u64) << 33
    }
    fn uniform_carry(a, b, n) {
        let (s, over) = (n as u32).wrapping_add(n as u32 ^ 0xffff_ffff).overflowing_add((n > 9) as u32);
        s as u64 ^ (over as u64) << 33 ^ a
    }
    fn modular_sum(a, b) {
        let p = 0xffff_ffff_ffff_ffc5;
        let (x, y) = (a.min(p - 1), b.min(p - 1));
        let (s, over) = x.overflowing_add(y);
        if over || s >= p { s.wrapping_sub(p) } else { s }
    }
    fn product_in_words(a, b) {
        // 64 by 64 bits from 32-bit parts, with carries by hand.
        let (al, ah, bl, bh) = (a & 0xffff_ffff, a >> 32, b & 0xffff_ffff, b >> 32);
        let middle = ah * bl + (al * bl >> 32);
        let other = al * bh + (middle & 0xffff_ffff);
        let high = ah * bh + (middle >> 32) + (other >> 32);
        high ^ (other << 32 | (al * bl & 0xffff_ffff)).rotate_left(1)
    }
    fn product_against_u128(a, b) {
        let (al, ah, bl, bh) = (a & 0xffff_ffff, a >> 32, b & 0xffff_ffff, b >> 32);
        let middle = ah * bl + (al * bl >> 32);
        let other = al * bh + (middle & 0xffff_ffff);
        let high = ah * bh + (middle >> 32) + (other >> 32);
        ((a as u128 * b as u128) >> 64 == high as u128) as u64
    }
}
