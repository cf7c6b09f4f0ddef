//! Where values belong among sorted ones.

use std::hint::select_unpredictable;

use crate::cpu::index::Index;
use crate::cpu::shared::Shared;
use crate::cpu::{Read, Workers};

/// Searches that a thread makes at a time: the memory that each waits for comes meanwhile.
const LANES: usize = 8;

/// Needles of a task.
const TASK: usize = 1 << 12;

/// How many elements are less than each needle: where it can be put before all that equal it. One for each place of `found`.
///
/// # Safety
/// There are as many needles as places.
pub(crate) unsafe fn lower_bound<T: Sync, N: Read<Item = T>>(
    workers: Workers,
    sorted: &[T],
    needles: N,
    found: &mut [impl Index],
    is_less: impl Fn(&T, &T) -> bool + Sync,
) {
    // SAFETY: the caller says so.
    unsafe { search(workers, sorted, needles, found, |element, needle| is_less(element, needle)) };
}

/// How many elements aren't greater than each needle: where it can be put after all that equal it. One for each place of `found`.
///
/// # Safety
/// There are as many needles as places.
pub(crate) unsafe fn upper_bound<T: Sync, N: Read<Item = T>>(
    workers: Workers,
    sorted: &[T],
    needles: N,
    found: &mut [impl Index],
    is_less: impl Fn(&T, &T) -> bool + Sync,
) {
    // SAFETY: the caller says so.
    unsafe { search(workers, sorted, needles, found, |element, needle| !is_less(needle, element)) };
}

/// How many elements are before each needle.
///
/// # Safety
/// There are as many needles as places.
unsafe fn search<T: Sync, N: Read<Item = T>, O: Index>(
    workers: Workers,
    sorted: &[T],
    needles: N,
    found: &mut [O],
    before: impl Fn(&T, &T) -> bool + Sync,
) {
    let len = found.len();
    let found = Shared::new(found);
    workers.run(len.div_ceil(TASK), |task| {
        let start = task * TASK;
        // SAFETY: the task's own range.
        let found = unsafe { found.part(start..len.min(start + TASK)) };
        // SAFETY: there are as many needles as places.
        let needle = |i: usize| unsafe { needles.get(start + i) };
        let lanes = found.len() / LANES * LANES;
        for i in (0..lanes).step_by(LANES) {
            let all =
                search_all(sorted, &std::array::from_fn::<_, LANES, _>(|lane| needle(i + lane)), &before);
            for (found, place) in found[i..].iter_mut().zip(all) {
                *found = O::from_usize(place);
            }
        }
        for (i, found) in found.iter_mut().enumerate().skip(lanes) {
            let [place] = search_all(sorted, &[needle(i)], &before);
            *found = O::from_usize(place);
        }
    });
}

/// How many elements are before each needle, by halves, without branches.
fn search_all<T, const LANES: usize>(
    sorted: &[T],
    needles: &[T; LANES],
    before: &impl Fn(&T, &T) -> bool,
) -> [usize; LANES] {
    let mut first = [0; LANES];
    let mut size = sorted.len();
    while size > 0 {
        let half = size.div_ceil(2);
        for (first, needle) in first.iter_mut().zip(needles) {
            // SAFETY: from `first` on there are at least `size` elements, whatever was said before.
            let is_before = unsafe { before(sorted.get_unchecked(*first + half - 1), needle) };
            *first = select_unpredictable(is_before, *first + half, *first);
        }
        size -= half;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::{lower_bound, upper_bound};
    use crate::cpu::testing::{Random, workers};

    #[test]
    fn bounds_are_those_of_a_partition_point() {
        let mut random = Random::new(9);
        for len in [0, 1, 2, 3, 7, 8, 9, 100, 1000, 4097] {
            for needles in [0, 1, 8, 13, 3000] {
                let mut sorted: Vec<u64> = (0..len).map(|_| random.next() % 500).collect();
                sorted.sort_unstable();
                let needles: Vec<u64> = (0..needles).map(|_| random.next() % 502).collect();
                let (mut low, mut high) = (vec![9_u32; needles.len()], vec![9_usize; needles.len()]);
                // SAFETY: as many as there are.
                unsafe {
                    lower_bound(workers(2), &sorted, &needles[..], &mut low, |a, b| a < b);
                    upper_bound(workers(1), &sorted, &needles[..], &mut high, |a, b| a < b);
                }
                for ((needle, low), high) in needles.iter().zip(low).zip(high) {
                    assert_eq!(low as usize, sorted.partition_point(|element| element < needle));
                    assert_eq!(high, sorted.partition_point(|element| element <= needle));
                }
            }
        }
    }

    #[test]
    fn elements_out_of_order_give_some_place() {
        let mut random = Random::new(4);
        let elements: Vec<u64> = (0..1000).map(|_| random.next()).collect();
        let mut found = vec![0_u32; 1000];
        // SAFETY: as many as there are.
        unsafe { lower_bound(workers(2), &elements, &elements[..], &mut found, |a, b| (a ^ b) % 3 == 1) };
        assert!(found.into_iter().all(|place| place <= 1000));
    }
}
