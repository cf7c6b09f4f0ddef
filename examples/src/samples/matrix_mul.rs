//! `matrixMul` of the CUDA samples: C = A·B, tile by tile in workgroup memory.
//!
//! Each workgroup makes a tile of C. It walks along a row of A's tiles and down a column of B's, brings one of each into
//! workgroup memory, and multiplies them there: every element is read from global memory once a workgroup, not
//! once a thread. The sizes may be any: what a tile has beyond a matrix's edge is zero.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, check, up_to},
    clap::Parser,
    gridwright::Error,
};

/// An element of C a thread, straight from global memory. The loop along A's row is the group's, and its body a phase: on a CPU that is
/// what makes vectors of threads. It touches no workgroup memory, so there is no barrier in it. The sixteen rows of a group read the
/// same rows of B, which are fetched once, four in a phase: what it reads and writes of each thread, it does once for them all.
#[gpu_kernel(block = (64, 16), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
pub fn matrix_mul_naive(g: &Group, a: &Matrix<f32>, b: &Matrix<f32>, mut c: PerThread<Matrix<f32>>) {
    let mut acc = g.private(0.0_f32);
    let mut k = 0;
    while k + 4 <= a.cols() {
        let [first, second, third, fourth] =
            [k, k + 1, k + 2, k + 3].map(|row| b.elements_of_row(row, g.origin().x));
        g.each((&mut acc, first, second, third, fourth), |t, (acc, first, second, third, fourth)| {
            let row = if t.row() < a.rows() { a.row(t.row()) } else { &[] };
            let of_a = row.get(k..).and_then(|row| row.first_chunk()).copied().unwrap_or([0.0; 4]);
            for (a, b) in of_a.into_iter().zip([first, second, third, fourth]) {
                *acc = a.mul_add(b.copied().unwrap_or(0.0), *acc);
            }
        });
        k += 4;
    }
    while k < a.cols() {
        g.each((&mut acc, b.elements_of_row(k, g.origin().x)), |t, (acc, b)| {
            *acc = a.get_or(t.row(), k, 0.0).mul_add(b.copied().unwrap_or(0.0), *acc);
        });
        k += 1;
    }
    store(g, &acc, &mut c);
}

// ANCHOR: tiled
/// Rows and columns of a tile.
const T: usize = 16;

/// Each thread brings one element of either tile.
#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
pub fn matrix_mul(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut ta: Workgroup<[[f32; T]; T]>,
    mut tb: Workgroup<[[f32; T]; T]>,
) {
    let mut acc = g.private(0.0_f32); // one value a thread: a register on a GPU
    let mut k = 0;
    while k < a.cols() {
        g.each((ta.elements_mut(), tb.elements_mut()), |t, (a_slot, b_slot)| {
            *a_slot = a.get_or(t.row(), k + t.local().x, 0.0);
            *b_slot = b.get_or(k + t.local().y, t.col(), 0.0);
        });
        multiply(g, &mut acc, &ta, &tb);
        k += T; // `step_by` would count the turns as well
    }
    store(g, &acc, &mut c);
}
// ANCHOR_END: tiled

// ANCHOR: load_tile
/// Multiplies by tiles, which the group copies as a whole.
#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
pub fn matrix_mul_load_tile(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut ta: Workgroup<[[f32; T]; T]>,
    mut tb: Workgroup<[[f32; T]; T]>,
) {
    let mut acc = g.private(0.0_f32);
    let mut k = 0;
    while k < a.cols() {
        g.load_tile(&mut ta, a, g.origin().y, k);
        g.load_tile(&mut tb, b, k, g.origin().x);
        multiply(g, &mut acc, &ta, &tb);
        k += T;
    }
    store(g, &acc, &mut c);
}
// ANCHOR_END: load_tile

// ANCHOR: multiply
/// Adds the product of two tiles: each thread a row of the one times a column of the other.
#[inline(always)]
fn multiply<S: GroupShape>(
    g: &Group<'_, S>,
    acc: &mut Private<'_, f32>,
    ta: &Workgroup<'_, [[f32; T]; T]>,
    tb: &Workgroup<'_, [[f32; T]; T]>,
) {
    g.each((acc, ta.shared(), tb.shared()), |t, (acc, ta, tb)| {
        let l = t.local();
        for i in 0..T {
            *acc = ta[l.y][i].mul_add(tb[i][l.x], *acc);
        }
    });
}
// ANCHOR_END: multiply

// ANCHOR: store
/// Each thread writes its element of C, if it has one.
#[inline(always)]
fn store<S: GroupShape>(g: &Group<'_, S>, acc: &Private<'_, f32>, c: &mut PerThread<'_, Matrix<f32>>) {
    g.each((acc, c.elements_mut()), |_, (acc, c)| {
        if let Some(c) = c {
            *c = *acc;
        }
    });
}
// ANCHOR_END: store

// ANCHOR: patches
/// Rows and columns of a tile of C whose threads have patches of it.
const TILE: usize = 64;
/// How much of a row of A, and of a column of B, is brought at once.
const DEPTH: usize = 16;
/// Rows and columns of a thread's patch. A row is whole vectors on a CPU.
const ROWS: usize = 4;
const COLS: usize = 16;

/// With 4 by 16 elements of C for each thread, in registers: what it reads of A's tile it multiplies 16 times, of B's
/// four times.
#[gpu_kernel(
    block = (TILE / COLS, TILE / ROWS),
    requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols()
)]
pub fn matrix_mul_patches(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerGroup<Matrix<f32>, Tiles<TILE, TILE>>,
    // A column more, so that threads read different banks.
    mut ta: Workgroup<[[f32; DEPTH + 1]; TILE]>,
    mut tb: Workgroup<[[f32; TILE]; DEPTH]>,
) {
    let [row, col] = c.origin();
    let mut acc = g.private([[0.0_f32; COLS]; ROWS]);
    for first in (0..a.cols()).step_by(DEPTH) {
        g.load_padded_tile::<DEPTH, _, _, _>(&mut ta, a, row, first);
        g.load_tile(&mut tb, b, first, col);
        let depth = DEPTH.min(a.cols() - first);
        g.each((&mut acc, ta.shared(), tb.shared()), |t, (acc, ta, tb)| {
            let (x, y) = (COLS * t.local().x, ROWS * t.local().y);
            for k in 0..depth {
                for i in 0..ROWS {
                    for j in 0..COLS {
                        acc[i][j] = ta[y + i][k].mul_add(tb[k][x + j], acc[i][j]);
                    }
                }
            }
        });
    }
    g.each((&acc, c.patches_mut::<ROWS, COLS>()), |_, (acc, patch)| {
        patch.for_each(|row, col, c| *c = acc[row][col]);
    });
}
// ANCHOR_END: patches

/// Multiplies two matrices and checks the product.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of A and C.
    #[arg(long, default_value_t = 500, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The columns of A, and the rows of B.
    #[arg(long, default_value_t = 700, value_parser = up_to::<{ 1 << 14 }>)]
    inner: usize,
    /// The columns of B and C.
    #[arg(long, default_value_t = 600, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, inner, cols }, device, stream, report } =
        Sample::begin("matrix_mul_load_tile")?;
    // Small whole numbers: no sum of up to 2¹⁴ products is rounded, in whatever order it is made.
    let a: Vec<f32> = (0..rows * inner).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..inner * cols).map(|i| (i % 5) as f32 - 2.0).collect();
    let expected = product(rows, inner, cols, &a, &b);

    let a = stream.upload_matrix(rows, inner, &a)?;
    let b = stream.upload_matrix(inner, cols, &b)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let measure = |name: &str, launch: &dyn Fn(&mut MatrixBuffer<f32>) -> Result<(), Error>| {
        let mut c = stream.alloc_matrix_zeroed(rows, cols)?;
        let timing = Timing::of(&stream, || launch(&mut c))?;
        report.row(name, format_args!("{timing}, {}", timing.rate("FLOP", 2 * rows * inner * cols)))?;
        check::equal(&format!("{name}: element"), &stream.download(&c)?, &expected)
    };

    report.row("matrices", format_args!("{rows} x {inner} times {inner} x {cols}"))?;
    let kernel = matrix_mul_naive::load(&device)?;
    measure("matrix_mul_naive", &|c| kernel.launch(&stream, config, (&a, &b, c)))?;
    let kernel = matrix_mul::load(&device)?;
    measure("matrix_mul", &|c| kernel.launch(&stream, config, (&a, &b, c)))?;
    let kernel = matrix_mul_load_tile::load(&device)?;
    measure("matrix_mul_load_tile", &|c| kernel.launch(&stream, config, (&a, &b, c)))?;
    let kernel = matrix_mul_patches::load(&device)?;
    measure("matrix_mul_patches", &|c| kernel.launch(&stream, config, (&a, &b, c)))?;
    report.row("checked", "every element")
}

/// The product by the book.
#[host_only]
pub fn product(rows: usize, inner: usize, cols: usize, a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut c = vec![0.0; rows * cols];
    for row in 0..rows {
        for k in 0..inner {
            for col in 0..cols {
                c[row * cols + col] += a[row * inner + k] * b[k * cols + col];
            }
        }
    }
    c
}
