//! `cargo xtask emulated-cuda`: builds the emulated CUDA driver and lays it out where programs can find it.

use std::path::{Path, PathBuf};

use crate::call::Call;
use crate::files;
use crate::test::cuda::LIBRARY;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder for `libcuda.so` and `libcuda.so.1`; it is made if it isn't there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let folder = lay_out(workspace, options.out.as_deref())?;
    println!(
        "The emulated CUDA driver is in {0}. Programs find it so:\n\n    LD_LIBRARY_PATH={0} PROGRAM\n",
        folder.display()
    );
    println!("emulator/emulated-cuda/README.md says which variables it reads.");
    Ok(())
}

/// Builds the driver, optimised, and copies it under the names that programs ask for: into this folder, or into one below `target`.
pub(crate) fn lay_out(workspace: &Workspace, folder: Option<&Path>) -> anyhow::Result<PathBuf> {
    let folder = folder.map_or_else(|| Ok(workspace.target("emulated-cuda-release")), std::path::absolute)?;
    Call::cargo(workspace, "build --release --package gridwright-emulated-cuda").run()?;
    files::copy(&workspace.target("release").join(LIBRARY.file), &folder, LIBRARY.names)?;
    Ok(folder)
}
