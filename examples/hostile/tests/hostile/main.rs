//! Kernels of every kind in a crate whose `core` is another, among names that mean something else, on the CPU and on the emulator.
//!
//! What doesn't compile here either, as it must, is in `ui`. Without images the kernels run on the CPU only; with
//! `GRIDWRIGHT_REQUIRE_DEVICE=1` that is a failure.
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), allow(unused_imports))]

extern crate gridwright_hostile as core;

mod levels;
mod methods;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
mod refusals;

#[gridwright::host_only]
pub(crate) use on_host::devices;

/// There if there are images.
#[gridwright::gpu_kernel]
fn nothing(_t: gridwright::Thread) {}

#[gridwright::host_only]
mod on_host {
    use gridwright::{Device, Error};

    /// The CPU, and the emulator if there are images.
    pub(crate) fn devices() -> Result<Vec<Device>, Error> {
        let emulator = Device::emulator()?;
        match super::nothing::load(&emulator) {
            Ok(_) => Ok(vec![Device::cpu()?, emulator]),
            Err(error @ Error::ImageMissing { .. }) => {
                let is_required =
                    std::env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| value == "1");
                assert!(!is_required, "{error}");
                println!("SKIPPED on the emulator: {error}");
                Ok(vec![Device::cpu()?])
            }
            Err(error) => Err(error),
        }
    }
}
