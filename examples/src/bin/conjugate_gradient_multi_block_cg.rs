//! `conjugateGradientMultiBlockCG` of the CUDA samples: conjugate gradients for a symmetric matrix of a few elements in each row, in a
//! single launch.
//!
//! The kernel is one of the whole grid: a phase sees what all threads wrote in the one before, and so the iteration's loop is the
//! kernel's.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright::random::Philox,
    gridwright_examples::{Sample, Timing, check, up_to},
    std::iter::repeat_n,
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// An element of the matrix that isn't zero.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Element {
    col: u32,
    value: f32,
}

/// An element of the matrix's product with a vector. Row *i*'s elements are those from `starts[i]` on.
#[inline(always)]
fn product(starts: &[u32], elements: &[Element], vector: &[f32], row: usize) -> f32 {
    let mut sum = 0.0_f32;
    for at in starts[row]..starts[row + 1] {
        let Element { col, value } = elements[at as usize];
        sum = value.mul_add(vector[col as usize], sum);
    }
    sum
}

/// Solves for ones on the right: `x` begins as zeros, `residual` and `direction` as ones. In the end `outcome` is the number of turns
/// and the residual's length.
#[gpu_kernel(
    block = BLOCK,
    requires = starts.len() == x.len() + 1 && residual.len() == x.len() && direction.len() == x.len()
        && image.len() == x.len() && outcome.len() == 2
)]
pub(crate) fn solve(
    grid: &Grid,
    tolerance: f64,
    most: u32,
    starts: &[u32],
    elements: &[Element],
    mut x: GridMemory<[f32]>,
    mut residual: GridMemory<[f32]>,
    mut direction: GridMemory<[f32]>,
    mut image: GridMemory<[f32]>,
    mut outcome: GridMemory<[f64]>,
) {
    let mut turns = 0;
    let mut squares = residual.len() as f64;
    while squares > tolerance * tolerance && turns < most {
        let mut dot = grid.private(0.0_f64);
        grid.each((image.grid_stride_mut(), direction.shared(), &mut dot), |_, (image, direction, dot)| {
            image.for_each(|i, image| {
                *image = product(starts, elements, direction, i);
                *dot += f64::from(*image * direction[i]);
            });
        });
        let step = (squares / grid.reduce(&dot, |a, b| a + b)) as f32;
        let mut dot = grid.private(0.0_f64);
        grid.each(
            (x.grid_stride_mut(), residual.grid_stride_mut(), direction.shared(), image.shared(), &mut dot),
            |_, (x, residual, direction, image, dot)| {
                x.for_each(|i, x| *x = step.mul_add(direction[i], *x));
                residual.for_each(|i, residual| {
                    *residual = step.mul_add(-image[i], *residual);
                    *dot += f64::from(*residual * *residual);
                });
            },
        );
        let before = squares;
        squares = grid.reduce(&dot, |a, b| a + b);
        let share = (squares / before) as f32;
        grid.each((direction.grid_stride_mut(), residual.shared()), |_, (direction, residual)| {
            direction.for_each(|i, direction| *direction = share.mul_add(*direction, residual[i]));
        });
        turns += 1;
    }
    grid.set(&mut outcome, 0, turns.into());
    grid.set(&mut outcome, 1, squares.sqrt());
}

/// Solves a system of equations and checks each.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of equations.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 24 }>)]
    len: usize,
    /// The most workgroups. There are never more than the device runs at the same time.
    #[arg(long, default_value_t = 1024, value_parser = up_to::<65_535>)]
    groups: usize,
}

/// A random symmetric matrix: elements between 10 and 11, and beside them some between 0 and 1.
#[host_only]
fn tridiagonal(len: usize) -> (Vec<u32>, Vec<Element>) {
    let mut rng = Philox::new(7, 0);
    let (mut starts, mut elements) = (vec![0], Vec::with_capacity(3 * len));
    let mut before = 0.0;
    for row in 0..len as u32 {
        let after = rng.next_f32();
        let of_row = [(row.wrapping_sub(1), before), (row, 10.0 + rng.next_f32()), (row + 1, after)];
        let inside = of_row.into_iter().filter(|&(col, _)| (col as usize) < len);
        elements.extend(inside.map(|(col, value)| Element { col, value }));
        starts.push(elements.len() as u32);
        before = after;
    }
    (starts, elements)
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, groups }, device, stream, report } = Sample::begin("residual")?;
    let (tolerance, most) = (1e-5, 1000);
    let (starts, elements) = tridiagonal(len);
    let kernel = solve::load(&device)?;
    let groups = groups.min(kernel.occupancy(BLOCK)?.groups()).min(len.div_ceil(BLOCK));
    let matrix = (stream.upload(&starts)?, stream.upload(&elements)?);
    let (mut x, mut residual) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let (mut direction, mut image) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let mut outcome = stream.alloc_zeroed(2)?;
    let timing = Timing::of(&stream, || {
        stream.fill(&mut x, 0.0)?;
        stream.fill(&mut residual, 1.0)?;
        stream.fill(&mut direction, 1.0)?;
        let (starts, elements) = (&matrix.0, &matrix.1);
        let (x, residual, direction, image) = (&mut x, &mut residual, &mut direction, &mut image);
        let arguments = (tolerance, most, starts, elements, x, residual, direction, image, &mut outcome);
        kernel.launch(&stream, LaunchConfig::grid(groups, BLOCK), arguments)
    })?;

    let (x, outcome) = (stream.download(&x)?, stream.download(&outcome)?);
    let (turns, length, rate) = (outcome[0], outcome[1], timing.rate("equations", len));
    report.row("solve", format_args!("{len} equations, {groups} groups, {turns} turns, {timing}, {rate}"))?;
    report.row("residual", format_args!("{length:.1e}, as the kernel sees it"))?;
    ensure!(length <= tolerance, "after {turns} turns the residual is {length}");
    // What is rounded in a turn: an element of `x`, at most 1/8 as diagonals are 8 above the rest of their rows, which a row, at most 13 in
    // all, multiplies; one of the residual, at most about 1; and three sums of the product that it is made of. Less than eight halves.
    let bound = tolerance + 4.0 * (turns + 1.0) * f64::from(f32::EPSILON);
    let sides = starts.array_windows().map(|&[start, end]| {
        let of_row = &elements[start as usize..end as usize];
        of_row.iter().map(|e| f64::from(e.value) * f64::from(x[e.col as usize])).sum()
    });
    let largest = check::close("equation", &sides.collect::<Vec<f64>>(), repeat_n((1.0, bound), len))?;
    report.row("checked", format_args!("every equation, off by at most {largest:.1e}"))
}
