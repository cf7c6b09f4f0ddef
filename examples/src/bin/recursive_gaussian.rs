//! `recursiveGaussian` of the CUDA samples: Deriche's recursive filter, which blurs as a Gaussian does, in a time that doesn't depend on how
//! far. A thread goes down a column and up again. Rows are columns of the transposed image.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Photograph, Sample, Timing, check, up_to},
    std::path::PathBuf,
};

/// A pixel depends on this pixel and the one before, or those two behind it, and on the two results before.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Filter {
    down: [f32; 2],
    up: [f32; 2],
    results: [f32; 2],
    /// The sums for an image that is the same everywhere, which it is taken to be beyond the edges.
    steady: [f32; 2],
}

/// A sum of four pixels with factors.
#[inline(always)]
fn mix([a, b]: [f32; 2], [p, q]: [[f32; 4]; 2], [c, d]: [f32; 2], [r, s]: [[f32; 4]; 2]) -> [f32; 4] {
    [0, 1, 2, 3].map(|i| a * p[i] + b * q[i] - c * r[i] - d * s[i])
}

/// Along columns.
#[gpu_kernel(block = 64, requires = image.rows() == blurred.rows() && image.cols() == blurred.cols())]
pub(crate) fn blur_cols(
    t: Thread,
    filter: Filter,
    image: &Matrix<[f32; 4]>,
    mut blurred: PerThread<Matrix<[f32; 4]>, Columns>,
) {
    let Some(mut column) = blurred.column_mut(t) else { return };
    let at = |row: usize| image.get_or(row, t.col(), [0.0; 4]);
    let last = column.len() - 1;
    let mut before = at(0);
    let mut results = [before.map(|channel| filter.steady[0] * channel); 2];
    for row in 0..last + 1 {
        let here = at(row);
        results = [mix(filter.down, [here, before], filter.results, results), results[0]];
        column[row] = results[0];
        before = here;
    }
    let mut behind = [at(last); 2];
    let mut results = [behind[0].map(|channel| filter.steady[1] * channel); 2];
    for i in 0..last + 1 {
        let row = last - i;
        results = [mix(filter.up, behind, filter.results, results), results[0]];
        behind = [at(row), behind[0]];
        let sum = column[row];
        column[row] = [0, 1, 2, 3].map(|i| sum[i] + results[0][i]);
    }
}

/// The thread at (row, col) owns the pixel at (col, row).
#[gpu_kernel(block = (16, 16), requires = image.rows() == transposed.cols() && image.cols() == transposed.rows())]
pub(crate) fn transpose(
    t: Thread,
    image: &Matrix<[f32; 4]>,
    mut transposed: PerThread<Matrix<[f32; 4]>, Transposed>,
) {
    if let Some(pixel) = transposed.get_mut(t) {
        *pixel = image.get_or(t.row(), t.col(), [0.0; 4]);
    }
}

/// Blurs a photograph, or takes derivatives of it, and checks each pixel.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    #[command(flatten)]
    photograph: Photograph,
    /// The standard deviation of the Gaussian, in pixels, from 0.1 to 100.
    #[arg(long, default_value_t = 10.0)]
    sigma: f32,
    /// The Gaussian, or its first or second derivative.
    #[arg(long, default_value_t = 0, value_parser = up_to::<2>)]
    order: usize,
    /// Where to write the picture.
    #[arg(short, long, default_value = "recursive_gaussian.png")]
    output: PathBuf,
}

/// The factors. Source: R. Deriche, Recursively implementing the Gaussian and its derivatives, INRIA 1893, 1993.
#[host_only]
fn filter(sigma: f32, order: usize) -> Filter {
    let alpha = 1.695 / sigma;
    let (e, ee) = ((-alpha).exp(), (-2.0 * alpha).exp());
    let results = [-2.0 * e, ee];
    let [a, b, c, d] = match order {
        0 => {
            let k = (1.0 - e).powi(2) / (1.0 + 2.0 * alpha * e - ee);
            [k, k * (alpha - 1.0) * e, k * (alpha + 1.0) * e, -k * ee]
        }
        1 => {
            let k = (1.0 - e).powi(2);
            [k, 0.0, -k, 0.0]
        }
        _ => {
            let k = (1.0 - ee) / (2.0 * alpha * e);
            let n = 2.0 * (1.0 - e).powi(3) / (1.0 + e).powi(3);
            [n, -n * (1.0 + k * alpha) * e, n * (1.0 - k * alpha) * e, -n * ee]
        }
    };
    let steady = [(a + b) / (1.0 - e).powi(2), (c + d) / (1.0 - e).powi(2)];
    Filter { down: [a, b], up: [c, d], results, steady }
}

/// A line on the host.
#[host_only]
fn blurred(filter: &Filter, line: &[f64]) -> Vec<f64> {
    let pass = |[a, b]: [f32; 2], offset: usize, steady: f32, line: Vec<f64>| {
        let first = line.first().copied().unwrap_or_default();
        let at = |i: usize| i.checked_sub(offset).map_or(first, |i| line[i]);
        let mut results = [f64::from(steady) * first; 2];
        let result = |i: usize| {
            let before = if i == 0 { first } else { at(i - 1) };
            let sum = f64::from(a) * at(i) + f64::from(b) * before;
            let [c, d] = filter.results.map(f64::from);
            results = [sum - c * results[0] - d * results[1], results[0]];
            results[0]
        };
        (0..line.len()).map(result).collect::<Vec<f64>>()
    };
    let down = pass(filter.down, 0, filter.steady[0], line.to_vec());
    let up = pass(filter.up, 1, filter.steady[1], line.iter().rev().copied().collect());
    down.iter().zip(up.iter().rev()).map(|(down, up)| down + up).collect()
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::begin("gaussian")?;
    let Options { photograph, sigma, order, output } = options;
    ensure!((0.1..=100.0).contains(&sigma), "sigma is from 0.1 to 100");
    let (rows, cols, pixels) = photograph.colours()?;
    let pixels: Vec<_> = pixels.into_iter().map(|pixel| pixel.map(|byte| f32::from(byte) / 255.0)).collect();
    let filter = filter(sigma, order);

    let image = stream.upload_matrix(rows, cols, &pixels)?;
    let mut along_cols = stream.alloc_matrix_zeroed(rows, cols)?;
    let mut turned = stream.alloc_matrix_zeroed(cols, rows)?;
    let mut along_rows = stream.alloc_matrix_zeroed(cols, rows)?;
    let mut result = stream.alloc_matrix_zeroed(rows, cols)?;
    let (blur_cols, transpose) = (blur_cols::load(&device)?, transpose::load(&device)?);
    let timing = Timing::of(&stream, || {
        blur_cols.launch(&stream, LaunchConfig::threads(cols), (filter, &image, &mut along_cols))?;
        transpose.launch(&stream, LaunchConfig::for_matrix(rows, cols), (&along_cols, &mut turned))?;
        blur_cols.launch(&stream, LaunchConfig::threads(rows), (filter, &turned, &mut along_rows))?;
        transpose.launch(&stream, LaunchConfig::for_matrix(cols, rows), (&along_rows, &mut result))
    })?;
    report.timed(format_args!("{cols} x {rows} pixels, sigma {sigma}"), timing, "pixels", rows * cols)?;

    let result = stream.download(&result)?;
    // Each result is rounded a few times, of a sum of terms below 4, and the poles add up what that leaves: by 1 / (1 - e)².
    let bound = 128.0 * f32::EPSILON / (1.0 - (-1.695 / sigma).exp()).powi(2);
    for channel in 0..3 {
        let mut expected: Vec<f64> = pixels.iter().map(|pixel| f64::from(pixel[channel])).collect();
        for col in 0..cols {
            let line: Vec<f64> = expected[col..].iter().step_by(cols).copied().collect();
            let column = expected[col..].iter_mut().step_by(cols);
            column.zip(blurred(&filter, &line)).for_each(|(pixel, blurred)| *pixel = blurred);
        }
        for row in expected.chunks_mut(cols) {
            row.copy_from_slice(&blurred(&filter, row));
        }
        let found: Vec<f32> = result.iter().map(|pixel| pixel[channel]).collect();
        let expected = expected.into_iter().map(|x| (x, f64::from(bound)));
        check::close(&format!("channel {channel} of pixel"), &found, expected)?;
    }
    report.row("checked", "every pixel")?;
    // Derivatives are of both signs: grey is zero.
    let zero = if order == 0 { 0.0 } else { 0.5 };
    let byte = |channel: f32| (255.0 * (zero + channel)).round() as u8;
    report.colours(&output, [rows, cols], result.iter().map(|&[r, g, b, _]| [byte(r), byte(g), byte(b)]))
}
