//! The device images that builds leave.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use cargo_metadata::Message;

use crate::checked;
use crate::workspace::Workspace;

/// The package of the examples.
const EXAMPLES: &str = "gridwright-examples";

/// Builds all there is but the benches, and returns the folder of the examples' images.
///
/// # Errors
/// Where the build fails; its messages are on the terminal.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    folder_of(workspace, EXAMPLES, checked::TARGETS.into_iter().chain(checked::SELECTION))
}

/// Builds a package, and returns the folder of its images.
///
/// # Errors
/// Where the build fails; its messages are on the terminal.
pub(crate) fn build_package(workspace: &Workspace, package: &str) -> anyhow::Result<PathBuf> {
    folder_of(workspace, package, ["--package", package])
}

fn folder_of<'a>(
    workspace: &Workspace,
    package: &str,
    options: impl IntoIterator<Item = &'a str>,
) -> anyhow::Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--profile", checked::PROFILE]).args(options);
    cargo.args(["--message-format", "json-render-diagnostics"]);
    let output =
        cargo.current_dir(&workspace.root).stderr(Stdio::inherit()).output().context("can't start cargo")?;
    ensure!(output.status.success(), "{}: {cargo:?}", output.status);
    let id = &workspace.member(package)?.id;
    for message in Message::parse_stream(output.stdout.as_slice()) {
        if let Message::BuildScriptExecuted(script) = message?
            && script.package_id == *id
        {
            return Ok(script.out_dir.join("gridwright").into_std_path_buf());
        }
    }
    anyhow::bail!("cargo didn't say where the build script of {package} writes")
}

/// The files of a folder with an extension, by name.
///
/// # Errors
/// Where the folder can't be read.
pub(crate) fn with_extension(folder: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    Ok(files)
}
