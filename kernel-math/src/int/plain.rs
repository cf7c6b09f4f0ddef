//! Operations on targets that have no instruction for them.

// Each target uses those that it lacks.
#![allow(dead_code)]

/// The bytes of `high` and `low`, eight in all, that the four nibbles of `selector` name; bit 3 of each is 0.
#[inline(always)]
pub(crate) fn byte_permute(low: u32, high: u32, selector: u32) -> u32 {
    let bytes = u64::from(high) << 32 | u64::from(low);
    let byte = |lane: u32| (bytes >> (8 * (selector >> (4 * lane) & 7))) as u32 & 0xff;
    byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
}

/// The high half of `high` and `low` shifted left, modulo 32.
#[inline(always)]
pub(crate) fn funnel_left(high: u32, low: u32, shift: u32) -> u32 {
    funnel_left_clamped(high, low, shift & 31)
}

/// The low half of `high` and `low` shifted right, modulo 32.
#[inline(always)]
pub(crate) fn funnel_right(high: u32, low: u32, shift: u32) -> u32 {
    funnel_right_clamped(high, low, shift & 31)
}

/// The high half of `high` and `low` shifted left, at most by 32.
#[inline(always)]
pub(crate) fn funnel_left_clamped(high: u32, low: u32, shift: u32) -> u32 {
    ((u64::from(high) << 32 | u64::from(low)) << least(shift, 32) >> 32) as u32
}

/// The low half of `high` and `low` shifted right, at most by 32.
#[inline(always)]
pub(crate) fn funnel_right_clamped(high: u32, low: u32, shift: u32) -> u32 {
    ((u64::from(high) << 32 | u64::from(low)) >> least(shift, 32)) as u32
}

#[inline(always)]
fn least(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

/// The highest bit of each lane of 8 bits, in all bits of the lane.
#[inline(always)]
pub(crate) fn signs_of_bytes(lanes: u32) -> u32 {
    let high = lanes & 0x8080_8080;
    (high - (high >> 7)) | high
}

/// The highest bit of each lane of 16 bits, in all bits of the lane.
#[inline(always)]
pub(crate) fn signs_of_halves(lanes: u32) -> u32 {
    let high = lanes & 0x8000_8000;
    (high - (high >> 15)) | high
}

#[inline(always)]
fn unsigned_byte(lanes: u32, lane: u32) -> i32 {
    (lanes >> (8 * lane)) as u8 as i32
}

#[inline(always)]
fn signed_byte(lanes: u32, lane: u32) -> i32 {
    (lanes >> (8 * lane)) as i8 as i32
}

#[inline(always)]
fn unsigned_half(lanes: u32, lane: u32) -> i32 {
    (lanes >> (16 * lane)) as u16 as i32
}

#[inline(always)]
fn signed_half(lanes: u32, lane: u32) -> i32 {
    (lanes >> (16 * lane)) as i16 as i32
}

macro_rules! dot4 {
    ($($name:ident: $a:ident $b:ident;)*) => {$(
        /// The sum of four products of bytes, and `c`; it wraps.
        #[inline(always)]
        pub(crate) fn $name(a: u32, b: u32, c: u32) -> u32 {
            let product = |lane| $a(a, lane).wrapping_mul($b(b, lane)) as u32;
            product(0).wrapping_add(product(1)).wrapping_add(product(2)).wrapping_add(product(3)).wrapping_add(c)
        }
    )*};
}

dot4! {
    dot4_unsigned: unsigned_byte unsigned_byte;
    dot4_signed: signed_byte signed_byte;
    dot4_mixed: unsigned_byte signed_byte;
}

macro_rules! dot2 {
    ($($name:ident: $a:ident $b:ident;)*) => {$(
        /// The sum of two products of halves of `a` and bytes `2 * HIGH` and `2 * HIGH + 1` of `b`, and `c`; it wraps.
        #[inline(always)]
        pub(crate) fn $name<const HIGH: u32>(a: u32, b: u32, c: u32) -> u32 {
            let product = |lane| $a(a, lane).wrapping_mul($b(b, 2 * HIGH + lane)) as u32;
            product(0).wrapping_add(product(1)).wrapping_add(c)
        }
    )*};
}

dot2! {
    dot2_unsigned: unsigned_half unsigned_byte;
    dot2_signed: signed_half signed_byte;
    dot2_unsigned_signed: unsigned_half signed_byte;
    dot2_signed_unsigned: signed_half unsigned_byte;
}

/// The distance of each two bytes.
#[inline(always)]
pub(crate) fn abs_diff_bytes(a: u32, b: u32) -> u32 {
    // 255 where `a` is smaller: one minus the other wraps there, and is negated.
    let smaller = signs_of_bytes((!a & b) | (!(a ^ b) & lane_difference(a, b)));
    let difference = lane_difference(a, b) ^ smaller;
    lane_difference(difference, smaller)
}

/// The difference of each two bytes, which wraps.
#[inline(always)]
fn lane_difference(a: u32, b: u32) -> u32 {
    ((a | 0x8080_8080) - (b & 0x7f7f_7f7f)) ^ ((a ^ !b) & 0x8080_8080)
}

/// The sum of the distances of four bytes, and `c`; it wraps.
#[inline(always)]
pub(crate) fn sum_abs_diff_bytes(a: u32, b: u32, c: u32) -> u32 {
    let distances = abs_diff_bytes(a, b);
    // Two lanes of 16 bits hold the sums of two bytes each.
    let pairs = (distances & 0x00ff_00ff) + (distances >> 8 & 0x00ff_00ff);
    c.wrapping_add(pairs & 0xffff).wrapping_add(pairs >> 16)
}

/// The number of zeros below the lowest bit that is set; all bits of zero.
macro_rules! trailing_zeros {
    ($($name:ident: $integer:ty;)*) => {$(
        #[inline(always)]
        pub(crate) fn $name(value: $integer) -> u32 {
            value.trailing_zeros()
        }
    )*};
}

trailing_zeros! {
    trailing_zeros_u32: u32;
    trailing_zeros_u64: u64;
}

/// The upper half of a product.
macro_rules! mul_hi {
    ($($name:ident: $integer:ty as $wide:ty;)*) => {$(
        #[inline(always)]
        pub(crate) fn $name(a: $integer, b: $integer) -> $integer {
            ((a as $wide * b as $wide) >> <$integer>::BITS) as $integer
        }
    )*};
}

mul_hi! {
    mul_hi_u32: u32 as u64;
    mul_hi_i32: i32 as i64;
    mul_hi_u64: u64 as u128;
    mul_hi_i64: i64 as i128;
}
