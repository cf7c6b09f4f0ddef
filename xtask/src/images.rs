//! The device images that builds leave.

use std::path::PathBuf;

use anyhow::Context;
use cargo_metadata::Message;

use crate::call::Call;
use crate::checked;
use crate::workspace::Workspace;

/// The package of the examples.
pub(crate) const EXAMPLES: &str = "gridwright-examples";

/// Builds all there is but the benches, and returns the folder of the examples' images.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let messages = messages(checked::cargo(workspace, "build").arguments(checked::TARGETS))?;
    folder(workspace, EXAMPLES, &messages)
}

/// Builds a package, and returns the folder of its images.
///
/// # Errors
/// Where the build fails; its messages are on the terminal.
pub(crate) fn build_package(workspace: &Workspace, package: &str) -> anyhow::Result<PathBuf> {
    let cargo = Call::cargo(workspace, "build --profile").arguments([checked::PROFILE, "--package", package]);
    folder(workspace, package, &messages(cargo)?)
}

/// What a command of cargo says of what it built.
///
/// # Errors
/// Where it fails; its messages to people are on the terminal.
pub(crate) fn messages(cargo: Call) -> anyhow::Result<Vec<Message>> {
    let printed = cargo.arguments(["--message-format", "json-render-diagnostics"]).printed()?;
    Ok(Message::parse_stream(printed.as_slice()).collect::<Result<_, _>>()?)
}

/// The folder of a package's images, from the messages of its build.
pub(crate) fn folder(workspace: &Workspace, package: &str, messages: &[Message]) -> anyhow::Result<PathBuf> {
    let id = &workspace.member(package)?.id;
    let folder = messages.iter().find_map(|message| match message {
        Message::BuildScriptExecuted(script) if script.package_id == *id => {
            Some(script.out_dir.join("gridwright"))
        }
        _ => None,
    });
    let folder =
        folder.with_context(|| format!("cargo didn't say where the build script of {package} writes"))?;
    Ok(folder.into())
}
