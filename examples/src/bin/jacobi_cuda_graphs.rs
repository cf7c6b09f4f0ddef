//! `jacobiCudaGraphs` of the CUDA samples: Jacobi's iteration for a system of linear equations, each step of which is a graph, until the
//! steps are small. The old and the new solution change places between steps: by an update of the graph's nodes, by a new graph for
//! each step, and, for comparison, without graphs.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::{Context, ensure},
    clap::{Parser, ValueEnum},
    gridwright_examples::{Sample, check, up_to},
    std::iter::repeat_n,
    std::time::Instant,
};

/// Threads in a workgroup.
const BLOCK: usize = 128;

/// Each group improves one unknown, by its row of the matrix, and says by how much.
#[gpu_kernel(block = BLOCK, requires = matrix.rows() == old.len() && matrix.cols() == old.len() && right.len() == old.len() && new.len() == old.len() && changes.len() == old.len())]
pub(crate) fn step(
    g: &Group,
    matrix: &Matrix<f32>,
    right: &[f64],
    old: &[f64],
    mut new: PerGroup<[f64]>,
    mut changes: PerGroup<[f64]>,
) {
    let row = matrix.row(g.index());
    let mut product = g.private(0.0_f64);
    for first in (0..old.len()).step_by(BLOCK) {
        g.each(
            (&mut product, row.elements_from(first), old.elements_from(first)),
            |_, (product, factor, old)| {
                if let (Some(&factor), Some(&old)) = (factor, old) {
                    *product += f64::from(factor) * old;
                }
            },
        );
    }
    let rest = right[g.index()] - g.reduce(&product, |a, b| a + b);
    let change = rest / f64::from(row[g.index()]);
    new.set(g, old[g.index()] + change);
    changes.set(g, change.abs());
}

/// A group sums up all.
#[gpu_kernel(block = BLOCK)]
pub(crate) fn sum(g: &Group, x: &[f64], mut sum: PerGroup<[f64]>) {
    let mut mine = g.private(0.0_f64);
    for first in (0..x.len()).step_by(BLOCK) {
        g.each((&mut mine, x.elements_from(first)), |_, (mine, x)| *mine += x.copied().unwrap_or(0.0));
    }
    sum.set(g, g.reduce(&mine, |a, b| a + b));
}

/// How the steps are submitted.
#[host_only]
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Way {
    Updated,
    Captured,
    Streamed,
}

/// Solves a system of equations in several ways and checks each unknown.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of unknowns.
    #[arg(long, default_value_t = 256, value_parser = up_to::<4096>)]
    len: usize,
    /// At which sum of all unknowns' changes the steps end.
    #[arg(long, default_value_t = 1e-2)]
    least: f64,
    /// The ways, all by default.
    #[arg(long, value_enum)]
    way: Vec<Way>,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, least, way }, device, stream, report } = Sample::begin("captured")?;
    ensure!(least >= 1e-6, "the steps don't get smaller than 1e-6 by far");
    // n + 1 on the diagonal and 1 elsewhere: all unknowns are 1.
    let elements: Vec<f32> =
        (0..len * len).map(|i| if i % (len + 1) == 0 { len as f32 + 1.0 } else { 1.0 }).collect();
    let matrix = stream.upload_matrix(len, len, &elements)?;
    let right = stream.upload(&vec![2.0 * len as f64; len])?;
    let (mut old, mut new) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let (mut changes, mut total) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(1)?);
    let (step, sum) = (step::load(&device)?, sum::load(&device)?);
    let (groups, one) = (LaunchConfig::grid(len, BLOCK), LaunchConfig::grid(1, BLOCK));

    // Each step multiplies what an unknown lacks by this, and so its change, which is 2n / (n + 1) at first.
    let factor = -(len as f64 - 1.0) / (len as f64 + 1.0);
    let first = 2.0 * (len * len) as f64 / (len as f64 + 1.0);
    let enough = 3 + ((least / first).ln() / factor.abs().ln()).max(0.0) as usize;
    let launch =
        |stream: &Stream, old: &Buffer<f64>, new: &mut _, changes: &mut Buffer<f64>, total: &mut _| {
            step.launch(stream, groups, (&matrix, &right, old, new, &mut *changes))?;
            sum.launch(stream, one, (&*changes, total))
        };
    for way in if way.is_empty() { Way::value_variants() } else { way.as_slice() } {
        stream.fill(&mut old, 0.0)?;
        let mut graph = stream.capture(|stream| launch(stream, &old, &mut new, &mut changes, &mut total))?;
        let node = *graph.nodes(&step).first().context("the graph has a step")?;
        let (mut steps, begin) = (0, Instant::now());
        let change = loop {
            match way {
                Way::Updated => {
                    graph.update(node, groups, (&matrix, &right, &old, &mut new, &mut changes))?;
                    graph.launch(&stream)?;
                }
                Way::Captured => stream
                    .capture(|stream| launch(stream, &old, &mut new, &mut changes, &mut total))?
                    .launch(&stream)?,
                Way::Streamed => launch(&stream, &old, &mut new, &mut changes, &mut total)?,
            }
            std::mem::swap(&mut old, &mut new);
            steps += 1;
            let change: f64 = stream.download(&total)?[0];
            if change <= least {
                break change;
            }
            ensure!(steps < enough, "after {steps} steps the unknowns still change by {change}");
        };
        let time = begin.elapsed() / u32::try_from(steps)?;
        let name = format!("{way:?}").to_lowercase();
        let end = format_args!("{steps} steps, the last of {change:.2e}, {time:.1?} a step");
        report.row(&name, format_args!("{len} unknowns, {end}"))?;
        let expected = 1.0 - factor.powi(i32::try_from(steps)?);
        // A step rounds sums of up to 2n, and divides them by n; what was rounded before grows no more.
        let bound = (4 * len * steps) as f64 * f64::EPSILON;
        check::close("unknown", &stream.download(&old)?, repeat_n((expected, bound), len))?;
    }
    report.row("checked", "every unknown, against what theory says of so many steps")
}
