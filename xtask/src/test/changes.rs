//! Which files differ from a commit.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::workspace::Workspace;

/// The files that differ between a commit and what is on disk, those that git doesn't know yet among them: paths from the workspace's
/// root.
///
/// # Errors
/// Outside a repository, or where there is no such commit.
pub(super) fn since(workspace: &Workspace, reference: &str) -> anyhow::Result<BTreeSet<String>> {
    let commit = format!("{reference}^{{commit}}");
    if git(workspace, &["rev-parse", "--verify", "--quiet", &commit]).is_err() {
        git(workspace, &["rev-parse", "--git-dir"])
            .context("--changed asks git, and this isn't a repository of it")?;
        bail!("git knows no commit `{reference}`");
    }
    let mut files = git(workspace, &["diff", "--name-only", "--no-renames", reference])?;
    files.push_str(&git(workspace, &["ls-files", "--others", "--exclude-standard"])?);
    Ok(files.lines().map(str::to_owned).collect())
}

fn git(workspace: &Workspace, arguments: &[&str]) -> anyhow::Result<String> {
    let mut command = Command::new("git");
    let output = command.args(arguments).current_dir(&workspace.root).output().context("can't start git")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git {}: {}", arguments.join(" "), said.trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
