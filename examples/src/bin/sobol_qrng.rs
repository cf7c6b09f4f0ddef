//! `SobolQRNG` of the CUDA samples: points that fill a space of many dimensions more evenly than random ones.
//!
//! A row of threads makes the points of a dimension, each of its own number alone.

use gridwright::prelude::*;
use gridwright::random::{Sobol, unit_f32};
#[host_only]
use {
    anyhow::Context,
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, up_to},
};

/// The coordinates of each point, dimension by dimension.
#[gpu_kernel(requires = points.rows() == dimensions.len())]
pub(crate) fn sobol(t: Thread, dimensions: &[Sobol], mut points: PerThread<Matrix<f32>>) {
    if let Some(coordinate) = points.get_mut(t) {
        *coordinate = unit_f32(dimensions[t.row()].at(t.col() as u32));
    }
}

/// Makes points and checks each, and the integral that they give.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of points.
    #[arg(long, default_value_t = 100_000, value_parser = up_to::<{ 1 << 24 }>)]
    points: usize,
    /// The number of dimensions.
    #[arg(long, default_value_t = 100, value_parser = up_to::<{ Sobol::DIMENSIONS }>)]
    dimensions: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { points, dimensions }, device, stream, report } = Sample::begin("sobol")?;
    let directions =
        (0..dimensions).map(Sobol::new).collect::<Option<Vec<_>>>().context("too many dimensions")?;
    let uploaded = stream.upload(&directions)?;
    let mut coordinates = stream.alloc_matrix_zeroed(dimensions, points)?;
    let kernel = sobol::load(&device)?;
    let config = LaunchConfig::for_matrix(dimensions, points);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (&uploaded, &mut coordinates)))?;
    let numbers = points * dimensions;
    report.timed(format_args!("{points} points in {dimensions} dimensions"), timing, "numbers", numbers)?;

    let found = stream.download(&coordinates)?;
    let mut largest = 0.0_f64;
    for (dimension, (directions, found)) in directions.iter().zip(found.chunks(points.max(1))).enumerate() {
        // Each from the one before, as they are published.
        let expected = (0..points).scan(0, |bits, point| {
            *bits = if point == 0 { 0 } else { directions.after(*bits, point as u32) };
            Some(unit_f32(*bits))
        });
        check::equal(&format!("dimension {dimension}: point"), found, expected)?;
        let sum: f64 = found.iter().copied().map(f64::from).sum();
        largest = largest.max((sum / points as f64 - 0.5).abs());
    }
    report.row("checked", format_args!("every number; means are off by at most {largest:.1e}"))
}
