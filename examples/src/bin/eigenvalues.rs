//! `eigenvalues` of the CUDA samples: those of a symmetric matrix that has elements on its diagonal and beside it only, by bisection.
//!
//! How many eigenvalues are below a number is how many pivots of the matrix less that number are negative: Sturm's count. The sample
//! splits intervals with several eigenvalues and gives threads to those that come of it. Here each thread halves the interval of its own
//! eigenvalue from the start: a few more counts, and no bookkeeping. The loop over the matrix is the group's, so that all threads read
//! the same element at the same time, and a CPU makes vectors of them.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright::random::Philox,
    gridwright_examples::{Sample, Timing, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 64;

/// The next pivot of a matrix less `x`. One of zero counts as negative, and is kept from making the next one infinite.
macro_rules! pivot {
    ($element:expr, $x:expr, $square:expr, $before:expr, $least:expr) => {{
        let pivot = $element - $x - $square / $before;
        if pivot.abs() < $least { -$least } else { pivot }
    }};
}

/// All eigenvalues in order: thread *i*'s is in the interval at whose left end no more than *i* are below, and at whose right end more.
/// `beside` are the squares of the elements beside the diagonal: each that of the element before, the first is zero.
#[gpu_kernel(block = BLOCK, requires = beside.len() == diagonal.len() && eigenvalues.len() == diagonal.len())]
pub(crate) fn bisect(
    g: &Group,
    ends: [f32; 2],
    precision: f32,
    diagonal: &[f32],
    beside: &[f32],
    mut eigenvalues: PerThread<[f32]>,
) {
    let mut interval = g.private(ends);
    loop {
        let middle = g.map(&interval, |_, [left, right]| 0.5 * (left + right));
        let wide = g.map((&interval, &middle), |_, ([left, right], middle)| {
            right - left > precision && left < middle && middle < right
        });
        if !g.any(&wide) {
            break;
        }
        let (mut last, mut below) = (g.private(1.0_f32), g.private(0_u32));
        for (&element, &square) in diagonal.iter().zip(beside) {
            g.each((&middle, &mut last, &mut below), |_, (middle, last, below)| {
                *last = pivot!(element, *middle, square, *last, f32::MIN_POSITIVE);
                *below += u32::from(*last < 0.0);
            });
        }
        g.each((&middle, &below, &mut interval), |t, (middle, below, [left, right])| {
            *(if *below as usize > t.index() { right } else { left }) = *middle;
        });
    }
    g.each((&interval, eigenvalues.elements_mut()), |_, ([left, right], eigenvalue)| {
        if let Some(eigenvalue) = eigenvalue {
            *eigenvalue = 0.5 * (left + right);
        }
    });
}

/// Finds a matrix's eigenvalues and checks each by counts in double precision.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The rows of the matrix.
    #[arg(long, default_value_t = 2048, value_parser = up_to::<{ 1 << 16 }>)]
    rows: usize,
    /// How long the intervals are in the end.
    #[arg(long, default_value_t = 1e-5)]
    precision: f32,
}

/// How many eigenvalues are below a number.
#[host_only]
fn count(diagonal: &[f32], beside: &[f32], x: f64) -> usize {
    let mut last = 1.0;
    let pivots = diagonal.iter().zip(beside).map(|(&element, &beside)| {
        last = pivot!(f64::from(element), x, f64::from(beside).powi(2), last, f64::MIN_POSITIVE);
        last
    });
    pivots.filter(|&pivot| pivot < 0.0).count()
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { rows, precision }, device, stream, report } =
        Sample::begin("eigenvalues")?;
    let mut rng = Philox::new(5, 0);
    let diagonal: Vec<f32> = (0..rows).map(|_| rng.next_f32()).collect();
    let beside: Vec<f32> = (0..rows).map(|row| if row == 0 { 0.0 } else { rng.next_f32() }).collect();
    // S. Gershgorin's bounds: no eigenvalue is farther from all elements of the diagonal than what is beside them.
    let (mut left, mut right) = (f32::MAX, f32::MIN);
    for (row, element) in diagonal.iter().enumerate() {
        let around = beside[row] + beside.get(row + 1).unwrap_or(&0.0);
        (left, right) = (left.min(element - around), right.max(element + around));
    }
    let ends = [left - precision, right + precision];

    let squares: Vec<f32> = beside.iter().map(|x| x * x).collect();
    let (matrix, squares) = (stream.upload(&diagonal)?, stream.upload(&squares)?);
    let mut eigenvalues = stream.alloc_zeroed(rows)?;
    let kernel = bisect::load(&device)?;
    let timing = Timing::of(&stream, || {
        let arguments = (ends, precision, &matrix, &squares, &mut eigenvalues);
        kernel.launch(&stream, LaunchConfig::threads(rows), arguments)
    })?;
    report.timed(format_args!("{rows} between {left} and {right}"), timing, "eigenvalues", rows)?;

    let eigenvalues = stream.download(&eigenvalues)?;
    // A count in single precision is that of a matrix whose elements are off by a few roundings, and its eigenvalues by no more than
    // what a row's are off together (W. Kahan, 1966): three for a pivot's own, and two for each element beside, whose square is rounded, too.
    let largest = left.abs().max(right.abs());
    let bound = f64::from(0.5 * precision + 8.0 * f32::EPSILON * largest);
    for (i, eigenvalue) in eigenvalues.into_iter().map(f64::from).enumerate() {
        let around = [eigenvalue - bound, eigenvalue + bound].map(|x| count(&diagonal, &beside, x));
        ensure!(around[0] <= i && i < around[1], "{eigenvalue} isn't eigenvalue {i}: {around:?} are below");
    }
    report.row("checked", format_args!("each, which is off by no more than {bound:.1e}"))
}
