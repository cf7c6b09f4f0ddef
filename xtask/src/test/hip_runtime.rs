//! AMD's own HIP runtime, as Debian has it, on a machine without a device: the backend finds it, starts it, and says so.
//!
//! Nothing is installed: the packages are unpacked below `target`, 18 MB of downloads that become 77 MB.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::call::Call;
use crate::checked;
use crate::test::device;
use crate::tools;
use crate::workspace::Workspace;

/// The package, and the library in it. Newer releases of Debian have other numbers.
const PACKAGE: &str = "libamdhip64-5";
const LIBRARY: &str = "libamdhip64.so.5";

/// The variable with the folder of the library, for the test.
const FOLDER: &str = "GRIDWRIGHT_HIP_RUNTIME";

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let Some(folder) = device::found(folder(workspace))? else { return Ok(()) };
    let test = checked::cargo_test(workspace).arguments(["--test", "hip_runtime"]);
    test.variable(FOLDER, folder.display().to_string()).run_quietly()
}

/// The folder with the runtime's library, downloaded if it isn't there.
fn folder(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let target = workspace.metadata.target_directory.as_std_path();
    let kept = target.join("hip-runtime");
    if let Some(folder) = library_folder(&kept) {
        return Ok(folder);
    }
    // What an earlier call left half done is of no use.
    let new = target.join("hip-runtime.new");
    for folder in [&new, &kept] {
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("can't remove {}", folder.display()))?;
        }
    }
    fs::create_dir_all(&new).with_context(|| format!("can't make {}", new.display()))?;
    if let Err(error) = download(workspace, &new) {
        // A system that was just made has no lists of packages, and one that is old has lists of what is gone.
        Call::new(workspace, "apt-get").arguments(["update", "-qq"]).run().context(error)?;
        download(workspace, &new)?;
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
    library_folder(&kept).with_context(|| format!("{PACKAGE} has no {LIBRARY}"))
}

/// Gets the packages.
fn download(workspace: &Workspace, folder: &Path) -> anyhow::Result<()> {
    let packages = packages()?;
    println!("downloading {}", packages.join(" "));
    Call::new(workspace, "apt-get").arguments(["download", "-q"]).arguments(packages).directory(folder).run()
}

/// Where the library lies among what was unpacked.
fn library_folder(unpacked: &Path) -> Option<PathBuf> {
    let machines = fs::read_dir(unpacked.join("usr/lib")).ok()?;
    machines.flatten().map(|machine| machine.path()).find(|folder| folder.join(LIBRARY).exists())
}

/// The package with those that it needs and that aren't installed.
fn packages() -> anyhow::Result<Vec<String>> {
    let mut simulation = Command::new("apt-get");
    simulation.args(["--simulate", "--no-install-recommends", "install", PACKAGE]);
    let output = simulation.output();
    let output = output
        .map_err(|error| tools::not_started("apt-get".as_ref(), None, error))
        .context("Debian's HIP runtime can't be had")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("apt-get knows no {PACKAGE}; perhaps after `apt-get update`: {}", said.trim());
    }
    let mut packages = to_install(&String::from_utf8_lossy(&output.stdout));
    // It is installed itself, where a developer has ROCm of Debian's.
    if !packages.iter().any(|name| name == PACKAGE) {
        packages.push(PACKAGE.to_owned());
    }
    Ok(packages)
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
