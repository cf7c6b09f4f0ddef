//! What a run found, as `--json` writes it and `xtask` reads it.

use serde::{Deserialize, Serialize};

/// A run.
#[derive(Serialize)]
pub(crate) struct Record {
    pub(crate) device: String,
    pub(crate) cpu: String,
    /// The processor's cores, which ranks share.
    pub(crate) cores: usize,
    /// The library that carries both.
    pub(crate) library: String,
    pub(crate) quick: bool,
    pub(crate) load_before: Option<f64>,
    pub(crate) load_after: Option<f64>,
    pub(crate) rows: Vec<Row>,
}

/// What ranks of one launch found.
#[derive(Serialize, Deserialize)]
pub(crate) struct Launch {
    pub(crate) device: String,
    pub(crate) library: String,
    pub(crate) rows: Vec<Row>,
}

/// A call with so many bytes.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) call: String,
    pub(crate) ranks: usize,
    pub(crate) bytes: usize,
    pub(crate) rounds: usize,
    /// Calls in each round, of each contestant.
    pub(crate) calls: usize,
    pub(crate) ours: Time,
    pub(crate) peer: Time,
}

/// Of one call, in nanoseconds, over the rounds.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Time {
    pub(crate) min_ns: f64,
    pub(crate) median_ns: f64,
}

impl Time {
    /// Of the rounds' times of one call. There is at least one.
    pub(crate) fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        Self { min_ns: rounds[0], median_ns: rounds[rounds.len() / 2] }
    }
}
