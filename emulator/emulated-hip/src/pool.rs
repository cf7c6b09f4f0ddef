//! Memory pools.

use std::ffi::c_int;

use crate::abi::{Out, Untyped};
use crate::error::Error;
use crate::process::process;
use crate::registry::{Handle, Registry};
use crate::shared::context::Vendor;
use crate::shared::pool::{self, OfDevice, Pool, Pools, find};
use crate::vendor::{Context, Hip};

static POOLS: Registry<Pool> = Registry::new(8);

impl Pools for Hip {
    fn pools() -> Result<&'static Registry<Pool>, Error> {
        process()?.with_pools()?;
        Ok(&POOLS)
    }

    fn of_device(device: c_int) -> Result<&'static OfDevice, Error> {
        Ok(&process()?.gpu(device)?.pools)
    }
}

/// What a synchronisation does to the pools of a device.
pub(crate) fn trim(context: &Context) {
    if let Ok(pools) = Hip::of_device(context.device as c_int) {
        pools.trim::<Hip>();
    }
}

hip! {
    fn hipDeviceGetDefaultMemPool(pool: Out<Handle>, device: c_int) {
        pool::put_default::<Hip>(pool, device)
    }

    fn hipDeviceGetMemPool(pool: Out<Handle>, device: c_int) {
        pool::put_current::<Hip>(pool, device)
    }

    /// The pool of `hipMallocAsync`.
    fn hipDeviceSetMemPool(device: c_int, pool: Handle) {
        Hip::current()?;
        pool::set_current::<Hip>(device, pool)
    }

    fn hipMemPoolSetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        Hip::current()?;
        pool::set_attribute::<Hip>(pool, attribute, value)
    }

    fn hipMemPoolGetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        Hip::current()?;
        pool::put_attribute::<Hip>(pool, attribute, value)
    }

    fn hipMemPoolTrimTo(pool: Handle, bytes: usize) {
        Hip::current()?;
        find::<Hip>(pool)?.trim(bytes as u64);
        Ok(())
    }
}
