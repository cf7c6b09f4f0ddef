//! Programs of several ranks: the tests of `comm`, started by `mpirun`.

use crate::call::library_path;
use crate::mpi::{MPIRUN, Mpi};
use crate::test::library::Library;
use crate::test::{cuda, device};
use crate::workspace::Workspace;
use crate::{bench, checked};

/// Targets of tests that start ranks.
pub(super) const TARGETS: [&str; 1] = ["ranks"];

/// The library that stands in for NCCL, for the emulated driver's devices.
const NCCL: Library =
    Library { file: "libgridwright_emulated_nccl.so", folder: "emulated-nccl", names: &["libnccl.so.2"] };

/// The variable with the devices that ranks are tried on, beside the CPU.
const DEVICES: &str = "GRIDWRIGHT_TEST_COMM_DEVICES";

/// The variable under which a test that can't start ranks fails.
const REQUIRED: &str = "GRIDWRIGHT_REQUIRE_MPI";

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let Some(mpi) = device::found(Mpi::find(workspace))? else { return Ok(()) };
    println!("{}, {}", mpi.mpirun, mpi.origin);
    // One after another: ranks wait for each other, and several programs of them would be more than the cores can run.
    let test = checked::test(workspace, &TARGETS).arguments(["--", "--test-threads=1"]);
    let test = test.variable(MPIRUN, mpi.mpirun).variable(REQUIRED, "1");
    if !cfg!(target_os = "linux") {
        return test.run_quietly();
    }
    let (nccl, driver) = (NCCL.lay_out(workspace)?, cuda::LIBRARY.lay_out(workspace)?);
    let test = test.variable(DEVICES, "emulator,cuda");
    test.variable("LD_LIBRARY_PATH", library_path(&[&nccl, &driver])?).run_quietly()
}

/// One round of the bench of ranks.
pub(super) fn bench(workspace: &Workspace) -> anyhow::Result<()> {
    let Some(mpi) = device::found(Mpi::find(workspace))? else { return Ok(()) };
    bench::comm::smoke(workspace, &mpi)?;
    println!("collectives");
    Ok(())
}
