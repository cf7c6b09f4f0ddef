//! Fragments as RDNA 3 has them, and products of them in software.
//!
//! A lane keeps a whole row of A and a whole column of B, those of the lane's number in its sixteen, and every second sum of
//! the column: lanes 0 to 15 of the even rows, lanes 16 to 31 of the odd ones. The upper half of a wave of 64 keeps the
//! same as the lower one. Source: RDNA 3 ISA, section 7.9.

use crate::arch::hardware::shuffle;
use crate::fragment::Side;

/// Words that a lane keeps of a factor: a line.
pub(in crate::arch) const WORDS: usize = 8;

/// Elements that a lane keeps of sums.
pub(in crate::arch) const SUMS: usize = 8;

/// The row and the column of the sum that a lane keeps as its `i`-th.
#[inline(always)]
pub(in crate::arch) fn sum_place<S>(lane: u32, i: usize) -> [usize; 2] {
    [2 * i + lane as usize / 16 % 2, lane as usize % 16]
}

/// The line of the `i`-th element of a factor that a lane keeps, and the element's number in the line.
#[inline(always)]
pub(in crate::arch) fn factor_place(lane: u32, _: Side, _: usize, i: usize) -> [usize; 2] {
    [lane as usize % 16, i]
}

/// Adds `K` products to each sum: `add` gets the words of the row and of the column, and the number of the elements in them.
///
/// # Safety
/// All lanes of a full wave call it together.
#[inline(always)]
pub(super) unsafe fn add_products<S: Copy, const K: usize>(
    lane: u32,
    [a, b]: [&[u32; WORDS]; 2],
    sums: &mut [S; SUMS],
    add: impl Fn(&[u32; WORDS], &[u32; WORDS], usize, S) -> S,
) {
    for (i, sum) in sums.iter_mut().enumerate() {
        let [row, _] = sum_place::<S>(lane, i);
        // SAFETY: all lanes of a full wave call it, as this function asks, so that the one named is there.
        let a = a.map(|word| unsafe { shuffle(u64::MAX, word, row as u32) });
        for k in 0..K {
            *sum = add(&a, b, k, *sum);
        }
    }
}
