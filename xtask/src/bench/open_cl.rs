//! OpenCL runtimes for the CPU, which the bench races against: Intel's and PoCL, from Python's package index or the system.

use std::path::PathBuf;

use anyhow::Context;
use fs_err as fs;

use crate::call::{Variables, library_path};
use crate::python::Python;
use crate::workspace::Workspace;

/// Intel's runtime and its libraries, and PoCL.
const PACKAGES: &[&str] =
    &["intel-opencl-rt==2026.2.0", "intel-cmplr-lib-rt==2026.2.0", "pocl-binary-distribution==3.0"];

/// Folder where PoCL's package puts its library, whose name has a hash, and what that begins with.
const POCL_FOLDER: &str = "pyopencl/.libs";
const POCL: &str = "libpocl-";

/// File in which a system's own PoCL, such as Debian's `pocl-opencl-icd`, tells loaders its library. It
/// comes before the package's, whose version fails on processors with AVX-512.
const SYSTEM_POCL: &str = "/etc/OpenCL/vendors/pocl.icd";

/// The variables with which a program finds the runtimes. Installs them the first time: 900 MB under `target/`.
pub(super) fn variables(workspace: &Workspace) -> anyhow::Result<Variables> {
    let python = Python::with(workspace, "opencl", PACKAGES)?;
    let libraries = python.libraries();
    let runtimes = std::env::join_paths([libraries.join("libintelocl.so"), pocl(&python)?])?;
    Ok(vec![("LD_LIBRARY_PATH", library_path(&[&libraries])?), ("OCL_ICD_FILENAMES", runtimes)])
}

fn pocl(python: &Python) -> anyhow::Result<PathBuf> {
    if let Ok(library) = fs::read_to_string(SYSTEM_POCL) {
        return Ok(library.trim().into());
    }
    let files = fs::read_dir(python.package_folder(POCL_FOLDER)?)?;
    let mut libraries = files.filter_map(|file| Some(file.ok()?.path()));
    let is_pocl =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(POCL));
    libraries.find(is_pocl).context("PoCL's package has no library")
}
