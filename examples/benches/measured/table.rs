//! The results for people.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use super::record::{Row, Time};

/// Ratios above 1 are ours being faster. What was raced against one thread has two more columns.
pub(crate) fn of(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    let has_serial = rows.iter().any(|row| row.serial.is_some());
    let mut header = vec!["row", "against", "ours", "peer", "peer/ours", "of minima"];
    header.extend(has_serial.then_some(["one thread", "one thread/ours"]).into_iter().flatten());
    table.set_header(header);
    for row in rows {
        let Row { ours, peer, serial, .. } = row;
        let mut cells = vec![
            row.name.clone(),
            row.peer_name.clone(),
            shown(*ours),
            shown(*peer),
            format!("{:.2}", peer.median_ns / ours.median_ns),
            format!("{:.2}", peer.min_ns / ours.min_ns),
        ];
        if has_serial {
            cells.push(serial.map_or_else(String::new, shown));
            let ratio = |serial: Time| format!("{:.2}", serial.median_ns / ours.median_ns);
            cells.push(serial.map_or_else(String::new, ratio));
        }
        table.add_row(cells);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
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
