//! Scans in one pass: each group scans a tile, behind what it finds by looking back.

use gridwright::InPhase;
use gridwright::prelude::*;

use super::look_back::{before_tile, next_tile};
use super::maybe::{Always, Found, Maybe};
use super::tile::{BLOCK, Items, Slots, WARPS, WORDS, barrier, items_of, load, store, tile_of};
use crate::source::Fused;

/// Scans a tile for each group, of `len` elements in all. `init` is before the first one if the scan is an exclusive one.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`, and `out` as many. There is a group for each tile of them. `state` has words
/// for as many, which are zero, or say what is before each where groups don't look back.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn scan_tiles<S, O, const EXCLUSIVE: bool>(
    g: &Group,
    source: S,
    operator: O,
    init: <S as crate::source::Source>::Item,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut out: PerThread<[<S as crate::source::Source>::Item]>,
    state: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    S: Fused<Item: KernelArg>,
    O: Operator<(S::Item, S::Item), Output = S::Item>,
{
    let tile = next_tile(g, &state);
    let first = tile * tile_of::<S::Item>();
    let count = (len - first).min(tile_of::<S::Item>());
    let is_last = len - first <= tile_of::<S::Item>();
    // SAFETY: tiles are parts of the input; nothing was in the memory.
    let mut items = unsafe { load(g, &mut memory, source, first, count, (a, b, c)) };
    let start = if EXCLUSIVE { Maybe::some(init) } else { Maybe::none() };
    let combine = move |a, b| operator.call((a, b));
    let before = |w: &Warp<'_, _>, own| before_tile(w, &state, tile, start, own, is_last, combine);
    // SAFETY: nothing was in the slots.
    unsafe {
        if count == tile_of::<S::Item>() {
            scan_items::<EXCLUSIVE, false, Always<_>, _, _, _, _>(
                g,
                &mut memory,
                &mut items,
                count,
                before,
                combine,
            );
        } else {
            scan_items::<EXCLUSIVE, false, Maybe<_>, _, _, _, _>(
                g,
                &mut memory,
                &mut items,
                count,
                before,
                combine,
            );
        }
    }
    // SAFETY: tiles are parts of the output, of which each is one group's; a row was read by its own thread.
    unsafe { store::<S::Item, _, _>(g, &mut memory, &items, first, count, out.anywhere()) };
}

kernel_trait! {
    /// What [`inclusive_scan`](crate::Primitives::inclusive_scan) and [`exclusive_scan`](crate::Primitives::exclusive_scan) launch for a
    /// source and an operator.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Add;
    /// use gridwright_primitives::source::Slice;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Scan<Slice<f64>, Add> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Scan<S: Fused<Item: KernelArg>, O: Operator<(S::Item, S::Item), Output = S::Item>> {
        /// Scans tiles, each element with those before it.
        type Inclusive = crate::kernels::scan::scan_tiles<S, O, false>;
        /// Scans tiles, each element's place with those before it.
        type Exclusive = crate::kernels::scan::scan_tiles<S, O, true>;
        /// Combines the elements of each tile, where groups don't look back.
        type Totals = crate::kernels::totals::reduce_tiles<S, O>;
        /// Combines tiles with those before them.
        type Starts = crate::kernels::totals::scan_totals<<S as crate::source::Source>::Item, O>;
    }
}

/// Scans a tile of which each thread has neighbours, `count` in all: of a whole tile `V` is [`Always`]. What is before the tile is found by
/// one warp, which is told what the tile's elements give. Of `HAS_END` see [`before_threads`].
///
/// # Safety
/// Nobody reads or writes the memory's slots since the last barrier.
#[inline(always)]
pub(super) unsafe fn scan_items<const EXCLUSIVE: bool, const HAS_END: bool, V, T, G, B, F>(
    g: &Group<'_, G>,
    memory: &mut Workgroup<'_, [u32; WORDS]>,
    items: &mut Private<'_, Items<T>>,
    count: usize,
    before: B,
    operator: F,
) where
    V: Found<T>,
    T: KernelArg,
    G: GroupShape,
    B: Fn(&Warp<'_, G>, Maybe<T>) -> Maybe<T> + InPhase,
    F: Fn(T, T) -> T + InPhase + Copy,
{
    let totals = of_threads::<V, T, G, F>(g, items, count, operator);
    // SAFETY: as the caller says.
    let before_threads =
        unsafe { before_threads::<HAS_END, V, _, _, _, _>(g, memory, &totals, before, operator) };
    g.each((items, &before_threads), |t, (items, before)| {
        let mut before = if EXCLUSIVE { before.certain() } else { *before };
        for item in 0..items_of::<T>() {
            if V::IS_THERE || item < items_below::<T>(t, count) {
                let so_far = before.then(Maybe::some(items[item]), operator);
                items[item] = if EXCLUSIVE { before.any() } else { so_far.any() };
                before = so_far;
            }
        }
    });
}

/// For each thread its part of a tile, combined, of `count` elements in all: of a whole tile `V` is [`Always`].
#[inline(always)]
pub(super) fn of_threads<'g, V, T, G, F>(
    g: &Group<'g, G>,
    items: &Private<'_, Items<T>>,
    count: usize,
    operator: F,
) -> Private<'g, V>
where
    V: Found<T>,
    T: KernelArg,
    G: GroupShape,
    F: Fn(T, T) -> T + InPhase + Copy,
{
    g.map(items, |t, items| {
        let mut total = Maybe::none();
        for item in 0..items_of::<T>() {
            if V::IS_THERE || item < items_below::<T>(t, count) {
                total = total.then(Maybe::some(items[item]), operator);
            }
        }
        V::of(total)
    })
}

/// How many of a thread's elements are among the first `count`.
#[inline(always)]
fn items_below<T>(t: Thread<'_>, count: usize) -> usize {
    count.saturating_sub(t.local().x * items_of::<T>()).min(items_of::<T>())
}

/// For each thread what is before its part of a tile: what `before` finds, and what other threads have found in the tile. The second slots
/// have what is before each warp, and where `HAS_END` what is up to the tile's end.
///
/// # Safety
/// Nobody reads or writes the memory's slots since the last barrier.
#[inline(always)]
pub(crate) unsafe fn before_threads<'g, const HAS_END: bool, V, T, G, B, F>(
    g: &Group<'g, G>,
    memory: &mut Workgroup<'_, [u32; WORDS]>,
    totals: &Private<'_, V>,
    before: B,
    operator: F,
) -> Private<'g, Maybe<T>>
where
    V: Found<T>,
    T: KernelArg,
    G: GroupShape,
    B: Fn(&Warp<'_, G>, Maybe<T>) -> Maybe<T> + InPhase,
    F: Fn(T, T) -> T + InPhase + Copy,
{
    let of_warps = Slots::<T>::new(memory, false);
    let before_warps = Slots::<T>::new(memory, true);
    let mut in_warp = g.private(Maybe::none());
    g.each_warp((totals, &mut in_warp), |w, (totals, mut in_warp)| {
        let so_far = w.scan_inclusive(totals, |a, b| a.then(b, operator));
        let (warp, last) = (w.index(), w.len() - 1);
        w.each(&so_far, |t, so_far| {
            if t.lane() == last {
                // SAFETY: a warp's slot is its own, written by one thread.
                unsafe { of_warps.set(warp, *so_far) };
            }
        });
        w.each((&w.shuffle_up(&so_far, 1), &mut in_warp), |t, (before, in_warp)| {
            *in_warp = if t.lane() > 0 { before.maybe() } else { Maybe::none() };
        });
    });
    barrier(g, memory);
    g.each_warp((), |w, ()| {
        if w.index() > 0 {
            return;
        }
        let warps = BLOCK / w.size();
        let found = w.map((), |t, ()| {
            // SAFETY: warps wrote their slots before the barrier.
            if t.lane() < warps { unsafe { of_warps.get::<V>(t.lane()).maybe() } } else { Maybe::none() }
        });
        let so_far = w.scan_inclusive(&found, |a, b| a.then(b, operator));
        let all = w.broadcast(&so_far, w.len() - 1);
        let before = before(w, all);
        w.each(&w.shuffle_up(&so_far, 1), |t, in_tile| {
            let in_tile = if t.lane() > 0 { *in_tile } else { Maybe::none() };
            if t.lane() < warps {
                // SAFETY: a warp's slot is written by one lane.
                unsafe { before_warps.set(t.lane(), before.then(in_tile, operator)) };
            }
            if t.lane() == 0 && HAS_END {
                // SAFETY: the place behind those of the warps is this one lane's in this phase.
                unsafe { before_warps.set(WARPS, before.then(all, operator)) };
            }
        });
    });
    barrier(g, memory);
    let lanes = g.warp_size();
    g.map(&in_warp, |t, in_warp| {
        // SAFETY: slots were written before the barrier.
        let before: Maybe<T> = unsafe { before_warps.get(t.local().x / lanes) };
        before.then(*in_warp, operator)
    })
}
