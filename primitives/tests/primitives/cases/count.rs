//! Histograms.

use gridwright_primitives::source::{InRanges, Index, Map, Slice};
use gridwright_primitives::{Even, EvenBins, Histogram, Standard};

use super::Run;
use super::case::Case;
use super::element::{Number, Values};
use super::on_cpu::OnCpu;
use super::part::Part;
use crate::instances::Mine;

pub(super) const ANYWHERE: &[Run] =
    &[numbers::<u32, Standard>, even::<i32, Mine>, of_floats, ranges::<f32, Standard>];

pub(super) const ON_CPU: &[Run] =
    &[numbers::<u64, OnCpu>, even::<u8, OnCpu>, even::<i64, OnCpu>, ranges::<i32, OnCpu>];

fn bins(case: &mut Case<'_>) -> usize {
    let bins = match case.below(8) {
        0..4 => case.below(20),
        4..7 => case.below(600),
        _ => case.one_of(&[8191, 8192, 8193, 20_000]),
    };
    case.note(format_args!("{bins} bins"));
    bins as usize
}

/// Counts what is below the number of bins.
fn counted(bins: usize, of: impl Iterator<Item = Option<usize>>) -> Vec<u32> {
    let mut counts = vec![0; bins];
    of.flatten().filter(|bin| *bin < bins).for_each(|bin| counts[bin] += 1);
    counts
}

fn numbers<T: Number + Index + Into<u64> + TryFrom<u64>, K: Histogram<Slice<T>>>(case: &mut Case<'_>) {
    case.note("histogram");
    let (len, bins) = (case.len(), bins(case));
    // Some are beyond all bins, and one is often there.
    let often = case.below(bins as u64 + 1);
    let x: Vec<T> = case.random.many(len, |random| {
        let x = if random.below(3) == 0 { often } else { random.below(bins as u64 + bins as u64 / 4 + 1) };
        let x = if random.below(100) == 0 { random.next() } else { x };
        T::try_from(x).unwrap_or(T::ENDS[1])
    });
    let (input, mut counts) = (Part::of(case, &x), Part::with_room(case, bins));
    case.run::<K, _>(|p| p.histogram(input.view(), counts.view_mut()));
    let bin = |x: &T| usize::try_from((*x).into()).ok();
    counts.check(case, "the counts", &counted(bins, x.iter().map(bin)));
}

fn even<T: Number + Even + Into<i128>, K: Histogram<Map<Slice<T>, EvenBins<T>>>>(case: &mut Case<'_>) {
    case.note("even bins");
    let (len, bins) = (case.len(), bins(case));
    let x: Vec<T> = case.numbers(len, Values::Any);
    let ends: Vec<T> = case.numbers(2, Values::Any);
    let (first, end) = if ends[0] < ends[1] { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
    case.note(format_args!("{first:?}..{end:?}"));
    let (input, mut counts) = (Part::of(case, &x), Part::with_room(case, bins));
    case.run::<K, _>(|p| p.histogram_even(input.view(), first..end, counts.view_mut()));
    let of = |x: T| x.into() - first.into();
    let bin = |x: &T| (first..end).contains(x).then(|| (of(*x) * bins as i128 / of(end)) as usize);
    counts.check(case, "the counts", &counted(bins, x.iter().map(bin)));
}

/// The bins are powers of two, so that each element's is exact.
fn of_floats(case: &mut Case<'_>) {
    case.note("even bins of floats");
    let len = case.len();
    let bins = 1 << case.below(10);
    let x: Vec<f32> = case.random.many(len, |random| {
        let x = random.below(1 << 16) as f32 / 16_384.0 - 1.0;
        if random.below(50) == 0 { f32::SPECIAL[random.below(11) as usize] } else { x }
    });
    let (input, mut counts) = (Part::of(case, &x), Part::with_room(case, bins));
    case.run::<Standard, _>(|p| p.histogram_even(input.view(), 0.0..2.0, counts.view_mut()));
    let bin = |x: &f32| (0.0..2.0).contains(x).then(|| (x * (bins as f32 / 2.0)) as usize);
    counts.check(case, "the counts", &counted(bins, x.iter().map(bin)));
}

fn ranges<T: Number, K: Histogram<InRanges<Slice<T>, T>>>(case: &mut Case<'_>) {
    case.note("ranges");
    let (len, bins) = (case.len(), bins(case));
    let x: Vec<T> = case.numbers(len, Values::Any);
    let mut boundaries: Vec<T> = case.elements(bins + 1);
    // A NaN is no boundary.
    boundaries.iter_mut().for_each(|x| *x = if is_number(x) { *x } else { T::ONE });
    boundaries.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let (input, ends, mut counts) =
        (Part::of(case, &x), Part::of(case, &boundaries), Part::with_room(case, bins));
    case.run::<K, _>(|p| p.histogram_ranges(input.view(), ends.view(), counts.view_mut()));
    // Of equal boundaries, what is in the range behind the last.
    let bin = |x: &T| boundaries.partition_point(|end| end <= x).checked_sub(1);
    counts.check(case, "the counts", &counted(bins, x.iter().copied().filter(is_number).map(|x| bin(&x))));
}

/// Whether it isn't NaN.
fn is_number<T: PartialOrd>(x: &T) -> bool {
    x.partial_cmp(x).is_some()
}
