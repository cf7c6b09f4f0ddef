//! The device images that a build of the examples leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use cargo_metadata::Message;

use crate::checked;
use crate::workspace::Workspace;

/// The package whose images these are.
const PACKAGE: &str = "gridwright-examples";

/// Builds all there is, and returns the folder of the examples' images.
///
/// # Errors
/// Where the build fails; its messages are on the terminal.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--profile", checked::PROFILE, "--all-targets"]).args(checked::SELECTION);
    cargo.args(["--message-format", "json-render-diagnostics"]);
    let output =
        cargo.current_dir(&workspace.root).stderr(Stdio::inherit()).output().context("can't start cargo")?;
    ensure!(output.status.success(), "{}: {cargo:?}", output.status);
    let package = &workspace.member(PACKAGE)?.id;
    for message in Message::parse_stream(output.stdout.as_slice()) {
        if let Message::BuildScriptExecuted(script) = message?
            && script.package_id == *package
        {
            return Ok(script.out_dir.join("gridwright").into_std_path_buf());
        }
    }
    anyhow::bail!("cargo didn't say where the build script of {PACKAGE} writes")
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
