//! Speed by size: a panel for each algorithm and type, a line for each contestant.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::record::{Found, Record, Row, Timed};
use crate::bench::drawing::{self, Area, FAINT, GRID, TEXT, text};
use crate::bench::ratio::distinct;

/// A panel with its margins, and what is within the margins.
const PANEL: (i32, i32) = (230, 180);
const LEFT: i32 = 36;
const TOP: i32 = 22;
const PLOT: (i32, i32) = (PANEL.0 - LEFT - 10, PANEL.1 - TOP - 24);
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
        drawing::legend(area, contestants.iter().copied().zip((0..).map(colour)))?;
        for (algorithm, top) in algorithms.into_iter().zip((HEAD..).step_by(PANEL.1 as usize)) {
            for (&element, left) in elements.iter().zip((0..).step_by(PANEL.0 as usize)) {
                let rows: Vec<&Row> = found.of(algorithm).filter(|row| row.element == element).collect();
                if !rows.is_empty() {
                    let panel = Panel::of(&rows, (left + LEFT, top + TOP));
                    panel.draw(area, &format!("{algorithm}, {element}"), &rows, &contestants)?;
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

/// Elements in a nanosecond.
fn speed(row: &Row, one: &Timed) -> f64 {
    row.elements as f64 / one.time.median_ns
}

/// The colour of a contestant, of which the first is ours.
fn colour(contestant: usize) -> RGBColor {
    contestant.checked_sub(1).map_or(RGBColor(20, 20, 20), drawing::colour)
}

/// Scales of a panel, by powers of ten.
struct Panel {
    corner: (i32, i32),
    sizes: (f64, f64),
    speeds: (f64, f64),
}

impl Panel {
    fn of(rows: &[&Row], corner: (i32, i32)) -> Self {
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let (least, most) = values.fold((f64::MAX, f64::MIN), |(least, most), value| {
                (least.min(value.log10().floor()), most.max(value.log10().ceil()))
            });
            (least, most.max(least + 1.0))
        };
        let sizes = range(&mut rows.iter().map(|row| row.elements as f64));
        // A peer that is slower by far is drawn at the bottom.
        let (least, most) = range(&mut rows.iter().flat_map(|row| timed(row).map(|one| speed(row, one))));
        Self { corner, sizes, speeds: (least.max(most - 4.0), most) }
    }

    fn place(&self, size: f64, speed: f64) -> (i32, i32) {
        let part = |value: f64, (least, most): (f64, f64)| {
            ((value.log10() - least) / (most - least)).clamp(0.0, 1.0)
        };
        let across = part(size, self.sizes) * f64::from(PLOT.0);
        let up = part(speed, self.speeds) * f64::from(PLOT.1);
        (self.corner.0 + across.round() as i32, self.corner.1 + PLOT.1 - up.round() as i32)
    }

    fn draw(&self, area: &Area<'_>, name: &str, rows: &[&Row], contestants: &[&str]) -> anyhow::Result<()> {
        let (left, top) = self.corner;
        area.draw_text(name, &text(12, TEXT, HPos::Left, VPos::Bottom), (left, top - 4))?;
        for power in self.speeds.0 as i32..=self.speeds.1 as i32 {
            let (_, y) = self.place(1.0, 10_f64.powi(power));
            area.draw(&PathElement::new([(left, y), (left + PLOT.0, y)], GRID))?;
            let style = text(10, FAINT, HPos::Right, VPos::Center);
            area.draw_text(&format!("{}", 10_f64.powi(power)), &style, (left - 4, y))?;
        }
        for power in self.sizes.0 as i32..=self.sizes.1 as i32 {
            let (x, _) = self.place(10_f64.powi(power), 1.0);
            area.draw(&PathElement::new([(x, top), (x, top + PLOT.1)], GRID))?;
            let style = text(10, FAINT, HPos::Center, VPos::Top);
            area.draw_text(&format!("1e{power}"), &style, (x, top + PLOT.1 + 4))?;
        }
        // Ours is drawn last, over the others.
        for (number, peer) in contestants.iter().enumerate().rev() {
            let points: Vec<(i32, i32)> = rows
                .iter()
                .filter_map(|row| {
                    let one = timed(row).find(|one| one.peer == *peer)?;
                    Some(self.place(row.elements as f64, speed(row, one)))
                })
                .collect();
            let style = colour(number).stroke_width(if number == 0 { 2 } else { 1 });
            area.draw(&PathElement::new(points.clone(), style))?;
            for point in points {
                area.draw(&Circle::new(point, 2, colour(number).filled()))?;
            }
        }
        Ok(())
    }
}
