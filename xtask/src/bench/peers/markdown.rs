//! A record as Markdown, for people.

use comfy_table::Table;
use itertools::Itertools;

use super::record::{Found, Row, Timed};
use crate::bench::record::{Record, load};
use crate::table::{self, or_empty, row};

pub(super) fn of(record: &Record<Found>, name: &str) -> String {
    let Record { date, compiler, device, cpu, found } = record;
    let Found { threads, load_before, versions, rows, skipped, .. } = found;
    let rounds = rows.iter().map(|row| row.rounds).min().unwrap_or_default();
    format!(
        "# Gridwright's CPU backend and its peers on {cpu}\n\n\
         {date}, {device}, {threads} threads, {compiler}; the machine's load was {load} before. Measured by `cargo xtask bench --peers`: all in \
         one run, in {rounds} rounds in which everyone takes a turn, results compared first. Times are of one call, the median of the rounds and \
         in brackets the least. Ratios are the peer's time over ours, of the medians and in brackets of the minima: above 1, ours is faster. \
         A peer races in the fastest of several ways that pass the check. Everyone's arrays begin at a cache line. Then follow our own time on one thread over that on all, and the \
         share of a limit's speed that ours reaches: of a copy of as many bytes, or of OpenBLAS' `sgemm`.\n\n\
         ![The ratios]({name}.svg)\n\n\
         {ratios}\n\n\
         {slower}\n\
         ## The peers\n\n\
         {versions}{skipped}\n\
         ## All times\n\n{times}\n",
        load = load(*load_before),
        ratios = ratios(found),
        slower = slower(found),
        versions = versions.iter().map(|(peer, version)| format!("- {peer}: {version}\n")).format(""),
        skipped = skipped.iter().format(""),
        times = times(rows),
    )
}

/// A line for each row, a column for each peer.
fn ratios(found: &Found) -> Table {
    let peers = found.peers();
    let of_peers = peers.iter().map(|peer| format!("{peer}: | ")).format("");
    let header = format!(" | ours: | {of_peers}best peer | ours on one thread: | ours of the limit:");
    let mut table = table::markdown(&header);
    for row in &found.rows {
        let ours = row.contestants.first();
        let mut cells = vec![row.name.clone(), or_empty(ours.map(|ours| ours.time))];
        cells.extend(peers.iter().map(|peer| or_empty(row.ratio(peer))));
        let limit = row.limit.as_ref().zip(ours);
        cells.extend([
            or_empty(row.best().map(|best| &best.peer)),
            or_empty(row.one_thread.as_ref().and_then(|one| row.ratio_of(one))),
            or_empty(limit.map(|(limit, ours)| format!("{} of {}", share(row, ours), limit.peer))),
        ]);
        table.add_row(cells);
    }
    for (name, with_launches) in [("geometric mean", true), ("the same without launches", false)] {
        let is_in = |row: &Row| with_launches || !row.is_of_launches();
        let mean = |peer: &&str| found.mean(peer, is_in).map(|(mean, rows)| format!("{mean} of {rows}"));
        table.add_row(row![name, ""].into_iter().chain(peers.iter().map(|peer| or_empty(mean(peer)))));
    }
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
    let header = "row | contestant | way | median (min): | spread: | rate: | of the limit: | off by:";
    let mut table = table::markdown(header);
    for row in rows {
        for one in row.contestants.iter().chain(&row.one_thread).chain(&row.limit) {
            let spread = format!("{:.0} %", one.spread * 100.0);
            let off = if one.off == 0.0 { "0".into() } else { format!("{:.1e}", one.off) };
            let (rate, share) = (rate(row, one), share(row, one));
            table.add_row(row![row.name, one.peer, one.way, one.time, spread, rate, share, off]);
        }
    }
    table
}

/// How much of the row's limit a contestant reaches.
fn share(row: &Row, one: &Timed) -> String {
    or_empty(row.share_of_limit(one).map(|share| format!("{:.0} %", share * 100.0)))
}

/// The work done in a second.
fn rate(row: &Row, one: &Timed) -> String {
    match row.work / one.time.median_ns * 1e9 {
        rate if rate < 1e9 => format!("{:.2} M{}/s", rate * 1e-6, row.unit),
        rate => format!("{:.2} G{}/s", rate * 1e-9, row.unit),
    }
}
