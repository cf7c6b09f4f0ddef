//! Elements of four words, taken apart and put together: what phases read and write of them as if each word had an array of its
//! own, whose neighbours are SIMD lanes.
//!
//! The compiler does the same with shuffles, four times as many of them: it makes one vector after the other, of which each needs
//! something of all four that were loaded.

use core::mem::MaybeUninit;
use core::ptr::slice_from_raw_parts;

use gridwright_core::KernelArg;

use super::first_element::FirstElement;
use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::isa::by_isa;
use super::pointer::{Readable, readable, readable_pointer};
use super::private_values::PrivateValues;
use super::route::Route;

/// A word, which may be part of a number.
pub(super) type Word = MaybeUninit<u32>;

/// Four words, as they lie in memory.
type Element = [Word; 4];

/// Whether elements of this type are taken apart.
pub(super) const fn is_deinterleaved<T>() -> bool {
    cfg!(target_arch = "x86_64") && size_of::<T>() == size_of::<Element>()
}

/// The words from a thread's first to its second: whole vectors, and not a page, or loads of the one would wait for stores of the
/// other.
#[inline(always)]
pub(super) fn stride_of<S: GroupShape>(context: &GroupContext<'_, S>) -> usize {
    context.threads().next_multiple_of(16) + 16
}

/// Room for four words of each thread.
#[inline(always)]
pub(super) fn room_of_words<'g, S: GroupShape>(context: &GroupContext<'g, S>) -> PrivateValues<'g, Word> {
    PrivateValues::room_for(context, 4 * stride_of(context))
}

/// The argument of a phase with such elements.
pub type DeinterleavedPlace<'a, T> = Readable<'a, [MaybeUninit<T>]>;

/// Elements that a group's threads read, as whole ones where they are or in a copy as words.
#[derive(Debug)]
pub struct DeinterleavedWords<'g, T> {
    elements: &'g [T],
    words: Option<PrivateValues<'g, Word>>,
    stride: usize,
    /// The number of threads that the copy has words of.
    threads: usize,
}

impl<'g, T: KernelArg> DeinterleavedWords<'g, T> {
    /// The elements from the first thread's on.
    #[inline(always)]
    pub(crate) fn new<'k, S: GroupShape>(
        context: &GroupContext<'k, S>,
        elements: &'g [T],
        start: FirstElement,
    ) -> Self
    where
        'k: 'g,
    {
        let elements = start.cut(elements);
        if const { !is_deinterleaved::<T>() } {
            return Self { elements, words: None, stride: 0, threads: usize::MAX };
        }
        let (words, stride, threads) = (room_of_words(context), stride_of(context), context.threads());
        let (from, to) = (elements.as_ptr().cast::<Element>(), words.pointer());
        let count = elements.len().min(threads);
        // SAFETY: there are so many elements, and room for the words of each thread's.
        unsafe {
            by_isa!(
                S::ISA,
                apart(from, count, to, stride),
                apart_avx2(from, count, to, stride),
                apart_avx2(from, count, to, stride)
            );
        }
        Self { elements, words: Some(words), stride, threads }
    }

    /// The elements, in as much memory as there is of them.
    #[inline(always)]
    pub(crate) fn place(&self) -> DeinterleavedPlace<'_, T> {
        let (first, len) = match &self.words {
            Some(words) => (words.pointer().cast_const().cast(), self.stride),
            None => (self.elements.as_ptr(), self.elements.len()),
        };
        // SAFETY: there is memory for so many, which nobody writes.
        unsafe { readable(slice_from_raw_parts(first.cast(), len)) }
    }

    /// The number of words from one place's first to the next one's.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// # Panics
    /// If they are of fewer threads.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn check(&self, threads: usize) {
        if self.threads < threads {
            too_few_elements(self.threads, threads);
        }
    }

    /// The element of the thread of a number, if it is one of the `left`.
    ///
    /// # Safety
    /// The place and the stride are those of elements of which so many are left, or one for each thread.
    #[inline(always)]
    pub(crate) unsafe fn element(
        place: &DeinterleavedPlace<'_, T>,
        left: usize,
        stride: usize,
        number: usize,
    ) -> Option<T> {
        let first: *const T = readable_pointer(place).cast();
        // SAFETY: there is an element of that number, as this function asks; one that is apart has 16 bytes, as `is_deinterleaved` says.
        (number < left).then(|| unsafe {
            if const { is_deinterleaved::<T>() } {
                put_together(first.cast(), stride, number)
            } else {
                *first.add(number)
            }
        })
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_few_elements(len: usize, threads: usize) -> ! {
    panic!("elements of {len} threads in a group of {threads}")
}

/// The element of a number, of words in four arrays.
///
/// # Safety
/// There are as many, and they are a `T` of 16 bytes.
#[inline(always)]
pub(super) unsafe fn put_together<T: Copy>(words: *const Word, stride: usize, number: usize) -> T {
    // SAFETY: each of the four arrays has a word of that number, and they are a `T` of 16 bytes, as this function asks.
    unsafe {
        let element: Element = [0, 1, 2, 3].map(|word| *words.add(word * stride + number));
        core::mem::transmute_copy(&element)
    }
}

/// Writes the words of the element of a number, each to an array of its own.
///
/// # Safety
/// There is room for them, and `T` has 16 bytes.
#[inline(always)]
pub(super) unsafe fn write_deinterleaved<T: Copy>(
    element: T,
    words: *mut Word,
    stride: usize,
    number: usize,
) {
    // SAFETY: `T` has 16 bytes, and each of the four arrays has room for a word of that number, as this function asks.
    unsafe {
        let element: Element = core::mem::transmute_copy(&element);
        for (word, value) in element.into_iter().enumerate() {
            *words.add(word * stride + number) = value;
        }
    }
}

/// Writes elements whose words are in four arrays.
///
/// # Safety
/// So many were written to the arrays, and there is room for them, which nobody else accesses.
#[inline(always)]
pub(super) unsafe fn write_together<S: GroupShape, T>(
    words: *const Word,
    stride: usize,
    to: *mut T,
    count: usize,
    route: Route,
) {
    let to = to.cast::<Element>();
    // SAFETY: so many elements' words were written, and there is room for the elements that nobody else accesses, as this function
    // asks; the shape exists, so this machine has its instruction set.
    unsafe {
        by_isa!(
            S::ISA,
            together(words, stride, to, count),
            together_avx2(words, stride, to, count, route),
            together_avx2(words, stride, to, count, route)
        );
    }
}

/// The words of elements, each in an array of its own.
///
/// # Safety
/// There are so many elements, and room for as many words of each place.
#[inline]
unsafe fn apart(from: *const Element, count: usize, to: *mut Word, stride: usize) {
    for number in 0..count {
        // SAFETY: the number is below `count`: there is the element, and room for its words, as this function asks.
        unsafe { write_deinterleaved(from.add(number).read_unaligned(), to, stride, number) };
    }
}

/// # Safety
/// As for `write_together`.
#[inline]
unsafe fn together(words: *const Word, stride: usize, to: *mut Element, count: usize) {
    for number in 0..count {
        // SAFETY: the number is below `count`: the element's words were written, and there is room for it, as this function asks.
        unsafe { to.add(number).write_unaligned(put_together(words, stride, number)) };
    }
}

/// # Safety
/// As for `apart`, and this machine has AVX2.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
unsafe fn apart_avx2(from: *const Element, count: usize, to: *mut Word, stride: usize) {
    let whole = count / 8 * 8;
    // SAFETY: up to `count` there are elements, and room for their words, and this machine has AVX2, as this function asks; eights
    // end at `whole`, which isn't beyond.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        for first in (0..whole).step_by(8) {
            x86::eight_apart(from.add(first), to.add(first), stride);
        }
        let left = if cfg!(target_arch = "x86_64") { whole } else { 0 };
        apart(from.add(left), count - left, to.add(left), stride);
    }
}

/// # Safety
/// As for `together`, and this machine has AVX2.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "stores past caches are x86's"))]
unsafe fn together_avx2(words: *const Word, stride: usize, to: *mut Element, count: usize, route: Route) {
    let whole = count / 8 * 8;
    // SAFETY: up to `count` there are words, and room for their elements, and this machine has AVX2, as this function asks; eights
    // end at `whole`, which isn't beyond. Past the caches go elements of which the first was seen to be aligned.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if route == Route::PastCaches && to.cast::<x86::Lanes>().is_aligned() {
            for first in (0..whole).step_by(8) {
                x86::eight_together(words.add(first), stride, |number, lanes| {
                    x86::write_past_caches(to.add(first + number).cast(), lanes);
                });
            }
        } else {
            for first in (0..whole).step_by(8) {
                x86::eight_together(words.add(first), stride, |number, lanes| {
                    to.add(first + number).cast::<x86::Lanes>().write_unaligned(lanes);
                });
            }
        }
        let left = if cfg!(target_arch = "x86_64") { whole } else { 0 };
        together(words.add(left), stride, to.add(left), count - left);
    }
}

/// Eight elements in registers. Lower halves are of the first four, upper ones of the last four, so that nothing crosses over.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Element, Word};

    /// An element.
    pub(super) type Lanes = __m128i;
    pub(super) use core::arch::x86_64::_mm_stream_si128 as write_past_caches;

    /// Each of the four vectors' words of a place, in a vector of its own.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn transposed([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
        let (ab, ab_high) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
        let (cd, cd_high) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
        [
            _mm256_unpacklo_epi64(ab, cd),
            _mm256_unpackhi_epi64(ab, cd),
            _mm256_unpacklo_epi64(ab_high, cd_high),
            _mm256_unpackhi_epi64(ab_high, cd_high),
        ]
    }

    /// # Safety
    /// There are eight elements, and room for eight words of each place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn eight_apart(from: *const Element, to: *mut Word, stride: usize) {
        // SAFETY: the numbers are below four, and there are eight elements, as this function asks.
        let load = |number: usize| unsafe {
            let (low, high) = (from.add(number).cast(), from.add(number + 4).cast());
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high))
        };
        for (word, words) in transposed([load(0), load(1), load(2), load(3)]).into_iter().enumerate() {
            // SAFETY: each of the four places has room for eight words, as this function asks.
            unsafe { _mm256_storeu_si256(to.add(word * stride).cast(), words) };
        }
    }

    /// # Safety
    /// There are eight words of each place, and `write` may be called for numbers up to seven.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn eight_together(words: *const Word, stride: usize, write: impl Fn(usize, Lanes)) {
        // SAFETY: each of the four places has eight words, as this function asks.
        let load = |word: usize| unsafe { _mm256_loadu_si256(words.add(word * stride).cast()) };
        let elements = transposed([load(0), load(1), load(2), load(3)]);
        for (number, &elements) in elements.iter().enumerate() {
            write(number, _mm256_castsi256_si128(elements));
        }
        for (number, &elements) in elements.iter().enumerate() {
            write(number + 4, _mm256_extracti128_si256::<1>(elements));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic = "elements of 20 threads in a group of 21"]
    fn a_larger_group_gets_none_of_a_smaller_one() {
        let elements = DeinterleavedWords::<u32> { elements: &[], words: None, stride: 48, threads: 20 };
        elements.check(20);
        elements.check(21);
    }

    #[test]
    fn what_is_taken_apart_is_put_together_again() {
        for count in [0, 1, 7, 8, 9, 31, 64] {
            let elements: Vec<[u32; 4]> = (0..count).map(|i| [i, 100 + i, 200 + i, 300 + i]).collect();
            let count = elements.len();
            let stride = count + 3;
            let mut expected = vec![u32::MAX; 4 * stride];
            for (number, element) in elements.iter().enumerate() {
                for (word, value) in element.iter().enumerate() {
                    expected[word * stride + number] = *value;
                }
            }
            let check = |take: unsafe fn(*const Element, usize, *mut Word, usize),
                         put: &dyn Fn(*const Word, usize, *mut Element, usize)| {
                let mut words = vec![u32::MAX; 4 * stride];
                // SAFETY: there are so many elements, and room for their words.
                unsafe { take(elements.as_ptr().cast(), count, words.as_mut_ptr().cast(), stride) };
                assert_eq!(words, expected);
                let mut again = vec![[0_u32; 4]; count];
                put(words.as_ptr().cast(), stride, again.as_mut_ptr().cast(), count);
                assert_eq!(again, elements);
            };
            // SAFETY: there are so many words, and room for their elements.
            check(apart, &|words, stride, to, count| unsafe { together(words, stride, to, count) });
            if gridwright_cpu::available().contains(&crate::arch::Isa::Avx2) {
                for route in [Route::Caches, Route::PastCaches] {
                    check(apart_avx2, &|words, stride, to, count| {
                        // SAFETY: there are so many words, and room for their elements; the machine was seen to have AVX2.
                        unsafe { together_avx2(words, stride, to, count, route) };
                    });
                }
            }
        }
    }
}
