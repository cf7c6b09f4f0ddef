//! Merge sort: groups sort blocks, then each launch merges pairs of runs, a group for each part of the result: "Merge Path - Parallel Merging
//! Made Simple", Odeh, Green, Mwassi, Shmueli and Birk, 2012. Where a comparison isn't an order, parts are any elements of the runs.

use gridwright::InPhase;
use gridwright::prelude::*;

use super::places::Places;

/// Threads of a group.
pub const BLOCK: usize = 256;
/// The most elements of a thread.
const MOST_ITEMS: usize = 8;
/// Words of workgroup memory.
const ROOM: usize = 4096;
/// The most bytes of an element.
pub const MOST_BYTES: usize = 8 * ROOM / BLOCK;

/// Elements of a thread.
const fn items<T>() -> usize {
    assert!(
        size_of::<T>() <= MOST_BYTES && align_of::<T>() <= 16,
        "merge sort is of elements of at most 128 bytes, aligned to 16"
    );
    let fit = if size_of::<T>() == 0 { MOST_ITEMS } else { MOST_BYTES / size_of::<T>() };
    if fit < MOST_ITEMS { fit } else { MOST_ITEMS }
}

/// Elements of a group.
pub const fn tile<T>() -> usize {
    BLOCK * items::<T>()
}

/// Two neighbouring runs.
#[derive(Clone, Copy)]
struct Runs {
    first: usize,
    middle: usize,
    end: usize,
}

impl Runs {
    /// The pair of runs of `width` that an element is in, of `len` elements.
    #[inline(always)]
    fn of(element: usize, width: usize, len: usize) -> Self {
        let first = element / (2 * width) * (2 * width);
        let middle = if width < len - first { first + width } else { len };
        let end = if width < len - middle { middle + width } else { len };
        Self { first, middle, end }
    }

    /// How many of the first `len` elements of the merged runs are of the first run.
    #[inline(always)]
    fn split<T>(self, len: usize, get: impl Fn(usize) -> T, less: impl Fn(T, T) -> bool) -> usize {
        let (a, b) = (self.middle - self.first, self.end - self.middle);
        let (mut low, mut high) = (len.saturating_sub(b), if len < a { len } else { a });
        while low < high {
            let middle = low + (high - low) / 2;
            if less(get(self.middle + len - 1 - middle), get(self.first + middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}

/// What a thread merges: `count` elements of two runs in workgroup memory, from the `from`th on.
#[inline(always)]
fn merged<T: KernelArg, L: Operator<(T, T), Output = bool>>(
    runs: Runs,
    from: usize,
    less: L,
    get: impl Fn(usize) -> T,
    to: &mut [T; MOST_ITEMS],
) {
    let of_first = runs.split(from, &get, |a, b| less.call((a, b)));
    let (mut a, mut b) = (runs.first + of_first, runs.middle + from - of_first);
    for item in 0..MOST_ITEMS {
        if item < items::<T>() {
            let takes_first =
                if b >= runs.end { true } else { a < runs.middle && !less.call((get(b), get(a))) };
            if takes_first && a < runs.middle {
                to[item] = get(a);
                a += 1;
            } else if b < runs.end {
                to[item] = get(b);
                b += 1;
            }
        }
    }
}

/// Calls `each` with the place in the tile of each element that the thread has in turn, below `len`.
#[inline(always)]
fn in_turn<T, S: GroupShape>(
    g: &Group<'_, S>,
    room: &mut Workgroup<'_, [u64; ROOM]>,
    len: usize,
    each: impl Fn(Thread<'_>, usize) + InPhase,
) {
    // It has the workgroup memory for the barrier.
    g.each(room.atomic(), |t, _| {
        for item in 0..items::<T>() {
            let at = item * BLOCK + t.local().x;
            if at < len {
                each(t, at);
            }
        }
    });
}

/// Writes each thread's own elements.
#[inline(always)]
fn put_own<T: KernelArg, S: GroupShape>(
    g: &Group<'_, S>,
    room: &mut Workgroup<'_, [u64; ROOM]>,
    own: &Private<'_, [T; MOST_ITEMS]>,
) {
    let all = Places::<T>::new(room.as_mut_ptr().cast());
    g.each((room.atomic(), own), |t, (_, own)| {
        for item in 0..MOST_ITEMS {
            if item < items::<T>() {
                // SAFETY: a thread's own places.
                unsafe { all.write(t, t.local().x * items::<T>() + item, own[item]) };
            }
        }
    });
}

/// Sorts each tile where it lies.
///
/// # Safety
/// There is a group for each tile of `x`.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn sort_blocks<T: KernelArg, L: Operator<(T, T), Output = bool>>(
    g: &Group,
    less: L,
    mut x: PerThread<[T]>,
    mut room: Workgroup<[u64; ROOM]>,
) {
    let first = g.index() * tile::<T>();
    let left = x.len() - first;
    let len = if left < tile::<T>() { left } else { tile::<T>() };
    // SAFETY: a group reads and writes its own tile, with a barrier between.
    let x = unsafe { x.anywhere() };
    let all = Places::<T>::new(room.as_mut_ptr().cast());
    // SAFETY: places below the tile's length, each one thread's.
    in_turn::<T, _>(g, &mut room, len, |t, at| unsafe { all.write(t, at, x.get_unchecked(t, first + at)) });
    let mut own = g.private([T::zeroed(); MOST_ITEMS]);
    g.each((room.atomic(), &mut own), |t, (_, own)| {
        let start = t.local().x * items::<T>();
        for item in 0..MOST_ITEMS {
            if item < items::<T>() && start + item < len {
                // SAFETY: written above.
                own[item] = unsafe { all.read(t, start + item) };
            }
        }
        // By neighbours, and so stable: "odd-even transposition sort".
        for round in 0..MOST_ITEMS {
            for pair in 0..MOST_ITEMS / 2 {
                let item = 2 * pair + round % 2;
                if round < items::<T>()
                    && item + 1 < items::<T>()
                    && start + item + 1 < len
                    && less.call((own[item + 1], own[item]))
                {
                    own.swap(item, item + 1);
                }
            }
        }
    });
    put_own(g, &mut room, &own);
    let mut width = items::<T>();
    while width < len {
        g.each((room.atomic(), &mut own), |t, (_, own)| {
            let start = t.local().x * items::<T>();
            if start < len {
                let runs = Runs::of(start, width, len);
                // SAFETY: places of the tile, which were written.
                merged(runs, start - runs.first, less, |at| unsafe { all.read(t, at) }, own);
            }
        });
        put_own(g, &mut room, &own);
        width *= 2;
    }
    // SAFETY: places of the tile, each one thread's.
    in_turn::<T, _>(g, &mut room, len, |t, at| unsafe { x.set_unchecked(t, first + at, all.read(t, at)) });
}

/// Merges pairs of runs of `width` elements: each group has a tile of the result.
///
/// # Safety
/// `to` is as long as `from`. There is a group for each tile of it, and `width` is the elements of some tiles.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn merge_runs<T: KernelArg, L: Operator<(T, T), Output = bool>>(
    g: &Group,
    less: L,
    width: usize,
    from: &[T],
    mut to: PerThread<[T]>,
    mut room: Workgroup<[u64; ROOM]>,
) {
    let first = g.index() * tile::<T>();
    let runs = Runs::of(first, width, from.len());
    let start = first - runs.first;
    let left = runs.end - first;
    let len = if left < tile::<T>() { left } else { tile::<T>() };
    // The first thread finds where the tile begins in the runs, the second one where it ends.
    let splits = g.map((), |t, ()| {
        let thread = t.local().x;
        if thread < 2 {
            // SAFETY: elements of the runs.
            let get = |at| unsafe { *from.get_unchecked(at) };
            runs.split(start + thread * len, get, |a, b| less.call((a, b)))
        } else {
            0
        }
    });
    let (a, a_end) = (g.broadcast(&splits, 0), g.broadcast(&splits, 1));
    // Of a comparison that isn't an order, the end may be before the beginning, or too far behind it.
    let of_first = a_end.saturating_sub(a);
    let of_first = if of_first < len { of_first } else { len };
    let (a, b) = (runs.first + a, runs.middle + start - a);
    let all = Places::<T>::new(room.as_mut_ptr().cast());
    in_turn::<T, _>(g, &mut room, len, |t, at| {
        let i = if at < of_first { a + at } else { b + at - of_first };
        // SAFETY: an element of one of the runs; places below the tile's length, each one thread's.
        unsafe { all.write(t, at, *from.get_unchecked(i)) };
    });
    let mut own = g.private([T::zeroed(); MOST_ITEMS]);
    g.each((room.atomic(), &mut own), |t, (_, own)| {
        let start = t.local().x * items::<T>();
        if start < len {
            let runs = Runs { first: 0, middle: of_first, end: len };
            // SAFETY: places of the tile, which were written.
            merged(runs, start, less, |at| unsafe { all.read(t, at) }, own);
        }
    });
    put_own(g, &mut room, &own);
    // SAFETY: a group writes its own tile.
    let to = unsafe { to.anywhere() };
    // SAFETY: places of the tile, each one thread's.
    in_turn::<T, _>(g, &mut room, len, |t, at| unsafe { to.set_unchecked(t, first + at, all.read(t, at)) });
}

kernel_trait! {
    /// What [`merge_sort`](crate::Primitives::merge_sort) launches for elements and a comparison.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Less;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::MergeSort<f64, Less> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait MergeSort<T: KernelArg, L: Operator<(T, T), Output = bool>> {
        /// Sorts blocks.
        type Blocks = crate::kernels::merge::sort_blocks<T, L>;
        /// Merges runs.
        type Merge = crate::kernels::merge::merge_runs<T, L>;
    }
}
