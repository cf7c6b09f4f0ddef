//! `cargo xtask emulated-cuda`: builds the emulated CUDA driver and lays it out where programs can find it.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::call::Call;
use crate::test::cuda::LIBRARY;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder for `libcuda.so` and `libcuda.so.1`; it is made if it isn't there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let folder = match &options.out {
        Some(folder) => std::path::absolute(folder)?,
        None => default_folder(workspace),
    };
    lay_out(workspace, &folder)?;
    println!(
        "The emulated CUDA driver is in {0}. Programs find it so:\n\n    LD_LIBRARY_PATH={0} PROGRAM\n",
        folder.display()
    );
    println!("emulator/emulated-cuda/README.md says which variables it reads.");
    Ok(())
}

/// The folder of the optimised driver, where no other is asked for.
pub(crate) fn default_folder(workspace: &Workspace) -> PathBuf {
    workspace.metadata.target_directory.join("emulated-cuda-release").into_std_path_buf()
}

/// Builds the driver, optimised, and copies it into a folder under the names that programs ask for.
///
/// # Errors
/// Where it can't be built, or the folder not be written.
pub(crate) fn lay_out(workspace: &Workspace, folder: &Path) -> anyhow::Result<()> {
    Call::cargo(workspace, "build --release --package gridwright-emulated-cuda").run()?;
    let built = workspace.metadata.target_directory.join("release").join(LIBRARY.file);
    std::fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    for name in LIBRARY.names {
        let copied = std::fs::copy(&built, folder.join(name));
        copied.with_context(|| format!("can't copy {built} to {}", folder.display()))?;
    }
    Ok(())
}
