//! `cudaTensorCoreGemm` and `tf32TensorCoreGemm` of the CUDA samples: C = A·B in `f16`, and of `f32` in TF32, added up in `f32`,
//! by matrix units.
//!
//! A workgroup of eight warps makes a tile of 128 by 128 of C, each warp 64 by 32 of it. In steps of 64 bytes of A's rows it brings
//! tiles of A and B to workgroup memory, where they have two places: while one pair is multiplied, the next is on its way from global
//! memory. In `tensor_core_gemm` it comes into registers, which are then written to the other pair, with one barrier a step. In the other
//! two it is copied straight to the other pair, which takes no registers and two barriers.
//!
//! A row in workgroup memory has 16 bytes that nobody uses, so that the eight rows that a matrix instruction loads at once lie in
//! different banks. Of rows of B in TF32, which no instruction transposes, it is 32 bytes: threads read columns.

#![allow(clippy::needless_range_loop)] // loops over constants are unrolled, and sums stay in registers
#![allow(clippy::needless_pass_by_value)] // what a phase brought is used up by the next

use gridwright::group::ArrayElement;
use gridwright::matrix::{Accumulator, FactorShape, FragmentSource, MatrixA, MatrixB, Product, Tf32};
use gridwright::memory::Vector;
use gridwright::numbers::F16;
use gridwright::prelude::*;
use gridwright::warp::WarpPrivate;
#[host_only]
use {
    clap::{Parser, ValueEnum},
    gridwright::Error,
    gridwright_examples::{
        Sample, Timing,
        check::{self, Name},
        noise, up_to,
    },
};

/// What a thread reads and writes at once: 16 bytes.
type Eight = Vector<F16, 8>;
type Four = Vector<f32, 4>;

/// Rows and columns of a workgroup's tile of C.
const TILE: usize = 128;
/// Columns of A, and rows of B, of a step.
const DEPTH: usize = 32;
/// Rows and columns of a warp's part of the tile.
const WARP_ROWS: usize = 64;
const WARP_COLS: usize = 32;
/// Threads of a workgroup, and its warps.
const THREADS: usize = 256;
const WARPS: usize = (TILE / WARP_ROWS) * (TILE / WARP_COLS);
/// Vectors in a row of a tile of A and of B; one more is between two rows.
const A_COLS: usize = DEPTH / 8;
const B_COLS: usize = TILE / 8;
/// Columns of A, and rows of B, of a step in TF32; vectors in a row of its tiles.
const TF32_DEPTH: usize = 16;
const TF32_A_COLS: usize = TF32_DEPTH / 4;
const TF32_B_COLS: usize = TILE / 4;
/// Rows of the tiles that each warp brings.
const A_ROWS: usize = TILE / WARPS;
const B_ROWS: usize = DEPTH / WARPS;

type TileA<'k> = Workgroup<'k, [[Eight; A_COLS + 1]; TILE]>;
type TileB<'k> = Workgroup<'k, [[Eight; B_COLS + 1]; DEPTH]>;
/// What a warp adds up.
type Sums = [[Accumulator<f32, 16, 16>; WARP_COLS / 16]; WARP_ROWS / 16];

/// Each element of `a` and `b` is eight neighbours of a row.
#[gpu_kernel(block = THREADS, requires = 8 * a.cols() == b.rows() && a.rows() == c.rows() && 8 * b.cols() == c.cols())]
#[allow(clippy::too_many_arguments)]
pub(crate) fn tensor_core_gemm(
    g: &Group,
    a: &Matrix<Eight>,
    b: &Matrix<Eight>,
    mut c: PerGroup<Matrix<f32>, Tiles<TILE, TILE>>,
    mut a0: Workgroup<[[Eight; A_COLS + 1]; TILE]>,
    mut b0: Workgroup<[[Eight; B_COLS + 1]; DEPTH]>,
    mut a1: Workgroup<[[Eight; A_COLS + 1]; TILE]>,
    mut b1: Workgroup<[[Eight; B_COLS + 1]; DEPTH]>,
) {
    assert!(g.warps() == WARPS, "the tiles are shared out to warps of 32 threads"); // AMD's CDNA has 64
    let at = c.origin();
    let mut sums = g.warp_private([[Accumulator::filled(0.0); WARP_COLS / 16]; WARP_ROWS / 16]);
    let first = bring(g, a, b, at, 0);
    let parts =
        (&first, a0.warp_chunks_mut(A_ROWS * (A_COLS + 1)), b0.warp_chunks_mut(B_ROWS * (B_COLS + 1)));
    g.each_warp(parts, |w, (first, a, b)| put(w, first, a, b));
    let mut k = 0;
    while k < b.rows() {
        // Two steps a turn, so that where the tiles are is known. Beyond the end of A and B are zeros.
        step(g, &mut sums, (&a0, &b0), (&mut a1, &mut b1), bring(g, a, b, at, k + DEPTH));
        step(g, &mut sums, (&a1, &b1), (&mut a0, &mut b0), bring(g, a, b, at, k + 2 * DEPTH));
        k += 2 * DEPTH;
    }
    store(g, &mut sums, &mut c);
}

/// The product of `a` and `b`, with copies that the hardware makes by itself.
#[gpu_kernel(block = THREADS, requires = 8 * a.cols() == b.rows() && a.rows() == c.rows() && 8 * b.cols() == c.cols())]
pub(crate) fn tensor_core_gemm_copies(
    g: &Group,
    a: &Matrix<Eight>,
    b: &Matrix<Eight>,
    mut c: PerGroup<Matrix<f32>, Tiles<TILE, TILE>>,
    mut a_tiles: Workgroup<[[[Eight; A_COLS + 1]; TILE]; 2]>,
    mut b_tiles: Workgroup<[[[Eight; B_COLS + 1]; DEPTH]; 2]>,
) {
    by_copies::<_, F16, _, 16, A_COLS, _, B_COLS, _, _>(g, (a, b), &mut c, &mut a_tiles, &mut b_tiles);
}

/// Each element of `a` and `b` is four neighbours of a row, which are rounded to TF32.
#[gpu_kernel(block = THREADS, requires = 4 * a.cols() == b.rows() && a.rows() == c.rows() && 4 * b.cols() == c.cols())]
pub(crate) fn tensor_core_gemm_tf32(
    g: &Group,
    a: &Matrix<Four>,
    b: &Matrix<Four>,
    mut c: PerGroup<Matrix<f32>, Tiles<TILE, TILE>>,
    mut a_tiles: Workgroup<[[[Four; TF32_A_COLS + 1]; TILE]; 2]>,
    mut b_tiles: Workgroup<[[[Four; TF32_B_COLS + 2]; TF32_DEPTH]; 2]>,
) {
    by_copies::<_, Tf32, _, 8, TF32_A_COLS, _, TF32_B_COLS, _, _>(
        g,
        (a, b),
        &mut c,
        &mut a_tiles,
        &mut b_tiles,
    );
}

/// C = A·B by steps of `DEPTH`. Of rows of the tiles `A` and `B` vectors are used.
#[inline(always)]
fn by_copies<
    S: GroupShape,
    T: FactorShape<16, K> + Product<f32, 16, 16, K>,
    V: ArrayElement,
    const K: usize,
    const A: usize,
    const A_ROOM: usize,
    const B: usize,
    const B_ROOM: usize,
    const DEPTH: usize,
>(
    g: &Group<'_, S>,
    (a, b): (&Matrix<V>, &Matrix<V>),
    c: &mut PerGroup<Matrix<f32>, Tiles<TILE, TILE>>,
    a_tiles: &mut Workgroup<'_, [[[V; A_ROOM]; TILE]; 2]>,
    b_tiles: &mut Workgroup<'_, [[[V; B_ROOM]; DEPTH]; 2]>,
) {
    assert!(g.warps() == WARPS, "the tiles are shared out to warps of 32 threads");
    let [row, col] = c.origin();
    let mut sums = g.warp_private([[Accumulator::filled(0.0); WARP_COLS / 16]; WARP_ROWS / 16]);
    let ([a0, a1], [b0, b1]) = (a_tiles.stages(), b_tiles.stages());
    g.copies(|copies| {
        let begin = |(ta, tb), k| {
            let a = copies.load_padded_tile::<A, _, _, _>(ta, a, row, k * A / DEPTH);
            (a, copies.load_padded_tile::<B, _, _, _>(tb, b, k, col * A / DEPTH))
        };
        let (mut even, mut free) = (begin((a0, b0), 0), (a1, b1));
        let mut k = 0;
        while k < b.rows() {
            // Two steps a turn, so that where the tiles are is known. Beyond the end of A and B are zeros.
            let odd = begin(free, k + DEPTH);
            let tiles = copies.wait(even);
            g.each_warp(&mut sums, |w, sums| multiply::<T, _, _, _, K>(w, &tiles.0, &tiles.1, sums));
            even = begin(tiles, k + 2 * DEPTH);
            free = copies.wait(odd);
            g.each_warp(&mut sums, |w, sums| multiply::<T, _, _, _, K>(w, &free.0, &free.1, sums));
            k += 2 * DEPTH;
        }
    });
    store(g, &mut sums, c);
}

/// Adds the warp's part of the product of a pair of tiles, in two steps of `K`.
#[inline(always)]
fn multiply<T, A, B, S, const K: usize>(w: &Warp<'_, S>, a: &A, b: &B, sums: &mut Sums)
where
    T: FactorShape<16, K> + Product<f32, 16, 16, K>,
    A: FragmentSource<T::Memory>,
    B: FragmentSource<T::Memory>,
    S: GroupShape,
{
    let row = w.index() / (TILE / WARP_COLS) * WARP_ROWS;
    let col = w.index() % (TILE / WARP_COLS) * WARP_COLS;
    for k in [0, K] {
        let b: [MatrixB<T, K, 16>; WARP_COLS / 16] = core::array::from_fn(|j| w.load_b(b, k, col + 16 * j));
        for i in 0..WARP_ROWS / 16 {
            let a: MatrixA<T, 16, K> = w.load_a(a, row + 16 * i, k);
            for j in 0..WARP_COLS / 16 {
                w.multiply_add(&a, &b[j], &mut sums[i][j]);
            }
        }
    }
}

/// Writes the sums to C, where they are inside.
#[inline(always)]
fn store<S: GroupShape>(
    g: &Group<'_, S>,
    sums: &mut WarpPrivate<'_, Sums>,
    c: &mut PerGroup<Matrix<f32>, Tiles<TILE, TILE>>,
) {
    g.each_warp((sums, c.warp_tiles_mut::<WARP_ROWS, WARP_COLS>()), |w, (sums, mut tile)| {
        for i in 0..WARP_ROWS / 16 {
            for j in 0..WARP_COLS / 16 {
                w.store_accumulator(&sums[i][j], &mut tile, 16 * i, 16 * j);
            }
        }
    });
}

/// What each thread brings of the tiles that begin at `k`: two vectors of A, and two of B.
#[inline(always)]
fn bring<'k, S: GroupShape>(
    g: &Group<'k, S>,
    a: &Matrix<Eight>,
    b: &Matrix<Eight>,
    [row, col]: [usize; 2],
    k: usize,
) -> Private<'k, [Eight; 4]> {
    g.map((), |t, ()| {
        let (warp, lane) = (t.local().x / 32, t.local().x % 32);
        let zero = Eight::splat(F16::from_bits(0));
        let of_a = |half: usize| {
            let row = row + warp * A_ROWS + half * (A_ROWS / 2) + lane / A_COLS;
            a.get_or(row, k / 8 + lane % A_COLS, zero)
        };
        let of_b = |half: usize| {
            let row = k + warp * B_ROWS + half * (B_ROWS / 2) + lane / B_COLS;
            b.get_or(row, col / 8 + lane % B_COLS, zero)
        };
        [of_a(0), of_a(1), of_b(0), of_b(1)]
    })
}

/// Writes what the warp's threads brought to the warp's rows of the tiles.
#[inline(always)]
fn put<S: GroupShape>(
    w: &Warp<'_, S>,
    brought: &Private<'_, [Eight; 4]>,
    a: WorkgroupMut<'_, Eight>,
    b: WorkgroupMut<'_, Eight>,
) {
    let (a_upper, a_lower) = a.split_at_mut(A_ROWS / 2 * (A_COLS + 1));
    let (b_upper, b_lower) = b.split_at_mut(B_ROWS / 2 * (B_COLS + 1));
    w.each(
        (
            brought,
            a_upper.elements_mut().padded::<A_COLS, { A_COLS + 1 }>(),
            a_lower.elements_mut().padded::<A_COLS, { A_COLS + 1 }>(),
            b_upper.elements_mut().padded::<B_COLS, { B_COLS + 1 }>(),
            b_lower.elements_mut().padded::<B_COLS, { B_COLS + 1 }>(),
        ),
        |_, (brought, a_upper, a_lower, b_upper, b_lower)| {
            [*a_upper, *a_lower, *b_upper, *b_lower] = *brought;
        },
    );
}

/// Adds the product of one pair of tiles, and writes what was brought meanwhile to the other.
#[inline(always)]
fn step<S: GroupShape>(
    g: &Group<'_, S>,
    sums: &mut WarpPrivate<'_, Sums>,
    (a, b): (&TileA<'_>, &TileB<'_>),
    (next_a, next_b): (&mut TileA<'_>, &mut TileB<'_>),
    brought: Private<'_, [Eight; 4]>,
) {
    let next_a = next_a.warp_chunks_mut(A_ROWS * (A_COLS + 1));
    let next_b = next_b.warp_chunks_mut(B_ROWS * (B_COLS + 1));
    g.each_warp((sums, &brought, next_a, next_b), |w, (sums, brought, next_a, next_b)| {
        multiply::<F16, _, _, _, 16>(w, a, b, sums);
        put(w, brought, next_a, next_b);
    });
}

/// What the kernels panic with where warps are larger.
#[host_only]
const WARPS_OF_32: &str = "warps of 32 threads";

/// A way to the product.
#[host_only]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kernel {
    /// `f16`, by way of registers.
    Registers,
    /// `f16`, by copies of the hardware.
    Copies,
    /// `f32` rounded to TF32, by copies of the hardware.
    Tf32,
}

#[host_only]
impl Kernel {
    fn name(self) -> &'static str {
        match self {
            Self::Registers => "tensor_core_gemm",
            Self::Copies => "tensor_core_gemm_copies",
            Self::Tf32 => "tensor_core_gemm_tf32",
        }
    }
}

/// Multiplies two matrices and checks elements of the product.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of A and C.
    #[arg(long, default_value_t = 500, value_parser = up_to::<{ 1 << 15 }>)]
    rows: usize,
    /// The columns of A, and the rows of B, in eights.
    #[arg(long, default_value_t = 90, value_parser = up_to::<{ 1 << 12 }>)]
    inner_eights: usize,
    /// The columns of B and C, in eights.
    #[arg(long, default_value_t = 75, value_parser = up_to::<{ 1 << 12 }>)]
    col_eights: usize,
    /// The kernel to run, rather than each.
    #[arg(long, value_enum)]
    kernel: Option<Kernel>,
}

/// Rows of A, its columns, and columns of B.
#[host_only]
#[derive(Clone, Copy)]
struct Sizes {
    rows: usize,
    inner: usize,
    cols: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, report, .. } = Sample::begin("tensor_core_gemm_copies")?;
    let Options { rows, inner_eights, col_eights, kernel } = options;
    let sizes = Sizes { rows, inner: 8 * inner_eights, cols: 8 * col_eights };
    let Sizes { inner, cols, .. } = sizes;
    report.row("matrices", format_args!("{rows} x {inner} times {inner} x {cols}"))?;
    let (a, b) = (numbers(rows * inner, 1), numbers(inner * cols, 2));
    for &kernel in Kernel::value_variants().iter().filter(|&&each| kernel.is_none_or(|only| each == only)) {
        let (timing, c) = match multiplied(&device, kernel, sizes, &a, &b) {
            Err(Error::KernelPanic { message, .. }) if message.contains(WARPS_OF_32) => {
                return report.row("refused", format_args!("its warps have 64 threads: {message}"));
            }
            result => result?,
        };
        let rate = timing.rate("FLOP", 2 * rows * inner * cols);
        report.row(kernel.name(), format_args!("{timing}, {rate}"))?;
        let round = |&x: &f32| if kernel == Kernel::Tf32 { tf32(x) } else { F16::from_f32(x).to_f64() };
        let [a, b] = [&a, &b].map(|matrix| matrix.iter().map(round).collect::<Vec<_>>());
        report.row("checked", format_args!("{} elements", check_some(sizes, &a, &b, &c)?))?;
    }
    Ok(())
}

/// The product by a kernel, and the time that it takes.
#[host_only]
fn multiplied(
    device: &Device,
    kernel: Kernel,
    Sizes { rows, inner, cols }: Sizes,
    a: &[f32],
    b: &[f32],
) -> Result<(Timing, Vec<f32>), Error> {
    let stream = device.stream()?;
    let mut dc = stream.alloc_matrix_zeroed::<f32>(rows, cols)?;
    let config = LaunchConfig::for_matrix(rows, cols);
    let timing = if kernel == Kernel::Tf32 {
        let da = stream.upload_matrix(rows, inner / 4, &fours(a))?;
        let db = stream.upload_matrix(inner, cols / 4, &fours(b))?;
        let kernel = tensor_core_gemm_tf32::load(device)?;
        Timing::of(&stream, || kernel.launch(&stream, config, (&da, &db, &mut dc)))?
    } else {
        let da = stream.upload_matrix(rows, inner / 8, &eights(a))?;
        let db = stream.upload_matrix(inner, cols / 8, &eights(b))?;
        if kernel == Kernel::Registers {
            let kernel = tensor_core_gemm::load(device)?;
            Timing::of(&stream, || kernel.launch(&stream, config, (&da, &db, &mut dc)))?
        } else {
            let kernel = tensor_core_gemm_copies::load(device)?;
            Timing::of(&stream, || kernel.launch(&stream, config, (&da, &db, &mut dc)))?
        }
    };
    Ok((timing, stream.download(&dc)?))
}

/// Checks up to 65536 elements, spread over all of them, and returns how many.
#[host_only]
fn check_some(Sizes { inner, cols, .. }: Sizes, a: &[f64], b: &[f64], c: &[f32]) -> anyhow::Result<usize> {
    let step = (c.len() >> 16).max(1);
    let expected = |i: usize| {
        let (row, col) = (i / cols, i % cols);
        let product = |k: usize| a[row * inner + k] * b[k * cols + col];
        let (sum, magnitude) =
            (0..inner).map(product).fold((0.0, 0.0), |(sum, all), p| (sum + p, all + f64::abs(p)));
        // Each of the sums is rounded or cut, by which it loses at most this.
        (sum, 2.0 * inner as f64 * f64::from(f32::EPSILON) * magnitude)
    };
    let some: Vec<f32> = c.iter().copied().step_by(step).collect();
    let expected = (0..c.len()).step_by(step).map(expected);
    check::close(Name::in_rows_of(cols).step_by(step), &some, expected)?;
    Ok(some.len())
}

/// Numbers from -1 to 1 that look random.
#[host_only]
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut next = noise(seed);
    let next = || (next() >> 8) as f32 / (1 << 23) as f32 - 1.0;
    std::iter::repeat_with(next).take(count).collect()
}

/// Rounded to 10 bits behind the first, halves away from zero.
#[host_only]
fn tf32(x: f32) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    let unit = 2_f64.powi(f64::from(x).abs().log2().floor() as i32 - 10);
    (f64::from(x) / unit).round() * unit
}

/// Neighbours in eights, as `f16`.
#[host_only]
fn eights(numbers: &[f32]) -> Vec<Eight> {
    numbers.as_chunks::<8>().0.iter().map(|eight| eight.map(F16::from_f32).into()).collect()
}

/// Neighbours in fours.
#[host_only]
fn fours(numbers: &[f32]) -> Vec<Four> {
    numbers.as_chunks::<4>().0.iter().map(|&four| four.into()).collect()
}
