//! What is before each tile of runs of equal keys, found by launches of their own.

use gridwright::prelude::*;

use super::by_key::{Run, starts, total};
use super::maybe::Maybe;
use super::tile::{BLOCK, WORDS, load, load_before, tile_of};
use super::totals::{publish_total, scan_published};
use crate::source::Fused;

/// Combines the runs of each tile, of `len` elements in all.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`. There is a group for each tile of them.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn reduce_tiles_of_runs<S, K, V, E, O>(
    g: &Group,
    source: S,
    equal: E,
    operator: O,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    state: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    S: Fused<Item = (K, V)>,
    K: Copy + Send + Sync + 'static,
    V: KernelArg,
    E: Operator<(K, K), Output = bool>,
    O: Operator<(V, V), Output = V>,
{
    let first = g.index() * tile_of::<(K, V)>();
    let count = (len - first).min(tile_of::<(K, V)>());
    // SAFETY: tiles are parts of the input; nothing was in the memory.
    let items = unsafe { load(g, &mut memory, source, first, count, (a, b, c)) };
    // SAFETY: the tile was just loaded.
    let before = unsafe { load_before(g, &mut memory, source, first, count, (a, b, c)) };
    let totals = g.map((&items, &before), |t, (items, before)| {
        let starts = starts(t, items, before, first, count, equal);
        total(t, items, starts, count, operator)
    });
    let combine = move |a: Run<V>, b: Run<V>| a.then(b, operator);
    // SAFETY: nothing was in the slots.
    unsafe { publish_total(g, &mut memory, &state, &totals, combine) };
}

/// Makes of each tile's runs those of all tiles up to it.
///
/// # Safety
/// There is one group.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn scan_totals_of_runs<V, O>(
    g: &Group,
    operator: O,
    tiles: usize,
    state: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    V: KernelArg,
    O: Operator<(V, V), Output = V>,
{
    let combine = move |a: Run<V>, b: Run<V>| a.then(b, operator);
    // SAFETY: nothing was in the slots.
    unsafe { scan_published(g, &mut memory, &state, tiles, Maybe::none(), combine) };
}
