//! Scans of all elements.

use gridwright_primitives::operators::{Add, Max, Multiply};
use gridwright_primitives::source::Slice;
use gridwright_primitives::{Input, Scan, Standard};

use super::Run;
use super::case::Case;
use super::element::{Element, Exact, Values};
use super::on_cpu::OnCpu;
use super::part::Part;
use crate::scan_instances::{Affine, Compose, Join, Matrix2, Mine, Product, Quadruple, Wide};

pub(super) const ANYWHERE: &[Run] = &[
    all::<u32, Add, Standard>,
    all::<f32, Add, Mine>,
    all::<Matrix2, Product, Mine>,
    all::<Affine, Compose, Mine>,
    all::<Wide, Join, Mine>,
    mapped,
];

pub(super) const ON_CPU: &[Run] = &[
    all::<u8, Add, OnCpu>,
    all::<i16, Max, OnCpu>,
    all::<u128, Multiply, OnCpu>,
    all::<f32, Max, OnCpu>,
    all::<f64, Add, OnCpu>,
    reversed,
    gathered,
];

/// What comes up to each element, and before each.
fn expected<T: Copy>(x: &[T], init: T, op: impl Fn(T, T) -> T) -> [Vec<T>; 2] {
    let mut inclusive: Vec<T> = x.to_vec();
    (1..x.len()).for_each(|i| inclusive[i] = op(inclusive[i - 1], x[i]));
    let mut exclusive = vec![init; x.len()];
    (1..x.len()).for_each(|i| exclusive[i] = op(exclusive[i - 1], x[i - 1]));
    [inclusive, exclusive]
}

fn all<T: Element, O: Exact<T>, K: Scan<Slice<T>, O>>(case: &mut Case<'_>) {
    case.note(format_args!("scan by {:?}", O::THIS));
    let len = case.len();
    let (x, init) = (O::draw(case, len), O::draw(case, 1)[0]);
    let (input, mut out) = (Part::of(case, &x), Part::with_room(case, len));
    let [inclusive, exclusive] = expected(&x, init, O::combine);
    if case.once_in(2) {
        case.run::<K, _>(|p| p.inclusive_scan(input.view(), O::THIS, out.view_mut()));
        out.check(case, "the inclusive scan", &inclusive);
    } else {
        case.run::<K, _>(|p| p.exclusive_scan(input.view(), init, O::THIS, out.view_mut()));
        out.check(case, "the exclusive scan", &exclusive);
    }
}

fn mapped(case: &mut Case<'_>) {
    case.note("scan of map");
    let len = case.len();
    let x: Vec<u64> = case.numbers(len, Values::Any);
    let (input, mut out) = (Part::of(case, &x), Part::with_room(case, len));
    case.run::<Mine, _>(|p| p.inclusive_scan(input.view().map(Quadruple), Add, out.view_mut()));
    let x: Vec<u64> = x.iter().map(|x| x << 2).collect();
    out.check(case, "the scan", &expected(&x, 0, u64::wrapping_add)[0]);
}

fn reversed(case: &mut Case<'_>) {
    case.note("scan of reversed");
    let len = case.len();
    let mut x: Vec<u32> = case.numbers(len, Values::Any);
    let (input, mut out) = (Part::of(case, &x), Part::with_room(case, len));
    case.run::<OnCpu, _>(|p| p.exclusive_scan(input.view().reversed()?, 7, Add, out.view_mut()));
    x.reverse();
    out.check(case, "the scan", &expected(&x, 7, u32::wrapping_add)[1]);
}

fn gathered(case: &mut Case<'_>) {
    case.note("scan of gather");
    let (len, of) = (case.len(), 1 + case.below(1000));
    let x: Vec<u64> = case.elements(of as usize);
    let at = case.random.many(len, |random| random.below(of) as u32);
    let (values, places, mut out) = (Part::of(case, &x), Part::of(case, &at), Part::with_room(case, len));
    case.run::<OnCpu, _>(|p| p.inclusive_scan(values.view().gather(places.view()), Max, out.view_mut()));
    let x: Vec<u64> = at.iter().map(|&at| x[at as usize]).collect();
    out.check(case, "the scan", &expected(&x, 0, u64::max)[0]);
}
