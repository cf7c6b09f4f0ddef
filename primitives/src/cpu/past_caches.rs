//! Results that are written past the caches, where there are more than they hold: a line isn't read then before it is written.

use std::mem::MaybeUninit;

/// Bytes of results from which on they are written past the caches: as many as the last cache of most processors has.
const LARGE: usize = 32 << 20;

/// Bytes that are kept together in the first cache until they are written past it.
const KEPT: usize = 8 << 10;

/// Whether so many elements are written past the caches. Large ones aren't: few of them would be kept.
pub(crate) const fn is_large<T>(len: usize) -> bool {
    cfg!(all(target_arch = "x86_64", not(miri)))
        && size_of::<T>() <= 16
        && len.saturating_mul(size_of::<T>()) >= LARGE
}

/// Room for elements that are written together.
#[repr(align(64))]
pub(crate) struct Kept([MaybeUninit<u8>; KEPT]);

impl Kept {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; KEPT])
    }

    /// The number of elements that there is room for, of at most 16 bytes: a multiple of 64.
    pub(crate) const fn len<T>() -> usize {
        (KEPT / if size_of::<T>() == 0 { 1 } else { size_of::<T>() }) & !63
    }

    /// Where the first of them is.
    #[inline(always)]
    pub(crate) fn first<T>(&mut self) -> *mut T {
        const { assert!(align_of::<T>() <= align_of::<Self>()) };
        self.0.as_mut_ptr().cast()
    }

    /// Copies elements to where nobody looks soon. Others see them behind a [`fence`].
    ///
    /// # Safety
    /// So many elements are kept, and there is room for them.
    #[inline(never)]
    pub(crate) unsafe fn write<T>(&self, to: *mut T, count: usize) {
        let (from, to, bytes) = (self.0.as_ptr().cast::<u8>(), to.cast::<u8>(), count * size_of::<T>());
        debug_assert!(bytes <= KEPT);
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: both have so many bytes, as the caller says. Every x86-64 has SSE2; vectors are stored from the first aligned byte of `to`
        // on.
        unsafe {
            use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
            let before = to.align_offset(size_of::<__m128i>()).min(bytes);
            let whole = (bytes - before) / size_of::<__m128i>() * size_of::<__m128i>();
            from.copy_to_nonoverlapping(to, before);
            for at in (before..before + whole).step_by(size_of::<__m128i>()) {
                _mm_stream_si128(to.add(at).cast(), _mm_loadu_si128(from.add(at).cast()));
            }
            let done = before + whole;
            from.add(done).copy_to_nonoverlapping(to.add(done), bytes - done);
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        // SAFETY: as the caller says.
        unsafe {
            from.copy_to_nonoverlapping(to, bytes);
        }
    }
}

/// Puts what this thread wrote past the caches before all that it writes from then on.
pub(crate) fn fence() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every x86-64 has SSE.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, fence, is_large};

    fn check<T: Copy + PartialEq + std::fmt::Debug>(element: impl Fn(usize) -> T) {
        let mut kept = Kept::new();
        for (start, count) in [(0, 0), (0, 64), (1, 1), (3, 200), (5, 17), (0, 500), (7, 509)] {
            let elements: Vec<_> = (0..count).map(&element).collect();
            let mut room = vec![element(999); start + count + 1];
            // SAFETY: there is room for so many, which are then kept.
            unsafe {
                kept.first::<T>().copy_from_nonoverlapping(elements.as_ptr(), count);
                kept.write::<T>(room.as_mut_ptr().add(start), count);
            }
            fence();
            assert_eq!(room[start..start + count], elements);
            assert!(room[..start].iter().chain(&room[start + count..]).all(|it| *it == element(999)));
        }
    }

    #[test]
    fn elements_get_where_they_belong_however_they_lie() {
        check(|i| i as u8);
        check(|i| i as u32);
        check(|i| i as f64);
        check(|i| [i as u16; 5]);
        check(|_| ());
    }

    #[test]
    fn there_is_room_for_whole_rows_of_what_is_large() {
        assert!(Kept::len::<[u64; 2]>() == 512 && Kept::len::<[u8; 3]>().is_multiple_of(64));
        assert!(!is_large::<u32>(1000) && !is_large::<[u64; 3]>(usize::MAX) && !is_large::<()>(usize::MAX));
    }
}
