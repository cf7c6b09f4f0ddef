//! A record as Markdown, for people.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use super::record::{Found, Record, Row, mean, peers, worst};
use crate::bench::record::unit;

pub(super) fn of(record: &Record, name: &str) -> String {
    let Record { date, compiler, found } = record;
    let Found { device, cpu, threads, skipped, .. } = found;
    let load = |load: Option<f64>| load.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"));
    let mut text = format!(
        "# The primitives and their peers on {cpu}\n\n\
         {date}, {device}, {threads} threads, {compiler}; the machine's load was {before} before and {after} after. Measured by \
         `cargo xtask bench --primitives`: all in one process, in rounds in which everyone takes a turn, results compared first. Times are of \
         one call, the median of the rounds and in brackets the least. Ratios are the peer's time over ours, of the medians and in brackets of \
         the minima: above 1, ours is faster. A peer races in the fastest of several ways that pass the check. The share of the copy is what has \
         to be read and written by our time, over the speed of a parallel copy of as many elements; a sort would have to read and write them \
         once.\n\n\
         ![Speed by size]({name}.svg)\n\n",
        before = load(found.load_before),
        after = load(found.load_after),
    );
    text += &tables(found);
    for skipped in skipped {
        text += &skipped.to_string();
    }
    text
}

/// The means of all algorithms, and a table of each.
pub(super) fn tables(found: &Found) -> String {
    let mut text = format!("{}\n\n", means(found));
    for algorithm in found.algorithms() {
        let rows: Vec<&Row> = found.of(algorithm).collect();
        text += &format!("## {algorithm}\n\n{}\n\n", ratios(&rows));
    }
    text + &format!("## All times\n\n{}\n", times(&found.rows))
}

/// A line for each algorithm and peer.
fn means(found: &Found) -> Table {
    let mut table = table(&["", "peer", "geometric mean", "worst", "in"], 2..4);
    for algorithm in found.algorithms() {
        let rows = found.of(algorithm);
        for peer in peers(rows.clone()) {
            let (Some(mean), Some((row, least))) = (mean(rows.clone(), peer), worst(rows.clone(), peer))
            else {
                continue;
            };
            table.add_row([
                algorithm.to_owned(),
                peer.to_owned(),
                mean.to_string(),
                least.to_string(),
                row.size(),
            ]);
        }
    }
    table
}

/// A line for each type and size, a column for each peer.
fn ratios(rows: &[&Row]) -> Table {
    let peers = peers(rows.iter().copied());
    let mut header = vec!["", "ours", "of the copy"];
    header.extend(&peers);
    let mut table = table(&header, 1..header.len());
    for row in rows {
        let share = row.share_of_copy().map(|share| format!("{share:.2}"));
        let mut cells = vec![
            row.size(),
            row.ours.as_ref().map(|ours| ours.time.to_string()).unwrap_or_default(),
            share.unwrap_or_default(),
        ];
        cells.extend(
            peers.iter().map(|peer| row.ratio(peer).map(|ratio| ratio.to_string()).unwrap_or_default()),
        );
        table.add_row(cells);
    }
    table
}

/// A line for each contestant of each row.
fn times(rows: &[Row]) -> Table {
    let mut table = table(&["row", "contestant", "way", "median (min)", "most", "elements/s"], 3..6);
    for row in rows {
        for one in row.ours.iter().chain(&row.peers).chain(&row.copy) {
            let (unit, nanoseconds) = unit(one.max_ns);
            table.add_row([
                format!("{} {}", row.algorithm, row.size()),
                one.peer.clone(),
                one.way.clone(),
                one.time.to_string(),
                format!("{:.2} {unit}", one.max_ns / nanoseconds),
                format!("{:.0} M", row.elements as f64 / one.time.median_ns * 1e3),
            ]);
        }
    }
    table
}

/// A table whose cells are right-aligned in these columns.
fn table(header: &[&str], right: std::ops::Range<usize>) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(header.iter().map(|&cell| cell.to_owned()));
    for index in right {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
