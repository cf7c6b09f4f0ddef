//! The ratios as dots, one for each peer in each row, where each step to the right is the double.

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::record::{Found, Record, Row};

const WIDTH: u32 = 900;
const TOP: i32 = 96;
const ROW: i32 = 32;
const BOTTOM: i32 = 40;
/// Places where the scale begins and ends.
const LEFT: i32 = 230;
const RIGHT: i32 = WIDTH as i32 - 40;

/// Colours of the peers, in their order; told apart with any sight.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 94, 60),
    RGBColor(90, 90, 90),
];
const TEXT: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(120, 120, 120);
const GRID: RGBColor = RGBColor(225, 225, 225);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

pub(super) fn of(record: &Record) -> anyhow::Result<String> {
    let found = &record.found;
    let height = TOP + ROW * found.rows.len() as i32 + BOTTOM;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        title(&area, record)?;
        let scale = Scale::of(found);
        scale.draw(&area, height - BOTTOM)?;
        let peers = found.peers();
        for (row, top) in found.rows.iter().zip((TOP..).step_by(ROW as usize)) {
            dots(&area, row, &peers, top + ROW / 2, &scale)?;
        }
        area.present()?;
    }
    if svg.is_empty() { Err(anyhow!("nothing was drawn")) } else { Ok(svg) }
}

fn colour(peer: usize) -> RGBColor {
    COLOURS[peer % COLOURS.len()]
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

fn title(area: &Area<'_>, record: &Record) -> anyhow::Result<()> {
    let Found { cpu, threads, .. } = &record.found;
    let style = text(16, TEXT, HPos::Left, VPos::Top);
    area.draw_text("Peer's time / ours: right of 1, ours is faster", &style, (16, 12))?;
    let style = text(12, FAINT, HPos::Left, VPos::Top);
    let below = format!("{cpu}, {threads} threads, {}; full dots: medians, rings: best rounds", record.date);
    area.draw_text(&below, &style, (16, 35))?;
    let style = text(12, TEXT, HPos::Left, VPos::Center);
    let mut x = 20;
    for (number, peer) in record.found.peers().into_iter().enumerate() {
        area.draw(&Circle::new((x, 66), 5, colour(number).filled()))?;
        area.draw_text(peer, &style, (x + 10, 66))?;
        x += 30 + 7 * peer.len() as i32;
    }
    Ok(())
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

fn text(size: i32, colour: RGBColor, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour).pos(Pos::new(horizontal, vertical))
}
