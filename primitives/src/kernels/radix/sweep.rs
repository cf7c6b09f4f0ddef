//! A pass of which each group finds its elements' places by a look at what the groups before it have counted.

use core::sync::atomic::Ordering::Relaxed;

use gridwright::Scope;
use gridwright::prelude::*;

use super::scatter::{Tile, load, put};
use super::{BLOCK, DIGITS, Digit, ROOM, TILE};
use crate::SortKey;
use crate::kernels::radix::rank::rank;

/// A tile's own count is known.
const OWN: u32 = 1 << 30;
/// The count of the tile and all before it is known.
const ALL: u32 = 1 << 31;
/// The bits of a count.
const COUNT: u32 = OWN - 1;
/// The most elements: counts have as many bits.
pub const MOST: usize = COUNT as usize;

/// Words for the turns of all passes, before the counts.
pub const TURNS: usize = 16;

/// A pass: keys and values go to where the digit and their order say. Of `words` there are the passes' turns, which are zero, the counts of
/// each pass's digits, and from `states` on words of this pass's tiles, which are zero.
///
/// # Safety
/// `to_keys` is as long as `keys`, and so are `values` and `to_values`, unless they have no size. There is a group for each tile. `words` are
/// what [`count_digits`](super::count::count_digits) made of these keys and bits, of which the digit is the pass's; `states` is behind
/// the counts and other passes' words.
#[gpu_kernel(block = BLOCK, min_groups = 2, cpu = off)]
pub unsafe fn sweep<K: SortKey, V: KernelArg>(
    g: &Group,
    digit: Digit,
    pass: usize,
    states: usize,
    keys: &[K],
    values: &[V],
    words: Atomic<[u32]>,
    mut to_keys: PerThread<[K]>,
    mut to_values: PerThread<[V]>,
    mut room: Workgroup<[u32; ROOM]>,
    mut starts: Workgroup<[u32; DIGITS]>,
) {
    // Tiles go to groups that run: a group waits only for groups that have begun.
    let turns = g.map((), |t, ()| if t.local().x == 0 { words.fetch_add(t, pass, 1) } else { 0 });
    let tile = g.broadcast(&turns, 0) as usize;
    let state_of = move |tile: usize, value: usize| states + tile * DIGITS + value;
    let tile_at = Tile::new(tile * TILE, keys.len());
    let (mine, mut digits) = load(g, tile_at, digit, keys);
    let ranks = rank(g, &mut digits, super::ITEMS, &mut room, |totals| {
        if tile > 0 {
            g.each(totals, |t, total| {
                let value = t.local().x;
                if value < DIGITS {
                    words.store(t, state_of(tile, value), OWN | *total, Scope::Device, Relaxed);
                }
            });
        }
    });
    let before = if tile == 0 {
        let counts = g.map((), |t, ()| {
            let value = t.local().x;
            if value < DIGITS { words.read(t, TURNS + pass * DIGITS + value) } else { 0 }
        });
        g.scan_exclusive(&counts, 0, u32::wrapping_add)
    } else {
        g.map((), |t, ()| {
            let value = t.local().x;
            let (mut sum, mut at) = (0, tile);
            if value < DIGITS {
                loop {
                    let state = words.load(t, state_of(at - 1, value), Scope::Device, Relaxed);
                    // Else the group has begun, and isn't so far.
                    if state != 0 {
                        sum += state & COUNT;
                        if state & ALL != 0 {
                            break;
                        }
                        at -= 1;
                    }
                }
            }
            sum
        })
    };
    g.each((starts.atomic(), &before, &ranks.totals, &ranks.before), |t, (starts, before, total, lower)| {
        let value = t.local().x;
        if value < DIGITS {
            words.store(t, state_of(tile, value), ALL | (before + total), Scope::Device, Relaxed);
            starts.set(t, value, before.wrapping_sub(*lower));
        }
    });
    // SAFETY: by the counts each element has a place of its own.
    let to = unsafe { (to_keys.anywhere(), to_values.anywhere()) };
    // SAFETY: the places are below the number of elements, as the counts add up to it.
    unsafe { put(g, tile_at, digit, (&mine, values), &digits, &starts, &mut room, to) };
}
