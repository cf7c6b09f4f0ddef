//! Tiles: the elements that a group has at a time, several neighbours for each thread. They are read and written side by side by
//! neighbouring threads, and change places in workgroup memory.

use core::marker::PhantomData;

use gridwright::ownership::Anywhere;
use gridwright::prelude::*;

use super::maybe::{Found, Maybe};
use crate::source::Fused;

/// Threads of a group.
pub(crate) const BLOCK: usize = 256;
/// The most elements of a thread.
pub(crate) const MOST_ITEMS: usize = 16;
/// Bytes of a thread's elements, if they are small.
const ROW: usize = 64;
/// Bytes between rows that would begin in the same banks.
const PADDING: usize = 16;
/// The most warps of a group: those of 32 lanes.
pub(crate) const WARPS: usize = BLOCK / 32;
/// Slots of a group: one for each warp, and one for all.
const SLOTS: usize = WARPS + 1;
/// Words of a group's rows.
const ROWS_WORDS: usize = BLOCK * (ROW + PADDING) / 4;
/// Bytes of a group's rows.
pub(crate) const ROWS_BYTES: usize = 4 * ROWS_WORDS;
/// Words of what warps find, and of what is before them: a value and a flag for each.
const FOUND_WORDS: usize = 2 * (SLOTS * ROW / 4 + SLOTS.next_multiple_of(4));
/// Words of a group's memory.
pub(crate) const WORDS: usize = ROWS_WORDS + FOUND_WORDS;

/// Elements of so many bytes that a warp writes together, in whole sectors: what is written from any place on begins in front of it, at a
/// multiple of these.
pub(crate) const ALIGNED: usize = 32;

/// Elements of a thread.
pub(crate) const fn items_of<T>() -> usize {
    match size_of::<T>() {
        0..=4 => MOST_ITEMS,
        // Elements of workgroup memory are aligned to 16 bytes at most.
        5..=ROW if align_of::<T>() <= 16 => ROW / size_of::<T>(),
        _ => 1,
    }
}

/// Elements of a tile.
pub(crate) const fn tile_of<T>() -> usize {
    BLOCK * items_of::<T>()
}

/// The elements of a thread, of which the first [`items_of`] are used.
pub(crate) type Items<T> = [T; MOST_ITEMS];

/// A group's memory, of which threads write and read any parts; barriers between them are the kernel's. A thread has as many elements as it
/// would have of `L`, which are no smaller.
#[derive(Debug)]
pub(crate) struct Board<T, L = T> {
    first: *mut u8,
    _elements: PhantomData<fn() -> (T, L)>,
}

impl<T, L> Clone for Board<T, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, L> Copy for Board<T, L> {}

// SAFETY: each access is `unsafe`: its caller says that no other thread is in its way.
unsafe impl<T: Send, L> Send for Board<T, L> {}
// SAFETY: each access is `unsafe`: its caller says that no other thread is in its way.
unsafe impl<T: Send, L> Sync for Board<T, L> {}

/// A barrier of the group. What threads wrote to its memory is seen behind it.
#[inline(always)]
pub(crate) fn barrier<S: GroupShape>(g: &Group<'_, S>, memory: &mut Workgroup<'_, [u32; WORDS]>) {
    g.each(memory.atomic(), |_, _| {});
}

/// Four words, which a GPU reads and writes at once.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Quad([u32; 4]);

impl<T: Copy, L> Board<T, L> {
    const ITEMS: usize = items_of::<L>();
    /// Whether rows are padded. Those that are have a number of elements that divides the threads.
    const IS_PADDED: bool =
        (Self::ITEMS * size_of::<T>()).is_multiple_of(32) && BLOCK.is_multiple_of(Self::ITEMS);
    /// From the row of a thread to that of the next.
    const STRIDE: usize = Self::ITEMS * size_of::<T>() + if Self::IS_PADDED { PADDING } else { 0 };
    /// Whether rows are read and written by fours of words.
    const IS_OF_QUADS: bool = Self::ITEMS * size_of::<T>() == ROW && Self::STRIDE.is_multiple_of(16);
    /// Whether there is room for all rows.
    const HAS_ROWS: bool = Self::ITEMS > 1;

    #[inline(always)]
    pub(crate) fn new(memory: &mut Workgroup<'_, [u32; WORDS]>) -> Self {
        const { assert!(!Self::HAS_ROWS || BLOCK * Self::STRIDE <= ROWS_BYTES) };
        Self { first: memory.as_mut_ptr().cast(), _elements: PhantomData }
    }

    /// The place of a thread's element, if there is room for rows.
    #[inline(always)]
    fn place(self, row: usize, item: usize) -> *mut T {
        self.first.wrapping_add(row * Self::STRIDE + item * size_of::<T>()).cast()
    }

    /// The place of the tile's element `item * BLOCK + thread`.
    #[inline(always)]
    fn striped(self, thread: usize, item: usize) -> *mut T {
        if Self::IS_PADDED {
            let row = item * (BLOCK / Self::ITEMS) + thread / Self::ITEMS;
            self.place(row, thread % Self::ITEMS)
        } else {
            self.place(0, item * BLOCK + thread)
        }
    }

    /// The last element of a thread's row.
    ///
    /// # Safety
    /// It was written before the last barrier, and nobody writes it before the next.
    #[inline(always)]
    unsafe fn last_of_row(self, thread: usize) -> T {
        // SAFETY: a place of the tile, as the caller says.
        unsafe { self.place(thread, Self::ITEMS - 1).read() }
    }

    /// Element `i` of a row of all elements, as [`set`](Self::set) wrote it.
    ///
    /// # Safety
    /// It was written before the last barrier, and nobody writes it before the next.
    #[inline(always)]
    pub(crate) unsafe fn get(self, i: usize) -> T {
        // SAFETY: a place of the tile, as the caller says.
        unsafe { self.first.cast::<T>().wrapping_add(i).read() }
    }

    /// Writes element `i` of a row of all elements.
    ///
    /// # Safety
    /// The tile has as many, and nobody else writes or reads any of it between the barriers around this.
    #[inline(always)]
    pub(crate) unsafe fn set(self, i: usize, value: T) {
        // SAFETY: a place of the tile, as the caller says.
        unsafe { self.first.cast::<T>().wrapping_add(i).write(value) };
    }

    /// Puts the elements from `from` to `to` at places of as many numbers from `start` on. Warps begin at a multiple of [`ALIGNED`].
    ///
    /// # Safety
    /// As for [`get`](Self::get), of each of them.
    #[inline(always)]
    pub(crate) unsafe fn put_all(
        self,
        t: Thread<'_>,
        start: usize,
        from: usize,
        to: usize,
        put: impl Fn(Thread<'_>, usize, T),
    ) {
        let shift = start.wrapping_add(from) % ALIGNED;
        let mut i = (from + t.local().x).wrapping_sub(shift);
        for _ in 0..(to - from + shift).div_ceil(BLOCK) {
            if i >= from && i < to {
                // SAFETY: as the caller says.
                put(t, start.wrapping_add(i), unsafe { self.get(i) });
            }
            i = i.wrapping_add(BLOCK);
        }
    }

    /// The elements of a thread's row.
    ///
    /// # Safety
    /// As for [`last_of_row`](Self::last_of_row), of the whole row.
    #[inline(always)]
    unsafe fn row(self, thread: usize) -> Items<T> {
        if Self::IS_OF_QUADS {
            // SAFETY: so many quads are in a row, and a row is as many elements, of which each was written.
            return unsafe {
                let quads: [Quad; ROW / 16] = self.place(thread, 0).cast::<[Quad; ROW / 16]>().read();
                let elements = (&raw const quads).cast::<T>();
                core::array::from_fn(|item| elements.add(item.min(Self::ITEMS - 1)).read())
            };
        }
        // SAFETY: as the caller says.
        core::array::from_fn(|item| unsafe { self.place(thread, item.min(Self::ITEMS - 1)).read() })
    }

    /// Writes the elements of a thread's row.
    ///
    /// # Safety
    /// As for [`set`](Self::set), of the whole row.
    #[inline(always)]
    unsafe fn set_row(self, thread: usize, items: &Items<T>) {
        if Self::IS_OF_QUADS {
            let mut quads = [Quad([0; 4]); ROW / 16];
            let elements = (&raw mut quads).cast::<T>();
            // SAFETY: so many quads are in a row, and a row is as many elements.
            unsafe {
                for (item, &value) in items.iter().enumerate().take(Self::ITEMS) {
                    elements.add(item).write(value);
                }
                self.place(thread, 0).cast::<[Quad; ROW / 16]>().write(quads);
            }
            return;
        }
        for (item, &value) in items.iter().enumerate().take(Self::ITEMS) {
            // SAFETY: as the caller says.
            unsafe { self.place(thread, item).write(value) };
        }
    }
}

/// The tile of `count` elements from `first` on: each thread gets its neighbours. Beyond the count they are any of the tile's.
///
/// # Safety
/// The input has them, at least one, and nobody reads the group's memory before the last barrier only.
#[inline(always)]
pub(crate) unsafe fn load<'g, S: Fused<Item: Send + Sync>, G: GroupShape>(
    g: &Group<'g, G>,
    memory: &mut Workgroup<'_, [u32; WORDS]>,
    source: S,
    first: usize,
    count: usize,
    (a, b, c): (&[S::A], &[S::B], &[S::C]),
) -> Private<'g, Items<S::Item>> {
    // SAFETY: below the count, as the caller says.
    let at = move |i: usize| unsafe { source.at(first + if i < count { i } else { 0 }, a, b, c) };
    if const { items_of::<S::Item>() == 1 } {
        return g.map((), |t, ()| [at(t.local().x); MOST_ITEMS]);
    }
    let is_whole = count == tile_of::<S::Item>();
    let board = Board::<S::Item>::new(memory);
    g.each(memory.atomic(), |t, _| {
        let thread = t.local().x;
        let number = |item: usize| item.min(items_of::<S::Item>() - 1) * BLOCK + thread;
        let items: Items<S::Item> = if is_whole {
            // SAFETY: a whole tile's elements.
            core::array::from_fn(|item| unsafe { source.at(first + number(item), a, b, c) })
        } else {
            // Not by choosing the place: the compiler would make one load of both, with an address for each element of whole tiles too.
            let any = at(0);
            core::array::from_fn(|item| if number(item) < count { at(number(item)) } else { any })
        };
        for item in 0..items_of::<S::Item>() {
            // SAFETY: each element of the tile is one thread's.
            unsafe { board.striped(thread, item).write(items[item]) };
        }
    });
    // SAFETY: all elements were written before the barrier.
    g.map((), |t, ()| unsafe { board.row(t.local().x) })
}

/// For each thread the element before its first one; for the input's first element itself.
///
/// # Safety
/// As for [`load`], which came before, and nobody wrote the group's memory since.
#[inline(always)]
pub(crate) unsafe fn load_before<'g, S: Fused<Item: Send + Sync>, G: GroupShape>(
    g: &Group<'g, G>,
    memory: &mut Workgroup<'_, [u32; WORDS]>,
    source: S,
    first: usize,
    count: usize,
    (a, b, c): (&[S::A], &[S::B], &[S::C]),
) -> Private<'g, S::Item> {
    let board = Board::<S::Item>::new(memory);
    g.map((), |t, ()| {
        let thread = t.local().x;
        // SAFETY: below the count, as the caller says.
        let at = |i: usize| unsafe { source.at((first + i).max(1) - 1, a, b, c) };
        if const { items_of::<S::Item>() == 1 } {
            return at(thread.min(count - 1));
        }
        // SAFETY: all elements were written before the barrier. The first thread reads its own row, so that the compiler doesn't make one read of
        // both memories.
        let before = unsafe { board.last_of_row(thread.max(1) - 1) };
        if thread == 0 { at(0) } else { before }
    })
}

/// Writes a tile of `count` elements from `first` on, of which each thread has as many as it would have of `L`.
///
/// # Safety
/// The memory has them, and this group alone writes them. No thread reads what others wrote to the group's rows since the last barrier.
#[inline(always)]
pub(crate) unsafe fn store<L, T: KernelArg, G: GroupShape>(
    g: &Group<'_, G>,
    memory: &mut Workgroup<'_, [u32; WORDS]>,
    items: &Private<'_, Items<T>>,
    first: usize,
    count: usize,
    out: Anywhere<'_, T>,
) {
    if const { items_of::<L>() == 1 } {
        g.each(items, |t, items| {
            if t.local().x < count {
                // SAFETY: below the count.
                unsafe { out.set_unchecked(t, first + t.local().x, items[0]) };
            }
        });
        return;
    }
    let board = Board::<T, L>::new(memory);
    g.each((items, memory.atomic()), |t, (items, _)| {
        // SAFETY: a row is its thread's.
        unsafe { board.set_row(t.local().x, items) };
    });
    g.each((), |t, ()| {
        let thread = t.local().x;
        // SAFETY: all elements were written before the barrier.
        let put = |item: usize| unsafe {
            out.set_unchecked(t, first + item * BLOCK + thread, board.striped(thread, item).read());
        };
        if count == tile_of::<L>() {
            (0..items_of::<L>()).for_each(put);
        } else {
            (0..items_of::<L>()).filter(|item| item * BLOCK + thread < count).for_each(put);
        }
    });
}

/// A value for each of a group's warps and one for all, or none: in front of the rows if these aren't used, or behind them. There are two of these: of what
/// warps find, and of what is before them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots<T> {
    values: *mut u8,
    /// Whether there are values.
    flags: *mut u32,
    _values: PhantomData<T>,
}

// SAFETY: each access is `unsafe`: its caller says that no other thread is in its way.
unsafe impl<T: Send> Send for Slots<T> {}
// SAFETY: each access is `unsafe`: its caller says that no other thread is in its way.
unsafe impl<T: Send> Sync for Slots<T> {}

impl<T: KernelArg> Slots<T> {
    /// Bytes of one of the two. Each part of it begins at a multiple of 16.
    const BYTES: usize = (SLOTS * size_of::<T>()).next_multiple_of(16) + SLOTS.next_multiple_of(4) * 4;
    /// Whether they are behind the rows.
    pub(crate) const IS_BEHIND: bool = 2 * Self::BYTES <= 4 * FOUND_WORDS;

    /// The first slots, or the second ones.
    #[inline(always)]
    pub(crate) fn new(memory: &mut Workgroup<'_, [u32; WORDS]>, is_second: bool) -> Self {
        const { assert!(Self::IS_BEHIND || !Board::<T>::HAS_ROWS && 2 * Self::BYTES <= ROWS_BYTES) };
        let first: *mut u8 = memory.as_mut_ptr().cast();
        let start = if Self::IS_BEHIND { ROWS_BYTES } else { 0 };
        let first = first.wrapping_add(start + if is_second { Self::BYTES } else { 0 });
        let flags = first.wrapping_add((SLOTS * size_of::<T>()).next_multiple_of(16)).cast();
        Self { values: first, flags, _values: PhantomData }
    }

    #[inline(always)]
    fn place(self, warp: usize) -> *mut T {
        self.values.cast::<T>().wrapping_add(warp)
    }

    /// What a warp has, as [`set`](Self::set) put it there.
    ///
    /// # Safety
    /// There is such a warp, its slot was written before the last barrier, and nobody writes it before the next.
    #[inline(always)]
    pub(crate) unsafe fn get<V: Found<T>>(self, warp: usize) -> V {
        // SAFETY: there is room for both; any bytes are a value.
        unsafe {
            let place = self.place(warp);
            // Workgroup memory is aligned to 16 bytes.
            let value = if align_of::<T>() <= 16 { place.read() } else { place.read_unaligned() };
            let is_there = V::IS_THERE || self.flags.wrapping_add(warp).read() != 0;
            V::of(if is_there { Maybe::some(value) } else { Maybe::none() })
        }
    }

    /// Writes what a warp has.
    ///
    /// # Safety
    /// There is such a warp, and nobody else writes or reads its slot between the barriers around this.
    #[inline(always)]
    pub(crate) unsafe fn set<V: Found<T>>(self, warp: usize, value: V) {
        let maybe = value.maybe();
        let place = self.place(warp);
        // SAFETY: there is room for both.
        unsafe {
            if align_of::<T>() <= 16 {
                place.write(maybe.any());
            } else {
                place.write_unaligned(maybe.any());
            }
            if !V::IS_THERE {
                self.flags.wrapping_add(warp).write(u32::from(maybe.get().is_some()));
            }
        }
    }
}
