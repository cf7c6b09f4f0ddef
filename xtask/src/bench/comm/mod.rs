//! `cargo xtask bench --comm`: calls of several ranks on the CPU, ours and C's, by the same Open MPI.

mod markdown;
mod plot;
mod record;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

use super::keep_files;
use super::record::slug;
use crate::call::Call;
use crate::mpi::{MPIRUN, Mpi};
use crate::workspace::Workspace;
use crate::{checked, mpi};
use record::Record;

/// The calls in C.
const SOURCE: &str = "comm/benches/collectives/peer.c";

/// What they are compiled with: as one would for the machine at hand.
const FLAGS: [&str; 4] = ["-O3", "-march=native", "-fPIC", "-shared"];

const BENCH: &str = "collectives";

/// Races, and keeps the record.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("comm.json");
    let bench =
        Call::cargo(workspace, "bench --quiet --package gridwright-comm --bench").arguments([BENCH, "--"]);
    race(workspace, &Mpi::find(workspace)?, bench)?.arguments(["--json".as_ref(), json.as_os_str()]).run()?;
    keep_files(workspace, files(&Record::today(serde_json::from_slice(&fs::read(json)?)?)?)?)
}

/// One round, which shows that ours and C's agree.
pub(crate) fn smoke(workspace: &Workspace, mpi: &Mpi) -> anyhow::Result<()> {
    let bench = checked::cargo(workspace, "bench").arguments(["--bench", BENCH, "--", "--quick"]);
    race(workspace, mpi, bench)?.run_quietly()
}

/// The bench, with the library in C.
fn race(workspace: &Workspace, mpi: &Mpi, bench: Call) -> anyhow::Result<Call> {
    let peer = compile(workspace)?;
    // There is no kernel in it.
    let bench = bench.variable("GRIDWRIGHT_SKIP_DEVICE", "1").variable(MPIRUN, &*mpi.mpirun);
    Ok(bench.arguments(["--peer".as_ref(), peer.as_os_str()]))
}

/// Compiles the calls in C. It isn't linked with MPI: it finds the library that its process has loaded.
fn compile(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = workspace.metadata.target_directory.join("races").into_std_path_buf();
    fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let library = folder.join("mpi-peer.so");
    let mut compiler = Command::new("cc");
    compiler.args(FLAGS).arg("-isystem").arg(mpi::headers(workspace)?);
    compiler.arg(workspace.root.join(SOURCE)).arg("-o").arg(&library);
    let output = compiler.output().context("can't start cc, a C compiler")?;
    ensure!(output.status.success(), "cc: {}", String::from_utf8_lossy(&output.stderr));
    Ok(library)
}

/// What is kept of a record, by the files' names.
fn files(record: &Record) -> anyhow::Result<[(String, String); 3]> {
    ensure!(!record.found.quick, "a quick run measures nothing");
    let name = format!("comm-{}", slug(&record.found.cpu));
    Ok([
        (format!("{name}.json"), serde_json::to_string_pretty(record)? + "\n"),
        (format!("{name}.md"), markdown::of(record, &name)),
        (format!("{name}.svg"), plot::of(record).context("can't draw the plot")?),
    ])
}
