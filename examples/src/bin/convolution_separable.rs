//! `convolutionSeparable` of the CUDA samples: an image is blurred along its rows, then along its columns.
//!
//! Each workgroup loads a tile with the pixels beyond its edges that its threads need, so that a pixel is read from global memory
//! about once and not once for each tap.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, up_to},
    std::path::PathBuf,
};

/// The taps on each side of a pixel, and all of them.
const RADIUS: usize = 8;
const TAPS: usize = 2 * RADIUS + 1;
/// Columns and rows of a workgroup: its rows are as wide as a warp, so that neighbouring threads read neighbouring pixels.
const COLS: usize = 32;
const ROWS: usize = 8;

/// Along rows. Beyond its border the image is black.
#[gpu_kernel(block = (COLS, ROWS), requires = image.rows() == blurred.rows() && image.cols() == blurred.cols())]
pub(crate) fn convolve_rows(
    g: &Group,
    taps: [f32; TAPS],
    image: &Matrix<f32>,
    mut blurred: PerThread<Matrix<f32>>,
    mut tile: Workgroup<[[f32; COLS + 2 * RADIUS]; ROWS]>,
) {
    g.load_tile(&mut tile, image, g.origin().y, g.origin().x.wrapping_sub(RADIUS));
    g.each((tile.shared(), blurred.elements_mut()), |t, (tile, blurred)| {
        if let Some(blurred) = blurred {
            let row = &tile[t.local().y];
            *blurred = (0..TAPS).fold(0.0, |sum, tap| taps[tap].mul_add(row[t.local().x + tap], sum));
        }
    });
}

/// Along columns.
#[gpu_kernel(block = (COLS, ROWS), requires = image.rows() == blurred.rows() && image.cols() == blurred.cols())]
pub(crate) fn convolve_cols(
    g: &Group,
    taps: [f32; TAPS],
    image: &Matrix<f32>,
    mut blurred: PerThread<Matrix<f32>>,
    mut tile: Workgroup<[[f32; COLS]; ROWS + 2 * RADIUS]>,
) {
    g.load_tile(&mut tile, image, g.origin().y.wrapping_sub(RADIUS), g.origin().x);
    g.each((tile.shared(), blurred.elements_mut()), |t, (tile, blurred)| {
        if let Some(blurred) = blurred {
            *blurred =
                (0..TAPS).fold(0.0, |sum, tap| taps[tap].mul_add(tile[t.local().y + tap][t.local().x], sum));
        }
    });
}

/// Blurs an image and checks each pixel.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of the image.
    #[arg(long, default_value_t = 1536, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The columns of the image.
    #[arg(long, default_value_t = 1536, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
    /// Where to write the blurred image, a PNG file.
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, cols, output }, device, stream, report } =
        Sample::begin("convolution")?;
    // Rings, the finer the further away from a corner.
    let ring = |i: usize| ((i / cols).pow(2) + 2 * (i % cols).pow(2)) / 4096 % 2;
    let pixels: Vec<f32> = (0..rows * cols).map(|i| (255 * ring(i)) as f32).collect();
    let taps: [f32; TAPS] = std::array::from_fn(|tap| (RADIUS - tap.abs_diff(RADIUS)) as f32 / 64.0);

    let image = stream.upload_matrix(rows, cols, &pixels)?;
    let mut between = stream.alloc_matrix_zeroed(rows, cols)?;
    let mut blurred = stream.alloc_matrix_zeroed(rows, cols)?;
    let (along_rows, along_cols) = (convolve_rows::load(&device)?, convolve_cols::load(&device)?);
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = Timing::of(&stream, || {
        along_rows.launch(&stream, config, (taps, &image, &mut between))?;
        along_cols.launch(&stream, config, (taps, &between, &mut blurred))
    })?;
    report.timed(format_args!("{cols} x {rows} pixels, {TAPS} taps"), timing, "pixels", rows * cols)?;

    // Whole pixels and taps of 64ths: no sum is rounded.
    let line = |from: &[f32], start: usize, step: usize, len: usize, at: usize| -> f32 {
        let inside = (0..TAPS).filter_map(|tap| Some((tap, (at + tap).checked_sub(RADIUS)?)));
        inside.filter(|&(_, at)| at < len).map(|(tap, at)| taps[tap] * from[start + step * at]).sum()
    };
    let along = |i: usize| line(&pixels, i / cols * cols, 1, cols, i % cols);
    let along: Vec<f32> = (0..rows * cols).map(along).collect();
    let expected = |i: usize| line(&along, i % cols, cols, rows, i / cols);
    let blurred = stream.download(&blurred)?;
    report.equal("pixel", &blurred, (0..rows * cols).map(expected))?;
    let Some(output) = output else { return Ok(()) };
    report.grays(&output, [rows, cols], blurred)
}
