//! Radix sort with all threads: by the highest digit first, then each part within a cache.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::items::Items;
use super::key::{Bits, RadixKey};
use super::lsd::{Counts, MOST, lsd_sort};
use super::order::Order;
use super::partition::partition;
use crate::cpu::Workers;
use crate::cpu::shared::Shared;

/// Fewer items are sorted by the thread that calls.
pub(super) const SHARED: usize = 1 << 14;

/// Chunks that a thread gets, so that one that is late doesn't delay the others.
const CHUNKS: usize = 4;

/// Fewer items aren't worth a chunk, which has counts of its own.
const CHUNK: usize = 1 << 12;

/// The widest digit, in bits, of keys alone and with values. Writes to more places at a time miss the caches of address translation: on a
/// Zen 4, a wider digit by one bit takes three times as long.
const WIDEST: [u32; 2] = [9, 8];

/// The narrowest, where there are more bits: all threads get some part.
const NARROWEST: u32 = 5;

/// Items that a part of random keys has: its sort stays in a first-level cache.
const PART: usize = 1 << 8;

/// Sorts keys, and values with them, by the bits of a range: stable, from the lowest key up or from the highest down. Overwrites what the
/// temporary places have.
///
/// # Panics
/// If the lengths differ.
pub(crate) fn radix_sort<K: RadixKey, V: Copy + Send + Sync>(
    workers: Workers,
    keys: &mut [K],
    values: &mut [V],
    keys_temp: &mut [K],
    values_temp: &mut [V],
    bits: Range<u32>,
    descending: bool,
) {
    let len = keys.len();
    assert!(values.len() == len && keys_temp.len() == len && values_temp.len() == len, "lengths differ");
    let order = Order::new(bits, descending);
    if order.in_order(keys, |a, b| a <= b) {
        return;
    }
    // Only where none are equal: those would change their order.
    if order.in_order(keys, |a, b| a > b) {
        keys.reverse();
        values.reverse();
        return;
    }
    let (items, temp) = (Items::new(keys, values), Items::new(keys_temp, values_temp));
    // SAFETY: as many items as there are, in places of their own.
    unsafe {
        if len < SHARED || workers.threads() == 1 {
            sort_part([items, temp], len, 0, order, &mut Counts::default());
        } else {
            sort_shared(workers, [items, temp], len, 0, order);
        }
    }
}

/// Sorts keys as [`radix_sort`] does.
pub(crate) fn radix_sort_keys<K: RadixKey>(
    workers: Workers,
    keys: &mut [K],
    keys_temp: &mut [K],
    bits: Range<u32>,
    descending: bool,
) {
    let (values, temp) = (&mut vec![(); keys.len()], &mut vec![(); keys_temp.len()]);
    radix_sort(workers, keys, values, keys_temp, temp, bits, descending);
}

/// Sorts items that are in `places[at]` into the first place, by one thread.
///
/// # Safety
/// Both places have `len` items, which nobody else reads or writes, and don't overlap.
pub(super) unsafe fn sort_part<K: RadixKey, V: Copy + Send + Sync>(
    places: [Items<K, V>; 2],
    len: usize,
    at: usize,
    order: Order<K::Bits>,
    counts: &mut Counts,
) {
    // SAFETY: parts of the items are items; `starts` ascends up to `len`.
    unsafe {
        if len <= MOST {
            lsd_sort(places, len, at, order, counts);
            return;
        }
        let Some(digit) = highest_digit::<V>(order.varying(places[at].keys(len)), len) else {
            if at == 1 {
                places[0].copy(places[1], len);
            }
            return;
        };
        let starts = partition(None, places[at], places[1 - at], len, order, digit, 1);
        for pair in starts.windows(2) {
            let part = places.map(|place| place.from(pair[0]));
            sort_part(part, pair[1] - pair[0], 1 - at, order, counts);
        }
    }
}

/// Sorts as [`sort_part`], by all threads.
///
/// # Safety
/// As for [`sort_part`].
pub(super) unsafe fn sort_shared<K: RadixKey, V: Copy + Send + Sync>(
    workers: Workers,
    places: [Items<K, V>; 2],
    len: usize,
    at: usize,
    order: Order<K::Bits>,
) {
    let most = workers.threads() * CHUNKS;
    let chunks = (len / CHUNK).clamp(1, most);
    // SAFETY: parts of the items are items; each part is one task's.
    unsafe {
        let Some(digit) = highest_digit::<V>(varying(workers, places[at], len, order, chunks), len) else {
            if at == 1 {
                places[0].copy(places[1], len);
            }
            return;
        };
        let starts = partition(Some(workers), places[at], places[1 - at], len, order, digit, chunks);
        let parts = || starts.windows(2).map(|pair| (pair[0], pair[1] - pair[0]));
        // What would keep one thread busy while the others have nothing to do.
        let large = (len / most).max(SHARED);
        for (start, len) in parts().filter(|&(_, len)| len > large) {
            sort_shared(workers, places.map(|place| place.from(start)), len, 1 - at, order);
        }
        let next = AtomicUsize::new(0);
        workers.run(workers.threads(), |_| {
            let mut counts = Counts::default();
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                let Some((start, len)) = starts.get(part..part + 2).map(|pair| (pair[0], pair[1] - pair[0]))
                else {
                    break;
                };
                if len > 0 && len <= large {
                    sort_part(places.map(|place| place.from(start)), len, 1 - at, order, &mut counts);
                }
            }
        });
    }
}

/// The lowest bit and the width of the digit by which to part `len` items. None where no bits vary.
fn highest_digit<V>(varying: Range<u32>, len: usize) -> Option<(u32, u32)> {
    let parts = (len / PART).max(2).ilog2();
    let width = parts.clamp(NARROWEST, WIDEST[usize::from(size_of::<V>() > 0)]).min(varying.len() as u32);
    (width > 0).then(|| (varying.end - width, width))
}

/// The bits in which ranks differ, by all threads.
///
/// # Safety
/// There are `len` keys, which nobody writes.
unsafe fn varying<K: RadixKey, V: Copy + Send + Sync>(
    workers: Workers,
    items: Items<K, V>,
    len: usize,
    order: Order<K::Bits>,
    chunks: usize,
) -> Range<u32> {
    // SAFETY: the caller says so.
    let keys = unsafe { items.keys(len) };
    let mut found = vec![K::Bits::ZERO; chunks];
    let places = Shared::new(&mut found);
    workers.run(chunks, |task| {
        let chunk = len.div_ceil(chunks);
        let part = &keys[(task * chunk).min(len)..((task + 1) * chunk).min(len)];
        // SAFETY: the task's own place.
        unsafe { places.part(task..task + 1)[0] = order.differing(keys[0], part) };
    });
    found.into_iter().fold(K::Bits::ZERO, |any, bits| any | bits).extent()
}
