//! The counts of all passes' digits, in one read of the keys.

use gridwright::prelude::*;

use super::sweep::TURNS;
use super::{DIGIT_BITS, DIGITS, Digit};
use crate::{KeyBits, SortKey};

/// Threads of a group.
pub const BLOCK: usize = 256;
/// Keys of a thread in a turn.
pub const ITEMS: usize = 16;
/// Keys of a group in a turn.
pub const TILE: usize = BLOCK * ITEMS;
/// Counts of a group: of a digit of 16, or in copies that lanes take turns in.
const BINS: usize = 16 * DIGITS;

/// Adds up the digits of `turns` tiles of each group, of the bits from `first` up to `end`, to the passes' counts in `words`.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub fn count_digits<K: SortKey>(
    g: &Group,
    first: u32,
    end: u32,
    descending: u32,
    turns: usize,
    keys: &[K],
    words: Atomic<[u32]>,
    mut bins: Workgroup<[u32; BINS]>,
) {
    let passes = (end - first).div_ceil(DIGIT_BITS) as usize;
    g.fill(&mut bins, 0);
    let start = g.index() * turns * TILE;
    for turn in 0..turns {
        let tile = start + turn * TILE;
        let is_whole = tile + TILE <= keys.len();
        let mut mine = g.private([K::zeroed(); ITEMS]);
        if is_whole {
            g.each(&mut mine, |t, mine| {
                for item in 0..ITEMS {
                    // SAFETY: all of the tile is there.
                    mine[item] = unsafe { *keys.get_unchecked(tile + item * BLOCK + t.local().x) };
                }
            });
        } else {
            g.each(&mut mine, |t, mine| {
                for item in 0..ITEMS {
                    if let Some(key) = keys.get(tile + item * BLOCK + t.local().x) {
                        mine[item] = *key;
                    }
                }
            });
        }
        for pass in 0..passes_of::<K>() {
            if pass < passes {
                let digit = digit_of_pass(first, end, descending, pass);
                g.each((bins.atomic(), &mine), |t, (bins, mine)| {
                    let counts = (pass * copies::<K>() + t.local().x % copies::<K>()) * DIGITS;
                    if is_whole {
                        for item in 0..ITEMS {
                            bins.fetch_add(t, (counts + digit.of(mine[item]) as usize) % BINS, 1);
                        }
                    } else {
                        for item in 0..ITEMS {
                            if tile + item * BLOCK + t.local().x < keys.len() {
                                bins.fetch_add(t, (counts + digit.of(mine[item]) as usize) % BINS, 1);
                            }
                        }
                    }
                });
            }
        }
    }
    g.each(bins.shared(), |t, bins| {
        let digit = t.local().x;
        for pass in 0..passes_of::<K>() {
            if pass < passes {
                let mut count = 0;
                for copy in 0..copies::<K>() {
                    count += bins[(pass * copies::<K>() + copy) * DIGITS + digit];
                }
                if count > 0 {
                    words.fetch_add(t, TURNS + pass * DIGITS + digit, count);
                }
            }
        }
    });
}

/// The most passes of a key.
#[inline(always)]
const fn passes_of<K: SortKey>() -> usize {
    (<K::Bits as KeyBits>::WIDTH / DIGIT_BITS) as usize
}

/// Copies of the counts.
#[inline(always)]
const fn copies<K: SortKey>() -> usize {
    BINS / DIGITS / passes_of::<K>()
}

/// The digit of a pass.
#[inline(always)]
pub(crate) const fn digit_of_pass(first: u32, end: u32, descending: u32, pass: usize) -> Digit {
    let first = first + pass as u32 * DIGIT_BITS;
    let left = end - first;
    let mask = if left < DIGIT_BITS { (1 << left) - 1 } else { DIGITS as u32 - 1 };
    Digit { first, mask, flip: if descending > 0 { mask } else { 0 } }
}
