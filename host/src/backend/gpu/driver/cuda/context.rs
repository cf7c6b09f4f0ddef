//! A device's context, and what only CUDA's driver says of a device.

use cudarc::driver::sys::CUcontext;
use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;

use super::Nvidia;
use super::api::{self, Library};
use crate::Error;
use crate::backend::gpu::driver::errors::before_open;
use crate::backend::gpu::driver::handles::DeviceHandle;
use crate::backend::gpu::driver::status::{Called, done};
use crate::backend::gpu::driver::{Status, device};
use crate::submission::is_running;

/// A device's primary context, which all of the process share.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) library: &'static Library,
    #[cfg(feature = "cudarc")]
    pub(super) index: usize,
    pub(super) device: DeviceHandle,
    pub(super) context: CUcontext,
    /// The compute capability as in `sm_90`: 90.
    pub(super) capability: usize,
    pub(super) has_clusters: bool,
    /// The newest CUDA that the driver is for: 12050 for CUDA 12.5; zero if the driver doesn't say.
    pub(super) driver_version: usize,
}

// SAFETY: a context may be used by any thread that makes it current first.
unsafe impl Send for Context {}
// SAFETY: threads that share it only read the handles; the driver locks what is behind them.
unsafe impl Sync for Context {}

impl Context {
    /// Opens a device's context, and leaves the context current.
    pub(super) fn open(index: usize) -> Result<Self, Error> {
        let library = api::get()?;
        let device = device::find::<Nvidia>(&library.api, index)?;
        let (name, retain) = (format!("cuda:{index}"), library.own.retain_context);
        let mut context = std::ptr::null_mut();
        // SAFETY: the device is the driver's; a context to write.
        let retained = unsafe { (retain.call)(&raw mut context, device) };
        before_open::<Nvidia>(&name, retain.name, retained)?;
        // From here on it is released when this is dropped.
        let mut opened = Self {
            library,
            #[cfg(feature = "cudarc")]
            index,
            device,
            context,
            capability: 0,
            has_clusters: false,
            driver_version: driver_version(library),
        };
        opened.enter().or_else(|(call, status)| before_open::<Nvidia>(&name, call, status))?;
        let ask = |number: Attribute| {
            device::attribute::<Nvidia>(&library.api, device, index, number as std::ffi::c_int)
        };
        let major = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        opened.capability = 10 * major + minor;
        // What a driver doesn't know of, it doesn't have.
        opened.has_clusters = ask(Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH).unwrap_or(0) == 1;
        Ok(opened)
    }

    /// Makes the context this thread's. Others may have made another one so since the last call.
    #[inline]
    pub(super) fn enter(&self) -> Result<(), Called> {
        let (get, set) = (self.library.own.current_context, self.library.own.set_current_context);
        let mut current = std::ptr::null_mut();
        // SAFETY: a context to write.
        let known = unsafe { (get.call)(&raw mut current) } == Status::SUCCESS;
        if known && current == self.context {
            return Ok(());
        }
        // SAFETY: retained until dropped.
        done(set.name, unsafe { (set.call)(self.context) })
    }

    /// The driver's CUDA, as people say it: `12.5`.
    pub(super) fn cuda(&self) -> String {
        as_text(self.driver_version)
    }
}

/// The driver's CUDA, as people say it.
pub(super) fn version(library: &Library) -> String {
    as_text(driver_version(library))
}

fn as_text(version: usize) -> String {
    match version {
        0 => "an unknown version".into(),
        version => format!("{}.{}", version / 1000, version % 1000 / 10),
    }
}

fn driver_version(library: &Library) -> usize {
    let mut version = 0;
    // SAFETY: a number to write.
    let status = unsafe { (library.own.driver_version.call)(&raw mut version) };
    usize::try_from(version).ok().filter(|_| status == Status::SUCCESS).unwrap_or(0)
}

impl Drop for Context {
    fn drop(&mut self) {
        if is_running() {
            return;
        }
        // There is nobody to tell.
        // SAFETY: retained in `open`, and all that was in it is gone.
        let _ = unsafe { (self.library.own.release_context.call)(self.device) };
    }
}
