//! Memory that is allocated and freed in a stream's order. Each device has one pool; memory isn't kept for later.

use std::collections::HashSet;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::abi::{In, Out, Untyped};
use crate::context::{Context, current};
use crate::error::Error;
use crate::locks::lock;
use crate::memory::Origin;
use crate::process::process;
use crate::queue::Work;
use crate::registry::Handle;
use crate::stream;

pub(crate) struct Pool {
    context: &'static Context,
    used: AtomicU64,
    most_used: AtomicU64,
    /// Bytes that it may keep: it keeps none.
    threshold: AtomicU64,
    /// Which ways of reuse are allowed. None is used.
    reuse: [AtomicU64; 3],
    /// Other devices whose kernels reach its memory.
    open_to: Mutex<HashSet<usize>>,
}

impl Pool {
    pub(crate) fn new(context: &'static Context) -> Self {
        Self {
            context,
            used: AtomicU64::new(0),
            most_used: AtomicU64::new(0),
            threshold: AtomicU64::new(0),
            reuse: [const { AtomicU64::new(1) }; 3],
            open_to: Mutex::default(),
        }
    }

    pub(crate) fn is_open_to(&self, device: usize) -> bool {
        lock(&self.open_to).contains(&device)
    }

    pub(crate) fn took(&self, bytes: u64) {
        let used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.most_used.fetch_max(used, Ordering::Relaxed);
    }

    pub(crate) fn gave(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// `hipMemAccessDesc`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Access {
    /// 1 for a device.
    kind: c_int,
    device: c_int,
    /// 0 for none, 3 for reads and writes.
    flags: c_int,
}

fn find(pool: Handle) -> Result<Arc<Pool>, Error> {
    current()?;
    process()?.with_pools()?.pools.get(pool).ok_or(Error::INVALID_VALUE)
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
        Some(handle) => find(handle)?,
        None => {
            let gpu = &process.gpus[stream.context.device];
            let set = lock(&gpu.pool).as_ref().map(|(_, pool)| Arc::clone(pool));
            set.unwrap_or_else(|| Arc::clone(&gpu.default_pool.1))
        }
    };
    let context = pool.context;
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
        let process = process()?.with_pools()?;
        pool.put(process.gpu(device)?.default_pool.0)
    }

    fn hipDeviceGetMemPool(pool: Out<Handle>, device: c_int) {
        let gpu = process()?.with_pools()?.gpu(device)?;
        let set = lock(&gpu.pool).as_ref().map(|(handle, _)| *handle);
        pool.put(set.unwrap_or(gpu.default_pool.0))
    }

    /// The pool of `hipMallocAsync`.
    fn hipDeviceSetMemPool(device: c_int, pool: Handle) {
        let gpu = process()?.with_pools()?.gpu(device)?;
        let found = find(pool)?;
        *lock(&gpu.pool) = Some((pool, found));
        Ok(())
    }

    /// What is set is kept, and changes nothing.
    fn hipMemPoolSetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        let pool = find(pool)?;
        match attribute {
            1..=3 => {
                let allowed = value.input::<c_int>().get()?;
                pool.reuse[attribute as usize - 1].store(u64::from(allowed != 0), Ordering::Relaxed);
            }
            4 => pool.threshold.store(value.input::<u64>().get()?, Ordering::Relaxed),
            // Only zero: the highest use begins anew.
            6 | 8 if value.input::<u64>().get()? == 0 => {
                pool.most_used.store(pool.used.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            _ => return Err(Error::INVALID_VALUE),
        }
        Ok(())
    }

    fn hipMemPoolGetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        let pool = find(pool)?;
        match attribute {
            1..=3 => value.out().put(pool.reuse[attribute as usize - 1].load(Ordering::Relaxed) as c_int),
            4 => value.out().put(pool.threshold.load(Ordering::Relaxed)),
            5 | 7 => value.out().put(pool.used.load(Ordering::Relaxed)),
            6 | 8 => value.out().put(pool.most_used.load(Ordering::Relaxed)),
            _ => Err(Error::INVALID_VALUE),
        }
    }

    fn hipMemPoolSetAccess(pool: Handle, list: In<Access>, count: usize) {
        let pool = find(pool)?;
        let process = process()?;
        for index in 0..count {
            let Access { kind, device, flags } = list.at(index)?;
            let device = process.gpu(device)?.ordinal;
            if kind != 1 || (flags == 0 && device == pool.context.device) {
                return Err(Error::INVALID_VALUE);
            }
            match flags {
                0 => lock(&pool.open_to).remove(&device),
                3 => lock(&pool.open_to).insert(device),
                _ => return Err(Error::INVALID_VALUE),
            };
        }
        process.allocations.note_change();
        Ok(())
    }

    /// There is never anything to trim.
    fn hipMemPoolTrimTo(pool: Handle, _bytes: usize) {
        find(pool).map(|_| ())
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
