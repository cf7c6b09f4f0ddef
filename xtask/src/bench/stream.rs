//! `cargo xtask bench --stream`: BabelStream on the CPU, ours and C's.

use comfy_table::Table;
use serde::{Deserialize, Serialize};

use super::record::{Load, Race, Record, race, slug};
use crate::call::Call;
use crate::table::{self, row};
use crate::workspace::Workspace;

/// A run, as `examples/races/benches/babel_stream/race.rs` writes it.
#[derive(Deserialize, Serialize)]
struct Found {
    threads: usize,
    peer: String,
    quick: bool,
    elements: usize,
    element_bytes: usize,
    times: usize,
    #[serde(flatten)]
    load: Load,
    rows: Vec<Row>,
}

#[derive(Deserialize, Serialize)]
struct Row {
    function: String,
    bytes: u64,
    ours: Times,
    peer: Times,
}

/// Times in seconds.
#[derive(Clone, Copy, Deserialize, Serialize)]
struct Times {
    min: f64,
    median: f64,
    max: f64,
    mean: f64,
}

/// Races, and keeps the record.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let bench = Call::cargo(workspace, "bench --quiet --package gridwright-races --bench babel_stream --");
    race::<Found>(workspace, bench, Vec::new())
}

impl Race for Found {
    const NAME: &'static str = "stream";

    fn is_quick(&self) -> bool {
        self.quick
    }

    fn name(record: &Record<Self>) -> String {
        format!("{}-{}", Self::NAME, slug(&record.cpu))
    }

    fn markdown(record: &Record<Self>, _name: &str) -> String {
        let Record { date, compiler, device, cpu, found } = record;
        let Self { threads, peer, elements, element_bytes, times, load, .. } = found;
        format!(
            "# BabelStream on {cpu}\n\n\
             {date}, {device}, {threads} threads, {compiler}; the peer is the same loops in C with OpenMP, {peer}. Three arrays of {elements} \
             elements of {element_bytes} bytes each. Measured by `cargo xtask bench --stream`: ours and the peer in one process, {times} rounds \
             of all functions, who is first alternates, the first round counts for nothing, results are checked by the original's rules. The \
             machine's load was {load}. MB/s are of the best run, as the original counts them. Ratios are the \
             peer's time over ours: above 1, ours is faster.\n\n\
             {table}\n",
            table = table(&found.rows),
        )
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = table::markdown(
        "function | ours, MB/s: | peer, MB/s: | ours, median (min) ms: | peer, median (min) ms: | peer/ours: | of minima:",
    );
    for Row { function, bytes, ours, peer } in rows {
        let rate = |times: &Times| format!("{:.0}", *bytes as f64 * 1e-6 / times.min);
        let milliseconds = |times: &Times| format!("{:.2} ({:.2})", times.median * 1e3, times.min * 1e3);
        let ratios = [peer.median / ours.median, peer.min / ours.min].map(|ratio| format!("{ratio:.2}"));
        let of_both = row![rate(ours), rate(peer), milliseconds(ours), milliseconds(peer)];
        table.add_row(row![function].into_iter().chain(of_both).chain(ratios));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_bandwidths_and_ratios() {
        let times = |min: f64| Times { min, median: 2.0 * min, max: 4.0 * min, mean: 3.0 * min };
        let row = Row { function: "Copy".into(), bytes: 1_000_000_000, ours: times(0.1), peer: times(0.2) };
        let row = &table::rows(&table(&[row]).to_string(), "Copy")[0];
        assert_eq!(row, "Copy | 10000 | 5000 | 200.00 (100.00) | 400.00 (200.00) | 2.00 | 2.00");
    }
}
