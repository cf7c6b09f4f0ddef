//! `SobelFilter` of the CUDA samples: the edges of a photograph.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Photograph, Sample, Timing},
    clap::Parser,
    std::path::PathBuf,
};

/// How steeply the brightness changes: the Sobel operator's two derivatives, their magnitudes added.
/// Beyond its border the image goes on as it is at the border.
#[gpu_kernel(requires = image.rows() == edges.rows() && image.cols() == edges.cols())]
pub fn sobel(t: Thread, image: &Matrix<u8>, mut edges: PerThread<Matrix<u8>>) {
    let (row, col) = (t.row(), t.col());
    let here = image.get_or(row, col, 0);
    let at = |down: usize, right: usize| {
        i16::from(image.get_or((row + down).wrapping_sub(1), (col + right).wrapping_sub(1), here))
    };
    if let Some(edge) = edges.get_mut(t) {
        let [above, below] = [0, 2].map(|down| [0, 1, 2].map(|right| at(down, right)));
        let [left, right] = [0, 2].map(|right| at(1, right));
        let gx = (above[2] + 2 * right + below[2]) - (above[0] + 2 * left + below[0]);
        let gy = (below[0] + 2 * below[1] + below[2]) - (above[0] + 2 * above[1] + above[2]);
        *edge = (gx.abs() + gy.abs()).min(255) as u8;
    }
}

/// Finds the edges in a photograph.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    #[command(flatten)]
    photograph: Photograph,
    /// Where to write the edges.
    #[arg(short, long, default_value = "edges.png")]
    output: PathBuf,
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { photograph, output }, device, stream, report } = Sample::begin("sobel")?;
    let (rows, cols, image) = photograph.grays()?;

    let input = stream.upload_matrix(rows, cols, &image)?;
    let mut edges = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = sobel::load(&device)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (&input, &mut edges)))?;
    report.timed(format_args!("{cols} x {rows} pixels"), timing, "pixels", rows * cols)?;

    report.grays(&output, [rows, cols], stream.download(&edges)?.into_iter().map(f32::from))
}
