//! `SobolQRNG` of the CUDA samples: points that fill a space of many dimensions more evenly than random ones.
//!
//! A row of threads makes the points of a dimension, each of its own number alone.

use gridwright::prelude::*;
use gridwright::random::{Sobol, unit_f32};
#[host_only]
use {
    anyhow::{Context, ensure},
    clap::Parser,
    gridwright_examples::{Timing, up_to},
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
    let Options { points, dimensions } = Options::parse();
    let directions =
        (0..dimensions).map(Sobol::new).collect::<Option<Vec<_>>>().context("too many dimensions")?;
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let uploaded = stream.upload(&directions)?;
    let mut coordinates = stream.alloc_matrix_zeroed(dimensions, points)?;
    let kernel = sobol::load(&device)?;
    let config = LaunchConfig::for_matrix(dimensions, points);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (&uploaded, &mut coordinates)))?;

    let found = stream.download(&coordinates)?;
    let mut largest = 0.0_f64;
    for (dimension, (directions, found)) in directions.iter().zip(found.chunks(points.max(1))).enumerate() {
        // Each from the one before, as they are published.
        let mut bits = 0;
        let mut sum = 0.0;
        for (point, &found) in found.iter().enumerate() {
            bits = if point == 0 { 0 } else { directions.after(bits, point as u32) };
            ensure!(found == unit_f32(bits), "dimension {dimension}: point {point} is wrong");
            sum += f64::from(found);
        }
        largest = largest.max((sum / points as f64 - 0.5).abs());
    }
    println!("device   {}", device.name());
    println!(
        "sobol    {points} points in {dimensions} dimensions, {timing}, {}",
        timing.rate("numbers", points * dimensions)
    );
    println!("checked  every number; means are off by at most {largest:.1e}");
    Ok(())
}
