//! What a core has brought into its caches before it is asked for.

use super::Rect;

/// The bytes of a cache line.
const LINE: usize = 64;

/// The most bytes that are fetched ahead for a phase. A core waits for few lines at once, some 20, and for the rest of them before it
/// goes on: where 64 lines were asked for in a row, copies of 64 MiB took a third longer than without, with 16 they don't.
const MOST_AHEAD: usize = 1024;

/// Has memory brought, of which only a hint is given: it needn't be there.
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

/// Has elements brought that the phase after the next one may read, where a phase of so many threads reads these: those that
/// follow on the next phase's. A core doesn't look beyond a page, and from one phase to the next it seems to begin anew: sums
/// of 16 MiB that are in no near cache took a fifth longer without.
#[inline(always)]
pub(crate) fn read_ahead<T>(elements: *const [T], threads: usize) {
    let count = size_of::<T>().saturating_mul(threads);
    if count <= MOST_AHEAD {
        bytes(elements.cast::<T>().wrapping_add(2 * threads).cast(), count);
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, read_ahead, rectangle};
    use crate::arch::Rect;

    #[test]
    fn nothing_needs_to_be_there() {
        bytes(core::ptr::null(), 4096);
        bytes(core::ptr::without_provenance(usize::MAX - 64), 4096);
        rectangle(core::ptr::null::<f64>(), usize::MAX, Rect { rows: 0..3, cols: 5..70 });
        read_ahead(&[1_u32; 3], 1024);
        read_ahead::<[u8; 4096]>(&[], 1);
        read_ahead::<u8>(&[], usize::MAX);
    }
}
