//! The HIP backend on an emulated runtime, with waves of 32 and of 64 threads: its tests, and every example.

use std::path::PathBuf;

use anyhow::Context;

use crate::call::Call;
use crate::test::{device, examples};
use crate::workspace::Workspace;

const PACKAGE: &str = "gridwright-hip-runtime";

/// Programs ask for either.
const NAMES: [&str; 2] = ["libamdhip64.so", "libamdhip64.so.7"];

/// One for each size of waves.
const ARCHITECTURES: [&str; 2] = ["gfx1100", "gfx942"];

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the emulated runtime is built for Linux");
        return Ok(());
    }
    let Some(python) = device::amd_emulator(workspace)? else { return Ok(()) };
    Call::cargo(workspace, "test --release --package")
        .arguments([PACKAGE])
        .variable(device::PYTHON, python.clone())
        .run()?;
    device::or_skip(workspace, || {
        let folder = lay_out(workspace)?;
        for architecture in ARCHITECTURES {
            let variables = [
                ("LD_LIBRARY_PATH", examples::library_path(&folder)?),
                ("GRIDWRIGHT_EMULATOR_ARCHITECTURE", architecture.to_owned()),
                (device::PYTHON, python.clone()),
            ];
            let mut call = Call::cargo(workspace, "test --release --package gridwright-examples --test hip");
            call = call.variable("GRIDWRIGHT_REQUIRE_HIP", "1");
            for (name, value) in &variables {
                call = call.variable(name, value.clone());
            }
            call.run()?;
            examples::on_hip(workspace, variables.into())?;
        }
        Ok(())
    })
}

/// A folder with the library under the names of a runtime, for `LD_LIBRARY_PATH`.
fn lay_out(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let target = workspace.metadata.target_directory.as_std_path();
    let folder = target.join("hip-runtime");
    std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    // Where its tests have found it.
    let built = target.join("release/deps/libgridwright_hip_runtime.so");
    for name in NAMES {
        let copied = std::fs::copy(&built, folder.join(name));
        copied.with_context(|| format!("can't copy {} to {}", built.display(), folder.display()))?;
    }
    Ok(folder)
}
