//! Libraries of ours that stand in for a vendor's, where programs find them as that one.

use std::path::PathBuf;

use anyhow::Context;

use crate::checked;
use crate::workspace::Workspace;

pub(crate) struct Library {
    /// The library's file as cargo names it.
    pub(crate) file: &'static str,
    /// The folder that the library is laid out in, below cargo's.
    pub(super) folder: &'static str,
    /// The names that programs ask for.
    pub(crate) names: &'static [&'static str],
}

impl Library {
    /// A folder with the library under the vendor's names, for `LD_LIBRARY_PATH`.
    pub(super) fn lay_out(&self, workspace: &Workspace) -> anyhow::Result<PathBuf> {
        checked::build(workspace)?;
        let target = workspace.metadata.target_directory.as_std_path();
        let folder = target.join(self.folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        let built = checked::folder(workspace).join(self.file);
        for name in self.names {
            let copied = std::fs::copy(&built, folder.join(name));
            copied.with_context(|| format!("can't copy {} to {}", built.display(), folder.display()))?;
        }
        Ok(folder)
    }
}
