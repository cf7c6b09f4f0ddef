//! Softmax of each row of a matrix, of any length, a workgroup a row or a warp: the exponentials of a row's elements divided by
//! their sum.
//!
//! The greatest element is subtracted first, so that no exponential is infinite. Three times the group, or the warp, goes along its
//! row: for the greatest element, for the sum, and for what it writes. Algorithm: M. Milakov, N. Gimelshein, "Online normalizer calculation for
//! softmax", 2018, section 2.

use gridwright::math;
use gridwright::prelude::*;
#[host_only]
use {
    crate::{
        Sample, Timing,
        check::{self, Name},
        scattered, up_to,
    },
    anyhow::Context,
    clap::Parser,
};

/// Threads in a workgroup.
pub const BLOCK: usize = 256;

/// The softmax of the row that the group owns.
#[gpu_kernel(block = BLOCK, requires = x.rows() == y.rows() && x.cols() == y.cols())]
pub fn softmax(g: &Group, x: &Matrix<f32>, mut y: PerGroup<Matrix<f32>, Rows>) {
    if y.row() >= x.rows() {
        return;
    }
    let row = x.row(y.row());
    let mut greatest = g.private(f32::NEG_INFINITY);
    for start in g.blocks(row.len(), BLOCK) {
        g.each((&mut greatest, row.elements_from(start)), |_, (greatest, x)| {
            if let Some(x) = x {
                *greatest = greatest.max(*x);
            }
        });
    }
    let greatest = g.reduce(&greatest, f32::max);

    let mut sum = g.private(0.0_f32);
    for start in g.blocks(row.len(), BLOCK) {
        g.each((&mut sum, row.elements_from(start)), |_, (sum, x)| {
            if let Some(x) = x {
                *sum += math::exp(x - greatest);
            }
        });
    }
    let factor = 1.0 / g.reduce(&sum, |a, b| a + b);

    for start in g.blocks(row.len(), BLOCK) {
        g.each((y.elements_from_mut(start), row.elements_from(start)), |_, (y, x)| {
            if let (Some(y), Some(x)) = (y, x) {
                *y = math::exp(x - greatest) * factor;
            }
        });
    }
}

/// Rows of a group where warps have a row each.
pub const ROWS: usize = 8;

/// The softmax of rows, a warp a row.
#[gpu_kernel(block = 256, requires = x.rows() == y.rows() && x.cols() == y.cols())]
pub fn softmax_by_warps(g: &Group, x: &Matrix<f32>, mut y: PerGroup<Matrix<f32>, Rows<ROWS>>) {
    g.each_warp(y.warp_rows_mut(), |w, mut rows| {
        while let Some(mut y) = rows.next_row() {
            let row = x.row(y.row());
            let mut greatest = w.private(f32::NEG_INFINITY);
            for start in w.blocks(row.len(), w.len()) {
                w.each((&mut greatest, row.elements_from(start)), |_, (greatest, x)| {
                    if let Some(x) = x {
                        *greatest = greatest.max(*x);
                    }
                });
            }
            let greatest = w.reduce(&greatest, f32::max);

            let mut sum = w.private(0.0_f32);
            for start in w.blocks(row.len(), w.len()) {
                w.each((&mut sum, row.elements_from(start)), |_, (sum, x)| {
                    if let Some(x) = x {
                        *sum += math::exp(x - greatest);
                    }
                });
            }
            let factor = 1.0 / w.reduce(&sum, |a, b| a + b);

            for start in w.blocks(row.len(), w.len()) {
                w.each((y.elements_from_mut(start), row.elements_from(start)), |_, (y, x)| {
                    if let (Some(y), Some(x)) = (y, x) {
                        *y = math::exp(x - greatest) * factor;
                    }
                });
            }
        }
    });
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

/// What a row should become, in double precision.
#[host_only]
pub fn expected(row: &[f32]) -> Vec<f64> {
    let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exponentials = || row.iter().map(|&x| f64::from(x - greatest).exp());
    let sum: f64 = exponentials().sum();
    exponentials().map(|exponential| exponential / sum).collect()
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, cols }, device, stream, report } = Sample::begin("groups")?;
    let host: Vec<f32> = scattered(rows * cols).map(|x| (x >> 8 & 0xffff) as f32 / 3000.0).collect();

    let x = stream.upload_matrix(rows, cols, &host)?;
    let compare = |y: &MatrixBuffer<f32>, how: &'static str| {
        // A float's rounding in the exponential and in the product, and in each partial sum.
        let bound = (8.0 + (cols as f64).sqrt()) * f64::from(f32::EPSILON);
        let right = host.chunks(cols).flat_map(expected).map(|right| (right, right * bound));
        check::close(Name::in_rows_of(cols), &stream.download(y)?, right).context(how)
    };

    let mut y = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = softmax::load(&device)?;
    let timing =
        Timing::of(&stream, || kernel.launch(&stream, LaunchConfig::grid(rows, BLOCK), (&x, &mut y)))?;
    report.timed(format_args!("{rows} rows of {cols} elements"), timing, "B", 8 * rows * cols)?;
    compare(&y, "a group a row")?;

    let mut y = stream.alloc_matrix_zeroed(rows, cols)?;
    let kernel = softmax_by_warps::load(&device)?;
    let groups = LaunchConfig::grid(rows.div_ceil(ROWS), 256);
    let timing = Timing::of(&stream, || kernel.launch(&stream, groups, (&x, &mut y)))?;
    report.row("warps", format_args!("{timing}, {}", timing.bytes_per_second(8 * rows * cols)))?;
    compare(&y, "a warp a row")?;
    report.row("checked", "every element")
}
