//! The tests of numba-cuda: kernels that Numba compiles from Python with NVIDIA's libNVVM.

use std::path::Path;

use anyhow::Context;

use super::run_module::{Files, to_the_end};
use super::{FOLDER, Prepared, Setup, Suite};
use crate::call::Call;
use crate::python::Python;
use crate::test::examples;

pub(super) const SUITE: Suite = Suite {
    name: "numba-cuda",
    title: "numba-cuda 0.20.1 on the emulated driver",
    about: "Its tests, unchanged, with CUDA 12.9's libNVVM, NVRTC and headers of Python's package index, and Numba's own binding to the driver, which hands over PTX.",
    prepare,
};

/// The packages that its tests need, at versions that go with it.
const PACKAGES: &[&str] = &[
    "numba-cuda==0.20.1",
    "numba==0.62.1",
    "llvmlite==0.45.1",
    "numpy==2.3.5",
    "nvidia-cuda-nvcc-cu12==12.9.86",
    "nvidia-cuda-nvrtc-cu12==12.9.86",
    "nvidia-cuda-runtime-cu12==12.9.79",
    "nvidia-cuda-cccl-cu12==12.9.27",
    // Modules of tests import these, whichever binding is used.
    "cuda-python==12.9.10",
    "cuda-core==0.7.0",
    "nvidia-nvjitlink-cu12==12.9.86",
    "pytest==9.2.0",
    "cffi==2.1.1",
    "filecheck==1.0.6",
    "psutil==7.2.2",
    "ml_dtypes==0.6.0",
];

/// Where its tests are among the packages.
const TESTS: &str = "numba_cuda/numba/cuda/tests";

fn prepare(setup: &Setup<'_>) -> anyhow::Result<Prepared> {
    let python = Python::with(setup.workspace, "numba-cuda", PACKAGES)?;
    let mut modules = Vec::new();
    modules_below(&python.package_folder(TESTS)?, "", &mut modules)?;
    modules.sort();
    let folder = setup.workspace.metadata.target_directory.join("suites/numba-cuda").into_std_path_buf();
    let runner = setup.workspace.root.join(FOLDER).join("module.py");
    let library_path = examples::library_path(&setup.driver)?;
    let interpreter = python.interpreter();
    std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let template = Call::new(setup.workspace, interpreter)
        .variable("LD_LIBRARY_PATH", library_path)
        // The other binding links with nvJitLink, which makes machine code.
        .variable("NUMBA_CUDA_USE_NVIDIA_BINDING", "0")
        .directory(&folder);
    let resume = setup.resume;
    let run = move |checks: &str, module: &str| {
        let files = Files::new(&folder, checks, module, resume)?;
        to_the_end(&files, || {
            let module = format!("numba.cuda.tests.{module}");
            let call = template.clone().variable("GRIDWRIGHT_EMULATOR_CHECKS", checks);
            call.arguments([runner.as_os_str(), files.outcomes.as_os_str()]).arguments([module])
        })
    };
    Ok(Prepared { modules, run: Box::new(run) })
}

/// Names of the modules with tests in a folder and those below it.
fn modules_below(folder: &Path, name: &str, modules: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))? {
        let path = entry?.path();
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        let of_this = if name.is_empty() { stem.to_owned() } else { format!("{name}.{stem}") };
        if path.is_dir() {
            modules_below(&path, &of_this, modules)?;
        } else if stem.starts_with("test_") && path.extension().is_some_and(|extension| extension == "py") {
            modules.push(of_this);
        }
    }
    Ok(())
}
