//! What a run found, as `comm/benches/collectives/record.rs` writes it, and when.

use serde::{Deserialize, Serialize};

use crate::bench::ratio::{Ratio, distinct};
use crate::bench::record::Time;

/// The record that is kept.
pub(super) type Record = crate::bench::record::Record<Found>;

/// What the ranks wrote.
#[derive(Deserialize, Serialize)]
pub(super) struct Found {
    pub(super) device: String,
    pub(super) cpu: String,
    /// The machine's cores, which ranks share.
    pub(super) cores: usize,
    /// The library that carries both.
    pub(super) library: String,
    pub(super) quick: bool,
    pub(super) load_before: Option<f64>,
    pub(super) load_after: Option<f64>,
    pub(super) rows: Vec<Row>,
}

/// A call with so many bytes.
#[derive(Deserialize, Serialize)]
pub(super) struct Row {
    pub(super) call: String,
    pub(super) ranks: usize,
    pub(super) bytes: u64,
    pub(super) rounds: usize,
    pub(super) calls: u32,
    pub(super) ours: Time,
    pub(super) peer: Time,
}

impl Row {
    pub(super) fn ratio(&self) -> Ratio {
        Ratio::of(self.peer, self.ours)
    }

    /// The bytes of a call, in the unit that they are a whole number of.
    pub(super) fn size(&self) -> String {
        match self.bytes {
            bytes if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
            bytes if bytes >= 1 << 10 => format!("{} KiB", bytes >> 10),
            bytes => format!("{bytes} B"),
        }
    }
}

impl Found {
    /// Rows of one call and number of ranks, of each, in their order.
    pub(super) fn tables(&self) -> Vec<(String, Vec<&Row>)> {
        let names: Vec<_> = self.rows.iter().map(name).collect();
        let tables = distinct(names.iter().map(String::as_str)).into_iter();
        tables
            .map(|table| (table.to_owned(), self.rows.iter().filter(|row| name(row) == table).collect()))
            .collect()
    }
}

fn name(row: &Row) -> String {
    format!("{}, {} ranks", row.call, row.ranks)
}

/// The geometric mean of rows' ratios. None without any.
pub(super) fn mean<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Option<Ratio> {
    Ratio::mean(rows.into_iter().map(Row::ratio)).map(|(mean, _)| mean)
}
