//! Segmented sorts beside std's sort of each segment.

use super::super::{SegmentOutside, merge_sort_segments, sort_segments};
use crate::cpu::testing::{Random, workers};

fn check(len: usize, offsets: &[u32], threads: usize, descending: bool, random: &mut Random) {
    let elements: Vec<(u32, u32)> =
        (0..len as u32).map(|i| (random.next() as u32 >> random.below(32), i)).collect();
    let mut expected = elements.clone();
    for pair in offsets.windows(2) {
        expected[pair[0] as usize..pair[1] as usize]
            .sort_by(|a, b| if descending { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) });
    }
    let (mut keys, mut values): (Vec<_>, Vec<_>) = elements.iter().copied().unzip();
    let (mut keys_temp, mut values_temp) = (keys.clone(), values.clone());
    let sorted = sort_segments(
        workers(threads),
        &mut keys,
        &mut values,
        &mut keys_temp,
        &mut values_temp,
        offsets,
        0..32,
        descending,
    );
    assert_eq!(sorted, Ok(()));
    assert!(keys.into_iter().zip(values).eq(expected.iter().copied()), "radix {len} {offsets:?}");
    let (mut sorted, mut temp) = (elements.clone(), elements);
    merge_sort_segments(workers(threads), &mut sorted, &mut temp, offsets, |a, b| {
        if descending { b.0 < a.0 } else { a.0 < b.0 }
    })
    .unwrap();
    assert!(sorted == expected, "merge {len} {offsets:?}");
}

#[test]
fn each_segment_is_sorted_as_std_does() {
    let mut random = Random::new(8);
    for (i, len) in [0, 1, 10, 100, 3000, 50_000, 120_000].into_iter().enumerate() {
        for mean in [1, 3, 20, 1000, 40_000] {
            let mut offsets = vec![random.below(len + 1) as u32 / 4];
            while let Some(next) = offsets.last().map(|last| last + random.below(2 * mean + 1) as u32)
                && next as usize <= len
                && offsets.len() <= len
            {
                offsets.push(next);
            }
            check(len, &offsets, [1, 2, 5][random.below(3)], i % 2 == 1, &mut random);
        }
    }
    check(100, &[], 2, false, &mut random);
    check(100, &[7], 2, false, &mut random);
    check(100_000, &[0, 70_000, 70_000, 70_001, 100_000], 2, false, &mut random);
}

#[test]
fn offsets_that_do_not_ascend_are_refused() {
    for (offsets, wrong) in [(&[0_u64, 3, 2, 4][..], 1), (&[0, 5], 0), (&[0, 4, u64::MAX, 4], 1)] {
        let mut keys = [4, 3, 2, 1];
        let sorted = merge_sort_segments(workers(2), &mut keys, &mut [0; 4], offsets, |a, b| a < b);
        assert_eq!(sorted, Err(SegmentOutside(wrong)));
        let (temp, values, values_temp) = (&mut [0; 4], &mut [(); 4], &mut [(); 4]);
        let sorted = sort_segments(workers(2), &mut keys, values, temp, values_temp, offsets, 0..32, false);
        assert_eq!(sorted, Err(SegmentOutside(wrong)));
        assert_eq!(keys, [4, 3, 2, 1]);
    }
}
