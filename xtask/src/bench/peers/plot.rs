//! The ratios as dots, one for each peer in each row, where each step to the right is the double.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::record::{Found, Row};
use crate::bench::drawing::{self, Area, FAINT, GRID, TEXT, colour, text};
use crate::bench::record::Record;

const WIDTH: i32 = 900;
const TOP: i32 = 96;
const ROW: i32 = 32;
const BOTTOM: i32 = 40;
/// Places where the scale begins and ends.
const LEFT: i32 = 230;
const RIGHT: i32 = WIDTH - 40;

pub(super) fn of(Record { date, cpu, found, .. }: &Record<Found>) -> anyhow::Result<String> {
    let height = TOP + ROW * found.rows.len() as i32 + BOTTOM;
    drawing::svg(WIDTH, height, |area| {
        let below =
            format!("{cpu}, {} threads, {date}; full dots: medians, rings: best rounds", found.threads);
        drawing::title(area, "Peer's time / ours: right of 1, ours is faster", &below)?;
        let peers = found.peers();
        drawing::legend(area, peers.iter().copied().zip((0..).map(colour)))?;
        let scale = Scale::of(found);
        scale.draw(area, height - BOTTOM)?;
        for (row, top) in found.rows.iter().zip((TOP..).step_by(ROW as usize)) {
            dots(area, row, &peers, top + ROW / 2, &scale)?;
        }
        Ok(())
    })
}

/// Scale from ratios to places: powers of two.
struct Scale {
    first: i32,
    last: i32,
}

impl Scale {
    fn of(found: &Found) -> Self {
        let of_row = |row: &Row| -> Vec<f64> {
            let ratios = row.peers().iter().filter_map(|peer| row.ratio_of(peer));
            ratios.flat_map(|ratio| [ratio.of_medians.log2(), ratio.of_minima.log2()]).collect()
        };
        let powers = found.rows.iter().flat_map(of_row).filter(|power| power.is_finite());
        let (least, most) =
            powers.fold((-1.0_f64, 1.0_f64), |(least, most), power| (least.min(power), most.max(power)));
        Self { first: least.floor() as i32, last: most.ceil() as i32 }
    }

    fn x(&self, ratio: f64) -> i32 {
        let part = (ratio.log2() - f64::from(self.first)) / f64::from(self.last - self.first);
        LEFT + (f64::from(RIGHT - LEFT) * part.clamp(0.0, 1.0)).round() as i32
    }

    /// Draws a line for each power, or every so many.
    fn draw(&self, area: &Area<'_>, bottom: i32) -> anyhow::Result<()> {
        let step = ((self.last - self.first) / 12 + 1) as usize;
        let style = text(12, FAINT, HPos::Center, VPos::Top);
        for power in (self.first..=self.last).filter(|power| power.rem_euclid(step as i32) == 0) {
            let x = self.x(f64::from(power).exp2());
            let line = if power == 0 { TEXT.stroke_width(2) } else { GRID.stroke_width(1) };
            area.draw(&PathElement::new([(x, TOP), (x, bottom)], line))?;
            let name =
                if power < 0 { format!("1/{}", 1_u64 << -power) } else { format!("{}", 1_u64 << power) };
            area.draw_text(&name, &style, (x, bottom + 6))?;
        }
        Ok(())
    }
}

fn dots(area: &Area<'_>, row: &Row, peers: &[&str], middle: i32, scale: &Scale) -> anyhow::Result<()> {
    area.draw_text(&row.name, &text(13, TEXT, HPos::Left, VPos::Center), (16, middle))?;
    area.draw(&PathElement::new([(LEFT, middle), (RIGHT, middle)], GRID.stroke_width(1)))?;
    for (number, peer) in peers.iter().enumerate() {
        let Some(ratio) = row.ratio(peer) else { continue };
        let best = (scale.x(ratio.of_minima), middle);
        area.draw(&Circle::new(best, 4, colour(number).stroke_width(1)))?;
        area.draw(&Circle::new((scale.x(ratio.of_medians), middle), 5, colour(number).filled()))?;
    }
    Ok(())
}
