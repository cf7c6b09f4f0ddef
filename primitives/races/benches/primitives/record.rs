//! What a run found, as `--json` writes it and `xtask` reads it.

use serde::Serialize;

/// A run. It has no date: whoever keeps it adds one.
#[derive(Serialize)]
pub(crate) struct Record {
    pub(crate) device: String,
    pub(crate) cpu: String,
    pub(crate) threads: usize,
    pub(crate) quick: bool,
    /// Of the whole machine: how many threads ran or waited to run, as a mean of the last minute. None where nobody counts.
    pub(crate) load_before: Option<f64>,
    pub(crate) load_after: Option<f64>,
    pub(crate) rows: Vec<Row>,
    pub(crate) skipped: Vec<Skipped>,
}

/// One race.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) algorithm: &'static str,
    pub(crate) element: &'static str,
    pub(crate) elements: usize,
    pub(crate) rounds: usize,
    /// What any algorithm has to read and write. A sort reads and writes its elements once.
    pub(crate) bytes: usize,
    /// What the copy read and wrote.
    pub(crate) copied: usize,
    pub(crate) copy: Option<Timed>,
    pub(crate) ours: Option<Timed>,
    pub(crate) peers: Vec<Timed>,
}

/// One contestant's times in a row.
#[derive(Serialize)]
pub(crate) struct Timed {
    pub(crate) peer: &'static str,
    /// Which of several ways was the fastest.
    pub(crate) way: String,
    /// In each turn.
    pub(crate) calls: u32,
    #[serde(flatten)]
    pub(crate) time: Time,
}

/// Of one call, in nanoseconds, over the rounds.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Time {
    pub(crate) min_ns: f64,
    pub(crate) median_ns: f64,
    pub(crate) max_ns: f64,
}

impl Time {
    /// Of the rounds' times of one call. There is at least one.
    pub(crate) fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        Self { min_ns: rounds[0], median_ns: rounds[rounds.len() / 2], max_ns: rounds[rounds.len() - 1] }
    }
}

/// Who couldn't race, in a row or in all.
#[derive(Serialize)]
pub(crate) struct Skipped {
    pub(crate) peer: String,
    pub(crate) row: Option<String>,
    pub(crate) reason: String,
}
