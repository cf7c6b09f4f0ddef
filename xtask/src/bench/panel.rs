//! Panels of a plot: lines over two logarithmic axes.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::drawing::{self, Area, FAINT, GRID, TEXT, colour_of_contestant, text};

/// A panel's place with its margins, and what is within the margins.
const SIZE: (i32, i32) = (230, 180);
const LEFT: i32 = 36;
const TOP: i32 = 22;
const PLOT: (i32, i32) = (SIZE.0 - LEFT - 10, SIZE.1 - TOP - 24);

/// Above the panels.
const HEAD: i32 = 84;

/// Powers of ten that are shown of what is drawn upwards, at most.
const MOST_POWERS: f64 = 4.0;

pub(super) struct Panel {
    pub(super) name: String,
    /// Column and row among the panels.
    pub(super) place: (usize, usize),
    /// The points of each contestant. The first is drawn over the others.
    pub(super) lines: Vec<Vec<(f64, f64)>>,
}

/// Panels below what they show and the contestants, on a picture as wide as so many.
pub(super) fn svg(
    columns: usize,
    title: &str,
    below: &str,
    contestants: &[&str],
    panels: &[Panel],
) -> anyhow::Result<String> {
    let rows = panels.iter().map(|panel| panel.place.1 + 1).max().unwrap_or(0);
    drawing::svg(SIZE.0 * columns as i32, HEAD + SIZE.1 * rows as i32, |area| {
        drawing::title(area, title, below)?;
        drawing::legend(area, contestants.iter().copied().zip((0..).map(colour_of_contestant)))?;
        panels.iter().try_for_each(|panel| Scales::of(panel).draw(area, panel))
    })
}

/// Scales of a panel, by powers of ten.
struct Scales {
    corner: (i32, i32),
    across: (f64, f64),
    up: (f64, f64),
}

impl Scales {
    fn of(Panel { place: (column, row), lines, .. }: &Panel) -> Self {
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let (least, most) = values.fold((f64::MAX, f64::MIN), |(least, most), value| {
                (least.min(value.log10().floor()), most.max(value.log10().ceil()))
            });
            (least, most.max(least + 1.0))
        };
        let across = range(&mut lines.iter().flatten().map(|(x, _)| *x));
        // What is slower by far is drawn at the bottom.
        let (least, most) = range(&mut lines.iter().flatten().map(|(_, y)| *y));
        let corner = (SIZE.0 * *column as i32 + LEFT, HEAD + SIZE.1 * *row as i32 + TOP);
        Self { corner, across, up: (least.max(most - MOST_POWERS), most) }
    }

    fn place(&self, (x, y): (f64, f64)) -> (i32, i32) {
        let part = |value: f64, (least, most): (f64, f64)| {
            ((value.log10() - least) / (most - least)).clamp(0.0, 1.0)
        };
        let across = part(x, self.across) * f64::from(PLOT.0);
        let up = part(y, self.up) * f64::from(PLOT.1);
        (self.corner.0 + across.round() as i32, self.corner.1 + PLOT.1 - up.round() as i32)
    }

    /// Draws the axes and the lines, below the panel's name.
    fn draw(&self, area: &Area<'_>, panel: &Panel) -> anyhow::Result<()> {
        let (left, top) = self.corner;
        area.draw_text(&panel.name, &text(12, TEXT, HPos::Left, VPos::Bottom), (left, top - 4))?;
        for power in self.up.0 as i32..=self.up.1 as i32 {
            let (_, y) = self.place((1.0, 10_f64.powi(power)));
            area.draw(&PathElement::new([(left, y), (left + PLOT.0, y)], GRID))?;
            let style = text(10, FAINT, HPos::Right, VPos::Center);
            area.draw_text(&format!("{}", 10_f64.powi(power)), &style, (left - 4, y))?;
        }
        for power in self.across.0 as i32..=self.across.1 as i32 {
            let (x, _) = self.place((10_f64.powi(power), 1.0));
            area.draw(&PathElement::new([(x, top), (x, top + PLOT.1)], GRID))?;
            let style = text(10, FAINT, HPos::Center, VPos::Top);
            area.draw_text(&format!("1e{power}"), &style, (x, top + PLOT.1 + 4))?;
        }
        for (number, line) in panel.lines.iter().enumerate().rev() {
            let colour = colour_of_contestant(number);
            let points: Vec<_> = line.iter().map(|&point| self.place(point)).collect();
            area.draw(&PathElement::new(
                points.clone(),
                colour.stroke_width(if number == 0 { 2 } else { 1 }),
            ))?;
            for point in points {
                area.draw(&Circle::new(point, 2, colour.filled()))?;
            }
        }
        Ok(())
    }
}
