//! Bandwidth by size: a panel for each call and number of ranks.

use super::record::{Record, Row};
use crate::bench::drawing;
use crate::bench::panel::{Line, PANEL, Panel};
use crate::bench::record::Time;

/// Above the panels.
const HEAD: i32 = 84;

/// Panels beside each other.
const COLUMNS: usize = 2;

const CONTESTANTS: [&str; 2] = ["Gridwright", "C"];

pub(super) fn of(record: &Record) -> anyhow::Result<String> {
    let tables = record.found.tables();
    let (width, lines_of_panels) = (PANEL.0 * 3, tables.len().div_ceil(COLUMNS));
    drawing::svg(width, HEAD + PANEL.1 * lines_of_panels as i32, |area| {
        let below = format!("{}, {}; medians; both axes are logarithmic", record.found.cpu, record.date);
        drawing::title(area, "GB/s of a rank, by the bytes of a call: higher is faster", &below)?;
        drawing::legend(area, CONTESTANTS.into_iter().zip((0..).map(drawing::colour_of_contestant)))?;
        for (number, (name, rows)) in tables.iter().enumerate() {
            let lines = [line(rows, 0, |row| row.ours), line(rows, 1, |row| row.peer)];
            let (column, row) = ((number % COLUMNS) as i32, (number / COLUMNS) as i32);
            Panel::of(&lines, (column * PANEL.0, HEAD + row * PANEL.1)).draw(area, name, &lines)?;
        }
        Ok(())
    })
}

fn line(rows: &[&Row], number: usize, time: impl Fn(&Row) -> Time) -> Line {
    let point = |row: &&Row| (row.bytes as f64, row.bytes as f64 / time(row).median_ns);
    Line { colour: drawing::colour_of_contestant(number), points: rows.iter().map(point).collect() }
}
