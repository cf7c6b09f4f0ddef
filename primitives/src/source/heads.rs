//! Where segments begin, as a source.

use super::{Leaves, Source};

/// Whether a segment begins with each element: one of 32 bits of a word each, as a number that is 0 or 1.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Heads;

argument!([] Heads {});

// SAFETY: the first slice has a bit for each element.
unsafe impl Source for Heads {
    type Item = u32;
    type Leaves<Rest: Leaves> = (u32, Rest);

    #[inline(always)]
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <(u32, Rest) as Leaves>::Slices<'k>,
    ) -> (u32, Rest::Slices<'k>) {
        let (words, rest) = slices;
        // SAFETY: the caller says that there are more than `i` elements, and there are as many bits.
        let word = unsafe { *words.get_unchecked(i / 32) };
        (word >> (i % 32) & 1, rest)
    }
}
