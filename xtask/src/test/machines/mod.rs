//! Machines of other kinds: the CPU's tests on aarch64, in qemu, and on Windows, in Wine; a program for WebAssembly, in Node.js; and what
//! compiles for Windows and macOS.
//!
//! The standard library is compiled for each from the sources that device code is compiled with.

mod neon;

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use fs_err as fs;

use crate::call::Call;
use crate::checked;
use crate::test::device;
use crate::workspace::Workspace;

/// Another machine whose programs an emulator runs.
struct Machine {
    target: &'static str,
    linker: &'static str,
    /// The program that runs others.
    emulator: &'static str,
    /// Its arguments.
    arguments: &'static [&'static str],
    /// Debian's packages of both.
    debian: &'static str,
    /// Tests that start themselves once more, which the system can't.
    skipped: &'static [&'static str],
}

const AARCH64: Machine = Machine {
    target: "aarch64-unknown-linux-gnu",
    linker: "aarch64-linux-gnu-gcc",
    emulator: "qemu-aarch64",
    arguments: &["-L", "/usr/aarch64-linux-gnu"],
    debian: "gcc-aarch64-linux-gnu qemu-user",
    // For each instruction set, of which there is one.
    skipped: &["instruction_sets::everything_holds_for_each_instruction_set"],
};

/// The oldest Windows: Debian's Wine has no `ProcessPrng`, which the standard library wants of a later one.
const WINDOWS: Machine = Machine {
    target: "x86_64-win7-windows-gnu",
    linker: "x86_64-w64-mingw32-gcc",
    emulator: "wine",
    arguments: &[],
    debian: "mingw-w64 wine64",
    skipped: &[],
};

/// The target whose programs Node.js runs, and pages.
const WASM: &str = "wasm32-wasip1";

/// Where Debian has the C library of WASI.
const WASI: &str = "/usr/lib/wasm32-wasi";

/// The program that a page of the book runs, and where the page looks for it.
const BROWSER: &str = "gridwright-browser";
const PROGRAM: &str = "book/src/reference/browser.wasm";

/// Rows, columns, the point in the middle, and the height of a picture.
const PICTURE: [&str; 5] = ["67", "101", "-0.7", "0.3", "0.5"];

/// Tests of the CPU's engine that want threads, or what a panic unwinds.
const NOT_FOR_WASM: [&str; 4] = [
    "errands::tests::work_that_waits_has_a_thread_of_its_own_and_one_that_is_done_takes_more",
    "panic::tests::payloads_are_dropped",
    "tests::a_group_that_panics_ends_the_launch_and_keeps_what_ran",
    "workers::tests::a_panic_comes_to_the_caller_and_the_threads_stay_usable",
];

/// Targets that are compiled as far as that goes without their linkers.
const CHECKED: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// What programs on them are made of, and the command-line tool.
const PACKAGES: &str =
    "gridwright gridwright-build gridwright-comm gridwright-emulator gridwright-primitives cargo-gridwright";

/// Tests that need nothing but the CPU.
const TESTS: [(&str, &[&str]); 2] =
    [("gridwright-cpu", &["--lib"]), ("gridwright-examples", &["--test", "conformance"])];

/// Runs the CPU's tests on aarch64.
pub(super) fn aarch64(workspace: &Workspace) -> anyhow::Result<()> {
    AARCH64.test(workspace)
}

/// Looks at what kernels are on aarch64, and compares what they compute there.
pub(super) fn neon(workspace: &Workspace) -> anyhow::Result<()> {
    AARCH64.with_tools(workspace, || neon::run(workspace))
}

/// Runs the CPU's tests on Windows.
pub(super) fn windows(workspace: &Workspace) -> anyhow::Result<()> {
    WINDOWS.test(workspace)
}

impl Machine {
    fn test(&self, workspace: &Workspace) -> anyhow::Result<()> {
        self.with_tools(workspace, || {
            for (package, targets) in TESTS {
                let call = self.cargo(workspace, "test", checked::PROFILE)?;
                let call = call.arguments(["--quiet", "--package", package]).arguments(targets);
                let call =
                    call.arguments(["--"]).arguments(self.skipped.iter().flat_map(|test| ["--skip", test]));
                call.passes(format!("{package} on {}", self.target))?;
            }
            Ok(())
        })
    }

    /// Does something that takes the linker, the emulator and the device toolchain, or skips it.
    fn with_tools(
        &self,
        workspace: &Workspace,
        run: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let Self { linker, emulator, debian, .. } = self;
        let is_there = |tool: &str| Call::new(workspace, tool).arguments(["--version"]).works();
        let has_tools = is_there(linker) && is_there(emulator);
        let tools = has_tools.then_some(()).with_context(|| {
            format!("no `{linker}` or no `{emulator}`: on Debian `apt-get install {debian}`")
        });
        if device::found(tools)?.is_none() {
            return Ok(());
        }
        device::or_skip(workspace, run)
    }

    /// A command of cargo for programs on the machine's CPU, which the emulator runs.
    fn cargo(&self, workspace: &Workspace, command: &str, profile: &str) -> anyhow::Result<Call> {
        let runner = [&[self.emulator], self.arguments].concat().join(" ");
        let call = cargo(workspace, command, self.target, "panic_unwind", profile)?;
        let call = call.variable(self.variable("LINKER"), self.linker);
        Ok(call.variable(self.variable("RUNNER"), runner).variable("GRIDWRIGHT_DEVICE", "cpu"))
    }

    /// Cargo's variable for something of the target.
    fn variable(&self, of: &str) -> String {
        format!("CARGO_TARGET_{}_{of}", self.target.replace('-', "_").to_uppercase())
    }
}

/// Runs the CPU's tests as WebAssembly, and compares the picture of a program with the one that it makes here. A page of the book finds the
/// program then.
pub(super) fn wasm(workspace: &Workspace) -> anyhow::Result<()> {
    let has_tools = Call::new(workspace, "node").arguments(["--version"]).works() && Path::new(WASI).is_dir();
    let tools = has_tools
        .then_some(())
        .with_context(|| format!("no `node`, or no {WASI}: on Debian `apt-get install nodejs wasi-libc`"));
    if device::found(tools)?.is_none() {
        return Ok(());
    }
    device::or_skip(workspace, || {
        let wasi = workspace.root.join("xtask/src/test/wasi.mjs");
        let runner = format!("node --no-warnings {}", wasi.display());
        let flags = [
            "-Ctarget-feature=+simd128".to_owned(),
            "-Clink-self-contained=no".to_owned(),
            format!("-Clink-arg=-L{WASI}"),
            format!("-Clink-arg={WASI}/crt1-command.o"),
            // Of an older C library: `wasi.mjs` and the page have them.
            "-Clink-arg=--allow-undefined".to_owned(),
        ];
        let cargo = |command: &str, package: &str| -> anyhow::Result<Call> {
            let call = cargo(workspace, command, WASM, "panic_abort", checked::PROFILE)?
                .arguments(["--package", package]);
            let call = call.variable("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", flags.join(" "));
            Ok(call.variable("CARGO_TARGET_WASM32_WASIP1_RUNNER", &runner))
        };
        let tests = cargo("test", "gridwright-cpu")?.arguments(["--lib", "--quiet", "--"]);
        let tests = tests.arguments(NOT_FOR_WASM.iter().flat_map(|test| ["--skip", test]));
        tests.passes(format!("gridwright-cpu on {WASM}, but {}", NOT_FOR_WASM.join(", ")))?;

        cargo("build", BROWSER)?.run_quietly()?;
        let built = folder(workspace).join(WASM).join(checked::PROFILE);
        let program = built.join(BROWSER).with_extension("wasm");
        fs::copy(&program, workspace.root.join(PROGRAM))?;

        let in_node = Call::new(workspace, "node").arguments(["--no-warnings".into(), wasi, program]);
        let here = Call::cargo(workspace, "run --quiet --profile");
        let here = here.arguments([checked::PROFILE, "--package", BROWSER, "--"]);
        let here = here.variable("GRIDWRIGHT_DEVICE", "cpu").variable("CARGO_TARGET_DIR", folder(workspace));
        let [in_node, here] = [in_node, here].map(|program| program.arguments(PICTURE).printed());
        let here = here?;
        ensure!(
            !here.is_empty() && in_node? == here,
            "the picture that {BROWSER} makes as WebAssembly is another one than here"
        );
        println!("{BROWSER} on {WASM}, in Node.js; {PROGRAM} is for the book's page");
        Ok(())
    })
}

/// Compiles for other systems, and links nothing.
pub(super) fn systems(workspace: &Workspace) -> anyhow::Result<()> {
    device::or_skip(workspace, || {
        for target in CHECKED {
            let packages = PACKAGES.split(' ').flat_map(|package| ["--package", package]);
            let call = cargo(workspace, "check", target, "panic_unwind", checked::PROFILE)?;
            let call = call.arguments(packages);
            call.variable("RUSTFLAGS", "-Dwarnings").passes(target)?;
        }
        Ok(())
    })
}

/// A command of the device toolchain's cargo, for a target whose standard library it compiles too, and with that what a panic does.
fn cargo(
    workspace: &Workspace,
    command: &str,
    target: &str,
    panic: &str,
    profile: &str,
) -> anyhow::Result<Call> {
    let toolchain = device::compiler(workspace).map_err(|missing| anyhow!(missing.message))?;
    let program = |name: &str| toolchain.sysroot.join("bin").join(name);
    let library = format!("-Zbuild-std=std,{panic},test");
    let arguments = [command, &library, "--target", target, "--profile", profile];
    let call = Call::new(workspace, program("cargo")).arguments(arguments);
    let call = call.variable("RUSTC", program("rustc")).variable("GRIDWRIGHT_SKIP_DEVICE", "1");
    // Cargo's only way to take the library's sources from elsewhere.
    let call = call.variable("__CARGO_TESTS_ONLY_SRC_ROOT", toolchain.library);
    Ok(call.variable("CARGO_TARGET_DIR", folder(workspace)))
}

/// Where all of this is compiled.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target("machines")
}
