//! The devices that kernels are compared on.

use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::call::{Call, Variables};
use crate::files;
use crate::test;
use crate::workspace::Workspace;

/// A device and how a program finds it.
#[derive(Clone, Debug)]
pub(super) struct Device {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) variables: Variables,
    /// How many threads a kernel has on it.
    pub(super) threads: usize,
}

/// What compiles a device's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Cpu,
    Nvidia,
    Amd(&'static str),
}

impl Kind {
    /// Whether one compiler's code runs on both.
    pub(super) fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    pub(super) fn architecture(self) -> Option<&'static str> {
        match self {
            Self::Cpu => None,
            Self::Nvidia => Some("sm_80"),
            Self::Amd(name) => Some(name),
        }
    }
}

/// The names that `--device` takes.
const NAMES: [&str; 4] = ["cpu", "emulator", "gfx1100", "gfx942"];

/// Threads on devices that are fast, and on emulated AMD GPUs, which take a second for a launch.
const THREADS: usize = 256;
const AMD_THREADS: usize = 64;

/// The devices of these names; without any, all that can be had.
///
/// # Errors
/// Where a device that was named can't be had.
pub(super) fn of(workspace: &Workspace, fuzz: &Path, names: &[String]) -> anyhow::Result<Vec<Device>> {
    if let Some(unknown) = names.iter().find(|name| !NAMES.contains(&name.as_str())) {
        bail!("no device {unknown}; there are {}", NAMES.join(", "));
    }
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut devices = Vec::new();
    let on = |name: String, kind: Kind, variables: &[(&'static str, &str)]| {
        let variables = variables.iter().map(|(name, value)| (*name, value.into())).collect();
        Device { name, kind, variables, threads: THREADS }
    };
    if is_wanted("cpu") {
        devices.extend(test::available_isas().into_iter().map(|isa| {
            let variables = [("GRIDWRIGHT_DEVICE", "cpu"), ("GRIDWRIGHT_CPU_ISA", isa)];
            on(format!("cpu, {isa}"), Kind::Cpu, &variables)
        }));
    }
    if is_wanted("emulator") {
        devices.push(on("emulator".into(), Kind::Nvidia, &[("GRIDWRIGHT_DEVICE", "emulator")]));
    }
    let amd: Vec<&'static str> = test::AMD_ARCHITECTURES.into_iter().filter(|name| is_wanted(name)).collect();
    if !amd.is_empty() {
        let python = test::amd_python(workspace)?;
        ensure!(python.is_some() || names.is_empty(), "no emulator of AMD's GPUs is set");
        if let Some(python) = python {
            let folder = runtime(workspace, fuzz)?;
            for architecture in amd {
                let mut variables = test::hip_variables(workspace, &folder, &python, architecture)?;
                variables.push(("GRIDWRIGHT_DEVICE", "hip:0".into()));
                let kind = Kind::Amd(architecture);
                devices.push(Device { name: architecture.into(), kind, variables, threads: AMD_THREADS });
            }
        }
    }
    Ok(devices)
}

/// The emulated runtime alone, built in the fuzzer's own target folder.
fn runtime(workspace: &Workspace, fuzz: &Path) -> anyhow::Result<std::path::PathBuf> {
    let target = fuzz.join("target");
    let build = Call::cargo(workspace, "build --quiet --package gridwright-emulated-hip --target-dir");
    build.arguments([&target]).run().context("the emulated runtime doesn't build")?;
    let folder = fuzz.join("emulated-hip");
    let built = target.join("debug").join(test::HIP_LIBRARY.file);
    files::copy(&built, &folder, test::HIP_LIBRARY.names)?;
    Ok(folder)
}
