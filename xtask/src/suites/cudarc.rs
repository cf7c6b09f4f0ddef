//! The tests of cudarc, a binding to CUDA for Rust: the driver's safe interface, and kernels that NVRTC compiles.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use cargo_metadata::MetadataCommand;
use itertools::Itertools;

use super::outcome::{Kind, Outcome, Outcomes};
use super::run_module::{Files, with_limit};
use super::{Prepared, Setup, Suite};
use crate::call::Call;
use crate::files;
use crate::python::Python;

pub(super) const SUITE: Suite = Suite {
    name: "cudarc",
    title: "cudarc 0.19.10 on the emulated driver",
    about: "Its unit tests of the driver and of NVRTC, unchanged, each in a process with two devices, those too that it leaves out by default, with NVRTC 12.9 of Python's package index.",
    prepare,
};

const VERSION: &str = "0.19.10";

const FEATURES: &str = "std,driver,nvrtc,runtime,dynamic-loading,cuda-12090,f16";

/// NVRTC: a later one compiles no code for sm_53, as a test asks for.
const PACKAGES: &[&str] = &["nvidia-cuda-nvrtc-cu12==12.9.86"];

fn prepare(setup: &Setup<'_>) -> anyhow::Result<Prepared> {
    let folder = setup.folder(&SUITE);
    let source = source(setup, &folder)?;
    let tests = ["test", "--quiet", "--lib", "--no-default-features", "--features", FEATURES, "--no-run"];
    let built = folder.join("target");
    let call = Call::in_folder(&source, "cargo").arguments(tests).arguments(["--target-dir"]);
    call.arguments([&built]).run()?;
    let program = test_program(&built.join("debug/deps"))?;
    let python = Python::with(setup.workspace, "nvrtc-12.9", PACKAGES)?;
    let template = setup.call(program, &[&python.package_folder("nvidia/cuda_nvrtc/lib")?])?;
    let listed = template.clone().arguments(["--list", "--format", "terse"]).printed()?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let tests: Vec<String> =
        listed.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect();
    ensure!(!tests.is_empty(), "cudarc has no tests");
    let modules = tests.iter().map(|test| module_of(test).to_owned()).dedup().collect();
    // Tests that it leaves out by default need two devices, or a process of their own.
    let template = template.directory(&source).variable("GRIDWRIGHT_EMULATOR_DEVICES", "2");
    let run = move |checks: &str, module: &str| {
        let mut outcomes = Outcomes::new();
        for test in tests.iter().filter(|test| module_of(test) == module) {
            let files = Files::new(&folder, checks, &test.replace("::", "."), false)?;
            let call = template.clone().variable("GRIDWRIGHT_EMULATOR_CHECKS", checks);
            let call = call.arguments(["--exact", "--include-ignored", "--nocapture", test.as_str()]);
            let code = with_limit(call, &files.log)?;
            let text = String::from_utf8_lossy(&fs_err::read(&files.log)?).into_owned();
            let name = test.strip_prefix(module).unwrap_or(test).trim_start_matches("::");
            outcomes.insert(name.to_owned(), outcome(code, &text));
        }
        Ok(outcomes)
    };
    Ok(Prepared { modules, run: Box::new(run) })
}

/// Its sources in a folder where they can be built: cargo takes no tests of a dependency.
fn source(setup: &Setup<'_>, folder: &Path) -> anyhow::Result<PathBuf> {
    let source = folder.join(format!("cudarc-{VERSION}"));
    if source.join("Cargo.toml").exists() {
        return Ok(source);
    }
    let asks = folder.join("asks");
    fs_err::create_dir_all(asks.join("src"))?;
    fs_err::write(asks.join("src/lib.rs"), "")?;
    let manifest = format!(
        "[package]\nname = \"asks\"\nedition = \"2024\"\n\n[dependencies.cudarc]\nversion = \"={VERSION}\"\nfeatures = [\"cuda-12090\"]\n\n[workspace]\n"
    );
    fs_err::write(asks.join("Cargo.toml"), manifest)?;
    let metadata =
        MetadataCommand::new().current_dir(&asks).exec().context("can't have cudarc from crates.io")?;
    let package = metadata.packages.iter().find(|package| package.name == "cudarc");
    let packed = package.and_then(|package| package.manifest_path.parent()).context("cargo has no cudarc")?;
    Call::new(setup.workspace, "cp").arguments(["-r"]).arguments([packed.as_std_path(), &source]).run()?;
    let manifest = source.join("Cargo.toml");
    let text = fs_err::read_to_string(&manifest)?;
    fs_err::write(&manifest, text + "\n[workspace]\n")?;
    Ok(source)
}

/// The newest program of tests in a folder.
fn test_program(folder: &Path) -> anyhow::Result<PathBuf> {
    let is_program = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("cudarc-") && !name.contains('.'))
    };
    let programs = files::below(folder)?.into_iter().filter(is_program);
    let newest = programs.max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
    newest.context("cudarc's tests aren't built")
}

/// A test's module: its path without `tests` and the function.
fn module_of(test: &str) -> &str {
    test.split("::tests::").next().unwrap_or(test)
}

fn outcome(code: Option<i32>, text: &str) -> Outcome {
    let ran = text.contains("1 passed");
    if code == Some(0) && ran {
        return Outcome { kind: Kind::Passed, said: String::new() };
    }
    if code == Some(0) && text.contains("1 ignored") {
        return Outcome { kind: Kind::Skipped, said: "the suite ignores it".to_owned() };
    }
    let panicked = text.lines().skip_while(|line| !line.contains("panicked at")).nth(1);
    let said = panicked.map_or_else(|| format!("the process ended with {code:?}"), str::to_owned);
    Outcome { kind: Kind::Failed, said }
}
