//! Random cases of all algorithms: sizes, types, operators, inputs and memory, each beside what the standard library gives.
//!
//! Each case is drawn from its number alone. `GRIDWRIGHT_TEST_PRIMITIVES_CASES` says how many there are, or which: `1000000`, or `17..18`
//! for one that failed, whose number is printed.

mod by_key;
mod case;
mod choose;
mod compute;
mod count;
mod element;
mod matrix;
mod move_to;
mod on_cpu;
mod order;
mod part;
mod scan;
mod sort;

use std::ops::Range;

use gridwright::DeviceKind;

use crate::devices;
use case::Case;

/// The variable that says how many cases there are, or which.
pub(crate) const CASES: &str = "GRIDWRIGHT_TEST_PRIMITIVES_CASES";

/// A case of one algorithm, of one type and one operator.
type Run = fn(&mut Case<'_>);

/// The families of algorithms. Each says what runs on any device, and what on the CPU alone, as no kernels are compiled for it.
const FAMILIES: [[&[Run]; 2]; 9] = [
    [compute::ANYWHERE, compute::ON_CPU],
    [scan::ANYWHERE, scan::ON_CPU],
    [by_key::ANYWHERE, by_key::ON_CPU],
    [sort::ANYWHERE, sort::ON_CPU],
    [order::ANYWHERE, order::ON_CPU],
    [choose::ANYWHERE, choose::ON_CPU],
    [count::ANYWHERE, count::ON_CPU],
    [matrix::ANYWHERE, matrix::ON_CPU],
    [move_to::ANYWHERE, move_to::ON_CPU],
];

#[test]
fn random_cases_are_what_the_standard_library_gives() {
    devices::each(|stream| {
        let is_cpu = stream.device().kind() == DeviceKind::Cpu;
        for number in asked().unwrap_or(if is_cpu { 0..20_000 } else { 0..1000 }) {
            let mut case = Case::new(stream, number);
            let [anywhere, on_cpu] = case.one_of(&FAMILIES);
            let runs = if is_cpu { [anywhere, on_cpu].concat() } else { anywhere.to_vec() };
            case.one_of(&runs)(&mut case);
        }
    });
}

/// The cases that the variable says.
fn asked() -> Option<Range<u64>> {
    let asked = std::env::var(CASES).ok()?;
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{CASES}: `{asked}` is no number"));
    Some(match asked.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 0..number(&asked),
    })
}
