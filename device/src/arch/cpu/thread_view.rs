use core::hint::assert_unchecked;

use gridwright_core::{ByValue, KernelArg, RawMatrix, RawParts, RawSlice, RawVolume, ReadSlice};

use super::{Chunk, Facts, Identity, Rect};
use crate::atomic::{AtomicElement, AtomicSlice};
use crate::per_thread::{
    MatrixWindow, OwnAnywhere, OwnMap, OwnMatrix, OwnShape, OwnSlice, SliceWindow, VolumeWindow,
};
use crate::segments::{PartsWindow, ReadSegments};
use crate::volume::ReadVolume;
use crate::{Atomic, Matrix, PerThread, ReadMatrix, Scattered, Segments, Volume};

/// The neighbours of an interior element that are inside too, in each direction: what most stencils touch.
/// With more, the edges, whose loops aren't vectorised, take longer: two made a Sobel filter of 451 columns
/// half as slow again.
const HALO: usize = 1;

/// How a passing becomes a parameter of the body, on the CPU.
///
/// # Safety
/// Where [`interior`](Self::interior) holds a thread, [`assume`](Self::assume)'s facts are true for it.
#[diagnostic::on_unimplemented(
    message = "a parameter of this type can't be passed to a thread's kernel",
    label = "`{Self}` is none of its parameters",
    note = "`PerGroup` is for kernels that begin with `g: &Group`, and raw pointers are for those that are an `unsafe fn`"
)]
pub unsafe trait ThreadView {
    /// What crosses from the host for a parameter.
    type Raw: Copy;
    /// An argument of the loop function: at most one reference, so that it is `noalias`.
    type Arg;
    /// Sizes that go beside the argument.
    type Sizes: Copy;
    /// The parameter that a thread gets.
    type Item<'i>;
    /// What the loop function keeps to make items of.
    type Open;

    /// The argument for a chunk.
    ///
    /// # Safety
    /// `raw` points at live memory that has its kind of access while the argument lives: shared for what
    /// is read, exclusive in the chunk's window for what threads own.
    unsafe fn window(raw: &Self::Raw, chunk: &Chunk<'_>) -> (Self::Arg, Self::Sizes);

    /// The positions of a launch's plane at which the facts hold.
    fn interior(raw: &Self::Raw, chunk: &Chunk<'_>) -> Rect;

    /// Opens the argument, inside the loop function.
    fn open(arg: Self::Arg, sizes: Self::Sizes) -> Self::Open;

    /// The parameter for one thread.
    ///
    /// # Safety
    /// The thread is of the chunk, and its earlier items are gone.
    unsafe fn item<'i>(open: &mut Self::Open, thread: Identity<'_>) -> Self::Item<'i>;

    /// States the facts to the optimiser.
    ///
    /// # Safety
    /// The thread is in the interior, or its column is, as `facts` says.
    unsafe fn assume(open: &Self::Open, thread: Identity<'_>, facts: Facts);
}

// SAFETY: no facts.
unsafe impl<T: KernelArg> ThreadView for ByValue<T> {
    type Raw = T;
    type Arg = T;
    type Sizes = ();
    type Item<'i> = T;
    type Open = T;

    #[inline(always)]
    unsafe fn window(raw: &T, _: &Chunk<'_>) -> (T, ()) {
        (*raw, ())
    }

    fn interior(_: &T, _: &Chunk<'_>) -> Rect {
        Rect::ALL
    }

    #[inline(always)]
    fn open(arg: T, (): ()) -> T {
        arg
    }

    #[inline(always)]
    unsafe fn item<'i>(open: &mut T, _: Identity<'_>) -> Self::Item<'i> {
        *open
    }

    #[inline(always)]
    unsafe fn assume(_: &T, _: Identity<'_>, _: Facts) {}
}

// SAFETY: the fact is that the index is inside the slice; all of a row's indices are.
unsafe impl<T: KernelArg> ThreadView for ReadSlice<T> {
    type Raw = RawSlice<T>;
    type Arg = &'static [T];
    type Sizes = ();
    type Item<'i> = &'i [T];
    type Open = &'static [T];

    #[inline(always)]
    unsafe fn window(raw: &RawSlice<T>, _: &Chunk<'_>) -> (&'static [T], ()) {
        // SAFETY: the elements are live, and nobody writes them until the loop function ends, as this function asks.
        (unsafe { core::slice::from_raw_parts(raw.pointer, raw.len) }, ())
    }

    fn interior(raw: &RawSlice<T>, chunk: &Chunk<'_>) -> Rect {
        below(raw.len, chunk)
    }

    #[inline(always)]
    fn open(arg: &'static [T], (): ()) -> &'static [T] {
        arg
    }

    #[inline(always)]
    unsafe fn item<'i>(open: &mut &'static [T], _: Identity<'_>) -> &'i [T] {
        open
    }

    #[inline(always)]
    unsafe fn assume(open: &&'static [T], thread: Identity<'_>, facts: Facts) {
        if facts == Facts::All {
            // SAFETY: the thread is in the interior.
            unsafe { assert_unchecked(thread.index() < open.len()) };
        }
    }
}

// SAFETY: the facts are those of `assume_inside`, and the interior leaves out the halo.
unsafe impl<T: KernelArg> ThreadView for ReadMatrix<T> {
    type Raw = RawMatrix<T>;
    type Arg = &'static [T];
    type Sizes = (usize, usize);
    type Item<'i> = &'i Matrix<T>;
    type Open = Matrix<T>;

    #[inline(always)]
    unsafe fn window(raw: &RawMatrix<T>, _: &Chunk<'_>) -> (&'static [T], (usize, usize)) {
        let RawMatrix { pointer, rows, cols } = *raw;
        // SAFETY: there are so many live elements, which nobody writes until the loop function ends, as this function asks.
        (unsafe { core::slice::from_raw_parts(pointer, rows * cols) }, (rows, cols))
    }

    fn interior(raw: &RawMatrix<T>, _: &Chunk<'_>) -> Rect {
        let inner = |n: usize| HALO..n.saturating_sub(HALO);
        Rect { rows: inner(raw.rows), cols: inner(raw.cols) }
    }

    #[inline(always)]
    fn open(arg: &'static [T], (rows, cols): (usize, usize)) -> Matrix<T> {
        // SAFETY: `window` made the slice of as many elements.
        unsafe { Matrix::from_raw(arg.as_ptr(), rows, cols) }
    }

    #[inline(always)]
    unsafe fn item<'i>(open: &mut Matrix<T>, _: Identity<'_>) -> &'i Matrix<T> {
        let pointer: *const Matrix<T> = open;
        // SAFETY: the matrix outlives the body's call, which is all that 'i stands for.
        unsafe { &*pointer }
    }

    #[inline(always)]
    unsafe fn assume(open: &Matrix<T>, thread: Identity<'_>, facts: Facts) {
        // SAFETY: the thread is in the interior, at least HALO from each edge.
        unsafe {
            if facts != Facts::None {
                assume_inside(thread.col(), open.cols());
            }
            if facts == Facts::All {
                assume_inside(thread.row(), open.rows());
            }
        }
    }
}

// SAFETY: the fact is that the thread's element is in the window; the interior is the slice.
unsafe impl<T: KernelArg> ThreadView for OwnSlice<T> {
    type Raw = RawSlice<T>;
    type Arg = &'static mut [T];
    type Sizes = SliceWindow;
    type Item<'i> = PerThread<'i, [T]>;
    type Open = (&'static mut [T], SliceWindow);

    #[inline(always)]
    unsafe fn window(raw: &RawSlice<T>, chunk: &Chunk<'_>) -> (&'static mut [T], SliceWindow) {
        let owned = &chunk.owned;
        let start = chunk.launch.index(chunk.plane, owned.rows.start, owned.cols.start);
        // Rank 1: the launcher refused rows beyond the first.
        let count = owned.cols.len().min(raw.len.saturating_sub(start));
        let pointer = raw.pointer.wrapping_add(start.min(raw.len));
        // SAFETY: the window's elements are inside and live, and the chunk's alone, as this function asks: in a launch of one
        // dimension no other chunk's threads have these indices.
        let window = unsafe { core::slice::from_raw_parts_mut(pointer, count) };
        (window, SliceWindow { start, owned: count, len: raw.len })
    }

    fn interior(raw: &RawSlice<T>, chunk: &Chunk<'_>) -> Rect {
        below(raw.len, chunk)
    }

    #[inline(always)]
    fn open(arg: &'static mut [T], window: SliceWindow) -> Self::Open {
        (arg, window)
    }

    #[inline(always)]
    unsafe fn item<'i>((window, sizes): &mut Self::Open, thread: Identity<'_>) -> PerThread<'i, [T]> {
        one_after_the_other::<T>();
        // SAFETY: the window is this chunk's own.
        unsafe { PerThread::from_raw(window.as_mut_ptr(), *sizes, thread.launch_id()) }
    }

    #[inline(always)]
    unsafe fn assume((_, sizes): &Self::Open, thread: Identity<'_>, facts: Facts) {
        if facts == Facts::All {
            // SAFETY: the thread is in the interior.
            unsafe {
                assert_unchecked(thread.index() >= sizes.start);
                assert_unchecked(thread.index() < sizes.end());
            }
        }
    }
}

// SAFETY: the facts are that row and column are in the matrix, which is the interior.
unsafe impl<T: KernelArg> ThreadView for OwnMatrix<T> {
    type Raw = RawMatrix<T>;
    type Arg = &'static mut [T];
    type Sizes = MatrixWindow;
    type Item<'i> = PerThread<'i, Matrix<T>>;
    type Open = (&'static mut [T], MatrixWindow);

    #[inline(always)]
    unsafe fn window(raw: &RawMatrix<T>, chunk: &Chunk<'_>) -> (&'static mut [T], MatrixWindow) {
        let RawMatrix { pointer, rows, cols } = *raw;
        let inside = chunk.owned.intersection(&Rect { rows: 0..rows, cols: 0..cols });
        let (row, col) = (inside.rows.start, inside.cols.start);
        let (start, len) = match inside.rows.len() {
            _ if inside.is_empty() => (0, 0),
            1 => (row * cols + col, inside.cols.len()),
            // Whole rows, so the chunk owns all of the matrix's columns that have a thread.
            n => (row * cols + col, (n - 1) * cols + inside.cols.len()),
        };
        // SAFETY: the window's elements are inside and live, and the chunk's alone, as this function asks: in a launch of up to two
        // dimensions no other chunk's threads are at these places.
        let window = unsafe { core::slice::from_raw_parts_mut(pointer.add(start), len) };
        (window, MatrixWindow { row, col, rows, cols })
    }

    fn interior(raw: &RawMatrix<T>, _: &Chunk<'_>) -> Rect {
        Rect { rows: 0..raw.rows, cols: 0..raw.cols }
    }

    #[inline(always)]
    fn open(arg: &'static mut [T], window: MatrixWindow) -> Self::Open {
        (arg, window)
    }

    #[inline(always)]
    unsafe fn item<'i>((window, sizes): &mut Self::Open, thread: Identity<'_>) -> PerThread<'i, Matrix<T>> {
        // SAFETY: the window is this chunk's own.
        unsafe { PerThread::from_raw(window.as_mut_ptr(), *sizes, thread.launch_id()) }
    }

    #[inline(always)]
    unsafe fn assume((_, sizes): &Self::Open, thread: Identity<'_>, facts: Facts) {
        // SAFETY: the thread is in the interior.
        unsafe {
            if facts != Facts::None {
                assert_unchecked(thread.col() < sizes.cols);
            }
            if facts == Facts::All {
                assert_unchecked(thread.row() < sizes.rows);
            }
        }
    }
}

// SAFETY: no facts.
unsafe impl<T: KernelArg> ThreadView for ReadVolume<T> {
    type Raw = RawVolume<T>;
    type Arg = &'static [T];
    type Sizes = [usize; 3];
    type Item<'i> = &'i Volume<T>;
    type Open = Volume<T>;

    #[inline(always)]
    unsafe fn window(raw: &RawVolume<T>, _: &Chunk<'_>) -> (&'static [T], [usize; 3]) {
        let RawVolume { pointer, planes, rows, cols } = *raw;
        // SAFETY: there are so many live elements, which nobody writes until the loop function ends, as this function asks.
        let elements = unsafe { core::slice::from_raw_parts(pointer, planes * rows * cols) };
        (elements, [planes, rows, cols])
    }

    fn interior(_: &RawVolume<T>, _: &Chunk<'_>) -> Rect {
        Rect::ALL
    }

    #[inline(always)]
    fn open(arg: &'static [T], sizes: [usize; 3]) -> Volume<T> {
        // SAFETY: `window` made the slice of as many elements.
        unsafe { Volume::from_raw(arg.as_ptr(), sizes) }
    }

    #[inline(always)]
    unsafe fn item<'i>(open: &mut Volume<T>, _: Identity<'_>) -> &'i Volume<T> {
        let pointer: *const Volume<T> = open;
        // SAFETY: the volume outlives the body's call, which is all that 'i stands for.
        unsafe { &*pointer }
    }

    #[inline(always)]
    unsafe fn assume(_: &Volume<T>, _: Identity<'_>, _: Facts) {}
}

// SAFETY: no facts.
unsafe impl<T: KernelArg> ThreadView for ReadSegments<T> {
    type Raw = RawParts<T>;
    type Arg = RawParts<T>;
    type Sizes = ();
    type Item<'i> = &'i Segments<T>;
    type Open = Segments<T>;

    #[inline(always)]
    unsafe fn window(raw: &RawParts<T>, _: &Chunk<'_>) -> (RawParts<T>, ()) {
        (*raw, ())
    }

    fn interior(_: &RawParts<T>, _: &Chunk<'_>) -> Rect {
        Rect::ALL
    }

    #[inline(always)]
    fn open(raw: RawParts<T>, (): ()) -> Segments<T> {
        // SAFETY: nobody writes the slice or the offsets while the argument lives, as `window` asks; the host saw that the offsets
        // ascend, and end in the slice.
        unsafe { Segments::from_raw(raw.pointer, raw.indices, raw.count) }
    }

    #[inline(always)]
    unsafe fn item<'i>(open: &mut Segments<T>, _: Identity<'_>) -> &'i Segments<T> {
        let pointer: *const Segments<T> = open;
        // SAFETY: the segments outlive the body's call, which is all that 'i stands for.
        unsafe { &*pointer }
    }

    #[inline(always)]
    unsafe fn assume(_: &Segments<T>, _: Identity<'_>, _: Facts) {}
}

// SAFETY: no facts.
unsafe impl<T: AtomicElement> ThreadView for AtomicSlice<T> {
    type Raw = RawSlice<T>;
    type Arg = RawSlice<T>;
    type Sizes = ();
    type Item<'i> = Atomic<'i, [T]>;
    type Open = RawSlice<T>;

    #[inline(always)]
    unsafe fn window(raw: &RawSlice<T>, _: &Chunk<'_>) -> (RawSlice<T>, ()) {
        (*raw, ())
    }

    fn interior(_: &RawSlice<T>, _: &Chunk<'_>) -> Rect {
        Rect::ALL
    }

    #[inline(always)]
    fn open(arg: RawSlice<T>, (): ()) -> RawSlice<T> {
        arg
    }

    #[inline(always)]
    unsafe fn item<'i>(open: &mut RawSlice<T>, _: Identity<'_>) -> Atomic<'i, [T]> {
        // SAFETY: the elements are live, and the launch's threads access them atomically only, as `window` asks.
        unsafe { Atomic::from_raw(open.pointer, open.len) }
    }

    #[inline(always)]
    unsafe fn assume(_: &RawSlice<T>, _: Identity<'_>, _: Facts) {}
}

/// Memory whose elements threads own in places that aren't beside one another: a worker has all of it in its hands, by
/// a pointer, and touches its own threads' elements only.
pub trait Anywhere: OwnShape {
    /// What crosses from the host for the memory.
    type Raw: Copy;

    /// The pointer to all of the memory, and its window.
    fn whole(raw: &Self::Raw, threads: usize) -> (*mut Self::Element, Self::Window);
}

impl<T: KernelArg> Anywhere for [T] {
    type Raw = RawSlice<T>;

    #[inline(always)]
    fn whole(raw: &RawSlice<T>, threads: usize) -> (*mut T, SliceWindow) {
        (raw.pointer, SliceWindow { start: 0, owned: raw.len.min(threads), len: raw.len })
    }
}

impl<T: KernelArg> Anywhere for Matrix<T> {
    type Raw = RawMatrix<T>;

    #[inline(always)]
    fn whole(raw: &RawMatrix<T>, _: usize) -> (*mut T, MatrixWindow) {
        (raw.pointer, MatrixWindow { row: 0, col: 0, rows: raw.rows, cols: raw.cols })
    }
}

impl<T: KernelArg> Anywhere for Volume<T> {
    type Raw = RawVolume<T>;

    #[inline(always)]
    fn whole(raw: &RawVolume<T>, _: usize) -> (*mut T, VolumeWindow) {
        (raw.pointer, VolumeWindow { planes: raw.planes, rows: raw.rows, cols: raw.cols })
    }
}

impl<T: KernelArg> Anywhere for Segments<T> {
    type Raw = RawParts<T>;

    #[inline(always)]
    fn whole(raw: &RawParts<T>, _: usize) -> (*mut T, PartsWindow) {
        (raw.pointer, PartsWindow { indices: raw.indices, count: raw.count })
    }
}

impl<T: KernelArg> Anywhere for Scattered<T> {
    type Raw = RawParts<T>;

    #[inline(always)]
    fn whole(raw: &RawParts<T>, _: usize) -> (*mut T, PartsWindow) {
        (raw.pointer, PartsWindow { indices: raw.indices, count: raw.count })
    }
}

// SAFETY: no facts.
unsafe impl<S: ?Sized + Anywhere + 'static, M: OwnMap<S> + 'static> ThreadView for OwnAnywhere<S, M> {
    type Raw = S::Raw;
    type Arg = *mut S::Element;
    type Sizes = S::Window;
    type Item<'i> = PerThread<'i, S, M>;
    type Open = (*mut S::Element, S::Window);

    #[inline(always)]
    unsafe fn window(raw: &S::Raw, chunk: &Chunk<'_>) -> (*mut S::Element, S::Window) {
        S::whole(raw, chunk.launch.geometry.threads[0])
    }

    fn interior(_: &S::Raw, _: &Chunk<'_>) -> Rect {
        Rect::ALL
    }

    #[inline(always)]
    fn open(arg: *mut S::Element, window: S::Window) -> Self::Open {
        (arg, window)
    }

    #[inline(always)]
    unsafe fn item<'i>((pointer, window): &mut Self::Open, thread: Identity<'_>) -> PerThread<'i, S, M> {
        // SAFETY: it gives this chunk's threads their own elements only.
        unsafe { PerThread::from_raw(*pointer, *window, thread.launch_id()) }
    }

    #[inline(always)]
    unsafe fn assume(_: &Self::Open, _: Identity<'_>, _: Facts) {}
}

/// The least bytes of an element that threads own whose threads run one after the other. To take larger ones apart costs vectors more
/// than they save; inside such an element the compiler still finds vectors.
const APART: usize = 32;

/// Keeps a loop over threads from being vectorised where each owns a large element.
#[inline(always)]
fn one_after_the_other<T>() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if const { size_of::<T>() >= APART } {
        // SAFETY: there is no instruction in it.
        unsafe { core::arch::asm!("", options(nomem, nostack, preserves_flags)) };
    }
}

/// The threads whose index is below `len`, as far as they make a rectangle: a part of a row, or rows.
fn below(len: usize, chunk: &Chunk<'_>) -> Rect {
    let first = chunk.launch.index(chunk.plane, chunk.owned.rows.start, 0);
    let left = len.saturating_sub(first);
    let cols = chunk.launch.geometry.threads[0];
    if chunk.owned.rows.len() == 1 {
        Rect { rows: chunk.owned.rows.clone(), cols: 0..left }
    } else {
        let start = chunk.owned.rows.start;
        Rect { rows: start..start + left / cols, cols: 0..cols }
    }
}

/// States that `at` and its neighbours within the halo are below `n`, in the forms that bodies test.
///
/// # Safety
/// `HALO <= at < n - HALO`.
#[inline(always)]
unsafe fn assume_inside(at: usize, n: usize) {
    // SAFETY: `at` is at least `HALO`, and below `n - HALO`, as this function asks; each of the four follows.
    unsafe {
        assert_unchecked(at >= HALO);
        assert_unchecked(at < n);
        assert_unchecked(at + HALO < n);
        assert_unchecked(at.wrapping_sub(HALO) < n);
    }
}
