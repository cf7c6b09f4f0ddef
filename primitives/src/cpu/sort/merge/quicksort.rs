//! Sort of a block by one thread: stable quicksort by way of a second place, in the manner of O. Peters' and L. Bergdoll's driftsort.

use super::merge::merge;
use super::small::{SMALL, small_sort};

/// From so many elements on, a pivot is the median of medians.
const MANY: usize = 64;

/// Sorts, stable. `temp` is as long.
pub(in crate::cpu::sort) fn sort_block<T: Copy>(
    v: &mut [T],
    temp: &mut [T],
    is_less: &impl Fn(&T, &T) -> bool,
) {
    if v.len() < 2 {
        return;
    }
    let descends = is_less(&v[1], &v[0]);
    let run = 1 + v.windows(2).take_while(|pair| is_less(&pair[1], &pair[0]) == descends).count();
    if run < v.len() {
        quicksort(v, temp, 2 * v.len().ilog2(), None, is_less);
    } else if descends {
        v.reverse();
    }
}

/// Sorts; `limit` bounds how often parts are parted. No element is less than `bound`.
fn quicksort<T: Copy>(
    mut v: &mut [T],
    temp: &mut [T],
    mut limit: u32,
    mut bound: Option<T>,
    is_less: &impl Fn(&T, &T) -> bool,
) {
    while v.len() > SMALL {
        if limit == 0 {
            return merge_blocks(v, temp, is_less);
        }
        limit -= 1;
        let pivot = pivot(v, is_less);
        let below = match bound {
            // None is below the pivot where it equals the bound.
            Some(bound) if !is_less(&bound, &pivot) => 0,
            _ => partition(v, temp, |element| is_less(element, &pivot)),
        };
        if below == 0 {
            // Those that aren't above it equal it, and are in order.
            let equal = partition(v, temp, |element| !is_less(&pivot, element));
            v = &mut v[equal..];
            bound = None;
        } else {
            let (low, high) = v.split_at_mut(below);
            quicksort(high, temp, limit, Some(pivot), is_less);
            v = low;
        }
    }
    small_sort(v, temp, is_less);
}

/// Brings those that are `low` to the front, all in the order that they had, and says how many they are.
fn partition<T: Copy>(v: &mut [T], temp: &mut [T], low: impl Fn(&T) -> bool) -> usize {
    assert!(temp.len() >= v.len());
    let mut lows = 0;
    for i in 0..v.len() {
        // SAFETY: no more are low than were looked at, and `temp` is as long.
        unsafe {
            let element = v.as_mut_ptr().add(i);
            let is_low = low(&*element);
            temp.as_mut_ptr().add(i - lows).copy_from_nonoverlapping(element, 1);
            v.as_mut_ptr().add(lows).copy_from(element, 1);
            lows += usize::from(is_low);
        }
    }
    let highs = v.len() - lows;
    v[lows..].copy_from_slice(&temp[..highs]);
    lows
}

/// An element near the middle of the order.
fn pivot<T: Copy>(v: &[T], is_less: &impl Fn(&T, &T) -> bool) -> T {
    let eighth = v.len() / 8;
    median([0, 4 * eighth, 7 * eighth], eighth, v, is_less)
}

/// The median of three elements, or of the medians of parts that begin with them.
fn median<T: Copy>(starts: [usize; 3], part: usize, v: &[T], is_less: &impl Fn(&T, &T) -> bool) -> T {
    let [a, b, c] = starts.map(|start| {
        let eighth = part / 8;
        if part < MANY / 8 {
            v[start]
        } else {
            median([start, start + 4 * eighth, start + 7 * eighth], eighth, v, is_less)
        }
    });
    let (ab, ac) = (is_less(&a, &b), is_less(&a, &c));
    if ab != ac {
        a
    } else if is_less(&b, &c) == ab {
        b
    } else {
        c
    }
}

/// Sorts, however the elements lie: small blocks, then merges of two and two.
fn merge_blocks<T: Copy>(v: &mut [T], temp: &mut [T], is_less: &impl Fn(&T, &T) -> bool) {
    let temp = &mut temp[..v.len()];
    for block in v.chunks_mut(SMALL) {
        small_sort(block, temp, is_less);
    }
    let mut run = SMALL;
    while run < v.len() {
        for (pair, out) in v.chunks(2 * run).zip(temp.chunks_mut(2 * run)) {
            let (a, b) = pair.split_at(run.min(pair.len()));
            merge(a, b, out, is_less);
        }
        v.copy_from_slice(temp);
        run *= 2;
    }
}
