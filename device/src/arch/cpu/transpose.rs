//! Copies of tiles of workgroup memory that a phase reads down their columns, in which it reads along rows instead.
//!
//! A vector's elements of a column are loaded one by one, while in registers a square of them is transposed in few instructions.

use core::mem::MaybeUninit;

use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::isa::by_isa;
use super::private_values::PrivateValues;

/// Whether copies are made of tiles of such elements.
pub(crate) const fn is_transposed<T>() -> bool {
    cfg!(target_arch = "x86_64") && matches!(size_of::<T>(), 4 | 8)
}

/// A tile's columns as rows, as far as the context's threads read it: what was in row *x* and column *y* is element `y * M + x`.
/// The others are zero. With it, what keeps it.
///
/// # Safety
/// Nobody writes the tile meanwhile. It has a row for each column of the group, and a column for each row.
#[inline(always)]
pub(crate) unsafe fn transposed<'g, S: GroupShape, T: Copy + 'static, const N: usize, const M: usize>(
    context: &GroupContext<'g, S>,
    tile: *const [[T; N]; M],
) -> (*const [[T; N]; M], PrivateValues<'g, MaybeUninit<T>>) {
    let [[cols, ..], [x, y, z]] = [context.group(), context.sizes()];
    let first = context.shape.local(0, 0, 0).y;
    let rows = context.shape.local(x - 1, y - 1, z - 1).y + 1 - first;
    let copy = PrivateValues::<MaybeUninit<T>>::room_for(context, const { N * M });
    let to = copy.pointer();
    if cols * rows < N * M {
        // SAFETY: there is room for so many.
        unsafe { to.write_bytes(0, N * M) };
    }
    // SAFETY: the tile has a row for each column of the group, and a column for each row, as this function asks, so the elements
    // are in the tile, and their places in the copy. The shape exists, so this machine has its instruction set.
    unsafe {
        let (from, to) = (tile.cast::<T>().add(first), to.add(first * M).cast());
        let turn = Turn { from, stride: N, to, to_stride: M, cols, rows };
        by_isa!(S::ISA, turn.baseline(), turn.avx2(), turn.avx2());
    }
    (to.cast(), copy)
}

/// What is transposed: `rows` columns of `cols` elements, which become rows.
struct Turn<T> {
    from: *const T,
    stride: usize,
    to: *mut T,
    to_stride: usize,
    cols: usize,
    rows: usize,
}

impl<T: Copy> Turn<T> {
    /// # Safety
    /// The elements are there, and the memory for them.
    #[inline]
    unsafe fn baseline(self) {
        // SAFETY: the elements are there, and the memory for them, as this function asks; `by_squares` gives squares that are
        // inside, and every x86-64 has SSE2.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            if const { size_of::<T>() == 4 } {
                return self.by_squares::<4>(|from, to| {
                    x86::four_of_4_bytes(from, self.stride, to, self.to_stride);
                });
            }
        }
        // SAFETY: the elements are there, and the memory for them, as this function asks; a square of one row is an element.
        unsafe { self.by_squares::<1>(|from, to| *to = *from) };
    }

    /// # Safety
    /// As for `baseline`, and this machine has AVX2.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
    unsafe fn avx2(self) {
        // SAFETY: the elements are there, and the memory for them, and this machine has AVX2, as this function asks; `by_squares`
        // gives squares that are inside.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            if const { size_of::<T>() == 4 } {
                return self.by_squares::<8>(|from, to| {
                    x86::eight_of_4_bytes(from, self.stride, to, self.to_stride);
                });
            }
            if const { size_of::<T>() == 8 } {
                return self.by_squares::<4>(|from, to| {
                    x86::four_of_8_bytes(from, self.stride, to, self.to_stride);
                });
            }
        }
        // SAFETY: the elements are there, and the memory for them, as this function asks.
        unsafe { self.baseline() };
    }

    /// Turns squares of so many rows and columns, and what is left one by one.
    ///
    /// # Safety
    /// As for `baseline`, for what is left; each square is inside.
    #[inline(always)]
    unsafe fn by_squares<const SIDE: usize>(&self, square: impl Fn(*const T, *mut T)) {
        let at = |x: usize, y: usize| {
            // SAFETY: `x` is below `cols` and `y` below `rows`: there is the element, and the memory for it, as this function asks.
            unsafe { (self.from.add(x * self.stride + y), self.to.add(y * self.to_stride + x)) }
        };
        let [whole_cols, whole_rows] = [self.cols, self.rows].map(|count| count / SIDE * SIDE);
        for y in (0..whole_rows).step_by(SIDE) {
            for x in (0..whole_cols).step_by(SIDE) {
                let (from, to) = at(x, y);
                square(from, to);
            }
        }
        for y in 0..self.rows {
            for x in if y < whole_rows { whole_cols } else { 0 }..self.cols {
                let (from, to) = at(x, y);
                // SAFETY: `x` is below `cols` and `y` below `rows`: there is the element, and the memory for it, as `baseline` asks.
                unsafe { *to = *from };
            }
        }
    }
}

/// Squares that are transposed in registers.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    /// # Safety
    /// There are four rows of four elements of 4 bytes each.
    #[inline(always)]
    pub(super) unsafe fn four_of_4_bytes<T>(from: *const T, stride: usize, to: *mut T, to_stride: usize) {
        // SAFETY: from both pointers on there are four rows of four elements of 4 bytes, as this function asks.
        unsafe {
            let [a, b, c, d] = [0, 1, 2, 3].map(|row| _mm_loadu_ps(from.add(row * stride).cast()));
            let [ab, ab_high] = [_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b)];
            let [cd, cd_high] = [_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d)];
            let rows = [
                _mm_movelh_ps(ab, cd),
                _mm_movehl_ps(cd, ab),
                _mm_movelh_ps(ab_high, cd_high),
                _mm_movehl_ps(cd_high, ab_high),
            ];
            for (row, elements) in rows.into_iter().enumerate() {
                _mm_storeu_ps(to.add(row * to_stride).cast(), elements);
            }
        }
    }

    /// # Safety
    /// There are four rows of four elements of 8 bytes each.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn four_of_8_bytes<T>(from: *const T, stride: usize, to: *mut T, to_stride: usize) {
        // SAFETY: from both pointers on there are four rows of four elements of 8 bytes, as this function asks.
        unsafe {
            let load = |row: usize| _mm256_loadu_pd(from.add(row * stride).cast());
            let (a, b, c, d) = (load(0), load(1), load(2), load(3));
            let (ab, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (cd, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            let store = |row: usize, elements| _mm256_storeu_pd(to.add(row * to_stride).cast(), elements);
            store(0, _mm256_permute2f128_pd::<0x20>(ab, cd));
            store(1, _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd));
            store(2, _mm256_permute2f128_pd::<0x31>(ab, cd));
            store(3, _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd));
        }
    }

    /// # Safety
    /// There are eight rows of eight elements of 4 bytes each.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn eight_of_4_bytes<T>(from: *const T, stride: usize, to: *mut T, to_stride: usize) {
        // SAFETY: from both pointers on there are eight rows of eight elements of 4 bytes, as this function asks.
        unsafe {
            // Four columns of a pair of rows each, then of four rows, then whole ones of all eight.
            for half in 0..2 {
                let load = |row: usize| {
                    // Of a row of the first four, and of the one that is four below, the same four columns.
                    let at = from.add(row * stride + 4 * half);
                    let low = _mm256_castps128_ps256(_mm_loadu_ps(at.cast()));
                    _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(at.add(4 * stride).cast()))
                };
                let (a, b, c, d) = (load(0), load(1), load(2), load(3));
                let (ab, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
                let (cd, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
                let store = |row: usize, elements| {
                    _mm256_storeu_ps(to.add((row + 4 * half) * to_stride).cast(), elements);
                };
                store(0, _mm256_shuffle_ps::<0x44>(ab, cd));
                store(1, _mm256_shuffle_ps::<0xee>(ab, cd));
                store(2, _mm256_shuffle_ps::<0x44>(ab_high, cd_high));
                store(3, _mm256_shuffle_ps::<0xee>(ab_high, cd_high));
            }
        }
    }
}
