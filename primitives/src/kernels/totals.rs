//! What is before each tile, found by two launches of their own, for devices whose groups don't wait for each other: reduce, then scan
//! (Merrill and Grimshaw, *Parallel Scan for Stream Architectures*, 2009). Each group combines a tile's elements, and one group what the
//! tiles have. A third launch looks back as ever, and finds at the first look what it needs.

use gridwright::InPhase;
use gridwright::prelude::*;

use super::look_back::{OF_TILE, UP_TO_TILE, publish, publish_by_one, published, take_none};
use super::maybe::{Found, Maybe};
use super::scan::{before_threads, of_threads, scan_items};
use super::tile::{BLOCK, Slots, WARPS, WORDS, barrier, items_of, load, tile_of};
use crate::source::Fused;

/// Combines the elements of each tile, of `len` in all.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`. There is a group for each tile of them.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn reduce_tiles<S, O>(
    g: &Group,
    source: S,
    operator: O,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    state: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    S: Fused<Item: KernelArg>,
    O: Operator<(S::Item, S::Item), Output = S::Item>,
{
    let first = g.index() * tile_of::<S::Item>();
    let count = (len - first).min(tile_of::<S::Item>());
    // SAFETY: tiles are parts of the input; nothing was in the memory.
    let items = unsafe { load(g, &mut memory, source, first, count, (a, b, c)) };
    let combine = move |a, b| operator.call((a, b));
    let totals = of_threads::<Maybe<_>, _, _, _>(g, &items, count, combine);
    // SAFETY: nothing was in the slots.
    unsafe { publish_total(g, &mut memory, &state, &totals, combine) };
}

/// Makes of each tile's value that of all tiles up to it, behind `init` if there is one.
///
/// # Safety
/// There is one group.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn scan_totals<T, O>(
    g: &Group,
    operator: O,
    has_init: u32,
    init: T,
    tiles: usize,
    state: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    T: KernelArg,
    O: Operator<(T, T), Output = T>,
{
    let start = if has_init != 0 { Maybe::some(init) } else { Maybe::none() };
    // SAFETY: nothing was in the slots.
    unsafe { scan_published(g, &mut memory, &state, tiles, start, |a, b| operator.call((a, b))) };
}

/// Makes of each tile's count that of all tiles up to it, and gives the `total` to who asks for it.
///
/// # Safety
/// There is one group.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn scan_counts(
    g: &Group,
    tiles: usize,
    state: Atomic<[u64]>,
    total: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) {
    // SAFETY: nothing was in the slots.
    let all = unsafe { scan_published(g, &mut memory, &state, tiles, Maybe::some(0), u64::wrapping_add) };
    g.each((), |t, ()| {
        if t.local().x == 0 && total.len() > 0 {
            total.set(t, 0, all.any());
        }
    });
}

/// Publishes what the group's threads have together, for the tile of the group's number.
///
/// # Safety
/// Nobody reads or writes the memory's slots since the last barrier.
#[inline(always)]
pub(super) unsafe fn publish_total<V, T, G, F>(
    g: &Group<'_, G>,
    memory: &mut Workgroup<'_, [u32; WORDS]>,
    state: &Atomic<'_, [u64]>,
    totals: &Private<'_, V>,
    operator: F,
) where
    V: Found<T>,
    T: KernelArg,
    G: GroupShape,
    F: Fn(T, T) -> T + InPhase + Copy,
{
    let tile = g.index();
    let publish = |w: &Warp<'_, G>, own| {
        publish_by_one(w, state, tile, own, OF_TILE);
        Maybe::none()
    };
    // SAFETY: as the caller says.
    let _ = unsafe { before_threads::<false, V, T, G, _, F>(g, memory, totals, publish, operator) };
}

/// Makes of each tile's value that of `start` and all tiles up to it, and gives that of all.
///
/// # Safety
/// Nobody reads or writes the memory's slots since the last barrier. One group does this.
#[inline(always)]
pub(super) unsafe fn scan_published<T, G, F>(
    g: &Group<'_, G>,
    memory: &mut Workgroup<'_, [u32; WORDS]>,
    state: &Atomic<'_, [u64]>,
    tiles: usize,
    start: Maybe<T>,
    operator: F,
) -> Maybe<T>
where
    T: KernelArg,
    G: GroupShape,
    F: Fn(T, T) -> T + InPhase + Copy,
{
    let mut before = start;
    let mut first = 0;
    while first < tiles {
        let count = (tiles - first).min(tile_of::<T>());
        let number = |t: Thread<'_>, item: usize| t.local().x * items_of::<T>() + item;
        let mut values = g.map((), |t, ()| {
            core::array::from_fn(|item| match number(t, item) {
                i if item < items_of::<T>() && i < count => published(t, state, first + i).1,
                _ => T::zeroed(),
            })
        });
        // SAFETY: a barrier came after the slots were read.
        unsafe {
            scan_items::<false, true, Maybe<T>, T, G, _, F>(
                g,
                memory,
                &mut values,
                count,
                |_, _| before,
                operator,
            );
        }
        g.each(&values, |t, values| {
            for item in 0..items_of::<T>() {
                let i = number(t, item);
                if i < count {
                    publish(t, state, first + i, values[item], UP_TO_TILE);
                }
            }
        });
        // SAFETY: the slot was written before the last barrier.
        before = unsafe { Slots::new(memory, true).get(WARPS) };
        barrier(g, memory);
        first += tile_of::<T>();
    }
    g.each((), |t, ()| {
        if t.local().x == 0 {
            take_none(t, state);
        }
    });
    before
}
