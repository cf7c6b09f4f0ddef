//! Libraries of ours that stand in for a vendor's, where programs find them as that one.

use std::path::PathBuf;

use anyhow::Context;

use crate::call::Call;
use crate::workspace::Workspace;

pub(super) struct Library {
    /// The package that makes it.
    pub(super) package: &'static str,
    /// Its file as cargo names it.
    pub(super) file: &'static str,
    /// The folder that it is laid out in, below cargo's.
    pub(super) folder: &'static str,
    /// What programs ask for.
    pub(super) names: &'static [&'static str],
}

impl Library {
    /// Builds it and lays it out, without its tests.
    pub(super) fn build(&self, workspace: &Workspace) -> anyhow::Result<PathBuf> {
        Call::cargo(workspace, "build --release --package").arguments([self.package]).run()?;
        self.lay_out(workspace)
    }

    /// A folder with the library under the vendor's names, for `LD_LIBRARY_PATH`. It is built.
    pub(super) fn lay_out(&self, workspace: &Workspace) -> anyhow::Result<PathBuf> {
        let target = workspace.metadata.target_directory.as_std_path();
        let folder = target.join(self.folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        // Where its tests have found it.
        let built = target.join("release/deps").join(self.file);
        for name in self.names {
            let copied = std::fs::copy(&built, folder.join(name));
            copied.with_context(|| format!("can't copy {} to {}", built.display(), folder.display()))?;
        }
        Ok(folder)
    }
}
