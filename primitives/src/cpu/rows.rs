//! Rows of elements, which are scanned in log₂ `LANES` steps: in each, half of the elements are combined with what is before them (Sklansky,
//! *Conditional-sum addition logic*, 1960). No operation waits for many others, as it does in a loop.

/// Scans a row, and calls the operator no more than it must: log₂ `LANES` / 2 times for each element.
#[inline(always)]
pub(crate) fn scan_row<T: Copy, const LANES: usize>(
    mut row: [T; LANES],
    op: impl Fn(T, T) -> T,
) -> [T; LANES] {
    let mut step = 1;
    while step < LANES {
        for lane in (0..LANES).filter(|lane| lane & step != 0) {
            // The last of the half before, which this step leaves as it is.
            row[lane] = op(row[(lane & !(step - 1)) - 1], row[lane]);
        }
        step *= 2;
    }
    row
}

/// Whether [`Vectors`] of so many elements are those of the instruction set.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn are_vectors<T, const HALF: usize>(isa: u8) -> bool {
    (isa == crate::cpu::isa::AVX2 || isa == crate::cpu::isa::AVX512)
        && HALF * size_of::<T>() == 32
        && (size_of::<T>() == 4 || size_of::<T>() == 8)
}

/// Rows of two vectors. All elements of a vector are given to the operator in each step, also those that the step doesn't change, with any
/// others: it is one that gives a value for all.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Vectors<const HALF: usize> {
    /// For each step all ones in the elements that it changes.
    changed: [[u32; 8]; 3],
    /// The last word, or words, of what is before the second half of a vector, and of a vector.
    ends: [[u32; 8]; 2],
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, _mm256_blend_epi32, _mm256_blendv_epi8, _mm256_permutevar8x32_epi32, _mm256_shuffle_epi32,
    };
    use std::hint::black_box;
    use std::mem::transmute_copy;

    use super::Vectors;

    impl<const HALF: usize> Vectors<HALF> {
        /// The compiler isn't told the numbers: it would see that not all that the operator gives is needed, and call it one by one.
        #[inline(always)]
        pub(crate) fn new() -> Self {
            const ALL: u32 = u32::MAX;
            let words = [[0, ALL, 0, ALL, 0, ALL, 0, ALL], [0, 0, ALL, ALL, 0, 0, ALL, ALL]];
            let half = [0, 0, 0, 0, ALL, ALL, ALL, ALL];
            if HALF == 8 {
                Self { changed: black_box([words[0], words[1], half]), ends: black_box([[3; 8], [7; 8]]) }
            } else {
                let pair = |word: u32| std::array::from_fn(|lane| word + lane as u32 % 2);
                Self { changed: black_box([words[1], half, half]), ends: black_box([pair(2), pair(6)]) }
            }
        }

        /// Scans a row of two vectors.
        ///
        /// # Safety
        /// They [are vectors](super::are_vectors) of this machine.
        #[inline(always)]
        pub(crate) unsafe fn scan<T: Copy>(
            &self,
            row: [[T; HALF]; 2],
            op: impl Fn(T, T) -> T,
        ) -> [[T; HALF]; 2] {
            // SAFETY: as the caller says.
            unsafe {
                let [first, second] = [self.scan_vector(row[0], &op), self.scan_vector(row[1], &op)];
                let before = self.last_of(first);
                [first, std::array::from_fn(|lane| op(before[lane], second[lane]))]
            }
        }

        /// # Safety
        /// As for [`scan`](Self::scan).
        #[inline(always)]
        unsafe fn scan_vector<T: Copy>(&self, mut vector: [T; HALF], op: impl Fn(T, T) -> T) -> [T; HALF] {
            for step in 0..if HALF == 8 { 3 } else { 2 } {
                // SAFETY: as the caller says.
                unsafe {
                    let before = self.before(step, vector);
                    let both = std::array::from_fn(|lane| op(before[lane], vector[lane]));
                    vector = self.blend(step, vector, both);
                }
            }
            vector
        }

        /// What a step puts before the elements that it changes.
        ///
        /// # Safety
        /// As for [`scan`](Self::scan).
        #[inline(always)]
        unsafe fn before<T: Copy>(&self, step: usize, vector: [T; HALF]) -> [T; HALF] {
            // SAFETY: all are of 32 bytes, and as the caller says.
            unsafe {
                let words: __m256i = transmute_copy(&vector);
                transmute_copy(&match (HALF, step) {
                    (8, 0) => _mm256_shuffle_epi32::<0b10_10_00_00>(words),
                    (8, 1) => _mm256_shuffle_epi32::<0b01_01_01_01>(words),
                    (4, 0) => _mm256_shuffle_epi32::<0b01_00_01_00>(words),
                    _ => _mm256_permutevar8x32_epi32(words, transmute_copy(&self.ends[0])),
                })
            }
        }

        /// The elements of `b` that a step changes, the others of `a`.
        ///
        /// # Safety
        /// As for [`scan`](Self::scan).
        #[inline(always)]
        unsafe fn blend<T: Copy>(&self, step: usize, a: [T; HALF], b: [T; HALF]) -> [T; HALF] {
            // SAFETY: all are of 32 bytes, and as the caller says.
            unsafe {
                let (a, b): (__m256i, __m256i) = (transmute_copy(&a), transmute_copy(&b));
                transmute_copy(&_mm256_blendv_epi8(a, b, transmute_copy(&self.changed[step])))
            }
        }

        /// The last element of a vector, in each lane.
        ///
        /// # Safety
        /// As for [`scan`](Self::scan).
        #[inline(always)]
        pub(crate) unsafe fn last_of<T: Copy>(&self, vector: [T; HALF]) -> [T; HALF] {
            // SAFETY: all are of 32 bytes, and as the caller says.
            unsafe {
                let words: __m256i = transmute_copy(&vector);
                transmute_copy(&_mm256_permutevar8x32_epi32(words, transmute_copy(&self.ends[1])))
            }
        }

        /// What is before each element of a row: `before`, in all lanes, before the first.
        ///
        /// # Safety
        /// As for [`scan`](Self::scan).
        #[inline(always)]
        pub(crate) unsafe fn shifted<T: Copy>(
            &self,
            [first, second]: [[T; HALF]; 2],
            before: [T; HALF],
        ) -> [[T; HALF]; 2] {
            // SAFETY: all are of 32 bytes, and as the caller says.
            unsafe {
                let words = 8 / HALF as u32;
                let turn: [u32; 8] = std::array::from_fn(|word| (word as u32 + 8 - words) % 8);
                let turn: __m256i = transmute_copy(&turn);
                let first = _mm256_permutevar8x32_epi32(transmute_copy(&first), turn);
                let second = _mm256_permutevar8x32_epi32(transmute_copy(&second), turn);
                let before: __m256i = transmute_copy(&before);
                if HALF == 8 {
                    [
                        transmute_copy(&_mm256_blend_epi32::<0b0001>(first, before)),
                        transmute_copy(&_mm256_blend_epi32::<0b0001>(second, first)),
                    ]
                } else {
                    [
                        transmute_copy(&_mm256_blend_epi32::<0b0011>(first, before)),
                        transmute_copy(&_mm256_blend_epi32::<0b0011>(second, first)),
                    ]
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::scan_row;
    use crate::cpu::testing::{Random, affine, compose};

    #[test]
    fn each_element_is_combined_with_those_before_it_in_the_row() {
        let maps = Random::new(61).vec(16, affine);
        let check = |found: &[_]| {
            for (i, found) in found.iter().enumerate() {
                assert_eq!(Some(*found), maps[..=i].iter().copied().reduce(compose));
            }
        };
        check(&scan_row::<_, 1>(std::array::from_fn(|i| maps[i]), compose));
        check(&scan_row::<_, 8>(std::array::from_fn(|i| maps[i]), compose));
        check(&scan_row::<_, 16>(std::array::from_fn(|i| maps[i]), compose));
    }

    #[cfg(target_arch = "x86_64")]
    mod vectors {
        use super::super::{Vectors, are_vectors};
        use crate::cpu::isa::{Loop, run_in};
        use crate::cpu::testing::{Random, all_workers};

        /// What a row of vectors becomes: scanned, its last element, and moved by one behind 9.
        struct Row<T, const HALF: usize>([[T; HALF]; 2], T, fn(T, T) -> T);

        impl<T: Copy, const HALF: usize> Loop for Row<T, HALF> {
            type Output = Option<[[[T; HALF]; 2]; 3]>;

            #[inline(always)]
            unsafe fn run<const ISA: u8>(self) -> Self::Output {
                let Self(row, nine, op) = self;
                are_vectors::<T, HALF>(ISA).then(|| {
                    let vectors = Vectors::<HALF>::new();
                    // SAFETY: vectors of this machine.
                    unsafe {
                        let last = vectors.last_of(row[1]);
                        [vectors.scan(row, op), [last; 2], vectors.shifted(row, [nine; HALF])]
                    }
                })
            }
        }

        fn check<T: Copy + PartialEq + std::fmt::Debug, const HALF: usize>(
            element: fn(u64) -> T,
            op: fn(T, T) -> T,
        ) {
            let elements = Random::new(62).vec(2 * HALF, element);
            let row = [0, HALF].map(|first| std::array::from_fn(|lane| elements[first + lane]));
            for workers in all_workers() {
                let nine = element(9);
                // SAFETY: an instruction set of this machine.
                let Some([scanned, last, shifted]) = (unsafe { run_in(workers.isa(), Row(row, nine, op)) })
                else {
                    continue;
                };
                for i in 0..2 * HALF {
                    let at = |row: [[T; HALF]; 2]| row[i / HALF][i % HALF];
                    assert_eq!(Some(at(scanned)), elements[..=i].iter().copied().reduce(op));
                    assert_eq!(at(last), elements[2 * HALF - 1]);
                    assert_eq!(at(shifted), if i == 0 { nine } else { elements[i - 1] });
                }
            }
        }

        #[test]
        fn vectors_are_scanned_and_moved_as_elements_are() {
            check::<u32, 8>(|bits| bits as u32, u32::wrapping_add);
            check::<f32, 8>(|bits| (bits % 64) as f32, |a, b| a + b);
            check::<u64, 4>(|bits| bits, u64::wrapping_add);
            check::<f64, 4>(|bits| (bits % 64) as f64, |a, b| a + b);
        }
    }
}
