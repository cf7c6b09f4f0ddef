//! The ratios as bars, with a line where ours and the peer are equal.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use crate::bench::drawing::{self, Area, FAINT, GRID, TEXT, text};
use crate::bench::ratio::Ratio;
use crate::bench::record::Row;

const WIDTH: i32 = 860;
const TOP: i32 = 64;
const ROW: i32 = 34;
const BAR: i32 = 20;
const BOTTOM: i32 = 40;
/// Places where the bars begin, and where the longest may end.
const LEFT: i32 = 340;
const RIGHT: i32 = WIDTH - 70;

const FASTER: RGBColor = RGBColor(45, 125, 90);
const SLOWER: RGBColor = RGBColor(200, 130, 50);

pub(super) fn of(machine: &str, date: &str, rows: &[Row]) -> anyhow::Result<String> {
    let height = TOP + ROW * rows.len() as i32 + BOTTOM;
    drawing::svg(WIDTH, height, |area| {
        let scale = Scale::of(rows);
        let below = format!("{machine}, {date}; bars: medians, dots: best rounds");
        drawing::title(area, "Peer's time / ours: above 1, ours is faster", &below)?;
        scale.draw(area, height - BOTTOM)?;
        for (row, top) in rows.iter().zip((TOP..).step_by(ROW as usize)) {
            bar(area, row, top + (ROW - BAR) / 2, &scale)?;
        }
        // The line of equality lies over the bars.
        let x = scale.x(1.0);
        area.draw(&PathElement::new([(x, TOP - 6), (x, height - BOTTOM)], TEXT.stroke_width(2)))?;
        Ok(())
    })
}

/// Scale from ratios to places.
struct Scale {
    most: f64,
}

impl Scale {
    fn of(rows: &[Row]) -> Self {
        let ratios = rows.iter().map(Row::ratio);
        let most = ratios.flat_map(|ratio| [ratio.of_medians, ratio.of_minima]).fold(1.25, f64::max);
        Self { most: (most * 4.0).ceil() / 4.0 }
    }

    fn x(&self, ratio: f64) -> i32 {
        LEFT + (f64::from(RIGHT - LEFT) * ratio / self.most).round() as i32
    }

    /// Draws about five lines with round numbers.
    fn draw(&self, area: &Area<'_>, bottom: i32) -> anyhow::Result<()> {
        let steps = [0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        let step = steps.into_iter().find(|step| self.most / step <= 6.0).unwrap_or(self.most);
        let style = text(12, FAINT, HPos::Center, VPos::Top);
        for i in 0..=(self.most / step) as usize {
            let ratio = i as f64 * step;
            let x = self.x(ratio);
            area.draw(&PathElement::new([(x, TOP), (x, bottom)], GRID))?;
            area.draw_text(&format!("{ratio}"), &style, (x, bottom + 6))?;
        }
        Ok(())
    }
}

fn bar(area: &Area<'_>, row: &Row, top: i32, scale: &Scale) -> anyhow::Result<()> {
    let Ratio { of_medians: ratio, of_minima } = row.ratio();
    let middle = top + BAR / 2;
    let colour = if ratio >= 1.0 { FASTER } else { SLOWER };
    area.draw(&Rectangle::new([(LEFT, top), (scale.x(ratio), top + BAR)], colour.filled()))?;
    let best = scale.x(of_minima);
    area.draw(&Circle::new((best, middle), 4, WHITE.filled()))?;
    area.draw(&Circle::new((best, middle), 4, TEXT.stroke_width(1)))?;

    area.draw_text(&row.name, &text(13, TEXT, HPos::Left, VPos::Center), (16, middle))?;
    area.draw_text(&row.peer_name, &text(12, FAINT, HPos::Right, VPos::Center), (LEFT - 10, middle))?;
    let end = scale.x(ratio.max(of_minima).max(if ratio < 1.0 { 0.0 } else { 1.0 }));
    area.draw_text(&format!("{ratio:.2}"), &text(13, TEXT, HPos::Left, VPos::Center), (end + 10, middle))?;
    Ok(())
}
