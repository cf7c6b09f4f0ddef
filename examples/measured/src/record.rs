//! What a run found, as `--json` writes it and `xtask` reads it.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

/// A run. It has no date: whoever keeps it adds one.
#[derive(Debug, Serialize)]
pub struct Record {
    /// The device of ours.
    pub device: String,
    /// The machine's processor.
    pub cpu: String,
    /// Threads of the CPU that each contestant had.
    pub threads: usize,
    /// Whether it only shows that everything runs.
    pub quick: bool,
    /// The races.
    pub rows: Vec<Row>,
}

/// One race.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The subject, and its size.
    pub name: String,
    /// What ours was raced against.
    pub peer_name: String,
    /// How often each had its turn.
    pub rounds: usize,
    /// Calls in each round, of each contestant.
    pub calls: u32,
    /// Of Gridwright.
    pub ours: Time,
    /// Of the peer.
    pub peer: Time,
    /// A hand-written loop on one thread.
    pub serial: Option<Time>,
}

/// Of one call, in nanoseconds, over the rounds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Time {
    /// The best.
    pub min_ns: f64,
    /// The middle one.
    pub median_ns: f64,
}

impl Time {
    /// Of the rounds' times of one call. There is at least one.
    pub fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        Self { min_ns: rounds[0], median_ns: rounds[rounds.len() / 2] }
    }
}

/// Writes what serializes to JSON.
///
/// # Errors
/// Where the file can't be written.
pub fn write(path: &Path, record: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(record)? + "\n";
    fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}
