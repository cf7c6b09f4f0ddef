//! The devices that tests run on.

use gridwright::DeviceKind;
use gridwright::prelude::*;
use gridwright_primitives::{self as primitives, Primitives};

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

/// Calls `test` with the primitives of each device, and with those of each GPU that find what is before tiles in launches of their own.
pub(crate) fn each_way(test: impl Fn(Primitives<'_>)) {
    each(|stream| {
        test(primitives::on(stream));
        if stream.device().kind() != DeviceKind::Cpu {
            test(primitives::on(stream).without_look_back());
        }
    });
}
