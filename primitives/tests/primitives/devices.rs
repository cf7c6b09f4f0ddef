//! The devices that tests run on.

use gridwright::prelude::*;

/// Calls `test` with a stream of the CPU, and one of the emulator if GPUs' code could be compiled here.
pub(crate) fn each(test: impl Fn(&Stream)) {
    for device in [Device::cpu(), Device::emulator()] {
        let stream = device.and_then(|device| device.stream()).unwrap();
        test(&stream);
    }
}
