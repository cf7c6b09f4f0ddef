//! What a core has brought into its caches before it is asked for.

use super::Rect;

/// The bytes of a cache line.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const LINE: usize = 64;

/// Has the elements of a rectangle brought, of a matrix with rows of `stride` elements. Rows lie so far apart that the core
/// doesn't see which it will be asked for next: a group that transposes a tile waited for each row that it wrote.
///
/// Only a hint: what it names needn't be there.
#[inline(always)]
pub(super) fn rectangle<T>(first: *const T, stride: usize, Rect { rows, cols }: Rect) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for row in rows {
        let start = first.wrapping_add(row.wrapping_mul(stride).wrapping_add(cols.start)).cast::<i8>();
        for at in (0..size_of::<T>().saturating_mul(cols.len())).step_by(LINE) {
            // SAFETY: it reads nothing that a program sees, from any address.
            unsafe { core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(start.wrapping_add(at)) };
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (first, stride, rows, cols);
}
