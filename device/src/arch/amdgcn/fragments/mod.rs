//! Matrix units, by what the architecture has: `v_mfma` on CDNA 3 and 4, `v_wmma` on RDNA 3. Elsewhere, and for what RDNA 3's
//! don't multiply, lanes ask each other for rows of A.
//!
//! The compiler tells no crate the architecture, so the device build does: `gridwright_matrix_units`.

#[cfg(not(gridwright_matrix_units = "mfma"))]
mod lines;
#[cfg(gridwright_matrix_units = "mfma")]
mod mfma;
#[cfg(not(any(gridwright_matrix_units = "mfma", gridwright_matrix_units = "wmma")))]
mod narrow;
#[cfg(not(gridwright_matrix_units = "wmma"))]
mod rounded;
#[cfg(not(gridwright_matrix_units = "mfma"))]
mod wide;
#[cfg(gridwright_matrix_units = "wmma")]
mod wmma;

use gridwright_core::KernelArg;

use crate::fragment::{FragmentSource, Order, Side, tf32_bits};
#[cfg(not(gridwright_matrix_units = "mfma"))]
pub(in crate::arch) use lines::{SUMS, WORDS, factor_place, sum_place};
#[cfg(gridwright_matrix_units = "mfma")]
pub(in crate::arch) use mfma::{SUMS, WORDS, factor_place, sum_place};

/// The words that a lane keeps of a line, as they lie in memory.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Words([u32; WORDS]);

/// Whether [`load_words`] loads elements of so many bytes: the lane's lie side by side in each line.
#[inline(always)]
pub(in crate::arch) fn loads_words(order: Order, _: usize) -> bool {
    order == Order::Along
}

/// The words that a lane keeps of a factor, of a block of workgroup memory at a row and a column, whose rows are its lines.
///
/// # Safety
/// The block was checked, and its rows begin at multiples of 16 bytes.
#[inline(always)]
pub(in crate::arch) unsafe fn load_words<T: KernelArg, F: FragmentSource<T>>(
    lane: u32,
    side: Side,
    _: Order,
    memory: &F,
    row: usize,
    col: usize,
) -> [u32; WORDS] {
    let [line, k] = factor_place(lane, side, size_of::<T>(), 0);
    let first = memory.address(row + line, col + k).cast::<Words>();
    // SAFETY: the lane's words are in a block that was checked, as this function asks, and begin at a multiple of 8 bytes of a row
    // that begins at one of 16; any bits are words.
    unsafe { first.read().0 }
}

/// The bits of a float rounded to TF32.
#[inline(always)]
pub(in crate::arch) fn round_to_tf32(value: f32) -> u32 {
    tf32_bits(value)
}
