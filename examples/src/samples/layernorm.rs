//! Layer normalisation: each row of a matrix gets the mean zero and the variance one, and is then scaled and shifted by a weight
//! and a bias of each column. A workgroup a row, or a warp.
//!
//! The variance is that of the differences to the mean, in a way of its own along the row: a sum of squares alone would lose what is
//! small beside the mean.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{
        Sample, Timing,
        check::{self, Name},
        scattered, up_to,
    },
    anyhow::Context,
    clap::Parser,
};

/// Threads in a workgroup.
pub const BLOCK: usize = 256;

/// What is added to a variance, so that none is zero.
pub const EPSILON: f32 = 1e-5;

/// The normalised row that the group owns.
#[gpu_kernel(
    block = BLOCK,
    requires = x.rows() == y.rows() && x.cols() == y.cols() && weight.len() == x.cols() && bias.len() == x.cols()
)]
pub fn layernorm(
    g: &Group,
    x: &Matrix<f32>,
    weight: &[f32],
    bias: &[f32],
    mut y: PerGroup<Matrix<f32>, Rows>,
) {
    if y.row() >= x.rows() {
        return;
    }
    let row = x.row(y.row());
    let mut sums = g.private(0.0_f32);
    for start in g.blocks(row.len(), BLOCK) {
        g.each((&mut sums, row.elements_from(start)), |_, (sum, x)| *sum += x.copied().unwrap_or(0.0));
    }
    let mean = g.reduce(&sums, |a, b| a + b) / row.len() as f32;

    let mut squares = g.private(0.0_f32);
    for start in g.blocks(row.len(), BLOCK) {
        g.each((&mut squares, row.elements_from(start)), |_, (sum, x)| {
            if let Some(x) = x {
                *sum += (x - mean) * (x - mean);
            }
        });
    }
    let variance = g.reduce(&squares, |a, b| a + b) / row.len() as f32;
    let scale = 1.0 / (variance + EPSILON).sqrt();

    for start in g.blocks(row.len(), BLOCK) {
        let items = (
            y.elements_from_mut(start),
            row.elements_from(start),
            weight.elements_from(start),
            bias.elements_from(start),
        );
        g.each(items, |_, (y, x, weight, bias)| {
            if let (Some(y), Some(x), Some(weight), Some(bias)) = (y, x, weight, bias) {
                *y = (x - mean) * scale * weight + bias;
            }
        });
    }
}

/// Rows of a group where warps have a row each.
pub const ROWS: usize = 8;

/// Normalised rows, a warp a row.
#[gpu_kernel(
    block = 256,
    requires = x.rows() == y.rows() && x.cols() == y.cols() && weight.len() == x.cols() && bias.len() == x.cols()
)]
pub fn layernorm_by_warps(
    g: &Group,
    x: &Matrix<f32>,
    weight: &[f32],
    bias: &[f32],
    mut y: PerGroup<Matrix<f32>, Rows<ROWS>>,
) {
    g.each_warp(y.warp_rows_mut(), |w, mut rows| {
        while let Some(mut y) = rows.next_row() {
            let row = x.row(y.row());
            let mut sums = w.private(0.0_f32);
            for start in w.blocks(row.len(), w.len()) {
                w.each((&mut sums, row.elements_from(start)), |_, (sum, x)| {
                    *sum += x.copied().unwrap_or(0.0);
                });
            }
            let mean = w.reduce(&sums, |a, b| a + b) / row.len() as f32;

            let mut squares = w.private(0.0_f32);
            for start in w.blocks(row.len(), w.len()) {
                w.each((&mut squares, row.elements_from(start)), |_, (sum, x)| {
                    if let Some(x) = x {
                        *sum += (x - mean) * (x - mean);
                    }
                });
            }
            let variance = w.reduce(&squares, |a, b| a + b) / row.len() as f32;
            let scale = 1.0 / (variance + EPSILON).sqrt();

            for start in w.blocks(row.len(), w.len()) {
                let items = (
                    y.elements_from_mut(start),
                    row.elements_from(start),
                    weight.elements_from(start),
                    bias.elements_from(start),
                );
                w.each(items, |_, (y, x, weight, bias)| {
                    if let (Some(y), Some(x), Some(weight), Some(bias)) = (y, x, weight, bias) {
                        *y = (x - mean) * scale * weight + bias;
                    }
                });
            }
        }
    });
}

/// Normalises rows and checks them.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of rows.
    #[arg(long, default_value_t = 2048, value_parser = up_to::<{ 1 << 16 }>)]
    rows: usize,
    /// The elements of a row.
    #[arg(long, default_value_t = 1024, value_parser = up_to::<{ 1 << 20 }>)]
    cols: usize,
}

/// What a row should become, in double precision.
#[host_only]
pub fn expected(row: &[f32], weight: &[f32], bias: &[f32]) -> Vec<f64> {
    let len = row.len() as f64;
    let mean = row.iter().map(|&x| f64::from(x)).sum::<f64>() / len;
    let variance = row.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / len;
    let scale = 1.0 / (variance + f64::from(EPSILON)).sqrt();
    let scaled = row.iter().zip(weight.iter().zip(bias));
    scaled
        .map(|(&x, (&weight, &bias))| (f64::from(x) - mean) * scale * f64::from(weight) + f64::from(bias))
        .collect()
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, cols }, device, stream, report } = Sample::begin("groups")?;
    let host: Vec<f32> = scattered(rows * cols).map(|x| (x >> 8 & 0xffff) as f32 / 3000.0).collect();
    let weight: Vec<f32> = (0..cols).map(|i| 1.0 + (i % 3) as f32 / 4.0).collect();
    let bias: Vec<f32> = (0..cols).map(|i| (i % 5) as f32 / 8.0).collect();

    let x = stream.upload_matrix(rows, cols, &host)?;
    let (weights, biases) = (stream.upload(&weight)?, stream.upload(&bias)?);
    let compare = |y: &MatrixBuffer<f32>, how: &'static str| {
        // Elements are up to 22, and each partial sum is rounded.
        let bound = 100.0 * (8.0 + (cols as f64).sqrt()) * f64::from(f32::EPSILON);
        let right = host.chunks(cols).flat_map(|x| expected(x, &weight, &bias)).map(|right| (right, bound));
        check::close(Name::in_rows_of(cols), &stream.download(y)?, right).context(how)
    };

    let mut y = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = layernorm::load(&device)?;
    let timing = Timing::of(&stream, || {
        kernel.launch(&stream, LaunchConfig::grid(rows, BLOCK), (&x, &weights, &biases, &mut y))
    })?;
    report.timed(format_args!("{rows} rows of {cols} elements"), timing, "B", 8 * rows * cols)?;
    compare(&y, "a group a row")?;

    let mut y = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = layernorm_by_warps::load(&device)?;
    let timing = Timing::of(&stream, || {
        let groups = LaunchConfig::grid(rows.div_ceil(ROWS), 256);
        kernel.launch(&stream, groups, (&x, &weights, &biases, &mut y))
    })?;
    report.row("warps", format_args!("{timing}, {}", timing.bytes_per_second(8 * rows * cols)))?;
    compare(&y, "a warp a row")?;
    report.row("checked", "every element")
}
