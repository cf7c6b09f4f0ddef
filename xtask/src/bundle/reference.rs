//! nvcc's kernels, as source and compiled, and CUB's.

use std::path::Path;

use anyhow::{Context, ensure};
use fs_err as fs;

use crate::codegen::nvidia::{SOURCE, TWINS_SOURCE};
use crate::codegen::toolkit::Toolkit;
use crate::files;
use crate::workspace::Workspace;

/// The source that is compiled, from the workspace's root. It includes the others, by their names.
const WHOLE: &str = "xtask/src/codegen/reference.cu";

/// Architectures that there is machine code for; other GPUs have their driver compile the PTX, which is for
/// the first.
const ARCHITECTURES: &[u32] = &[80, 86, 89, 90, 100, 120];

/// The library of CUB's algorithms that `primitives_gpu` races, and its name in the folder.
const CUB: &str = "primitives/races/cpp/cub.cu";
const CUB_LIBRARY: &str = "libcub.so";

/// An image of ours, whose version of PTX the reference is given too.
const OURS: &str = "lib-gridwright_examples.sm_80.ptx";

/// Puts the sources, a fat binary, PTX and CUB's library into a folder.
///
/// # Errors
/// Where nvcc can't be installed, or fails.
pub(super) fn compile(workspace: &Workspace, images: &Path, folder: &Path) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let copy = |source: &str| {
        let from = workspace.root.join(source);
        files::copy(&from, folder, from.file_name().as_slice())?;
        anyhow::Ok(folder.join(from.file_name().unwrap_or_default()))
    };
    for included in [SOURCE, TWINS_SOURCE] {
        copy(included)?;
    }
    let (source, ptx) = (copy(WHOLE)?, folder.join("kernels.ptx"));
    toolkit.compile_for(&source, ARCHITECTURES, &folder.join("kernels.fatbin"))?;
    toolkit.compile_to_ptx(&source, ARCHITECTURES[0], &ptx)?;
    toolkit.compile_library(&copy(CUB)?, ARCHITECTURES, &folder.join(CUB_LIBRARY))?;

    // nvcc names its own newest version, which drivers older than it refuse. The assembler says whether the code is older.
    let ours = fs::read_to_string(images.join(OURS))?;
    let ours = version(&ours).with_context(|| format!("{OURS} has no version"))?;
    let text = fs::read_to_string(&ptx)?;
    let newest = version(&text).context("nvcc's PTX has no version")?;
    fs::write(&ptx, text.replacen(newest, ours, 1))?;
    let scratch = tempfile::tempdir()?;
    let kernels = toolkit.assemble(&ptx, &scratch.path().join("kernels.cubin"))?;
    ensure!(!kernels.is_empty(), "nvcc's PTX has no kernels");
    Ok(())
}

/// The line of a text that says of which version it is.
fn version(ptx: &str) -> Option<&str> {
    ptx.lines().find(|line| line.starts_with(".version "))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn the_version_is_a_line_of_its_own() {
        assert_eq!(version("//\n// .version 1.0\n.version 9.5\n.target sm_80\n"), Some(".version 9.5"));
        assert_eq!(version(".target sm_80\n"), None);
    }
}
