//! The driver library and a device's context.

use std::ffi::c_int;

use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;
use cudarc::driver::{result, sys};
use gridwright_core::Limits;

use crate::Error;

/// The driver's functions that this backend calls.
const NEEDED: [&str; 20] = [
    "cuCtxSetCurrent",
    "cuCtxSynchronize",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemcpyDtoH_v2",
    "cuMemcpyHtoD_v2",
    "cuMemsetD8_v2",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
];

/// With it a kernel may have more workgroup memory than every device gives; without it, no more.
const SET_ATTRIBUTE: &str = "cuFuncSetAttribute";

/// Whether the library, which is there, has a function. cudarc panics at the first call of one that it lacks.
fn has(function: &str) -> bool {
    // SAFETY: nothing is called through the pointer.
    unsafe { sys::culib().get::<*const ()>(function.as_bytes()) }.is_ok()
}

/// Loads and starts the driver.
///
/// # Errors
/// [`Error::DriverMissing`] where there is no library, or it finds no device.
pub(super) fn start() -> Result<(), Error> {
    // SAFETY: loading the driver's library runs its initialisers, as any program that uses it does.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::DriverMissing {
            driver: "CUDA",
            reason: "there is no libcuda.so".into(),
            remedy: "install NVIDIA's driver, or set GRIDWRIGHT_DEVICE=cpu",
        });
    }
    if let Some(lacking) = NEEDED.iter().find(|name| !has(name)) {
        return Err(Error::DriverMissing {
            driver: "CUDA",
            reason: format!("the one that is there lacks `{lacking}`"),
            remedy: "install a newer driver, or set GRIDWRIGHT_DEVICE=cpu",
        });
    }
    result::init().map_err(|error| Error::DriverMissing {
        driver: "CUDA",
        reason: format!("it doesn't start: {}", text(error)),
        remedy: "is there a device, and is its kernel module loaded? Or set GRIDWRIGHT_DEVICE=cpu",
    })
}

/// The number of devices.
pub(super) fn count() -> Result<usize, Error> {
    let count =
        result::device::get_count().map_err(|error| self::error("CUDA", "cuDeviceGetCount", error))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// An error of a driver call on a device.
pub(super) fn error(device: &str, call: &'static str, error: result::DriverError) -> Error {
    Error::Backend { device: device.into(), call, message: text(error) }
}

fn text(error: result::DriverError) -> String {
    let name = error.error_name().map(|name| name.to_string_lossy().into_owned());
    let words = error.error_string().map(|words| words.to_string_lossy().into_owned());
    match (name, words) {
        (Ok(name), Ok(words)) => format!("{words} ({name})"),
        _ => format!("error {}", error.0 as u32),
    }
}

/// A device's primary context, which all of the process share.
#[derive(Debug)]
pub(super) struct Context {
    index: usize,
    device: sys::CUdevice,
    context: sys::CUcontext,
}

// SAFETY: a context may be used by any thread that makes it current first.
unsafe impl Send for Context {}
// SAFETY: as above; the driver locks.
unsafe impl Sync for Context {}

impl Context {
    pub(super) fn open(index: usize) -> Result<Self, Error> {
        start()?;
        let count = count()?;
        let ordinal =
            c_int::try_from(index).ok().filter(|_| index < count).ok_or_else(|| Error::NoDevice {
                asked: format!("cuda:{index}"),
                reason: format!("the driver has {count} device{}", if count == 1 { "" } else { "s" }),
                available: crate::device::available(),
            })?;
        let name = format!("cuda:{index}");
        let device =
            result::device::get(ordinal).map_err(|error| self::error(&name, "cuDeviceGet", error))?;
        // SAFETY: the device is the driver's.
        let context = unsafe { result::primary_ctx::retain(device) }
            .map_err(|error| self::error(&name, "cuDevicePrimaryCtxRetain", error))?;
        let context = Self { index, device, context };
        context.enter()?;
        Ok(context)
    }

    /// Makes the context this thread's.
    pub(super) fn enter(&self) -> Result<(), Error> {
        // SAFETY: retained until dropped.
        unsafe { result::ctx::set_current(self.context) }
            .map_err(|error| self::error(&format!("cuda:{}", self.index), "cuCtxSetCurrent", error))
    }

    pub(super) fn name(&self) -> Result<String, Error> {
        let index = self.index;
        let name = result::device::get_name(self.device)
            .map_err(|error| self::error(&format!("cuda:{index}"), "cuDeviceGetName", error))?;
        Ok(format!("{name} (cuda:{index})"))
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
        let workgroup_memory = if has(SET_ATTRIBUTE) { plain.max(opt_in) } else { plain };
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
            workgroup_memory,
        })
    }

    /// The compute capability as in `sm_90`: 90.
    pub(super) fn capability(&self) -> Result<usize, Error> {
        let major = self.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = self.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        Ok(10 * major + minor)
    }

    fn attribute(&self, attribute: Attribute) -> Result<usize, Error> {
        // SAFETY: the device is the driver's.
        let value = unsafe { result::device::get_attribute(self.device, attribute) }
            .map_err(|error| self::error(&format!("cuda:{}", self.index), "cuDeviceGetAttribute", error))?;
        Ok(usize::try_from(value).unwrap_or(0))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // There is nobody to tell.
        // SAFETY: retained in `open`, and the modules and buffers are gone.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}
