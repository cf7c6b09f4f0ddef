//! Bits and bytes that are found, moved and cut out.

use super::Integer;
use crate::arch::int as arch;

/// The number of zeros below the lowest one; the number of bits if there is no one.
///
/// It is core's `trailing_zeros`, which on NVIDIA becomes a count of bits with a branch around it, in two instructions.
///
/// ```
/// use gridwright::int::trailing_zeros;
///
/// assert_eq!((trailing_zeros(40_u32), trailing_zeros(0_i64)), (3, 64));
/// ```
///
/// # From CUDA
/// `__ffs(x) - 1`; `__clz(__brev(x))`, which is 32 of zero, too.
#[inline(always)]
pub fn trailing_zeros<T: Integer>(value: T) -> u32 {
    value.trailing_zeros()
}

/// The position of the lowest one, counted from 1; 0 if there is none.
///
/// ```
/// use gridwright::int::find_first_set;
///
/// assert_eq!([find_first_set(1_u32), find_first_set(40), find_first_set(0)], [1, 4, 0]);
/// ```
///
/// # From CUDA
/// `__ffs`, `__ffsll`.
#[inline(always)]
pub fn find_first_set<T: Integer>(value: T) -> u32 {
    let below = value.trailing_zeros();
    let bits = size_of::<T>() as u32 * 8;
    if below == bits { 0 } else { below + 1 }
}

/// Four of the eight bytes of two words.
///
/// The bytes of `low` have the numbers 0 to 3, those of `high` 4 to 7, the lowest first. The lowest nibble of `selector` is the number
/// of the result's lowest byte, and so on. The highest bit of each nibble and the upper half of `selector` aren't looked at.
///
/// ```
/// use gridwright::int::byte_permute;
///
/// assert_eq!(byte_permute(0x3322_1100, 0x7766_5544, 0x0123), 0x0011_2233); // turned round
/// assert_eq!(byte_permute(0x3322_1100, 0x7766_5544, 0x5410), 0x5544_1100); // the lower halves
/// ```
///
/// # From CUDA
/// `__byte_perm`.
#[inline(always)]
pub fn byte_permute(low: u32, high: u32, selector: u32) -> u32 {
    arch::byte_permute(low, high, selector & 0x7777)
}

/// The upper word of `high` and `low`, side by side, shifted left by `shift` modulo 32.
///
/// ```
/// use gridwright::int::funnel_shift_left;
///
/// assert_eq!(funnel_shift_left(0x1234_5678, 0x9abc_def0, 8), 0x3456_789a);
/// assert_eq!(funnel_shift_left(0x1234_5678, 0x9abc_def0, 32), 0x1234_5678);
/// ```
///
/// # From CUDA
/// `__funnelshift_l`, whose first argument is the lower word.
#[inline(always)]
pub fn funnel_shift_left(high: u32, low: u32, shift: u32) -> u32 {
    arch::funnel_left(high, low, shift)
}

/// The upper word of `high` and `low`, side by side, shifted left by `shift`, at most by 32.
///
/// ```
/// use gridwright::int::funnel_shift_left_clamped;
///
/// assert_eq!(funnel_shift_left_clamped(0x1234_5678, 0x9abc_def0, 8), 0x3456_789a);
/// assert_eq!(funnel_shift_left_clamped(0x1234_5678, 0x9abc_def0, 99), 0x9abc_def0);
/// ```
///
/// # From CUDA
/// `__funnelshift_lc`, whose first argument is the lower word.
#[inline(always)]
pub fn funnel_shift_left_clamped(high: u32, low: u32, shift: u32) -> u32 {
    arch::funnel_left_clamped(high, low, shift)
}

/// The lower word of `high` and `low`, side by side, shifted right by `shift` modulo 32.
///
/// ```
/// use gridwright::int::funnel_shift_right;
///
/// assert_eq!(funnel_shift_right(0x1234_5678, 0x9abc_def0, 8), 0x789a_bcde);
/// assert_eq!(funnel_shift_right(0x1234_5678, 0x9abc_def0, 32), 0x9abc_def0);
/// ```
///
/// # From CUDA
/// `__funnelshift_r`, whose first argument is the lower word.
#[inline(always)]
pub fn funnel_shift_right(high: u32, low: u32, shift: u32) -> u32 {
    arch::funnel_right(high, low, shift)
}

/// The lower word of `high` and `low`, side by side, shifted right by `shift`, at most by 32.
///
/// ```
/// use gridwright::int::funnel_shift_right_clamped;
///
/// assert_eq!(funnel_shift_right_clamped(0x1234_5678, 0x9abc_def0, 8), 0x789a_bcde);
/// assert_eq!(funnel_shift_right_clamped(0x1234_5678, 0x9abc_def0, 99), 0x1234_5678);
/// ```
///
/// # From CUDA
/// `__funnelshift_rc`, whose first argument is the lower word.
#[inline(always)]
pub fn funnel_shift_right_clamped(high: u32, low: u32, shift: u32) -> u32 {
    arch::funnel_right_clamped(high, low, shift)
}

/// The `len` bits of `value` from bit `start` on, as a number: `bfe` of PTX.
///
/// Of a signed integer the field's highest bit is its sign. Bits that the value doesn't have are zeros, or its sign. A field of no bits
/// is 0.
///
/// ```
/// use gridwright::int::bit_field;
///
/// assert_eq!(bit_field(0x1234_5678_u32, 8, 12), 0x456);
/// assert_eq!(bit_field(0x0000_0f00_i32, 8, 4), -1);
/// assert_eq!(bit_field(u32::MAX, 28, 10), 0xf);
/// ```
#[inline(always)]
pub fn bit_field<T: Integer>(value: T, start: u32, len: u32) -> T {
    value.bit_field(start, len)
}

/// `value` with its `len` bits from bit `start` on replaced by the lowest of `field`: `bfi` of PTX.
///
/// Bits that the value doesn't have are left out.
///
/// ```
/// use gridwright::int::with_bit_field;
///
/// assert_eq!(with_bit_field(0x1234_5678_u32, 0xfff, 8, 4), 0x1234_5f78);
/// assert_eq!(with_bit_field(0_u32, u32::MAX, 28, 10), 0xf000_0000);
/// ```
#[inline(always)]
pub fn with_bit_field<T: Integer>(value: T, field: T, start: u32, len: u32) -> T {
    value.with_bit_field(field, start, len)
}
