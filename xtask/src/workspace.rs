//! Where the workspace is, and what cargo knows of it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use cargo_metadata::{Metadata, MetadataCommand, Package};

use crate::call::Call;

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

    /// A folder below that of what is built.
    pub(crate) fn target(&self, folder: &str) -> PathBuf {
        self.metadata.target_directory.join(folder).into_std_path_buf()
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

    /// The compiler, as it calls itself.
    pub(crate) fn compiler(&self) -> anyhow::Result<String> {
        Ok(Call::new(self, "rustc").arguments(["--version"]).said()?.trim().to_owned())
    }

    /// What git says of the workspace; nothing where there is no git, or it fails.
    pub(crate) fn git(&self, arguments: &[&str]) -> Option<String> {
        let output = Call::new(self, "git").arguments(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// Year, month and day, UTC.
pub(crate) fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}
