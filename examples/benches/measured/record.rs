//! What a run found, as `--json` writes it and `xtask` reads it.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

/// A run. It has no date: whoever keeps it adds one.
#[derive(Serialize)]
pub(crate) struct Record {
    pub(crate) device: String,
    pub(crate) cpu: String,
    pub(crate) threads: usize,
    pub(crate) quick: bool,
    pub(crate) rows: Vec<Row>,
}

/// One race.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// What ours was raced against.
    pub(crate) peer_name: String,
    pub(crate) rounds: usize,
    /// Calls in each round, of each contestant.
    pub(crate) calls: u32,
    pub(crate) ours: Time,
    pub(crate) peer: Time,
    /// A hand-written loop on one thread.
    pub(crate) serial: Option<Time>,
}

/// Of one call, in nanoseconds, over the rounds.
#[derive(Clone, Copy, Serialize)]
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

/// Writes what serializes to JSON.
pub(crate) fn write(path: &Path, record: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(record)? + "\n";
    fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}
