//! The devices that tests can be run on here, emulated ones among them.

use crate::test::{cuda, device, examples, hip};
use crate::workspace::Workspace;

/// How a program finds a device.
pub(crate) struct Place {
    pub(crate) variables: Vec<(&'static str, String)>,
    /// Whether all tests of the device library can be run there in one process and in seconds. What some do on purpose loses a
    /// driver's device, and the emulator of AMD's GPUs takes seconds for a kernel.
    pub(crate) has_library: bool,
}

/// Each device by its title, if it can be had. What is missing is said aloud, or an error where it is required.
pub(crate) fn places(workspace: &Workspace) -> anyhow::Result<Vec<(&'static str, Option<Place>)>> {
    let on = |device: &str, variables: &[(&'static str, String)]| {
        let device = ("GRIDWRIGHT_DEVICE", device.to_owned());
        let has_library = matches!(device.1.as_str(), "cpu" | "emulator");
        Some(Place { variables: [&[device][..], variables].concat(), has_library })
    };
    let mut places = vec![("CPU", on("cpu", &[]))];
    let mut emulated = [None, None];
    device::or_skip(workspace, || {
        let folder = cuda::LIBRARY.lay_out(workspace)?;
        let checks = (cuda::CHECKS.0, cuda::CHECKS.1.to_owned());
        let library = ("LD_LIBRARY_PATH", examples::library_path(&folder)?);
        let two = ("GRIDWRIGHT_EMULATOR_DEVICES", "2".to_owned());
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
