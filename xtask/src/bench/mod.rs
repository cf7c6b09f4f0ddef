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

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;

use crate::call::Call;
use crate::workspace::Workspace;
use record::Record;

const FOLDER: &str = "bench-results";

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
    if let Some(path) = options.keep {
        return keep_results(workspace, &path);
    }
    if options.stream {
        return stream::run(workspace);
    }
    if options.peers {
        return peers::run(workspace, options.rows);
    }
    if options.primitives {
        return primitives::run(workspace, options.rows, options.largest);
    }
    if options.naive {
        return naive::run(workspace, options.rows);
    }
    if options.comm {
        return comm::run(workspace);
    }
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("cpu.json");
    let kept = options.rows.is_empty();
    let mut call = Call::cargo(workspace, "bench --quiet --package gridwright-races --bench cpu --");
    if options.opencl {
        for (name, value) in open_cl::variables(workspace)? {
            call = call.variable(name, value);
        }
    }
    call.arguments(options.rows).arguments(["--json".as_ref(), json.as_os_str()]).run()?;
    if kept { keep(workspace, &Record::today(serde_json::from_slice(&fs::read(json)?)?)?) } else { Ok(()) }
}

/// Keeps what a bundle's `run.sh` wrote.
///
/// # Errors
/// Where it measured nothing: on an emulated GPU, or in a quick run.
pub(crate) fn keep_results(workspace: &Workspace, path: &Path) -> anyhow::Result<()> {
    let text = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let results = serde_json::from_slice(&text);
    let results = results.with_context(|| format!("{} isn't what run.sh writes", path.display()))?;
    keep(workspace, &Record::of(results)?)
}

fn keep(workspace: &Workspace, record: &Record) -> anyhow::Result<()> {
    keep_files(workspace, files(record)?)
}

/// Writes a record's files, which are given by their names.
fn keep_files<const N: usize>(workspace: &Workspace, files: [(String, String); N]) -> anyhow::Result<()> {
    let folder = workspace.root.join(FOLDER);
    fs::create_dir_all(&folder)?;
    for (name, text) in files {
        fs::write(folder.join(&name), text)?;
        println!("wrote {FOLDER}/{name}");
    }
    Ok(())
}

/// What is kept of a record, by the files' names.
fn files(record: &Record) -> anyhow::Result<[(String, String); 3]> {
    ensure!(!record.found.quick, "a quick run measures nothing");
    let is_emulated = record.found.gpu.as_ref().is_some_and(|gpu| gpu.is_emulated);
    ensure!(!is_emulated, "times on an emulated GPU mean nothing");
    let name = record.name();
    Ok([
        (format!("{name}.json"), serde_json::to_string_pretty(record)? + "\n"),
        (format!("{name}.md"), markdown::of(record, &name)),
        (format!("{name}.svg"), plot::of(record).context("can't draw the plot")?),
    ])
}
