//! Programs of several ranks: the tests of `comm`, started by `mpirun`.

use crate::mpi::{MPIRUN, Mpi};
use crate::test::device;
use crate::workspace::Workspace;
use crate::{bench, checked};

/// Targets of tests that start ranks.
pub(super) const TARGETS: [&str; 1] = ["ranks"];

/// The variable under which a test that can't start ranks fails.
const REQUIRED: &str = "GRIDWRIGHT_REQUIRE_MPI";

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let Some(mpi) = device::found(Mpi::find(workspace))? else { return Ok(()) };
    println!("{}, {}", mpi.mpirun, mpi.origin);
    let targets = TARGETS.iter().flat_map(|&target| ["--test", target]);
    // One after another: ranks wait for each other, and several programs of them would be more than the cores can run.
    let test = checked::cargo_test(workspace).arguments(targets).arguments(["--", "--test-threads=1"]);
    test.variable(MPIRUN, mpi.mpirun).variable(REQUIRED, "1").run_quietly()
}

/// One round of the bench of ranks.
pub(super) fn bench(workspace: &Workspace) -> anyhow::Result<()> {
    let Some(mpi) = device::found(Mpi::find(workspace))? else { return Ok(()) };
    bench::comm::smoke(workspace, &mpi)?;
    println!("collectives");
    Ok(())
}
