//! Radix sort from the lowest digit up, by one thread, of items that fit into a cache.

use std::any::TypeId;
use std::ops::Range;

use super::insertion::insertion_sort;
use super::items::Items;
use super::key::{Bits, RadixKey};
use super::merge::{SMALL, small_sort};
use super::order::Order;

/// The most items: half of a second-level cache of 1 MiB has them, with 8-byte keys and their copies.
pub(super) const MOST: usize = 1 << 16;

/// Up to so many items are sorted by insertion.
pub(super) const FEW: usize = 12;

/// The widest digit, in bits: the counts of one stay in a first-level cache.
const WIDEST: u32 = 11;

/// The digits that are counted in one pass over the items.
const DIGITS: usize = 4;

/// Bits that are sorted beyond those that tell `len` random keys apart, before an insertion sort does the rest: then few keys move.
const SPARE: u32 = 4;

/// Places that a thread counts digits in.
#[derive(Default)]
pub(super) struct Counts(Vec<u32>);

impl Counts {
    /// So many, all zero.
    fn zeros(&mut self, len: usize) -> &mut [u32] {
        if self.0.len() < len {
            self.0.resize(len, 0);
        }
        let counts = &mut self.0[..len];
        counts.fill(0);
        counts
    }
}

/// Sorts `len` items that are in `places[at]` into the first place, stable.
///
/// The highest digits are sorted from the lowest of them up, and an insertion sort does the rest, as R. Sedgewick, *Algorithms in C*,
/// describes (section 10.6, sublinear-time sorts). Where that would move too many, all digits are sorted.
///
/// # Safety
/// Both places have `len` items, at most [`MOST`], which nobody else reads or writes, and don't overlap.
pub(super) unsafe fn lsd_sort<K: RadixKey, V: Copy>(
    places: [Items<K, V>; 2],
    len: usize,
    mut at: usize,
    order: Order<K::Bits>,
    counts: &mut Counts,
) {
    // SAFETY: all have `len`.
    unsafe {
        if size_of::<V>() == 0 && len <= SMALL {
            if at == 1 {
                places[0].copy(places[1], len);
            }
            let [keys, temp] = places.map(|place| place.keys_mut(len));
            small_sort(keys, temp, &|&a, &b| order.rank(a) < order.rank(b));
            return;
        }
        if len <= FEW {
            insertion_sort(places[at], places[0], len, order, usize::MAX);
            return;
        }
        let bits = order.varying(places[at].keys(len));
        let random = usize::BITS - len.leading_zeros() + SPARE;
        // Where keys aren't random, as floats' exponents never are, more bits are sorted, and then all.
        for attempt in usize::from(is_float::<K>())..3 {
            let enough = match attempt {
                0 => random,
                1 => missing(places[at].keys(len), order, bits.end, counts)
                    .map_or(u32::MAX, |bits| random + bits),
                _ => u32::MAX,
            };
            let sorted = enough.min(bits.len() as u32);
            let digits = sorted.div_ceil(len.ilog2().min(WIDEST)).max(1);
            let width = sorted.div_ceil(digits).max(1);
            let low = bits.end.saturating_sub(digits * width).max(bits.start);
            passes(places, &mut at, len, order, (low..bits.end, width), counts);
            if low == bits.start {
                break;
            }
            if insertion_sort(places[at], places[0], len, order, len) {
                return;
            }
            at = 0;
        }
        if at == 1 {
            places[0].copy(places[1], len);
        }
    }
}

fn is_float<K: 'static>() -> bool {
    [TypeId::of::<f32>(), TypeId::of::<f64>()].contains(&TypeId::of::<K>())
}

/// How many bits more than of random keys tell these apart, by the highest digit below bit `high`: it does as much as a digit of fewer bits
/// of random keys, by the chance that two keys have the same (Rényi's collision entropy). None where most keys have the same.
fn missing<K: RadixKey>(keys: &[K], order: Order<K::Bits>, high: u32, counts: &mut Counts) -> Option<u32> {
    let width = high.min(WIDEST);
    let counts = counts.zeros(1 << width);
    // SAFETY: there are as many places as the digit has values.
    unsafe { count::<K, 1>(keys, order, high - width, width, counts) };
    if counts.iter().any(|&count| count as usize > keys.len() / 4 * 3) {
        return None;
    }
    let equal: u64 = counts.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
    let pairs = keys.len() as u64 * keys.len() as u64;
    Some(width.saturating_sub((pairs / equal.max(1)).max(1).ilog2()) + 1)
}

/// Sorts by the bits of a range, from the lowest digit up, each of a width. The items are in `places[at]`, before and after.
///
/// # Safety
/// As for [`lsd_sort`].
unsafe fn passes<K: RadixKey, V: Copy>(
    places: [Items<K, V>; 2],
    at: &mut usize,
    len: usize,
    order: Order<K::Bits>,
    (bits, width): (Range<u32>, u32),
    counts: &mut Counts,
) {
    let mut low = bits.start;
    while low < bits.end {
        let shifts =
            (0..DIGITS as u32).map(|digit| low + digit * width).take_while(|&shift| shift < bits.end);
        let digits = shifts.clone().count();
        // SAFETY: there are `len` items; the digits of a rank are below `1 << width`.
        unsafe {
            let keys = places[*at].keys(len);
            let counts = counts.zeros(digits << width);
            match digits {
                1 => count::<K, 1>(keys, order, low, width, counts),
                2 => count::<K, 2>(keys, order, low, width, counts),
                3 => count::<K, 3>(keys, order, low, width, counts),
                _ => count::<K, DIGITS>(keys, order, low, width, counts),
            }
            for (shift, counts) in shifts.zip(counts.chunks_exact_mut(1 << width)) {
                let first = order.rank(places[*at].key(0)).digit(shift, (1 << width) - 1);
                if counts[first] as usize != len {
                    scatter(places[*at], places[1 - *at], len, order, shift, counts);
                    *at = 1 - *at;
                }
            }
        }
        low += DIGITS as u32 * width;
    }
}

/// Counts the digits from bit `low` up, each in a part of `counts`.
///
/// # Safety
/// There are places for so many digits.
unsafe fn count<K: RadixKey, const DIGITS: usize>(
    keys: &[K],
    order: Order<K::Bits>,
    low: u32,
    width: u32,
    counts: &mut [u32],
) {
    let mask = (1 << width) - 1;
    for &key in keys {
        let rank = order.rank(key);
        for digit in 0..DIGITS {
            let shift = low + digit as u32 * width;
            let place = (digit << width) + rank.digit(shift, mask);
            // SAFETY: a digit is below `1 << width`, and the caller says that there are as many places.
            unsafe { *counts.get_unchecked_mut(place) += 1 };
        }
    }
}

/// Moves the items to where those with their digit go.
///
/// # Safety
/// As for [`lsd_sort`]; `counts` says how many items have each digit.
unsafe fn scatter<K: RadixKey, V: Copy>(
    from: Items<K, V>,
    to: Items<K, V>,
    len: usize,
    order: Order<K::Bits>,
    shift: u32,
    counts: &mut [u32],
) {
    let mut next = 0;
    for count in counts.iter_mut() {
        (*count, next) = (next, next + *count);
    }
    let mask = counts.len() - 1;
    for i in 0..len {
        // SAFETY: `i` is below `len`. The digit is below the number of counts. Where an item goes is below `len`, because each place is
        // taken once: as many items have the digit as were counted.
        unsafe {
            let key = from.key(i);
            let place = counts.get_unchecked_mut(order.rank(key).digit(shift, mask));
            to.set(*place as usize, key, from.value(i));
            *place += 1;
        }
    }
}
