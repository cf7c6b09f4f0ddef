//! Memory of pools: allocated and freed in a stream's order, for those that may use it.

use crate::abi::{In, Out};
use crate::context::{Hip, current};
use crate::error::Error;
use crate::memory::{ALLOCATIONS, Origin};
use crate::process::process;
use crate::queue::Work;
use crate::registry::Handle;
use crate::shared::pool::{Access, find, set_access};
use crate::stream;

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
    let new = ALLOCATIONS.allocate(process, context, bytes, Origin::Pool(pool), 0)?;
    // If it is freed before it is reached there is nothing to scramble.
    stream.submit(Work::run(move || {
        ALLOCATIONS.scramble(process, new, bytes as u64);
        Ok(())
    }))?;
    address.put(new)
}

hip! {
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
        ALLOCATIONS.leave(address)?;
        // Somebody may have freed it at once meanwhile.
        stream.submit(Work::run(move || {
            let _ = ALLOCATIONS.free(process, address, |origin| matches!(origin, Origin::Pool(_)));
            Ok(())
        }))?;
        Ok(())
    }

    fn hipMemPoolSetAccess(pool: Handle, list: In<Access>, count: usize) {
        current()?;
        let set = set_access::<Hip>(pool, list, count);
        ALLOCATIONS.note_change();
        set
    }
}
