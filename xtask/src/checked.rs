//! The build that all checks share: one profile and one choice of packages and features, so that nothing is compiled twice.
//!
//! Chosen one by one, packages would have other features of their dependencies, and with those be other builds.

use std::path::PathBuf;

use crate::call::Call;
use crate::workspace::Workspace;

/// Profile that is optimised as a release, with the checks of a debug build.
pub(crate) const PROFILE: &str = "checked";

/// Packages and features that are chosen. Arguments after these narrow the targets down, and nothing else.
pub(crate) const SELECTION: [&str; 2] = ["--workspace", "--all-features"];

/// All kinds of targets but the benches.
pub(crate) const TARGETS: [&str; 4] = ["--lib", "--bins", "--examples", "--tests"];

/// A command of cargo, such as `test`.
pub(crate) fn cargo(workspace: &Workspace, command: &str) -> Call {
    Call::cargo(workspace, command).arguments(["--profile", PROFILE]).arguments(SELECTION)
}

/// `cargo test`, which names the tests that fail, and only those.
pub(crate) fn cargo_test(workspace: &Workspace) -> Call {
    cargo(workspace, "test").arguments(["--quiet"])
}

/// The tests of some targets.
pub(crate) fn test(workspace: &Workspace, targets: &[&str]) -> Call {
    cargo_test(workspace).arguments(targets.iter().flat_map(|target| ["--test", target]))
}

/// Builds all there is but the benches. Without the tests among it dependencies would have fewer features.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<()> {
    cargo(workspace, "build").arguments(TARGETS).run()
}

/// The folder where cargo puts what it builds.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target(PROFILE)
}
