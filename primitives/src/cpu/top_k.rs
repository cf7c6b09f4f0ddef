//! The least or the greatest of many elements.

use super::index::Index;
use super::shared::Shared;
use super::sort::{Bits, Order, RadixKey, radix_sort};
use super::{Read, Workers};

/// Bits that are looked at in one pass over the elements.
const DIGIT: u32 = 11;

/// Parts that a thread gets, so that one that is late doesn't delay the others.
const PARTS: usize = 4;

/// Fewer elements aren't worth a part.
const PART: usize = 1 << 14;

/// Up to so many are found in one pass, in which each part remembers twice as many.
const FEW: usize = 1 << 11;

/// Elements that are compared at a time, by vectors.
const BLOCK: usize = 32;

/// Where the elements found go: `k` keys and their places, and as many temporary ones.
pub(crate) struct Found<'k, K, O> {
    pub(crate) keys: &'k mut [K],
    pub(crate) places: &'k mut [O],
    pub(crate) keys_temp: &'k mut [K],
    pub(crate) places_temp: &'k mut [O],
}

/// Finds the `k` least of `len` elements, or the greatest where `descending`, in this order, and where they are. Of equal ones those that
/// come first are found, in the order that they have.
///
/// # Safety
/// The source has `len` elements.
///
/// # Panics
/// If the places aren't equally many, or more than there are elements.
pub(crate) unsafe fn top_k<K: RadixKey, O: Index>(
    workers: Workers,
    source: impl Read<Item = K>,
    len: usize,
    descending: bool,
    found: Found<'_, K, O>,
) {
    let Found { keys, places, keys_temp, places_temp } = found;
    let k = keys.len();
    assert!(places.len() == k && keys_temp.len() == k && places_temp.len() == k, "lengths differ");
    assert!(k <= len, "{k} of {len} elements");
    if k == 0 {
        return;
    }
    let order = Order::new(0..K::Bits::WIDTH, descending);
    let count = (len / PART).clamp(1, workers.threads() * PARTS);
    let parts = Parts { source, len, order, count };
    // SAFETY: the caller says that there are as many elements.
    unsafe {
        if k <= FEW && len / count >= 32 * k {
            let least = few(workers, parts, k);
            for ((key, place), (_, i)) in keys.iter_mut().zip(places).zip(least) {
                (*key, *place) = (source.get(i), O::from_usize(i));
            }
        } else {
            let bound = bound(workers, parts, k);
            collect(workers, parts, bound, keys, places);
            radix_sort(workers, keys, places, keys_temp, places_temp, 0..K::Bits::WIDTH, descending);
        }
    }
}

/// A source in parts, each a task.
#[derive(Clone, Copy)]
struct Parts<R, B> {
    source: R,
    len: usize,
    order: Order<B>,
    count: usize,
}

impl<R: Read<Item: RadixKey<Bits = B>>, B: Bits> Parts<R, B> {
    fn range(&self, part: usize) -> std::ops::Range<usize> {
        let len = self.len.div_ceil(self.count);
        (part * len).min(self.len)..((part + 1) * len).min(self.len)
    }

    /// # Safety
    /// There are more than `i` elements.
    #[inline(always)]
    unsafe fn rank(&self, i: usize) -> B {
        // SAFETY: the caller says so.
        self.order.rank(unsafe { self.source.get(i) })
    }
}

/// The `k` least and where they are: each part remembers its least, and looks only for lesser ones.
///
/// # Safety
/// There are as many elements as the parts have.
unsafe fn few<R: Read<Item: RadixKey<Bits = B>>, B: Bits>(
    workers: Workers,
    parts: Parts<R, B>,
    k: usize,
) -> Vec<(B, usize)> {
    let room = 2 * k + BLOCK;
    let mut all = vec![(B::ZERO, 0); parts.count * room];
    let mut lens = vec![0; parts.count];
    let (rows, row_lens) = (Shared::new(&mut all), Shared::new(&mut lens));
    workers.run(parts.count, |part| {
        // SAFETY: the task's row.
        let (row, len) =
            unsafe { (rows.part(part * room..(part + 1) * room), &mut row_lens.part(part..part + 1)[0]) };
        let mut bound = None;
        let range = parts.range(part);
        let mut start = range.start;
        while start < range.end {
            let block = start..range.end.min(start + BLOCK);
            start = block.end;
            // SAFETY: there are as many.
            let rank = |i| unsafe { parts.rank(i) };
            if bound.is_some_and(|bound| !block.clone().fold(false, |any, i| any | (rank(i) < bound))) {
                continue;
            }
            for i in block {
                if bound.is_none_or(|bound| rank(i) < bound) {
                    row[*len] = (rank(i), i);
                    *len += 1;
                }
            }
            if *len > row.len() - BLOCK {
                row[..*len].select_nth_unstable(k - 1);
                *len = k;
                // Those that come later lose against what equals them.
                bound = Some(row[k - 1].0);
            }
        }
    });
    let mut least: Vec<_> = all.chunks(room).zip(lens).flat_map(|(row, len)| &row[..len]).copied().collect();
    least.sort_unstable();
    least.truncate(k);
    least
}

/// A rank that tells the `k` least, digit by digit: those below it, and as many of those that have it as said.
///
/// # Safety
/// There are as many elements as the parts have, `k` at least.
unsafe fn bound<R: Read<Item: RadixKey<Bits = B>>, B: Bits>(
    workers: Workers,
    parts: Parts<R, B>,
    k: usize,
) -> (B, usize) {
    let (mut prefix, mut left, mut high) = (B::ZERO, k, B::WIDTH);
    let mut counts = vec![0_usize; parts.count << DIGIT];
    while high > 0 {
        let low = high.saturating_sub(DIGIT);
        let digits = 1 << (high - low);
        let known = B::between(high, B::WIDTH);
        counts.fill(0);
        let rows = Shared::new(&mut counts);
        workers.run(parts.count, |part| {
            // SAFETY: the task's row; digits are below its length; there are as many elements.
            unsafe {
                let counts = rows.part(part << DIGIT..(part + 1) << DIGIT);
                for i in parts.range(part) {
                    let rank = parts.rank(i);
                    if rank & known == prefix {
                        *counts.get_unchecked_mut(rank.digit(low, digits - 1)) += 1;
                    }
                }
            }
        });
        for digit in 0..digits {
            let count = counts.iter().skip(digit).step_by(1 << DIGIT).sum::<usize>();
            if left <= count {
                prefix = prefix | B::from_digit(digit, low);
                if left == count {
                    // All of this digit are among them.
                    return (prefix | B::between(0, low), parts.len);
                }
                break;
            }
            left -= count;
        }
        high = low;
    }
    (prefix, left)
}

/// Writes those below the bound, and then the first that have its rank, with where they are. In a part that changes meanwhile some are missing.
///
/// # Safety
/// There are as many elements as the parts have.
unsafe fn collect<R: Read<Item = K>, K: RadixKey, O: Index>(
    workers: Workers,
    parts: Parts<R, K::Bits>,
    (bound, ties): (K::Bits, usize),
    keys: &mut [K],
    places: &mut [O],
) {
    let k = keys.len();
    // How many of a part are below the bound, and have its rank.
    let mut counts = vec![[0_usize; 2]; parts.count];
    let rows = Shared::new(&mut counts);
    workers.run(parts.count, |part| {
        let (mut below, mut equal) = (0, 0);
        for i in parts.range(part) {
            // SAFETY: there are as many.
            let rank = unsafe { parts.rank(i) };
            below += usize::from(rank < bound);
            equal += usize::from(rank == bound);
        }
        // SAFETY: the task's own place.
        unsafe { rows.part(part..part + 1)[0] = [below, equal] };
    });
    let mut first = [0, counts.iter().map(|count| count[0]).sum::<usize>().min(k)];
    let ends = [first[1], k.min(first[1].saturating_add(ties))];
    // Where a part's begin, and those of the next.
    let ranges: Vec<_> = counts
        .into_iter()
        .map(|count| {
            let range = [0, 1].map(|i| first[i].min(ends[i])..(first[i] + count[i]).min(ends[i]));
            first = [first[0] + count[0], first[1] + count[1]];
            range
        })
        .collect();
    let (keys, places) = (Shared::new(keys), Shared::new(places));
    workers.run(parts.count, |part| {
        // SAFETY: ranges of parts don't overlap, and end with the keys; there are as many elements.
        unsafe {
            let mut targets =
                ranges[part].clone().map(|range| keys.part(range.clone()).iter_mut().zip(places.part(range)));
            for i in parts.range(part) {
                let key = parts.source.get(i);
                let rank = parts.order.rank(key);
                if rank <= bound
                    && let Some((to, place)) = targets[usize::from(rank == bound)].next()
                {
                    (*to, *place) = (key, O::from_usize(i));
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{Found, top_k};
    use crate::cpu::testing::{Random, workers};

    fn check(threads: usize, keys: &[u32], k: usize, descending: bool) {
        let mut expected: Vec<_> = keys.iter().copied().zip(0_u32..).collect();
        expected.sort_by(|a, b| if descending { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) });
        let (mut least, mut places) = (vec![0; k], vec![0_u32; k]);
        let found = Found {
            keys: &mut least,
            places: &mut places,
            keys_temp: &mut vec![0; k],
            places_temp: &mut vec![0; k],
        };
        // SAFETY: as many as the slice has.
        unsafe { top_k(workers(threads), keys, keys.len(), descending, found) };
        assert!(least.into_iter().zip(places).eq(expected.into_iter().take(k)), "{k} of {}", keys.len());
    }

    #[test]
    fn the_first_of_a_stable_sort_are_found() {
        let mut random = Random::new(11);
        for (i, len) in [0, 1, 5, 31, 33, 600, 3000, 40_000, 100_000].into_iter().enumerate() {
            for limit in [1, 7, 1000, 1 << 32] {
                let keys: Vec<_> = (0..len).map(|_| (random.next() % limit) as u32).collect();
                for k in [0, 1, 10, 511, 5000, len / 2, len] {
                    check([1, 2, 5][random.below(3)], &keys, k.min(len), i % 2 == 0);
                }
            }
        }
    }

    #[test]
    fn elements_in_order_are_found_too() {
        let keys: Vec<u32> = (0..50_000).collect();
        for k in [3, 100, 20_000] {
            check(2, &keys, k, false);
            check(2, &keys, k, true);
        }
    }

    #[test]
    #[should_panic(expected = "2 of 1 elements")]
    fn there_must_be_so_many() {
        check(1, &[1], 2, false);
    }
}
