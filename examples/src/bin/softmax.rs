//! Softmax of each row of a matrix, of any length, a workgroup a row: the exponentials of a row's elements divided by their sum.
//!
//! The greatest element is subtracted first, so that no exponential is infinite. Three times the group goes along its row: for the
//! greatest element, for the sum, and for what it writes. Algorithm: M. Milakov, N. Gimelshein, "Online normalizer calculation for
//! softmax", 2018, section 2.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Timing, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// The softmax of the row that the group owns.
#[gpu_kernel(block = BLOCK, requires = x.rows() == y.rows() && x.cols() == y.cols())]
fn softmax(g: &Group, x: &Matrix<f32>, mut y: PerGroup<Matrix<f32>, Rows>) {
    if y.row() >= x.rows() {
        return;
    }
    let row = x.row(y.row());
    let mut greatest = g.private(f32::NEG_INFINITY);
    for start in g.blocks(row.len(), BLOCK) {
        g.each((&mut greatest, row.each_from(start)), |_, (greatest, x)| {
            if let Some(x) = x {
                *greatest = greatest.max(*x);
            }
        });
    }
    let greatest = g.reduce(&greatest, f32::max);

    let mut sum = g.private(0.0_f32);
    for start in g.blocks(row.len(), BLOCK) {
        g.each((&mut sum, row.each_from(start)), |_, (sum, x)| {
            if let Some(x) = x {
                *sum += (x - greatest).exp();
            }
        });
    }
    let factor = 1.0 / g.reduce(&sum, |a, b| a + b);

    for start in g.blocks(row.len(), BLOCK) {
        g.each((y.each_from_mut(start), row.each_from(start)), |_, (y, x)| {
            if let (Some(y), Some(x)) = (y, x) {
                *y = (x - greatest).exp() * factor;
            }
        });
    }
}

/// Makes rows into probabilities and checks them.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of rows.
    #[arg(long, default_value_t = 1024, value_parser = up_to::<{ 1 << 16 }>)]
    rows: usize,
    /// The elements of a row.
    #[arg(long, default_value_t = 4000, value_parser = up_to::<{ 1 << 20 }>)]
    cols: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Options { rows, cols } = Options::parse();
    let host: Vec<f32> =
        (0..rows * cols).map(|i| (i.wrapping_mul(2_654_435_761) >> 8 & 0xffff) as f32 / 3000.0).collect();

    let device = Device::from_env()?;
    let stream = device.stream()?;
    let x = stream.upload_matrix(rows, cols, &host)?;
    let mut y = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = softmax::load(&device)?;
    let timing =
        Timing::of(&stream, || kernel.launch(&stream, LaunchConfig::grid(rows, BLOCK), (&x, &mut y)))?;

    for (row, (y, x)) in stream.download(&y)?.chunks(cols).zip(host.chunks(cols)).enumerate() {
        let greatest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponentials = || x.iter().map(|&x| f64::from(x - greatest).exp());
        let sum: f64 = exponentials().sum();
        // A float's rounding in the exponential and in the product, and in each partial sum.
        let bound = (8.0 + (cols as f64).sqrt()) * f64::from(f32::EPSILON);
        for (col, (&y, exponential)) in y.iter().zip(exponentials()).enumerate() {
            let right = exponential / sum;
            let off = (f64::from(y) - right).abs();
            ensure!(off <= right * bound, "row {row}, column {col} is {y} instead of {right}");
        }
    }
    println!("device   {}", device.name());
    println!(
        "softmax  {rows} rows of {cols} elements, {timing}, {}",
        timing.bytes_per_second(8 * rows * cols)
    );
    println!("checked  every element");
    Ok(())
}
