//! Histograms are what a plain loop gives.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::cpu::histogram::{histogram, histogram_of_bins};
use crate::cpu::testing::{Random, all_workers, workers};

#[test]
fn each_bin_has_its_count() {
    let mut random = Random::new(40);
    for case in 0..60 {
        let len = if case == 0 { 1_000_000 } else { random.len() };
        let bins = [0, 1, 2, 10, 256, 5000, 70_000][case % 7];
        let indices = random.vec(len, |bits| (bits % (bins + bins / 5 + 1) as u64) as u32);
        let mut expected = vec![1_u32; bins];
        for &index in &indices {
            if let Some(count) = expected.get_mut(index as usize) {
                *count += 1;
            }
        }
        for workers in all_workers() {
            let mut counts = vec![1_u32; bins];
            // SAFETY: as many as there are.
            unsafe { histogram_of_bins(workers, &indices[..], len, &mut counts) };
            assert!(counts == expected, "{len} in {bins}");
        }
    }
}

#[test]
fn a_panic_comes_to_the_caller() {
    for threads in [1, 2, 5] {
        let bin = |i: usize| if i == 123_456 { panic!("bad") } else { i % 10 };
        // SAFETY: any number may be asked for.
        let count = || unsafe { histogram(workers(threads), 200_000, bin, &mut [0_u32; 10]) };
        assert_eq!(catch_unwind(AssertUnwindSafe(count)).unwrap_err().downcast_ref(), Some(&"bad"));
    }
}
