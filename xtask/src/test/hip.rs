//! The HIP backend on an emulated runtime: its tests and examples, on GPUs with waves of 32 and of 64 threads.

use std::path::Path;

use crate::call::{Call, Variables, library_path};
use crate::test::library::Library;
use crate::test::{conformance, device, examples, numbers};
use crate::workspace::Workspace;
use crate::{checked, threads};

/// The library of the emulated runtime. Programs ask for either name.
pub(crate) const LIBRARY: Library = Library {
    file: "libgridwright_emulated_hip.so",
    folder: "emulated-hip",
    names: &["libamdhip64.so", "libamdhip64.so.7"],
};

/// Architectures that are emulated: with waves of 32 threads, and of 64.
pub(crate) const ARCHITECTURES: [&str; 2] = ["gfx1100", "gfx942"];

/// The variable that says which architecture is emulated.
const ARCHITECTURE: &str = "GRIDWRIGHT_EMULATOR_ARCHITECTURE";

/// The variable with the folder for what the emulator compiles.
const CACHE: &str = "GRIDWRIGHT_EMULATOR_CACHE";

/// The variable with the seconds that a kernel may take.
const PATIENCE: &str = "GRIDWRIGHT_EMULATOR_PATIENCE_S";

/// An emulated AMD GPU, and how a program finds it.
pub(super) struct Gpu<'w> {
    workspace: &'w Workspace,
    pub(super) architecture: &'static str,
    variables: Variables,
}

impl Gpu<'_> {
    /// Tests of some targets on the GPU.
    pub(super) fn test(&self, targets: &[&str]) -> Call {
        let test = checked::test(self.workspace, targets).variables(&self.variables);
        test.variable("GRIDWRIGHT_DEVICE", "hip:0")
    }

    /// Runs programs with the backend's tests.
    fn backend(&self, targets: &[&str]) -> anyhow::Result<()> {
        for target in targets {
            let test = checked::test(self.workspace, &[target]).variables(&self.variables);
            test.variable("GRIDWRIGHT_REQUIRE_HIP", "1").run_quietly()?;
        }
        println!("the backend's tests: {} on {}", targets.join(", "), self.architecture);
        Ok(())
    }

    fn examples(&self, chosen: Option<&'static [&'static str]>) -> anyhow::Result<()> {
        examples::on_hip(self.workspace, self.architecture, &self.variables, chosen)
    }
}

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the emulated runtime is built for Linux");
        return Ok(());
    }
    if let Some(python) = device::amd_python(workspace)? {
        let test = checked::test(workspace, &["runtime"]).variable(device::PYTHON, python);
        test.passes("the runtime's tests")?;
    }
    on_each(workspace, tests)
}

pub(super) fn all_examples(workspace: &Workspace) -> anyhow::Result<()> {
    on_each(workspace, |gpu| gpu.examples(None))
}

/// The backend's tests and what a device must do, all of it on each architecture.
pub(super) fn all_conformance(workspace: &Workspace) -> anyhow::Result<()> {
    on_each(workspace, |gpu| {
        gpu.backend(&["hip", "on_host", "with_driver"])?;
        conformance::few_primitives_on_hip(gpu)?;
        conformance::on_hip(gpu, &[])
    })
}

/// Operators and methods of numbers, on as many inputs as on other devices.
pub(super) fn all_numbers(workspace: &Workspace) -> anyhow::Result<()> {
    on_each(workspace, |gpu| numbers::on_hip(gpu, numbers::AS_ELSEWHERE))
}

/// Does something on each architecture, side by side: an emulator has one thread, and what drives it waits.
fn on_each(workspace: &Workspace, run: impl Fn(&Gpu<'_>) -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
    let Some(python) = device::amd_python(workspace)? else { return Ok(()) };
    device::or_skip(workspace, || {
        let folder = LIBRARY.lay_out(workspace)?;
        let gpus = ARCHITECTURES.map(|architecture| {
            let variables = variables(workspace, &folder, &python, architecture)?;
            anyhow::Ok(Gpu { workspace, architecture, variables })
        });
        let gpus = gpus.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
        threads::each(gpus.len(), &gpus, run).map(drop)
    })
}

/// The tests and a few examples on one device, so that both take about as long. `hip-conformance` and `hip-numbers` do all on each.
fn tests(gpu: &Gpu<'_>) -> anyhow::Result<()> {
    if gpu.architecture == ARCHITECTURES[0] {
        gpu.backend(&["on_host", "with_driver"])?;
        conformance::on_hip(gpu, &["--skip", "groups::"])?;
        // Operators of numbers know no waves: one architecture has them.
        numbers::compilers_on_hip(gpu)?;
        numbers::on_hip(gpu, numbers::FEW)?;
        gpu.examples(Some(examples::ON_WAVES_OF_32))
    } else {
        gpu.backend(&["hip"])?;
        conformance::on_hip(gpu, &OF_GROUPS)?;
        conformance::few_primitives_on_hip(gpu)?;
        gpu.examples(Some(examples::ON_WAVES_OF_64))
    }
}

/// Of the conformance tests what groups do in ways of their own on waves of 64: the rest is phases, which know no waves.
const OF_GROUPS: [&str; 8] = [
    "groups::atomics::",
    "groups::collectives::",
    "groups::float_atomics::",
    "groups::memory::",
    "groups::parts::",
    "groups::phases::",
    "groups::warp_rows::",
    "warps::",
];

/// How a program finds the runtime with a device of an architecture.
pub(crate) fn variables(
    workspace: &Workspace,
    folder: &Path,
    python: &Path,
    architecture: &str,
) -> anyhow::Result<Variables> {
    // Where cargo has tests leave things, so that what those of code objects had compiled is found.
    let cache = workspace.target("tmp").join("amd_emulator");
    Ok(vec![
        ("LD_LIBRARY_PATH", library_path(&[folder])?),
        (device::PYTHON, python.into()),
        (ARCHITECTURE, architecture.into()),
        (CACHE, cache.into()),
        // Whatever the machine's pace: it is for kernels that never end.
        (PATIENCE, "3600".into()),
    ])
}
