//! Results that are written past the caches: where there are more of them than caches hold, a line isn't read before it is written.

use std::mem::MaybeUninit;

/// Bytes of results from which on they are written past the caches: about what a last cache holds for each core or two.
const MANY_BYTES: usize = 16 << 20;

/// Whether so many results are written past the caches.
pub(crate) fn passes_caches<T>(len: usize) -> bool {
    cfg!(target_arch = "x86_64") && size_of::<T>() > 0 && size_of::<T>().saturating_mul(len) >= MANY_BYTES
}

/// Bytes that a thread keeps of its results.
pub(crate) const STAGE_BYTES: usize = 64 << 10;

/// Room for results, until they are written past the caches.
#[repr(align(64))]
pub(crate) struct Stage([MaybeUninit<u8>; STAGE_BYTES]);

impl Stage {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([MaybeUninit::uninit(); STAGE_BYTES])
    }

    /// The first place, for as many as fit, if their alignment is the stage's at most.
    #[inline(always)]
    pub(crate) fn first<T>(&mut self) -> *mut T {
        const { assert!(align_of::<T>() <= 64) };
        self.0.as_mut_ptr().cast()
    }
}

/// Copies bytes past the caches. Others see them when [`finish`] was called.
///
/// # Safety
/// There are as many bytes, initialised, at `from`, and room at `to`, which is elsewhere.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) unsafe fn copy_past_caches(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    let head = to.align_offset(64).min(bytes);
    let lines = (bytes - head) / 64;
    // SAFETY: within the bytes, as the caller says, and aligned where the instruction asks for it.
    unsafe {
        to.copy_from_nonoverlapping(from, head);
        let (mut source, mut target) = (from.add(head), to.add(head));
        for _ in 0..lines {
            let [a, b, c, d] = [0, 16, 32, 48].map(|at| _mm_loadu_si128(source.add(at).cast::<__m128i>()));
            _mm_stream_si128(target.cast(), a);
            _mm_stream_si128(target.add(16).cast(), b);
            _mm_stream_si128(target.add(32).cast(), c);
            _mm_stream_si128(target.add(48).cast(), d);
            (source, target) = (source.add(64), target.add(64));
        }
        target.copy_from_nonoverlapping(source, bytes - head - 64 * lines);
    }
}

/// Copies bytes.
///
/// # Safety
/// There are as many bytes, initialised, at `from`, and room at `to`, which is elsewhere.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) unsafe fn copy_past_caches(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: as the caller says.
    unsafe { to.copy_from_nonoverlapping(from, bytes) };
}

/// Waits until what this thread wrote past the caches is seen by others.
#[inline(always)]
pub(crate) fn finish() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: of the baseline of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
