//! Reductions, and what they compute from lazy inputs.

use gridwright_primitives::operators::{Add, Max, Min, Multiply, Negate};
use gridwright_primitives::source::Slice;
use gridwright_primitives::{Input, Reduce, Standard, constant, counting};

use super::Run;
use super::case::Case;
use super::element::{Exact, Number, Values};
use super::on_cpu::OnCpu;
use super::part::Part;
use crate::instances::{Both, Digits, Mine, Product, Weighted};

pub(super) const ANYWHERE: &[Run] = &[
    all::<u32, Add, Standard>,
    all::<u32, Max, Standard>,
    all::<u32, Min, Standard>,
    all::<f32, Add, Standard>,
    mapped,
    zipped,
    numbered,
    counted,
    gathered,
];

pub(super) const ON_CPU: &[Run] = &[
    all::<u8, Add, OnCpu>,
    all::<i16, Min, OnCpu>,
    all::<u64, Add, OnCpu>,
    all::<i64, Max, OnCpu>,
    all::<u128, Multiply, OnCpu>,
    all::<f32, Min, OnCpu>,
    all::<f64, Add, OnCpu>,
];

fn all<T: Number, O: Exact<T>, K: Reduce<Slice<T>, O>>(case: &mut Case<'_>) {
    case.note(format_args!("reduce by {:?}", O::THIS));
    let len = case.len();
    let x = O::draw(case, len);
    let input = Part::of(case, &x);
    let expected = x.into_iter().fold(O::neutral(), O::combine);
    if case.once_in(2) {
        let found = case.run::<K, _>(|p| p.reduce(input.view(), O::neutral(), O::THIS));
        case.compare("the result", &[found], &[expected]);
    } else {
        let mut result = Part::with_room(case, 1);
        case.run::<K, _>(|p| p.reduce_into(input.view(), O::neutral(), O::THIS, result.view_mut()));
        result.check(case, "the result", &[expected]);
    }
}

fn mapped(case: &mut Case<'_>) {
    case.note("reduce of map");
    let len = case.len();
    let x: Vec<f32> = case.numbers(len, Values::Small);
    let input = Part::of(case, &x);
    let found = case.run::<Mine, _>(|p| p.reduce(input.view().map(Negate), 0.0, Add));
    // Zeros' sign is that of the order in which they are added.
    case.compare("the result", &[found + 0.0], &[x.iter().map(|x| -x).sum::<f32>() + 0.0]);
}

fn zipped(case: &mut Case<'_>) {
    case.note("reduce of zip");
    let len = case.len();
    let [x, y] = [(); 2].map(|()| case.numbers::<f32>(len, Values::Small));
    let [a, b] = [&x, &y].map(|x| Part::of(case, x));
    let found = case.run::<Mine, _>(|p| p.reduce(a.view().zip(b.view()).map(Product), 0.0, Add));
    let expected = x.iter().zip(&y).map(|(x, y)| x * y).sum::<f32>();
    case.compare("the result", &[found + 0.0], &[expected + 0.0]);
}

fn numbered(case: &mut Case<'_>) {
    case.note("reduce of reversed and enumerate");
    let (len, scale) = (case.len(), case.below(1 << 10));
    let x: Vec<u32> = case.numbers(len, Values::Any);
    let input = Part::of(case, &x);
    let found = case.run::<Mine, _>(|p| {
        let x = input.view().reversed()?.enumerate().map(Weighted { scale });
        p.reduce(x, 0, Add)
    });
    let expected = x.iter().rev().zip(0_u64..).map(|(&x, i)| scale * i * u64::from(x));
    case.compare("the result", &[found], &[expected.fold(0, u64::wrapping_add)]);
}

fn counted(case: &mut Case<'_>) {
    case.note("reduce of counting and take");
    let (len, first) = (case.len(), case.below(1 << 60));
    let found = case.run::<Mine, _>(|p| p.reduce(counting(first).take(len).map(Digits), 0, Add));
    let expected: u64 = (first..first + len as u64).map(|x| x % 10).sum();
    case.compare("the result", &[found], &[expected]);
}

fn gathered(case: &mut Case<'_>) {
    case.note("reduce of gather, constant and zip");
    let (len, of, factor) = (case.len(), 1 + case.below(1000), case.below(1 << 20));
    let (x, y): (Vec<u32>, Vec<u32>) = (case.elements(of as usize), case.numbers(len, Values::Any));
    let at = case.random.many(len, |random| random.below(of));
    let (a, b, i) = (Part::of(case, &x), Part::of(case, &y), Part::of(case, &at));
    let found = case.run::<Mine, _>(|p| {
        let x = a.view().gather(i.view()).zip(constant(factor)).zip(b.view()).map(Both);
        p.reduce(x, 0, Add)
    });
    let expected = at.iter().zip(&y).map(|(&at, &y)| u64::from(x[at as usize]) * factor + u64::from(y));
    case.compare("the result", &[found], &[expected.fold(0, u64::wrapping_add)]);
}
