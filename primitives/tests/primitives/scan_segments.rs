use std::fmt::Debug;

use gridwright::prelude::*;
use gridwright_primitives::operators::Add;
use gridwright_primitives::source::{Heads, Index, Slice, Zip};
use gridwright_primitives::{self as primitives, Error, Input, ScanSegments, Workspace};

use crate::devices;
use crate::random::{Random, lengths};
use crate::scan_instances::{Matrix2, Mine, Product, Quadruple};

/// Scans as a loop does, anew with each element that an offset names; after `init` if there is one.
fn expected<T: Copy>(x: &[T], offsets: &[u64], init: Option<T>, op: impl Fn(T, T) -> T) -> Vec<T> {
    let mut begins = vec![false; x.len()];
    for &offset in offsets.iter().filter(|offset| **offset < x.len() as u64) {
        begins[offset as usize] = true;
    }
    let mut before = init;
    let scan = |(&x, begins): (&T, bool)| {
        before = if begins { init } else { before };
        let next = before.map_or(x, |before| op(before, x));
        let out = if init.is_some() { before } else { Some(next) };
        before = Some(next);
        out
    };
    x.iter().zip(begins).filter_map(scan).collect()
}

/// Offsets of segments of `len` elements: none, one of all, one each, some empty, far apart, in disorder and beyond the end.
fn offsets(len: usize) -> Vec<Vec<u64>> {
    let (mut random, end) = (Random(len as u64), len as u64);
    let mut sorted = |count: usize| {
        let mut offsets = random.many(count, |random| random.below(end + 1));
        offsets.sort_unstable();
        offsets
    };
    let (few, many) = (sorted(5), sorted(len / 3 + 1));
    let disorder = many.iter().rev().map(|offset| offset * 7 % (end + 9)).collect();
    let twice = few.iter().flat_map(|&offset| [offset, offset]).chain([end, u64::from(u32::MAX)]).collect();
    vec![vec![], vec![0, end], (0..=end).collect(), few, many, disorder, twice]
}

/// Scans segments of elements that `one` makes, in tiles of so many, by instances of `K`.
fn scans<K, T, N, O>(tile: usize, init: T, operator: O, one: fn(&mut Random) -> T)
where
    T: KernelArg + PartialEq + Debug,
    N: Index,
    O: Operator<(T, T), Output = T>,
    Zip<Heads, Slice<T>>: primitives::source::Fused<Item = (u32, T)>,
    K: ScanSegments<Slice<T>, N, O>,
{
    let op = |a, b| operator.call((a, b));
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<K>());
        for len in lengths(tile, &mut Random(15)) {
            let x = Random(len as u64).many(len, one);
            let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
            for offsets in offsets(len) {
                let numbers: Vec<N> = offsets.iter().map(|&offset| N::from_index(offset)).collect();
                let bounds = stream.upload(&numbers).unwrap();
                p.inclusive_scan_segments(&input, &bounds, operator, &mut out).unwrap();
                let found = stream.download(&out).unwrap();
                assert!(found == expected(&x, &offsets, None, op), "inclusive, {len}, {}", offsets.len());
                p.exclusive_scan_segments(&input, &bounds, init, operator, &mut out).unwrap();
                let found = stream.download(&out).unwrap();
                assert!(
                    found == expected(&x, &offsets, Some(init), op),
                    "exclusive, {len}, {}",
                    offsets.len()
                );
            }
        }
    });
}

#[test]
fn segments_of_numbers_are_scanned_each_on_its_own() {
    scans::<primitives::Standard, _, u32, _>(2048, 7, Add, |random| random.next() as u32);
}

#[test]
fn segments_keep_the_order_of_operators_that_are_not_commutative() {
    scans::<Mine, _, u32, _>(768, Matrix2 { rows: [1, 2, 3, 5] }, Product, Random::matrix);
}

#[test]
fn segments_of_computed_inputs_are_scanned() {
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        let x: Vec<u64> = (0..5000).map(|i| i * i).collect();
        let offsets = [0_u64, 3, 2000, u64::MAX];
        let (input, bounds) = (stream.upload(&x).unwrap(), stream.upload(&offsets).unwrap());
        let mut out = stream.alloc_unset(x.len()).unwrap();
        p.inclusive_scan_segments((&input).map(Quadruple), &bounds, Add, &mut out).unwrap();
        let x: Vec<u64> = x.iter().map(|x| x << 2).collect();
        assert_eq!(stream.download(&out).unwrap(), expected(&x, &offsets, None, |a, b| a + b));
    });
}

#[test]
fn scans_of_segments_have_outputs_and_workspaces_that_are_large_enough() {
    devices::each_way(|p| {
        let stream = p.stream();
        let (x, offsets) =
            (stream.upload(&vec![1_u32; 9000]).unwrap(), stream.upload(&[0_u32, 8000]).unwrap());
        let mut short = stream.alloc_zeroed(2).unwrap();
        let error = p.inclusive_scan_segments(&x, &offsets, Add, &mut short).unwrap_err();
        assert!(matches!(error, Error::Lengths { what: "the output", expected: 9000, given: 2 }), "{error}");
        let mut out = stream.alloc_zeroed(9000).unwrap();
        let workspace =
            Workspace::for_calls(stream, |p| p.inclusive_scan_segments(&x, &offsets, Add, &mut out)).unwrap();
        assert_eq!(stream.download(&out).unwrap(), [0; 9000], "a call that is measured doesn't run");
        p.in_workspace(&workspace).inclusive_scan_segments(&x, &offsets, Add, &mut out).unwrap();
        assert_eq!(stream.download(&out).unwrap()[7999..8001], [8000, 1]);
        if workspace.bytes() > 0 {
            let small = Workspace::new(stream, workspace.bytes() - 64).unwrap();
            let call = p.in_workspace(&small).inclusive_scan_segments(&x, &offsets, Add, &mut out);
            assert!(matches!(call.unwrap_err(), Error::Workspace { .. }));
        }
    });
}
