//! `MC_EstimatePiP` of the CUDA samples: how many random points of a square lie in the circle.
//!
//! Each thread has a stream of random numbers of its own, which nothing has to be set up for, and which is the same on every device:
//! so is the number of hits.

use gridwright::prelude::*;
use gridwright::random::Philox;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, up_to},
    std::f64::consts::PI,
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// How many of each group's points lie in the circle.
#[gpu_kernel(block = BLOCK)]
pub(crate) fn throw(g: &Group, seed: u64, points: u32, mut hits: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| {
        let rng = Philox::new(seed, t.index() as u64);
        let mut hits = 0;
        // Two points in each block of four words.
        for block in 0..points / 2 {
            let [a, b, c, d] = rng.at(block.into()).map(gridwright::random::unit_f32);
            hits += u32::from(a.mul_add(a, b * b) < 1.0) + u32::from(c.mul_add(c, d * d) < 1.0);
        }
        hits
    });
    hits.set(g, g.reduce(&mine, |a, b| a + b));
}

/// Estimates π and checks how far off it is.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Workgroups, of 256 threads.
    #[arg(long, default_value_t = 256, value_parser = up_to::<{ 1 << 16 }>)]
    groups: usize,
    /// Points of a thread, an even number.
    #[arg(long, default_value_t = 1000, value_parser = up_to::<1_000_000>)]
    points: usize,
    /// What the random numbers depend on.
    #[arg(long, default_value_t = 1234)]
    seed: u64,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { groups, points, seed }, device, stream, report } = Sample::begin("pi")?;
    ensure!(points > 0 && points % 2 == 0, "{points} isn't an even number of points");
    let mut hits = stream.alloc_zeroed(groups)?;
    let kernel = throw::load(&device)?;
    let config = LaunchConfig::grid(groups, BLOCK);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (seed, points as u32, &mut hits)))?;

    let all = groups * BLOCK * points;
    let found = stream.download(&hits)?.iter().map(|&hits| u64::from(hits)).sum::<u64>();
    let pi = 4.0 * found as f64 / all as f64;
    report.timed(format_args!("{pi}, of {all} points"), timing, "points", all)?;
    // The standard deviation of so many points that hit with a chance of π/4, times five: one run in two million is off by more.
    let bound = 5.0 * 4.0 * (PI / 4.0 * (1.0 - PI / 4.0) / all as f64).sqrt();
    let off = check::close("estimate", &[pi], [(PI, bound)])?;
    report.row("checked", format_args!("off by {off:.1e}, five standard deviations are {bound:.1e}"))
}
