//! `transpose` of the CUDA samples: how the order of memory accesses decides the speed of a kernel that only copies.
//!
//! A GPU is fast where neighbouring threads touch neighbouring elements. Of a transposition's reads and writes, one
//! runs along rows and the other down columns. Through a tile in workgroup memory both run along rows; but the tile
//! itself is then read down its columns, which lie in one memory bank if it is 32 wide, and in 32 if it is 33.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, check, up_to},
    clap::Parser,
    gridwright::Error,
};

/// Rows and columns of a tile.
const T: usize = 32;

// ANCHOR: copy
/// Not transposed: as fast as it gets.
#[gpu_kernel(block = (T, T), requires = input.rows() == output.rows() && input.cols() == output.cols())]
pub fn copy_matrix(t: Thread, input: &Matrix<f32>, mut output: PerThread<Matrix<f32>>) {
    if let Some(output) = output.get_mut(t) {
        *output = input.get_or(t.row(), t.col(), 0.0);
    }
}
// ANCHOR_END: copy

// ANCHOR: naive
/// Reads along rows, writes down columns: the thread at (row, col) owns the element at (col, row).
#[gpu_kernel(block = (T, T), requires = input.rows() == output.cols() && input.cols() == output.rows())]
pub fn transpose_naive(t: Thread, input: &Matrix<f32>, mut output: PerThread<Matrix<f32>, Transposed>) {
    if let Some(output) = output.get_mut(t) {
        *output = input.get_or(t.row(), t.col(), 0.0);
    }
}
// ANCHOR_END: naive

// ANCHOR: tiled
/// Reads a tile of the input along its rows, writes one of the output along its rows.
#[gpu_kernel(block = (T, T), requires = input.rows() == output.cols() && input.cols() == output.rows())]
pub fn transpose_tiled(
    g: &Group,
    input: &Matrix<f32>,
    mut output: PerThread<Matrix<f32>>,
    mut tile: Workgroup<[[f32; T]; T]>,
) {
    transpose(g, input, &mut output, &mut tile);
}
// ANCHOR_END: tiled

// ANCHOR: padded
/// Pads the tile by a column that nobody uses: the elements of a column lie in different banks.
#[gpu_kernel(block = (T, T), requires = input.rows() == output.cols() && input.cols() == output.rows())]
pub fn transpose_padded(
    g: &Group,
    input: &Matrix<f32>,
    mut output: PerThread<Matrix<f32>>,
    mut tile: Workgroup<[[f32; T + 1]; T]>,
) {
    transpose(g, input, &mut output, &mut tile);
}
// ANCHOR_END: padded

// ANCHOR: transpose
/// By a tile with rows of `N` elements.
#[inline(always)]
fn transpose<S: GroupShape, const N: usize>(
    g: &Group<'_, S>,
    input: &Matrix<f32>,
    output: &mut PerThread<'_, Matrix<f32>>,
    tile: &mut Workgroup<'_, [[f32; N]; T]>,
) {
    let origin = g.origin(); // in the output
    g.load_padded_tile::<T, _, _, _>(tile, input, origin.x, origin.y);
    g.each((tile.elements().transposed(), output.elements_mut()), |_, (element, output)| {
        if let Some(output) = output {
            *output = *element;
        }
    });
}
// ANCHOR_END: transpose

/// Transposes a matrix in several ways and checks each.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of the matrix.
    #[arg(long, default_value_t = 2000, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The columns of the matrix.
    #[arg(long, default_value_t = 3000, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
}

/// Launches a kernel, which writes its result into a matrix.
#[host_only]
type Launch<'l> = &'l dyn Fn(&mut MatrixBuffer<f32>) -> Result<(), Error>;

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, cols }, device, stream, report } =
        Sample::begin("transpose_padded")?;
    let elements: Vec<f32> = (0..rows * cols).map(|i| i as f32).collect();
    let transposed: Vec<f32> = (0..rows * cols).map(|i| elements[i % rows * cols + i / rows]).collect();

    let input = stream.upload_matrix(rows, cols, &elements)?;
    let measure = |name: &str, ([rows, cols], expected): ([usize; 2], &[f32]), launch: Launch<'_>| {
        let mut output = stream.alloc_matrix_zeroed(rows, cols)?;
        let timing = Timing::of(&stream, || launch(&mut output))?;
        report.row(name, format_args!("{timing:>10}  {:>12}", timing.bytes_per_second(8 * rows * cols)))?;
        check::equal(&format!("{name}: element"), &stream.download(&output)?, expected)
    };

    report.row("matrix", format_args!("{rows} x {cols}"))?;
    let (as_it_is, transposed) = (([rows, cols], &elements[..]), ([cols, rows], &transposed[..]));
    let (over_input, over_output) =
        (LaunchConfig::for_matrix(rows, cols), LaunchConfig::for_matrix(cols, rows));
    let kernel = copy_matrix::load(&device)?;
    measure("copy", as_it_is, &|output| kernel.launch(&stream, over_input, (&input, output)))?;
    let kernel = transpose_naive::load(&device)?;
    measure("transpose_naive", transposed, &|output| kernel.launch(&stream, over_input, (&input, output)))?;
    let kernel = transpose_tiled::load(&device)?;
    measure("transpose_tiled", transposed, &|output| kernel.launch(&stream, over_output, (&input, output)))?;
    let kernel = transpose_padded::load(&device)?;
    measure("transpose_padded", transposed, &|output| kernel.launch(&stream, over_output, (&input, output)))?;
    report.row("checked", "every element")
}
