//! `boxFilter` of the CUDA samples: each pixel becomes the mean of the square around it, along rows first and then along columns, several
//! times over, which comes near to a Gaussian blur. What neighbours share comes from the caches.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Photograph, Sample, Timing, up_to},
    std::path::PathBuf,
};

/// The most pixels on each side of the middle of a window.
const MOST: usize = 32;
/// Columns and rows of a workgroup.
const COLS: usize = 32;
const ROWS: usize = 8;

/// The mean along a row, beyond whose ends it goes on as it is there.
#[gpu_kernel(block = (COLS, ROWS), requires = image.rows() == mean.rows() && image.cols() == mean.cols() && radius <= MOST)]
pub(crate) fn along_rows(t: Thread, radius: usize, image: &Matrix<f32>, mut mean: PerThread<Matrix<f32>>) {
    if let Some(mean) = mean.get_mut(t) {
        let row = image.row(t.row());
        let last = row.len() - 1;
        let mut sum = 0.0;
        for i in 0..2 * radius + 1 {
            sum += row[(t.col() + i).saturating_sub(radius).min(last)];
        }
        *mean = sum / (2 * radius + 1) as f32;
    }
}

/// The mean along a column.
#[gpu_kernel(block = (COLS, ROWS), requires = image.rows() == mean.rows() && image.cols() == mean.cols() && radius <= MOST)]
pub(crate) fn along_cols(t: Thread, radius: usize, image: &Matrix<f32>, mut mean: PerThread<Matrix<f32>>) {
    if let Some(mean) = mean.get_mut(t) {
        let last = image.rows() - 1;
        let mut sum = 0.0;
        for i in 0..2 * radius + 1 {
            sum += image.get_or((t.row() + i).saturating_sub(radius).min(last), t.col(), 0.0);
        }
        *mean = sum / (2 * radius + 1) as f32;
    }
}

/// Blurs a photograph and checks each pixel.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    #[command(flatten)]
    photograph: Photograph,
    /// The pixels on each side of the middle of a window.
    #[arg(long, default_value_t = 6, value_parser = up_to::<MOST>)]
    radius: usize,
    /// How often.
    #[arg(long, default_value_t = 3, value_parser = up_to::<100>)]
    times: usize,
    /// Where to write the blurred photograph.
    #[arg(short, long, default_value = "box_filter.png")]
    output: PathBuf,
}

/// The means along one axis on the host.
#[host_only]
fn means(radius: usize, [len, step]: [usize; 2], [lines, line_step]: [usize; 2], x: &[f32]) -> Vec<f32> {
    let mut means = vec![0.0; x.len()];
    for line in 0..lines {
        for i in 0..len {
            let at =
                |offset: usize| x[line * line_step + (i + offset).saturating_sub(radius).min(len - 1) * step];
            let sum: f32 = (0..2 * radius + 1).map(at).sum();
            means[line * line_step + i * step] = sum / (2 * radius + 1) as f32;
        }
    }
    means
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::begin("boxes")?;
    let Options { photograph, radius, times, output } = options;
    let (rows, cols, pixels) = photograph.grays()?;
    let pixels: Vec<f32> = pixels.into_iter().map(f32::from).collect();

    let uploaded = stream.upload_matrix(rows, cols, &pixels)?;
    let mut image = stream.alloc_matrix_zeroed(rows, cols)?;
    let mut between = stream.alloc_matrix_zeroed(rows, cols)?;
    let (along_rows, along_cols) = (along_rows::load(&device)?, along_cols::load(&device)?);
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = Timing::of(&stream, || {
        stream.copy(&uploaded, &mut image)?;
        for _ in 0..times {
            along_rows.launch(&stream, config, (radius, &image, &mut between))?;
            along_cols.launch(&stream, config, (radius, &between, &mut image))?;
        }
        Ok(())
    })?;
    let blurred = times * rows * cols;
    report.timed(format_args!("{cols} x {rows} pixels, {times} times"), timing, "pixels", blurred)?;

    let expected = (0..times).fold(pixels, |x, _| {
        let x = means(radius, [cols, 1], [rows, cols], &x);
        means(radius, [rows, cols], [cols, 1], &x)
    });
    let found = stream.download(&image)?;
    report.close("pixel", &found, expected.into_iter().map(|pixel| (pixel, 1e-2)))?;
    report.grays(&output, [rows, cols], found)
}
