//! The HIP backend on an emulated runtime: its tests and examples, on GPUs with waves of 32 and of 64 threads.

use std::path::Path;

use crate::checked;
use crate::test::library::Library;
use crate::test::{conformance, device, examples, numbers};
use crate::workspace::Workspace;

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

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the emulated runtime is built for Linux");
        return Ok(());
    }
    if let Some(python) = device::amd_python(workspace)? {
        let test = checked::cargo_test(workspace).arguments(["--test", "runtime"]);
        test.variable(device::PYTHON, &python).run_quietly()?;
        println!("the runtime's tests");
    }
    on_each(workspace, |architecture, variables| tests(workspace, architecture, variables))
}

pub(super) fn all_examples(workspace: &Workspace) -> anyhow::Result<()> {
    on_each(workspace, |architecture, variables| examples::on_hip(workspace, architecture, variables, None))
}

/// The backend's tests and what a device must do, all of it on each architecture.
pub(super) fn all_conformance(workspace: &Workspace) -> anyhow::Result<()> {
    on_each(workspace, |architecture, variables| {
        backend(workspace, architecture, &variables, &BACKEND)?;
        conformance::few_primitives_on_hip(workspace, architecture, &variables)?;
        conformance::on_hip(workspace, architecture, &variables, &[])
    })
}

/// Operators and methods of numbers, on as many inputs as on other devices.
pub(super) fn all_numbers(workspace: &Workspace) -> anyhow::Result<()> {
    on_each(workspace, |architecture, variables| {
        numbers::on_hip(workspace, architecture, &variables, numbers::AS_ELSEWHERE)
    })
}

/// Variables by which a program finds a device.
pub(crate) type Variables = Vec<(&'static str, String)>;

/// Does something on each architecture, side by side: an emulator has one thread, and what drives it waits.
fn on_each(
    workspace: &Workspace,
    run: impl Fn(&str, Variables) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    let Some(python) = device::amd_python(workspace)? else { return Ok(()) };
    device::or_skip(workspace, || {
        let folder = LIBRARY.lay_out(workspace)?;
        std::thread::scope(|scope| {
            let runs = ARCHITECTURES.map(|architecture| {
                let (folder, python, run) = (&folder, &python, &run);
                scope.spawn(move || run(architecture, variables(workspace, folder, python, architecture)?))
            });
            runs.into_iter().try_for_each(|run| match run.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    })
}

/// Programs with the backend's tests.
const BACKEND: [&str; 3] = ["hip", "on_host", "with_driver"];

/// Tests of the backend on one device.
fn backend(
    workspace: &Workspace,
    architecture: &str,
    variables: &Variables,
    tests: &[&str],
) -> anyhow::Result<()> {
    for test in tests {
        let test = checked::cargo_test(workspace).arguments(["--test", test]);
        test.variable("GRIDWRIGHT_REQUIRE_HIP", "1").variables(variables).run_quietly()?;
    }
    println!("the backend's tests: {} on {architecture}", tests.join(", "));
    Ok(())
}

/// The tests and a few examples on one device.
fn tests(workspace: &Workspace, architecture: &str, variables: Variables) -> anyhow::Result<()> {
    let share = Share::of(architecture);
    backend(workspace, architecture, &variables, share.backend)?;
    conformance::on_hip(workspace, architecture, &variables, share.conformance)?;
    if share.has_primitives {
        conformance::few_primitives_on_hip(workspace, architecture, &variables)?;
    }
    if share.has_numbers {
        numbers::compilers_on_hip(workspace, architecture, &variables)?;
        numbers::on_hip(workspace, architecture, &variables, numbers::FEW)?;
    }
    examples::on_hip(workspace, architecture, variables, Some(share.examples))
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

/// What one architecture has of the short run, so that both take about as long. `hip-conformance` and `hip-numbers` do all on each.
struct Share {
    backend: &'static [&'static str],
    /// Arguments of the conformance tests.
    conformance: &'static [&'static str],
    has_primitives: bool,
    /// Operators of numbers know no waves: one architecture has them.
    has_numbers: bool,
    examples: &'static [&'static str],
}

impl Share {
    fn of(architecture: &str) -> Self {
        if architecture == ARCHITECTURES[0] {
            Self {
                backend: &["on_host", "with_driver"],
                conformance: &["--skip", "groups::"],
                has_primitives: false,
                has_numbers: true,
                examples: examples::ON_WAVES_OF_32,
            }
        } else {
            Self {
                backend: &["hip"],
                conformance: &OF_GROUPS,
                has_primitives: true,
                has_numbers: false,
                examples: examples::ON_WAVES_OF_64,
            }
        }
    }
}

/// How a program finds the runtime with a device of an architecture.
pub(crate) fn variables(
    workspace: &Workspace,
    folder: &Path,
    python: &str,
    architecture: &str,
) -> anyhow::Result<Variables> {
    // Where cargo has tests leave things, so that what those of code objects had compiled is found.
    let cache = workspace.metadata.target_directory.join("tmp").join("amd_emulator");
    Ok(vec![
        ("LD_LIBRARY_PATH", examples::library_path(folder)?),
        (device::PYTHON, python.to_owned()),
        (ARCHITECTURE, architecture.to_owned()),
        (CACHE, cache.into_string()),
        // Whatever the machine's pace: it is for kernels that never end.
        (PATIENCE, "3600".to_owned()),
    ])
}
