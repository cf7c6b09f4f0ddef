//! `lineOfSight` of the CUDA samples: what a person on a hill can see of the land along a line: the points whose slope from the eye is
//! above that of all points before them, which is a scan for the maximum.

use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::Max;
use gridwright_primitives::source::{Enumerate, Map, Slice, Zip};
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, up_to},
    gridwright_primitives::Input,
};

operator! {
    /// The slope from the eye at the line's first point to a point of a number; points have a distance of one.
    pub struct Slope { eye: f32 } = |point: (u64, f32)| -> f32 { (point.1 - eye) / (point.0 + 1) as f32 };
    /// Whether a slope is above that of all points before: 1 or 0.
    pub struct IsSeen = |slopes: (f32, f32)| -> u32 { u32::from(slopes.0 > slopes.1) };
}

/// The slopes of heights.
type Slopes = Map<Enumerate<Slice<f32>>, Slope>;

/// Stands for what is compiled for these.
#[derive(Debug)]
pub struct Sight;

instance! { impl primitives::Scan<Slopes, Max> for Sight; }
instance! { impl primitives::Collect<Map<Zip<Slopes, Slice<f32>>, IsSeen>> for Sight; }

/// Looks along a line and checks what is seen.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of points.
    #[arg(long, default_value_t = 1_000_000, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, stream, report, .. } = Sample::begin("sight")?;
    // Hills that rise with the distance.
    let height = |i: f32| i * 0.01 * (1.0 + (i * 0.002).sin()) + 20.0 * (i * 0.05).sin();
    let heights: Vec<f32> = (0..len).map(|i| height(i as f32)).collect();
    let eye = 30.0;

    let land = stream.upload(&heights)?;
    let (mut most, mut seen) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let p = primitives::on(&stream).with_kernels::<Sight>();
    let slopes = || land.enumerate().map(Slope { eye });
    let timing = Timing::of_calls(&stream, || {
        p.exclusive_scan(slopes(), f32::NEG_INFINITY, Max, &mut most)?;
        p.collect_into(slopes().zip(&most).map(IsSeen), &mut seen)
    })?;
    report.timed(format_args!("{len} points"), timing, "points", len)?;

    let seen = stream.download(&seen)?;
    let slopes = heights.iter().enumerate().map(|(i, height)| (height - eye) / (i + 1) as f32);
    let expected = slopes.scan(f32::NEG_INFINITY, |most, slope| {
        let before = std::mem::replace(most, most.max(slope));
        Some(u32::from(slope > before))
    });
    check::equal("point", &seen, expected)?;
    report.row("checked", format_args!("every point: {} are seen", seen.iter().sum::<u32>()))
}
