//! Sorts by the bits of keys.

use gridwright_primitives::{KeyBits, NoValue, Sort, SortKey, Standard};

use super::Run;
use super::case::Case;
use super::element::{Element, Number, Values, bits};
use super::on_cpu::OnCpu;
use super::part::Part;
use crate::instances::Mine;

pub(super) const ANYWHERE: &[Run] = &[
    keys::<u32, Standard>,
    keys::<u64, Standard>,
    keys::<i32, Standard>,
    keys::<f32, Standard>,
    keys::<u8, Mine>,
    pairs::<u32, u32, Standard>,
    pairs::<f64, [u32; 3], Mine>,
    segments::<u32, Standard>,
    top::<u32, Standard>,
];

pub(super) const ON_CPU: &[Run] = &[
    keys::<u16, OnCpu>,
    keys::<i64, OnCpu>,
    keys::<u128, OnCpu>,
    keys::<f64, OnCpu>,
    pairs::<i32, u8, OnCpu>,
    segments::<f32, OnCpu>,
    top::<f32, OnCpu>,
    top::<i64, OnCpu>,
];

/// What keys are compared by.
fn rank<T: SortKey>(bits: &std::ops::Range<u32>, is_descending: bool) -> impl Fn(&T) -> u128 {
    let (start, count) = (bits.start, bits.end - bits.start);
    let mask = if count == 0 { 0 } else { u128::MAX >> (128 - count) };
    move |key| {
        let rank = self::bits(*key).checked_shr(start).unwrap_or(0) & mask;
        if is_descending { !rank } else { rank }
    }
}

fn keys<T: Number, K: Sort<T, NoValue>>(case: &mut Case<'_>) {
    case.note("sort");
    let len = case.len();
    let (order, is_descending, bits) = case.order(<T::Bits as KeyBits>::WIDTH);
    let mut x: Vec<T> = case.numbers(len, Values::Any);
    let mut keys = Part::of(case, &x);
    case.run::<K, _>(|p| p.sort_by(keys.view_mut(), order));
    x.sort_by_key(rank(&bits, is_descending));
    keys.check(case, "the keys", &x);
}

fn pairs<T: Number, V: Element, K: Sort<T, V>>(case: &mut Case<'_>) {
    case.note("sort of pairs");
    let len = case.len();
    let (order, is_descending, bits) = case.order(<T::Bits as KeyBits>::WIDTH);
    let (x, y): (Vec<T>, Vec<V>) = (case.numbers(len, Values::Any), case.elements(len));
    let (mut keys, mut values) = (Part::of(case, &x), Part::of(case, &y));
    case.run::<K, _>(|p| p.sort_pairs_by(keys.view_mut(), values.view_mut(), order));
    let mut pairs: Vec<(T, V)> = x.into_iter().zip(y).collect();
    let rank = rank(&bits, is_descending);
    pairs.sort_by_key(|(key, _)| rank(key));
    let (x, y): (Vec<T>, Vec<V>) = pairs.into_iter().unzip();
    keys.check(case, "the keys", &x);
    values.check(case, "the values", &y);
}

fn segments<T: Number, K: Sort<T, u32> + Sort<u32, T>>(case: &mut Case<'_>) {
    case.note("sort of segments");
    let (len, count) = (case.len(), case.below(200) as usize);
    let (order, is_descending, bits) = case.order(<T::Bits as KeyBits>::WIDTH);
    let mut x: Vec<T> = case.numbers(len, Values::Any);
    let mut offsets = case.random.many(count, |random| random.below(len as u64 + 1) as u32);
    offsets.sort_unstable();
    let (mut keys, ends) = (Part::of(case, &x), Part::of(case, &offsets));
    case.run::<K, _>(|p| p.sort_segments(keys.view_mut(), ends.view(), order));
    for ends in [vec![0], offsets, vec![len as u32]].concat().windows(2) {
        x[ends[0] as usize..ends[1] as usize].sort_by_key(rank(&bits, is_descending));
    }
    keys.check(case, "the keys", &x);
}

fn top<T: Number, K: Sort<T, u32>>(case: &mut Case<'_>) {
    case.note("top k");
    let len = case.len();
    let k = case.below(len as u64 + 1) as usize;
    // Bits of the order don't count.
    let (order, is_descending, _) = case.order(<T::Bits as KeyBits>::WIDTH);
    let x: Vec<T> = case.numbers(len, Values::Any);
    let input = Part::of(case, &x);
    let (mut found, mut places) = (Part::with_room(case, k), Part::with_room(case, k));
    case.run::<K, _>(|p| p.top_k(input.view(), order, found.view_mut(), places.view_mut()));
    let mut expected: Vec<(T, u32)> = x.into_iter().zip(0..).collect();
    let rank = rank(&(0..<T::Bits as KeyBits>::WIDTH), is_descending);
    expected.sort_by_key(|(x, _)| rank(x));
    expected.truncate(k);
    let (x, at): (Vec<T>, Vec<u32>) = expected.into_iter().unzip();
    found.check(case, "the elements", &x);
    places.check(case, "the places", &at);
}
