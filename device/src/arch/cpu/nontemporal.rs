//! Results that are written past the caches: where there are more of them than caches hold, a line isn't read before it is written.

use core::mem::MaybeUninit;

use gridwright_core::KernelArg;

use super::deinterleave::{
    Word, is_deinterleaved, room_of_words, stride_of, write_deinterleaved, write_together,
};
use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::private_values::PrivateValues;
use super::route::Route;
use crate::Keep;
use crate::per_thread::SliceWindow;

/// Results of a phase, one after the other, and where they go.
#[derive(Debug)]
struct KeptResults<'g, T> {
    results: PrivateValues<'g, MaybeUninit<T>>,
    to: *mut T,
    /// The number of results.
    count: usize,
}

impl<'g, T: Copy + 'static> KeptResults<'g, T> {
    /// Room for a result of each thread, of which the first `count` are written back.
    #[inline(always)]
    fn new<S: GroupShape>(context: &GroupContext<'g, S>, to: *mut T, count: usize) -> Self {
        Self { results: PrivateValues::room(context), to, count }
    }

    #[inline(always)]
    fn pointer(&self) -> *mut T {
        self.results.pointer().cast()
    }
}

impl<T: Copy + 'static> Keep for KeptResults<'_, T> {
    #[inline(always)]
    unsafe fn put_back<S: GroupShape>(self, _: &GroupContext<'_, S>, threads: usize) {
        let bytes = self.count.min(threads) * size_of::<T>();
        // SAFETY: the loop has ended, as `Keep` asks, in which each thread that took part wrote its result to the copy. `to` is at
        // elements that `NewMut` borrows exclusively for those threads, and lies elsewhere.
        unsafe { write_past_caches(self.pointer().cast(), self.to.cast(), bytes) };
    }
}

/// Results of a phase whose four words are apart, and where they go.
#[derive(Debug)]
struct KeptWords<'g, T> {
    words: PrivateValues<'g, Word>,
    stride: usize,
    to: *mut T,
    count: usize,
    route: Route,
}

impl<T> Keep for KeptWords<'_, T> {
    #[inline(always)]
    unsafe fn put_back<S: GroupShape>(self, _: &GroupContext<'_, S>, threads: usize) {
        let Self { words, stride, to, count, route } = &self;
        // SAFETY: the loop has ended, as `Keep` asks, in which each thread that took part wrote its result's words. `to` is at
        // elements that `NewMut` borrows exclusively for those threads.
        unsafe { write_together::<S, T>(words.pointer(), *stride, *to, (*count).min(threads), *route) };
    }
}

/// Whether a phase of so many threads keeps its results and writes them past the caches, of which the window is at hand.
#[inline(always)]
pub(crate) fn keeps_new<T, const DEINTERLEAVED: bool>(window: &SliceWindow, threads: usize) -> bool {
    !const { DEINTERLEAVED && is_deinterleaved::<T>() }
        && Route::of::<T>(window).is_kept(size_of::<T>() * threads)
}

/// Where a phase writes its results: the pointer and the window that are given, or those of a copy. With them the number of words
/// from the first of one place to the first of the next, where words are apart, and what writes the copy back.
///
/// # Safety
/// From `pointer` on there are the elements that the window has. The phase owns them exclusively.
#[inline(always)]
pub(crate) unsafe fn keep_new<'g, S: GroupShape, T: KernelArg, const DEINTERLEAVED: bool>(
    context: &GroupContext<'g, S>,
    pointer: *mut T,
    window: SliceWindow,
) -> (*mut T, SliceWindow, usize, impl Keep + use<'g, S, T, DEINTERLEAVED>) {
    let start = context.first_index();
    let skipped = start.saturating_sub(window.start).min(window.owned);
    let owned = (window.owned - skipped).min(context.threads());
    // SAFETY: the window has as many elements, which are there, as this function asks.
    let to = unsafe { pointer.add(skipped) };
    let by_context = SliceWindow { start, owned, len: window.len };
    let route = Route::of::<T>(&window);
    if const { DEINTERLEAVED && is_deinterleaved::<T>() } {
        let (words, stride) = (room_of_words(context), stride_of(context));
        let copy = words.pointer().cast();
        return (
            copy,
            by_context,
            stride,
            (None, Some(KeptWords { words, stride, to, count: owned, route })),
        );
    }
    if !route.is_kept(size_of::<T>() * context.threads()) {
        return (pointer, window, 0, (None, None));
    }
    let kept = KeptResults::new(context, to, owned);
    (kept.pointer(), by_context, 0, (Some(kept), None))
}

/// Writes a result where [`keep_new`] said.
///
/// # Safety
/// `first` and `stride` are what [`keep_new`] gave. The window that it gave has the position, which nobody else writes.
#[inline(always)]
pub(crate) unsafe fn store_new<T: KernelArg, const DEINTERLEAVED: bool>(
    element: T,
    first: *mut T,
    stride: usize,
    position: usize,
) {
    // SAFETY: there is room for the thread's element, or for its words where they are apart, as this function asks.
    unsafe {
        if const { DEINTERLEAVED && is_deinterleaved::<T>() } {
            write_deinterleaved(element, first.cast(), stride, position);
        } else {
            *first.add(position) = element;
        }
    }
}

/// Copies bytes that are in a cache to where nobody looks soon. What this thread reads there it sees, what others read only after
/// [`Fence`].
///
/// # Safety
/// As for `ptr::copy_nonoverlapping`.
#[inline]
unsafe fn write_past_caches(from: *const u8, to: *mut u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: both have so many bytes, and don't overlap, as this function asks. Every x86-64 has SSE2. Vectors are stored from the
    // first aligned byte of `to` on.
    unsafe {
        use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        let before = to.align_offset(size_of::<__m128i>()).min(bytes);
        let whole = (bytes - before) / size_of::<__m128i>() * size_of::<__m128i>();
        core::ptr::copy_nonoverlapping(from, to, before);
        for at in (before..before + whole).step_by(size_of::<__m128i>()) {
            _mm_stream_si128(to.add(at).cast(), _mm_loadu_si128(from.add(at).cast()));
        }
        let done = before + whole;
        core::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done);
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // SAFETY: both have so many bytes, and don't overlap, as this function asks.
    unsafe {
        core::ptr::copy_nonoverlapping(from, to, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::write_past_caches;

    #[test]
    fn bytes_get_where_they_belong_however_they_lie() {
        let from: Vec<u8> = (0..200).collect();
        for (first, bytes) in [(0, 200), (1, 199), (0, 0), (3, 5), (16, 100), (7, 33)] {
            for at in [0, 1, 8, 15] {
                let mut to = [255_u8; 256];
                // SAFETY: both have so many bytes there.
                unsafe { write_past_caches(from.as_ptr().add(first), to.as_mut_ptr().add(at), bytes) };
                assert_eq!(to[at..at + bytes], from[first..first + bytes]);
                assert!(to[..at].iter().chain(&to[at + bytes..]).all(|&byte| byte == 255));
            }
        }
    }
}
