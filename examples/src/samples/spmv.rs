//! A sparse matrix times a vector: rows of any length, which segments of its weights and columns are. A thread a row, or a warp.
//!
//! The matrix is in CSR, "compressed sparse rows": its weights row after row, the column of each, and offsets that say where rows
//! begin. That offsets ascend is seen once, when they are uploaded, and no kernel has to see it again.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, check, up_to},
    clap::Parser,
};

/// Each row's sum, a thread a row.
#[gpu_kernel(requires = weights.len() == y.len() && columns.len() == y.len())]
pub fn spmv(t: Thread, weights: &Segments<f32>, columns: &Segments<u32>, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let mut sum = 0.0;
        for (weight, &column) in weights[t.index()].iter().zip(&columns[t.index()]) {
            sum += weight * x.get_or(column as usize, 0.0);
        }
        *y = sum;
    }
}

/// Rows of a group where warps have a row each.
pub const ROWS: usize = 8;

/// Sums of rows, a warp a row, whose lanes read elements side by side.
#[gpu_kernel(block = 256, requires = weights.len() == y.rows() && columns.len() == y.rows())]
pub fn spmv_by_warps(
    g: &Group,
    weights: &Segments<f32>,
    columns: &Segments<u32>,
    x: &[f32],
    mut y: PerGroup<Matrix<f32>, Rows<ROWS>>,
) {
    g.each_warp(y.warp_rows_mut(), |w, mut rows| {
        while let Some(mut y) = rows.next_row() {
            let (weights, columns) = (&weights[y.row()], &columns[y.row()]);
            let mut sums = w.private(0.0_f32);
            for start in w.blocks(weights.len(), w.len()) {
                let items = (&mut sums, weights.elements_from(start), columns.elements_from(start));
                w.each(items, |_, (sum, weight, column)| {
                    if let (Some(weight), Some(&column)) = (weight, column) {
                        *sum += weight * x.get_or(column as usize, 0.0);
                    }
                });
            }
            y.set(w, 0, w.reduce(&sums, |a, b| a + b));
        }
    });
}

/// A sparse matrix on the host.
#[host_only]
#[derive(Clone, Debug)]
pub struct Sparse {
    /// Where rows begin, and the last one ends.
    pub offsets: Vec<u32>,
    /// The columns of the elements that are there.
    pub columns: Vec<u32>,
    /// What is in those columns.
    pub weights: Vec<f32>,
}

#[host_only]
impl Sparse {
    /// A square matrix whose rows have from none to twice `mean` elements, in columns that look random.
    pub fn new(rows: usize, mean: usize) -> Self {
        let random = |i: usize| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        let lens = (0..rows).map(|row| random(row) % (2 * mean as u32 + 1));
        let ends = lens.scan(0, |end, len| {
            *end += len;
            Some(*end)
        });
        let offsets: Vec<u32> = [0].into_iter().chain(ends).collect();
        let len = offsets.last().map_or(0, |&end| end as usize);
        let columns = (0..len).map(|i| random(i + 7) % rows as u32).collect();
        // Small whole numbers, of which sums aren't rounded.
        Self { offsets, columns, weights: (0..len).map(|i| (i % 5) as f32).collect() }
    }

    /// The matrix times a vector, naively.
    pub fn times(&self, x: &[f32]) -> Vec<f32> {
        let rows = self.offsets.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        rows.map(|row| row.map(|i| self.weights[i] * x[self.columns[i] as usize]).sum()).collect()
    }
}

/// Multiplies by a sparse matrix and checks the product.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows and the columns of the matrix.
    #[arg(long, default_value_t = 200_000, value_parser = up_to::<{ 1 << 24 }>)]
    rows: usize,
    /// The elements of a row, on average.
    #[arg(long, default_value_t = 20, value_parser = up_to::<100>)]
    mean: usize,
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, mean }, device, stream, report } = Sample::begin("threads")?;
    let matrix = Sparse::new(rows, mean);
    let host_x: Vec<f32> = (0..rows).map(|i| (i % 7) as f32).collect();
    let expected = matrix.times(&host_x);
    let elements = matrix.weights.len();
    report.row("matrix", format_args!("{rows} rows, {elements} elements"))?;

    let offsets = stream.upload_offsets(&matrix.offsets)?;
    let (weights, columns) = (stream.upload(&matrix.weights)?, stream.upload(&matrix.columns)?);
    let x = stream.upload(&host_x)?;
    let matrix = || (weights.segments(&offsets), columns.segments(&offsets));

    let mut y = stream.alloc_zeroed(rows)?;
    let kernel = spmv::load(&device)?;
    let timing = Timing::of(&stream, || {
        let (weights, columns) = matrix();
        kernel.launch(&stream, LaunchConfig::threads(rows), (weights, columns, &x, &mut y))
    })?;
    report.row("threads", format_args!("{timing}, {}", timing.bytes_per_second(8 * elements)))?;
    check::equal("a thread a row: row", &stream.download(&y)?, &expected)?;

    let mut y = stream.alloc_matrix_zeroed(rows, 1)?;
    let kernel = spmv_by_warps::load(&device)?;
    let groups = LaunchConfig::grid(rows.div_ceil(ROWS), 256);
    let timing = Timing::of(&stream, || {
        let (weights, columns) = matrix();
        kernel.launch(&stream, groups, (weights, columns, &x, &mut y))
    })?;
    report.row("warps", format_args!("{timing}, {}", timing.bytes_per_second(8 * elements)))?;
    report.equal("row", &stream.download(&y)?, &expected)
}
