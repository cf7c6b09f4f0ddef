//! What all plots of races look like.

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(super) const TEXT: RGBColor = RGBColor(40, 40, 40);
pub(super) const FAINT: RGBColor = RGBColor(120, 120, 120);
pub(super) const GRID: RGBColor = RGBColor(225, 225, 225);

/// Colours of peers, in their order; told apart with any sight.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 94, 60),
    RGBColor(150, 150, 150),
];

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A white picture of so many pixels, drawn on.
pub(super) fn svg(
    width: i32,
    height: i32,
    draw: impl FnOnce(&Area<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
    }
    if svg.is_empty() { Err(anyhow!("nothing was drawn")) } else { Ok(svg) }
}

/// Draws what the picture shows, and below it of what.
pub(super) fn title(area: &Area<'_>, title: &str, below: &str) -> anyhow::Result<()> {
    area.draw_text(title, &text(16, TEXT, HPos::Left, VPos::Top), (16, 12))?;
    area.draw_text(below, &text(12, FAINT, HPos::Left, VPos::Top), (16, 35))?;
    Ok(())
}

/// Draws the contestants with their colours, below the title.
pub(super) fn legend<'n>(
    area: &Area<'_>,
    contestants: impl Iterator<Item = (&'n str, RGBColor)>,
) -> anyhow::Result<()> {
    let mut x = 20;
    for (name, colour) in contestants {
        area.draw(&Circle::new((x, 66), 5, colour.filled()))?;
        area.draw_text(name, &text(12, TEXT, HPos::Left, VPos::Center), (x + 10, 66))?;
        x += 30 + 7 * name.len() as i32;
    }
    Ok(())
}

/// The colour of a contestant, of which the first is ours.
pub(super) fn colour_of_contestant(contestant: usize) -> RGBColor {
    contestant.checked_sub(1).map_or(RGBColor(20, 20, 20), colour)
}

/// The colour of a peer, by its number.
pub(super) fn colour(peer: usize) -> RGBColor {
    COLOURS[peer % COLOURS.len()]
}

pub(super) fn text(size: i32, colour: RGBColor, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour).pos(Pos::new(horizontal, vertical))
}
