//! The results for people.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ColumnConstraint, Table};

use crate::record::{Row, Time};

/// Where a row isn't raced against one thread, these columns are empty; where none is, they are left out.
const OF_ONE_THREAD: [usize; 2] = [4, 7];

/// Ratios above 1 are ours being faster.
pub fn of(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header([
        "row",
        "against",
        "ours",
        "peer",
        "one thread",
        "peer/ours",
        "of minima",
        "one thread/ours",
    ]);
    for row in rows {
        let Row { ours, peer, serial, .. } = row;
        table.add_row([
            row.name.clone(),
            row.peer_name.clone(),
            shown(*ours),
            shown(*peer),
            serial.map_or_else(String::new, shown),
            format!("{:.2}", peer.median_ns / ours.median_ns),
            format!("{:.2}", peer.min_ns / ours.min_ns),
            serial.map_or_else(String::new, |serial| format!("{:.2}", serial.median_ns / ours.median_ns)),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    if rows.iter().all(|row| row.serial.is_none()) {
        for index in OF_ONE_THREAD {
            table.column_mut(index).map(|column| column.set_constraint(ColumnConstraint::Hidden));
        }
    }
    table
}

/// The median, and the minimum in brackets.
fn shown(time: Time) -> String {
    let (unit, nanoseconds) = match time.median_ns {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("µs", 1e3),
        _ => ("ms", 1e6),
    };
    format!("{:.2} ({:.2}) {unit}", time.median_ns / nanoseconds, time.min_ns / nanoseconds)
}
