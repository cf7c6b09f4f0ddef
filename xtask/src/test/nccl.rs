//! NVIDIA's own NCCL, from Python's package index, on a machine without a device: it has what our table names, of the same types.

use anyhow::ensure;

use crate::checked;
use crate::python::Python;
use crate::test::device;
use crate::workspace::Workspace;

/// The package, of which the header matters too: a download of 305 MB.
const PACKAGE: &str = "nvidia-nccl-cu13==2.32.3";

/// The variable with the library, for the test.
const REAL: &str = "GRIDWRIGHT_REAL_NCCL";

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !cfg!(all(target_os = "linux", target_pointer_width = "64")) {
        println!("SKIPPED: NCCL is built for Linux");
        return Ok(());
    }
    let Some(python) = device::found(Python::with(workspace, "nccl", &[PACKAGE]))? else { return Ok(()) };
    let library = python.package_folder("nvidia/nccl/lib")?.join("libnccl.so.2");
    ensure!(library.is_file(), "there is no {}", library.display());
    checked::test(workspace, &["nccl_library"]).variable(REAL, library).run_quietly()
}
