//! Scans are what a plain loop gives.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gridwright::prelude::{KernelArg, Operator};

use super::reduce::offsets;
use crate::cpu::By;
use crate::cpu::output::Output;
use crate::cpu::scan::{exclusive_scan, inclusive_scan, scan};
use crate::cpu::scan_segments::{scan_by_key, scan_segments};
use crate::cpu::testing::{Affine, Random, affine, all_workers, compose, workers};
use crate::operators::{Add, Max};

/// A plain loop: inclusive, or exclusive where there is an `init`.
fn plain<T: Copy>(elements: &[T], init: Option<T>, op: impl Fn(T, T) -> T) -> Vec<T> {
    let mut before = init;
    let step = |&element: &T| {
        let sum = before.map_or(element, |before| op(before, element));
        before.replace(sum).filter(|_| init.is_some()).unwrap_or(sum)
    };
    elements.iter().map(step).collect()
}

const INIT: Affine = (3, 5);

#[test]
fn the_order_of_elements_is_kept() {
    let mut random = Random::new(20);
    for case in 0..60 {
        let len = if case == 0 { 1_000_003 } else { random.len() };
        let maps = random.vec(len, affine);
        let (inclusive, exclusive) = (plain(&maps, None, compose), plain(&maps, Some(INIT), compose));
        for workers in all_workers() {
            let mut out = vec![(7, 7); len];
            // SAFETY: as many as there are.
            unsafe { inclusive_scan(workers, &maps[..], &mut out, compose) };
            assert!(out == inclusive, "{len}");
            // SAFETY: as above.
            unsafe { exclusive_scan(workers, &maps[..], &mut out, INIT, compose) };
            assert!(out == exclusive, "{len}");
        }
    }
}

fn check_sums<T: Copy + Send + Sync + PartialEq>(element: impl Fn(u64) -> T, zero: T, add: fn(T, T) -> T) {
    let mut random = Random::new(21);
    for case in 0..10 {
        let len = if case == 0 { 1_000_000 / size_of::<T>().clamp(4, 100) } else { random.len() };
        let elements = random.vec(len, &element);
        let (inclusive, exclusive) = (plain(&elements, None, add), plain(&elements, Some(zero), add));
        for workers in all_workers() {
            let mut out = vec![zero; len];
            // SAFETY: as many as there are.
            unsafe { inclusive_scan(workers, &elements[..], &mut out, add) };
            assert!(out == inclusive, "{len}");
            // SAFETY: as above.
            unsafe { exclusive_scan(workers, &elements[..], &mut out, zero, add) };
            assert!(out == exclusive, "{len}");
        }
    }
}

#[test]
fn sums_of_each_size_of_element_are_right() {
    check_sums(|bits| bits as u8, 0, u8::wrapping_add);
    check_sums(|bits| bits as u32, 0, u32::wrapping_add);
    check_sums(|bits| bits, 0, u64::wrapping_add);
    // Small integers, whose sums are exact.
    check_sums(|bits| (bits % 16) as f32, 0.0, |a, b| a + b);
    check_sums(|bits| (bits % 1024) as f64, 0.0, |a, b| a + b);
    check_sums(|bits| [bits as u32; 3], [0; 3], |a, b| std::array::from_fn(|i| a[i].wrapping_add(b[i])));
    check_sums(|bits| [bits; 40], [0; 40], |a, b| std::array::from_fn(|i| a[i].wrapping_add(b[i])));
    check_sums(|_| (), (), |(), ()| ());
}

#[test]
fn scans_of_floats_are_the_same_by_any_threads_and_instructions() {
    let mut random = Random::new(22);
    for len in [1, 7, 1000, 70_001, 500_000] {
        let floats = random.vec(len, |bits| (bits as u32 as f32) * 1e-3 - 1e6);
        let mut first = Vec::new();
        for workers in all_workers() {
            let mut out = vec![0.0; len];
            // SAFETY: as many as there are.
            unsafe { inclusive_scan(workers, &floats[..], &mut out, |a, b| a + b) };
            let bits: Vec<_> = out.into_iter().map(f32::to_bits).collect();
            if first.is_empty() {
                first = bits.clone();
            }
            assert!(first == bits, "{len}");
        }
    }
}

/// Both scans, by a simple operator and by a function, through the caches and past them, give the same bits as a loop, or as each other.
fn check_simple<T, O, B>(
    element: impl Fn(u64) -> T,
    init: T,
    operator: O,
    op: fn(T, T) -> T,
    bits: fn(T) -> B,
) where
    T: KernelArg,
    O: Operator<(T, T), Output = T>,
    B: PartialEq,
{
    let mut random = Random::new(24);
    for len in [0, 1, 7, 15, 16, 17, 33, 1000, 70_001, 500_000] {
        let elements = random.vec(len, &element);
        let mut first: Option<[Vec<B>; 2]> = None;
        for workers in all_workers() {
            for is_past in [false, true] {
                let all = |out: &[T]| out.iter().copied().map(bits).collect::<Vec<_>>();
                let run = |is_simple: bool| {
                    let (mut inclusive, mut exclusive) = (vec![init; len], vec![init; len]);
                    let (x, a, b) = (&elements[..], Output::new(&mut inclusive), Output::new(&mut exclusive));
                    // SAFETY: as many as there are.
                    unsafe {
                        if is_simple {
                            scan::<false, _, _>(workers, x, a, None, By(operator), is_past);
                            scan::<true, _, _>(workers, x, b, Some(init), By(operator), is_past);
                        } else {
                            scan::<false, _, _>(workers, x, a, None, op, is_past);
                            scan::<true, _, _>(workers, x, b, Some(init), op, is_past);
                        }
                    }
                    [all(&inclusive), all(&exclusive)]
                };
                let found = run(true);
                assert!(found == run(false), "{len}");
                assert!(first.as_ref().is_none_or(|first| *first == found), "{len}");
                first = Some(found);
            }
        }
    }
}

#[test]
fn scans_in_vectors_are_the_same_as_those_of_single_elements() {
    check_simple(|bits| bits as u32, 7, Add, u32::wrapping_add, |x| x);
    check_simple(|bits| bits, 7, Add, u64::wrapping_add, |x| x);
    check_simple(|bits| bits as i32, i32::MIN, Max, i32::max, |x| x);
    check_simple(|bits| bits as u16, 7, Add, u16::wrapping_add, |x| x);
    check_simple(|bits| bits as u32 as f32 * 1e-3 - 1e6, 0.1, Add, |a, b| a + b, f32::to_bits);
    check_simple(|bits| bits as f64 * 1e-9 - 1e4, 0.1, Add, |a, b| a + b, f64::to_bits);
}

#[test]
fn simple_scans_are_those_of_a_loop() {
    let mut random = Random::new(25);
    for _ in 0..30 {
        let len = random.len();
        let elements = random.vec(len, |bits| bits as u32);
        let (inclusive, exclusive) =
            (plain(&elements, None, u32::wrapping_add), plain(&elements, Some(3), u32::wrapping_add));
        for workers in all_workers() {
            let mut out = vec![0; len];
            // SAFETY: as many as there are.
            unsafe { inclusive_scan(workers, &elements[..], &mut out, By(Add)) };
            assert!(out == inclusive, "{len}");
            // SAFETY: as above.
            unsafe { exclusive_scan(workers, &elements[..], &mut out, 3, By(Add)) };
            assert!(out == exclusive, "{len}");
        }
    }
}

#[test]
fn nan_stays_from_where_it_is() {
    let mut floats = vec![1.0_f32; 100_000];
    floats[40_000] = f32::NAN;
    for workers in all_workers() {
        let mut out = vec![0.0; floats.len()];
        // SAFETY: as many as there are.
        unsafe { inclusive_scan(workers, &floats[..], &mut out, |a, b| a + b) };
        assert!(out.iter().enumerate().all(|(i, sum)| sum.is_nan() == (i >= 40_000)));
    }
}

#[test]
fn a_panic_of_the_operator_comes_to_the_caller() {
    let data = vec![1_u32; 300_000];
    for threads in [1, 2, 5] {
        for limit in [3, 100_000, 300_000] {
            let op = |a: u32, b: u32| if a + b == limit { panic!("bad") } else { a + b };
            let mut out = vec![0; data.len()];
            // SAFETY: as many as there are.
            let scan = || unsafe { inclusive_scan(workers(threads), &data[..], &mut out, op) };
            let ran = catch_unwind(AssertUnwindSafe(scan));
            assert_eq!(ran.unwrap_err().downcast_ref(), Some(&"bad"));
        }
    }
}

#[test]
fn scans_begin_anew_with_each_key() {
    let mut random = Random::new(23);
    for case in 0..60 {
        let len = if case == 0 { 500_000 } else { random.len() };
        let maps = random.vec(len, affine);
        let offsets = offsets(&mut random, len);
        let of = |i: usize| offsets.partition_point(|&offset| offset as usize <= i);
        let keys: Vec<_> = (0..len).map(|i| of(i) as u16 as f32).collect();
        for init in [None, Some(INIT)] {
            let expected: Vec<_> = keys
                .chunk_by(|a, b| a == b)
                .scan(0, |at, run| {
                    let begin = *at;
                    *at += run.len();
                    Some(plain(&maps[begin..*at], init, compose))
                })
                .flatten()
                .collect();
            for workers in all_workers() {
                let mut out = vec![(7, 7); len];
                // SAFETY: as many as there are.
                unsafe { scan_by_key(workers, &maps[..], &keys[..], |a, b| a == b, init, &mut out, compose) };
                assert!(out == expected, "{len}");
                let mut out = vec![(7, 7); len];
                // SAFETY: as many as there are.
                unsafe { scan_segments(workers, &maps[..], &offsets, init, &mut out, compose) };
                assert!(out == expected, "{len}");
            }
        }
    }
}

#[test]
fn offsets_begin_segments_in_any_order() {
    let offsets = [5_u64, 900, 2, 3, 2];
    let mut out = [0; 6];
    // SAFETY: as many as there are.
    unsafe { scan_segments(workers(2), &[1; 6][..], &offsets, None, &mut out, |a, b| a + b) };
    assert_eq!(out, [1, 2, 1, 1, 2, 1]);
}

#[test]
fn keys_that_are_nan_differ_from_each_other() {
    let keys = [1.0, 1.0, f32::NAN, f32::NAN, 2.0];
    let mut out = [0; 5];
    // SAFETY: as many as there are.
    unsafe { scan_by_key(workers(2), &[1; 5][..], &keys[..], |a, b| a == b, None, &mut out, |a, b| a + b) };
    assert_eq!(out, [1, 2, 1, 1, 1]);
}
