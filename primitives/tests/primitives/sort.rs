use std::fmt::Debug;

use gridwright::prelude::*;
use gridwright_primitives::{self as primitives, SortKey, SortOrder, Standard};

use crate::devices;

/// Numbers that look random.
fn numbers(len: usize) -> impl Iterator<Item = u64> {
    (0..len as u64).map(|i| {
        let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^ x >> 31
    })
}

/// Lengths about those at which something changes.
const LENGTHS: [usize; 10] = [0, 1, 2, 33, 384, 385, 8063, 8064, 8065, 50_000];

#[test]
fn keys_are_sorted() {
    devices::each(|stream| {
        for len in LENGTHS {
            let mut keys: Vec<u32> = numbers(len).map(|x| x as u32).collect();
            let mut buffer = stream.upload(&keys).unwrap();
            primitives::on(stream).sort(&mut buffer).unwrap();
            keys.sort_unstable();
            assert!(stream.download(&buffer).unwrap() == keys, "{len} keys");
        }
    });
}

#[test]
fn pairs_are_sorted_stably() {
    devices::each(|stream| {
        for len in LENGTHS {
            let mut pairs: Vec<(u32, u32)> = numbers(len).map(|x| x as u32 % 100).zip(0..).collect();
            let (keys, values): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
            let (mut keys, mut values) = (stream.upload(&keys).unwrap(), stream.upload(&values).unwrap());
            primitives::on(stream).sort_pairs(&mut keys, &mut values).unwrap();
            pairs.sort_by_key(|pair| pair.0);
            let (of_keys, of_values): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
            assert!(stream.download(&keys).unwrap() == of_keys, "{len} keys");
            assert!(stream.download(&values).unwrap() == of_values, "{len} values");
        }
    });
}
