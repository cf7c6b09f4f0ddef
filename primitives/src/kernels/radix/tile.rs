//! A sort by one group.

use gridwright::prelude::*;

use super::count::digit_of_pass;
use super::exchange::{in_round, rounds};
use super::rank::rank;
use super::{BLOCK, DIGIT_BITS, DIGITS, ITEMS, ROOM, striped};
use crate::SortKey;
use crate::kernels::places::Places;

/// Sorts at most a tile of keys where they lie, and values with them, by the bits from `first` up to `end`.
///
/// # Safety
/// There is one group, and `keys` has at most a tile's elements, and `values` as many, unless they have no size.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn sort_tile<K: SortKey, V: KernelArg>(
    g: &Group,
    first: u32,
    end: u32,
    descending: u32,
    mut keys: PerThread<[K]>,
    mut values: PerThread<[V]>,
    mut room: Workgroup<[u32; ROOM]>,
) {
    let (len, lanes) = (keys.len(), g.warp_size());
    let items = len.div_ceil(BLOCK);
    // SAFETY: a thread reads all that it needs before a phase ends, after which each place has one thread.
    let (keys, values) = unsafe { (keys.anywhere(), values.anywhere()) };
    let mut mine = g.private([K::zeroed(); ITEMS]);
    let mut from = g.private([0_u32; ITEMS]);
    g.each((&mut mine, &mut from), |t, (mine, from)| {
        let start = striped(t, lanes, items);
        for item in 0..ITEMS {
            let at = start + item * lanes;
            if item < items && at < len {
                from[item] = at as u32;
                // SAFETY: just seen.
                mine[item] = unsafe { keys.get_unchecked(t, at) };
            }
        }
    });
    let mut pass = 0;
    while first + pass as u32 * DIGIT_BITS < end {
        let digit = digit_of_pass(first, end, descending, pass);
        let mut digits = g.private([DIGITS as u32 - 1; ITEMS]);
        g.each((&mine, &mut digits), |t, (mine, digits)| {
            let start = striped(t, lanes, items);
            for item in 0..ITEMS {
                // Behind the last one are digits above all others, so that they stay last.
                if item < items && start + item * lanes < len {
                    digits[item] = digit.of(mine[item]);
                }
            }
        });
        rank(g, &mut digits, items, &mut room, |_| {});
        let all = Places::<K>::new(room.as_mut_ptr().cast());
        let mut next = g.private([K::zeroed(); ITEMS]);
        for round in 0..rounds::<K>() {
            g.each((room.atomic(), &mine, &digits), |t, (_, mine, places)| {
                for item in 0..ITEMS {
                    if item < items
                        && let Some(place) = in_round::<K>(places[item] as usize, round)
                    {
                        // SAFETY: places of a tile differ, and are below its elements.
                        unsafe { all.write(t, place, mine[item]) };
                    }
                }
            });
            g.each((room.atomic(), &mut next), |t, (_, next)| {
                let start = striped(t, lanes, items);
                for item in 0..ITEMS {
                    if item < items
                        && let Some(place) = in_round::<K>(start + item * lanes, round)
                    {
                        // SAFETY: each place of the tile was written.
                        next[item] = unsafe { all.read(t, place) };
                    }
                }
            });
        }
        mine = next;
        if const { size_of::<V>() > 0 } {
            let all = Places::<u32>::new(room.as_mut_ptr().cast());
            g.each((room.atomic(), &from, &digits), |t, (_, from, places)| {
                for item in 0..ITEMS {
                    if item < items {
                        // SAFETY: places of a tile differ, and are below its elements.
                        unsafe { all.write(t, places[item] as usize, from[item]) };
                    }
                }
            });
            g.each((room.atomic(), &mut from), |t, (_, from)| {
                let start = striped(t, lanes, items);
                for item in 0..ITEMS {
                    if item < items {
                        // SAFETY: each place of the tile was written.
                        from[item] = unsafe { all.read(t, start + item * lanes) };
                    }
                }
            });
        }
        pass += 1;
    }
    let mut moved = g.private([V::zeroed(); ITEMS]);
    // It has the workgroup memory for the barrier: all values are read before one is written.
    g.each((room.atomic(), &from, &mut moved), |t, (_, from, moved)| {
        let start = striped(t, lanes, items);
        for item in 0..ITEMS {
            if item < items && start + item * lanes < len && const { size_of::<V>() > 0 } {
                // SAFETY: as many values as keys, and a key's place is below their number.
                moved[item] = unsafe { values.get_unchecked(t, from[item] as usize) };
            }
        }
    });
    g.each((&mine, &moved), |t, (mine, moved)| {
        let start = striped(t, lanes, items);
        for item in 0..ITEMS {
            let at = start + item * lanes;
            if item < items && at < len {
                // SAFETY: as many values as keys.
                unsafe { keys.set_unchecked(t, at, mine[item]) };
                if const { size_of::<V>() > 0 } {
                    // SAFETY: as many values as keys.
                    unsafe { values.set_unchecked(t, at, moved[item]) };
                }
            }
        }
    });
}
