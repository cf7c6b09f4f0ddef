use gridwright::prelude::*;
use gridwright_primitives::{
    self as primitives, Error, NoValue, Primitives, Sort, SortKey, SortOrder, Workspace,
};

use crate::devices;
use crate::instances::Mine;

/// Numbers that look random: the finalizer of SplitMix64.
pub(crate) fn numbers(len: usize) -> impl Iterator<Item = u64> {
    (0..len as u64).map(|i| {
        let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    })
}

/// Lengths about those at which something changes.
const LENGTHS: [usize; 11] = [0, 1, 2, 33, 384, 385, 8063, 8064, 8065, 16_128, 30_000];

/// The order of keys by bits.
fn by<K: SortKey>(
    order: impl Fn(K::Bits) -> K::Bits,
    descending: bool,
) -> impl Fn(&K, &K) -> std::cmp::Ordering {
    move |a, b| {
        let compared = order(a.to_bits()).cmp(&order(b.to_bits()));
        if descending { compared.reverse() } else { compared }
    }
}

/// Sorts keys and compares them, bit by bit, with those of a stable sort.
fn check<K: SortKey, L: Sort<K, NoValue>>(p: Primitives<'_, L>, keys: &[K], descending: bool) {
    let stream = p.stream();
    let mut buffer = stream.upload(keys).unwrap();
    let order = if descending { SortOrder::descending() } else { SortOrder::ascending() };
    p.sort_by(&mut buffer, order).unwrap();
    let mut expected = keys.to_vec();
    expected.sort_by(by::<K>(|bits| bits, descending));
    let sorted = stream.download(&buffer).unwrap();
    let same = sorted.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
    assert!(same && sorted.len() == keys.len(), "{} keys", keys.len());
}

#[test]
fn keys_are_sorted() {
    devices::each(|stream| {
        for len in LENGTHS {
            let keys: Vec<u32> = numbers(len).map(|x| x as u32).collect();
            check(primitives::on(stream), &keys, false);
        }
    });
}

#[test]
fn groups_that_do_not_wait_sort_too() {
    devices::each(|stream| {
        for len in [8065, 30_000] {
            let keys: Vec<u32> = numbers(len).map(|x| x as u32).collect();
            check(primitives::on(stream).without_look_back(), &keys, false);
        }
    });
}

#[test]
fn few_distinct_sorted_and_reversed_keys_are_sorted() {
    devices::each(|stream| {
        let p = primitives::on(stream);
        for descending in [false, true] {
            check(p, &numbers(10_000).map(|x| x as u32 % 3).collect::<Vec<_>>(), descending);
            check(p, &(0..10_000).collect::<Vec<u32>>(), descending);
            check(p, &(0..10_000).rev().collect::<Vec<u32>>(), descending);
            check(p, &[7_u32; 10_000], descending);
        }
    });
}

#[test]
fn floats_are_sorted_in_the_total_order() {
    devices::each(|stream| {
        for len in [100, 9000] {
            let special =
                [0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE];
            let random = numbers(len).map(|x| f32::from_bits(x as u32));
            check(primitives::on(stream), &special.into_iter().chain(random).collect::<Vec<_>>(), len > 100);
        }
    });
}

#[test]
fn signed_and_wide_integers_are_sorted() {
    devices::each(|stream| {
        for len in [300, 9000] {
            let p = primitives::on(stream);
            check(p, &numbers(len).map(|x| x as i32).chain([i32::MIN, i32::MAX]).collect::<Vec<_>>(), false);
            check(p, &numbers(len).chain([u64::MAX, 0]).collect::<Vec<_>>(), true);
        }
    });
}

#[test]
fn bytes_are_sorted_in_one_pass() {
    devices::each(|stream| {
        for len in [5, 20_000] {
            let keys: Vec<u8> = numbers(len).map(|x| x as u8).collect();
            check(primitives::on(stream).with_kernels::<Mine>(), &keys, true);
        }
    });
}

/// Sorts pairs and compares them with a stable sort's.
fn check_pairs<K: SortKey, V: KernelArg + PartialEq, L: Sort<K, V>>(
    p: Primitives<'_, L>,
    pairs: &[(K, V)],
    order: SortOrder,
    compared: impl Fn(&K, &K) -> std::cmp::Ordering,
) {
    let stream = p.stream();
    let (keys, values): (Vec<K>, Vec<V>) = pairs.iter().copied().unzip();
    let (mut keys, mut values) = (stream.upload(&keys).unwrap(), stream.upload(&values).unwrap());
    p.sort_pairs_by(&mut keys, &mut values, order).unwrap();
    let mut expected = pairs.to_vec();
    expected.sort_by(|a, b| compared(&a.0, &b.0));
    let (keys, values) = (stream.download(&keys).unwrap(), stream.download(&values).unwrap());
    assert!(keys.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.0.to_bits()), "{} keys", pairs.len());
    assert!(values.iter().zip(&expected).all(|(a, b)| *a == b.1), "{} values", pairs.len());
}

#[test]
fn pairs_are_sorted_stably() {
    devices::each(|stream| {
        for len in LENGTHS {
            let pairs: Vec<(u32, u32)> = numbers(len).map(|x| x as u32 % 100).zip(0..).collect();
            let p = primitives::on(stream);
            check_pairs(p, &pairs, SortOrder::ascending(), by::<u32>(|bits| bits, false));
            check_pairs(p, &pairs, SortOrder::descending(), by::<u32>(|bits| bits, true));
        }
    });
}

#[test]
fn pairs_are_sorted_by_a_range_of_bits() {
    devices::each(|stream| {
        for len in [1000, 9000] {
            let pairs: Vec<(u32, u32)> = numbers(len).map(|x| x as u32).zip(0..).collect();
            for (low, high) in [(0, 1), (3, 14), (5, 29), (31, 32), (9, 9)] {
                let order = SortOrder::ascending().bits(low..high);
                let within = move |bits: u32| ((u64::from(bits) % (1 << high)) >> low) as u32;
                for p in [primitives::on(stream), primitives::on(stream).without_look_back()] {
                    check_pairs(p, &pairs, order, by::<u32>(within, false));
                }
                check_pairs(
                    primitives::on(stream),
                    &pairs,
                    SortOrder::descending().bits(low..high),
                    by::<u32>(within, true),
                );
            }
        }
    });
}

#[test]
fn wide_keys_have_wide_values() {
    devices::each(|stream| {
        for len in [700, 8064, 10_000] {
            let pairs: Vec<(f64, [u32; 3])> =
                numbers(len).map(f64::from_bits).zip((0..).map(|i| [i, 2 * i, !i])).collect();
            let p = primitives::on(stream).with_kernels::<Mine>();
            check_pairs(p, &pairs, SortOrder::ascending(), by::<f64>(|bits| bits, false));
        }
    });
}

#[test]
fn bad_calls_are_errors() {
    devices::each(|stream| {
        let p = primitives::on(stream);
        let (mut keys, mut values) =
            (stream.alloc_zeroed::<u32>(3).unwrap(), stream.alloc_zeroed::<u32>(2).unwrap());
        let error = p.sort_pairs(&mut keys, &mut values).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 3, given: 2, .. }), "{error}");
        let error = p.sort_by(&mut keys, SortOrder::ascending().bits(0..33)).unwrap_err();
        assert!(matches!(error, Error::Limit { given: 33, most: 32, .. }), "{error}");
    });
}

#[test]
fn workspaces_are_enough_or_refused() {
    devices::each(|stream| {
        let host: Vec<u32> = numbers(20_000).map(|x| x as u32).collect();
        let mut keys = stream.upload(&host).unwrap();
        let workspace = Workspace::for_calls(stream, |p| p.sort(&mut keys)).unwrap();
        assert!(stream.download(&keys).unwrap() == host, "a call that is measured doesn't run");
        primitives::on(stream).in_workspace(&workspace).sort(&mut keys).unwrap();
        assert!(stream.download(&keys).unwrap().is_sorted());
        let small = Workspace::new(stream, workspace.bytes() - 64).unwrap();
        let error = primitives::on(stream).in_workspace(&small).sort(&mut keys).unwrap_err();
        assert!(matches!(error, Error::Workspace { .. }), "{error}");
    });
}

#[test]
fn a_captured_sort_is_replayed() {
    devices::each(|stream| {
        let mut keys = stream.alloc_zeroed::<u32>(10_000).unwrap();
        let workspace = Workspace::for_calls(stream, |p| p.sort(&mut keys)).unwrap();
        let p = primitives::on(stream).in_workspace(&workspace);
        // Kernels are loaded before.
        p.sort(&mut keys).unwrap();
        let graph = primitives::capture(stream, |_| p.sort(&mut keys)).unwrap();
        for skip in [0, 1] {
            let host: Vec<u32> = numbers(10_001).skip(skip).take(10_000).map(|x| x as u32).collect();
            stream.copy_from_slice(&mut keys, &host).unwrap();
            graph.launch(stream).unwrap();
            assert!(stream.download(&keys).unwrap().is_sorted());
        }
    });
}
