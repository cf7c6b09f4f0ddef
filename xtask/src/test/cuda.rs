//! The CUDA backend on an emulated driver: every example, and the tests of the driver library itself.

use std::path::PathBuf;

use anyhow::Context;

use crate::call::Call;
use crate::test::{device, examples};
use crate::workspace::Workspace;

pub(super) const PACKAGE: &str = "gridwright-driver-library";

/// Programs ask for either.
const NAMES: [&str; 2] = ["libcuda.so", "libcuda.so.1"];

/// How findings of the emulator's checks end a run.
pub(super) const CHECKS: (&str, &str) = ("GRIDWRIGHT_EMULATOR_CHECKS", "error");

/// The tests that allocate, use and drop memory on several streams, which run again on a driver without memory pools.
const OF_BUFFERS: [&str; 5] = ["allocations::", "copies::", "drops::", "streams::", "stress::"];

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the driver library is built for Linux");
        return Ok(());
    }
    Call::cargo(workspace, "test --release --package").arguments([PACKAGE]).run()?;
    device::or_skip(workspace, || {
        let folder = lay_out(workspace)?;
        Call::cargo(workspace, "test --release --package gridwright-examples --test cuda --test records")
            .variable("LD_LIBRARY_PATH", examples::library_path(&folder)?)
            .variable("GRIDWRIGHT_REQUIRE_CUDA", "1")
            .run()?;
        // Where memory isn't freed in stream order the backend keeps it until its uses are done.
        Call::cargo(workspace, "test --release --package gridwright-examples --test cuda --")
            .arguments(OF_BUFFERS)
            .variable("LD_LIBRARY_PATH", examples::library_path(&folder)?)
            .variable("GRIDWRIGHT_REQUIRE_CUDA", "1")
            .variable("GRIDWRIGHT_EMULATOR_POOLS", "0")
            .run()?;
        examples::on_cuda(workspace, &folder, CHECKS)
    })
}

/// Builds the library, and lays it out as below.
pub(super) fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    Call::cargo(workspace, "build --release --package").arguments([PACKAGE]).run()?;
    lay_out(workspace)
}

/// A folder with the library under the names of a driver, for `LD_LIBRARY_PATH`.
pub(super) fn lay_out(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let target = workspace.metadata.target_directory.as_std_path();
    let folder = target.join("driver-library");
    std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    // Where its tests have found it.
    let built = target.join("release/deps/libgridwright_driver_library.so");
    for name in NAMES {
        let copied = std::fs::copy(&built, folder.join(name));
        copied.with_context(|| format!("can't copy {} to {}", built.display(), folder.display()))?;
    }
    Ok(folder)
}
