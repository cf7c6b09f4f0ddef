//! Tools that Python's package index has: each set in an environment of its own under `target/`.

use std::path::PathBuf;

use anyhow::Context;
use fs_err as fs;

use crate::call::Call;
use crate::workspace::Workspace;

/// A Python environment with some packages.
pub(crate) struct Python {
    folder: PathBuf,
}

impl Python {
    /// The environment of a name, made if it isn't there or has other packages.
    ///
    /// # Errors
    /// Without Python 3 with `venv`, or where the packages can't be had.
    pub(crate) fn with(workspace: &Workspace, name: &str, packages: &[&str]) -> anyhow::Result<Self> {
        let python = Self { folder: workspace.target("python").join(name) };
        // Written last: an environment that was interrupted is made anew.
        let record = python.folder.join("packages.txt");
        let wanted = packages.join("\n");
        if fs::read_to_string(&record).is_ok_and(|had| had == wanted) {
            return Ok(python);
        }
        println!("installing {} into {}", packages.join(", "), python.folder.display());
        let venv = Call::new(workspace, "python3").arguments(["-m", "venv", "--clear"]);
        venv.arguments([&python.folder]).run()?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        Call::new(workspace, python.interpreter()).arguments(pip).arguments(packages).run()?;
        fs::write(&record, wanted)?;
        Ok(python)
    }

    /// The environment's Python.
    pub(crate) fn interpreter(&self) -> PathBuf {
        self.folder.join("bin").join("python3")
    }

    /// Where packages put shared libraries.
    pub(crate) fn libraries(&self) -> PathBuf {
        self.folder.join("lib")
    }

    /// A folder among the packages, by what comes after `site-packages`.
    pub(crate) fn package_folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let versions = fs::read_dir(self.folder.join("lib"))?;
        let folders =
            versions.filter_map(|version| Some(version.ok()?.path().join("site-packages").join(name)));
        let mut present = folders.filter(|folder| folder.is_dir());
        present.next().with_context(|| format!("no Python package has a folder {name}"))
    }
}
