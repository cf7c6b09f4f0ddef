//! Speed by size: a panel for each algorithm and type, a line for each contestant.

use itertools::Itertools;

use super::record::{Found, Row, Timed};
use crate::bench::panel::{self, Panel};
use crate::bench::record::Record;

pub(super) fn of(Record { date, cpu, found, .. }: &Record<Found>) -> anyhow::Result<String> {
    let elements: Vec<_> = found.rows.iter().map(|row| row.element.as_str()).unique().collect();
    let contestants: Vec<_> =
        found.rows.iter().flat_map(timed).map(|one| one.peer.as_str()).unique().collect();
    let mut panels = Vec::new();
    for (down, algorithm) in found.algorithms().into_iter().enumerate() {
        for (across, &element) in elements.iter().enumerate() {
            let rows: Vec<&Row> = found.of(algorithm).filter(|row| row.element == element).collect();
            if !rows.is_empty() {
                let lines = contestants.iter().map(|peer| line(&rows, peer)).collect();
                panels.push(Panel { name: format!("{algorithm}, {element}"), place: (across, down), lines });
            }
        }
    }
    let title = "Elements in a nanosecond, by the number of elements: higher is faster";
    let below = format!("{cpu}, {} threads, {date}; medians; both axes are logarithmic", found.threads);
    panel::svg(elements.len().max(4), title, &below, &contestants, &panels)
}

/// All contestants of a row, the copy too: a line above which nobody comes who reads and writes as much.
fn timed(row: &Row) -> impl Iterator<Item = &Timed> {
    row.ours.iter().chain(&row.peers).chain(&row.copy)
}

/// Elements in a nanosecond by elements, of a contestant.
fn line(rows: &[&Row], peer: &str) -> Vec<(f64, f64)> {
    let point = |row: &&Row| {
        let one = timed(row).find(|one| one.peer == peer)?;
        Some((row.elements as f64, row.elements as f64 / one.time.median_ns))
    };
    rows.iter().filter_map(point).collect()
}
