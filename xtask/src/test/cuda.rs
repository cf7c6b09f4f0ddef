//! The CUDA backend on an emulated driver: its tests, and every example. The driver library's own are among the unit tests.

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
        let test = || checked::cargo_test(workspace);
        test()
            .arguments(["--test", "cuda", "--test", "records"])
            .variable("LD_LIBRARY_PATH", examples::library_path(&folder)?)
            .variable("GRIDWRIGHT_REQUIRE_CUDA", "1")
            .run_quietly()?;
        println!("the backend's tests");
        // Textures are the hardware's: their objects are made by the driver.
        test()
            .arguments(["--test", "library", "--", "textures::"])
            .variable("LD_LIBRARY_PATH", examples::library_path(&folder)?)
            .variable("GRIDWRIGHT_DEVICE", "cuda:0")
            .variable(CHECKS.0, CHECKS.1)
            .run_quietly()?;
        println!("textures");
        // Where memory isn't freed in stream order the backend keeps it until its uses are done.
        test()
            .arguments(["--test", "cuda", "--"])
            .arguments(OF_BUFFERS)
            .variable("LD_LIBRARY_PATH", examples::library_path(&folder)?)
            .variable("GRIDWRIGHT_REQUIRE_CUDA", "1")
            .variable("GRIDWRIGHT_EMULATOR_POOLS", "0")
            .run_quietly()?;
        println!("buffers without memory pools");
        for delay in ["0", "1000"] {
            test()
                .arguments(["--test", "on_host", "--test", "with_driver"])
                .variable("LD_LIBRARY_PATH", examples::library_path(&folder)?)
                .variable("GRIDWRIGHT_REQUIRE_CUDA", "1")
                .variable("GRIDWRIGHT_EMULATOR_DELAY_US", delay)
                .run_quietly()?;
        }
        println!("functions on copies of elements, and other libraries on a stream");
        let python = Python::with(workspace, "numpy", &["numpy==2.4.6"])?;
        // What isn't waited for is seen.
        test()
            .arguments(["--test", "dlpack"])
            .variable("LD_LIBRARY_PATH", examples::library_path(&folder)?)
            .variable("GRIDWRIGHT_REQUIRE_CUDA", "1")
            .variable("GRIDWRIGHT_NUMPY", python.interpreter().display().to_string())
            .variable("GRIDWRIGHT_EMULATOR_DELAY_US", "4000")
            .run_quietly()?;
        println!("arrays of Python");
        examples::on_cuda(workspace, &folder, CHECKS)
    })
}
