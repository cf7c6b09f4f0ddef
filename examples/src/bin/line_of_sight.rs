//! `lineOfSight` of the CUDA samples: what a person on a hill can see of the land along a line: the points whose slope from the eye is
//! above that of all points before them, which is a scan for the maximum.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Timing, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// The slopes' maxima so far in each group, and each group's maximum.
#[gpu_kernel(block = BLOCK, requires = heights.len() == so_far.len())]
pub(crate) fn scan_slopes(
    g: &Group,
    eye: f32,
    heights: &[f32],
    mut so_far: PerThread<[f32]>,
    mut maxima: PerGroup<[f32]>,
) {
    let mine = g.map((), |t, ()| slope(eye, heights, t.index()));
    let most = g.scan_inclusive(&mine, f32::max);
    g.each((&most, so_far.elements_mut()), |_, (most, so_far)| {
        if let Some(so_far) = so_far {
            *so_far = *most;
        }
    });
    maxima.set(g, g.broadcast(&most, BLOCK - 1));
}

/// Whether each point is seen: 1 or 0.
#[gpu_kernel(block = BLOCK, requires = heights.len() == seen.len() && so_far.len() == seen.len())]
pub(crate) fn look(
    g: &Group,
    eye: f32,
    heights: &[f32],
    so_far: &[f32],
    maxima: &[f32],
    mut seen: PerThread<[u32]>,
) {
    // The maximum of all groups before: few enough for the group to look at them all.
    let mut before = g.private(f32::NEG_INFINITY);
    let mut first = 0;
    while first < g.index() {
        let of_groups = &maxima[first..g.index().min(first + BLOCK)];
        g.each(&mut before, |t, before| {
            *before = before.max(of_groups.get(t.local().x).copied().unwrap_or(f32::NEG_INFINITY));
        });
        first += BLOCK;
    }
    let before = g.reduce(&before, f32::max);
    g.each(seen.elements_mut(), |t, seen| {
        if let Some(seen) = seen {
            let in_group = if t.local().x > 0 { so_far[t.index() - 1] } else { f32::NEG_INFINITY };
            *seen = u32::from(slope(eye, heights, t.index()) > before.max(in_group));
        }
    });
}

/// The slope from the eye at the line's first point; points have a distance of one.
#[inline(always)]
fn slope(eye: f32, heights: &[f32], point: usize) -> f32 {
    match heights.get(point) {
        Some(height) => (height - eye) / (point + 1) as f32,
        None => f32::NEG_INFINITY,
    }
}

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
    let Options { len } = Options::parse();
    // Hills that rise with the distance.
    let heights: Vec<f32> = (0..len)
        .map(|i| i as f32)
        .map(|i| i * 0.01 * (1.0 + (i * 0.002).sin()) + 20.0 * (i * 0.05).sin())
        .collect();
    let eye = 30.0;

    let device = Device::from_env()?;
    let stream = device.stream()?;
    let land = stream.upload(&heights)?;
    let (mut so_far, mut seen) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let mut maxima = stream.alloc_zeroed(len.div_ceil(BLOCK))?;
    let (scan_slopes, look) = (scan_slopes::load(&device)?, look::load(&device)?);
    let config = LaunchConfig::threads(len);
    let timing = Timing::of(&stream, || {
        scan_slopes.launch(&stream, config, (eye, &land, &mut so_far, &mut maxima))?;
        look.launch(&stream, config, (eye, &land, &so_far, &maxima, &mut seen))
    })?;

    let mut most = f32::NEG_INFINITY;
    let seen = stream.download(&seen)?;
    for (i, (&height, &seen)) in heights.iter().zip(&seen).enumerate() {
        let slope = (height - eye) / (i + 1) as f32;
        ensure!(seen == u32::from(slope > most), "point {i} is wrong");
        most = most.max(slope);
    }
    println!("device   {}", device.name());
    println!("sight    {len} points, {timing}, {}", timing.rate("points", len));
    println!("checked  every point: {} are seen", seen.iter().sum::<u32>());
    Ok(())
}
