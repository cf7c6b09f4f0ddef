//! Machines of other kinds: the CPU's tests on aarch64, in qemu, and what compiles for Windows and macOS.
//!
//! The standard library is compiled for each from the sources that device code is compiled with.

use anyhow::{Context, anyhow};

use crate::call::Call;
use crate::checked;
use crate::test::device;
use crate::workspace::Workspace;

/// The target whose programs qemu runs.
const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// Its linker, and the programs that run what was linked.
const LINKER: &str = "aarch64-linux-gnu-gcc";
const QEMU: &str = "qemu-aarch64";
const RUNNER: &str = "qemu-aarch64 -L /usr/aarch64-linux-gnu";

/// Targets that are compiled as far as that goes without their linkers.
const CHECKED: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// What programs on them are made of, and the command-line tool.
const PACKAGES: [&str; 6] = [
    "gridwright",
    "gridwright-build",
    "gridwright-comm",
    "gridwright-emulator",
    "gridwright-primitives",
    "cargo-gridwright",
];

/// Tests that need nothing but the CPU.
const TESTS: [(&str, &[&str]); 2] =
    [("gridwright-cpu", &["--lib"]), ("gridwright-examples", &["--test", "conformance"])];

/// Runs the CPU's tests on aarch64.
pub(super) fn aarch64(workspace: &Workspace) -> anyhow::Result<()> {
    let has_tools =
        [LINKER, QEMU].iter().all(|tool| Call::new(workspace, *tool).arguments(["--version"]).works());
    let tools = has_tools.then_some(()).with_context(|| {
        format!("no `{LINKER}` or no `{QEMU}`: on Debian `apt-get install gcc-aarch64-linux-gnu qemu-user`")
    });
    if device::found(tools)?.is_none() {
        return Ok(());
    }
    device::or_skip(workspace, || {
        for (package, targets) in TESTS {
            let call = cargo(workspace, "test", AARCH64)?.arguments(["--quiet", "--package", package]);
            let call = call.variable("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
            let call = call.variable("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", RUNNER);
            call.variable("GRIDWRIGHT_DEVICE", "cpu").arguments(targets).run_quietly()?;
            println!("{package} on {AARCH64}");
        }
        Ok(())
    })
}

/// Compiles for other systems, and links nothing.
pub(super) fn systems(workspace: &Workspace) -> anyhow::Result<()> {
    device::or_skip(workspace, || {
        for target in CHECKED {
            let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
            let call = cargo(workspace, "check", target)?.arguments(packages);
            call.variable("RUSTFLAGS", "-Dwarnings").run_quietly()?;
            println!("{target}");
        }
        Ok(())
    })
}

/// A command of the device toolchain's cargo, for a target whose standard library it compiles too.
fn cargo(workspace: &Workspace, command: &str, target: &str) -> anyhow::Result<Call> {
    let toolchain = device::compiler(workspace).map_err(|missing| anyhow!(missing.message))?;
    let program = |name: &str| toolchain.sysroot.join("bin").join(name).display().to_string();
    let call = Call::new(workspace, program("cargo")).arguments([
        command,
        "-Zbuild-std=std,panic_unwind,test",
        "--target",
        target,
        "--profile",
        checked::PROFILE,
    ]);
    let call = call.variable("RUSTC", program("rustc")).variable("GRIDWRIGHT_SKIP_DEVICE", "1");
    // Cargo's only way to take the library's sources from elsewhere.
    let call = call.variable("__CARGO_TESTS_ONLY_SRC_ROOT", toolchain.library.display().to_string());
    Ok(call.variable("CARGO_TARGET_DIR", workspace.metadata.target_directory.join("machines").into_string()))
}
