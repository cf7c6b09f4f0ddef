//! Integers on NVIDIA: instructions of PTX that LLVM doesn't find by itself. None reads memory or waits for other threads.

use core::arch::asm;

macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $ty:ty),*) -> $result:ty, $class:ident: $instruction:literal;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name($($argument: $ty),*) -> $result {
            let result;
            // SAFETY: it computes a register of registers, by an instruction of all architectures.
            unsafe {
                asm!($instruction, out($class) result, $(in($class) $argument,)* options(pure, nomem, nostack));
            }
            result
        }
    )*};
}

instructions! {
    /// Four bytes of eight; the high bit of each nibble of the selector is 0.
    byte_permute(low: u32, high: u32, selector: u32) -> u32, reg32: "prmt.b32 {}, {}, {}, {};";
    /// The high half of `high` and `low` shifted left, modulo 32.
    funnel_left(high: u32, low: u32, shift: u32) -> u32, reg32: "shf.l.wrap.b32 {0}, {2}, {1}, {3};";
    /// The low half of `high` and `low` shifted right, modulo 32.
    funnel_right(high: u32, low: u32, shift: u32) -> u32, reg32: "shf.r.wrap.b32 {0}, {2}, {1}, {3};";
    /// The high half of `high` and `low` shifted left, at most by 32.
    funnel_left_clamped(high: u32, low: u32, shift: u32) -> u32, reg32: "shf.l.clamp.b32 {0}, {2}, {1}, {3};";
    /// The low half of `high` and `low` shifted right, at most by 32.
    funnel_right_clamped(high: u32, low: u32, shift: u32) -> u32, reg32: "shf.r.clamp.b32 {0}, {2}, {1}, {3};";
    mul_hi_u32(a: u32, b: u32) -> u32, reg32: "mul.hi.u32 {}, {}, {};";
    mul_hi_i32(a: i32, b: i32) -> i32, reg32: "mul.hi.s32 {}, {}, {};";
    mul_hi_u64(a: u64, b: u64) -> u64, reg64: "mul.hi.u64 {}, {}, {};";
    mul_hi_i64(a: i64, b: i64) -> i64, reg64: "mul.hi.s64 {}, {}, {};";
    dot4_unsigned(a: u32, b: u32, c: u32) -> u32, reg32: "dp4a.u32.u32 {}, {}, {}, {};";
    dot4_signed(a: u32, b: u32, c: u32) -> u32, reg32: "dp4a.s32.s32 {}, {}, {}, {};";
    dot4_mixed(a: u32, b: u32, c: u32) -> u32, reg32: "dp4a.u32.s32 {}, {}, {}, {};";
    abs_diff_bytes_into(a: u32, b: u32, c: u32) -> u32, reg32: "vabsdiff4.u32.u32.u32 {}, {}, {}, {};";
    sum_abs_diff_bytes(a: u32, b: u32, c: u32) -> u32, reg32: "vabsdiff4.u32.u32.u32.add {}, {}, {}, {};";
    /// The highest bit of each lane of 8 bits, in all bits of the lane.
    signs_of_bytes(lanes: u32) -> u32, reg32: "prmt.b32 {}, {}, 0, 0xba98;";
    /// The highest bit of each lane of 16 bits, in all bits of the lane.
    signs_of_halves(lanes: u32) -> u32, reg32: "prmt.b32 {}, {}, 0, 0xbb99;";
    reversed_u32(value: u32) -> u32, reg32: "brev.b32 {}, {};";
    reversed_u64(value: u64) -> u64, reg64: "brev.b64 {}, {};";
}

/// The distance of each two bytes. The third operand has to be a register, and nothing of it is left.
#[inline(always)]
pub(crate) fn abs_diff_bytes(a: u32, b: u32) -> u32 {
    abs_diff_bytes_into(a, b, 0)
}

// LLVM takes a count of zeros below for one of ones, with a branch; behind an instruction that it doesn't know it can't.
#[inline(always)]
pub(crate) fn trailing_zeros_u32(value: u32) -> u32 {
    reversed_u32(value).leading_zeros()
}

#[inline(always)]
pub(crate) fn trailing_zeros_u64(value: u64) -> u32 {
    reversed_u64(value).leading_zeros()
}

macro_rules! dot2 {
    ($($name:ident: $low:literal $high:literal;)*) => {$(
        /// The sum of two products of halves of `a` and bytes `2 * HIGH` and `2 * HIGH + 1` of `b`, and `c`; it wraps.
        #[inline(always)]
        pub(crate) fn $name<const HIGH: u32>(a: u32, b: u32, c: u32) -> u32 {
            let result;
            // SAFETY: it computes a register of registers, by an instruction of all architectures.
            unsafe {
                if HIGH == 0 {
                    asm!($low, out(reg32) result, in(reg32) a, in(reg32) b, in(reg32) c, options(pure, nomem, nostack));
                } else {
                    asm!($high, out(reg32) result, in(reg32) a, in(reg32) b, in(reg32) c, options(pure, nomem, nostack));
                }
            }
            result
        }
    )*};
}

dot2! {
    dot2_unsigned: "dp2a.lo.u32.u32 {}, {}, {}, {};" "dp2a.hi.u32.u32 {}, {}, {}, {};";
    dot2_signed: "dp2a.lo.s32.s32 {}, {}, {}, {};" "dp2a.hi.s32.s32 {}, {}, {}, {};";
    dot2_unsigned_signed: "dp2a.lo.u32.s32 {}, {}, {}, {};" "dp2a.hi.u32.s32 {}, {}, {}, {};";
    dot2_signed_unsigned: "dp2a.lo.s32.u32 {}, {}, {}, {};" "dp2a.hi.s32.u32 {}, {}, {}, {};";
}
