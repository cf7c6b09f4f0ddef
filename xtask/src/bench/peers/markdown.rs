//! A record as Markdown, for people.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use super::record::{Found, Record, Row, Timed};

pub(super) fn of(record: &Record, name: &str) -> String {
    let Record { date, compiler, found } = record;
    let Found { device, cpu, threads, load_before, versions, rows, skipped, .. } = found;
    let load = load_before.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"));
    let rounds = rows.iter().map(|row| row.rounds).min().unwrap_or_default();
    let mut text = format!(
        "# Gridwright's CPU backend and its peers on {cpu}\n\n\
         {date}, {device}, {threads} threads, {compiler}; the machine's load was {load} before. Measured by `cargo xtask bench --peers`: all in \
         one run, in {rounds} rounds in which everyone takes a turn, results compared first. Times are of one call, the median of the rounds and \
         in brackets the least. Ratios are the peer's time over ours, of the medians and in brackets of the minima: above 1, ours is faster. \
         A peer races in the fastest of several ways that pass the check. Everyone's arrays begin at a cache line. Then follow our own time on one thread over that on all, and the \
         share of a limit's speed that ours reaches: of a copy of as many bytes, or of OpenBLAS' `sgemm`.\n\n\
         ![The ratios]({name}.svg)\n\n\
         {ratios}\n\n",
        ratios = ratios(found),
    );
    text += &slower(found);
    text += "\n## The peers\n\n";
    for (peer, version) in versions {
        text += &format!("- {peer}: {version}\n");
    }
    for skipped in skipped {
        text += &skipped.to_string();
    }
    text + &format!("\n## All times\n\n{}\n", times(rows))
}

/// A line for each row, a column for each peer.
fn ratios(found: &Found) -> Table {
    let peers = found.peers();
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let header = ["", "ours"].into_iter().chain(peers.iter().copied()).chain([
        "best peer",
        "ours on one thread",
        "ours of the limit",
    ]);
    table.set_header(header.map(str::to_owned));
    for row in &found.rows {
        let mut cells = vec![
            row.name.clone(),
            row.contestants.first().map(|ours| ours.time.to_string()).unwrap_or_default(),
        ];
        cells.extend(
            peers.iter().map(|peer| row.ratio(peer).map(|ratio| ratio.to_string()).unwrap_or_default()),
        );
        cells.push(row.best().map(|best| best.peer.clone()).unwrap_or_default());
        cells.push(
            row.one_thread
                .as_ref()
                .and_then(|one| row.ratio_of(one))
                .map(|ratio| ratio.to_string())
                .unwrap_or_default(),
        );
        let limit = row.limit.as_ref().zip(row.contestants.first());
        cells.push(
            limit.map_or_else(String::new, |(limit, ours)| format!("{} of {}", share(row, ours), limit.peer)),
        );
        table.add_row(cells);
    }
    for (name, with_launches) in [("geometric mean", true), ("the same without launches", false)] {
        let mut cells = vec![name.to_owned(), String::new()];
        let is_in = |row: &Row| with_launches || !row.is_of_launches();
        let mean = |peer: &&str| found.mean(peer, is_in).map(|(mean, rows)| format!("{mean} of {rows}"));
        cells.extend(peers.iter().map(|peer| mean(peer).unwrap_or_default()));
        table.add_row(cells);
    }
    align(&mut table, 1..peers.len() + 2);
    align(&mut table, peers.len() + 3..peers.len() + 5);
    table
}

/// In which rows a peer is faster than ours, and how much.
fn slower(found: &Found) -> String {
    let rows = found.rows.iter().filter_map(|row| {
        let best = row.best()?;
        let ratio = row.ratio_of(best)?.of_medians;
        (ratio < 1.0).then(|| format!("- {}: {} takes {ratio:.2} of our time\n", row.name, best.peer))
    });
    match rows.collect::<String>() {
        rows if rows.is_empty() => "Ours is the fastest in every row.\n".into(),
        rows => format!("Where a peer is faster than ours, the fastest:\n\n{rows}"),
    }
}

/// A line for each contestant of each row.
fn times(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "row",
        "contestant",
        "way",
        "median (min)",
        "spread",
        "rate",
        "of the limit",
        "off by",
    ]);
    for row in rows {
        for one in row.contestants.iter().chain(&row.one_thread).chain(&row.limit) {
            table.add_row([
                row.name.clone(),
                one.peer.clone(),
                one.way.clone(),
                one.time.to_string(),
                format!("{:.0} %", one.spread * 100.0),
                rate(row, one),
                share(row, one),
                if one.off == 0.0 { "0".into() } else { format!("{:.1e}", one.off) },
            ]);
        }
    }
    align(&mut table, 3..8);
    table
}

/// How much of the row's limit a contestant reaches.
fn share(row: &Row, one: &Timed) -> String {
    row.share_of_limit(one).map_or_else(String::new, |share| format!("{:.0} %", share * 100.0))
}

fn align(table: &mut Table, columns: std::ops::Range<usize>) {
    for index in columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// The work done in a second.
fn rate(row: &Row, one: &Timed) -> String {
    match row.work / one.time.median_ns * 1e9 {
        rate if rate < 1e9 => format!("{:.2} M{}/s", rate * 1e-6, row.unit),
        rate => format!("{:.2} G{}/s", rate * 1e-9, row.unit),
    }
}
