//! A panel of a plot: lines over two logarithmic axes.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::drawing::{Area, FAINT, GRID, TEXT, text};

/// A panel with its margins, and what is within the margins.
pub(super) const PANEL: (i32, i32) = (230, 180);
const LEFT: i32 = 36;
const TOP: i32 = 22;
const PLOT: (i32, i32) = (PANEL.0 - LEFT - 10, PANEL.1 - TOP - 24);

/// Powers of ten that are shown of what is drawn upwards, at most.
const MOST_POWERS: f64 = 4.0;

/// A contestant's line. The first of a panel is drawn over the others.
pub(super) struct Line {
    pub(super) colour: RGBColor,
    pub(super) points: Vec<(f64, f64)>,
}

/// Scales of a panel, by powers of ten.
pub(super) struct Panel {
    corner: (i32, i32),
    across: (f64, f64),
    up: (f64, f64),
}

impl Panel {
    /// A panel for lines, with its margins at a corner.
    pub(super) fn of(lines: &[Line], corner: (i32, i32)) -> Self {
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let (least, most) = values.fold((f64::MAX, f64::MIN), |(least, most), value| {
                (least.min(value.log10().floor()), most.max(value.log10().ceil()))
            });
            (least, most.max(least + 1.0))
        };
        let points = || lines.iter().flat_map(|line| &line.points);
        let across = range(&mut points().map(|(x, _)| *x));
        // What is slower by far is drawn at the bottom.
        let (least, most) = range(&mut points().map(|(_, y)| *y));
        Self { corner: (corner.0 + LEFT, corner.1 + TOP), across, up: (least.max(most - MOST_POWERS), most) }
    }

    fn place(&self, (x, y): (f64, f64)) -> (i32, i32) {
        let part = |value: f64, (least, most): (f64, f64)| {
            ((value.log10() - least) / (most - least)).clamp(0.0, 1.0)
        };
        let across = part(x, self.across) * f64::from(PLOT.0);
        let up = part(y, self.up) * f64::from(PLOT.1);
        (self.corner.0 + across.round() as i32, self.corner.1 + PLOT.1 - up.round() as i32)
    }

    /// Draws the axes and the lines, below a name.
    ///
    /// # Errors
    /// Those of drawing.
    pub(super) fn draw(&self, area: &Area<'_>, name: &str, lines: &[Line]) -> anyhow::Result<()> {
        let (left, top) = self.corner;
        area.draw_text(name, &text(12, TEXT, HPos::Left, VPos::Bottom), (left, top - 4))?;
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
        for (number, line) in lines.iter().enumerate().rev() {
            let points: Vec<_> = line.points.iter().map(|&point| self.place(point)).collect();
            let style = line.colour.stroke_width(if number == 0 { 2 } else { 1 });
            area.draw(&PathElement::new(points.clone(), style))?;
            for point in points {
                area.draw(&Circle::new(point, 2, line.colour.filled()))?;
            }
        }
        Ok(())
    }
}
