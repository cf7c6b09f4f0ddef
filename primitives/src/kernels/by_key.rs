//! Scans and reductions of runs of elements with equal keys, in one pass.

use gridwright::prelude::*;

use super::look_back::{before_tile, next_tile};
use super::maybe::{Always, Found, Maybe};
use super::scan::before_threads;
use super::tile::{
    BLOCK, Board, Items, ROWS_BYTES, Slots, WARPS, WORDS, items_of, load, load_before, store, tile_of,
};
use crate::source::Fused;
use crate::source::argument::argument;

/// What is known of neighbours: how many runs begin among them, and the combined values of the last run.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub(crate) struct Run<V> {
    starts: u64,
    value: V,
}

argument!([V: KernelArg] Run<V> { starts: u64, value: V });

impl<V: KernelArg> Run<V> {
    #[inline(always)]
    fn starts(self) -> u64 {
        let Self { starts, .. } = self;
        starts
    }

    #[inline(always)]
    fn value(self) -> V {
        let Self { value, .. } = self;
        value
    }

    /// What neighbours are, before others.
    #[inline(always)]
    pub(super) fn then(self, next: Self, operator: impl Operator<(V, V), Output = V>) -> Self {
        let value =
            if next.starts() > 0 { next.value() } else { operator.call((self.value(), next.value())) };
        Self { starts: self.starts() + next.starts(), value }
    }
}

/// Whether a thread's element begins a run: a bit for each, of those that there are.
#[inline(always)]
pub(super) fn starts<K: Copy, V: Copy>(
    t: Thread<'_>,
    items: &Items<(K, V)>,
    before: &(K, V),
    first: usize,
    count: usize,
    equal: impl Operator<(K, K), Output = bool>,
) -> u32 {
    let number = t.local().x * items_of::<(K, V)>();
    let mut starts = 0;
    let mut before = before.0;
    for (item, &(key, _)) in items.iter().enumerate().take(items_of::<(K, V)>()) {
        if number + item < count && (first + number + item == 0 || !equal.call((before, key))) {
            starts |= 1 << item;
        }
        before = key;
    }
    starts
}

/// A thread's elements, combined.
#[inline(always)]
pub(super) fn total<K: Copy, V: KernelArg>(
    t: Thread<'_>,
    items: &Items<(K, V)>,
    starts: u32,
    count: usize,
    operator: impl Operator<(V, V), Output = V>,
) -> Maybe<Run<V>> {
    let number = t.local().x * items_of::<(K, V)>();
    let mut total = Maybe::none();
    for item in 0..items_of::<(K, V)>() {
        if number + item < count {
            let run = Run { starts: u64::from(starts >> item & 1), value: items[item].1 };
            total = total.then(Maybe::some(run), |a, b| a.then(b, operator));
        }
    }
    total
}

/// Scans the values of each run, of `len` elements in all.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`, and `out` as many. There is a group for each tile of them. `state` has words
/// for as many, which are zero, or say what is before each where groups don't look back.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn scan_runs<S, K, V, E, O, const EXCLUSIVE: bool>(
    g: &Group,
    source: S,
    equal: E,
    operator: O,
    init: V,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut out: PerThread<[V]>,
    state: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    S: Fused<Item = (K, V)>,
    K: Copy + Send + Sync + 'static,
    V: KernelArg,
    E: Operator<(K, K), Output = bool>,
    O: Operator<(V, V), Output = V>,
{
    let tile = next_tile(g, &state);
    let first = tile * tile_of::<(K, V)>();
    let count = (len - first).min(tile_of::<(K, V)>());
    let is_last = len - first <= tile_of::<(K, V)>();
    // SAFETY: tiles are parts of the input; nothing was in the memory.
    let items = unsafe { load(g, &mut memory, source, first, count, (a, b, c)) };
    // SAFETY: the tile was just loaded.
    let before = unsafe { load_before(g, &mut memory, source, first, count, (a, b, c)) };
    let starts = g.map((&items, &before), |t, (items, before)| starts(t, items, before, first, count, equal));
    let totals = g.map((&items, &starts), |t, (items, starts)| total(t, items, *starts, count, operator));
    let combine = move |a: Run<V>, b: Run<V>| a.then(b, operator);
    let before = |w: &Warp<'_, _>, own| before_tile(w, &state, tile, Maybe::none(), own, is_last, combine);
    // SAFETY: nothing was in the slots.
    let before =
        unsafe { before_threads::<false, _, Run<V>, _, _, _>(g, &mut memory, &totals, before, combine) };
    let scanned = g.map((&items, &starts, &before), |t, (items, starts, before)| {
        let number = t.local().x * items_of::<(K, V)>();
        let mut before = *before;
        let mut scanned = [items[0].1; super::tile::MOST_ITEMS];
        for item in 0..items_of::<(K, V)>() {
            if number + item < count {
                let starts = starts >> item & 1;
                let run = Run { starts: u64::from(starts), value: items[item].1 };
                let so_far = before.then(Maybe::some(run), combine);
                scanned[item] = match (EXCLUSIVE, before.get()) {
                    (false, _) => so_far.any().value(),
                    (true, Some(before)) if starts == 0 => operator.call((init, before.value())),
                    (true, _) => init,
                };
                before = so_far;
            }
        }
        scanned
    });
    // SAFETY: tiles are parts of the output, of which each is one group's; a barrier came after rows were read.
    unsafe { store::<(K, V), _, _>(g, &mut memory, &scanned, first, count, out.anywhere()) };
}

/// Writes the key and the combined values of each run, of `len` elements in all, and how many there are.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`. There is a group for each tile of them. `state` has words for as many,
/// which are zero, or say what is before each where groups don't look back.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn reduce_runs<S, K, V, E, O>(
    g: &Group,
    source: S,
    equal: E,
    operator: O,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut keys: PerThread<[K]>,
    mut values: PerThread<[V]>,
    runs: Atomic<[u64]>,
    state: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    S: Fused<Item = (K, V)>,
    K: KernelArg,
    V: KernelArg,
    E: Operator<(K, K), Output = bool>,
    O: Operator<(V, V), Output = V>,
{
    let tile = next_tile(g, &state);
    let first = tile * tile_of::<(K, V)>();
    let count = (len - first).min(tile_of::<(K, V)>());
    let is_last = len - first <= tile_of::<(K, V)>();
    // SAFETY: tiles are parts of the input; nothing was in the memory.
    let items = unsafe { load(g, &mut memory, source, first, count, (a, b, c)) };
    // SAFETY: the tile was just loaded.
    let before = unsafe { load_before(g, &mut memory, source, first, count, (a, b, c)) };
    let starts = g.map((&items, &before), |t, (items, before)| starts(t, items, before, first, count, equal));
    let totals = g.map((&items, &starts), |t, (items, starts)| total(t, items, *starts, count, operator));
    let combine = move |a: Run<V>, b: Run<V>| a.then(b, operator);
    let before = |w: &Warp<'_, _>, own| before_tile(w, &state, tile, Maybe::none(), own, is_last, combine);
    // SAFETY: nothing was in the slots.
    let before =
        unsafe { before_threads::<true, _, Run<V>, _, _, _>(g, &mut memory, &totals, before, combine) };
    let slots = Slots::<Run<V>>::new(&mut memory, true);
    // SAFETY: each run begins with one element, and its value is written where it ends: at the next run's first element, or at the last one.
    let (keys, values) = unsafe { (keys.anywhere(), values.anywhere()) };
    // The runs that begin before the tile, and before its end.
    // SAFETY: these slots were written before the barrier that was last.
    let bounds = move || unsafe {
        let (before, all): (Maybe<Run<V>>, Always<Run<V>>) = (slots.get(0), slots.get(WARPS));
        (before.get().map_or(0, Run::starts), all.maybe().any().starts())
    };
    let put_key = move |t: Thread<'_>, run: usize, key: K| {
        if run < keys.len() {
            // SAFETY: just seen.
            unsafe { keys.set_unchecked(t, run, key) };
        }
    };
    let put_value = move |t: Thread<'_>, run: usize, value: V| {
        if run < values.len() {
            // SAFETY: just seen.
            unsafe { values.set_unchecked(t, run, value) };
        }
    };
    let (key_board, value_board) =
        (Board::<K, (K, V)>::new(&mut memory), Board::<V, (K, V)>::new(&mut memory));
    // A value more than elements: of the run that began before the tile.
    let fits = const {
        let (elements, has_room) = (tile_of::<(K, V)>(), Slots::<Run<V>>::IS_BEHIND);
        has_room && (elements + 1) * size_of::<V>() <= ROWS_BYTES && elements * size_of::<K>() <= ROWS_BYTES
    };
    g.each((&items, &starts, &before, memory.atomic()), |t, (items, starts, before, _)| {
        let (start, _) = bounds();
        let mut run = before.get().map_or(0, Run::starts);
        for item in 0..items_of::<(K, V)>() {
            if starts >> item & 1 != 0 {
                if fits {
                    // SAFETY: runs have different numbers, of no more than the tile's elements.
                    unsafe { key_board.set((run - start) as usize, items[item].0) };
                } else {
                    put_key(t, run as usize, items[item].0);
                }
                run += 1;
            }
        }
    });
    if fits {
        g.each(memory.atomic(), |t, _| {
            let (start, end) = bounds();
            // SAFETY: places below were written before the barrier.
            unsafe { key_board.put_all(t, start as usize, 0, (end - start) as usize, put_key) };
        });
    }
    g.each((&items, &starts, &before, memory.atomic()), |t, (items, starts, before, _)| {
        let (start, _) = bounds();
        let number = t.local().x * items_of::<(K, V)>();
        let mut so_far = *before;
        let put = |run: Run<V>| {
            if fits {
                // SAFETY: runs have different numbers, of no more than the tile's elements and the run before.
                unsafe { value_board.set((run.starts() - start) as usize, run.value()) };
            } else {
                put_value(t, run.starts() as usize - 1, run.value());
            }
        };
        for item in 0..items_of::<(K, V)>() {
            if number + item < count {
                let starts = starts >> item & 1;
                if let Some(before) = so_far.get()
                    && starts != 0
                {
                    put(before);
                }
                let run = Run { starts: u64::from(starts), value: items[item].1 };
                so_far = so_far.then(Maybe::some(run), combine);
                if first + number + item + 1 == len {
                    put(so_far.any());
                }
            }
        }
    });
    g.each((), |t, ()| {
        let (start, end) = bounds();
        // The first place is that of the run that began before the tile.
        let (from, to) = (usize::from(start == 0), (end - start) as usize + usize::from(is_last));
        if fits {
            // SAFETY: places below were written before the barrier.
            unsafe {
                value_board.put_all(t, (start as usize).wrapping_sub(1), from, to, put_value);
            };
        }
        if is_last && t.local().x == 0 {
            runs.set(t, 0, end);
        }
    });
}

kernel_trait! {
    /// What [`inclusive_scan_by_key`](crate::Primitives::inclusive_scan_by_key) and
    /// [`exclusive_scan_by_key`](crate::Primitives::exclusive_scan_by_key) launch for a source of pairs, of keys and values, an operator
    /// that says whether keys are equal, and one that combines values.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Equal};
    /// use gridwright_primitives::source::{Slice, Zip};
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::ScanByKey<Zip<Slice<u64>, Slice<f32>>, u64, f32, Equal, Add> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait ScanByKey<
        S: Fused<Item = (K, V)>,
        K: Copy + Send + Sync + 'static,
        V: KernelArg,
        E: Operator<(K, K), Output = bool>,
        O: Operator<(V, V), Output = V>,
    > {
        /// Scans tiles, each element with those before it.
        type Inclusive = crate::kernels::by_key::scan_runs<S, K, V, E, O, false>;
        /// Scans tiles, each element's place with those before it.
        type Exclusive = crate::kernels::by_key::scan_runs<S, K, V, E, O, true>;
        /// Combines the runs of each tile, where groups don't look back.
        type Totals = crate::kernels::run_totals::reduce_tiles_of_runs<S, K, V, E, O>;
        /// Combines tiles with those before them.
        type Starts = crate::kernels::run_totals::scan_totals_of_runs<V, O>;
    }
}

kernel_trait! {
    /// What [`reduce_by_key`](crate::Primitives::reduce_by_key) and [`run_lengths`](crate::Primitives::run_lengths) launch for a source of
    /// pairs, of keys and values, an operator that says whether keys are equal, and one that combines values.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Equal};
    /// use gridwright_primitives::source::{Slice, Zip};
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::ReduceByKey<Zip<Slice<u64>, Slice<f32>>, u64, f32, Equal, Add> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait ReduceByKey<
        S: Fused<Item = (K, V)>,
        K: KernelArg,
        V: KernelArg,
        E: Operator<(K, K), Output = bool>,
        O: Operator<(V, V), Output = V>,
    > {
        /// Writes the runs of a tile.
        type Tiles = crate::kernels::by_key::reduce_runs<S, K, V, E, O>;
        /// Combines the runs of each tile, where groups don't look back.
        type Totals = crate::kernels::run_totals::reduce_tiles_of_runs<S, K, V, E, O>;
        /// Combines tiles with those before them.
        type Starts = crate::kernels::run_totals::scan_totals_of_runs<V, O>;
    }
}
