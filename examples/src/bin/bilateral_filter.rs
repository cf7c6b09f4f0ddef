//! `bilateralFilter` of the CUDA samples: a blur that stops at edges. A neighbour counts the less the further away it is, and the less the
//! more its colour differs.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Photograph, Sample, Timing, check, up_to},
    std::path::PathBuf,
};

/// The most pixels on each side of the middle of a window.
const MOST: usize = 25;

/// `gaussian` has a neighbour's weight by its distance along an axis, `steepness` is how fast the weight falls with the difference of colours.
#[gpu_kernel(
    block = (16, 16),
    requires = image.width() == blurred.width() && image.height() == blurred.height() && radius <= MOST
)]
pub(crate) fn blur(
    t: Thread,
    radius: usize,
    steepness: f32,
    gaussian: [f32; MOST + 1],
    image: &Texture2d<[Norm<u8>; 4]>,
    blurred: Surface2d<[Norm<u8>; 4]>,
) {
    let (row, col, radius) = (t.row() as i32, t.col() as i32, radius as i32);
    let here = image.fetch(col, row);
    let (mut sum, mut weights) = ([0.0; 4], 0.0);
    for down in -radius..radius + 1 {
        for right in -radius..radius + 1 {
            let pixel = image.fetch(col + right, row + down);
            let difference = (0..3).fold(0.0, |sum, i| sum + (pixel[i] - here[i]) * (pixel[i] - here[i]));
            let near = gaussian[down.unsigned_abs() as usize] * gaussian[right.unsigned_abs() as usize];
            let weight = near * (-steepness * difference).exp();
            for i in 0..4 {
                sum[i] += weight * pixel[i];
            }
            weights += weight;
        }
    }
    blurred.set(t, sum.map(|channel| Norm::<u8>::new(channel / weights)));
}

/// Blurs a photograph but for its edges, and checks each pixel.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    #[command(flatten)]
    photograph: Photograph,
    /// The pixels on each side of the middle of a window.
    #[arg(long, default_value_t = 5, value_parser = up_to::<MOST>)]
    radius: usize,
    /// The distance, in pixels, at which a neighbour counts 0.6 times as much.
    #[arg(long, default_value_t = 4.0)]
    gaussian_delta: f32,
    /// The difference of colours, of which black and white have 1.7, at which a neighbour counts 0.6 times as much.
    #[arg(long, default_value_t = 0.1)]
    euclidean_delta: f32,
    /// Where to write the blurred photograph.
    #[arg(short, long, default_value = "bilateral_filter.png")]
    output: PathBuf,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::begin("bilateral")?;
    let Options { photograph, radius, gaussian_delta, euclidean_delta, output } = options;
    ensure!(gaussian_delta > 0.0 && euclidean_delta > 0.0, "the deltas are positive");
    let (rows, cols, pixels) = photograph.colours()?;
    let texels: Vec<_> = pixels.into_iter().map(|pixel| pixel.map(Norm)).collect();
    let steepness = 0.5 / euclidean_delta.powi(2);
    let gaussian: [f32; MOST + 1] =
        std::array::from_fn(|i| (-0.5 * (i as f32 / gaussian_delta).powi(2)).exp());

    let image = stream.texture(rows, cols, &texels, Sampling::nearest())?;
    let mut blurred = stream.texture(rows, cols, &texels, Sampling::nearest())?;
    let kernel = blur::load(&device)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = Timing::of(&stream, || {
        kernel.launch(&stream, config, (radius, steepness, gaussian, &image, &mut blurred))
    })?;
    report.timed(format_args!("{cols} x {rows} pixels, radius {radius}"), timing, "pixels", rows * cols)?;

    let colour = |row: usize, col: usize| texels[row * cols + col].map(|Norm(byte)| f64::from(byte) / 255.0);
    let expected = |i: usize| {
        let here = colour(i / cols, i % cols);
        let near = |offset: usize, at: usize, len: usize| (at + offset).saturating_sub(radius).min(len - 1);
        let (mut sum, mut weights) = ([0.0; 3], 0.0);
        let window = 0..=2 * radius;
        for (down, right) in window.clone().flat_map(|down| window.clone().map(move |right| (down, right))) {
            let pixel = colour(near(down, i / cols, rows), near(right, i % cols, cols));
            let difference: f64 = (0..3).map(|i| (pixel[i] - here[i]).powi(2)).sum();
            let domain = f64::from(gaussian[down.abs_diff(radius)] * gaussian[right.abs_diff(radius)]);
            let weight = domain * (-f64::from(steepness) * difference).exp();
            (0..3).for_each(|i| sum[i] += weight * pixel[i]);
            weights += weight;
        }
        // Half for the rounding to a byte, and little for that of 2601 weights at most.
        sum.map(|sum| (255.0 * sum / weights, 0.51))
    };
    let colours = |[r, g, b, _]: [Norm<u8>; 4]| [r, g, b].map(|Norm(byte)| byte);
    let blurred: Vec<_> = stream.download_texture(&blurred)?.into_iter().map(colours).collect();
    check::close("channel", blurred.as_flattened(), (0..rows * cols).flat_map(expected))?;
    report.row("checked", "every pixel")?;
    report.colours(&output, [rows, cols], blurred)
}
