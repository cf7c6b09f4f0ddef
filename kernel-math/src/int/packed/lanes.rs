//! Operations on all lanes of a word. The constant `H` has the highest bit of each lane: it says how wide they are.
//!
//! Sums and differences are of the bits below the highest, which nothing leaves, and the highest bits are added without a carry. Source:
//! H. S. Warren, Hacker's Delight, second edition, sections 2-5 and 2-18.

use crate::arch::int as arch;

/// The highest bits of lanes of 8 bits.
pub(super) const BYTES: u32 = 0x8080_8080;
/// The highest bits of lanes of 16 bits.
pub(super) const HALVES: u32 = 0x8000_8000;

/// The highest bit of each lane, in all bits of the lane.
#[inline(always)]
pub(super) fn signs<const H: u32>(a: u32) -> u32 {
    if H == BYTES { arch::signs_of_bytes(a) } else { arch::signs_of_halves(a) }
}

#[inline(always)]
pub(super) fn wrapping_add<const H: u32>(a: u32, b: u32) -> u32 {
    ((a & !H) + (b & !H)) ^ ((a ^ b) & H)
}

#[inline(always)]
pub(super) fn wrapping_sub<const H: u32>(a: u32, b: u32) -> u32 {
    ((a | H) - (b & !H)) ^ ((a ^ !b) & H)
}

#[inline(always)]
pub(super) fn average_floor<const H: u32>(a: u32, b: u32) -> u32 {
    (a & b) + ((a ^ b) >> 1 & !H)
}

#[inline(always)]
pub(super) fn average_ceil<const H: u32>(a: u32, b: u32) -> u32 {
    (a | b) - ((a ^ b) >> 1 & !H)
}

/// All ones in lanes where `a > b`: there the average of `a` and `max - b`, rounded down, is at least half of the range.
#[inline(always)]
pub(super) fn gt<const H: u32>(a: u32, b: u32) -> u32 {
    signs::<H>(average_floor::<H>(a, !b))
}

/// All ones in lanes where `a >= b`: by the average as in [`gt`], rounded up.
#[inline(always)]
pub(super) fn ge<const H: u32>(a: u32, b: u32) -> u32 {
    signs::<H>(average_ceil::<H>(a, !b))
}

/// All ones in lanes that differ.
#[inline(always)]
pub(super) fn ne<const H: u32>(a: u32, b: u32) -> u32 {
    let x = a ^ b;
    signs::<H>(((x & !H) + !H) | x)
}

/// The bits of `a` where `mask` has ones, and of `b` elsewhere.
#[inline(always)]
pub(super) fn select(mask: u32, a: u32, b: u32) -> u32 {
    (a & mask) | (b & !mask)
}

#[inline(always)]
pub(super) fn saturating_add<const H: u32>(a: u32, b: u32) -> u32 {
    let sum = wrapping_add::<H>(a, b);
    let carried = (a & b) | ((a | b) & !sum);
    sum | signs::<H>(carried)
}

#[inline(always)]
pub(super) fn saturating_sub<const H: u32>(a: u32, b: u32) -> u32 {
    let difference = wrapping_sub::<H>(a, b);
    let borrowed = (!a & b) | ((!a | b) & difference);
    difference & !signs::<H>(borrowed)
}

#[inline(always)]
pub(super) fn abs_diff<const H: u32>(a: u32, b: u32) -> u32 {
    if H == BYTES {
        return arch::abs_diff_bytes(a, b);
    }
    let smaller = gt::<H>(b, a);
    wrapping_sub::<H>(wrapping_sub::<H>(a, b) ^ smaller, smaller)
}

/// The sum of all distances, and `sum`; it wraps.
#[inline(always)]
pub(super) fn sum_abs_diff<const H: u32>(a: u32, b: u32, sum: u32) -> u32 {
    if H == BYTES {
        return arch::sum_abs_diff_bytes(a, b, sum);
    }
    let distances = abs_diff::<H>(a, b);
    sum.wrapping_add(distances & 0xffff).wrapping_add(distances >> 16)
}

/// The sum of signed lanes; what doesn't fit becomes the least or greatest number.
#[inline(always)]
pub(super) fn saturating_add_signed<const H: u32>(a: u32, b: u32) -> u32 {
    let sum = wrapping_add::<H>(a, b);
    let overflowed = signs::<H>(!(a ^ b) & (a ^ sum));
    select(overflowed, signs::<H>(a) ^ !H, sum)
}

/// The difference of signed lanes; what doesn't fit becomes the least or greatest number.
#[inline(always)]
pub(super) fn saturating_sub_signed<const H: u32>(a: u32, b: u32) -> u32 {
    let difference = wrapping_sub::<H>(a, b);
    let overflowed = signs::<H>((a ^ b) & (a ^ difference));
    select(overflowed, signs::<H>(a) ^ !H, difference)
}

/// The absolute value of signed lanes; of the least number it is that number.
#[inline(always)]
pub(super) fn wrapping_abs<const H: u32>(a: u32) -> u32 {
    let negative = signs::<H>(a);
    wrapping_sub::<H>(a ^ negative, negative)
}

/// The absolute value of signed lanes; of the least number it is the greatest.
#[inline(always)]
pub(super) fn saturating_abs<const H: u32>(a: u32) -> u32 {
    let abs = wrapping_abs::<H>(a);
    // Only the least number is still negative, and one less is the greatest.
    let ones = if H == BYTES { abs >> 7 & 0x0101_0101 } else { abs >> 15 & 0x0001_0001 };
    abs - ones
}
