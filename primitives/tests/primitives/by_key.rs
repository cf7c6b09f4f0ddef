use gridwright::prelude::*;
use gridwright_primitives::operators::{Add, Equal, Subtract};
use gridwright_primitives::{self as primitives, Error};

use crate::devices;
use crate::random::{Random, lengths};
use crate::scan_instances::{Affine, Compose, Join, Matrix2, Mine, Product, Wide};

/// Keys in runs of `most` at most.
fn keys(len: usize, most: u64) -> Vec<u32> {
    let mut random = Random(most);
    let mut key = 0;
    random.many(len, |random| {
        key += u32::from(random.below(most) == 0);
        key
    })
}

/// The runs of keys, each with the combination of its values.
fn runs<V: Copy>(keys: &[u32], values: &[V], op: impl Fn(V, V) -> V) -> (Vec<u32>, Vec<V>) {
    let pairs: Vec<_> = keys.iter().zip(values).collect();
    let combine = |run: &[(&u32, &V)]| {
        let total = run[1..].iter().fold(*run[0].1, |total, (_, value)| op(total, **value));
        (*run[0].0, total)
    };
    pairs.chunk_by(|a, b| a.0 == b.0).map(combine).unzip()
}

#[test]
fn runs_are_reduced_in_their_order() {
    let op = |a, b| Product.call((a, b));
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        for len in lengths(768, &mut Random(7)) {
            for most in [1, 3, 2000] {
                let (keys, values) = (keys(len, most), Random(8).many(len, Random::matrix));
                let (k, v) = (stream.upload(&keys).unwrap(), stream.upload(&values).unwrap());
                let (mut out_k, mut out_v) =
                    (stream.alloc_unset(len).unwrap(), stream.alloc_unset(len).unwrap());
                let count = p.reduce_by_key(&k, &v, Equal, Product, &mut out_k, &mut out_v).unwrap();
                let (expected_k, expected_v) = runs(&keys, &values, op);
                assert_eq!(count, expected_k.len(), "{len} {most}");
                assert!(
                    stream.download(&out_k.slice(..count).unwrap()).unwrap() == expected_k,
                    "{len} {most}"
                );
                assert!(
                    stream.download(&out_v.slice(..count).unwrap()).unwrap() == expected_v,
                    "{len} {most}"
                );
            }
        }
    });
}

#[test]
fn runs_of_large_values_are_reduced() {
    let op = |a, b| Join.call((a, b));
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        for len in [1, 256, 257, 1000] {
            let (keys, values) = (keys(len, 3), Random(9).many(len, Random::wide));
            let (k, v) = (stream.upload(&keys).unwrap(), stream.upload(&values).unwrap());
            let (mut out_k, mut out_v) =
                (stream.alloc_unset(len).unwrap(), stream.alloc_unset::<Wide>(len).unwrap());
            let count = p.reduce_by_key(&k, &v, Equal, Join, &mut out_k, &mut out_v).unwrap();
            let (expected_k, expected_v) = runs(&keys, &values, op);
            assert_eq!(stream.download(&out_k.slice(..count).unwrap()).unwrap(), expected_k);
            assert_eq!(stream.download(&out_v.slice(..count).unwrap()).unwrap(), expected_v);
        }
    });
}

#[test]
fn run_lengths_are_those_of_chunks() {
    devices::each_way(|p| {
        let stream = p.stream();
        for len in lengths(2048, &mut Random(10)) {
            for most in [1, 4, 5000] {
                let keys = keys(len, most);
                let k = stream.upload(&keys).unwrap();
                let (mut values, mut out) =
                    (stream.alloc_unset(len).unwrap(), stream.alloc_unset::<u32>(len).unwrap());
                let count = p.run_lengths(&k, Equal, &mut values, &mut out).unwrap();
                let (expected_k, expected) = runs(&keys, &vec![1; len], |a, b| a + b);
                assert!(
                    stream.download(&values.slice(..count).unwrap()).unwrap() == expected_k,
                    "{len} {most}"
                );
                assert!(stream.download(&out.slice(..count).unwrap()).unwrap() == expected, "{len} {most}");
            }
        }
    });
}

#[test]
fn runs_are_scanned_in_their_order() {
    let (init, op) = (Matrix2 { rows: [1, 1, 0, 1] }, |a, b| Product.call((a, b)));
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        for len in lengths(768, &mut Random(11)) {
            for most in [1, 3, 2000] {
                let (keys, values) = (keys(len, most), Random(12).many(len, Random::matrix));
                let (k, v) = (stream.upload(&keys).unwrap(), stream.upload(&values).unwrap());
                let mut out = stream.alloc_unset(len).unwrap();
                let (mut inclusive, mut exclusive) = (Vec::new(), Vec::new());
                for i in 0..len {
                    let starts = i == 0 || keys[i - 1] != keys[i];
                    exclusive.push(if starts { init } else { op(exclusive[i - 1], values[i - 1]) });
                    inclusive.push(if starts { values[i] } else { op(inclusive[i - 1], values[i]) });
                }
                p.inclusive_scan_by_key(&k, &v, Equal, Product, &mut out).unwrap();
                assert!(stream.download(&out).unwrap() == inclusive, "{len} {most}");
                p.exclusive_scan_by_key(&k, &v, Equal, init, Product, &mut out).unwrap();
                assert!(stream.download(&out).unwrap() == exclusive, "{len} {most}");
            }
        }
    });
}

#[test]
fn small_keys_and_values_are_scanned() {
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        let keys: Vec<u8> = keys(9000, 7).iter().map(|&key| key as u8).collect();
        let (k, v) = (stream.upload(&keys).unwrap(), stream.upload(&vec![1_u32; 9000]).unwrap());
        let mut out = stream.alloc_unset(9000).unwrap();
        p.inclusive_scan_by_key(&k, &v, Equal, Add, &mut out).unwrap();
        let expected: Vec<u32> = keys.chunk_by(|a, b| a == b).flat_map(|run| 1..=run.len() as u32).collect();
        assert_eq!(stream.download(&out).unwrap(), expected);
        let short = stream.upload(&[1_u32]).unwrap();
        let error = p.inclusive_scan_by_key(&k, &short, Equal, Add, &mut out).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 9000, given: 1, .. }));
    });
}

#[test]
fn segments_are_reduced_where_offsets_are_in_order_and_where_not() {
    devices::each(|stream| {
        let x: Vec<u32> = (0..10_000).collect();
        let offsets = [0_u32, 0, 5, 40, 7000, 6000, 9999, 20_000, 10_000];
        let (input, bounds) = (stream.upload(&x).unwrap(), stream.upload(&offsets).unwrap());
        let mut out = stream.alloc_unset(offsets.len() - 1).unwrap();
        let p = primitives::on(stream);
        p.reduce_segments(&input, &bounds, 0, Add, &mut out).unwrap();
        let segment = |bounds: &[u32]| {
            let end = bounds[1].min(10_000) as usize;
            x[(bounds[0].min(10_000) as usize).min(end)..end].iter().sum::<u32>()
        };
        let expected: Vec<u32> = offsets.windows(2).map(segment).collect();
        assert_eq!(stream.download(&out).unwrap(), expected);
        let mut more = stream.alloc_unset(offsets.len()).unwrap();
        let error = p.reduce_segments(&input, &bounds, 0, Add, &mut more).unwrap_err();
        assert!(matches!(error, Error::Lengths { what: "the offsets", expected: 10, given: 9 }));
    });
}

#[test]
fn differences_are_those_of_neighbours() {
    devices::each(|stream| {
        for len in lengths(4096, &mut Random(13)) {
            let x = Random(14).many(len, |random| random.next() as u32);
            let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
            primitives::on(stream).adjacent_difference(&input, Subtract, &mut out).unwrap();
            let steps = x.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
            let expected: Vec<u32> = x.first().copied().into_iter().chain(steps).collect();
            assert!(stream.download(&out).unwrap() == expected, "{len}");
        }
        let x = Random(15).many(3000, Random::affine);
        let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset::<Affine>(3000).unwrap());
        let p = primitives::on(stream).with_kernels::<Mine>();
        p.adjacent_difference(&input, Compose, &mut out).unwrap();
        let pairs = x.windows(2).map(|pair| Compose.call((pair[1], pair[0])));
        let expected: Vec<Affine> = x[..1].iter().copied().chain(pairs).collect();
        assert_eq!(stream.download(&out).unwrap(), expected);
    });
}
