//! What a run found, as `primitives/races/benches/primitives/record.rs` writes it.

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::bench::ratio::{Ratio, Skipped};
use crate::bench::record::{Load, Time};

/// What the races wrote.
#[derive(Deserialize, Serialize)]
pub(super) struct Found {
    pub(super) threads: usize,
    pub(super) quick: bool,
    #[serde(flatten)]
    pub(super) load: Load,
    pub(super) rows: Vec<Row>,
    pub(super) skipped: Vec<Skipped>,
}

/// An algorithm on so many elements of a type.
#[derive(Deserialize, Serialize)]
pub(super) struct Row {
    pub(super) algorithm: String,
    pub(super) element: String,
    pub(super) elements: u64,
    pub(super) rounds: usize,
    /// What any algorithm has to read and write.
    pub(super) bytes: u64,
    /// What the copy read and wrote.
    pub(super) copied: u64,
    pub(super) copy: Option<Timed>,
    pub(super) ours: Option<Timed>,
    pub(super) peers: Vec<Timed>,
}

/// A contestant's times of one call.
#[derive(Deserialize, Serialize)]
pub(super) struct Timed {
    pub(super) peer: String,
    pub(super) way: String,
    pub(super) calls: u32,
    #[serde(flatten)]
    pub(super) time: Time,
    pub(super) max_ns: f64,
}

impl Row {
    /// A peer's ratio, where it and ours raced.
    pub(super) fn ratio(&self, peer: &str) -> Option<Ratio> {
        let (ours, one) = (self.ours.as_ref()?, self.peers.iter().find(|one| one.peer == peer)?);
        Some(Ratio::of(one.time, ours.time))
    }

    /// The speed at which ours does what has to be read and written, by the speed of the copy, both of their best rounds.
    pub(super) fn share_of_copy(&self) -> Option<f64> {
        let (ours, copy) = (self.ours.as_ref()?, self.copy.as_ref()?);
        Some((self.bytes as f64 / ours.time.min_ns) / (self.copied as f64 / copy.time.min_ns))
    }

    /// The row's type and number of elements, as a power of ten where it is one.
    pub(super) fn size(&self) -> String {
        match self.elements.checked_ilog10() {
            Some(power) if 10_u64.pow(power) == self.elements => format!("{} 10^{power}", self.element),
            _ => format!("{} {}", self.element, self.elements),
        }
    }
}

impl Found {
    /// The algorithms, in the order of the rows.
    pub(super) fn algorithms(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row.algorithm.as_str()).unique().collect()
    }

    pub(super) fn of<'f>(&'f self, algorithm: &'f str) -> impl Iterator<Item = &'f Row> + Clone {
        self.rows.iter().filter(move |row| row.algorithm == algorithm)
    }
}

/// The peers of some rows, in their order.
pub(super) fn peers<'f>(rows: impl Iterator<Item = &'f Row>) -> Vec<&'f str> {
    rows.flat_map(|row| row.peers.iter().map(|one| one.peer.as_str())).unique().collect()
}

/// The geometric mean of a peer's ratios. None without any.
pub(super) fn mean<'f>(rows: impl Iterator<Item = &'f Row>, peer: &str) -> Option<Ratio> {
    Ratio::mean(rows.filter_map(|row| row.ratio(peer))).map(|(mean, _)| mean)
}

/// The row in which ours is slowest beside a peer, by the medians.
pub(super) fn worst<'f>(rows: impl Iterator<Item = &'f Row>, peer: &str) -> Option<(&'f Row, Ratio)> {
    let ratios = rows.filter_map(|row| Some((row, row.ratio(peer)?)));
    ratios.min_by(|(_, a), (_, b)| a.of_medians.total_cmp(&b.of_medians))
}
