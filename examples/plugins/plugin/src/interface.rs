//! What a program calls.

use std::slice;

use gridwright::{Device, Error};

use crate::add::add;
use gridwright::LaunchConfig;

/// What a call comes to: as numbers, since two libraries share no Rust types.
const DONE: i32 = 0;
const NO_CODE: i32 = 1;
const PANICKED: i32 = 2;
const FAILED: i32 = 3;

/// Adds `by` to each of `len` numbers in place, on the CPU, or on the emulated GPU if `is_emulated` isn't zero.
///
/// # Safety
/// `x` is the first of `len` numbers that nobody else accesses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridwright_plugin_add(is_emulated: i32, by: f32, x: *mut f32, len: usize) -> i32 {
    // SAFETY: `x` is the first of `len` numbers that nobody else accesses, as this function asks.
    let x = unsafe { slice::from_raw_parts_mut(x, len) };
    match run(is_emulated != 0, by, x) {
        Ok(()) => DONE,
        Err(Error::ImageMissing { .. }) => NO_CODE,
        Err(Error::KernelPanic { .. }) => PANICKED,
        Err(_) => FAILED,
    }
}

fn run(is_emulated: bool, by: f32, x: &mut [f32]) -> Result<(), Error> {
    let device = if is_emulated { Device::emulator()? } else { Device::cpu()? };
    let stream = device.stream()?;
    let (input, mut sums) = (stream.upload(x)?, stream.alloc_zeroed::<f32>(x.len())?);
    let config = LaunchConfig::threads(x.len());
    add::load(&device)?.launch(&stream, config, (by, &input, &mut sums))?;
    x.copy_from_slice(&stream.download(&sums)?);
    Ok(())
}
