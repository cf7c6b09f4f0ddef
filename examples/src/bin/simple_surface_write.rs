//! `simpleSurfaceWrite` of the CUDA samples: one kernel writes a texture through a surface, the next samples it. Here the first makes the
//! picture too, from a formula, and the second turns it by a quarter, which leaves nothing to filter.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, up_to},
    std::path::PathBuf,
};

/// Copies a matrix into a texture.
#[gpu_kernel(block = (8, 8), requires = image.rows() == texture.height() && image.cols() == texture.width())]
pub(crate) fn write(t: Thread, image: &Matrix<f32>, texture: Surface2d<f32>) {
    texture.set(t, image.get_or(t.row(), t.col(), 0.0));
}

/// What was right is on top: columns are rows from below.
#[gpu_kernel(block = (8, 8), requires = texture.height() == turned.cols() && texture.width() == turned.rows())]
pub(crate) fn turn(t: Thread, texture: &Texture2d<f32>, mut turned: PerThread<Matrix<f32>>) {
    let (rows, cols) = (turned.rows() as f32, turned.cols() as f32);
    if let Some(pixel) = turned.get_mut(t) {
        let (u, v) = ((t.col() as f32 + 0.5) / cols, (t.row() as f32 + 0.5) / rows);
        *pixel = texture.sample(1.0 - v, u);
    }
}

/// Writes a texture, samples it turned by a quarter, and checks each pixel.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of the picture.
    #[arg(long, default_value_t = 512, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The columns of the picture.
    #[arg(long, default_value_t = 512, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
    /// Where to write the turned picture.
    #[arg(short, long, default_value = "simple_surface_write.png")]
    output: PathBuf,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, cols, output }, device, stream, report } = Sample::begin("turned")?;
    // Rings around a corner, of whole grays.
    let gray = |i: usize| (((i / cols).pow(2) + 3 * (i % cols).pow(2)) / 64 % 256) as f32;
    let pixels: Vec<f32> = (0..rows * cols).map(gray).collect();

    let image = stream.upload_matrix(rows, cols, &pixels)?;
    let sampling = Sampling::linear().address(Address::Wrap).normalized();
    let mut texture = stream.texture(rows, cols, &vec![0.0; rows * cols], sampling)?;
    let mut turned = stream.alloc_matrix_zeroed(cols, rows)?;
    let (write, turn) = (write::load(&device)?, turn::load(&device)?);
    let timing = Timing::of(&stream, || {
        write.launch(&stream, LaunchConfig::for_matrix(rows, cols), (&image, &mut texture))?;
        turn.launch(&stream, LaunchConfig::for_matrix(cols, rows), (&texture, &mut turned))
    })?;
    report.timed(format_args!("{cols} x {rows} pixels"), timing, "pixels", rows * cols)?;

    let turned = stream.download(&turned)?;
    let expected = |i: usize| pixels[i % rows * cols + cols - 1 - i / rows];
    // The middles of pixels: what coordinates are rounded by is below half a step of a weight, 1/512.
    report.equal("pixel", &turned, (0..rows * cols).map(expected))?;
    report.grays(&output, [cols, rows], turned)
}
