//! A record as Markdown, for people.

use comfy_table::Table;
use itertools::Itertools;

use super::record::{Found, Row, mean, peers, worst};
use crate::bench::record::{Record, unit};
use crate::table::{self, or_empty, row};

pub(super) fn of(record: &Record<Found>, name: &str) -> String {
    let Record { date, compiler, device, cpu, found } = record;
    let Found { threads, load, skipped, .. } = found;
    format!(
        "# The primitives and their peers on {cpu}\n\n\
         {date}, {device}, {threads} threads, {compiler}; the machine's load was {load}. Measured by \
         `cargo xtask bench --primitives`: all in one process, in rounds in which everyone takes a turn, results compared first. Times are of \
         one call, the median of the rounds and in brackets the least. Ratios are the peer's time over ours, of the medians and in brackets of \
         the minima: above 1, ours is faster. A peer races in the fastest of several ways that pass the check. The share of the copy is what has \
         to be read and written by our time, over the speed of a parallel copy of as many elements; a sort would have to read and write them \
         once.\n\n\
         ![Speed by size]({name}.svg)\n\n\
         {tables}{skipped}",
        tables = tables(found),
        skipped = skipped.iter().format(""),
    )
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
    let mut table = table::markdown(" | peer | geometric mean: | worst: | in");
    for algorithm in found.algorithms() {
        let rows = found.of(algorithm);
        for peer in peers(rows.clone()) {
            if let (Some(mean), Some((row, least))) = (mean(rows.clone(), peer), worst(rows.clone(), peer)) {
                table.add_row(row![algorithm, peer, mean, least, row.size()]);
            }
        }
    }
    table
}

/// A line for each type and size, a column for each peer.
fn ratios(rows: &[&Row]) -> Table {
    let peers = peers(rows.iter().copied());
    let of_peers = peers.iter().map(|peer| format!(" | {peer}:")).format("");
    let mut table = table::markdown(&format!(" | ours: | of the copy:{of_peers}"));
    for row in rows {
        let share = row.share_of_copy().map(|share| format!("{share:.2}"));
        let ours = row![row.size(), or_empty(row.ours.as_ref().map(|ours| ours.time)), or_empty(share)];
        table.add_row(ours.into_iter().chain(peers.iter().map(|peer| or_empty(row.ratio(peer)))));
    }
    table
}

/// A line for each contestant of each row.
fn times(rows: &[Row]) -> Table {
    let mut table = table::markdown("row | contestant | way | median (min): | most: | elements/s:");
    for row in rows {
        let name = format!("{} {}", row.algorithm, row.size());
        for one in row.ours.iter().chain(&row.peers).chain(&row.copy) {
            let (unit, nanoseconds) = unit(one.max_ns);
            let most = format!("{:.2} {unit}", one.max_ns / nanoseconds);
            let speed = format!("{:.0} M", row.elements as f64 / one.time.median_ns * 1e3);
            table.add_row(row![name, one.peer, one.way, one.time, most, speed]);
        }
    }
    table
}
