//! Integers beyond what `core` has: what CUDA's headers call integer and SIMD intrinsics.
//!
//! Everything here gives the same bits on every device. Where the hardware has an instruction it is used; elsewhere it is plain
//! arithmetic, which vectorises on the CPU. Nothing takes a thread: these are functions of their arguments, without
//! memory and without other threads.
//!
//! # From CUDA
//! Much of CUDA's list is in `core` already, and becomes the instruction:
//!
//! | CUDA | here |
//! |---|---|
//! | `__popc`, `__clz`, `__brev` | `x.count_ones()`, `x.leading_zeros()`, `x.reverse_bits()` |
//! | `__ffs`, `__fns` of the first | [`find_first_set`], [`trailing_zeros`] |
//! | `__byte_perm` | [`byte_permute`] |
//! | `__mulhi`, `__umulhi`, `__mul64hi`, `__umul64hi` | [`mul_hi`] |
//! | `__mul24`, `__umul24` | an ordinary product; of numbers masked to 24 bits LLVM takes AMD's instruction |
//! | `__funnelshift_l`, `…_lc`, `…_r`, `…_rc` | [`funnel_shift_left`], [`funnel_shift_left_clamped`], … |
//! | rotations | `x.rotate_left(n)` |
//! | `__sad`, `__usad` | [`sum_abs_diff`] |
//! | `__hadd`, `__rhadd`, … | [`average_floor`], [`average_ceil`] |
//! | `bfe`, `bfi` of PTX | [`bit_field`], [`with_bit_field`] |
//! | saturating sums | `x.saturating_add(y)` |
//! | `__dp4a`, `__dp2a_lo`, `__dp2a_hi` | [`U8x4::dot`], [`U16x2::dot_low`], … |
//! | `__vadd4`, `__vabsdiffu2`, … | methods of [`U8x4`], [`I8x4`], [`U16x2`], [`I16x2`] |

mod bits;
mod integer;
mod packed;
pub(crate) mod plain;

pub use bits::{
    bit_field, byte_permute, find_first_set, funnel_shift_left, funnel_shift_left_clamped,
    funnel_shift_right, funnel_shift_right_clamped, trailing_zeros, with_bit_field,
};
pub use integer::{Integer, Word, average_ceil, average_floor, mul_hi, sum_abs_diff};
pub use packed::{I8x4, I16x2, Packed, U8x4, U16x2};

#[cfg(test)]
mod tests;
