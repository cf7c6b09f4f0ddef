//! NVIDIA's NVRTC and CUDA runtime, as Python's package index has them, on the emulated driver. The tests are ours.

use anyhow::Context;

use super::{Prepared, Setup, Suite};
use crate::python::Python;

pub(super) const SUITE: Suite = Suite {
    name: "libraries",
    title: "NVIDIA's NVRTC and CUDA runtime on the emulated driver",
    about: "Programs of ours that call NVIDIA's own libraries, which find the emulated driver by themselves.",
    prepare,
};

/// A module's version of NVRTC and the runtime, with the headers that kernels include.
const VERSIONS: [(&str, [&str; 3]); 2] = [
    ("13.0", ["nvidia-cuda-nvrtc==13.0.88", "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-crt==13.0.88"]),
    ("13.5", ["nvidia-cuda-nvrtc==13.5.37", "nvidia-cuda-runtime==13.5.37", "nvidia-cuda-crt==13.5.37"]),
];

/// The number in the libraries' names, and the folder among these packages that has them.
const NUMBER: &str = "13";
const LIBRARIES: &str = "nvidia/cu13/lib";

fn prepare(setup: &Setup<'_>) -> anyhow::Result<Prepared> {
    let mut installed = Vec::new();
    for (module, packages) in VERSIONS {
        let python = Python::with(setup.workspace, &format!("nvrtc-{module}"), &packages)?;
        installed.push((module, setup.call(python.interpreter(), &[])?, python.package_folder(LIBRARIES)?));
    }
    let modules = VERSIONS.map(|(module, _)| module.to_owned());
    let call = move |module: &str| {
        let found = installed.iter().find(|(name, ..)| *name == module);
        let (_, python, libraries) = found.context("a module of this suite")?;
        Ok((python.clone(), vec![libraries.into(), NUMBER.into()]))
    };
    Ok(setup.prepared(&SUITE, "libraries.py", modules.into(), call))
}
