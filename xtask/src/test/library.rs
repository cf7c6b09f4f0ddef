//! Libraries of ours that stand in for a vendor's, where programs find them as that one.

use std::path::PathBuf;

use crate::checked;
use crate::files;
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
        let folder = workspace.target(self.folder);
        files::copy(&checked::folder(workspace).join(self.file), &folder, self.names)?;
        Ok(folder)
    }
}
