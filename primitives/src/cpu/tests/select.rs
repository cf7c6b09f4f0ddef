//! Selections are what iterators give.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::cpu::reduce_by_key::reduce_by_key;
use crate::cpu::run_lengths::run_lengths;
use crate::cpu::select::{partition, select, select_flagged, unique};
use crate::cpu::testing::{Affine, Random, affine, all_workers, compose, workers};
use crate::cpu::{KernelArg, Read};

/// A predicate and its share: none, few, half, most, all.
fn predicates<T: KernelArg>(number: fn(T) -> u64) -> impl Iterator<Item = impl Fn(T) -> bool + Sync + Copy> {
    [0, 1, 50, 97, 100].into_iter().map(move |percent| move |element| number(element) % 100 < percent)
}

/// A length of so many blocks that threads share them.
fn large<T>() -> usize {
    1_000_000 / size_of::<T>()
}

fn check_select<T: KernelArg + PartialEq + Debug>(element: impl Fn(u64) -> T, number: fn(T) -> u64) {
    let mut random = Random::new(30);
    for case in 0..5 {
        let len = if case == 0 { large::<T>() } else { random.len() };
        let elements = random.vec(len, &element);
        // Of the large one only half.
        let tried = if case == 0 { 2..3 } else { 0..5 };
        for predicate in predicates(number).skip(tried.start).take(tried.len()) {
            let (selected, others): (Vec<_>, Vec<_>) =
                elements.iter().partition(|element| predicate(**element));
            let flags: Vec<_> = elements.iter().map(|element| predicate(*element)).collect();
            for workers in all_workers() {
                let mut out = vec![element(1); len];
                // SAFETY: as many as there are.
                let count = unsafe { select(workers, &elements[..], len, predicate, &mut out) };
                assert_eq!(count, selected.len());
                assert!(out[..count] == selected, "{len}");
                out.fill(element(1));
                // SAFETY: as above.
                let count = unsafe { select_flagged(workers, &elements[..], &flags[..], len, &mut out) };
                assert_eq!(count, selected.len());
                assert!(out[..count] == selected, "{len}");
                // SAFETY: as above.
                let count = unsafe { partition(workers, &elements[..], predicate, &mut out) };
                assert_eq!(count, selected.len());
                assert!(out[..count] == selected && out[count..] == others, "{len}");
            }
        }
    }
}

#[test]
fn what_is_selected_is_in_order() {
    check_select(|bits| bits as u8, |x| x.into());
    check_select(|bits| bits as u16, |x| x.into());
    check_select(|bits| bits as u32, |x| x.into());
    check_select(|bits| bits, |x| x);
    check_select(|bits| (bits as u32 % 1000) as f32, |x| x as u64);
    check_select(|bits| (bits % 1000) as f64, |x| x as u64);
    check_select(|bits| [bits as u32, 1, 2], |x| x[0].into());
}

#[test]
fn what_there_is_no_room_for_is_counted() {
    let elements: Vec<u32> = (0..400_000).collect();
    for workers in all_workers() {
        for room in [0, 1, 63, 64, 1000, 65_000, 99_999, 199_999, 200_000, 200_001] {
            let mut out = vec![7; room];
            // SAFETY: as many as there are.
            let count = unsafe { select(workers, &elements[..], elements.len(), |x| x % 2 == 0, &mut out) };
            assert_eq!(count, 200_000);
            assert!(out.iter().take(count).enumerate().all(|(i, &x)| x as usize == 2 * i), "{room}");
            assert!(out.iter().skip(count).all(|&x| x == 7));
        }
    }
}

#[test]
fn a_predicate_that_changes_its_mind_writes_nothing_outside() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let elements: Vec<u32> = (0..300_000).collect();
    for workers in all_workers() {
        let calls = AtomicUsize::new(0);
        let predicate = |_| {
            calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) || calls.load(Ordering::Relaxed) > 450_000
        };
        let mut out = vec![0; elements.len()];
        // SAFETY: as many as there are.
        assert!(unsafe { partition(workers, &elements[..], predicate, &mut out) } <= elements.len());
    }
}

#[test]
fn a_panic_of_the_predicate_comes_to_the_caller() {
    let elements: Vec<u32> = (0..400_000).collect();
    for threads in [1, 2, 5] {
        let mut out = vec![0; elements.len()];
        let predicate = |x| if x == 150_000 { panic!("bad") } else { x % 2 == 0 };
        // SAFETY: as many as there are.
        let select =
            || unsafe { select(workers(threads), &elements[..], elements.len(), predicate, &mut out) };
        assert_eq!(catch_unwind(AssertUnwindSafe(select)).unwrap_err().downcast_ref(), Some(&"bad"));
    }
}

fn check_runs<T: KernelArg + PartialEq + Debug>(element: impl Fn(u64) -> T) {
    let mut random = Random::new(31);
    for case in 0..30 {
        let len = if case == 0 { large::<T>() } else { random.len() };
        let mut value = 0;
        let longest = [1, 2, 3, 100, 100_000][case % 5];
        let mut elements = Vec::with_capacity(len);
        while elements.len() < len {
            value += 1;
            let run = (1 + random.below(longest)).min(len - elements.len());
            elements.extend(std::iter::repeat_n(element(value), run));
        }
        let runs: Vec<_> = elements.chunk_by(|a, b| a == b).collect();
        let values: Vec<_> = runs.iter().map(|run| run[0]).collect();
        let lengths: Vec<_> = runs.iter().map(|run| run.len() as u32).collect();
        for workers in all_workers() {
            let (mut out, mut out_lengths) = (vec![element(0); len], vec![0_u32; len]);
            // SAFETY: as many as there are.
            let count = unsafe { unique(workers, &elements[..], len, |a, b| a == b, &mut out) };
            assert_eq!(count, values.len());
            assert!(out[..count] == values, "{len}");
            out.fill(element(0));
            // SAFETY: as above.
            let count = unsafe {
                run_lengths(workers, &elements[..], len, |a, b| a == b, &mut out, &mut out_lengths)
            };
            assert_eq!(count, values.len());
            assert!(out[..count] == values && out_lengths[..count] == lengths, "{len}");
            // Room for some.
            let room = count / 2;
            let (mut out, mut out_lengths) = (vec![element(0); room], vec![0_u64; room]);
            // SAFETY: as above.
            let all = unsafe {
                run_lengths(workers, &elements[..], len, |a, b| a == b, &mut out, &mut out_lengths)
            };
            assert_eq!(all, count);
            assert!(out == values[..room]);
            assert!(out_lengths.iter().zip(&lengths).all(|(a, b)| *a == u64::from(*b)));
        }
    }
}

#[test]
fn runs_have_their_values_and_lengths() {
    check_runs(|bits| bits as u8);
    check_runs(|bits| bits as u32);
    check_runs(|bits| bits);
    check_runs(|bits| bits as f32);
    check_runs(|bits| [bits as u32; 3]);
}

#[test]
fn runs_of_keys_have_their_reductions() {
    let mut random = Random::new(44);
    for case in 0..60 {
        let len = if case == 0 { 500_000 } else { random.len() };
        // Runs of one length in the mean: of some elements, of many, or all.
        let mean = [1, 3, 70, 20_000, 1_000_000][random.below(5)];
        let mut key = 0_u16;
        let pairs = random.vec(len, affine);
        let keys = random.vec(len, |bits| bits % mean == 0);
        let input: Vec<(u16, Affine)> = keys
            .into_iter()
            .zip(pairs)
            .map(|(begins, pair)| {
                key = key.wrapping_add(begins.into());
                (key, pair)
            })
            .collect();
        let runs = input.chunk_by(|a, b| a.0 == b.0);
        let expected: Vec<(u16, Affine)> =
            runs.filter_map(|run| run.iter().copied().reduce(|a, b| (a.0, compose(a.1, b.1)))).collect();
        for workers in all_workers() {
            for room in [len, expected.len(), expected.len() / 2, 0] {
                let (mut keys, mut values) = (vec![0; room], vec![[0; 2]; room]);
                let arrays = Arrays(&input);
                let op = |a: [u32; 2], b: [u32; 2]| <[u32; 2]>::from(compose(a.into(), b.into()));
                // SAFETY: as many as there are.
                let count =
                    unsafe { reduce_by_key(workers, arrays, len, |a, b| a == b, op, &mut keys, &mut values) };
                assert_eq!(count, expected.len());
                let found = keys.into_iter().zip(values.into_iter().map(Affine::from)).take(count);
                assert!(found.eq(expected.iter().copied().take(room)), "{len}, {room}");
            }
        }
    }
}

/// Keys and maps, each as memory has it.
#[derive(Clone, Copy)]
struct Arrays<'e>(&'e [(u16, Affine)]);

// SAFETY: as many as the slice has.
unsafe impl Read for Arrays<'_> {
    type Item = (u16, [u32; 2]);

    unsafe fn get(self, i: usize) -> Self::Item {
        (self.0[i].0, self.0[i].1.into())
    }
}

#[test]
fn reductions_of_runs_are_the_same_by_any_threads_and_instructions() {
    let mut random = Random::new(45);
    let input = random.vec(300_000, |bits| (bits % 50_000 == 0, (bits as u32 as f32) * 1e-3));
    let mut first = Vec::new();
    for workers in all_workers() {
        let (mut keys, mut values) = (vec![0_u8; 100], vec![0.0; 100]);
        let pairs: Vec<(u8, f32)> = input
            .iter()
            .scan(0_u8, |key, &(begins, value)| {
                *key = key.wrapping_add(begins.into());
                Some((*key, value))
            })
            .collect();
        let (same, op) = (|a: &u8, b: &u8| a == b, |a: f32, b: f32| a + b);
        // SAFETY: as many as there are.
        unsafe { reduce_by_key(workers, &pairs[..], pairs.len(), same, op, &mut keys, &mut values) };
        let bits: Vec<_> = values.into_iter().map(f32::to_bits).collect();
        if first.is_empty() {
            first = bits.clone();
        }
        assert!(first == bits);
    }
}

#[test]
fn each_nan_is_a_run() {
    let mut out = [0.0; 4];
    let elements = [f64::NAN, f64::NAN, 1.0, 1.0];
    // SAFETY: as many as there are.
    assert_eq!(unsafe { unique(workers(2), &elements[..], 4, |a, b| a == b, &mut out) }, 3);
}
