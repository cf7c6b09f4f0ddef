//! Times of calls, in rounds.

use std::time::Instant;

/// Nanoseconds a call, one for each round of so many calls.
pub(crate) struct Times {
    calls: usize,
    rounds: Vec<f64>,
}

impl Times {
    pub(crate) fn of_rounds_of(calls: usize) -> Self {
        Self { calls, rounds: Vec::new() }
    }

    /// A round.
    pub(crate) fn add(&mut self, mut call: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<()> {
        let start = Instant::now();
        for _ in 0..self.calls {
            call()?;
        }
        self.rounds.push(start.elapsed().as_nanos() as f64 / self.calls as f64);
        Ok(())
    }

    /// The least, and the median.
    pub(crate) fn summary(&mut self) -> (f64, f64) {
        self.rounds.sort_by(f64::total_cmp);
        let at = |index: usize| self.rounds.get(index).copied().unwrap_or(0.0);
        (at(0), at(self.rounds.len() / 2))
    }
}
