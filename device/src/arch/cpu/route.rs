//! How results get to memory: through the caches or past them.

use crate::per_thread::SliceWindow;

/// Bytes of results from which on they are written past the caches: as many as the last cache of most
/// processors has.
const LARGE: usize = 32 << 20;

/// Bytes of one group's results that are kept apart, at most, so that they stay in the first cache. More are
/// written where they belong at once.
const MOST_APART: usize = 64 << 10;

/// How results get to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// Through the caches, as all that is written.
    Caches,
    /// Past the caches.
    PastCaches,
}

impl Route {
    /// The route of all elements of a slice, of which a window is at hand.
    #[inline(always)]
    pub(super) fn of<T>(window: &SliceWindow) -> Self {
        let bytes = window.len.saturating_mul(size_of::<T>());
        if cfg!(all(target_arch = "x86_64", not(miri))) && bytes >= LARGE {
            Self::PastCaches
        } else {
            Self::Caches
        }
    }

    /// Whether a group's results are kept apart until its phase ends, so many bytes of them.
    #[inline(always)]
    pub(super) fn is_kept(self, bytes: usize) -> bool {
        self == Self::PastCaches && bytes <= MOST_APART
    }
}

/// Fence that, when it is dropped, puts what was written past the caches before all that this thread writes
/// from then on.
#[derive(Debug)]
pub(super) struct Fence;

impl Drop for Fence {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: every x86-64 has SSE.
        unsafe {
            core::arch::x86_64::_mm_sfence();
        }
    }
}
