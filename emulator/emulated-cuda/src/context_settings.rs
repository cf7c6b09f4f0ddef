//! Settings of contexts that change nothing here, and calls that name a context in the current one's place.

use std::ffi::{c_int, c_uint};
use std::sync::atomic::Ordering;

use crate::abi::Out;
use crate::context::{current, find};
use crate::error::Error;
use crate::registry::Handle;

driver! {
    fn cuCtxGetSharedMemConfig(config: Out<c_int>) {
        config.put(current()?.own.bank_size.load(Ordering::Relaxed))
    }

    /// A preference of banks, without effect.
    fn cuCtxSetSharedMemConfig(config: c_int) {
        if !(0..=2).contains(&config) {
            return Err(Error::INVALID_VALUE);
        }
        current()?.own.bank_size.store(config, Ordering::Relaxed);
        Ok(())
    }

    /// There is no cache in which anything could persist.
    fn cuCtxResetPersistingL2Cache() {
        current().map(drop)
    }

    /// The current context, used once more.
    fn cuCtxAttach(context: Out<Handle>, flags: c_uint) {
        let current = current()?;
        if flags != 0 || context.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        current.own.uses.fetch_add(1, Ordering::Relaxed);
        context.put(current.handle)
    }

    fn cuCtxGetDevice_v2(device: Out<c_int>, context: Handle) {
        let context = if context == Handle::NULL { current()? } else { find(context)? };
        device.put(context.device as c_int)
    }

    fn cuCtxSynchronize_v2(context: Handle) {
        let context = if context == Handle::NULL { current()? } else { find(context)? };
        context.check()?;
        context.synchronize()
    }
}
