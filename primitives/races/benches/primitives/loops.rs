//! The loops that one would write by hand, for the widest vectors of the machine.

use gridwright_measured::widest;

use crate::value::{Pair, Value};

/// Partial sums that a vectorised sum has at once.
const LANES: usize = 32;

/// A loop that reads elements and writes others: how many those are is its last argument.
pub(crate) trait Loops: Copy {
    /// Sum, in order.
    fn sum(x: &[Self]) -> Self;

    /// Sum, in an order that vectors like.
    fn sum_in_lanes(x: &[Self]) -> Self;

    /// Sums of the elements up to each, on top of `sum`.
    fn scan(x: &[Self], y: &mut [Self], sum: Self);

    /// How many are less.
    fn count_below(x: &[Self], limit: Self) -> usize;

    /// Elements that are less, written where there is room.
    fn select(x: &[Self], limit: Self, y: &mut [Self]) -> usize;

    /// [`select`](Self::select) into at least as many elements as there are, without a branch.
    fn select_without_branches(x: &[Self], limit: Self, y: &mut [Self]) -> usize;

    /// How many differ from the one before them.
    fn count_new(x: &[Self]) -> usize;

    /// Elements that differ from the one before them, written where there is room.
    fn unique(x: &[Self], y: &mut [Self]) -> usize;

    /// [`unique`](Self::unique) into at least as many elements as there are, without a branch.
    fn unique_without_branches(x: &[Self], y: &mut [Self]) -> usize;
}

macro_rules! loops {
    ($($module:ident $type:ident;)*) => {$(
        mod $module {
            use super::*;

            widest! {
                pub(super) fn sum(x: &[$type], sum: &mut $type) {
                    *sum = x.iter().copied().fold($type::default(), $type::plus);
                }
            }

            widest! {
                pub(super) fn sum_in_lanes(x: &[$type], sum: &mut $type) {
                    let mut sums = [$type::default(); LANES];
                    let (rows, rest) = x.as_chunks::<LANES>();
                    for row in rows {
                        for (sum, x) in sums.iter_mut().zip(row) {
                            *sum = sum.plus(*x);
                        }
                    }
                    *sum = sums.iter().chain(rest).copied().fold($type::default(), $type::plus);
                }
            }

            widest! {
                pub(super) fn scan(x: &[$type], y: &mut [$type], sum: $type) {
                    let mut sum = sum;
                    for (x, y) in x.iter().zip(y) {
                        sum = sum.plus(*x);
                        *y = sum;
                    }
                }
            }

            widest! {
                pub(super) fn count_below(x: &[$type], limit: $type, count: &mut usize) {
                    *count = x.iter().filter(|x| x.is_below(limit)).count();
                }
            }

            widest! {
                pub(super) fn select(x: &[$type], limit: $type, y: &mut [$type], count: &mut usize) {
                    let mut places = y.iter_mut();
                    *count = 0;
                    for x in x.iter().filter(|x| x.is_below(limit)) {
                        if let Some(place) = places.next() {
                            *place = *x;
                        }
                        *count += 1;
                    }
                }
            }

            widest! {
                pub(super) fn select_without_branches(x: &[$type], limit: $type, y: &mut [$type], count: &mut usize) {
                    let mut len = 0;
                    for (i, x) in x.iter().enumerate() {
                        // At most `i`: the compiler is told, and doesn't ask again.
                        y[len.min(i)] = *x;
                        len += usize::from(x.is_below(limit));
                    }
                    *count = len;
                }
            }

            widest! {
                pub(super) fn count_new(x: &[$type], count: &mut usize) {
                    *count = x.windows(2).filter(|two| two[0] != two[1]).count();
                }
            }

            widest! {
                pub(super) fn unique(x: &[$type], y: &mut [$type], count: &mut usize) {
                    let mut places = y.iter_mut();
                    *count = 0;
                    for two in x.windows(2).filter(|two| two[0] != two[1]) {
                        if let Some(place) = places.next() {
                            *place = two[1];
                        }
                        *count += 1;
                    }
                }
            }

            widest! {
                pub(super) fn unique_without_branches(x: &[$type], y: &mut [$type], count: &mut usize) {
                    let mut len = 0;
                    for (i, two) in x.windows(2).enumerate() {
                        y[len.min(i)] = two[1];
                        len += usize::from(two[0] != two[1]);
                    }
                    *count = len;
                }
            }
        }

        impl Loops for $type {
            fn sum(x: &[Self]) -> Self {
                let mut sum = Self::default();
                $module::sum(x, &mut sum);
                sum
            }

            fn sum_in_lanes(x: &[Self]) -> Self {
                let mut sum = Self::default();
                $module::sum_in_lanes(x, &mut sum);
                sum
            }

            fn scan(x: &[Self], y: &mut [Self], sum: Self) {
                $module::scan(x, y, sum);
            }

            fn count_below(x: &[Self], limit: Self) -> usize {
                let mut count = 0;
                $module::count_below(x, limit, &mut count);
                count
            }

            fn select(x: &[Self], limit: Self, y: &mut [Self]) -> usize {
                let mut count = 0;
                $module::select(x, limit, y, &mut count);
                count
            }

            fn select_without_branches(x: &[Self], limit: Self, y: &mut [Self]) -> usize {
                let mut count = 0;
                $module::select_without_branches(x, limit, y, &mut count);
                count
            }

            fn count_new(x: &[Self]) -> usize {
                let mut count = 0;
                $module::count_new(x, &mut count);
                count
            }

            fn unique(x: &[Self], y: &mut [Self]) -> usize {
                let mut count = 0;
                $module::unique(x, y, &mut count);
                count
            }

            fn unique_without_branches(x: &[Self], y: &mut [Self]) -> usize {
                let mut count = 0;
                $module::unique_without_branches(x, y, &mut count);
                count
            }
        }
    )*};
}

loops! {
    of_u32 u32;
    of_u64 u64;
    of_f32 f32;
    of_f64 f64;
    of_pairs Pair;
}

/// The loop of a histogram.
pub(crate) trait CountingLoop: Copy {
    /// Counts what is from `range[0]` up to `range[1]`, in bins of one width.
    fn count(x: &[Self], range: [Self; 2], bins: &mut [u32]);
}

macro_rules! counting_loops {
    ($($function:ident $type:ident |$range:ident, $len:ident| $bin:expr;)*) => {$(
        widest! {
            fn $function(x: &[$type], range: [$type; 2], bins: &mut [u32]) {
                let $len = bins.len() as $type;
                let $range = range[1] - range[0];
                let bin = $bin;
                for &x in x {
                    if x >= range[0] && x < range[1] && let Some(bin) = bins.get_mut(bin(x - range[0])) {
                        *bin += 1;
                    }
                }
            }
        }

        impl CountingLoop for $type {
            fn count(x: &[Self], range: [Self; 2], bins: &mut [u32]) {
                $function(x, range, bins);
            }
        }
    )*};
}

counting_loops! {
    count_u32 u32 |range, len| { let width = range / len; move |offset: u32| (offset / width) as usize };
    count_u64 u64 |range, len| { let width = range / len; move |offset: u64| (offset / width) as usize };
    count_f32 f32 |range, len| { let scale = len / range; move |offset: f32| (offset * scale) as usize };
    count_f64 f64 |range, len| { let scale = len / range; move |offset: f64| (offset * scale) as usize };
}
