//! Debian's packages, unpacked below `target`: nothing is installed, and nobody needs rights for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::call::Call;
use crate::tools;
use crate::workspace::Workspace;

/// Packages that belong together.
pub(crate) struct Packages {
    /// Name of the folder below `target`.
    pub(crate) folder: &'static str,
    /// Package that comes with those that it needs and that aren't installed.
    pub(crate) package: &'static str,
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
        let target = workspace.metadata.target_directory.as_std_path();
        let kept = target.join(self.folder);
        if is_whole(&kept) {
            return Ok(kept);
        }
        // What an earlier call left half done is of no use.
        let new = target.join(format!("{}.new", self.folder));
        for folder in [&new, &kept] {
            if folder.exists() {
                fs::remove_dir_all(folder).with_context(|| format!("can't remove {}", folder.display()))?;
            }
        }
        fs::create_dir_all(&new).with_context(|| format!("can't make {}", new.display()))?;
        if let Err(error) = self.download(workspace, &new) {
            // A system that was just made has no lists of packages, and one that is old has lists of what is gone.
            Call::new(workspace, "apt-get").arguments(["update", "-qq"]).run().context(error)?;
            self.download(workspace, &new)?;
        }
        for entry in fs::read_dir(&new)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "deb") {
                Call::new(workspace, "dpkg")
                    .arguments(["-x".as_ref(), path.as_os_str(), new.as_os_str()])
                    .run()?;
                fs::remove_file(&path)?;
            }
        }
        fs::rename(&new, &kept).with_context(|| format!("can't make {}", kept.display()))?;
        ensure!(is_whole(&kept), "{} hasn't what is looked for", self.package);
        Ok(kept)
    }

    /// Gets the packages.
    fn download(&self, workspace: &Workspace, folder: &Path) -> anyhow::Result<()> {
        let packages = self.missing()?;
        println!("downloading {}", packages.join(" "));
        let download = Call::new(workspace, "apt-get").arguments(["download", "-q"]);
        download.arguments(packages).directory(folder).run()
    }

    /// The packages, with those that aren't installed of what they need.
    fn missing(&self) -> anyhow::Result<Vec<String>> {
        let package = self.package;
        let mut simulation = Command::new("apt-get");
        simulation.args(["--simulate", "--no-install-recommends", "install", package]);
        let output = simulation.output();
        let output = output
            .map_err(|error| tools::not_started("apt-get".as_ref(), None, error))
            .with_context(|| format!("the package {package} can't be had"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("apt-get knows no {package}; perhaps after `apt-get update`: {}", said.trim());
        }
        let mut packages = to_install(&String::from_utf8_lossy(&output.stdout));
        for package in [package].iter().chain(self.alone) {
            // What is installed itself isn't among what would be.
            if !packages.iter().any(|name| name == package) {
                packages.push((*package).to_owned());
            }
        }
        Ok(packages)
    }
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
