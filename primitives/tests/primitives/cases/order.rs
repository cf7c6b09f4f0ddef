//! Sorts by a comparison, and searches.

use std::fmt::Debug;

use gridwright::prelude::*;
use gridwright_primitives::operators::{Greater, Less};
use gridwright_primitives::source::Slice;
use gridwright_primitives::{MergeSort, Search, Standard};

use super::Run;
use super::case::Case;
use super::element::{Number, Values};
use super::on_cpu::OnCpu;
use super::part::Part;
use crate::instances::{ByFirst, Mine};

pub(super) const ANYWHERE: &[Run] =
    &[sorted::<u32, Less, Standard>, sorted::<u32, Greater, Standard>, stable, bounds::<u32, Less, Standard>];

pub(super) const ON_CPU: &[Run] = &[
    sorted::<f64, Less, OnCpu>,
    sorted::<u8, Greater, OnCpu>,
    sorted::<i64, Less, OnCpu>,
    bounds::<f32, Less, OnCpu>,
    bounds::<i64, Greater, OnCpu>,
];

/// A comparison, as the standard library's sort takes one.
trait Comparison<T: Copy>: Operator<(T, T), Output = bool> + Default + Debug {
    fn compare(a: T, b: T) -> std::cmp::Ordering {
        let less = Self::default();
        less.call((b, a)).cmp(&less.call((a, b)))
    }
}

impl<T: Copy, L: Operator<(T, T), Output = bool> + Default + Debug> Comparison<T> for L {}

fn sorted<T: Number, L: Comparison<T>, K: MergeSort<T, L>>(case: &mut Case<'_>) {
    case.note(format_args!("merge sort by {:?}", L::default()));
    let len = case.len();
    let mut x: Vec<T> = case.numbers(len, Values::Any);
    let mut elements = Part::of(case, &x);
    case.run::<K, _>(|p| p.merge_sort(elements.view_mut(), L::default()));
    x.sort_by(|a, b| L::compare(*a, *b));
    elements.check(case, "the elements", &x);
}

fn stable(case: &mut Case<'_>) {
    case.note("merge sort by the first of three");
    let len = case.len();
    let mut x: Vec<[u32; 3]> = case.elements(len);
    let mut elements = Part::of(case, &x);
    case.run::<Mine, _>(|p| p.merge_sort(elements.view_mut(), ByFirst));
    x.sort_by_key(|x| x[0]);
    elements.check(case, "the elements", &x);
}

fn bounds<T: Number, L: Comparison<T>, K: Search<Slice<T>, L>>(case: &mut Case<'_>) {
    case.note(format_args!("bounds by {:?}", L::default()));
    let (len, count) = (case.len(), case.below(1000) as usize);
    let mut x: Vec<T> = case.numbers(len, Values::Any);
    x.sort_by(|a, b| L::compare(*a, *b));
    let mut needles: Vec<T> = case.elements(count);
    // Most of what is looked for is there.
    needles.iter_mut().step_by(3).for_each(|needle| *needle = x.get(len / 2).copied().unwrap_or(*needle));
    let (sorted, input, mut places) =
        (Part::of(case, &x), Part::of(case, &needles), Part::with_room(case, count));
    let (less, is_lower) = (L::default(), case.once_in(2));
    if is_lower {
        case.run::<K, _>(|p| p.lower_bound(input.view(), sorted.view(), less, places.view_mut()));
    } else {
        case.run::<K, _>(|p| p.upper_bound(input.view(), sorted.view(), less, places.view_mut()));
    }
    let place = |needle: &T| {
        x.partition_point(|x| {
            let order = L::compare(*x, *needle);
            if is_lower { order.is_lt() } else { order.is_le() }
        })
    };
    let expected: Vec<u64> = needles.iter().map(|needle| place(needle) as u64).collect();
    places.check(case, "the places", &expected);
}
