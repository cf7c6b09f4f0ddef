//! What a device must do, on emulated devices, and on the one to learn from. The CPU's is among the tests.

use crate::call::{Call, library_path};
use crate::checked;
use crate::test::hip::Gpu;
use crate::test::{cuda, device};
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
    let on = |device: &str, targets: &[&str]| -> Call {
        checked::test(workspace, targets).variable("GRIDWRIGHT_DEVICE", device)
    };
    on("toy", &TARGETS).arguments(["--", "--skip", CPU_ONLY, "--skip", UNSAFE]).passes("the toy")?;
    device::or_skip(workspace, || {
        on("emulator", &TARGETS).variable(cuda::CHECKS.0, cuda::CHECKS.1).passes("the emulator")?;
        if !cfg!(target_os = "linux") {
            println!("SKIPPED: the driver library is built for Linux");
            return Ok(());
        }
        let path = library_path(&[&cuda::LIBRARY.lay_out(workspace)?])?;
        let on_driver = |targets: &[&str]| on("cuda:0", targets).variable("LD_LIBRARY_PATH", &path);
        on_driver(&TARGETS).variable(cuda::CHECKS.0, cuda::CHECKS.1).passes("the emulated driver")?;
        // Threads end there while others go on, which is a finding.
        on_driver(&TARGETS).arguments(["--", "panics::"]).passes("panics on the emulated driver")?;
        on_driver(&[PRIMITIVES]).passes("the primitives on the emulated driver")
    })
}

/// Tests conformance on an emulated AMD GPU, as far as the test program's arguments choose.
pub(super) fn on_hip(gpu: &Gpu<'_>, chosen: &[&str]) -> anyhow::Result<()> {
    let test = gpu.test(&TARGETS).arguments(["--"]).arguments(chosen);
    test.passes(format!("what a device must do: {}", gpu.architecture))
}

/// Tests a few of the primitives on an emulated AMD GPU.
pub(super) fn few_primitives_on_hip(gpu: &Gpu<'_>) -> anyhow::Result<()> {
    let test = gpu.test(&[PRIMITIVES]).arguments(["--"]).arguments(FEW_PRIMITIVES);
    test.passes(format!("primitives: {}", gpu.architecture))
}
