//! Reductions are what a plain loop gives.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::cpu::reduce::reduce;
use crate::cpu::reduce_matrix::{matrix_vector, reduce_columns, reduce_rows};
use crate::cpu::reduce_segments::reduce_segments;
use crate::cpu::segments::{OffsetError, Offsets};
use crate::cpu::testing::{Random, affine, all_workers, compose, workers};
use crate::cpu::{By, Read};
use crate::operators::{Add, Max};

#[test]
fn the_order_of_elements_is_kept() {
    let mut random = Random::new(10);
    for case in 0..80 {
        let len = if case == 0 { 1_000_003 } else { random.len() };
        let maps = random.vec(len, affine);
        let expected = maps.iter().copied().fold((1, 0), compose);
        for workers in all_workers() {
            // SAFETY: as many as there are.
            assert_eq!(unsafe { reduce(workers, &maps[..], len, (1, 0), compose) }, expected, "{len}");
        }
    }
}

#[test]
fn sums_of_floats_are_the_same_by_any_threads_and_instructions() {
    let mut random = Random::new(11);
    for len in [0, 1, 7, 1000, 70_001, 1_000_000] {
        let floats = random.vec(len, |bits| (bits as u32 as f32) * 1e-3 - 1e6);
        // SAFETY: as many as there are.
        let sums =
            all_workers().map(|workers| unsafe { reduce(workers, &floats[..], len, 0.0, |a, b| a + b) });
        let sums: Vec<_> = sums.map(f32::to_bits).collect();
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{len}");
    }
}

#[test]
fn simple_operators_give_what_a_loop_does_and_the_same_bits_by_any_threads_and_instructions() {
    let mut random = Random::new(14);
    for len in [1, 2, 31, 32, 33, 64, 1000, 70_001, 3_000_000] {
        let integers = random.vec(len, |bits| bits);
        let floats = random.vec(len, |bits| bits as u32 as f32 * 1e-3 - 1e6);
        let total = integers.iter().copied().reduce(u64::wrapping_add);
        let greatest = floats.iter().copied().reduce(|a, b| if b.total_cmp(&a).is_gt() { b } else { a });
        let mut first = None;
        for workers in all_workers() {
            // SAFETY: as many as there are.
            unsafe {
                assert_eq!(Some(reduce(workers, &integers[..], len, 0, By(Add))), total);
                assert_eq!(Some(reduce(workers, &floats[..], len, f32::NEG_INFINITY, By(Max))), greatest);
                let sum: f32 = reduce(workers, &floats[..], len, 0.0, By(Add));
                assert_eq!(*first.get_or_insert(sum.to_bits()), sum.to_bits());
            }
        }
    }
}

#[test]
fn nan_is_kept_by_an_operator_that_keeps_it() {
    for len in [1, 100, 100_000] {
        let mut floats = vec![1.0_f64; len];
        floats[len / 2] = f64::NAN;
        // SAFETY: as many as there are.
        assert!(unsafe { reduce(workers(2), &floats[..], len, 0.0, |a, b| a + b) }.is_nan());
        // SAFETY: as above.
        let most = unsafe { reduce(workers(2), &floats[..], len, f64::NAN, f64::max) };
        assert_eq!(most.is_nan(), len == 1);
    }
}

#[test]
fn elements_without_bytes_are_reduced() {
    // SAFETY: as many as there are.
    unsafe { reduce(workers(2), &[(); 200_000][..], 200_000, (), |(), ()| ()) };
}

/// An input that is computed.
#[derive(Clone, Copy)]
struct Squares;

// SAFETY: there are any.
unsafe impl Read for Squares {
    type Item = u64;

    unsafe fn get(self, i: usize) -> u64 {
        (i * i) as u64
    }
}

#[test]
fn an_input_may_be_computed() {
    for workers in all_workers() {
        // SAFETY: there are any.
        let sum = unsafe { reduce(workers, Squares, 100_000, 0, |a, b| a + b) };
        assert_eq!(sum, (0..100_000_u64).map(|i| i * i).sum());
    }
}

#[test]
fn a_panic_of_the_operator_comes_to_the_caller() {
    let data: Vec<u32> = (0..300_000).collect();
    for threads in [1, 2, 5] {
        for bad in [3, 299_998] {
            let op = |a: u32, b: u32| if b == bad || a == bad { panic!("bad") } else { a.max(b) };
            // SAFETY: as many as there are.
            let ran = catch_unwind(AssertUnwindSafe(|| unsafe {
                reduce(workers(threads), &data[..], data.len(), 0, op)
            }));
            assert_eq!(ran.unwrap_err().downcast_ref(), Some(&"bad"));
        }
    }
}

/// Random offsets of segments, some of them empty, some long.
pub(super) fn offsets(random: &mut Random, len: usize) -> Vec<u32> {
    let count = match random.below(4) {
        0 => random.below(4),
        1 => len / 2 + random.below(10),
        _ => random.below(len / 10 + 2),
    };
    let mut offsets = random.vec(count + 1, |bits| (bits % (len as u64 + 1)) as u32);
    offsets.sort_unstable();
    offsets
}

#[test]
fn segments_are_reduced_each_on_its_own() {
    let mut random = Random::new(12);
    for case in 0..80 {
        let len = if case == 0 { 1_000_000 } else { random.len() };
        let maps = random.vec(len, affine);
        let offsets = offsets(&mut random, len);
        let expected: Vec<_> = offsets
            .windows(2)
            .map(|ends| maps[ends[0] as usize..ends[1] as usize].iter().copied().fold((1, 0), compose))
            .collect();
        for workers in all_workers() {
            let mut out = vec![(7, 7); offsets.len() - 1];
            let segments = Offsets::new(&offsets, len).unwrap();
            // SAFETY: as many as there are.
            unsafe { reduce_segments(workers, &maps[..], segments, (1, 0), compose, &mut out) };
            assert!(out == expected, "{len}");
        }
    }
}

#[test]
fn offsets_that_are_none_are_refused() {
    assert_eq!(Offsets::<u32>::new(&[], 3).unwrap_err(), OffsetError::Missing);
    assert_eq!(Offsets::new(&[0_u32, 2, 1, 0], 3).unwrap_err(), OffsetError::OutOfOrder { segment: 1 });
    assert_eq!(Offsets::new(&[0_u64, 2, 4], 3).unwrap_err(), OffsetError::OutOfBounds { offset: 4 });
    assert_eq!(Offsets::new(&[3_usize], 3).map(|offsets| offsets.count()), Ok(0));
}

#[test]
fn rows_and_columns_are_reduced() {
    let mut random = Random::new(13);
    let mut shapes: Vec<_> = (0..60).map(|_| (random.below(90), random.below(90))).collect();
    shapes.extend([(0, 5), (5, 0), (3, 70_000), (70_000, 3), (1500, 1100), (1, 300_000), (300_000, 1)]);
    for (rows, columns) in shapes {
        let maps = random.vec(rows * columns, affine);
        let by_row: Vec<_> = (0..rows)
            .map(|row| (0..columns).map(|column| maps[row * columns + column]).fold((1, 0), compose))
            .collect();
        let by_column: Vec<_> = (0..columns)
            .map(|column| (0..rows).map(|row| maps[row * columns + column]).fold((1, 0), compose))
            .collect();
        for workers in all_workers() {
            let mut out = vec![(7, 7); rows];
            // SAFETY: as many as there are.
            unsafe { reduce_rows(workers, &maps[..], columns, (1, 0), compose, &mut out) };
            assert!(out == by_row, "{rows}×{columns}");
            let mut out = vec![(7, 7); columns];
            // SAFETY: as above.
            unsafe { reduce_columns(workers, &maps[..], rows, (1, 0), compose, &mut out) };
            assert!(out == by_column, "{rows}×{columns}");
        }
    }
}

#[test]
fn a_matrix_is_multiplied_with_a_vector() {
    let mut random = Random::new(14);
    for (rows, columns) in [(0, 4), (4, 0), (1, 1), (17, 33), (64, 64), (1000, 100), (3, 50_000), (50_000, 3)]
    {
        let matrix = random.vec(rows * columns, |bits| (bits % 1000) as f64);
        let vector = random.vec(columns, |bits| (bits % 1000) as f64);
        let expected: Vec<f64> =
            (0..rows).map(|row| (0..columns).map(|c| matrix[row * columns + c] * vector[c]).sum()).collect();
        for workers in all_workers() {
            let mut out = vec![7.0; rows];
            // SAFETY: as many as there are.
            unsafe {
                matrix_vector(workers, &matrix[..], &vector, 0.0, |a, b| a * b, |a, b| a + b, &mut out);
            };
            // Sums of integers below 2^53 are exact in any order.
            assert!(out == expected, "{rows}×{columns}");
        }
    }
}
