//! What a run found, as `comm/benches/collectives/record.rs` writes it.

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::bench::ratio::Ratio;
use crate::bench::record::{Load, Time};

/// What the ranks wrote.
#[derive(Deserialize, Serialize)]
pub(super) struct Found {
    /// The machine's cores, which ranks share.
    pub(super) cores: usize,
    /// The library that carries both.
    pub(super) library: String,
    pub(super) quick: bool,
    #[serde(flatten)]
    pub(super) load: Load,
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

    /// The name of the row's table.
    fn table(&self) -> String {
        format!("{}, {} ranks", self.call, self.ranks)
    }
}

impl Found {
    /// Rows of one call and number of ranks, of each, in their order.
    pub(super) fn tables(&self) -> Vec<(String, Vec<&Row>)> {
        let rows = |name: &String| self.rows.iter().filter(|row| row.table() == *name).collect();
        self.rows.iter().map(Row::table).unique().map(|name| (name.clone(), rows(&name))).collect()
    }
}

/// The geometric mean of rows' ratios. None without any.
pub(super) fn mean<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Option<Ratio> {
    Ratio::mean(rows.into_iter().map(Row::ratio)).map(|(mean, _)| mean)
}
