//! The results for people.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use super::record::{Row, Time, Timed};

/// A line for each contestant. Ratios above 1 are ours being faster.
pub(crate) fn of(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header([
        "row",
        "contestant",
        "median (min)",
        "spread",
        "rate",
        "peer/ours",
        "of minima",
        "of the limit",
    ]);
    for row in rows {
        for (number, one) in row.contestants.iter().chain(&row.one_thread).chain(&row.limit).enumerate() {
            let ours = &row.contestants[0].time;
            let Timed { peer, way, time, .. } = one;
            let ratio = |theirs: f64, ours: f64| {
                if number == 0 { String::new() } else { format!("{:.2}", theirs / ours) }
            };
            table.add_row([
                if number == 0 { row.name.clone() } else { String::new() },
                if way.is_empty() { peer.clone() } else { format!("{peer}, {way}") },
                shown(time.median_ns, time.min_ns),
                format!("{:.0} %", time.spread * 100.0),
                rate(row.work, time.median_ns, row.unit),
                ratio(time.median_ns, ours.median_ns),
                ratio(time.min_ns, ours.min_ns),
                row.limit.as_ref().map_or_else(String::new, |limit| share(&limit.time, time)),
            ]);
        }
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The median, and the minimum in brackets.
fn shown(median: f64, min: f64) -> String {
    let (unit, nanoseconds) = match median {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("µs", 1e3),
        _ => ("ms", 1e6),
    };
    format!("{:.2} ({:.2}) {unit}", median / nanoseconds, min / nanoseconds)
}

/// How much of a limit's speed is reached.
fn share(limit: &Time, time: &Time) -> String {
    format!("{:.0} %", limit.median_ns / time.median_ns * 100.0)
}

/// Work a second.
fn rate(work: f64, nanoseconds: f64, unit: &str) -> String {
    match work / nanoseconds * 1e9 {
        rate if rate < 1e9 => format!("{:.2} M{unit}/s", rate * 1e-6),
        rate => format!("{:.2} G{unit}/s", rate * 1e-9),
    }
}
