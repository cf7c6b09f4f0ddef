//! A device's context, and what the driver says of the device.

use std::ffi::{CStr, c_int};

use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;
use cudarc::driver::sys::{
    CUcontext, CUdevice, CUdeviceptr, CUmemPool_attribute_enum, CUmemoryPool, CUstream,
};
use gridwright_core::Limits;

use super::api::{self, Api};
use super::errors::Status;
use crate::host_call::{forbid, is_running};
use crate::{Error, Priorities, Priority};

/// The number of devices.
pub(super) fn count() -> Result<usize, Error> {
    let api = api::get()?;
    let mut count = 0;
    // SAFETY: a number to write.
    checked(api, "CUDA", "cuDeviceGetCount", unsafe { (api.device_count)(&raw mut count) })?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The error of a call before there is a context.
fn checked(api: &Api, device: &str, call: &'static str, status: Status) -> Result<(), Error> {
    if status == Status::SUCCESS {
        return Ok(());
    }
    Err(Error::Backend { device: device.into(), call, message: status.text(api) })
}

/// A device's primary context, which all of the process share.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) api: &'static Api,
    pub(super) index: usize,
    pub(super) device: CUdevice,
    pub(super) context: CUcontext,
}

// SAFETY: a context may be used by any thread that makes it current first.
unsafe impl Send for Context {}
// SAFETY: as above; the driver locks.
unsafe impl Sync for Context {}

impl Context {
    pub(super) fn open(index: usize) -> Result<Self, Error> {
        let api = api::get()?;
        let count = count()?;
        let ordinal =
            c_int::try_from(index).ok().filter(|_| index < count).ok_or_else(|| Error::NoDevice {
                asked: format!("cuda:{index}"),
                reason: format!("the driver has {count} device{}", if count == 1 { "" } else { "s" }),
                available: crate::device::available(),
            })?;
        let name = format!("cuda:{index}");
        let (mut device, mut context) = (0, std::ptr::null_mut());
        // SAFETY: a device to write.
        checked(api, &name, "cuDeviceGet", unsafe { (api.device)(&raw mut device, ordinal) })?;
        // SAFETY: the device is the driver's; a context to write.
        let retained = unsafe { (api.retain_context)(&raw mut context, device) };
        checked(api, &name, "cuDevicePrimaryCtxRetain", retained)?;
        let context = Self { api, index, device, context };
        context.enter()?;
        Ok(context)
    }

    pub(super) fn raw(&self) -> CUcontext {
        self.context
    }

    /// Makes the context this thread's. Others may have made another one so since the last call.
    pub(super) fn enter(&self) -> Result<(), Error> {
        forbid("a call of the driver")?;
        let mut current = std::ptr::null_mut();
        // SAFETY: a context to write.
        let known = unsafe { (self.api.current_context)(&raw mut current) } == Status::SUCCESS;
        if known && current == self.context {
            return Ok(());
        }
        // SAFETY: retained until dropped.
        self.checked("cuCtxSetCurrent", unsafe { (self.api.set_current_context)(self.context) })
    }

    pub(super) fn name(&self) -> Result<String, Error> {
        let mut name = [0; 256];
        // SAFETY: room for as many bytes as are said.
        let found =
            unsafe { (self.api.device_name)(name.as_mut_ptr(), name.len() as c_int - 1, self.device) };
        self.checked("cuDeviceGetName", found)?;
        // SAFETY: the last byte is a zero.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy();
        Ok(format!("{name} (cuda:{})", self.index))
    }

    pub(super) fn limits(&self) -> Result<Limits, Error> {
        use Attribute::{
            CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
            CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
            CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
            CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK,
            CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        };
        let plain = self.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?;
        // An older driver or device knows of no more than that.
        let opt_in = self.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).unwrap_or(0);
        let can_opt_in = self.api.set_function_attribute.is_some();
        Ok(Limits {
            threads_per_group: self.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            block: [
                self.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                self.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                self.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            groups: [
                self.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                self.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                self.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            workgroup_memory: if can_opt_in { plain.max(opt_in) } else { plain },
        })
    }

    pub(super) fn traits(&self) -> Result<Traits, Error> {
        use Attribute::{
            CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH,
            CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
            CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        };
        let major = self.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = self.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        // What a driver doesn't know of, it doesn't have.
        let cooperative = self.attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH).unwrap_or(0) == 1;
        Ok(Traits {
            capability: 10 * major + minor,
            processors: self.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            threads_per_processor: self.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?,
            has_clusters: self.attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH).unwrap_or(0) == 1,
            workgroup_memory_of_processor: self
                .attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?,
            driver_version: self.driver_version(),
            priorities: self.priorities()?,
            has_cooperative_launches: cooperative && self.api.launch_cooperative.is_some(),
            shares_managed_memory: self.shares_managed_memory(),
            pool: self.pool(),
        })
    }

    /// The newest CUDA that the driver is for, as in 12050 for CUDA 12.5; zero if it doesn't say.
    fn driver_version(&self) -> usize {
        let mut version = 0;
        // SAFETY: a number to write.
        let status = unsafe { (self.api.driver_version)(&raw mut version) };
        usize::try_from(version).ok().filter(|_| status == Status::SUCCESS).unwrap_or(0)
    }

    /// The driver's less is our more. Of a device without priorities both are zero.
    fn priorities(&self) -> Result<Priorities, Error> {
        let (mut lowest, mut highest) = (0, 0);
        // SAFETY: the context is current; two numbers to write.
        let status = unsafe { (self.api.priorities)(&raw mut lowest, &raw mut highest) };
        self.checked("cuCtxGetStreamPriorityRange", status)?;
        let level = |number: c_int| Priority::level(number.saturating_neg());
        Ok(Priorities::new(level(lowest), level(highest)))
    }

    /// Whether the host may use managed memory while kernels of any device run, which may be given any of it.
    fn shares_managed_memory(&self) -> bool {
        let shares = Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS as c_int;
        let count = c_int::try_from(count().unwrap_or(0)).unwrap_or(0);
        (0..count).all(|ordinal| {
            let (mut device, mut value) = (0, 0);
            // SAFETY: a device to write.
            let found = unsafe { (self.api.device)(&raw mut device, ordinal) } == Status::SUCCESS;
            // SAFETY: the device is the driver's; a number to write.
            let mut asked = || unsafe { (self.api.device_attribute)(&raw mut value, shares, device) };
            found && asked() == Status::SUCCESS && value == 1
        })
    }

    /// The pool that memory is allocated from in stream order, if device and driver have that.
    fn pool(&self) -> Option<Pool> {
        let (api, supported) = (self.api, Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
        let (allocate, free) = (api.allocate_in_order?, api.free_in_order?);
        let find = api.default_pool.filter(|_| self.attribute(supported).is_ok_and(|has| has == 1))?;
        let mut pool = std::ptr::null_mut();
        // SAFETY: the device is the driver's; a pool to write.
        if unsafe { find(&raw mut pool, self.device) } != Status::SUCCESS {
            return None;
        }
        if let Some(set) = api.set_pool_attribute {
            // Or each time that the host waits for a stream, all that is free goes back to the system.
            let mut kept = u64::MAX;
            // SAFETY: the device's own pool; the value is of the attribute's type.
            let _ = unsafe { set(pool, RELEASE_THRESHOLD, (&raw mut kept).cast()) };
        }
        Some(Pool { pool, trim: api.trim_pool, allocate, free })
    }

    fn attribute(&self, attribute: Attribute) -> Result<usize, Error> {
        let mut value = 0;
        // SAFETY: the device is the driver's; a number to write.
        let found = unsafe { (self.api.device_attribute)(&raw mut value, attribute as c_int, self.device) };
        self.checked("cuDeviceGetAttribute", found)?;
        Ok(usize::try_from(value).unwrap_or(0))
    }

    fn checked(&self, call: &'static str, status: Status) -> Result<(), Error> {
        checked(self.api, &format!("cuda:{}", self.index), call, status)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if is_running() {
            return;
        }
        // There is nobody to tell.
        // SAFETY: retained in `open`, and all that was in it is gone.
        let _ = unsafe { (self.api.release_context)(self.device) };
    }
}

/// What a device is and can do.
#[derive(Debug)]
pub(super) struct Traits {
    /// The compute capability as in `sm_90`: 90.
    pub(super) capability: usize,
    pub(super) processors: usize,
    pub(super) threads_per_processor: usize,
    pub(super) has_cooperative_launches: bool,
    pub(super) has_clusters: bool,
    /// The most bytes that all workgroups of a processor can have.
    pub(super) workgroup_memory_of_processor: usize,
    /// 12050 for CUDA 12.5; zero if the driver doesn't say.
    pub(super) driver_version: usize,
    pub(super) priorities: Priorities,
    pub(super) shares_managed_memory: bool,
    pub(super) pool: Option<Pool>,
}

impl Traits {
    /// The driver's CUDA, as people say it: `12.5`.
    pub(super) fn cuda(&self) -> String {
        match self.driver_version {
            0 => "an unknown version".into(),
            version => format!("{}.{}", version / 1000, version % 1000 / 10),
        }
    }
}

/// The attribute that says how many free bytes a pool keeps.
const RELEASE_THRESHOLD: c_int = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as c_int;

/// A pool of memory with the functions for it.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) pool: CUmemoryPool,
    trim: Option<unsafe extern "C" fn(CUmemoryPool, usize) -> Status>,
    pub(super) allocate: AllocateInOrder,
    pub(super) free: FreeInOrder,
}

type AllocateInOrder = unsafe extern "C" fn(*mut CUdeviceptr, usize, CUstream) -> Status;
type FreeInOrder = unsafe extern "C" fn(CUdeviceptr, CUstream) -> Status;

// SAFETY: the device's own pool may be used by any thread.
unsafe impl Send for Pool {}
// SAFETY: as above; the driver locks.
unsafe impl Sync for Pool {}

impl Pool {
    /// Gives the system what nobody uses.
    pub(super) fn trim(&self) {
        if let Some(trim) = self.trim {
            // Where it fails, the allocation that comes next does too.
            // SAFETY: the device's own pool.
            let _ = unsafe { trim(self.pool, 0) };
        }
    }
}
