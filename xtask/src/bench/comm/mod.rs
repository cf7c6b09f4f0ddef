//! `cargo xtask bench --comm`: calls of several ranks on the CPU, ours and C's, by the same Open MPI.

mod record;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use super::panel;
use super::record::{Race, Record, Time, slug};
use crate::call::Call;
use crate::mpi::{MPIRUN, Mpi};
use crate::table::{self, or_empty, row};
use crate::workspace::Workspace;
use crate::{checked, mpi};
use record::{Found, mean};

/// The calls in C.
const SOURCE: &str = "comm/benches/collectives/peer.c";

/// What they are compiled with: as one would for the machine at hand.
const FLAGS: [&str; 4] = ["-O3", "-march=native", "-fPIC", "-shared"];

const BENCH: &str = "collectives";

/// Races, and keeps the record.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let bench = Call::cargo(workspace, "bench --quiet --package gridwright-comm --bench");
    let bench = race(workspace, &Mpi::find(workspace)?, bench.arguments([BENCH, "--"]))?;
    super::record::race::<Found>(workspace, bench, Vec::new())
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
    let bench = bench.variable("GRIDWRIGHT_SKIP_DEVICE", "1").variable(MPIRUN, &mpi.mpirun);
    Ok(bench.arguments(["--peer".as_ref(), peer.as_os_str()]))
}

/// Compiles the calls in C. It isn't linked with MPI: it finds the library that its process has loaded.
fn compile(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = workspace.target("races");
    fs_err::create_dir_all(&folder)?;
    let library = folder.join("mpi-peer.so");
    let compiler = Call::new(workspace, "cc").arguments(FLAGS).arguments(["-isystem"]);
    let compiler = compiler.arguments([mpi::headers(workspace)?, workspace.root.join(SOURCE)]);
    compiler.arguments(["-o".as_ref(), library.as_os_str()]).said()?;
    Ok(library)
}

impl Race for Found {
    const NAME: &'static str = "comm";

    fn is_quick(&self) -> bool {
        self.quick
    }

    fn name(record: &Record<Self>) -> String {
        format!("{}-{}", Self::NAME, slug(&record.cpu))
    }

    fn markdown(record: &Record<Self>, name: &str) -> String {
        let Record { date, compiler, device, cpu, found } = record;
        let Found { cores, library, load, rows, .. } = found;
        format!(
            "# Calls of ranks, and the same in C, on {cpu}\n\n\
             {date}, {device}, {cores} cores, {library}, {compiler}; the machine's load was {load}. Measured by \
             `cargo xtask bench --comm`, without checks: ours and C's in one process, on one start of MPI and on the same memory, {rounds} rounds of each, who is first alternates, \
             results are compared first. A round begins when all ranks are there, and its time is that of the rank that took longest. Times are of one call, \
             the median of the rounds and in brackets the least; of send/receive half of there and back. `all_reduce` is a sum of `f32`. GB/s are bytes of a \
             rank by the median. Ratios are C's time over ours, of the medians and in brackets of the minima: above 1, ours is faster.\n\n\
             ![Bandwidth by size]({name}.svg)\n\n\
             {tables}",
            rounds = rows.first().map_or(0, |row| row.rounds),
            tables = tables(found),
        )
    }

    /// Bandwidth by size: a panel for each call and number of ranks, two beside each other.
    fn plot(record: &Record<Self>) -> anyhow::Result<Option<String>> {
        let panels = record.found.tables().into_iter().enumerate().map(|(number, (name, rows))| {
            let line = |time: fn(&record::Row) -> Time| {
                rows.iter().map(|row| (row.bytes as f64, row.bytes as f64 / time(row).median_ns)).collect()
            };
            panel::Panel {
                name,
                place: (number % 2, number / 2),
                lines: vec![line(|row| row.ours), line(|row| row.peer)],
            }
        });
        let below = format!("{}, {}; medians; both axes are logarithmic", record.cpu, record.date);
        let title = "GB/s of a rank, by the bytes of a call: higher is faster";
        panel::svg(3, title, &below, &["Gridwright", "C"], &panels.collect::<Vec<_>>()).map(Some)
    }
}

/// The means of all calls, and a table of each.
fn tables(found: &Found) -> String {
    let mut means = table::markdown(" | geometric mean:");
    let tables = found.tables();
    for (name, rows) in &tables {
        means.add_row(row![name, or_empty(mean(rows.iter().copied()))]);
    }
    means.add_row(row!["all", or_empty(mean(&found.rows))]);
    let mut text = format!("{means}\n");
    for (name, rows) in tables {
        // A line for each size.
        let mut times = table::markdown("bytes | ours: | C: | ours, GB/s: | C, GB/s: | C/ours:");
        for row in rows {
            let rate = |time: Time| format!("{:.3}", row.bytes as f64 / time.median_ns);
            times.add_row(row![row.size(), row.ours, row.peer, rate(row.ours), rate(row.peer), row.ratio()]);
        }
        text += &format!("\n## {name}\n\n{times}\n");
    }
    text
}
