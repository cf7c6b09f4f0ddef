//! Where the workspace is, and what cargo knows of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use cargo_metadata::{Metadata, MetadataCommand, Package};

/// Files beside the manifest of a crate that is published, and so in its package.
pub(crate) const PUBLISHED_FILES: [&str; 3] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];

pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) metadata: Metadata,
}

impl Workspace {
    /// The workspace that this program was built in.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the workspace")?;
        let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
        Ok(Self { root: root.to_owned(), metadata })
    }

    /// A member's manifest.
    pub(crate) fn member(&self, name: &str) -> anyhow::Result<&Package> {
        let member = self.metadata.packages.iter().find(|package| package.name == name);
        member.with_context(|| format!("the workspace has no crate {name}"))
    }

    /// The members that are published.
    pub(crate) fn published(&self) -> impl Iterator<Item = &Package> {
        self.metadata
            .packages
            .iter()
            .filter(|package| package.publish.as_ref().is_none_or(|to| !to.is_empty()))
    }

    /// What git says of the workspace; nothing where there is no git, or it fails.
    pub(crate) fn git(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("git").args(arguments).current_dir(&self.root).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}
