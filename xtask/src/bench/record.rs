//! What a run found, as `examples/benches/cpu/record.rs` writes it, and when.

use std::process::Command;

use anyhow::Context;
use serde::{Deserialize, Serialize};

/// What is kept.
#[derive(Serialize)]
pub(super) struct Record {
    /// Year, month and day, UTC.
    pub(super) date: String,
    /// The compiler, as it calls itself.
    pub(super) compiler: String,
    #[serde(flatten)]
    pub(super) found: Found,
}

/// What the races wrote.
#[derive(Deserialize, Serialize)]
pub(super) struct Found {
    pub(super) device: String,
    pub(super) cpu: String,
    pub(super) threads: usize,
    pub(super) quick: bool,
    pub(super) rows: Vec<Row>,
}

#[derive(Deserialize, Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) peer_name: String,
    pub(super) rounds: usize,
    pub(super) calls: u32,
    pub(super) ours: Time,
    pub(super) peer: Time,
    pub(super) serial: Option<Time>,
}

/// Of one call.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub(super) struct Time {
    pub(super) min_ns: f64,
    pub(super) median_ns: f64,
}

impl Record {
    pub(super) fn today(found: Found) -> anyhow::Result<Self> {
        let output = Command::new("rustc").arg("--version").output().context("can't start rustc")?;
        let compiler = String::from_utf8(output.stdout)?.trim().to_owned();
        let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
        Ok(Self { date, compiler, found })
    }
}

impl Row {
    /// How many times as fast as the peer ours is, by the medians.
    pub(super) fn ratio(&self) -> f64 {
        self.peer.median_ns / self.ours.median_ns
    }

    /// The same, by the best rounds.
    pub(super) fn ratio_of_minima(&self) -> f64 {
        self.peer.min_ns / self.ours.min_ns
    }
}
