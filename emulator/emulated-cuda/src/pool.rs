//! Memory pools. They count; freed memory goes back to the device at once.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::abi::{In, Out, Untyped};
use crate::device::Gpu;
use crate::error::Error;
use crate::locks::lock;
use crate::process::{Process, process};
use crate::registry::Handle;

pub(crate) struct Pool {
    pub(crate) handle: Handle,
    pub(crate) device: usize,
    /// Whether freed memory may be given out again across streams, for three reasons. Kept, without effect.
    reuse: [AtomicI32; 3],
    /// Bytes that a synchronisation leaves with the pool.
    threshold: AtomicU64,
    used: Watermark,
    reserved: Watermark,
    /// What other devices may do with its memory. Kept: kernels reach all devices anyway.
    access: Mutex<HashMap<usize, c_int>>,
}

/// Bytes now, and the most there were.
#[derive(Default)]
pub(crate) struct Watermark {
    current: AtomicU64,
    high: AtomicU64,
}

impl Watermark {
    pub(crate) fn set(&self, bytes: u64) {
        self.current.store(bytes, Ordering::Relaxed);
        self.high.fetch_max(bytes, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.current.load(Ordering::Relaxed)
    }

    pub(crate) fn most(&self) -> u64 {
        self.high.load(Ordering::Relaxed)
    }

    /// Makes the most what there is now.
    pub(crate) fn lower(&self) {
        self.high.store(self.get(), Ordering::Relaxed);
    }
}

impl Pool {
    fn new(device: usize, handle: Handle) -> Self {
        Self {
            handle,
            device,
            reuse: [1, 1, 1].map(AtomicI32::new),
            threshold: AtomicU64::new(0),
            used: Watermark::default(),
            reserved: Watermark::default(),
            access: Mutex::default(),
        }
    }

    /// Called with the table of allocations locked, so that counts are right.
    pub(crate) fn took(&self, bytes: u64) {
        self.used.set(self.used.get() + bytes);
        self.reserved.set(self.reserved.get().max(self.used.get()));
    }

    pub(crate) fn gave(&self, bytes: u64) {
        self.used.current.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn trim(&self, keep: u64) {
        self.reserved.set(self.used.get().max(self.reserved.get().min(keep)));
    }
}

impl Gpu {
    fn default_pool(&self, process: &Process) -> (Handle, Arc<Pool>) {
        let mut pools = lock(&self.pools);
        let (handle, pool) = pools
            .default
            .get_or_insert_with(|| process.pools.insert_with(|handle| Pool::new(self.ordinal, handle)));
        (*handle, Arc::clone(pool))
    }

    /// The pool that allocations come from which name none.
    pub(crate) fn current_pool(&self, process: &Process) -> (Handle, Arc<Pool>) {
        let current = lock(&self.pools).current.clone();
        current.unwrap_or_else(|| self.default_pool(process))
    }

    /// What a synchronisation does to pools.
    pub(crate) fn trim_pools(&self, process: &Process) {
        let (_, pool) = self.current_pool(process);
        pool.trim(pool.threshold.load(Ordering::Relaxed));
    }
}

fn find(handle: Handle) -> Result<Arc<Pool>, Error> {
    process()?.with_pools()?.pools.get(handle).ok_or(Error::INVALID_VALUE)
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

/// `CUmemLocation`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Location {
    kind: c_int,
    id: c_int,
}

impl Location {
    /// The device that it is.
    fn device(self) -> Result<usize, Error> {
        if self.kind == ON_DEVICE { Ok(process()?.gpu(self.id)?.ordinal) } else { Err(Error::INVALID_VALUE) }
    }
}

/// `CUmemAccessDesc`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Access {
    location: Location,
    flags: c_int,
}

pub(crate) const PINNED: c_int = 1;
pub(crate) const ON_DEVICE: c_int = 1;

const NO_ACCESS: c_int = 0;
const READ_AND_WRITE: c_int = 3;

driver! {
    fn cuDeviceGetDefaultMemPool(pool: Out<Handle>, device: c_int) {
        let process = process()?.with_pools()?;
        pool.put(process.gpu(device)?.default_pool(process).0)
    }

    fn cuDeviceGetMemPool(pool: Out<Handle>, device: c_int) {
        let process = process()?.with_pools()?;
        pool.put(process.gpu(device)?.current_pool(process).0)
    }

    fn cuDeviceSetMemPool(device: c_int, pool: Handle) {
        let gpu = process()?.with_pools()?.gpu(device)?;
        let found = find(pool)?;
        if found.device != gpu.ordinal {
            return Err(Error::INVALID_VALUE);
        }
        lock(&gpu.pools).current = Some((pool, found));
        Ok(())
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
        pool.put(process.pools.insert_with(|handle| Pool::new(device, handle)).0)
    }

    /// What was allocated from it stays. A device whose pool it was has its default again.
    fn cuMemPoolDestroy(pool: Handle) {
        let process = process()?;
        let found = find(pool)?;
        let mut pools = lock(&process.gpus[found.device].pools);
        if pools.default.as_ref().is_some_and(|(default, _)| *default == pool) {
            return Err(Error::INVALID_VALUE);
        }
        pools.current.take_if(|(current, _)| *current == pool);
        process.pools.remove(pool).map(drop).ok_or(Error::INVALID_VALUE)
    }

    fn cuMemPoolTrimTo(pool: Handle, keep: usize) {
        find(pool)?.trim(keep as u64);
        Ok(())
    }

    fn cuMemPoolGetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        let pool = find(pool)?;
        let bytes = match attribute {
            1..=3 => return value.out().put(pool.reuse[attribute as usize - 1].load(Ordering::Relaxed)),
            4 => pool.threshold.load(Ordering::Relaxed),
            5 => pool.reserved.get(),
            6 => pool.reserved.most(),
            7 => pool.used.get(),
            8 => pool.used.most(),
            _ => return Err(Error::INVALID_VALUE),
        };
        value.out().put(bytes)
    }

    /// The high marks can be set to zero, which makes them the current values.
    fn cuMemPoolSetAttribute(pool: Handle, attribute: c_int, value: Untyped) {
        let pool = find(pool)?;
        let watermark = match attribute {
            1..=3 => {
                pool.reuse[attribute as usize - 1].store(value.input().get()?, Ordering::Relaxed);
                return Ok(());
            }
            4 => {
                pool.threshold.store(value.input().get()?, Ordering::Relaxed);
                return Ok(());
            }
            6 => &pool.reserved,
            8 => &pool.used,
            _ => return Err(Error::INVALID_VALUE),
        };
        if value.input::<u64>().get()? != 0 {
            return Err(Error::INVALID_VALUE);
        }
        watermark.lower();
        Ok(())
    }
    /// The pool's own device always has access.
    fn cuMemPoolSetAccess(pool: Handle, accesses: In<Access>, count: usize) {
        let pool = find(pool)?;
        for index in 0..count {
            let Access { location, flags } = accesses.at(index)?;
            let device = location.device()?;
            if !matches!(flags, NO_ACCESS | READ_AND_WRITE) || (device == pool.device && flags == NO_ACCESS) {
                return Err(Error::INVALID_VALUE);
            }
            lock(&pool.access).insert(device, flags);
        }
        Ok(())
    }

    fn cuMemPoolGetAccess(flags: Out<c_int>, pool: Handle, location: In<Location>) {
        let pool = find(pool)?;
        let device = location.get()?.device()?;
        let own = if device == pool.device { READ_AND_WRITE } else { NO_ACCESS };
        flags.put(lock(&pool.access).get(&device).copied().unwrap_or(own))
    }
}
