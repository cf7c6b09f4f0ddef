//! Parameters of the numbers and pointers that an entry is called with. What is owned comes as `NonNull`,
//! which spares `get_mut` a test: an empty buffer has an address too.

use core::hint::assert_unchecked;
use core::ptr::NonNull;

use gridwright_core::{
    CHUNK_BYTES, CHUNKS, COLLECTIVE_BYTES, KernelArg, MOST_VALUE_BYTES, RawMatrix, RawParts, RawPlaced,
    Texel, WORD_BYTES, WORDS,
};

use super::{Last, LaunchId, SurfaceArgument, Texels, TexelsArgument};
use crate::arch::hardware::{self, WholeValue};
use crate::atomic::AtomicElement;
use crate::per_group::{GroupMap, GroupWindow, OriginMap};
use crate::per_thread::{MatrixWindow, OwnMap, OwnShape, SliceWindow, VolumeWindow};
use crate::placed::{GroupAt, PlacedTiles, Placement};
use crate::segments::PartsWindow;
use crate::texture::{Dimension, Surface, Texture};
use crate::{Atomic, Matrix, Memory, PerGroup, PerThread, Segments, Volume};

/// Says how elements lie that are arrays or structs of smaller numbers: each at a multiple of the largest power of two, up to 16, that
/// divides its size, so that one instruction can read or write all of it.
///
/// # Safety
/// The pointer is an argument of a launch, of elements of this type. The host's memory begins at a multiple of `MOST_ALIGNMENT`, memory
/// without elements too, and its parts at whole elements.
#[inline(always)]
unsafe fn lies_whole<T>(pointer: *const T) {
    let whole = const {
        // Of no bytes it is none.
        let power = 1_usize.unbounded_shl(size_of::<T>().trailing_zeros());
        if power < 16 { power } else { 16 }
    };
    if whole > align_of::<T>() {
        // SAFETY: the elements begin at a multiple of 64, or so many elements behind it, as this function asks.
        unsafe { assert_unchecked(pointer.addr().is_multiple_of(whole)) };
    }
}

/// A slice to read. The pointer is a reference so that the compiler may use read-only loads.
///
/// # Safety
/// `pointer` is the first of `len` elements that nobody writes while the kernel runs.
#[inline(always)]
pub unsafe fn read_slice<'k, T>(pointer: &'k [T; 0], len: usize) -> &'k [T] {
    // SAFETY: `pointer` is the first of `len` elements, which nobody writes while the kernel runs, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        core::slice::from_raw_parts(pointer.as_ptr(), len)
    }
}

/// A matrix to read.
///
/// # Safety
/// `pointer` is the first of `rows * cols` elements that nobody writes while the kernel runs.
#[inline(always)]
pub unsafe fn read_matrix<T>(pointer: &[T; 0], rows: u32, cols: u32) -> Matrix<T> {
    // SAFETY: `pointer` is the first of as many elements, which nobody writes while the kernel runs, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        Matrix::from_raw(pointer.as_ptr(), rows as usize, cols as usize)
    }
}

/// A slice of which the thread owns an element.
///
/// # Safety
/// `pointer` is the first of `len` elements that only this launch's threads access, each its own, in a
/// launch of one dimension; `owned` is the less of `len` and the launch's threads. It is in the width of the
/// index, so that comparing them takes one instruction.
#[inline(always)]
pub unsafe fn own_slice<'k, T: KernelArg, M: OwnMap<[T]>, L: Last>(
    pointer: NonNull<T>,
    len: usize,
    owned: L,
) -> PerThread<'k, [T], M> {
    let owned = owned.widen();
    // SAFETY: only this launch's threads access the elements, each its own, and `owned` is at most `len`, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        assert_unchecked(owned <= len);
        PerThread::from_raw(pointer.as_ptr(), SliceWindow { start: 0, owned, len }, LaunchId)
    }
}

/// A matrix of which the thread owns an element.
///
/// # Safety
/// `pointer` is the first of `rows * cols` elements that only this launch's threads access, each its own,
/// in a launch of up to two dimensions; the owners are the less of what the map says and the launch's threads, along each axis.
#[inline(always)]
pub unsafe fn own_matrix<'k, T: KernelArg, M: OwnMap<Matrix<T>>>(
    pointer: NonNull<T>,
    rows: u32,
    cols: u32,
    owners_x: u32,
    owners_y: u32,
) -> PerThread<'k, Matrix<T>, M> {
    let window = MatrixWindow { row: 0, col: 0, rows: rows as usize, cols: cols as usize };
    let [most_x, most_y, _] = M::owners(&window);
    // SAFETY: the window's elements are there, and only this launch's threads access them, each its own; the owners are at most those
    // of the map, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        assert_unchecked(owners_x as usize <= most_x);
        assert_unchecked(owners_y as usize <= most_y);
        PerThread::from_raw(pointer.as_ptr(), window, LaunchId)
    }
}

/// A volume to read.
///
/// # Safety
/// `pointer` is the first of `planes * rows * cols` elements that nobody writes while the kernel runs.
#[inline(always)]
pub unsafe fn read_volume<T>(pointer: &[T; 0], planes: u32, rows: u32, cols: u32) -> Volume<T> {
    // SAFETY: `pointer` is the first of as many elements, which nobody writes while the kernel runs, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        Volume::from_raw(pointer.as_ptr(), [planes, rows, cols].map(|size| size as usize))
    }
}

/// A volume of which the thread owns an element.
///
/// # Safety
/// `pointer` is the first of `planes * rows * cols` elements that only this launch's threads access, each its own; the owners are
/// the less of what the map says and the launch's threads, along each axis.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // as the entry has them
pub unsafe fn own_volume<'k, T: KernelArg, M: OwnMap<Volume<T>>>(
    pointer: NonNull<T>,
    planes: u32,
    rows: u32,
    cols: u32,
    owners_x: u32,
    owners_y: u32,
    owners_z: u32,
) -> PerThread<'k, Volume<T>, M> {
    let [planes, rows, cols] = [planes, rows, cols].map(|size| size as usize);
    let window = VolumeWindow { planes, rows, cols };
    let [most_x, most_y, most_z] = M::owners(&window);
    // SAFETY: the window's elements are there, and only this launch's threads access them, each its own; the owners are at most those
    // of the map, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        assert_unchecked(owners_x as usize <= most_x);
        assert_unchecked(owners_y as usize <= most_y);
        assert_unchecked(owners_z as usize <= most_z);
        PerThread::from_raw(pointer.as_ptr(), window, LaunchId)
    }
}

/// A slice of which the group owns an element.
///
/// # Safety
/// `pointer` is the first of `len` elements that only this launch's groups access, each its own; `group` is this one's
/// index.
#[inline(always)]
pub unsafe fn per_group<'k, T: KernelArg>(
    pointer: NonNull<T>,
    len: usize,
    group: usize,
) -> PerGroup<'k, [T]> {
    // SAFETY: the window's elements are there, and only this launch's groups access them, each its own, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        PerGroup::from_raw(pointer.as_ptr(), GroupWindow { group, len }, LaunchId)
    }
}

/// A matrix of which the group owns the tile that its threads cover.
///
/// # Safety
/// `pointer` is the first of `rows * cols` elements that only this launch's groups access, each its own, in a launch of
/// up to two dimensions.
#[inline(always)]
pub unsafe fn per_group_matrix<'k, T: KernelArg>(
    pointer: NonNull<T>,
    rows: u32,
    cols: u32,
) -> PerGroup<'k, Matrix<T>> {
    let window = MatrixWindow { row: 0, col: 0, rows: rows as usize, cols: cols as usize };
    // SAFETY: the window's elements are there, and only this launch's groups access them, each its own, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        PerGroup::from_raw(pointer.as_ptr(), window, LaunchId)
    }
}

/// A matrix of which the group owns a tile, by a map.
///
/// # Safety
/// As for `per_group_matrix`.
#[inline(always)]
pub unsafe fn per_group_tiles<'k, T: KernelArg, M: OriginMap + GroupMap<Matrix<T>, Place = ()>>(
    pointer: NonNull<T>,
    rows: u32,
    cols: u32,
) -> PerGroup<'k, Matrix<T>, M> {
    let [across, down, _] = hardware::groups_in_grid().map(|groups| groups as usize);
    let [row, col] = M::origin(hardware::group_in_grid().map(|at| at as usize), [across, down]);
    let window = MatrixWindow { row, col, rows: rows as usize, cols: cols as usize };
    // SAFETY: the matrix is there, and only this launch's groups access it, each its own tile, as this function asks.
    unsafe {
        lies_whole(pointer.as_ptr());
        PerGroup::from_raw(pointer.as_ptr(), window, LaunchId)
    }
}

/// A matrix of which the group owns a tile, where the launch says.
///
/// # Safety
/// As for `per_group_matrix`; `numbers` is the first of `count` numbers, all different, and `group` is this group's index.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // as the entry has them
pub unsafe fn per_group_placed<'k, T, const ROWS: usize, const COLS: usize, P>(
    pointer: NonNull<T>,
    rows: u32,
    cols: u32,
    row: u32,
    col: u32,
    numbers: &[u32; 0],
    count: usize,
    group: usize,
) -> PerGroup<'k, Matrix<T>, PlacedTiles<ROWS, COLS, P>>
where
    T: KernelArg,
    P: Placement,
{
    let matrix = RawMatrix { pointer: pointer.as_ptr(), rows: rows as usize, cols: cols as usize };
    let (row, col, numbers) = (row as usize, col as usize, numbers.as_ptr());
    let [x, y, _] = hardware::group_in_grid().map(|at| at as usize);
    let at = GroupAt { index: group, col: x, row: y };
    // SAFETY: the matrix is there, the numbers differ, and only this launch's groups access it, each its own tile, as this function
    // asks.
    unsafe {
        PerGroup::<Matrix<T>, PlacedTiles<ROWS, COLS, P>>::of_group(
            &RawPlaced { matrix, row, col, numbers, count },
            at,
            LaunchId,
        )
    }
}

/// Segments to read.
///
/// # Safety
/// `pointer` is the first of `len` elements, and `offsets` of one offset more than there are segments, if there are any: each is no
/// less than the one before, and no more than `len`. Nobody writes either while the kernel runs.
#[inline(always)]
pub unsafe fn read_segments<T>(pointer: &[T; 0], _: usize, offsets: &[u32; 0], count: usize) -> Segments<T> {
    // SAFETY: nobody writes the elements or the offsets, of which none is less than the one before or more than `len`, as this
    // function asks.
    unsafe { Segments::from_raw(pointer.as_ptr(), offsets.as_ptr(), count) }
}

/// A slice of which the thread owns what a list says: its own segment, or the element at an index.
///
/// # Safety
/// `pointer` is the first of `len` elements that only this launch's threads access, each its own, in a launch of one dimension.
/// The list is as the shape wants it.
#[inline(always)]
pub unsafe fn own_parts<'k, S: OwnShape<Window = PartsWindow>>(
    pointer: NonNull<S::Element>,
    _: usize,
    indices: &[u32; 0],
    count: usize,
) -> PerThread<'k, S> {
    // SAFETY: each element is one thread's of this launch at most, and the list is as the shape wants it, as this function asks.
    unsafe {
        PerThread::from_raw(pointer.as_ptr(), PartsWindow { indices: indices.as_ptr(), count }, LaunchId)
    }
}

/// Segments of which the group owns the one with its index.
///
/// # Safety
/// As for `read_segments`, but that groups write, each its own.
#[inline(always)]
pub unsafe fn per_group_segments<'k, T: KernelArg>(
    pointer: NonNull<T>,
    len: usize,
    offsets: &[u32; 0],
    count: usize,
    group: usize,
) -> PerGroup<'k, Segments<T>> {
    let raw = RawParts { pointer: pointer.as_ptr(), len, indices: offsets.as_ptr(), count };
    // SAFETY: the offsets are of segments inside, and only this launch's groups access those, each its own, as this function asks.
    unsafe { PerGroup::<Segments<T>>::of_group(&raw, group, LaunchId) }
}

/// A slice that every thread updates.
///
/// # Safety
/// `pointer` is the first of `len` elements that are accessed atomically only while the kernel runs.
#[inline(always)]
pub unsafe fn atomic<'k, T: AtomicElement>(pointer: NonNull<T>, len: usize) -> Atomic<'k, [T]> {
    // SAFETY: `pointer` is the first of `len` elements, which are accessed atomically only, as this function asks.
    unsafe { Atomic::from_raw(pointer.as_ptr(), len) }
}

/// A texture. Which it is, the body says.
///
/// # Safety
/// The texels, or the driver's objects, are of a texture of these sizes, sampled so, that nobody writes while the kernel runs.
#[inline(always)]
pub unsafe fn texture<T: Texel, D: Dimension>(
    texels: TexelsArgument<'_>,
    fetched: u64,
    width: u32,
    height: u32,
    depth: u32,
    sampling: u32,
) -> Texture<T, D> {
    // SAFETY: the texels are of a texture of these sizes, sampled so, which nobody writes meanwhile, as this function asks.
    unsafe { Texture::new(Texels::of_argument(texels, fetched), [width, height, depth], sampling) }
}

/// A surface, of which the thread owns a texel. Which it is, the body says.
///
/// # Safety
/// The texels, or the driver's object, are of a texture of these sizes that only this launch's threads access, each its own, in a
/// launch of the surface's dimensions.
#[inline(always)]
pub unsafe fn surface<'k, T: Texel, D: Dimension>(
    texels: SurfaceArgument,
    _: u64,
    width: u32,
    height: u32,
    depth: u32,
    _: u32,
) -> Surface<'k, T, D> {
    // SAFETY: the texels are of a texture of these sizes, and each is one thread's of this launch at most, as this function asks.
    unsafe { Surface::new(Texels::of_surface(texels), [width, height, depth], LaunchId) }
}

/// The group's memory behind what collectives use.
///
/// # Safety
/// In a kernel's entry, once; the launch gave the group what its parameters take.
#[inline(always)]
pub unsafe fn memory<'k>() -> Memory<'k> {
    // SAFETY: the launch gave this group what its parameters take, and nobody else gets it, as this function asks; it begins at a
    // multiple of 16 bytes, as collectives' bytes do and end.
    unsafe { Memory::new(hardware::workgroup_memory().wrapping_add(COLLECTIVE_BYTES), &[]) }
}

/// A value, of what its entry has of it: the whole, or chunks and words, which others of no bytes fill up.
#[inline(always)]
pub fn value<T: KernelArg>(
    whole: WholeValue<T>,
    chunks: impl FnOnce() -> [[u64; CHUNK_BYTES / WORD_BYTES]; CHUNKS],
    words: [u64; WORDS],
) -> T {
    const {
        assert!(
            size_of::<T>() <= MOST_VALUE_BYTES,
            "an argument by value has less than 4 KiB: put it into a buffer"
        )
    };
    hardware::value(whole, chunks, words)
}

/// A word of a value, or a zero for none.
#[inline(always)]
pub fn word(word: impl GivenWord) -> u64 {
    word.get()
}

/// The words of a chunk of a value, or zeros for none.
#[inline(always)]
pub fn chunk(chunk: impl GivenChunk) -> [u64; CHUNK_BYTES / WORD_BYTES] {
    chunk.get()
}

/// What an entry declares for a word of a value.
pub trait GivenWord {
    /// The word.
    fn get(self) -> u64;
}

/// What an entry declares for a chunk of a value.
pub trait GivenChunk {
    /// Its words.
    fn get(self) -> [u64; CHUNK_BYTES / WORD_BYTES];
}

impl GivenWord for u64 {
    #[inline(always)]
    fn get(self) -> u64 {
        self
    }
}

impl GivenWord for () {
    #[inline(always)]
    fn get(self) -> u64 {
        0
    }
}

impl GivenChunk for () {
    #[inline(always)]
    fn get(self) -> [u64; CHUNK_BYTES / WORD_BYTES] {
        [0; _]
    }
}
