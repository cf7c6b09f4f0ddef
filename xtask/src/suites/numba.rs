//! The tests of numba-cuda: kernels that Numba compiles from Python with NVIDIA's libNVVM.

use itertools::Itertools;

use super::{Prepared, Setup, Suite};
use crate::files;
use crate::python::Python;

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
    let tests = python.package_folder(TESTS)?;
    let mut modules: Vec<_> = files::with_extension(&tests, "py")?
        .iter()
        .filter(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("test_")))
        .filter_map(|file| Some(file.strip_prefix(&tests).ok()?.with_extension("")))
        .map(|module| module.iter().map(|part| part.to_string_lossy()).join("."))
        .collect();
    modules.sort();
    let folder = setup.folder(&SUITE);
    fs_err::create_dir_all(&folder)?;
    let python = setup.call(python.interpreter(), &[])?.directory(folder);
    // The other binding links with nvJitLink, which makes machine code.
    let python = python.variable("NUMBA_CUDA_USE_NVIDIA_BINDING", "0");
    let call = move |module: &str| Ok((python.clone(), vec![format!("numba.cuda.tests.{module}").into()]));
    Ok(setup.prepared(&SUITE, "module.py", modules, call))
}
