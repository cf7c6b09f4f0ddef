//! Memory pools. They count; freed memory goes back to the device at once.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::abi::{In, Out, Untyped};
use crate::error::Error;
use crate::locks::lock;
use crate::registry::{Handle, Registry};

/// An API with memory pools.
pub trait Pools: Sized + 'static {
    /// # Errors
    /// Where devices have no memory pools.
    fn pools() -> Result<&'static Registry<Pool>, Error>;

    /// # Errors
    /// Where there is no such device.
    fn of_device(device: c_int) -> Result<&'static OfDevice, Error>;
}

/// The memory pools of a device.
pub struct OfDevice {
    device: usize,
    default: Mutex<Option<Arc<Pool>>>,
    /// Set in the default's place.
    current: Mutex<Option<Arc<Pool>>>,
}

pub struct Pool {
    pub handle: Handle,
    pub device: usize,
    /// Whether freed memory may be given out again across streams, for three reasons. Kept, without effect.
    reuse: [AtomicI32; 3],
    /// Bytes that a synchronisation leaves with the pool.
    threshold: AtomicU64,
    used: Watermark,
    reserved: Watermark,
    /// What other devices may do with its memory.
    access: Mutex<HashMap<usize, c_int>>,
}

/// Bytes now, and the most there were.
#[derive(Default)]
pub struct Watermark {
    current: AtomicU64,
    high: AtomicU64,
}

impl Watermark {
    pub fn set(&self, bytes: u64) {
        self.current.store(bytes, Ordering::Relaxed);
        self.high.fetch_max(bytes, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.current.load(Ordering::Relaxed)
    }

    pub fn most(&self) -> u64 {
        self.high.load(Ordering::Relaxed)
    }

    /// Makes the most what there is now.
    pub fn lower(&self) {
        self.high.store(self.get(), Ordering::Relaxed);
    }
}

impl Pool {
    pub fn new(device: usize, handle: Handle) -> Self {
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
    pub fn took(&self, bytes: u64) {
        self.used.set(self.used.get() + bytes);
        self.reserved.set(self.reserved.get().max(self.used.get()));
    }

    pub fn gave(&self, bytes: u64) {
        self.used.current.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Keeps so many bytes at most, beside those that are used.
    pub fn trim(&self, keep: u64) {
        self.reserved.set(self.used.get().max(self.reserved.get().min(keep)));
    }

    /// What a device may do with its memory. Its own always has access.
    pub fn access(&self, device: usize) -> c_int {
        let own = if device == self.device { READ_AND_WRITE } else { NO_ACCESS };
        lock(&self.access).get(&device).copied().unwrap_or(own)
    }
}

impl OfDevice {
    pub fn new(device: usize) -> Self {
        Self { device, default: Mutex::default(), current: Mutex::default() }
    }

    fn default<V: Pools>(&self) -> Result<Arc<Pool>, Error> {
        let pools = V::pools()?;
        let mut default = lock(&self.default);
        let make = || pools.insert_with(|handle| Pool::new(self.device, handle)).1;
        Ok(Arc::clone(default.get_or_insert_with(make)))
    }

    /// The pool that allocations come from which name none.
    pub fn current<V: Pools>(&self) -> Result<Arc<Pool>, Error> {
        let current = lock(&self.current).clone();
        current.map_or_else(|| self.default::<V>(), Ok)
    }

    /// What a synchronisation does to pools.
    pub fn trim<V: Pools>(&self) {
        if let Ok(pool) = self.current::<V>() {
            pool.trim(pool.threshold.load(Ordering::Relaxed));
        }
    }
}

pub fn find<V: Pools>(handle: Handle) -> Result<Arc<Pool>, Error> {
    V::pools()?.get(handle).ok_or(Error::INVALID_VALUE)
}

/// `CUmemLocation` or `hipMemLocation`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Location {
    pub kind: c_int,
    pub id: c_int,
}

impl Location {
    /// The device that it is.
    pub fn device<V: Pools>(self) -> Result<usize, Error> {
        if self.kind == ON_DEVICE { Ok(V::of_device(self.id)?.device) } else { Err(Error::INVALID_VALUE) }
    }
}

/// `CUmemAccessDesc` or `hipMemAccessDesc`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Access {
    location: Location,
    flags: c_int,
}

pub const ON_DEVICE: c_int = 1;
pub const NO_ACCESS: c_int = 0;
pub const READ_AND_WRITE: c_int = 3;

pub fn put_default<V: Pools>(pool: Out<Handle>, device: c_int) -> Result<(), Error> {
    V::pools()?;
    pool.put(V::of_device(device)?.default::<V>()?.handle)
}

pub fn put_current<V: Pools>(pool: Out<Handle>, device: c_int) -> Result<(), Error> {
    V::pools()?;
    pool.put(V::of_device(device)?.current::<V>()?.handle)
}

/// Makes a pool the one that allocations come from which name none.
pub fn set_current<V: Pools>(device: c_int, pool: Handle) -> Result<(), Error> {
    V::pools()?;
    let of_device = V::of_device(device)?;
    let found = find::<V>(pool)?;
    if found.device != of_device.device {
        return Err(Error::INVALID_VALUE);
    }
    *lock(&of_device.current) = Some(found);
    Ok(())
}

/// What was allocated from it stays. A device whose pool it was has its default again.
pub fn destroy<V: Pools>(pool: Handle) -> Result<(), Error> {
    let found = find::<V>(pool)?;
    let of_device = V::of_device(found.device as c_int)?;
    let is_it = |other: &Arc<Pool>| Arc::ptr_eq(other, &found);
    if lock(&of_device.default).as_ref().is_some_and(is_it) {
        return Err(Error::INVALID_VALUE);
    }
    lock(&of_device.current).take_if(|current| is_it(current));
    V::pools()?.remove(pool).map(drop).ok_or(Error::INVALID_VALUE)
}

pub fn put_attribute<V: Pools>(pool: Handle, attribute: c_int, value: Untyped) -> Result<(), Error> {
    let pool = find::<V>(pool)?;
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
pub fn set_attribute<V: Pools>(pool: Handle, attribute: c_int, value: Untyped) -> Result<(), Error> {
    let pool = find::<V>(pool)?;
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
    lower(watermark, value)
}

/// Makes the most what there is now, for a zero.
pub fn lower(watermark: &Watermark, zero: Untyped) -> Result<(), Error> {
    if zero.input::<u64>().get()? != 0 {
        return Err(Error::INVALID_VALUE);
    }
    watermark.lower();
    Ok(())
}

/// The pool's own device always has access.
pub fn set_access<V: Pools>(pool: Handle, accesses: In<Access>, count: usize) -> Result<(), Error> {
    let pool = find::<V>(pool)?;
    for index in 0..count {
        let Access { location, flags } = accesses.at(index)?;
        let device = location.device::<V>()?;
        if !matches!(flags, NO_ACCESS | READ_AND_WRITE) || (device == pool.device && flags == NO_ACCESS) {
            return Err(Error::INVALID_VALUE);
        }
        lock(&pool.access).insert(device, flags);
    }
    Ok(())
}
