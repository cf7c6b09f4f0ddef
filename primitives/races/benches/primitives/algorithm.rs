//! What is raced.

use crate::arena::{Arena, UPPER};
use crate::value::{Number, Random, Value};

/// An algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Sort,
    Scan,
    Reduce,
    Select,
    Unique,
    Histogram,
}

impl Algorithm {
    pub(crate) const ALL: [Self; 6] =
        [Self::Sort, Self::Scan, Self::Reduce, Self::Select, Self::Unique, Self::Histogram];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sort => "sort",
            Self::Scan => "scan",
            Self::Reduce => "reduce",
            Self::Select => "select",
            Self::Unique => "unique",
            Self::Histogram => "histogram",
        }
    }

    /// Elements that have to be read, and those that have to be written where the result has so many.
    pub(crate) fn moved(self, len: usize, result: usize) -> usize {
        match self {
            Self::Reduce | Self::Histogram => len,
            Self::Sort | Self::Scan => 2 * len,
            Self::Select | Self::Unique => len + result,
        }
    }

    /// What all but histograms read.
    pub(crate) fn arena<T: Value>(self, len: usize) -> Arena<T> {
        let element = match self {
            Self::Sort => T::any,
            Self::Unique => T::either,
            _ => T::small,
        };
        Arena::new(|i| element(&mut random(i)), len)
    }

    /// What is right: elements, of which there may be none, and counts.
    pub(crate) fn expected<T: Value>(self, arena: &Arena<T>) -> Vec<T> {
        let x = &arena.x;
        match self {
            Self::Sort => {
                let mut sorted = x.clone();
                sorted.sort_by(T::order);
                sorted
            }
            Self::Scan => {
                let mut sums = vec![T::default(); x.len()];
                T::scan(x, &mut sums, T::default());
                sums
            }
            Self::Reduce => vec![T::sum_in_lanes(x)],
            Self::Select => x.iter().copied().filter(|x| x.is_below(arena.limit)).collect(),
            Self::Unique => {
                let mut unique = x.clone();
                unique.dedup();
                unique
            }
            Self::Histogram => Vec::new(),
        }
    }

    /// Whether rounding may differ.
    pub(crate) fn adds(self) -> bool {
        matches!(self, Self::Scan | Self::Reduce)
    }
}

/// What histograms read.
pub(crate) fn counted<T: Number>(len: usize) -> Arena<T> {
    Arena::new(|i| T::below(&mut random(i), UPPER), len)
}

/// Numbers that depend on a place alone: arrays can be filled by all threads.
fn random(place: usize) -> Random {
    Random(place as u64)
}
