//! `globalToShmemAsyncCopy` of the CUDA samples: C = A·B, with tiles that are copied to workgroup memory while others are multiplied.
//!
//! How large a piece is that the hardware copies at once, the copy sees by itself: the sample has a kernel for each.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Sample, Timing, check, samples::matrix_mul::product, up_to},
};

/// Rows and columns of a tile, and how many pairs of tiles are there at once.
const T: usize = 16;
const STAGES: usize = 4;

type Tile<'k> = Workgroup<'k, [[f32; T]; T]>;

/// Tiles are copied by the threads, and then multiplied.
#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
pub(crate) fn naive(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut ta: Workgroup<[[f32; T]; T]>,
    mut tb: Workgroup<[[f32; T]; T]>,
) {
    let mut sum = g.private(0.0_f32);
    for k in (0..a.cols()).step_by(T) {
        g.load_tile(&mut ta, a, g.origin().y, k);
        g.load_tile(&mut tb, b, k, g.origin().x);
        multiply(g, &mut sum, &ta, &tb);
    }
    store(g, &sum, &mut c);
}

/// Tiles are copied by the hardware, and waited for.
#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
pub(crate) fn one_stage(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut ta: Workgroup<[[[f32; T]; T]; 1]>,
    mut tb: Workgroup<[[[f32; T]; T]; 1]>,
) {
    let mut sum = g.private(0.0_f32);
    let ([ta], [tb]) = (ta.stages(), tb.stages());
    g.copies(|copies| {
        let mut free = (ta, tb);
        for k in (0..a.cols()).step_by(T) {
            let ta = copies.load_tile(free.0, a, g.origin().y, k);
            let tb = copies.load_tile(free.1, b, k, g.origin().x);
            free = copies.wait((ta, tb));
            multiply(g, &mut sum, &free.0, &free.1);
        }
    });
    store(g, &sum, &mut c);
}

/// While a pair of tiles is multiplied, the next three are on their way.
#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
pub(crate) fn four_stages(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut ta: Workgroup<[[[f32; T]; T]; STAGES]>,
    mut tb: Workgroup<[[[f32; T]; T]; STAGES]>,
) {
    let mut sum = g.private(0.0_f32);
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (ta.stages(), tb.stages());
    g.copies(|copies| {
        // Beyond the matrices tiles are zero: so the last turns load some, too.
        let load = |(ta, tb), k| {
            (copies.load_tile(ta, a, g.origin().y, k), copies.load_tile(tb, b, k, g.origin().x))
        };
        let mut coming = [load((a0, b0), 0), load((a1, b1), T), load((a2, b2), 2 * T)];
        let mut free = (a3, b3);
        for k in (0..a.cols()).step_by(T) {
            let [first, second, third] = coming;
            coming = [second, third, load(free, k + 3 * T)];
            free = copies.wait(first);
            multiply(g, &mut sum, &free.0, &free.1);
        }
    });
    store(g, &sum, &mut c);
}

/// Adds the product of two tiles: each thread a row of the one times a column of the other.
#[inline(always)]
fn multiply<S: GroupShape>(g: &Group<'_, S>, sum: &mut Private<'_, f32>, ta: &Tile<'_>, tb: &Tile<'_>) {
    g.each((sum, ta.shared(), tb.shared()), |t, (sum, ta, tb)| {
        let l = t.local();
        for i in 0..T {
            *sum = ta[l.y][i].mul_add(tb[i][l.x], *sum);
        }
    });
}

/// Each thread writes its element of C, if it has one.
#[inline(always)]
fn store<S: GroupShape>(g: &Group<'_, S>, sum: &Private<'_, f32>, c: &mut PerThread<'_, Matrix<f32>>) {
    g.each((sum, c.elements_mut()), |_, (sum, c)| {
        if let Some(c) = c {
            *c = *sum;
        }
    });
}

/// Multiplies two matrices in three ways and checks the products.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of A and C.
    #[arg(long, default_value_t = 640, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    /// The columns of A, and the rows of B.
    #[arg(long, default_value_t = 640, value_parser = up_to::<{ 1 << 14 }>)]
    inner: usize,
    /// The columns of B and C.
    #[arg(long, default_value_t = 640, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, inner, cols }, device, stream, report } =
        Sample::begin("four_stages")?;
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
    let kernel = naive::load(&device)?;
    measure("naive", &|c| kernel.launch(&stream, config, (&a, &b, c)))?;
    let kernel = one_stage::load(&device)?;
    measure("one_stage", &|c| kernel.launch(&stream, config, (&a, &b, c)))?;
    let kernel = four_stages::load(&device)?;
    measure("four_stages", &|c| kernel.launch(&stream, config, (&a, &b, c)))?;
    report.row("checked", "every element")
}
