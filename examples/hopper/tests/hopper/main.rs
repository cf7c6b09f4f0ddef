//! What NVIDIA's GPUs have from sm_90 on, by the tests of the examples' target `library`, on the emulator.
//!
//! Without images they run on the CPU and say so; with `GRIDWRIGHT_REQUIRE_DEVICE=1` they fail. This target is compiled for GPUs
//! too, for its kernels.

#[path = "../../../tests/library/bulk_copies.rs"]
mod bulk_copies;
#[path = "../../../tests/library/clusters.rs"]
mod clusters;
#[path = "../../../tests/library/levels.rs"]
mod levels;

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

/// There if there are images.
#[gpu_kernel]
fn nothing(_t: Thread) {}

/// The emulator.
#[host_only]
pub(crate) fn device() -> Result<Device, Error> {
    let emulator = Device::emulator()?;
    match nothing::load(&emulator) {
        Ok(_) => Ok(emulator),
        Err(error @ Error::ImageMissing { .. }) => {
            let is_required = std::env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| value == "1");
            assert!(!is_required, "{error}");
            println!("SKIPPED on the emulator: {error}");
            Device::cpu()
        }
        Err(error) => Err(error),
    }
}

/// The emulator has clusters: without them the tests would be content with a refusal.
#[test]
fn there_are_clusters() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let config = LaunchConfig::grid(4, 64).cluster(4);
    let launched = nothing::load(&device)?.launch(&stream, config, ());
    assert!(launched.is_ok() || !device.name().starts_with("emulated"), "{launched:?}");
    Ok(())
}
