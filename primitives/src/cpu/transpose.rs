//! Tiles of elements whose lanes are neighbouring parts of the input: what is done to a row of a tile is done to all parts at a time, in
//! vectors, whatever the operator is.

use crate::cpu::Read;
#[cfg(target_arch = "x86_64")]
use crate::cpu::isa::{AVX2, AVX512};

/// Row `k` has the `k`-th element of each part.
pub(crate) type Tile<T, const LANES: usize, const DEPTH: usize> = [[T; LANES]; DEPTH];

/// Whether a tile's elements are as large as vectors' are.
#[cfg(target_arch = "x86_64")]
const fn in_vectors<T, const LANES: usize>(isa: u8) -> bool {
    (isa == AVX2 || isa == AVX512) && LANES == 8 && (size_of::<T>() == 4 || size_of::<T>() == 8)
}

/// Reads a tile.
///
/// # Safety
/// The input has its elements, from `first` on. This machine has `ISA`.
#[inline(always)]
pub(crate) unsafe fn read_tile<const ISA: u8, const LANES: usize, const DEPTH: usize, I: Read>(
    input: I,
    first: usize,
) -> Tile<I::Item, LANES, DEPTH> {
    // SAFETY: within the input, as the caller says.
    let element = |lane: usize, k: usize| unsafe { input.get(first + lane * DEPTH + k) };
    #[cfg(target_arch = "x86_64")]
    if in_vectors::<I::Item, LANES>(ISA) {
        let parts: [[I::Item; DEPTH]; LANES] =
            std::array::from_fn(|lane| std::array::from_fn(|k| element(lane, k)));
        let mut tile = std::mem::MaybeUninit::<Tile<I::Item, LANES, DEPTH>>::uninit();
        // SAFETY: both are as many elements, that are as large as the vectors'.
        unsafe {
            let (from, to) = (parts.as_ptr().cast::<I::Item>(), tile.as_mut_ptr().cast::<I::Item>());
            x86::transpose::<DEPTH, 8, I::Item>(from, to);
            return tile.assume_init();
        }
    }
    std::array::from_fn(|k| std::array::from_fn(|lane| element(lane, k)))
}

/// Writes a tile.
///
/// # Safety
/// There is room at `to`. This machine has `ISA`.
#[inline(always)]
pub(crate) unsafe fn write_tile<const ISA: u8, const LANES: usize, const DEPTH: usize, T: Copy>(
    tile: &Tile<T, LANES, DEPTH>,
    to: *mut T,
) {
    // SAFETY: as the caller says. In vectors, elements are as large as theirs.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if in_vectors::<T, LANES>(ISA) {
            x86::transpose::<8, DEPTH, T>(tile.as_ptr().cast(), to);
            return;
        }
        for (k, row) in tile.iter().enumerate() {
            for (lane, element) in row.iter().enumerate() {
                to.add(lane * DEPTH + k).write(*element);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, _mm256_loadu_si256, _mm256_permute2x128_si256, _mm256_storeu_si256, _mm256_unpackhi_epi32,
        _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64,
    };

    /// Transposes a matrix of `ROWS` rows, of elements of 4 or 8 bytes. Both numbers are multiples of 8.
    ///
    /// # Safety
    /// It is there, and room for as much. This machine has AVX2.
    #[inline(always)]
    pub(super) unsafe fn transpose<const COLUMNS: usize, const ROWS: usize, T>(from: *const T, to: *mut T) {
        // SAFETY: within the matrix, as the caller says.
        let load = |row: usize, column: usize| unsafe {
            _mm256_loadu_si256(from.add(row * COLUMNS + column).cast())
        };
        // SAFETY: rows and columns of the tile, which has room for as many vectors.
        let store = |row: usize, column: usize, vector: __m256i| unsafe {
            _mm256_storeu_si256(to.add(column * ROWS + row).cast(), vector);
        };
        let side = 32 / size_of::<T>();
        for row in (0..ROWS).step_by(side) {
            for column in (0..COLUMNS).step_by(side) {
                // SAFETY: this machine has AVX2.
                unsafe {
                    if side == 4 {
                        let rows = pairs(std::array::from_fn(|i| load(row + i, column)));
                        for (i, vector) in rows.into_iter().enumerate() {
                            store(row, column + i, vector);
                        }
                    } else {
                        let rows: [__m256i; 8] = std::array::from_fn(|i| load(row + i, column));
                        let low = |i: usize| _mm256_unpacklo_epi32(rows[2 * i], rows[2 * i + 1]);
                        let high = |i: usize| _mm256_unpackhi_epi32(rows[2 * i], rows[2 * i + 1]);
                        // Pairs of words: those of columns 0, 1, 4 and 5 of all rows, then of the others.
                        for (i, vector) in pairs(std::array::from_fn(low)).into_iter().enumerate() {
                            store(row, column + [0, 1, 4, 5][i], vector);
                        }
                        for (i, vector) in pairs(std::array::from_fn(high)).into_iter().enumerate() {
                            store(row, column + [2, 3, 6, 7][i], vector);
                        }
                    }
                }
            }
        }
    }

    /// Transposes four vectors of four pairs of words.
    ///
    /// # Safety
    /// This machine has AVX2.
    #[inline(always)]
    unsafe fn pairs([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
        // SAFETY: as the caller says.
        unsafe {
            let (ab, cd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpacklo_epi64(c, d));
            let (ab_high, cd_high) = (_mm256_unpackhi_epi64(a, b), _mm256_unpackhi_epi64(c, d));
            [
                _mm256_permute2x128_si256::<0x20>(ab, cd),
                _mm256_permute2x128_si256::<0x20>(ab_high, cd_high),
                _mm256_permute2x128_si256::<0x31>(ab, cd),
                _mm256_permute2x128_si256::<0x31>(ab_high, cd_high),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tile, read_tile, write_tile};
    use crate::cpu::isa::{Loop, run_in};
    use crate::cpu::tests::{Random, all_workers};

    struct ThereAndBack<'e, T, const LANES: usize, const DEPTH: usize>(&'e [T], &'e mut [T]);

    impl<T: Copy + Send + Sync, const LANES: usize, const DEPTH: usize> Loop
        for ThereAndBack<'_, T, LANES, DEPTH>
    {
        type Output = Tile<T, LANES, DEPTH>;

        #[inline(always)]
        unsafe fn run<const ISA: u8>(self) -> Tile<T, LANES, DEPTH> {
            // SAFETY: as the tests say.
            unsafe {
                let tile = read_tile::<ISA, LANES, DEPTH, _>(self.0, 0);
                write_tile::<ISA, LANES, DEPTH, T>(&tile, self.1.as_mut_ptr());
                tile
            }
        }
    }

    fn check<T: Copy + Send + Sync + PartialEq, const LANES: usize, const DEPTH: usize>(
        element: impl Fn(u64) -> T,
    ) {
        let elements = Random::new(60).vec(LANES * DEPTH, &element);
        for workers in all_workers() {
            let mut back = vec![element(0); LANES * DEPTH];
            // SAFETY: a tile, and room for one, and an instruction set of this machine.
            let tile =
                unsafe { run_in(workers.isa(), ThereAndBack::<T, LANES, DEPTH>(&elements, &mut back)) };
            let right = |lane: usize, k: usize| tile[k][lane] == elements[lane * DEPTH + k];
            assert!((0..LANES).all(|lane| (0..DEPTH).all(|k| right(lane, k))));
            assert!(back == elements);
        }
    }

    #[test]
    fn a_tile_has_each_element_in_its_place() {
        check::<_, 8, 16>(|bits| bits as u32);
        check::<_, 8, 16>(|bits| bits as u32 as f32);
        check::<_, 8, 8>(|bits| bits);
        check::<_, 8, 16>(|bits| bits as f64);
        check::<_, 4, 5>(|bits| bits as u8);
        check::<_, 8, 16>(|bits| [bits as u32; 3]);
    }
}
