//! What needs the device toolchain: nightly rustc with the library's sources.

use std::path::PathBuf;

use anyhow::{Context, anyhow, ensure};
use gridwright_build::{Missing, Toolchain};

use crate::book::output::Page;
use crate::call::Call;
use crate::python::Python;
use crate::workspace::Workspace;
use crate::{checked, codegen, files, images};

/// The variable with the folder of an emulator for AMD's code objects.
pub(crate) const AMD_EMULATOR: &str = "GRIDWRIGHT_AMD_EMULATOR";

/// The variable with the Python that runs the emulator.
pub(super) const PYTHON: &str = "GRIDWRIGHT_PYTHON";

/// The variable under which a missing part is a failure.
const REQUIRED: &str = "GRIDWRIGHT_REQUIRE_DEVICE";

/// Makes the toolchain complete if it can be: the build scripts themselves download nothing.
pub(super) fn toolchain(workspace: &Workspace) -> anyhow::Result<()> {
    if let Some(missing) = missing(workspace) {
        println!("{missing}");
        let toolchain = std::env::var("GRIDWRIGHT_TOOLCHAIN").unwrap_or_else(|_| "nightly".into());
        let rustup = ["component", "add", "rust-src", "--toolchain", &toolchain];
        if let Err(error) = Call::new(workspace, "rustup").arguments(rustup).run() {
            println!("{error:#}");
        }
    }
    or_skip(workspace, || {
        println!("found");
        Ok(())
    })
}

/// Builds the images of all examples for all architectures.
pub(super) fn build(workspace: &Workspace) -> anyhow::Result<()> {
    or_skip(workspace, || {
        let folder = images::build(workspace)?;
        for extension in ["ptx", "hsaco"] {
            let files = files::with_extension(&folder, extension)?;
            println!("{} files .{extension}", files.len());
            ensure!(!files.is_empty(), "the examples were built without .{extension}");
        }
        Ok(())
    })
}

/// Compares our machine code with nvcc's, and assembles the PTX.
pub(super) fn nvidia(workspace: &Workspace) -> anyhow::Result<()> {
    or_skip(workspace, || {
        codegen::nvidia::assemble(workspace, false)?;
        codegen::nvidia::run(workspace, Page::Checked)
    })
}

/// Assembles the PTX for which that takes minutes.
pub(super) fn assemble(workspace: &Workspace) -> anyhow::Result<()> {
    or_skip(workspace, || codegen::nvidia::assemble(workspace, true))
}

/// Compares our machine code with clang's of HIP, and runs the examples' code objects.
pub(super) fn amd(workspace: &Workspace) -> anyhow::Result<()> {
    or_skip(workspace, || {
        let clang = codegen::Clang::install(workspace).context("no code is compared with that of HIP");
        if let Some(clang) = found(clang)? {
            codegen::amd::compare(workspace, &clang, Page::Checked)?;
        }
        let Some(python) = amd_python(workspace)? else { return Ok(()) };
        checked::test(workspace, &["amd_emulator"]).variable(PYTHON, python).run_quietly()
    })
}

/// The Python that runs the emulator of AMD's GPUs, with all that it needs, if there is an emulator; it is said where there is
/// none.
pub(crate) fn amd_python(workspace: &Workspace) -> anyhow::Result<Option<PathBuf>> {
    let Some(emulator) = std::env::var_os(AMD_EMULATOR) else {
        println!("SKIPPED: {AMD_EMULATOR} isn't set to an emulator's folder");
        return Ok(None);
    };
    // tinygrad compiles what it emulates.
    if !Call::new(workspace, "clang").arguments(["--version"]).works() {
        println!("installing clang for {}", emulator.display());
        let lists = Call::new(workspace, "apt-get").arguments(["update", "-qq"]).run();
        let install = ["install", "-y", "-qq", "--no-install-recommends", "clang"];
        let installed = lists.and_then(|()| Call::new(workspace, "apt-get").arguments(install).run());
        installed
            .context("the emulator of AMD's GPUs needs `clang` on the PATH, and it can't be installed")?;
    }
    let python = Python::with(workspace, "amd", &["tinygrad==0.14.0"])?;
    Ok(Some(python.interpreter()))
}

/// Runs a check if the toolchain is there, and says loudly if it isn't.
pub(crate) fn or_skip(
    workspace: &Workspace,
    check: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let toolchain = missing(workspace).map_or(Ok(()), |missing| Err(anyhow!(missing)));
    if found(toolchain)?.is_some() { check() } else { Ok(()) }
}

/// A part that may be missing: then it is said loudly, or is an error where all parts are required.
pub(super) fn found<T>(part: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    match part {
        Ok(part) => Ok(Some(part)),
        Err(missing) if std::env::var_os(REQUIRED).is_some() => {
            Err(missing.context(format!("missing, and {REQUIRED} is set")))
        }
        Err(missing) => {
            println!("SKIPPED: {missing:#}");
            Ok(None)
        }
    }
}

/// What a build script would miss.
fn missing(workspace: &Workspace) -> Option<String> {
    compiler(workspace).err().map(|missing| missing.message)
}

/// The device toolchain that build scripts choose here, with its library's sources.
pub(super) fn compiler(workspace: &Workspace) -> Result<Toolchain, Missing> {
    gridwright_build::find_toolchain(&workspace.target("gridwright"))
}
