//! Memory that is allocated and freed in a stream's order.

use std::ffi::c_int;

use crate::abi::{In, Out, Untyped};
use crate::context::{Context, Hip, current};
use crate::error::Error;
use crate::memory::Origin;
use crate::process::process;
use crate::queue::Work;
use crate::registry::{Handle, Registry};
use crate::shared::pool::{self, Access, OfDevice, Pool, Pools, find};
use crate::stream;

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

/// Memory that streams may use behind this operation of `stream`. What another one writes to it before is lost.
fn allocate(address: Out<u64>, bytes: usize, pool: Option<Handle>, stream: Handle) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    let process = process()?.with_pools()?;
    if address.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    if bytes == 0 {
        return address.put(0);
    }
    let pool = match pool {
        Some(handle) => find::<Hip>(handle)?,
        None => process.gpus[stream.context.device].pools.current::<Hip>()?,
    };
    let context = process.gpus[pool.device].context;
    let new = process.allocations.allocate(process, context, bytes, Origin::Pool(pool), 0)?;
    // If it is freed before it is reached there is nothing to scramble.
    stream.submit(Work::run(move || {
        process.allocations.scramble(process, new, bytes as u64);
        Ok(())
    }))?;
    address.put(new)
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
        current()?;
        pool::set_current::<Hip>(device, pool)
    }

    fn hipMemPoolSetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        current()?;
        pool::set_attribute::<Hip>(pool, attribute, value)
    }

    fn hipMemPoolGetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        current()?;
        pool::put_attribute::<Hip>(pool, attribute, value)
    }

    fn hipMemPoolSetAccess(pool: Handle, list: In<Access>, count: usize) {
        current()?;
        let set = pool::set_access::<Hip>(pool, list, count);
        process()?.allocations.note_change();
        set
    }

    fn hipMemPoolTrimTo(pool: Handle, bytes: usize) {
        current()?;
        find::<Hip>(pool)?.trim(bytes as u64);
        Ok(())
    }

    fn hipMallocAsync(address: Out<u64>, bytes: usize, stream: Handle) {
        allocate(address, bytes, None, stream)
    }

    fn hipMallocFromPoolAsync(address: Out<u64>, bytes: usize, pool: Handle, stream: Handle) {
        allocate(address, bytes, Some(pool), stream)
    }

    /// Freed when the stream comes to it.
    fn hipFreeAsync(address: u64, stream: Handle) {
        let stream = stream::find(stream)?;
        let process = process()?.with_pools()?;
        process.allocations.leave(address)?;
        // Somebody may have freed it at once meanwhile.
        stream.submit(Work::run(move || {
            let _ = process.allocations.free(process, address, |origin| matches!(origin, Origin::Pool(_)));
            Ok(())
        }))?;
        Ok(())
    }
}
