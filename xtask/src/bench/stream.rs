//! `cargo xtask bench --stream`: BabelStream on the CPU, ours and C's.

use std::fs;

use anyhow::ensure;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use serde::{Deserialize, Serialize};

use super::keep_files;
use super::record::slug;
use crate::call::Call;
use crate::workspace::Workspace;

/// The record that is kept.
type Record = super::record::Record<Found>;

/// A run, as `examples/races/benches/babel_stream/race.rs` writes it.
#[derive(Deserialize, Serialize)]
struct Found {
    device: String,
    cpu: String,
    threads: usize,
    peer: String,
    quick: bool,
    elements: usize,
    element_bytes: usize,
    times: usize,
    load_before: Option<f64>,
    load_after: Option<f64>,
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
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("stream.json");
    Call::cargo(workspace, "bench --quiet --package gridwright-races --bench babel_stream --")
        .arguments(["--json".as_ref(), json.as_os_str()])
        .run()?;
    ensure!(json.exists(), "nothing was measured");
    let record = Record::today(serde_json::from_slice(&fs::read(json)?)?)?;
    ensure!(!record.found.quick, "a quick run measures nothing");

    let name = format!("stream-{}", slug(&record.found.cpu));
    keep_files(
        workspace,
        [
            (format!("{name}.json"), serde_json::to_string_pretty(&record)? + "\n"),
            (format!("{name}.md"), markdown(&record)),
        ],
    )
}

fn markdown(record: &Record) -> String {
    let Record { date, compiler, found } = record;
    let Found { device, cpu, threads, peer, elements, element_bytes, times, .. } = found;
    let load = |load: Option<f64>| load.map_or_else(|| "unknown".into(), |load| format!("{load:.2}"));
    format!(
        "# BabelStream on {cpu}\n\n\
         {date}, {device}, {threads} threads, {compiler}; the peer is the same loops in C with OpenMP, {peer}. Three arrays of {elements} \
         elements of {element_bytes} bytes each. Measured by `cargo xtask bench --stream`: ours and the peer in one process, {times} rounds \
         of all functions, who is first alternates, the first round counts for nothing, results are checked by the original's rules. The \
         machine's load was {before} before and {after} after. MB/s are of the best run, as the original counts them. Ratios are the \
         peer's time over ours: above 1, ours is faster.\n\n\
         {table}\n",
        before = load(found.load_before),
        after = load(found.load_after),
        table = table(&found.rows),
    )
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "function",
        "ours, MB/s",
        "peer, MB/s",
        "ours, median (min) ms",
        "peer, median (min) ms",
        "peer/ours",
        "of minima",
    ]);
    for Row { function, bytes, ours, peer } in rows {
        let rate = |times: &Times| format!("{:.0}", *bytes as f64 * 1e-6 / times.min);
        let milliseconds = |times: &Times| format!("{:.2} ({:.2})", times.median * 1e3, times.min * 1e3);
        table.add_row([
            function.clone(),
            rate(ours),
            rate(peer),
            milliseconds(ours),
            milliseconds(peer),
            format!("{:.2}", peer.median / ours.median),
            format!("{:.2}", peer.min / ours.min),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
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
        let cells: Vec<String> = table(&[row])
            .to_string()
            .lines()
            .last()
            .into_iter()
            .flat_map(|line| {
                line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(cells, ["Copy", "10000", "5000", "200.00 (100.00)", "400.00 (200.00)", "2.00", "2.00"]);
    }
}
