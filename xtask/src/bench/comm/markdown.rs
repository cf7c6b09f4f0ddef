//! A record as Markdown, for people.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use super::record::{Found, Record, Row, mean};
use crate::bench::record::Time;

pub(super) fn of(record: &Record, name: &str) -> String {
    let Record { date, compiler, found } = record;
    let Found { device, cpu, cores, library, .. } = found;
    let load = |load: Option<f64>| load.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"));
    let rounds = found.rows.first().map_or(0, |row| row.rounds);
    format!(
        "# Calls of ranks, and the same in C, on {cpu}\n\n\
         {date}, {device}, {cores} cores, {library}, {compiler}; the machine's load was {before} before and {after} after. Measured by \
         `cargo xtask bench --comm`, without checks: ours and C's in one process, on one start of MPI and on the same memory, {rounds} rounds of each, who is first alternates, \
         results are compared first. A round begins when all ranks are there, and its time is that of the rank that took longest. Times are of one call, \
         the median of the rounds and in brackets the least; of send/receive half of there and back. `all_reduce` is a sum of `f32`. GB/s are bytes of a \
         rank by the median. Ratios are C's time over ours, of the medians and in brackets of the minima: above 1, ours is faster.\n\n\
         ![Bandwidth by size]({name}.svg)\n\n\
         {tables}",
        before = load(found.load_before),
        after = load(found.load_after),
        tables = tables(found),
    )
}

/// The means of all calls, and a table of each.
pub(super) fn tables(found: &Found) -> String {
    let mut means = table(&["", "geometric mean"]);
    let tables = found.tables();
    for (name, rows) in &tables {
        means.add_row([
            name.clone(),
            mean(rows.iter().copied()).map(|mean| mean.to_string()).unwrap_or_default(),
        ]);
    }
    means.add_row(["all".to_owned(), mean(&found.rows).map(|mean| mean.to_string()).unwrap_or_default()]);
    let mut text = format!("{means}\n");
    for (name, rows) in tables {
        text += &format!("\n## {name}\n\n{}\n", times(&rows));
    }
    text
}

/// A line for each size.
fn times(rows: &[&Row]) -> Table {
    let mut table = table(&["bytes", "ours", "C", "ours, GB/s", "C, GB/s", "C/ours"]);
    for row in rows {
        let rate = |time: Time| format!("{:.3}", row.bytes as f64 / time.median_ns);
        table.add_row([
            row.size(),
            row.ours.to_string(),
            row.peer.to_string(),
            rate(row.ours),
            rate(row.peer),
            row.ratio().to_string(),
        ]);
    }
    table
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
