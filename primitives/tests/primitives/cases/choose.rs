//! Elements that are chosen.

use gridwright::prelude::*;
use gridwright_primitives::operators::Equal;
use gridwright_primitives::source::{Slice, Zip};
use gridwright_primitives::{First, Flag, Flagged, If, Partition, Select, Standard};

use super::Run;
use super::case::Case;
use super::element::{Element, Number, Values};
use super::on_cpu::{Below, IsNegative, OnCpu};
use super::part::Part;
use crate::scan_instances::{Affine, IsEven, IsFirstEven, IsMultiple, Mine, Wide};

pub(super) const ANYWHERE: &[Run] = &[
    multiples,
    |case| {
        let len = case.len();
        let x: Vec<Affine> = case.elements(len);
        selected::<_, _, Mine>(case, &x, IsEven);
    },
    |case| {
        let len = case.len();
        let x: Vec<Wide> = case.elements(len);
        selected::<_, _, Mine>(case, &x, IsFirstEven);
    },
    flagged::<u32, u8, Standard>,
    unique::<u32, Standard>,
    unique::<u64, Mine>,
];

pub(super) const ON_CPU: &[Run] = &[
    |case| {
        let len = case.len();
        let (x, limit): (Vec<f64>, _) = (case.numbers(len, Values::Any), f64::draw(&mut case.random));
        selected::<_, _, OnCpu>(case, &x, Below { limit });
        partitioned::<_, _, OnCpu>(case, &x, Below { limit });
    },
    |case| {
        let len = case.len();
        let x: Vec<i8> = case.numbers(len, Values::Any);
        selected::<_, _, OnCpu>(case, &x, IsNegative);
        partitioned::<_, _, OnCpu>(case, &x, IsNegative);
    },
    flagged::<f64, u32, OnCpu>,
    unique::<f32, OnCpu>,
    unique::<i8, OnCpu>,
];

fn multiples(case: &mut Case<'_>) {
    let (len, of) = (case.len(), case.one_of(&[1, 2, 3, 100, 1 << 31]));
    let x: Vec<u32> = case.numbers(len, Values::Any);
    case.note(format_args!("multiples of {of}"));
    if case.once_in(2) {
        selected::<_, _, Mine>(case, &x, IsMultiple { of });
    } else {
        partitioned::<_, _, Mine>(case, &x, IsMultiple { of });
    }
}

/// Memory for what is chosen: enough, or not for all.
fn room<T: Element>(case: &mut Case<'_>, chosen: usize, of: usize) -> Part<T> {
    let len = if case.once_in(4) { case.below(of as u64 + 1) as usize } else { of };
    case.note(format_args!("{chosen} of {of}, room for {len}"));
    Part::with_room(case, len)
}

/// Checks the number and those that there is room for.
fn check<T: Element>(case: &Case<'_>, count: usize, out: &Part<T>, expected: &[T]) {
    assert_eq!(count, expected.len(), "the number of the chosen");
    out.check(case, "the chosen", &expected[..count.min(out.view().len())]);
}

fn selected<T, P, K>(case: &mut Case<'_>, x: &[T], predicate: P)
where
    T: Element,
    P: Operator<(T,), Output = bool>,
    K: Select<Slice<T>, If<P>>,
{
    case.note("select");
    let expected: Vec<T> = x.iter().copied().filter(|x| predicate.call((*x,))).collect();
    let (input, mut out) = (Part::of(case, x), room(case, expected.len(), x.len()));
    let count = case.run::<K, _>(|p| p.select(input.view(), predicate, out.view_mut()));
    check(case, count, &out, &expected);
}

fn partitioned<T, P, K>(case: &mut Case<'_>, x: &[T], predicate: P)
where
    T: Element,
    P: Operator<(T,), Output = bool>,
    K: Partition<Slice<T>, If<P>>,
{
    case.note("partition");
    let (those, others): (Vec<T>, Vec<T>) = x.iter().copied().partition(|x| predicate.call((*x,)));
    let (input, mut out) = (Part::of(case, x), Part::with_room(case, x.len()));
    let count = case.run::<K, _>(|p| p.partition(input.view(), predicate, out.view_mut()));
    assert_eq!(count, those.len(), "the number of the first");
    out.check(case, "the parts", &[those, others].concat());
}

fn flagged<T, F, K>(case: &mut Case<'_>)
where
    T: Number,
    F: Number + Flag,
    K: Select<Zip<Slice<T>, Slice<F>>, Flagged>,
{
    case.note("select by flags");
    let (len, one_in) = (case.len(), case.one_of(&[1, 2, 30, 1 << 40]));
    let x: Vec<T> = case.numbers(len, Values::Any);
    let flags: Vec<F> = case.random.many(len, |random| {
        if random.below(one_in) == 0 { F::ENDS[random.below(2) as usize] } else { F::default() }
    });
    let chosen = x.iter().zip(&flags).filter(|(_, flag)| **flag != F::default());
    let expected: Vec<T> = chosen.map(|(x, _)| *x).collect();
    let (input, set, mut out) = (Part::of(case, &x), Part::of(case, &flags), room(case, expected.len(), len));
    let count = case.run::<K, _>(|p| p.select_flagged(input.view(), set.view(), out.view_mut()));
    check(case, count, &out, &expected);
}

fn unique<T, K>(case: &mut Case<'_>)
where
    T: Number,
    Equal: Operator<(T, T), Output = bool>,
    K: Select<Slice<T>, First<Equal>>,
{
    case.note("unique");
    let len = case.len();
    let x: Vec<T> = case.numbers(len, Values::Any);
    let mut expected = x.clone();
    expected.dedup();
    let (input, mut out) = (Part::of(case, &x), room(case, expected.len(), len));
    let count = case.run::<K, _>(|p| p.unique(input.view(), Equal, out.view_mut()));
    check(case, count, &out, &expected);
}
