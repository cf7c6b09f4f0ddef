//! The HIP backend on an emulated runtime: its tests and every example, on GPUs with waves of 32 and of 64 threads.

use std::path::Path;

use crate::call::Call;
use crate::test::library::Library;
use crate::test::{device, examples};
use crate::workspace::Workspace;

/// Programs ask for either name.
pub(super) const LIBRARY: Library = Library {
    package: "gridwright-hip-runtime",
    file: "libgridwright_hip_runtime.so",
    folder: "emulated-hip-runtime",
    names: &["libamdhip64.so", "libamdhip64.so.7"],
};

/// What is emulated: with waves of 32 threads, and of 64.
pub(super) const ARCHITECTURES: [&str; 2] = ["gfx1100", "gfx942"];

/// The variable that says which of them it is.
const ARCHITECTURE: &str = "GRIDWRIGHT_EMULATOR_ARCHITECTURE";

/// The variable with the folder for what the emulator compiles.
const CACHE: &str = "GRIDWRIGHT_EMULATOR_CACHE";

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the emulated runtime is built for Linux");
        return Ok(());
    }
    let Some(python) = device::amd_python(workspace)? else { return Ok(()) };
    let test = Call::cargo(workspace, "test --release --package").arguments([LIBRARY.package]);
    test.variable(device::PYTHON, &python).run()?;
    device::or_skip(workspace, || {
        let folder = LIBRARY.lay_out(workspace)?;
        Call::cargo(workspace, "build --release --package gridwright-examples --bins --test hip").run()?;
        // Side by side: an emulator has one thread, and what drives it waits.
        std::thread::scope(|scope| {
            let runs = ARCHITECTURES.map(|architecture| {
                let (folder, python) = (&folder, &python);
                scope.spawn(move || on(workspace, variables(workspace, folder, python, architecture)?))
            });
            runs.into_iter().try_for_each(|run| match run.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    })
}

/// The tests and the examples on one device.
fn on(workspace: &Workspace, variables: Vec<(&'static str, String)>) -> anyhow::Result<()> {
    let test = Call::cargo(workspace, "test --release --package gridwright-examples --test hip");
    let test = test.variable("GRIDWRIGHT_REQUIRE_HIP", "1");
    variables.iter().fold(test, |test, (name, value)| test.variable(name, value.clone())).run()?;
    examples::on_hip(workspace, variables)
}

/// How a program finds the runtime with a device of an architecture.
pub(super) fn variables(
    workspace: &Workspace,
    folder: &Path,
    python: &str,
    architecture: &str,
) -> anyhow::Result<Vec<(&'static str, String)>> {
    // Where cargo has tests leave things, so that what those of code objects had compiled is found.
    let cache = workspace.metadata.target_directory.join("tmp").join("amd_emulator");
    Ok(vec![
        ("LD_LIBRARY_PATH", examples::library_path(folder)?),
        (device::PYTHON, python.to_owned()),
        (ARCHITECTURE, architecture.to_owned()),
        (CACHE, cache.into_string()),
    ])
}
