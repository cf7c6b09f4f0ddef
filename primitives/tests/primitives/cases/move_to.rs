//! Elements that are written elsewhere, and neighbours.

use gridwright::prelude::*;
use gridwright_primitives::operators::Subtract;
use gridwright_primitives::source::{Index, Slice};
use gridwright_primitives::{AdjacentDifference, Input, Scatter, Standard, counting};

use super::Run;
use super::case::Case;
use super::element::{Element, Number, Values};
use super::on_cpu::OnCpu;
use super::part::Part;
use crate::scan_instances::{Affine, Compose, Mine};

pub(super) const ANYWHERE: &[Run] =
    &[counted, gathered, scattered::<u32, u32, Standard>, differences::<u32, Standard>, compositions];

pub(super) const ON_CPU: &[Run] =
    &[reversed, structs_gathered, scattered::<[u32; 3], u64, OnCpu>, differences::<f64, OnCpu>];

fn counted(case: &mut Case<'_>) {
    case.note("collect of counting");
    let (len, first) = (case.len(), case.random.next());
    let mut out = Part::with_room(case, len);
    case.run::<Standard, _>(|p| p.collect_into(counting(first).take(len), out.view_mut()));
    let expected: Vec<u64> = (0..len as u64).map(|i| first.wrapping_add(i)).collect();
    out.check(case, "the numbers", &expected);
}

fn reversed(case: &mut Case<'_>) {
    case.note("collect of reversed");
    let len = case.len();
    let mut x: Vec<f64> = case.elements(len);
    let (input, mut out) = (Part::of(case, &x), Part::with_room(case, len));
    case.run::<OnCpu, _>(|p| p.collect_into(input.view().reversed()?, out.view_mut()));
    x.reverse();
    out.check(case, "the elements", &x);
}

fn gathered(case: &mut Case<'_>) {
    case.note("gather");
    let (len, of) = (case.len(), 1 + case.below(3000));
    let x: Vec<u32> = case.elements(of as usize);
    let at = case.random.many(len, |random| random.below(of) as u32);
    let (values, indices) = (case.stream.upload(&x).unwrap(), case.stream.upload(&at).unwrap());
    let mut out = Part::with_room(case, len);
    case.run::<Standard, _>(|p| p.gather(&values, &indices, out.view_mut()));
    out.check(case, "the elements", &at.iter().map(|&at| x[at as usize]).collect::<Vec<u32>>());
}

fn structs_gathered(case: &mut Case<'_>) {
    case.note("collect of gather");
    let (len, of) = (case.len(), 1 + case.below(3000));
    let x: Vec<[u32; 3]> = case.elements(of as usize);
    let at = case.random.many(len, |random| random.below(of));
    let (values, indices, mut out) = (Part::of(case, &x), Part::of(case, &at), Part::with_room(case, len));
    case.run::<OnCpu, _>(|p| p.collect_into(values.view().gather(indices.view()), out.view_mut()));
    out.check(case, "the elements", &at.iter().map(|&at| x[at as usize]).collect::<Vec<[u32; 3]>>());
}

fn scattered<T, N, K>(case: &mut Case<'_>)
where
    T: Element,
    N: Number + Index + TryFrom<u64, Error: std::fmt::Debug>,
    K: Scatter<Slice<T>, N>,
{
    case.note("scatter");
    let (len, more) = (case.len(), case.below(100) as usize);
    let x: Vec<T> = case.elements(len);
    let mut places: Vec<u64> = (0..(len + more) as u64).collect();
    // Fisher and Yates's shuffle.
    for i in (1..places.len()).rev() {
        places.swap(i, case.below(i as u64 + 1) as usize);
    }
    places.truncate(len);
    let at: Vec<N> = places.iter().map(|&place| N::try_from(place).unwrap()).collect();
    let mut expected: Vec<T> = case.elements(len + more);
    let (input, at, mut out) = (Part::of(case, &x), Part::of(case, &at), Part::of(case, &expected));
    case.run::<K, _>(|p| p.scatter(input.view(), at.view(), out.view_mut()));
    places.iter().zip(x).for_each(|(&place, x)| expected[place as usize] = x);
    out.check(case, "the output", &expected);
}

fn differences<T: Number, K: AdjacentDifference<Slice<T>, Subtract>>(case: &mut Case<'_>)
where
    Subtract: Operator<(T, T), Output = T>,
{
    case.note("differences");
    let len = case.len();
    let x: Vec<T> = case.numbers(len, Values::Small);
    let (input, mut out) = (Part::of(case, &x), Part::with_room(case, len));
    case.run::<K, _>(|p| p.adjacent_difference(input.view(), Subtract, out.view_mut()));
    let steps = x.windows(2).map(|pair| pair[1].minus(pair[0]));
    out.check(case, "the differences", &x.first().copied().into_iter().chain(steps).collect::<Vec<T>>());
}

fn compositions(case: &mut Case<'_>) {
    case.note("what an operator makes of neighbours");
    let len = case.len();
    let x: Vec<Affine> = case.elements(len);
    let (input, mut out) = (Part::of(case, &x), Part::with_room(case, len));
    case.run::<Mine, _>(|p| p.adjacent_difference(input.view(), Compose, out.view_mut()));
    let pairs = x.windows(2).map(|pair| Compose.call((pair[1], pair[0])));
    out.check(case, "the results", &x.first().copied().into_iter().chain(pairs).collect::<Vec<Affine>>());
}
