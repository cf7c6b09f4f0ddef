//! What the driver says of a device.

use std::ffi::{CStr, c_int};

use gridwright_core::Limits;

use super::api::Call;
use super::errors::before_open;
use super::handles::{Address, DeviceHandle, PoolHandle, StreamHandle};
use super::{Api, Numbers, Status, Vendor};
use crate::{Error, Priorities, Priority};

/// The number of devices.
///
/// # Errors
/// [`Error::DriverMissing`], [`Error::Backend`].
pub(crate) fn count<V: Vendor>() -> Result<usize, Error> {
    let api = V::api()?;
    let mut count = 0;
    // SAFETY: a number to write.
    let status = unsafe { (api.device_count.call)(&raw mut count) };
    if V::is_no_device(status) {
        return Ok(0);
    }
    before_open::<V>(V::DRIVER, api.device_count.name, status)?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The driver's device of an index.
///
/// # Errors
/// [`Error::NoDevice`] where there is none.
pub(crate) fn find<V: Vendor>(api: &Api, index: usize) -> Result<DeviceHandle, Error> {
    let (count, name) = (count::<V>()?, format!("{}:{index}", V::KIND));
    let ordinal = c_int::try_from(index).ok().filter(|_| index < count).ok_or_else(|| Error::NoDevice {
        asked: name.clone(),
        reason: format!("the driver has {count} device{}", if count == 1 { "" } else { "s" }),
        // The host adds them: there are other drivers.
        available: String::new(),
    })?;
    let mut device = 0;
    // SAFETY: a device to write.
    let status = unsafe { (api.device.call)(&raw mut device, ordinal) };
    before_open::<V>(&name, api.device.name, status)?;
    Ok(device)
}

/// A device that was opened, to ask what it is.
#[derive(Debug)]
pub(super) struct Asked<'v, V> {
    pub(super) api: &'static Api,
    pub(super) vendor: &'v V,
    pub(super) index: usize,
}

impl<V: Vendor> Asked<'_, V> {
    pub(super) fn name(&self) -> Result<String, Error> {
        let mut name = [0; 256];
        let Call { name: call, call: ask } = self.api.device_name;
        // SAFETY: room for as many bytes as are said.
        let status = unsafe { ask(name.as_mut_ptr(), name.len() as c_int - 1, self.vendor.device()) };
        self.checked(call, status)?;
        // SAFETY: the last byte is a zero.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy();
        Ok(format!("{name} ({}:{})", V::KIND, self.index))
    }

    pub(super) fn limits(&self) -> Result<Limits, Error> {
        let Numbers { block: [x, y, z], grid: [grid_x, grid_y, grid_z], .. } = V::NUMBERS;
        let plain = self.attribute(V::NUMBERS.block_memory)?;
        // An older driver or device knows of no more than that.
        let more = V::NUMBERS.block_memory_with_leave.map_or(0, |number| self.attribute(number).unwrap_or(0));
        Ok(Limits {
            threads_per_group: self.attribute(V::NUMBERS.threads_per_block)?,
            block: [self.attribute(x)?, self.attribute(y)?, self.attribute(z)?],
            groups: [self.attribute(grid_x)?, self.attribute(grid_y)?, self.attribute(grid_z)?],
            workgroup_memory: if self.vendor.gives_leave() { plain.max(more) } else { plain },
            warp_size: self.attribute(V::NUMBERS.warp_size)?,
        })
    }

    pub(super) fn traits(&self) -> Result<Traits, Error> {
        // What a driver doesn't know of, it doesn't have.
        let cooperative = self.attribute(V::NUMBERS.cooperative_launch).unwrap_or(0) == 1;
        Ok(Traits {
            processors: self.attribute(V::NUMBERS.processors)?,
            threads_per_processor: self.attribute(V::NUMBERS.threads_per_processor)?,
            workgroup_memory_of_processor: self.attribute(V::NUMBERS.processor_memory)?,
            priorities: self.priorities()?,
            has_cooperative_launches: cooperative && self.api.launch_cooperative.is_some(),
            shares_managed_memory: self.shares_managed_memory(),
            pool: self.pool(),
        })
    }

    /// The device's priorities. The driver's less is our more. Of a device without priorities both are zero.
    fn priorities(&self) -> Result<Priorities, Error> {
        let (mut lowest, mut highest) = (0, 0);
        // SAFETY: the device is entered; two numbers to write.
        let status = unsafe { (self.api.priorities.call)(&raw mut lowest, &raw mut highest) };
        self.checked(self.api.priorities.name, status)?;
        let level = |number: c_int| Priority::level(number.saturating_neg());
        Ok(Priorities::new(level(lowest), level(highest)))
    }

    /// Whether the host may use managed memory while kernels of any device run, which may be given any of it.
    fn shares_managed_memory(&self) -> bool {
        let shares = V::NUMBERS.concurrent_managed_access;
        let count = c_int::try_from(count::<V>().unwrap_or(0)).unwrap_or(0);
        (0..count).all(|ordinal| {
            let (mut device, mut value) = (0, 0);
            // SAFETY: a device to write.
            let found = unsafe { (self.api.device.call)(&raw mut device, ordinal) } == Status::SUCCESS;
            // SAFETY: the device is the driver's; a number to write.
            let mut asked = || unsafe { (self.api.device_attribute.call)(&raw mut value, shares, device) };
            found && asked() == Status::SUCCESS && value == 1
        })
    }

    /// The pool that memory is allocated from in stream order, if device and driver have that.
    fn pool(&self) -> Option<Pool> {
        let (allocate, free) = (self.api.allocate_in_order?, self.api.free_in_order?);
        let has_pools = self.attribute(V::NUMBERS.memory_pools).is_ok_and(|has| has == 1);
        let find = self.api.default_pool.filter(|_| has_pools)?;
        let mut pool = std::ptr::null_mut();
        // SAFETY: the device is the driver's; a pool to write.
        if unsafe { (find.call)(&raw mut pool, self.vendor.device()) } != Status::SUCCESS {
            return None;
        }
        if let Some(set) = self.api.set_pool_attribute {
            // Or each time that the host waits for a stream, all that is free goes back to the system.
            let mut kept = u64::MAX;
            // SAFETY: the device's own pool; the value is of the attribute's type.
            let _ = unsafe { (set.call)(pool, RELEASE_THRESHOLD, (&raw mut kept).cast()) };
        }
        Some(Pool { pool, trim: self.api.trim_pool, allocate, free })
    }

    fn attribute(&self, number: c_int) -> Result<usize, Error> {
        attribute::<V>(self.api, self.vendor.device(), self.index, number)
    }

    fn checked(&self, call: &'static str, status: Status) -> Result<(), Error> {
        before_open::<V>(&format!("{}:{}", V::KIND, self.index), call, status)
    }
}

/// An attribute of a device, by the vendor's number.
pub(crate) fn attribute<V: Vendor>(
    api: &Api,
    device: DeviceHandle,
    index: usize,
    number: c_int,
) -> Result<usize, Error> {
    let mut value = 0;
    // SAFETY: the device is the driver's; a number to write.
    let status = unsafe { (api.device_attribute.call)(&raw mut value, number, device) };
    before_open::<V>(&format!("{}:{index}", V::KIND), api.device_attribute.name, status)?;
    Ok(usize::try_from(value).unwrap_or(0))
}

/// What a device is and can do.
#[derive(Debug)]
pub(super) struct Traits {
    pub(super) processors: usize,
    pub(super) threads_per_processor: usize,
    pub(super) has_cooperative_launches: bool,
    /// The most bytes that all workgroups of a processor can have.
    pub(super) workgroup_memory_of_processor: usize,
    pub(super) priorities: Priorities,
    pub(super) shares_managed_memory: bool,
    pub(super) pool: Option<Pool>,
}

/// The attribute that says how many free bytes a pool keeps: `CU_MEMPOOL_ATTR_RELEASE_THRESHOLD`,
/// `hipMemPoolAttrReleaseThreshold`.
const RELEASE_THRESHOLD: c_int = 4;

/// A pool of memory with the functions for it.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) pool: PoolHandle,
    trim: Option<Call<unsafe extern "C" fn(PoolHandle, usize) -> Status>>,
    pub(super) allocate: Call<unsafe extern "C" fn(*mut Address, usize, StreamHandle) -> Status>,
    pub(super) free: Call<unsafe extern "C" fn(Address, StreamHandle) -> Status>,
}

// SAFETY: the device's own pool may be used by any thread.
unsafe impl Send for Pool {}
// SAFETY: threads that share it only read the handle; the driver locks the pool itself.
unsafe impl Sync for Pool {}

impl Pool {
    /// Gives the system the memory that nobody uses.
    pub(super) fn trim(&self) {
        if let Some(trim) = self.trim {
            // Where it fails, the allocation that comes next does too.
            // SAFETY: the device's own pool.
            let _ = unsafe { (trim.call)(self.pool, 0) };
        }
    }
}
