//! NVIDIA's NVRTC and CUDA runtime, as Python's package index has them, on the emulated driver. The tests are ours.

use anyhow::Context;

use super::run_module::{Files, to_the_end};
use super::{FOLDER, Prepared, Setup, Suite};
use crate::call::Call;
use crate::python::Python;
use crate::test::examples;

pub(super) const SUITE: Suite = Suite {
    name: "libraries",
    title: "NVIDIA's NVRTC and CUDA runtime on the emulated driver",
    about: "Programs of ours that call NVIDIA's own libraries, which find the emulated driver by themselves.",
    prepare,
};

/// NVRTC and the runtime of a version, the headers that kernels include, and the number in the libraries' names.
struct Version {
    module: &'static str,
    packages: &'static [&'static str],
    number: &'static str,
}

const VERSIONS: [Version; 2] = [
    Version {
        module: "13.0",
        packages: &["nvidia-cuda-nvrtc==13.0.88", "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-crt==13.0.88"],
        number: "13",
    },
    Version {
        module: "13.5",
        packages: &["nvidia-cuda-nvrtc==13.5.37", "nvidia-cuda-runtime==13.5.37", "nvidia-cuda-crt==13.5.37"],
        number: "13",
    },
];

/// The folder among these packages that has the libraries.
const LIBRARIES: &str = "nvidia/cu13/lib";

fn prepare(setup: &Setup<'_>) -> anyhow::Result<Prepared> {
    let folder = setup.workspace.metadata.target_directory.join("suites/libraries").into_std_path_buf();
    let runner = setup.workspace.root.join(FOLDER).join("libraries.py");
    let library_path = examples::library_path(&setup.driver)?;
    let mut installed = Vec::new();
    for version in &VERSIONS {
        let python = Python::with(setup.workspace, &format!("nvrtc-{}", version.module), version.packages)?;
        let call = Call::new(setup.workspace, python.interpreter())
            .variable("LD_LIBRARY_PATH", library_path.clone());
        installed.push((version, call, python.package_folder(LIBRARIES)?));
    }
    let resume = setup.resume;
    let run = move |checks: &str, module: &str| {
        let found = installed.iter().find(|(version, ..)| version.module == module);
        let (version, call, libraries) = found.context("a module of this suite")?;
        let files = Files::new(&folder, checks, module, resume)?;
        to_the_end(&files, || {
            let call = call.clone().variable("GRIDWRIGHT_EMULATOR_CHECKS", checks);
            let paths = [runner.as_os_str(), files.outcomes.as_os_str(), libraries.as_os_str()];
            call.arguments(paths).arguments([version.number])
        })
    };
    let modules = VERSIONS.iter().map(|version| version.module.to_owned()).collect();
    Ok(Prepared { modules, run: Box::new(run) })
}
