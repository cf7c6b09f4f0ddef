//! Ratios of times, and who wasn't there to have one.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::record::Time;

/// A peer's time over ours: above 1, ours is faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    pub(super) of_medians: f64,
    pub(super) of_minima: f64,
}

impl Ratio {
    pub(super) fn of(one: Time, ours: Time) -> Self {
        Self { of_medians: one.median_ns / ours.median_ns, of_minima: one.min_ns / ours.min_ns }
    }

    /// The geometric mean, and of how many. None without any.
    pub(super) fn mean(ratios: impl Iterator<Item = Self>) -> Option<(Self, usize)> {
        let (medians, minima, count) = ratios.fold((0.0, 0.0, 0), |(medians, minima, count), ratio| {
            (medians + ratio.of_medians.ln(), minima + ratio.of_minima.ln(), count + 1)
        });
        let mean = |logarithms: f64| (logarithms / f64::from(count)).exp();
        (count > 0).then(|| (Self { of_medians: mean(medians), of_minima: mean(minima) }, count as usize))
    }
}

/// Of the medians, and in brackets of the minima.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ({:.2})", self.of_medians, self.of_minima)
    }
}

/// Who wasn't there, in a row or in all.
#[derive(Deserialize, Serialize)]
pub(super) struct Skipped {
    peer: String,
    row: Option<String>,
    reason: String,
}

/// A line of Markdown.
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.as_ref().map(|row| format!(" in {row}")).unwrap_or_default();
        // A compiler's message has many lines.
        let reason = self.reason.lines().next().unwrap_or_default();
        writeln!(f, "- {}{row} was skipped: {reason}", self.peer)
    }
}
