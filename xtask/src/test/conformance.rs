//! What a device must do, on emulated devices, and on the one to learn from. The CPU's is among the tests.

use crate::call::Call;
use crate::checked;
use crate::test::hip::Variables;
use crate::test::{cuda, device, examples};
use crate::workspace::Workspace;

/// The tests, and those of instances of another crate's kernels.
const TARGETS: [&str; 2] = ["conformance", "instances"];

/// The tests of the primitives, which are among all tests on the CPU and on the emulator.
const PRIMITIVES: &str = "primitives";

/// Filters of what runs of them on emulated AMD GPUs: a few of each kind of kernel, in half a minute.
const FEW_PRIMITIVES: [&str; 11] = [
    "programs::",
    "group::",
    "reduce::",
    "rows::",
    "collect::",
    "scatter::",
    "inputs::",
    "scan::scans_of_computed",
    "scan_segments::segments_of_computed",
    "select::what_an_output",
    "by_key::small_keys",
];

/// Tests that run the CPU with other settings, whatever the device is.
const CPU_ONLY: &str = "instruction_sets::";

/// What the toy doesn't run.
const UNSAFE: &str = "an_unsafe_kernel";

/// Tests conformance on the toy, on the emulator in the tests' own process, and as a driver's device.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    on(workspace, "toy").arguments(["--", "--skip", CPU_ONLY, "--skip", UNSAFE]).run_quietly()?;
    println!("the toy");
    device::or_skip(workspace, || {
        on(workspace, "emulator").variable(cuda::CHECKS.0, cuda::CHECKS.1).run_quietly()?;
        println!("the emulator");
        if !cfg!(target_os = "linux") {
            println!("SKIPPED: the driver library is built for Linux");
            return Ok(());
        }
        let path = examples::library_path(&cuda::LIBRARY.lay_out(workspace)?)?;
        let on_driver = || on(workspace, "cuda:0").variable("LD_LIBRARY_PATH", &*path);
        on_driver().variable(cuda::CHECKS.0, cuda::CHECKS.1).run_quietly()?;
        println!("the emulated driver");
        // Threads end there while others go on, which is a finding.
        on_driver().arguments(["--", "panics::"]).run_quietly()?;
        println!("panics on the emulated driver");
        primitives(workspace, "cuda:0").variable("LD_LIBRARY_PATH", &*path).run_quietly()?;
        println!("the primitives on the emulated driver");
        Ok(())
    })
}

/// Tests conformance on an emulated AMD GPU, as far as the test program's arguments choose.
pub(super) fn on_hip(
    workspace: &Workspace,
    architecture: &str,
    variables: &Variables,
    chosen: &[&str],
) -> anyhow::Result<()> {
    on(workspace, "hip:0").variables(variables).arguments(["--"]).arguments(chosen).run_quietly()?;
    println!("what a device must do: {architecture}");
    Ok(())
}

/// Tests a few of the primitives on an emulated AMD GPU.
pub(super) fn few_primitives_on_hip(
    workspace: &Workspace,
    architecture: &str,
    variables: &Variables,
) -> anyhow::Result<()> {
    primitives(workspace, "hip:0")
        .variables(variables)
        .arguments(["--"])
        .arguments(FEW_PRIMITIVES)
        .run_quietly()?;
    println!("primitives: {architecture}");
    Ok(())
}

fn on(workspace: &Workspace, device: &str) -> Call {
    let targets = TARGETS.iter().flat_map(|&target| ["--test", target]);
    let test = checked::cargo_test(workspace).arguments(targets);
    test.variable("GRIDWRIGHT_DEVICE", device)
}

fn primitives(workspace: &Workspace, device: &str) -> Call {
    let test = checked::cargo_test(workspace).arguments(["--test", PRIMITIVES]);
    test.variable("GRIDWRIGHT_DEVICE", device)
}
