//! `convolutionTexture` of the CUDA samples: an image is blurred along its rows, then along its columns, with textures in place of workgroup
//! memory. The first pass writes the texture that the second samples. See `convolution_separable` for the other way.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, up_to},
};

/// The taps on each side of a pixel, and all of them.
const RADIUS: usize = 8;
const TAPS: usize = 2 * RADIUS + 1;

/// Along rows. Beyond its border the image goes on as it is there.
#[gpu_kernel(block = (16, 12), requires = image.width() == blurred.width() && image.height() == blurred.height())]
pub(crate) fn convolve_rows(t: Thread, taps: [f32; TAPS], image: &Texture2d<f32>, blurred: Surface2d<f32>) {
    let first = t.col() as i32 - RADIUS as i32;
    let pixel = |tap: usize| image.fetch(first + tap as i32, t.row() as i32);
    blurred.set(t, (0..TAPS).fold(0.0, |sum, tap| taps[tap].mul_add(pixel(tap), sum)));
}

/// Along columns.
#[gpu_kernel(block = (16, 12), requires = image.width() == blurred.width() && image.height() == blurred.height())]
pub(crate) fn convolve_cols(t: Thread, taps: [f32; TAPS], image: &Texture2d<f32>, blurred: Surface2d<f32>) {
    let first = t.row() as i32 - RADIUS as i32;
    let pixel = |tap: usize| image.fetch(t.col() as i32, first + tap as i32);
    blurred.set(t, (0..TAPS).fold(0.0, |sum, tap| taps[tap].mul_add(pixel(tap), sum)));
}

/// Blurs an image and checks each pixel.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of the image.
    #[arg(long, default_value_t = 768, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The columns of the image.
    #[arg(long, default_value_t = 1536, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, cols }, device, stream, report } = Sample::begin("convolution")?;
    let pixels: Vec<f32> = (0..rows * cols).map(|i| (i * 7919 % 1009 % 16) as f32).collect();
    let taps: [f32; TAPS] = std::array::from_fn(|tap| (tap % 5) as f32 / 16.0);

    let image = stream.texture(rows, cols, &pixels, Sampling::nearest())?;
    let mut between = stream.texture(rows, cols, &pixels, Sampling::nearest())?;
    let mut blurred = stream.texture(rows, cols, &pixels, Sampling::nearest())?;
    let (along_rows, along_cols) = (convolve_rows::load(&device)?, convolve_cols::load(&device)?);
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = Timing::of(&stream, || {
        along_rows.launch(&stream, config, (taps, &image, &mut between))?;
        along_cols.launch(&stream, config, (taps, &between, &mut blurred))
    })?;
    report.timed(format_args!("{cols} x {rows} pixels, {TAPS} taps"), timing, "pixels", rows * cols)?;

    // Whole pixels and taps of sixteenths: no sum is rounded.
    let line = |from: &[f32], start: usize, step: usize, len: usize, at: usize| -> f32 {
        let near = |tap: usize| (at + tap).saturating_sub(RADIUS).min(len - 1);
        (0..TAPS).map(|tap| taps[tap] * from[start + step * near(tap)]).sum()
    };
    let along = |i: usize| line(&pixels, i / cols * cols, 1, cols, i % cols);
    let along: Vec<f32> = (0..rows * cols).map(along).collect();
    let expected = |i: usize| line(&along, i % cols, cols, rows, i / cols);
    report.equal("pixel", &stream.download_texture(&blurred)?, (0..rows * cols).map(expected))
}
