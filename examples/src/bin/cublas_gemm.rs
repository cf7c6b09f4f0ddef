//! C = A·B by cuBLAS, through cudarc, on our matrices and in our stream, beside a kernel of ours.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::Context,
    clap::Parser,
    cudarc::cublas::{CudaBlas, Gemm, GemmConfig, sys},
    gridwright::{Error, interop},
    gridwright_examples::{Sample, Timing, check, cudarc_stream, up_to},
};

/// Rows and columns of a tile.
const T: usize = 16;

/// A tile of C for each workgroup, from tiles in workgroup memory.
#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
pub(crate) fn multiply(
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
        g.each((&mut acc, ta.shared(), tb.shared()), |t, (acc, ta, tb)| {
            let l = t.local();
            for i in 0..T {
                *acc = ta[l.y][i].mul_add(tb[i][l.x], *acc);
            }
        });
        k += T;
    }
    g.each((&acc, c.elements_mut()), |_, (acc, c)| {
        if let Some(c) = c {
            *c = *acc;
        }
    });
}

/// Multiplies two matrices by cuBLAS and by a kernel of ours, and compares.
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

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, inner, cols }, device, stream, report } =
        Sample::begin("matrices")?;
    // Small whole numbers: no sum of up to 2¹⁴ products is rounded, in whatever order it is made.
    let a: Vec<f32> = (0..rows * inner).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..inner * cols).map(|i| (i % 5) as f32 - 2.0).collect();

    let a = stream.upload_matrix(rows, inner, &a)?;
    let b = stream.upload_matrix(inner, cols, &b)?;
    let mut ours = stream.alloc_matrix_zeroed(rows, cols)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let kernel = multiply::load(&device)?;
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (&a, &b, &mut ours)))?;
    let rate = |timing: &Timing| timing.rate("FLOP", 2 * rows * inner * cols);
    report.row("matrices", format_args!("{rows} x {inner} times {inner} x {cols}"))?;
    report.row("multiply", format_args!("{timing}, {}", rate(&timing)))?;

    // SAFETY: loading the library runs its initialisers.
    let is_there = || unsafe { sys::is_culib_present() };
    let Some(theirs) = cudarc_stream(&stream, "cuBLAS", is_there, report)? else { return Ok(()) };
    let blas = CudaBlas::new(theirs)?;
    // cuBLAS has matrices column after column: ours are their transposes to it, and Cᵀ = Bᵀ·Aᵀ.
    let [m, n, k] = [i32::try_from(cols)?, i32::try_from(rows)?, i32::try_from(inner)?];
    let [transa, transb] = [sys::cublasOperation_t::CUBLAS_OP_N; 2];
    let ([lda, ldb, ldc], [alpha, beta]) = ([m, k, m], [1.0_f32, 0.0]);
    let config = GemmConfig { transa, transb, m, n, k, alpha, lda, ldb, beta, ldc };
    let mut c = stream.alloc_matrix_zeroed::<f32>(rows, cols)?;
    let mut failed = None;
    let timing = Timing::of(&stream, || {
        interop::scope(&stream, |scope| {
            let (a, b, mut c) = (scope.read(&a)?, scope.read(&b)?, scope.write(&mut c)?);
            // SAFETY: the sizes are the matrices'.
            failed = unsafe { blas.gemm(config, &b, &a, &mut c) }.err();
            Ok::<(), Error>(())
        })
    })?;
    failed.map_or(Ok(()), Err).context("cublasSgemm")?;
    report.row("cuBLAS", format_args!("{timing}, {}", rate(&timing)))?;

    check::equal("element", &stream.download(&ours)?, stream.download(&c)?)?;
    report.row("checked", "every element of the one against the other")
}
