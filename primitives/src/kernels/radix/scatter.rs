//! A pass by counts of each tile, for devices whose groups don't wait for each other; and what it has in common with the other passes.

use gridwright::group::ArrayElement;
use gridwright::ownership::Anywhere;
use gridwright::prelude::*;

use super::exchange::{in_round, place, rounds};
use super::rank::rank;
use super::{BLOCK, DIGITS, Digit, ITEMS, ROOM, TILE, striped};
use crate::SortKey;
use crate::kernels::places::Places;

/// Where a digit's elements begin, less those of lower digits in the tile.
pub(super) trait Start: ArrayElement {
    fn plus(self, places: usize) -> Self;

    fn place(self) -> usize;
}

macro_rules! starts {
    ($($start:ty)*) => {$(
        impl Start for $start {
            #[inline(always)]
            fn plus(self, places: usize) -> Self {
                self.wrapping_add(places as $start)
            }

            #[inline(always)]
            fn place(self) -> usize {
                self as usize
            }
        }
    )*};
}

starts!(u32 u64);

/// The elements of a group.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    first: usize,
    len: usize,
}

impl Tile {
    #[inline(always)]
    pub(super) fn new(first: usize, all: usize) -> Self {
        Self { first, len: (all - first).min(TILE) }
    }
}

/// A tile's keys and their digits. Behind the last one are digits above all others, so that they come last.
#[inline(always)]
pub(super) fn load<'k, K: SortKey, S: GroupShape>(
    g: &Group<'k, S>,
    tile: Tile,
    digit: Digit,
    keys: &[K],
) -> (Private<'k, [K; ITEMS]>, Private<'k, [u32; ITEMS]>) {
    let lanes = g.warp_size();
    let mut mine = g.private([K::zeroed(); ITEMS]);
    let mut digits = g.private([DIGITS as u32 - 1; ITEMS]);
    if tile.len == TILE {
        g.each((&mut mine, &mut digits), |t, (mine, digits)| {
            let first = tile.first + striped(t, lanes, ITEMS);
            for item in 0..ITEMS {
                // SAFETY: all of the tile is there.
                mine[item] = unsafe { *keys.get_unchecked(first + item * lanes) };
            }
            for item in 0..ITEMS {
                digits[item] = digit.of(mine[item]);
            }
        });
    } else {
        g.each((&mut mine, &mut digits), |t, (mine, digits)| {
            let first = tile.first + striped(t, lanes, ITEMS);
            for item in 0..ITEMS {
                if let Some(key) = keys.get(first + item * lanes) {
                    (mine[item], digits[item]) = (*key, digit.of(*key));
                }
            }
        });
    }
    (mine, digits)
}

/// Writes a tile's elements, which have `places` in the tile, to their places of all.
///
/// # Safety
/// A digit's start and an element's place in the tile are the element's place of all: one of its own, and below the number of elements.
#[inline(always)]
pub(super) unsafe fn put<K: SortKey, V: KernelArg, P: Start, S: GroupShape>(
    g: &Group<'_, S>,
    tile: Tile,
    digit: Digit,
    (keys, values): (&Private<'_, [K; ITEMS]>, &[V]),
    places: &Private<'_, [u32; ITEMS]>,
    starts: &Workgroup<'_, [P; DIGITS]>,
    room: &mut Workgroup<'_, [u32; ROOM]>,
    (to_keys, to_values): (Anywhere<'_, K>, Anywhere<'_, V>),
) {
    let is_whole = tile.len == TILE;
    let mut targets = g.private([P::zeroed(); ITEMS]);
    let all = Places::<K>::new(room.as_mut_ptr().cast());
    for round in 0..rounds::<K>() {
        g.each((room.atomic(), keys, places), |t, (_, keys, places)| {
            for item in 0..ITEMS {
                if let Some(place) = in_round::<K>(places[item] as usize, round) {
                    // SAFETY: places of a tile differ, and are below its elements.
                    unsafe { all.write(t, place, keys[item]) };
                }
            }
        });
        g.each((room.atomic(), starts.shared(), &mut targets), |t, (_, starts, targets)| {
            for item in 0..ITEMS {
                let at = place(t, item);
                if let Some(place) = in_round::<K>(at, round)
                    && (is_whole || at < tile.len)
                {
                    // SAFETY: each place of the tile was written.
                    let key = unsafe { all.read(t, place) };
                    let target = starts[digit.of(key) as usize].plus(at);
                    targets[item] = target;
                    // SAFETY: the caller says so.
                    unsafe { to_keys.set_unchecked(t, target.place(), key) };
                }
            }
        });
    }
    if const { size_of::<V>() == 0 } {
        return;
    }
    let lanes = g.warp_size();
    let all = Places::<V>::new(room.as_mut_ptr().cast());
    for round in 0..rounds::<V>() {
        g.each((room.atomic(), places), |t, (_, places)| {
            let first = striped(t, lanes, ITEMS);
            for item in 0..ITEMS {
                let at = first + item * lanes;
                if let Some(place) = in_round::<V>(places[item] as usize, round)
                    && (is_whole || at < tile.len)
                {
                    // SAFETY: as many values as keys; places of a tile differ, and are below its elements.
                    unsafe { all.write(t, place, *values.get_unchecked(tile.first + at)) };
                }
            }
        });
        g.each((room.atomic(), &targets), |t, (_, targets)| {
            for item in 0..ITEMS {
                let at = place(t, item);
                if let Some(place) = in_round::<V>(at, round)
                    && (is_whole || at < tile.len)
                {
                    // SAFETY: each place below the tile's length was written; the caller says the rest.
                    unsafe { to_values.set_unchecked(t, targets[item].place(), all.read(t, place)) };
                }
            }
        });
    }
}

/// Counts each tile's digits: a row for each value of the digit, an element for each tile.
///
/// # Safety
/// There is a group for each tile of the keys.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn count_tiles<K: SortKey>(
    g: &Group,
    digit: Digit,
    keys: &[K],
    counts: Atomic<[u64]>,
    mut bins: Workgroup<[u32; DIGITS]>,
) {
    let tile = Tile::new(g.index() * TILE, keys.len());
    g.fill(&mut bins, 0);
    g.each(bins.atomic(), |t, bins| {
        for item in 0..ITEMS {
            let at = place(t, item);
            if at < tile.len {
                // SAFETY: the tile is of the keys.
                let key = unsafe { *keys.get_unchecked(tile.first + at) };
                bins.fetch_add(t, digit.of(key) as usize, 1);
            }
        }
    });
    let tiles = counts.len() / DIGITS;
    g.each(bins.shared(), |t, bins| {
        let value = t.local().x;
        if value < DIGITS {
            counts.set(t, value * tiles + tile.first / TILE, bins[value].into());
        }
    });
}

/// Makes of each row of counts what the tiles before have, and gives each row's total: a group has a row.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub fn starts(g: &Group, counts: Atomic<[u64]>, mut totals: PerGroup<[u64]>) {
    let tiles = counts.len() / DIGITS;
    let row = g.index() * tiles;
    let (mut first, mut sum) = (0, 0);
    while first < tiles {
        let own = g.map((), |t, ()| {
            let tile = first + t.local().x;
            if tile < tiles { counts.read(t, row + tile) } else { 0 }
        });
        let before = g.scan_exclusive(&own, sum, u64::wrapping_add);
        g.each(&before, |t, before| {
            let tile = first + t.local().x;
            if tile < tiles {
                counts.set(t, row + tile, *before);
            }
        });
        sum += g.reduce(&own, u64::wrapping_add);
        first += BLOCK;
    }
    totals.set(g, sum);
}

/// A pass by the counts before each tile and the totals of each value of the digit.
///
/// # Safety
/// `to_keys` is as long as `keys`, and so are `values` and `to_values`, unless they have no size. There is a group for each tile. `counts` and
/// `totals` are what [`count_tiles`] and [`starts`](struct@starts) made of these keys and this digit.
#[gpu_kernel(block = BLOCK, min_groups = 2, cpu = off)]
pub unsafe fn scatter<K: SortKey, V: KernelArg>(
    g: &Group,
    digit: Digit,
    keys: &[K],
    values: &[V],
    counts: &[u64],
    totals: &[u64],
    mut to_keys: PerThread<[K]>,
    mut to_values: PerThread<[V]>,
    mut room: Workgroup<[u32; ROOM]>,
    mut starts: Workgroup<[u64; DIGITS]>,
) {
    let tile = Tile::new(g.index() * TILE, keys.len());
    let (mine, mut digits) = load(g, tile, digit, keys);
    let ranks = rank(g, &mut digits, ITEMS, &mut room, |_| {});
    let totals = g.map((), |t, ()| totals.get(t.local().x).copied().unwrap_or(0));
    let lower = g.scan_exclusive(&totals, 0, u64::wrapping_add);
    let (tiles, number) = (counts.len() / DIGITS, g.index());
    g.each((starts.atomic(), &lower, &ranks.before), |t, (starts, lower, before)| {
        let value = t.local().x;
        if value < DIGITS {
            starts.set(t, value, (lower + counts[value * tiles + number]).wrapping_sub((*before).into()));
        }
    });
    // SAFETY: by the counts each element has a place of its own.
    let to = unsafe { (to_keys.anywhere(), to_values.anywhere()) };
    // SAFETY: the places are below the number of elements, as the counts add up to it.
    unsafe { put(g, tile, digit, (&mine, values), &digits, &starts, &mut room, to) };
}
