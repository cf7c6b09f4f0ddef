//! Memory pools. What they give other devices is kept: kernels reach all devices anyway.

use std::ffi::c_int;

use crate::abi::{In, Out, Untyped};
use crate::error::Error;
use crate::process::process;
use crate::registry::{Handle, Registry};
use crate::shared::pool::{self, Access, Location, ON_DEVICE, OfDevice, Pool, Pools, find};
use crate::vendor::{Context, Cuda};

static POOLS: Registry<Pool> = Registry::new(8);

impl Pools for Cuda {
    fn pools() -> Result<&'static Registry<Pool>, Error> {
        process()?.with_pools()?;
        Ok(&POOLS)
    }

    fn of_device(device: c_int) -> Result<&'static OfDevice, Error> {
        Ok(&process()?.gpu(device)?.pools)
    }
}

/// What a synchronisation does to the pools of a context's device.
pub(crate) fn trim(context: &Context) {
    if let Ok(pools) = Cuda::of_device(context.device as c_int) {
        pools.trim::<Cuda>();
    }
}

/// The front of `CUmemPoolProps`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Properties {
    allocation_type: c_int,
    handle_types: c_int,
    location_type: c_int,
    location: c_int,
}

pub(crate) const PINNED: c_int = 1;

driver! {
    fn cuDeviceGetDefaultMemPool(pool: Out<Handle>, device: c_int) {
        pool::put_default::<Cuda>(pool, device)
    }

    fn cuDeviceGetMemPool(pool: Out<Handle>, device: c_int) {
        pool::put_current::<Cuda>(pool, device)
    }

    fn cuDeviceSetMemPool(device: c_int, pool: Handle) {
        pool::set_current::<Cuda>(device, pool)
    }

    fn cuMemPoolCreate(pool: Out<Handle>, properties: In<Properties>) {
        let process = process()?.with_pools()?;
        let properties = properties.get()?;
        if pool.is_null() || properties.allocation_type != PINNED || properties.location_type != ON_DEVICE {
            return Err(Error::INVALID_VALUE);
        }
        if properties.handle_types != 0 {
            return Err(Error::NOT_SUPPORTED);
        }
        let device = process.gpu(properties.location)?.ordinal;
        pool.put(POOLS.insert_with(|handle| Pool::new(device, handle)).0)
    }

    /// What was allocated from it stays. A device whose pool it was has its default again.
    fn cuMemPoolDestroy(pool: Handle) {
        pool::destroy::<Cuda>(pool)
    }

    fn cuMemPoolTrimTo(pool: Handle, keep: usize) {
        find::<Cuda>(pool)?.trim(keep as u64);
        Ok(())
    }

    fn cuMemPoolGetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        pool::put_attribute::<Cuda>(pool, attribute, value)
    }

    /// The high marks can be set to zero, which makes them the current values.
    fn cuMemPoolSetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        pool::set_attribute::<Cuda>(pool, attribute, value)
    }
    /// The pool's own device always has access.
    fn cuMemPoolSetAccess(pool: Handle, accesses: In<Access>, count: usize) {
        pool::set_access::<Cuda>(pool, accesses, count)
    }

    fn cuMemPoolGetAccess(flags: Out<c_int>, pool: Handle, location: In<Location>) {
        flags.put(find::<Cuda>(pool)?.access(location.get()?.device::<Cuda>()?))
    }
}
