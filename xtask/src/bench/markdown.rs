//! A record for people.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use crate::bench::record::{Record, Time};

pub(super) fn of(record: &Record, name: &str) -> String {
    let Record { date, compiler, found } = record;
    format!(
        "# Gridwright's CPU backend on {cpu}\n\n\
         {date}, {device}, {threads} threads, {compiler}. Measured by `cargo xtask bench`: ours and the peer in one \
         process, in alternating rounds, results compared first. Times are of one call, the median of the rounds and \
         in brackets the least. Ratios are the other's time over ours: above 1, ours is faster.\n\n\
         {table}\n\n\
         ![The ratios]({name}.svg)\n",
        cpu = found.cpu,
        device = found.device,
        threads = found.threads,
        table = table(record),
    )
}

fn table(record: &Record) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "",
        "against",
        "ours",
        "peer",
        "one thread",
        "peer/ours",
        "of minima",
        "one thread/ours",
    ]);
    for row in &record.found.rows {
        let serial = row.serial;
        table.add_row([
            row.name.clone(),
            row.peer_name.clone(),
            shown(row.ours),
            shown(row.peer),
            serial.map_or_else(String::new, shown),
            format!("{:.2}", row.ratio()),
            format!("{:.2}", row.ratio_of_minima()),
            serial.map_or_else(String::new, |serial| format!("{:.2}", serial.median_ns / row.ours.median_ns)),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn shown(time: Time) -> String {
    let (unit, nanoseconds) = match time.median_ns {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("µs", 1e3),
        _ => ("ms", 1e6),
    };
    format!("{:.2} ({:.2}) {unit}", time.median_ns / nanoseconds, time.min_ns / nanoseconds)
}
