//! The CUDA backend on an emulated driver: its tests, and every example. The driver library's own are among the unit tests.

use crate::call::library_path;
use crate::checked;
use crate::python::Python;
use crate::test::library::Library;
use crate::test::{device, examples};
use crate::workspace::Workspace;

/// The library of the emulated driver. Programs ask for either name.
pub(crate) const LIBRARY: Library = Library {
    file: "libgridwright_emulated_cuda.so",
    folder: "emulated-cuda",
    names: &["libcuda.so", "libcuda.so.1"],
};

/// How findings of the emulator's checks end a run.
pub(super) const CHECKS: (&str, &str) = ("GRIDWRIGHT_EMULATOR_CHECKS", "error");

/// The tests that allocate, use and drop memory on several streams, which run again on a driver without memory pools.
const OF_BUFFERS: [&str; 5] = ["allocations::", "copies::", "drops::", "streams::", "stress::"];

pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the driver library is built for Linux");
        return Ok(());
    }
    device::or_skip(workspace, || {
        let folder = LIBRARY.lay_out(workspace)?;
        let path = library_path(&[&folder])?;
        let test = |targets: &[&str]| {
            let test = checked::test(workspace, targets).variable("LD_LIBRARY_PATH", &path);
            test.variable("GRIDWRIGHT_REQUIRE_CUDA", "1")
        };
        test(&["cuda", "records"]).passes("the backend's tests")?;
        // Textures are the hardware's: their objects are made by the driver.
        let textures = test(&["library"]).arguments(["--", "textures::"]).variable(CHECKS.0, CHECKS.1);
        textures.variable("GRIDWRIGHT_DEVICE", "cuda:0").passes("textures")?;
        // Where memory isn't freed in stream order the backend keeps it until its uses are done.
        let buffers = test(&["cuda"]).arguments(["--"]).arguments(OF_BUFFERS);
        buffers.variable("GRIDWRIGHT_EMULATOR_POOLS", "0").passes("buffers without memory pools")?;
        for delay in ["0", "1000"] {
            let test = test(&["on_host", "with_driver"]);
            test.variable("GRIDWRIGHT_EMULATOR_DELAY_US", delay).run_quietly()?;
        }
        println!("functions on copies of elements, and other libraries on a stream");
        let python = Python::with(workspace, "numpy", &["numpy==2.4.6"])?;
        // What isn't waited for is seen.
        let arrays = test(&["dlpack"]).variable("GRIDWRIGHT_EMULATOR_DELAY_US", "4000");
        arrays.variable("GRIDWRIGHT_NUMPY", python.interpreter()).passes("arrays of Python")?;
        examples::on_cuda(workspace, &folder, CHECKS)
    })
}
