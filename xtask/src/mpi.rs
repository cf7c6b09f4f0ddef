//! Open MPI, which starts programs of several ranks and carries what they say: the machine's, or Debian's, unpacked below `target`.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::call::Call;
use crate::debian::{Packages, libraries_with};
use crate::files;
use crate::workspace::Workspace;

/// The variable with the program that starts ranks, for tests too.
pub(crate) const MPIRUN: &str = "GRIDWRIGHT_MPIRUN";

/// The program on the PATH.
const ON_PATH: &str = "mpirun";

/// Its packages: 8 MB of downloads that become 40 MB. The header comes alone, as its package needs a compiler of Fortran.
const PACKAGES: Packages =
    Packages { folder: "mpi", package: Some("openmpi-bin"), alone: &["libopenmpi-dev"] };

/// The programs' own program, which Debian's `mpirun` is a link to by way of a folder outside of the package.
const LAUNCHER: &str = "usr/bin/mpirun.openmpi";

/// What is unpacked, below a folder of libraries.
const HEADER: &str = "openmpi/include/mpi.h";

/// What Open MPI of any version says of itself, by whatever name it is called.
const OPEN_MPI: &str = "open-mpi.org";

/// How any Open MPI starts two ranks on any machine.
const TWO_RANKS: [&str; 4] = ["--allow-run-as-root", "--oversubscribe", "-n", "2"];

/// What to do without.
const INSTALL: &str = "programs of several ranks need Open MPI: install it, on Debian and Ubuntu with `apt-get install \
                       openmpi-bin libopenmpi-dev`, or name its `mpirun` in GRIDWRIGHT_MPIRUN";

/// A program that starts ranks.
pub(crate) struct Mpi {
    pub(crate) mpirun: String,
    /// Where it is from, in words.
    pub(crate) origin: &'static str,
}

impl Mpi {
    /// The one that is named, or else the one on the PATH, or else Debian's.
    ///
    /// # Errors
    /// Where there is none, or one that starts no ranks: with what to install.
    pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Self> {
        let found = if let Some(named) = std::env::var_os(MPIRUN).filter(|name| !name.is_empty()) {
            let mpirun = named.into_string().ok().with_context(|| format!("{MPIRUN} isn't UTF-8"))?;
            Self { mpirun, origin: "named by GRIDWRIGHT_MPIRUN" }
        } else if is_open_mpi(workspace, ON_PATH) {
            Self { mpirun: ON_PATH.to_owned(), origin: "on the PATH" }
        } else {
            let mpirun = wrapper(&unpacked(workspace).context(INSTALL)?)?;
            Self { mpirun, origin: "Debian's, unpacked below target" }
        };
        let mpirun = &found.mpirun;
        ensure!(is_open_mpi(workspace, mpirun), "{mpirun} isn't Open MPI's: {INSTALL}");
        let starts = Call::new(workspace, mpirun).arguments(TWO_RANKS).arguments(["true"]);
        starts.run().with_context(|| format!("{mpirun} starts no ranks: {INSTALL}"))?;
        Ok(found)
    }
}

/// The folder with `mpi.h`: the system's, or else Debian's.
///
/// # Errors
/// Where there is neither: with what to install.
pub(crate) fn headers(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = |root: &Path| {
        let header = libraries_with(root, HEADER)?.join(HEADER);
        header.parent().map(Path::to_owned)
    };
    if let Some(folder) = folder(Path::new("/")) {
        return Ok(folder);
    }
    let unpacked = unpacked(workspace).context(INSTALL)?;
    folder(&unpacked).context(INSTALL)
}

fn unpacked(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let is_whole = |folder: &Path| folder.join(LAUNCHER).exists() && libraries_with(folder, HEADER).is_some();
    PACKAGES.unpack(workspace, is_whole)
}

fn is_open_mpi(workspace: &Workspace, mpirun: &str) -> bool {
    let version = Call::new(workspace, mpirun).arguments(["--version"]).said();
    version.is_ok_and(|said| said.contains(OPEN_MPI))
}

/// A program that starts the unpacked one: it says to Open MPI where it lies, which its ranks know from it.
fn wrapper(root: &Path) -> anyhow::Result<String> {
    let libraries = libraries_with(root, HEADER).context("there is no mpi.h among Open MPI's packages")?;
    let (root, libraries) = (root.display(), libraries.display());
    let text = format!(
        "#!/bin/sh\n\
         # Written by `cargo xtask`: Debian's Open MPI, from a folder that it isn't installed in.\n\
         export OPAL_PREFIX='{root}/usr'\n\
         export PMIX_PKGLIBDIR='{libraries}/pmix2/lib/pmix'\n\
         export PMIX_PKGDATADIR='{libraries}/pmix2/share/pmix'\n\
         export LD_LIBRARY_PATH='{libraries}'\"${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\"\n\
         export PATH=\"$PATH\":'{root}/usr/bin'\n\
         exec '{root}/{LAUNCHER}' \"$@\"\n"
    );
    let path = format!("{root}/mpirun");
    files::write_program(path.as_ref(), &text)?;
    Ok(path)
}
