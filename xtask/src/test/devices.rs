//! The devices that tests can be run on here, emulated ones among them.

use std::ffi::OsString;

use anyhow::Context;
use serde::de::DeserializeOwned;

use crate::call::{Call, Variables, library_path};
use crate::test::{cuda, device, hip};
use crate::workspace::Workspace;

/// How a program finds a device.
pub(crate) struct Place {
    pub(crate) variables: Variables,
    /// Whether all tests of the device library can be run there in one process and in seconds. What some do on purpose loses a
    /// driver's device, and the emulator of AMD's GPUs takes seconds for a kernel.
    pub(crate) has_library: bool,
}

impl Place {
    /// What tests find on the device, each a line of the file that a variable names, and how they ended.
    pub(crate) fn measure<F: DeserializeOwned>(
        &self,
        tests: Call,
        results: &'static str,
        run: impl Fn(&Call) -> anyhow::Result<()>,
    ) -> anyhow::Result<(Vec<F>, anyhow::Result<()>)> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("results");
        let outcome = run(&tests.variable(results, &file).variables(&self.variables));
        let lines = fs_err::read_to_string(file).context("the tests left no results")?;
        let found: Result<_, _> = lines.lines().map(serde_json::from_str).collect();
        Ok((found.context("the tests' results aren't what they should be")?, outcome))
    }
}

/// Each device by its title, if it can be had. What is missing is said aloud, or an error where it is required.
pub(crate) fn places(workspace: &Workspace) -> anyhow::Result<Vec<(&'static str, Option<Place>)>> {
    let on = |device: &str, variables: &[(&'static str, OsString)]| {
        let variables = [&[("GRIDWRIGHT_DEVICE", device.into())], variables].concat();
        Some(Place { variables, has_library: matches!(device, "cpu" | "emulator") })
    };
    let mut places = vec![("CPU", on("cpu", &[]))];
    let mut emulated = [None, None];
    device::or_skip(workspace, || {
        let folder = cuda::LIBRARY.lay_out(workspace)?;
        let checks = (cuda::CHECKS.0, cuda::CHECKS.1.into());
        let library = ("LD_LIBRARY_PATH", library_path(&[&folder])?);
        let two = ("GRIDWRIGHT_EMULATOR_DEVICES", "2".into());
        emulated = [on("emulator", std::slice::from_ref(&checks)), on("cuda:0", &[checks, library, two])];
        Ok(())
    })?;
    let [in_process, driver] = emulated;
    places.extend([("NVIDIA, `emulator`", in_process), ("NVIDIA, emulated driver", driver)]);
    let mut amd = [None, None];
    if let Some(python) = device::amd_python(workspace)? {
        device::or_skip(workspace, || {
            let folder = hip::LIBRARY.lay_out(workspace)?;
            for (place, architecture) in amd.iter_mut().zip(hip::ARCHITECTURES) {
                *place = on("hip:0", &hip::variables(workspace, &folder, &python, architecture)?);
            }
            Ok(())
        })?;
    }
    places.extend(["AMD, emulated runtime, waves of 32", "waves of 64"].into_iter().zip(amd));
    Ok(places)
}
