//! What is done by runs of equal keys, and by segments.

use gridwright::prelude::*;
use gridwright_primitives::operators::{Add, Equal, Max, Min};
use gridwright_primitives::source::{Index, Slice, Zip};
use gridwright_primitives::{ReduceByKey, ReduceSegments, ScanByKey, Standard};

use super::Run;
use super::case::Case;
use super::element::{Element, Exact, Number, Values};
use super::on_cpu::OnCpu;
use super::part::Part;
use crate::scan_instances::{Join, Matrix2, Mine, Product, Wide};

pub(super) const ANYWHERE: &[Run] = &[
    scans::<u32, Matrix2, Product, Mine>,
    scans::<u8, u32, Add, Mine>,
    reductions::<u32, Matrix2, Product, Mine>,
    reductions::<u32, Wide, Join, Mine>,
    lengths,
    segments::<u32, u32, Add, Standard>,
];

pub(super) const ON_CPU: &[Run] = &[
    scans::<u64, f64, Add, OnCpu>,
    scans::<f32, i16, Min, OnCpu>,
    reductions::<u64, f64, Add, OnCpu>,
    reductions::<f32, i16, Min, OnCpu>,
    segments::<i64, u64, Max, OnCpu>,
    segments::<f32, u32, Add, OnCpu>,
];

/// Keys in runs, of which each may be long. Floats are NaN sometimes, whose runs are of one.
fn keys<T: Number>(case: &mut Case<'_>, len: usize) -> Vec<T> {
    let most = case.one_of(&[1, 2, 30, 3000]);
    case.note(format_args!("runs of about {most}"));
    let distinct: Vec<T> = case.numbers(8, Values::Any);
    let mut key = 0;
    case.random.many(len, |random| {
        key = if random.below(most) == 0 { random.below(8) as usize } else { key };
        distinct[key]
    })
}

/// The values of each run, behind its key.
fn runs<'a, T: Number, V>(keys: &'a [T], values: &'a [V]) -> impl Iterator<Item = (T, &'a [V])> {
    let mut values = values;
    keys.chunk_by(|a, b| a == b).map(move |run| {
        let (first, rest) = values.split_at(run.len());
        values = rest;
        (run[0], first)
    })
}

fn scans<T, V, O, K>(case: &mut Case<'_>)
where
    T: Number,
    V: Element,
    O: Exact<V>,
    Equal: Operator<(T, T), Output = bool>,
    K: ScanByKey<Zip<Slice<T>, Slice<V>>, T, V, Equal, O>,
{
    case.note(format_args!("scan by key and {:?}", O::THIS));
    let len = case.len();
    let (keys, values, init) = (keys::<T>(case, len), O::draw(case, len), O::draw(case, 1)[0]);
    let (k, v, mut out) = (Part::of(case, &keys), Part::of(case, &values), Part::with_room(case, len));
    let is_inclusive = case.once_in(2);
    let mut expected = Vec::new();
    for (_, run) in runs(&keys, &values) {
        let mut so_far = None;
        for &value in run {
            let next = match (so_far, is_inclusive) {
                (None, true) => value,
                (None, false) => O::combine(init, value),
                (Some(so_far), _) => O::combine(so_far, value),
            };
            expected.push(if is_inclusive { next } else { so_far.unwrap_or(init) });
            so_far = Some(next);
        }
    }
    let op = O::THIS;
    if is_inclusive {
        case.run::<K, _>(|p| p.inclusive_scan_by_key(k.view(), v.view(), Equal, op, out.view_mut()));
    } else {
        case.run::<K, _>(|p| p.exclusive_scan_by_key(k.view(), v.view(), Equal, init, op, out.view_mut()));
    }
    out.check(case, "the scan", &expected);
}

fn reductions<T, V, O, K>(case: &mut Case<'_>)
where
    T: Number,
    V: Element,
    O: Exact<V>,
    Equal: Operator<(T, T), Output = bool>,
    K: ReduceByKey<Zip<Slice<T>, Slice<V>>, T, V, Equal, O>,
{
    case.note(format_args!("reduce by key and {:?}", O::THIS));
    let len = case.len();
    let (keys, values) = (keys::<T>(case, len), O::draw(case, len));
    let (k, v) = (Part::of(case, &keys), Part::of(case, &values));
    let (mut out_k, mut out_v) = (Part::with_room(case, len), Part::with_room(case, len));
    let op = O::THIS;
    let count = case
        .run::<K, _>(|p| p.reduce_by_key(k.view(), v.view(), Equal, op, out_k.view_mut(), out_v.view_mut()));
    let reduced = |run: &[V]| run[1..].iter().fold(run[0], |so_far, value| O::combine(so_far, *value));
    let (expected_k, expected_v): (Vec<T>, Vec<V>) =
        runs(&keys, &values).map(|(key, run)| (key, reduced(run))).unzip();
    assert_eq!(count, expected_k.len(), "the number of runs");
    out_k.check(case, "keys", &expected_k);
    out_v.check(case, "values", &expected_v);
}

fn lengths(case: &mut Case<'_>) {
    case.note("run lengths");
    let len = case.len();
    let keys: Vec<u32> = keys(case, len);
    let k = Part::of(case, &keys);
    let (mut out, mut lengths) = (Part::with_room(case, len), Part::<u32>::with_room(case, len));
    let count =
        case.run::<Standard, _>(|p| p.run_lengths(k.view(), Equal, out.view_mut(), lengths.view_mut()));
    let (expected, expected_lengths): (Vec<u32>, Vec<u32>) =
        runs(&keys, &keys).map(|(key, run)| (key, run.len() as u32)).unzip();
    assert_eq!(count, expected.len(), "the number of runs");
    out.check(case, "keys", &expected);
    lengths.check(case, "lengths", &expected_lengths);
}

fn segments<T, N, O, K>(case: &mut Case<'_>)
where
    T: Number,
    N: Number + Index + TryFrom<u64, Error: std::fmt::Debug>,
    O: Exact<T>,
    K: ReduceSegments<Slice<T>, N, O>,
{
    case.note(format_args!("segments by {:?}", O::THIS));
    let (len, count) = (case.len(), case.below(200) as usize);
    let x = O::draw(case, len);
    let mut ends = case.random.many(count + 1, |random| random.below(len as u64 + 3));
    if case.once_in(4) {
        case.note("offsets in any order");
    } else {
        ends.sort_unstable();
    }
    let offsets: Vec<N> = ends.iter().map(|&end| N::try_from(end).unwrap()).collect();
    let (input, bounds, mut out) =
        (Part::of(case, &x), Part::of(case, &offsets), Part::with_room(case, count));
    case.run::<K, _>(|p| {
        p.reduce_segments(input.view(), bounds.view(), O::neutral(), O::THIS, out.view_mut())
    });
    let segment = |ends: &[u64]| {
        let end = (ends[1] as usize).min(len);
        x[(ends[0] as usize).min(end)..end].iter().copied().fold(O::neutral(), O::combine)
    };
    out.check(case, "the segments", &ends.windows(2).map(segment).collect::<Vec<T>>());
}
