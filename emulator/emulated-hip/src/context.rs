//! What a device is to the program: its streams, and the error that stays. HIP's contexts are its devices.

use std::cell::Cell;
use std::ffi::{c_int, c_uint};

use crate::abi::Out;
use crate::error::Error;
use crate::process::process;
use crate::registry::Handle;
use crate::shared::context::Vendor;
use crate::shared::stream::priorities;
use crate::vendor::CONTEXTS;
pub(crate) use crate::vendor::{Context, Hip};
use crate::{callback, pool};

impl Vendor for Hip {
    type OfContext = ();
    type OfStream = ();

    const LEAST_PRIORITY: c_int = 1;
    const GREATEST_PRIORITY: c_int = -1;

    fn check() -> Result<(), Error> {
        process().map(drop)
    }

    fn current() -> Result<&'static Context, Error> {
        current()
    }

    fn delay() -> u64 {
        process().map_or(0, |process| process.settings.delay)
    }

    fn synchronized(context: &'static Context) {
        pool::trim(context);
    }
}

thread_local! {
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// The current device, whatever its state.
pub(crate) fn selected() -> Result<&'static Context, Error> {
    let process = process()?;
    if callback::is_running() {
        return Err(Error::NOT_SUPPORTED);
    }
    process.gpus.get(CURRENT.get()).map(|gpu| gpu.context).ok_or(Error::NO_DEVICE)
}

/// The current device.
///
/// # Errors
/// Where there is none, or an error stays.
pub(crate) fn current() -> Result<&'static Context, Error> {
    let context = selected()?;
    context.check()?;
    Ok(context)
}

/// The context of a handle.
///
/// # Errors
/// For what isn't one.
fn find(handle: Handle) -> Result<&'static Context, Error> {
    process()?;
    CONTEXTS.get(handle).map(|context| *context).ok_or(Error::INVALID_CONTEXT)
}

fn select(context: &Context) -> Result<(), Error> {
    selected()?;
    CURRENT.set(context.device);
    Ok(())
}

hip! {
    fn hipSetDevice(device: c_int) {
        let context = process()?.gpu(device)?.context;
        select(context)
    }

    fn hipGetDevice(device: Out<c_int>) {
        device.put(selected()?.device as c_int)
    }

    fn hipDeviceSynchronize() {
        current()?.synchronize()
    }

    /// Lower numbers are more urgent. Priorities have no effect.
    fn hipDeviceGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) {
        priorities::<Hip>(least, greatest)
    }

    fn hipDevicePrimaryCtxRetain(context: Out<Handle>, device: c_int) {
        context.put(process()?.gpu(device)?.context.handle)
    }

    /// A device stays as it is.
    fn hipDevicePrimaryCtxRelease(device: c_int) {
        process()?.gpu(device).map(|_| ())
    }

    fn hipCtxGetCurrent(context: Out<Handle>) {
        context.put(selected()?.handle)
    }

    fn hipCtxSetCurrent(context: Handle) {
        select(find(context)?)
    }

    fn hipCtxGetDevice(device: Out<c_int>) {
        device.put(selected()?.device as c_int)
    }

    fn hipCtxSynchronize() {
        current()?.synchronize()
    }

    /// Ways to wait, which change nothing.
    fn hipSetDeviceFlags(flags: c_uint) {
        current()?;
        if flags & !0x1f != 0 { Err(Error::INVALID_VALUE) } else { Ok(()) }
    }
}
