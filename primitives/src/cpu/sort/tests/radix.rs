//! Radix sort beside std's stable sort.

use std::fmt::Debug;
use std::ops::Range;

use super::super::{Bits, RadixKey, radix_sort, radix_sort_keys};
use crate::cpu::Workers;
use crate::cpu::testing::{Random, workers};

/// A value of random bits.
trait Sample: RadixKey + Debug {
    fn sample(bits: u64) -> Self;
}

macro_rules! integers {
    ($($t:ty)*) => { $(
        impl Sample for $t {
            fn sample(bits: u64) -> Self {
                // Wide ones have low and high bits that differ too.
                (u128::from(bits) | u128::from(bits) << 64) as $t
            }
        }
    )* };
}
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Sample for f32 {
    fn sample(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }
}

impl Sample for f64 {
    fn sample(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

/// Keys that are distributed in different ways.
fn samples<K: Sample>(len: usize, random: &mut Random) -> Vec<(&'static str, Vec<K>)> {
    let mut keys = |next: &mut dyn FnMut(u64, usize) -> u64| -> Vec<K> {
        (0..len).map(|i| K::sample(next(random.next(), i))).collect()
    };
    let uniform = keys(&mut |bits, _| bits);
    let few = keys(&mut |bits, _| bits % 5 * 0x3F80_0001_4000_0003);
    let small = keys(&mut |bits, _| bits % 1000);
    let equal = keys(&mut |_, _| 7);
    let outlier = keys(&mut |bits, i| if i == len / 2 { u64::MAX } else { bits % 100 });
    // Highest digits that tell nothing, in the lowest of which there is much to move.
    let skewed = keys(&mut |bits, _| bits >> (bits % 64));
    let special = [0x7FC0_0000_7FC0_0000, 0xFFC0_0000_FFC0_0000, 0, 1 << 63 | 1 << 31, 0x3F80_0000_3F80_0000];
    let special = keys(&mut |bits, _| special[bits as usize % special.len()]);
    let mut ascending = uniform.clone();
    ascending.sort_by_key(|key| key.to_bits());
    let mut descending = ascending.clone();
    descending.reverse();
    let mut nearly = ascending.clone();
    if len > 1 {
        nearly.swap(0, len - 1);
    }
    vec![
        ("uniform", uniform),
        ("few", few),
        ("small", small),
        ("equal", equal),
        ("outlier", outlier),
        ("skewed", skewed),
        ("special", special),
        ("ascending", ascending),
        ("descending", descending),
        ("nearly", nearly),
    ]
}

/// The lowest bits of a key, as many as a range has.
fn part<K: RadixKey>(key: K, bits: &Range<u32>) -> K::Bits {
    key.to_bits() & K::Bits::between(bits.start, bits.end)
}

fn check<K: Sample>(workers: Workers, what: &str, keys: &[K], bits: Range<u32>, descending: bool) {
    let mut expected: Vec<(K, u32)> = keys.iter().copied().zip(0..).collect();
    expected.sort_by(|a, b| {
        let (a, b) = (part(a.0, &bits), part(b.0, &bits));
        if descending { b.cmp(&a) } else { a.cmp(&b) }
    });
    let (mut sorted, mut temp) = (keys.to_vec(), keys.to_vec());
    let mut values: Vec<u32> = (0..).take(keys.len()).collect();
    let mut values_temp = values.clone();
    radix_sort(workers, &mut sorted, &mut values, &mut temp, &mut values_temp, bits.clone(), descending);
    let what = || format!("{} {what} {} {bits:?} {descending}", std::any::type_name::<K>(), keys.len());
    assert!(values.iter().eq(expected.iter().map(|pair| &pair.1)), "{}", what());
    // Bits, because a NaN doesn't equal itself.
    let same = |sorted: &[K]| sorted.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.0.to_bits());
    assert!(same(&sorted), "{}", what());
    let mut sorted = keys.to_vec();
    radix_sort_keys(workers, &mut sorted, &mut temp, bits.clone(), descending);
    assert!(same(&sorted), "keys {}", what());
}

fn check_all<K: Sample>(lens: &[usize]) {
    let mut random = Random::new(lens.len() as u64 + 1);
    let width = 8 * size_of::<K>() as u32;
    for (i, &len) in lens.iter().enumerate() {
        for (what, keys) in samples::<K>(len, &mut random) {
            let low = random.below(width as usize) as u32;
            let range = low..low + random.below((width - low) as usize + 1) as u32;
            let threads = [1, 2, 5][random.below(3)];
            let bits = [0..width, 0..u32::MAX, range][random.below(3)].clone();
            check(workers(threads), what, &keys, bits, i % 2 == 1);
        }
    }
}

const LENS: [usize; 12] = [0, 1, 2, 3, 12, 13, 40, 200, 777, 1024, 3000, 5000];

#[test]
fn all_types_are_sorted_as_std_does() {
    macro_rules! all {
        ($($t:ty)*) => { $(check_all::<$t>(&LENS);)* };
    }
    all!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);
}

#[test]
fn floats_are_in_their_total_order() {
    let mut keys =
        [1.0, f32::NAN, -0.0, 0.0, -f32::NAN, f32::NEG_INFINITY, f32::INFINITY, -1.0, f32::MIN_POSITIVE];
    let mut expected = keys;
    expected.sort_by(f32::total_cmp);
    radix_sort_keys(workers(1), &mut keys, &mut [0.0; 9], 0..32, false);
    assert_eq!(keys.map(f32::to_bits), expected.map(f32::to_bits));
}

#[test]
fn many_items_are_shared_among_threads() {
    check_all::<u32>(&[70_000, 140_001]);
    check_all::<f64>(&[20_000, 80_000]);
    check_all::<u8>(&[70_000]);
    check_all::<u128>(&[30_001]);
    let mut random = Random::new(2);
    let keys: Vec<u32> = (0..1_000_000).map(|_| random.next() as u32).collect();
    check(workers(2), "uniform", &keys, 0..32, true);
}

#[test]
fn values_may_have_any_size() {
    let mut random = Random::new(3);
    for len in [5, 500, 20_000] {
        let keys: Vec<u16> = (0..len).map(|_| random.next() as u16).collect();
        let values: Vec<[u8; 13]> = (0..len).map(|i| [i as u8; 13]).collect();
        let mut expected: Vec<_> = keys.iter().copied().zip(values.iter().copied()).collect();
        expected.sort_by_key(|pair| pair.0);
        let (mut sorted, mut moved) = (keys.clone(), values.clone());
        radix_sort(workers(2), &mut sorted, &mut moved, &mut keys.clone(), &mut values.clone(), 0..16, false);
        assert!(sorted.into_iter().zip(moved).eq(expected));
    }
}

#[test]
#[should_panic(expected = "lengths differ")]
fn lengths_must_agree() {
    radix_sort_keys(workers(1), &mut [1_u8, 2], &mut [0], 0..8, false);
}
