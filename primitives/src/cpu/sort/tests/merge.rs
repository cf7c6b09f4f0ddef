//! Merge sort beside std's stable sort.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::merge_sort;
use crate::cpu::testing::{Random, workers};

type Comparison<'c> = dyn Fn(&u64, &u64) -> bool + Sync + 'c;
type Distribution = fn(u64, usize) -> u64;

const DISTRIBUTIONS: [Distribution; 8] = [
    |bits, _| bits,
    |bits, _| bits % 4,
    |bits, _| bits % 100,
    |_, _| 3,
    |_, i| i as u64,
    |_, i| u64::MAX - i as u64,
    |_, i| (i % 64) as u64,
    |bits, i| if bits % 50 == 0 { bits } else { i as u64 },
];

fn sorted_as_std(len: usize, threads: usize, distribution: Distribution, random: &mut Random) {
    let elements: Vec<(u64, u32)> =
        (0..len).zip(0..).map(|(i, place)| (distribution(random.next(), i), place)).collect();
    let mut expected = elements.clone();
    expected.sort_by_key(|element| element.0);
    let (mut sorted, mut temp) = (elements.clone(), elements);
    merge_sort(workers(threads), &mut sorted, &mut temp, |a, b| a.0 < b.0);
    assert!(sorted == expected, "{len} by {threads}");
}

#[test]
fn elements_are_sorted_as_std_does() {
    let mut random = Random::new(21);
    for distribution in DISTRIBUTIONS {
        for len in (0..70).chain([100, 255, 1000, 4095, 4096, 5000]) {
            sorted_as_std(len, [1, 2, 5][random.below(3)], distribution, &mut random);
        }
        sorted_as_std(50_000 + random.below(50_000), 2, distribution, &mut random);
        sorted_as_std(20_000 + random.below(9000), 5, distribution, &mut random);
    }
}

#[test]
fn a_comparison_that_is_no_order_gives_some_elements() {
    let mut random = Random::new(5);
    for len in [3, 30, 100, 3000, 30_000] {
        let elements: Vec<u64> = (0..len).map(|i| (i << 20) | (random.next() % 1000)).collect();
        let calls = AtomicUsize::new(1);
        let hash = |a: &u64, b: &u64| (a ^ b.rotate_left(7)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 63 == 1;
        let comparisons: [&Comparison<'_>; 5] =
            [&|_, _| true, &|a, b| a <= b, &|a, b| (a % 3 + 1) % 3 == b % 3, &hash, &|_, _| {
                (calls.fetch_add(0x9E37, Ordering::Relaxed).wrapping_mul(0x9E37_79B9) >> 17) & 1 == 1
            }];
        for is_less in comparisons {
            for threads in [1, 2] {
                let (mut sorted, mut temp) = (elements.clone(), elements.clone());
                merge_sort(workers(threads), &mut sorted, &mut temp, is_less);
                assert!(sorted.iter().all(|element| elements.binary_search(element).is_ok()));
            }
        }
    }
}

#[test]
fn a_comparison_that_panics_leaves_elements() {
    let mut random = Random::new(6);
    for (len, after) in [(10, 5), (200, 300), (20_000, 10), (20_000, 150_000), (20_000, 260_000)] {
        let elements: Vec<u64> = (0..len).map(|i| (i << 20) | (random.next() % 1000)).collect();
        let mut sorted: Vec<u64> = elements.clone();
        sorted.sort_by_key(|element| element % 1000);
        let (mut sorted, mut temp) = (sorted, elements.clone());
        sorted.rotate_left(len as usize / 3);
        let calls = AtomicUsize::new(0);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            merge_sort(workers(2), &mut sorted, &mut temp, |a, b| {
                assert!(calls.fetch_add(1, Ordering::Relaxed) != after, "the comparison");
                a.wrapping_mul(0x9E37_79B9) % 1009 < b.wrapping_mul(0x9E37_79B9) % 1009
            });
        }));
        assert_eq!(ran.unwrap_err().downcast_ref(), Some(&"the comparison"));
        assert!(sorted.iter().all(|element| elements.binary_search(element).is_ok()));
    }
}

#[test]
#[should_panic(expected = "lengths differ")]
fn lengths_must_agree() {
    merge_sort(workers(1), &mut [1, 2], &mut [0], |a, b| a < b);
}
