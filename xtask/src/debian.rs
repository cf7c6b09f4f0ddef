//! Debian's packages, unpacked below `target`: nothing is installed, and nobody needs rights for it.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use fs_err as fs;

use crate::call::Call;
use crate::files;
use crate::workspace::Workspace;

/// Packages that belong together.
pub(crate) struct Packages {
    /// Folder below `target`.
    pub(crate) folder: &'static str,
    /// Package that comes with those that it needs and that aren't installed, if there is one.
    pub(crate) package: Option<&'static str>,
    /// Packages that come alone.
    pub(crate) alone: &'static [&'static str],
}

impl Packages {
    /// The folder with what is in the packages, downloaded unless all is there that `is_whole` looks for.
    ///
    /// # Errors
    /// Where there is no `apt-get`, no such package, or not in it what is looked for.
    pub(crate) fn unpack(
        &self,
        workspace: &Workspace,
        is_whole: impl Fn(&Path) -> bool,
    ) -> anyhow::Result<PathBuf> {
        let kept = workspace.target(self.folder);
        if is_whole(&kept) {
            return Ok(kept);
        }
        // What an earlier call left half done is of no use.
        let new = workspace.target(&format!("{}.new", self.folder));
        for folder in [&new, &kept].into_iter().filter(|folder| folder.exists()) {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(&new)?;
        if let Err(error) = self.download(workspace, &new) {
            // A system that was just made has no lists of packages, and one that is old has lists of what is gone.
            Call::new(workspace, "apt-get").arguments(["update", "-qq"]).run().context(error)?;
            self.download(workspace, &new)?;
        }
        for package in files::with_extension(&new, "deb")? {
            Call::new(workspace, "dpkg")
                .arguments(["-x".as_ref(), package.as_os_str(), new.as_os_str()])
                .run()?;
            fs::remove_file(&package)?;
        }
        fs::rename(&new, &kept)?;
        ensure!(is_whole(&kept), "{} hasn't what is looked for", kept.display());
        Ok(kept)
    }

    /// Gets the packages.
    fn download(&self, workspace: &Workspace, folder: &Path) -> anyhow::Result<()> {
        let mut packages = self.package.map_or(Ok(Vec::new()), |package| missing(workspace, package))?;
        for package in self.package.iter().chain(self.alone) {
            // What is installed itself isn't among what would be.
            if !packages.iter().any(|name| name == package) {
                packages.push((*package).to_owned());
            }
        }
        println!("downloading {}", packages.join(" "));
        let download = Call::new(workspace, "apt-get").arguments(["download", "-q"]);
        download.arguments(packages).directory(folder).run()
    }
}

/// What would be installed with a package: what it needs and isn't there, and itself.
fn missing(workspace: &Workspace, package: &str) -> anyhow::Result<Vec<String>> {
    let simulation = ["--simulate", "--no-install-recommends", "install", package];
    let output = Call::new(workspace, "apt-get").arguments(simulation).output();
    let output = output.with_context(|| format!("the package {package} can't be had"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("apt-get knows no {package}; perhaps after `apt-get update`: {}", said.trim());
    }
    Ok(to_install(&String::from_utf8_lossy(&output.stdout)))
}

/// Where packages put the libraries for this kind of processor, of what was unpacked.
pub(crate) fn libraries(unpacked: &Path) -> PathBuf {
    unpacked.join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH))
}

/// A folder of libraries with a file, of any kind of processor: `usr/lib/x86_64-linux-gnu` of what was unpacked.
pub(crate) fn libraries_with(unpacked: &Path, file: &str) -> Option<PathBuf> {
    let machines = fs::read_dir(unpacked.join("usr/lib")).ok()?;
    machines.flatten().map(|machine| machine.path()).find(|folder| folder.join(file).exists())
}

/// The names in lines like `Inst libnuma1 (2.0.16-1 Debian:12.15/oldstable [amd64])`.
fn to_install(simulated: &str) -> Vec<String> {
    let lines = simulated.lines().filter_map(|line| line.strip_prefix("Inst "));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::to_install;

    #[test]
    fn what_apt_would_install_is_read() {
        let said = "Reading package lists...\nInst libhsakmt1 (5.2.3+dfsg-1 Debian:12.15/oldstable [amd64])\n\
                    Inst libamdhip64-5 (5.2.3-8 Debian:12.15/oldstable [amd64])\nConf libhsakmt1 (5.2.3+dfsg-1)\n";
        assert_eq!(to_install(said), ["libhsakmt1", "libamdhip64-5"]);
        assert!(to_install("libamdhip64-5 is already the newest version (5.2.3-8).\n").is_empty());
    }
}
