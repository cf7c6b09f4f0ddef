//! The devices that tests run on.

use gridwright::prelude::*;

/// Calls `test` with a stream of the device that `GRIDWRIGHT_DEVICE` names; without it, of the CPU and of the emulator.
pub(crate) fn each(test: impl Fn(&Stream)) {
    let devices = match std::env::var_os("GRIDWRIGHT_DEVICE") {
        Some(_) => vec![Device::from_env()],
        None => vec![Device::cpu(), Device::emulator()],
    };
    for device in devices {
        test(&device.and_then(|device| device.stream()).unwrap());
    }
}
