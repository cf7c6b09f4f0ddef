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
    /// The peers' versions.
    pub(crate) versions: Vec<(String, String)>,
    pub(crate) rows: Vec<Row>,
    pub(crate) skipped: Vec<Skipped>,
}

/// One race.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) rounds: usize,
    /// What a call does.
    pub(crate) work: f64,
    pub(crate) unit: &'static str,
    /// The first is ours.
    pub(crate) contestants: Vec<Timed>,
    /// Ours on one thread, where it has more.
    pub(crate) one_thread: Option<Timed>,
    /// What nobody is expected to beat, where something is known.
    pub(crate) limit: Option<Timed>,
}

/// One contestant's times in a row.
#[derive(Serialize)]
pub(crate) struct Timed {
    pub(crate) peer: String,
    /// Which of several ways was the fastest. Empty where there is one.
    pub(crate) way: String,
    /// How far off its results are: the sum of the differences by the sum of what they should be.
    pub(crate) off: f64,
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
    /// How far the quartiles are apart, as a part of the median.
    pub(crate) spread: f64,
}

impl Time {
    /// Of the rounds' times of one call. There is at least one.
    pub(crate) fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        let at = |part: f64| rounds[((rounds.len() - 1) as f64 * part).round() as usize];
        let median_ns = at(0.5);
        Self { min_ns: at(0.0), median_ns, max_ns: at(1.0), spread: (at(0.75) - at(0.25)) / median_ns }
    }
}

/// Who couldn't race, in a row or in all.
#[derive(Serialize)]
pub(crate) struct Skipped {
    pub(crate) peer: String,
    pub(crate) row: Option<String>,
    pub(crate) reason: String,
}
