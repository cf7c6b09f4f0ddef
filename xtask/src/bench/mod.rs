//! `cargo xtask bench`: runs the races, and keeps what they found as JSON, Markdown and a plot. Also what a bundle's were on
//! a GPU.

pub(crate) mod comm;
mod drawing;
mod markdown;
mod naive;
mod open_cl;
mod panel;
mod peers;
mod plot;
mod primitives;
mod ratio;
mod record;
mod stream;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::call::Call;
use crate::workspace::Workspace;
use record::{Found, Race, Record, race, slug};

#[derive(Args)]
pub(crate) struct Options {
    /// Races only the rows whose names contain one of these. Then nothing is kept: a record is whole.
    rows: Vec<String>,
    /// Measures nothing, and keeps what a bundle's run.sh did on a GPU machine: its results.json.
    #[arg(long, value_name = "PATH", conflicts_with = "rows")]
    keep: Option<PathBuf>,
    /// Runs BabelStream instead, against its loops in C with OpenMP, and keeps that.
    #[arg(long, conflicts_with_all = ["rows", "keep"])]
    stream: bool,
    /// Races against all that others would take on a CPU instead, in one run, and keeps that: rayon, C with OpenMP, and, from Python's package
    /// index, Intel's OpenCL and PoCL, 900 MB, Numba, 260 MB, Warp, 450 MB, and Taichi, 280 MB. What can't be had is left out.
    #[arg(long, conflicts_with_all = ["keep", "stream", "opencl"])]
    peers: bool,
    /// Races the primitives instead, against the standard library, rayon, crates of radix sorts, Thrust and C++17's parallel algorithms,
    /// and keeps that. With algorithms or types, as in `sort u32`, it races those only.
    #[arg(long, conflicts_with_all = ["keep", "stream", "opencl", "peers"])]
    primitives: bool,
    /// Races calls of several ranks instead, against the same calls in C with Open MPI, and keeps that.
    #[arg(long, conflicts_with_all = ["rows", "keep", "stream", "opencl", "peers", "primitives"])]
    comm: bool,
    /// Races kernels as one writes them the first time instead, against the loops that one would write with rayon, and keeps that.
    #[arg(long, conflicts_with_all = ["keep", "stream", "opencl", "peers", "primitives", "comm"])]
    naive: bool,
    /// Elements of the primitives' largest arrays: a power of ten. 100000000 takes more than 24 GB.
    #[arg(long, value_name = "ELEMENTS", default_value_t = 10_000_000, requires = "primitives")]
    largest: usize,
    /// Races against OpenCL too, where a race has such a peer: gets Intel's runtime for CPUs and PoCL, 900 MB, from Python's package
    /// index. Without it whatever the loader finds is raced against.
    #[arg(long, conflicts_with = "keep")]
    opencl: bool,
}

pub(crate) fn run(workspace: &Workspace, options: Options) -> anyhow::Result<()> {
    match options {
        Options { keep: Some(path), .. } => keep_results(workspace, &path),
        Options { stream: true, .. } => stream::run(workspace),
        Options { peers: true, rows, .. } => peers::run(workspace, rows),
        Options { primitives: true, rows, largest, .. } => primitives::run(workspace, rows, largest),
        Options { naive: true, rows, .. } => naive::run(workspace, rows),
        Options { comm: true, .. } => comm::run(workspace),
        Options { rows, opencl, .. } => {
            let bench = Call::cargo(workspace, "bench --quiet --package gridwright-races --bench cpu --");
            let variables = if opencl { open_cl::variables(workspace)? } else { Vec::new() };
            race::<Found>(workspace, bench.variables(&variables), rows)
        }
    }
}

/// Keeps what a bundle's `run.sh` wrote.
///
/// # Errors
/// Where it measured nothing: on an emulated GPU, or in a quick run.
pub(crate) fn keep_results(workspace: &Workspace, path: &Path) -> anyhow::Result<()> {
    let results = serde_json::from_slice(&fs_err::read(path)?).map_err(anyhow::Error::from);
    let record = results.and_then(Record::of_results);
    record.with_context(|| format!("{} isn't what run.sh writes", path.display()))?.keep(workspace)
}

impl Race for Found {
    const NAME: &'static str = "cpu";

    fn is_quick(&self) -> bool {
        self.quick
    }

    fn is_emulated(&self) -> bool {
        self.gpu.as_ref().is_some_and(|gpu| gpu.is_emulated)
    }

    fn name(record: &Record) -> String {
        match &record.found.gpu {
            None => format!("{}-{}", Self::NAME, slug(&record.cpu)),
            Some(gpu) => format!("gpu-{}", slug(&gpu.name)),
        }
    }

    fn markdown(record: &Record, name: &str) -> String {
        markdown::of(record, name)
    }

    fn plot(record: &Record) -> anyhow::Result<Option<String>> {
        plot::of(&record.machine(), &record.date, &record.found.rows).map(Some)
    }
}
