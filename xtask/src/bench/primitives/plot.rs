//! Speed by size: a panel for each algorithm and type, a line for each contestant.

use super::record::{Found, Record, Row, Timed};
use crate::bench::drawing;
use crate::bench::panel::{Line, PANEL, Panel};
use crate::bench::ratio::distinct;

/// Above the panels.
const HEAD: i32 = 84;

pub(super) fn of(record: &Record) -> anyhow::Result<String> {
    let found = &record.found;
    let (algorithms, elements) =
        (found.algorithms(), distinct(found.rows.iter().map(|row| row.element.as_str())));
    let contestants = distinct(found.rows.iter().flat_map(timed).map(|one| one.peer.as_str()));
    let width = PANEL.0 * elements.len().max(4) as i32;
    let height = HEAD + PANEL.1 * algorithms.len() as i32;
    drawing::svg(width, height, |area| {
        let Found { cpu, threads, .. } = found;
        let below = format!("{cpu}, {threads} threads, {}; medians; both axes are logarithmic", record.date);
        drawing::title(
            area,
            "Elements in a nanosecond, by the number of elements: higher is faster",
            &below,
        )?;
        drawing::legend(area, contestants.iter().copied().zip((0..).map(drawing::colour_of_contestant)))?;
        for (algorithm, top) in algorithms.into_iter().zip((HEAD..).step_by(PANEL.1 as usize)) {
            for (&element, left) in elements.iter().zip((0..).step_by(PANEL.0 as usize)) {
                let rows: Vec<&Row> = found.of(algorithm).filter(|row| row.element == element).collect();
                if !rows.is_empty() {
                    let lines = lines(&rows, &contestants);
                    let panel = Panel::of(&lines, (left, top));
                    panel.draw(area, &format!("{algorithm}, {element}"), &lines)?;
                }
            }
        }
        Ok(())
    })
}

/// All contestants of a row, the copy too: a line above which nobody comes who reads and writes as much.
fn timed(row: &Row) -> impl Iterator<Item = &Timed> {
    row.ours.iter().chain(&row.peers).chain(&row.copy)
}

/// Elements in a nanosecond by elements, of each contestant.
fn lines(rows: &[&Row], contestants: &[&str]) -> Vec<Line> {
    let point = |row: &Row, peer: &str| {
        let one = timed(row).find(|one| one.peer == peer)?;
        Some((row.elements as f64, row.elements as f64 / one.time.median_ns))
    };
    let line = |(number, peer): (usize, &&str)| Line {
        colour: drawing::colour_of_contestant(number),
        points: rows.iter().filter_map(|row| point(row, peer)).collect(),
    };
    contestants.iter().enumerate().map(line).collect()
}
