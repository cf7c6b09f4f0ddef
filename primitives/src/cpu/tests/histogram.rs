//! Histograms are what a plain loop gives.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Random, all_workers, workers};
use crate::cpu::histogram::{histogram, histogram_by_ranges, histogram_of_bins};
use crate::cpu::histogram_even::{Even, histogram_even};

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
fn ranges_hold_what_is_at_least_their_lower_bound_and_below_the_upper() {
    let mut random = Random::new(41);
    for case in 0..60 {
        let len = random.len();
        let mut bounds = random.vec([0, 1, 2, 3, 20, 300][case % 6], |bits| (bits % 100) as f32);
        bounds.sort_by(f32::total_cmp);
        let elements =
            random.vec(len, |bits| if bits % 101 == 0 { f32::NAN } else { (bits % 240) as f32 / 2.0 - 10.0 });
        let bins = bounds.len().saturating_sub(1);
        let mut expected = vec![0_u64; bins];
        for element in &elements {
            // Of empty ranges none.
            if let Some(bin) = (0..bins).find(|&i| bounds[i] <= *element && *element < bounds[i + 1]) {
                expected[bin] += 1;
            }
        }
        for workers in all_workers() {
            let mut counts = vec![0_u64; bins];
            // SAFETY: as many as there are.
            unsafe { histogram_by_ranges(workers, &elements[..], len, &bounds, &mut counts) };
            assert!(counts == expected, "{len} in {bounds:?}");
        }
    }
}

#[test]
fn bounds_out_of_order_write_nothing_outside() {
    let bounds = [5.0, 1.0, f64::NAN, 7.0, 2.0];
    let elements: Vec<_> = (0..100_000).map(|i| f64::from(i) * 1e-4).collect();
    // SAFETY: as many as there are.
    unsafe { histogram_by_ranges(workers(2), &elements[..], elements.len(), &bounds, &mut [0_u32; 4]) };
}

/// By wide integers.
macro_rules! check_integers {
    ($($integer:ty)*) => {
        $({
            let mut random = Random::new(42);
            for case in 0..400 {
                let [a, b] = [0; 2].map(|_| (random.next() as i128 * 3_000_037 ^ random.next() as i128) as $integer);
                let (mut lower, mut upper) = (a.min(b), a.max(b));
                match case % 8 {
                    0 => (lower, upper) = (<$integer>::MIN, <$integer>::MAX),
                    1 => upper = lower.saturating_add(10),
                    _ => {}
                }
                let bins = [1, 2, 7, 100, 256, 4097, 70_000][case % 7];
                let scale = lower.max(<$integer>::MIN).bin_scale(upper, bins);
                let range = upper as i128 - lower as i128;
                let check = |x: $integer| {
                    let expected = if x < lower || x >= upper { usize::MAX } else {
                        ((x as i128 - lower as i128) * bins as i128 / range) as usize
                    };
                    assert_eq!(x.bin(lower, upper, bins, scale), expected, "{x} of {lower}..{upper} in {bins}");
                };
                for _ in 0..20 {
                    check((random.next() as i128 * 3_000_037) as $integer);
                    // At the edges of bins.
                    let bin = random.below(bins) as i128;
                    for near in -1..=1 {
                        if range > 0 {
                            let edge = (bin * range + bins as i128 - 1) / bins as i128 + near;
                            check((lower as i128 + edge) as $integer);
                        }
                    }
                }
            }
        })*
    };
}

/// The scale of bins from a lower bound on.
trait BinScale: Even {
    fn bin_scale(self, upper: Self, bins: usize) -> Self::Scale {
        Self::scale(self, upper, bins)
    }
}

impl<T: Even> BinScale for T {}

#[test]
fn even_bins_of_integers_are_exact() {
    check_integers!(u8 i8 u16 i16 u32 i32 u64 i64);
}

#[test]
fn even_bins_of_floats_hold_what_is_within() {
    let elements =
        [-0.1, 0.0, 0.24, 0.25, 0.99, f64::from_bits(1_f64.to_bits() - 1), 1.0, f64::NAN, f64::INFINITY];
    for workers in all_workers() {
        let mut counts = [0_u32; 4];
        // SAFETY: as many as there are.
        unsafe { histogram_even(workers, &elements[..], elements.len(), 0.0, 1.0, &mut counts) };
        assert_eq!(counts, [2, 1, 0, 2]);
        let mut none: [u32; 0] = [];
        // SAFETY: as above.
        unsafe { histogram_even(workers, &elements[..], elements.len(), 0.0, 1.0, &mut none) };
        // Empty and reversed ranges hold nothing.
        for (lower, upper) in [(1.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0)] {
            let mut counts = [0_u32; 4];
            // SAFETY: as above.
            unsafe { histogram_even(workers, &elements[..], elements.len(), lower, upper, &mut counts) };
            assert_eq!(counts, [0; 4]);
        }
    }
    let floats: Vec<_> = (0..200_000).map(|i| (i % 1000) as f32).collect();
    for workers in all_workers() {
        let mut counts = [0_u64; 10];
        // SAFETY: as above.
        unsafe { histogram_even(workers, &floats[..], floats.len(), 0.0, 1000.0, &mut counts) };
        assert_eq!(counts, [20_000; 10]);
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
