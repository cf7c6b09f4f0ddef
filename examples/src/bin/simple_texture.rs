//! `simpleTexture` of the CUDA samples: a photograph is rotated about its middle. The texture filters between pixels, and beyond its
//! edges the photograph begins anew.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Photograph, Sample, Timing},
    std::path::PathBuf,
};

/// Each pixel is what was at its place before a rotation by so many radians.
#[gpu_kernel(block = (8, 8))]
pub(crate) fn rotate(t: Thread, angle: f32, image: &Texture2d<f32>, mut rotated: PerThread<Matrix<f32>>) {
    let (width, height) = (rotated.cols() as f32, rotated.rows() as f32);
    if let Some(pixel) = rotated.get_mut(t) {
        let (x, y) = (t.col() as f32 - width / 2.0, t.row() as f32 - height / 2.0);
        let (sin, cos) = angle.sin_cos();
        *pixel = image.sample((x * cos - y * sin) / width + 0.5, (y * cos + x * sin) / height + 0.5);
    }
}

/// Rotates a photograph and checks each pixel.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    #[command(flatten)]
    photograph: Photograph,
    /// By how many radians.
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    angle: f32,
    /// Where to write the rotated photograph.
    #[arg(short, long, default_value = "simple_texture.png")]
    output: PathBuf,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::begin("rotated")?;
    let Options { photograph, angle, output } = options;
    ensure!(angle.abs() <= 7.0, "a whole turn is 6.28");
    let (rows, cols, pixels) = photograph.grays()?;
    let pixels: Vec<f32> = pixels.into_iter().map(f32::from).collect();

    let sampling = Sampling::linear().address(Address::Wrap).normalized();
    let image = stream.texture(rows, cols, &pixels, sampling)?;
    let mut rotated = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = rotate::load(&device)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (angle, &image, &mut rotated)))?;
    report.timed(format_args!("{cols} x {rows} pixels"), timing, "pixels", rows * cols)?;

    let at = |x: f64, y: f64| {
        let (col, row) = (x.rem_euclid(cols as f64) as usize, y.rem_euclid(rows as f64) as usize);
        f64::from(pixels[row % rows * cols + col % cols])
    };
    let ((sin, cos), [width, height]) = (f64::from(angle).sin_cos(), [cols as f64, rows as f64]);
    let expected = |i: usize| {
        let (x, y) = ((i % cols) as f64 - width / 2.0, (i / cols) as f64 - height / 2.0);
        // Pixels' middles are at halves.
        let (x, y) = (x * cos - y * sin + (width - 1.0) / 2.0, y * cos + x * sin + (height - 1.0) / 2.0);
        let (left, top, right, down) = (x.floor(), y.floor(), x - x.floor(), y - y.floor());
        let upper = at(left, top) * (1.0 - right) + at(left + 1.0, top) * right;
        let lower = at(left, top + 1.0) * (1.0 - right) + at(left + 1.0, top + 1.0) * right;
        // On each axis a weight is within 1/256 of the exact one; coordinates are rounded by far less.
        (upper * (1.0 - down) + lower * down, 2.1)
    };
    let rotated = stream.download(&rotated)?;
    report.close("pixel", &rotated, (0..rows * cols).map(expected))?;
    report.grays(&output, [rows, cols], rotated)
}
