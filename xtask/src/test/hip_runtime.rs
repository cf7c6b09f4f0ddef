//! AMD's own HIP runtime, as Debian has it, on a machine without a device: the backend finds it, starts it, and says so.
//!
//! Nothing is installed: the packages are unpacked below `target`, 18 MB of downloads that become 77 MB.

use std::path::PathBuf;

use anyhow::Context;

use crate::checked;
use crate::debian::{Packages, libraries_with};
use crate::test::device;
use crate::workspace::Workspace;

/// The package, and the library in it. Newer releases of Debian have other numbers.
const PACKAGES: Packages = Packages { folder: "hip-runtime", package: Some("libamdhip64-5"), alone: &[] };
const LIBRARY: &str = "libamdhip64.so.5";

/// The variable with the folder of the library, for the test.
const FOLDER: &str = "GRIDWRIGHT_HIP_RUNTIME";

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let Some(folder) = device::found(folder(workspace))? else { return Ok(()) };
    checked::test(workspace, &["hip_runtime"]).variable(FOLDER, folder).run_quietly()
}

/// The folder with the runtime's library, downloaded if it isn't there.
fn folder(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let library = |unpacked: &std::path::Path| libraries_with(unpacked, LIBRARY);
    let unpacked = PACKAGES.unpack(workspace, |folder| library(folder).is_some());
    let unpacked = unpacked.context("Debian's HIP runtime can't be had")?;
    library(&unpacked).with_context(|| format!("{} has no {LIBRARY}", unpacked.display()))
}
