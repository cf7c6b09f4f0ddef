//! What `cargo xtask test` checks, in order: what fails soonest comes first.

use anyhow::ensure;

use crate::book::output::Page;
use crate::call::Call;
use crate::test::selection::Selection;
use crate::test::{
    bundle, comm, conformance, cuda, device, examples, hip, hip_runtime, machines, nccl, numbers, packages,
};
use crate::workspace::Workspace;
use crate::{book, checked, fuzz as kernels, suites, tidy};

pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// Whether the step runs only with `--full`, or by name.
    pub(crate) long: bool,
    pub(crate) run: fn(&Workspace) -> anyhow::Result<()>,
}

impl Step {
    pub(super) fn job(&self) -> Job {
        Job::new(self.name, self.what.to_owned(), self.run)
    }
}

type Run = dyn Fn(&Workspace) -> anyhow::Result<()>;

/// A step, or a part of one.
pub(super) struct Job {
    pub(super) name: &'static str,
    pub(super) what: String,
    pub(super) run: Box<Run>,
}

impl Job {
    pub(super) fn new(
        name: &'static str,
        what: String,
        run: impl Fn(&Workspace) -> anyhow::Result<()> + 'static,
    ) -> Self {
        Self { name, what, run: Box::new(run) }
    }
}

macro_rules! steps {
    ($($when:ident $name:literal: $what:literal, $run:path;)*) => {
        &[$(Step { name: $name, what: $what, long: steps!($when), run: $run }),*]
    };
    (always) => { false };
    (full) => { true };
}

pub(crate) const STEPS: &[Step] = steps! {
    always "fmt": "rustfmt has nothing to change", fmt;
    always "tidy": "the house rules", tidy::run;
    always "toolchain": "the device toolchain is complete", device::toolchain;
    always "clippy": "no warnings, from the compiler or clippy", clippy;
    always "test": "unit tests, UI tests and the README's program", test;
    always "doctest": "the listings in the docs", doctest;
    always "examples": "each example runs on the CPU, small: as it is, with baseline instructions, on one thread", examples::small;
    always "device": "the examples' images build for each architecture", device::build;
    always "nvidia": "NVIDIA's assembler takes the PTX, and ours costs what nvcc's does", device::nvidia;
    always "amd": "code objects cost what clang's do, and give the CPU's results in an emulator", device::amd;
    always "hip-runtime": "AMD's own runtime is found, and that it has no device", hip_runtime::run;
    always "nccl": "NVIDIA's own NCCL has the functions that are called, and says that it has no device", nccl::run;
    always "cuda": "the examples' PTX gives the CPU's results on an emulated driver", cuda::run;
    always "conformance": "what a device must do, on the emulator and the emulated driver", conformance::run;
    always "comm": "programs of several ranks, started by Open MPI's `mpirun`", comm::run;
    always "numbers": "operators and methods of core give the host's results on the emulator", numbers::run;
    always "hip": "code objects give the CPU's results on an emulated runtime: its tests, and few examples", hip::run;
    always "fuzz": "random kernels give the host's own results on each device, half a minute of them", fuzz;
    full "doc": "the libraries' docs build, without a warning", doc;
    full "features": "each feature alone, and none", features;
    full "book": "the book's pages are built, their links lead somewhere, and they fit desktops and phones", book::test;
    full "bench": "the benches agree with their peers, one round", bench;
    full "bundle": "the bundle runs on an emulated driver without Rust, and failures show", bundle::run;
    full "assemble": "NVIDIA's assembler takes the PTX of the largest tests, in minutes", device::assemble;
    full "support": "what works where is what the book says", support;
    full "suites": "suites of others do on the emulated CUDA driver what their tables say", suites::check;
    full "examples-isa": "each example at its full size with each instruction set of this machine", examples::each_isa;
    full "new-crates": "new crates of each kind run, and what their launches execute is counted", new_crates;
    full "numbers-many": "the same on a million inputs a row, which takes minutes", numbers::many;
    full "hip-conformance": "the backend's tests and what a device must do, all of it on each emulated AMD GPU", hip::all_conformance;
    full "hip-numbers": "operators and methods of core on emulated AMD GPUs, 4,096 inputs", hip::all_numbers;
    full "hip-examples": "each example on emulated AMD GPUs", hip::all_examples;
    full "aarch64": "what the CPU must do, on aarch64 in qemu", machines::aarch64;
    full "neon": "hot loops of samples are NEON's on aarch64, and compute the same bits", machines::neon;
    full "windows": "the same on Windows, in Wine", machines::windows;
    full "wasm": "the CPU's tests and a picture, as WebAssembly in Node.js", machines::wasm;
    full "systems": "libraries and the tool compile for Windows and macOS", machines::systems;
    full "packages": "each crate builds from what would be published", packages::run;
    full "test-release": "the tests, optimised", test_release;
    full "test-baseline": "the tests with baseline instructions", test_baseline;
    full "test-one-thread": "the tests with kernels on one thread", test_one_thread;
};

fn fmt(workspace: &Workspace) -> anyhow::Result<()> {
    Call::cargo(workspace, "fmt --all --check").run()
}

fn clippy(workspace: &Workspace) -> anyhow::Result<()> {
    // The images would be made a second time, as clippy's build scripts write into folders of their own.
    let call = checked::cargo(workspace, "clippy").variable("GRIDWRIGHT_SKIP_DEVICE", "1");
    // Of kernels each instruction set would be one more copy of the same text.
    let call = call.variable("GRIDWRIGHT_CPU_CODE", "native");
    call.arguments(["--all-targets", "--", "-D", "warnings"]).run()
}

fn test(workspace: &Workspace) -> anyhow::Result<()> {
    tests(workspace, checked::PROFILE).run()
}

fn test_release(workspace: &Workspace) -> anyhow::Result<()> {
    tests(workspace, "release").run()
}

fn test_baseline(workspace: &Workspace) -> anyhow::Result<()> {
    let call = tests(workspace, checked::PROFILE).variable("GRIDWRIGHT_CPU_ISA", "baseline");
    // Some targets have code for this machine alone.
    call.variable("GRIDWRIGHT_CPU_CODE", "all").run()
}

fn test_one_thread(workspace: &Workspace) -> anyhow::Result<()> {
    tests(workspace, checked::PROFILE).variable("GRIDWRIGHT_CPU_THREADS", "1").run()
}

/// The tests of a selection. Without nextest some more of their packages run.
pub(super) fn some_tests(workspace: &Workspace, selection: &Selection) -> anyhow::Result<()> {
    let call = if has_nextest(workspace) {
        let call = Call::cargo(workspace, "nextest run --status-level slow --final-status-level fail");
        // A word that is in no test's name is misspelled.
        let call = call.arguments(["--no-tests", if selection.filters.is_empty() { "pass" } else { "fail" }]);
        call.arguments(["--cargo-profile", checked::PROFILE, "--filterset", &selection.expression()])
    } else {
        Call::cargo(workspace, "test --quiet --profile").arguments([checked::PROFILE])
    };
    let call = call.arguments(checked::SELECTION).arguments(selection.targets(workspace)?);
    let filters = (!selection.filters.is_empty()).then_some("--").into_iter();
    let filters = filters.chain(selection.filters.iter().map(String::as_str));
    call.arguments(filters).without(device::AMD_EMULATOR).run()
}

fn has_nextest(workspace: &Workspace) -> bool {
    Call::cargo(workspace, "nextest --version").works()
}

/// The tests, with nextest where it is installed: nobody needs it.
fn tests(workspace: &Workspace, profile: &str) -> Call {
    let call = if has_nextest(workspace) {
        // Ranks have a step of their own, in which they have a machine for themselves.
        let others = comm::TARGETS.map(|target| format!("binary(={target})")).join(" + ");
        let words = "nextest run --status-level slow --final-status-level fail --filterset";
        Call::cargo(workspace, words).arguments([format!("not ({others})"), "--cargo-profile".to_owned()])
    } else {
        Call::cargo(workspace, "test --quiet --lib --bins --tests --profile")
    };
    // The code objects have a step of their own, which knows how to set the emulator up.
    call.arguments([profile]).arguments(checked::SELECTION).without(device::AMD_EMULATOR)
}

fn doctest(workspace: &Workspace) -> anyhow::Result<()> {
    // Kernels in doc tests have no images: on a GPU they couldn't run.
    let call = checked::cargo_test(workspace).arguments(["--doc"]);
    call.variable("GRIDWRIGHT_DEVICE", "cpu").run_quietly()
}

fn doc(workspace: &Workspace) -> anyhow::Result<()> {
    // Programs have no docs that anyone reads, and each takes a second.
    let call = checked::cargo(workspace, "doc").arguments(["--no-deps", "--lib"]);
    call.variable("RUSTDOCFLAGS", "-Dwarnings").run()
}

fn new_crates(workspace: &Workspace) -> anyhow::Result<()> {
    checked::test(workspace, &["command"]).arguments(["--", "--ignored"]).run()
}

fn bench(workspace: &Workspace) -> anyhow::Result<()> {
    // By name: `--benches` would also ask the library, whose harness knows no `--quick`.
    let packages = [workspace.member("gridwright-races")?, workspace.member("gridwright-primitives-races")?];
    for bench in packages.iter().flat_map(|package| &package.targets).filter(|target| target.is_bench()) {
        let call = checked::cargo(workspace, "bench");
        call.arguments(["--bench", bench.name.as_str(), "--", "--quick"]).passes(&bench.name)?;
    }
    comm::bench(workspace)
}

/// Compares random kernels, always of the same seed, so that what fails once fails again.
fn fuzz(workspace: &Workspace) -> anyhow::Result<()> {
    device::or_skip(workspace, || {
        let report = kernels::fuzz(workspace, &kernels::Kernels::short(1, 30))?;
        println!("{report}");
        ensure!(report.differences() == 0, "results differ; programs that show it are in target/fuzz/found");
        Ok(())
    })
}

fn support(workspace: &Workspace) -> anyhow::Result<()> {
    crate::support::run(workspace, Page::Checked)
}

fn features(workspace: &Workspace) -> anyhow::Result<()> {
    let check = |features: &str| {
        let check = Call::cargo(workspace, "clippy --package gridwright --no-default-features --profile");
        let check = check.arguments([checked::PROFILE, "--features", features, "--", "-D", "warnings"]);
        check.passes(if features.is_empty() { "none" } else { features })
    };
    let names = workspace.member("gridwright")?.features.keys().filter(|name| *name != "default");
    std::iter::once("").chain(names.map(String::as_str)).try_for_each(check)
}
