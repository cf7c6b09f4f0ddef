//! `FDTD3d` of the CUDA samples: steps of a stencil of radius 4 along the three axes of a volume.
//!
//! Each thread has one element. What neighbours share comes from the caches; `convolution_separable` shows workgroup memory instead.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, up_to},
    std::path::PathBuf,
};

/// How far the stencil reaches.
const RADIUS: usize = 4;

/// The element times the first weight, and its neighbours at each distance times the weight for that distance. Beyond the border is zero.
#[gpu_kernel(
    block = (32, 8, 1),
    requires = old.planes() == new.planes() && old.rows() == new.rows() && old.cols() == new.cols()
)]
pub(crate) fn step(
    t: Thread,
    weights: [f32; RADIUS + 1],
    old: &Volume<f32>,
    mut new: PerThread<Volume<f32>>,
) {
    let (plane, row, col) = (t.plane(), t.row(), t.col());
    let Some(new) = new.get_mut(t) else { return };
    let mut sum = weights[0] * old.get_or(plane, row, col, 0.0);
    for (distance, &weight) in weights.iter().enumerate().skip(1) {
        let along = |plane: [usize; 2], row: [usize; 2], col: [usize; 2]| {
            old.get_or(plane[0], row[0], col[0], 0.0) + old.get_or(plane[1], row[1], col[1], 0.0)
        };
        let both = |at: usize| [at.wrapping_sub(distance), at + distance];
        let neighbours = along(both(plane), [row; 2], [col; 2])
            + along([plane; 2], both(row), [col; 2])
            + along([plane; 2], [row; 2], both(col));
        sum = weight.mul_add(neighbours, sum);
    }
    *new = sum;
}

/// Steps through time and checks the last state.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The elements along each axis.
    #[arg(long, default_value_t = 128, value_parser = up_to::<1024>)]
    size: usize,
    /// The number of steps.
    #[arg(long, default_value_t = 5, value_parser = up_to::<1000>)]
    steps: usize,
    /// Where to write a picture of the middle plane of the last state, a PNG file.
    #[arg(short, long)]
    output: Option<PathBuf>,
}

/// One step of the stencil on the host.
#[host_only]
fn reference(weights: &[f32; RADIUS + 1], size: usize, old: &[f32]) -> Vec<f32> {
    let at = |plane: usize, row: usize, col: usize| {
        let inside = plane < size && row < size && col < size;
        if inside { old[(plane * size + row) * size + col] } else { 0.0 }
    };
    let element = |i: usize| {
        let (plane, row, col) = (i / size / size, i / size % size, i % size);
        (1..=RADIUS).fold(weights[0] * at(plane, row, col), |sum, d| {
            let planes = at(plane.wrapping_sub(d), row, col) + at(plane + d, row, col);
            let rows = at(plane, row.wrapping_sub(d), col) + at(plane, row + d, col);
            let cols = at(plane, row, col.wrapping_sub(d)) + at(plane, row, col + d);
            weights[d].mul_add(planes + rows + cols, sum)
        })
    };
    (0..old.len()).map(element).collect()
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { size, steps, output }, device, stream, report } = Sample::begin("fdtd")?;
    // A ball that isn't in the middle, and noise.
    let is_in_ball = |i: usize| {
        let places = [(i / size / size, size / 2), (i / size % size, size / 3), (i % size, size * 2 / 3)];
        places.iter().map(|(at, middle)| at.abs_diff(*middle).pow(2)).sum::<usize>() < (size / 5).pow(2)
    };
    let first: Vec<f32> =
        (0..size.pow(3)).map(|i| (i * 7919 % 1009 + if is_in_ball(i) { 4000 } else { 0 }) as f32).collect();
    let weights: [f32; RADIUS + 1] = std::array::from_fn(|distance| 0.1 / (distance + 1) as f32);

    let uploaded = stream.upload_volume(size, size, size, &first)?;
    let mut old = stream.alloc_volume_zeroed(size, size, size)?;
    let mut new = stream.alloc_volume_zeroed(size, size, size)?;
    let kernel = step::load(&device)?;
    let config = LaunchConfig::for_volume(size, size, size);
    let timing = Timing::of(&stream, || {
        stream.copy(&uploaded, &mut old)?;
        for _ in 0..steps {
            kernel.launch(&stream, config, (weights, &old, &mut new))?;
            std::mem::swap(&mut old, &mut new);
        }
        Ok(())
    })?;
    report.timed(format_args!("{size}³ elements, {steps} steps"), timing, "elements", steps * size.pow(3))?;

    let expected = (0..steps).fold(first, |old, _| reference(&weights, size, &old));
    let largest = expected.iter().copied().fold(0.0, f32::max);
    let found = stream.download(&old)?;
    // Positive numbers only: each step rounds a few times, relative to what it has.
    let bound = largest * 20.0 * steps as f32 * f32::EPSILON;
    report.close("element", &found, expected.into_iter().map(|element| (element, bound)))?;
    let Some(output) = output else { return Ok(()) };
    let plane = &found[size / 2 * size * size..][..size * size];
    let brightest = plane.iter().copied().fold(1.0, f32::max);
    report.grays(&output, [size; 2], plane.iter().map(|element| 255.0 * element / brightest))
}
