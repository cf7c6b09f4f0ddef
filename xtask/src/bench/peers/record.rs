//! What a run found, as `examples/races/benches/peers/races/record.rs` writes it.

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::bench::ratio::{Ratio, Skipped};
use crate::bench::record::Time;

/// What the races wrote.
#[derive(Deserialize, Serialize)]
pub(super) struct Found {
    pub(super) threads: usize,
    pub(super) quick: bool,
    pub(super) load_before: Option<f64>,
    /// Peers and what they say that they are.
    pub(super) versions: Vec<(String, String)>,
    pub(super) rows: Vec<Row>,
    pub(super) skipped: Vec<Skipped>,
}

#[derive(Deserialize, Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) rounds: usize,
    /// The work that a call does.
    pub(super) work: f64,
    pub(super) unit: String,
    /// The contestants, of which the first is ours.
    pub(super) contestants: Vec<Timed>,
    /// Ours on one thread, where it has more.
    pub(super) one_thread: Option<Timed>,
    /// What nobody is expected to beat, where something is known.
    pub(super) limit: Option<Timed>,
}

/// A contestant's times of one call.
#[derive(Deserialize, Serialize)]
pub(super) struct Timed {
    pub(super) peer: String,
    pub(super) way: String,
    pub(super) off: f64,
    pub(super) calls: u32,
    #[serde(flatten)]
    pub(super) time: Time,
    pub(super) max_ns: f64,
    /// How far the quartiles are apart, as a part of the median.
    pub(super) spread: f64,
}

impl Row {
    fn ours(&self) -> Option<&Timed> {
        self.contestants.first()
    }

    pub(super) fn peers(&self) -> &[Timed] {
        self.contestants.get(1..).unwrap_or_default()
    }

    /// A contestant's time over ours.
    pub(super) fn ratio_of(&self, one: &Timed) -> Option<Ratio> {
        Some(Ratio::of(one.time, self.ours()?.time))
    }

    /// A peer's ratio, where it raced.
    pub(super) fn ratio(&self, peer: &str) -> Option<Ratio> {
        self.ratio_of(self.peers().iter().find(|one| one.peer == peer)?)
    }

    /// The fastest peer, by the medians.
    pub(super) fn best(&self) -> Option<&Timed> {
        self.peers().iter().min_by(|a, b| a.time.median_ns.total_cmp(&b.time.median_ns))
    }

    /// How much of the limit's speed a contestant reaches, by the medians.
    pub(super) fn share_of_limit(&self, one: &Timed) -> Option<f64> {
        Some(self.limit.as_ref()?.time.median_ns / one.time.median_ns)
    }

    /// Whether the row measures launches and no work.
    pub(super) fn is_of_launches(&self) -> bool {
        self.unit == "launches"
    }
}

impl Found {
    /// All peers that raced, in the order of the rows.
    pub(super) fn peers(&self) -> Vec<&str> {
        self.rows.iter().flat_map(Row::peers).map(|peer| peer.peer.as_str()).unique().collect()
    }

    /// The geometric mean of a peer's ratios in the rows in which it raced, and the number of these rows. None without any.
    pub(super) fn mean(&self, peer: &str, is_in: impl Fn(&Row) -> bool) -> Option<(Ratio, usize)> {
        let rows = self.rows.iter().filter(|row| is_in(row));
        Ratio::mean(rows.filter_map(|row| row.ratio(peer)))
    }
}
