//! What fills workgroup memory, one value or a copy, in which all threads take part, neighbours side by side.

use bytemuck::Zeroable as _;
use gridwright_core::KernelArg;

use super::group_context::{GroupContext, GroupShape};
use super::read;
use crate::Matrix;
use crate::block::Block;

/// # Safety
/// Only this group accesses the elements.
#[inline(always)]
pub(crate) unsafe fn fill<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    to: *mut [T],
    value: T,
) {
    let mut at = context.number() as usize;
    while at < to.len() {
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes its own, all of them inside.
        unsafe { to.cast::<T>().add(at).write(value) };
        at += context.threads();
    }
}

/// # Safety
/// `to` is the first of `M` rows of `N` elements that only this group accesses.
#[inline(always)]
pub(crate) unsafe fn fill_with<S: GroupShape, T: KernelArg, const N: usize, const M: usize>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    value: impl Fn(usize, usize) -> T,
) {
    let mut at = context.number() as usize;
    while at < N * M {
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes its own, all of them inside.
        unsafe { to.add(at).write(value(at / N, at % N)) };
        at += context.threads();
    }
}

/// # Safety
/// `to` is the first of `len` elements that only this group accesses.
#[inline(always)]
pub(crate) unsafe fn load<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    len: usize,
    from: &[T],
    start: usize,
) {
    // Not by `Option`s of references: a null pointer would be looked for.
    let get = |at: usize| {
        let from_at = start.wrapping_add(at);
        if from_at < from.len() { from[from_at] } else { T::zeroed() }
    };
    // SAFETY: only this group accesses the elements, as this function asks; each thread writes its own, all of them inside.
    let put = |at: usize, value: T| unsafe { to.add(at).write(value) };
    let (mut at, threads) = (context.number() as usize, context.threads());
    // Two times as many turns, of which LLVM sees that there aren't more, it makes one after the other. Of a block that isn't known
    // the number would take a division.
    let turns = TURNS as usize * threads;
    let whole = if takes_turns::<S, T>() && len > 2 * turns { len / turns * turns } else { 0 };
    while at < whole {
        let values = [0, 1, 2, 3].map(|turn| get(at + turn * threads));
        put(at, values[0]);
        put(at + threads, values[1]);
        put(at + 2 * threads, values[2]);
        put(at + 3 * threads, values[3]);
        at += turns;
    }
    while at < len {
        put(at, get(at));
        at += threads;
    }
}

/// What a thread loads before it stores the first of it: memory answers so many loads together. More would take more registers.
const TURNS: u32 = 4;

/// Whether threads take elements of a type by so many turns: those of a block that is known, if so many elements fit into registers.
#[inline(always)]
fn takes_turns<S: GroupShape, T>() -> bool {
    S::Block::IS_FIXED && size_of::<T>() <= 16
}

/// Loads and stores elements, each thread those of its number and of every number as many as there are threads further on, below `all`.
/// The functions get a number to begin at, and how many turns to go on from there.
#[inline(always)]
fn by_turns<S: GroupShape, T: KernelArg>(
    number: u32,
    threads: u32,
    all: u32,
    load: impl Fn(u32, u32) -> T,
    store: impl Fn(u32, u32, T),
) {
    let mut at = number;
    if !takes_turns::<S, T>() {
        while at < all {
            store(at, 0, load(at, 0));
            at += threads;
        }
        return;
    }
    // Its turns can't be counted where the thread's number isn't known, so that it stays a loop.
    let whole = all / (TURNS * threads) * (TURNS * threads);
    while at < whole {
        let values = [0, 1, 2, 3].map(|turn| load(at, turn));
        store(at, 0, values[0]);
        store(at, 1, values[1]);
        store(at, 2, values[2]);
        store(at, 3, values[3]);
        at += TURNS * threads;
    }
    let base = number + whole;
    let has = |turn: u32| whole + (turn + 1) * threads <= all || base + turn * threads < all;
    let values = [0, 1, 2, 3].map(|turn| if has(turn) { load(base, turn) } else { T::zeroed() });
    let store_last = |turn: u32| {
        if has(turn) {
            store(base, turn, values[turn as usize]);
        }
    };
    store_last(0);
    store_last(1);
    store_last(2);
    store_last(3);
}

/// # Safety
/// `to` is the first of `M` rows of `N` elements that only this group accesses, of which `COLS`, no more, are written.
#[inline(always)]
pub(crate) unsafe fn load_tile<
    S: GroupShape,
    T: KernelArg,
    const COLS: usize,
    const N: usize,
    const M: usize,
>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    from: &Matrix<T>,
    row: usize,
    col: usize,
) {
    let get = |x: usize, y: usize| from.get_or(row.wrapping_add(y), col.wrapping_add(x), T::zeroed());
    if let Some([x, y]) = context.place_in_block_of(COLS, M) {
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes the one at its column and row.
        return unsafe { to.add(y * N + x).write(get(x, y)) };
    }
    let (number, threads) = (context.number(), context.threads() as u32);
    let (cols, all) = (COLS as u32, (COLS * M) as u32);
    let are_rows = takes_turns::<S, T>() && threads.is_multiple_of(cols);
    if are_rows && all / threads >= TURNS {
        // SAFETY: only this group accesses the rows, as this function asks.
        return unsafe { load_rows::<T, COLS, N, M>(number, threads, to, from, row, col) };
    }
    let place = |base: u32, turn: u32| {
        // Threads that are whole rows stay in their columns, which LLVM doesn't see.
        if are_rows {
            return [base % cols, base / cols + turn * (threads / cols)].map(|at| at as usize);
        }
        let at = base + turn * threads;
        [at % cols, at / cols].map(|at| at as usize)
    };
    let load = |base: u32, turn: u32| {
        let [x, y] = place(base, turn);
        get(x, y)
    };
    let store = |base: u32, turn: u32, value: T| {
        let [x, y] = place(base, turn);
        let at = if COLS == N && !are_rows { (base + turn * threads) as usize } else { y * N + x };
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes its own, all of them inside.
        unsafe { to.add(at).write(value) };
    };
    by_turns::<S, _>(number, threads, all, load, store);
}

/// Loads a tile by threads that are whole rows of it: each stays in its column, and goes on from row to row by pointers.
///
/// # Safety
/// As for `load_tile`, which the thread of a number, of so many, calls.
#[inline(always)]
unsafe fn load_rows<T: KernelArg, const COLS: usize, const N: usize, const M: usize>(
    number: u32,
    threads: u32,
    to: *mut T,
    from: &Matrix<T>,
    row: usize,
    col: usize,
) {
    let (x, mut y) = (number % COLS as u32, number / COLS as u32);
    let step = threads / COLS as u32;
    let (rows, has_col) = (Part::of(row, M, from.rows()), Part::of(col, COLS, from.cols()).has(x));
    let get = |y: u32, source: *const T| {
        // SAFETY: the element is inside the matrix, as its row and its column are there.
        if rows.has(y) & has_col { unsafe { read(source) } } else { T::zeroed() }
    };
    let stride = step as usize * from.cols();
    let room = step as usize * N;
    let first = row.wrapping_add(y as usize).wrapping_mul(from.cols()).wrapping_add(col);
    let mut source = from.at(0, 0).wrapping_add(first).wrapping_add(x as usize);
    let mut target = to.wrapping_add(y as usize * N + x as usize);
    // All threads have as many turns of four, by the number of the last row that such a turn begins with.
    let whole = M as u32 / (TURNS * step) * (TURNS * step);
    while y < whole {
        let second = source.wrapping_add(stride);
        let third = second.wrapping_add(stride);
        let fourth = third.wrapping_add(stride);
        let values =
            [get(y, source), get(y + step, second), get(y + 2 * step, third), get(y + 3 * step, fourth)];
        // SAFETY: only this group accesses the rows, as this function asks; each thread writes its own elements, in rows below `whole`.
        unsafe {
            target.write(values[0]);
            target.add(room).write(values[1]);
            target.add(2 * room).write(values[2]);
            target.add(3 * room).write(values[3]);
        }
        y += TURNS * step;
        source = fourth.wrapping_add(stride);
        target = target.wrapping_add(TURNS as usize * room);
    }
    while y < M as u32 {
        // SAFETY: only this group accesses the rows, as this function asks; each thread writes its own elements, in rows below `M`.
        unsafe { target.write(get(y, source)) };
        y += step;
        source = source.wrapping_add(stride);
        target = target.wrapping_add(room);
    }
}

/// The part that is there of a tile's rows, or of its columns.
#[derive(Clone, Copy)]
struct Part {
    before: u32,
    len: u32,
}

impl Part {
    /// The part that is there of `wanted` ones from `start` on, where there are `len`, as many as a `u32` counts. A start below zero is
    /// one in `usize`'s arithmetic.
    #[inline(always)]
    fn of(start: usize, wanted: usize, len: usize) -> Self {
        let before = start.wrapping_neg();
        if start < len {
            Self { before: 0, len: (len - start) as u32 }
        } else if start > isize::MAX as usize && before < wanted {
            Self { before: before as u32, len: len.min(wanted) as u32 }
        } else {
            Self { before: 0, len: 0 }
        }
    }

    #[inline(always)]
    fn has(self, at: u32) -> bool {
        at.wrapping_sub(self.before) < self.len
    }
}

/// Memory that the phase after the next one may read: none is fetched before a thread asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Ahead;

impl Ahead {
    pub(crate) const NOTHING: Self = Self;

    #[inline(always)]
    pub(crate) fn of<T>(_: *const [T], _: usize) -> Self {
        Self
    }
}

/// Elements that a later phase may read: while a warp waits for its own, others run.
#[inline(always)]
pub(crate) fn read_ahead<T>(_: *const [T], _: usize) {}
