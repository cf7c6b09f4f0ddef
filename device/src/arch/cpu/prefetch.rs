//! What a core has brought into its caches before it is asked for.

use super::Rect;

/// The bytes of a cache line.
const LINE: usize = 64;

/// The most bytes that are fetched ahead at once. A core waits for few lines at a time, some 20, and for the rest of them before
/// it goes on: where 64 lines were asked for in a row, copies of 64 MiB took a third longer than without.
const MOST_AHEAD: usize = 1024;

/// Has memory brought into the caches. It is only a hint: the memory needn't be there.
#[inline(always)]
fn bytes(first: *const u8, count: usize) {
    for at in (0..count).step_by(LINE) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: it reads nothing that a program sees, from any address.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(at).cast());
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        let _ = (first, at);
    }
}

/// Has the elements of a rectangle brought, of a matrix with rows of `stride` elements. Rows lie so far apart that the core
/// doesn't see which it will be asked for next: a group that transposes a tile waited for each row that it wrote.
#[inline(always)]
pub(super) fn rectangle<T>(first: *const T, stride: usize, Rect { rows, cols }: Rect) {
    for row in rows {
        let start = first.wrapping_add(row.wrapping_mul(stride).wrapping_add(cols.start));
        bytes(start.cast(), size_of::<T>().saturating_mul(cols.len()));
    }
}

/// Has elements brought that the threads of the phase after the next one may read, where a phase of so many reads these: those
/// that follow on the next phase's. It is for phases that don't read on from where the last one ended, but do something with
/// memory in between. Where phases only read, or write what they read, the core sees by itself what comes, and is disturbed: a sum
/// of 256 MiB took 1.5 times as long, one in the L3 cache 1.3 times, and `saxpy` of 256 MiB 1.25 times.
#[inline(always)]
pub(crate) fn read_ahead<T>(elements: *const [T], threads: usize) {
    Ahead::of(elements, threads).fetch();
}

/// Memory to have brought, of which only a hint is given.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    first: *const u8,
    bytes: usize,
}

impl Ahead {
    pub(crate) const NOTHING: Self = Self { first: core::ptr::null(), bytes: 0 };

    #[inline(always)]
    pub(crate) fn of<T>(elements: *const [T], threads: usize) -> Self {
        let first = elements.cast::<T>().wrapping_add(threads.wrapping_mul(2)).cast();
        Self { first, bytes: size_of::<T>().saturating_mul(threads) }
    }

    /// Has the memory of all views of a phase brought, unless it would be too much.
    #[inline(always)]
    pub(super) fn fetch_all<const VIEWS: usize>(all: [Self; VIEWS]) {
        if all.iter().fold(0, |sum: usize, ahead| sum.saturating_add(ahead.bytes)) <= MOST_AHEAD {
            all.into_iter().for_each(Self::fetch);
        }
    }

    #[inline(always)]
    fn fetch(self) {
        if self.bytes <= MOST_AHEAD {
            bytes(self.first, self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ahead, bytes, read_ahead, rectangle};
    use crate::arch::Rect;

    #[test]
    fn nothing_needs_to_be_there() {
        bytes(core::ptr::null(), 4096);
        bytes(core::ptr::without_provenance(usize::MAX - 64), 4096);
        rectangle(core::ptr::null::<f64>(), usize::MAX, Rect { rows: 0..3, cols: 5..70 });
        read_ahead(&[1_u32; 3], 1024);
        read_ahead::<[u8; 4096]>(&[], 1);
        read_ahead::<u8>(&[], usize::MAX);
        Ahead::fetch_all([Ahead::NOTHING, Ahead::of::<u64>(&[], usize::MAX), Ahead::of(&[1_u8; 3], 64)]);
        Ahead::fetch_all([Ahead::of(&[1_u8; 3], 64), Ahead::NOTHING]);
    }
}
