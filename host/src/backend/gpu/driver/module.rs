//! Images as modules of the driver, and kernels in them.

use std::collections::HashMap;
use std::ffi::{CString, c_char};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gridwright_core::{Image, ImageEntry, Limits};

use super::handles::{FunctionHandle, ModuleHandle};
use super::kernels::{Kernel, attribute};
use super::vendor::NotLoaded;
use super::{Api, Driver, Status, Vendor};
use crate::Error;
use crate::backend::gpu::images::{self, Loadable};
use crate::submission::Code;

/// The images and kernels that a device has loaded. They stay until the device is closed.
#[derive(Debug, Default)]
pub(super) struct Modules(Mutex<Loads>);

#[derive(Debug, Default)]
pub(super) struct Loads {
    /// Modules by what they were loaded of.
    pub(super) modules: HashMap<Loadable, Module>,
    /// Kernels by the address of their code: it is one for a kernel, or one for each part of the program that
    /// names it.
    pub(super) kernels: HashMap<usize, Arc<Kernel>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Module(pub(super) ModuleHandle);

// SAFETY: a module may be used by any thread that has its context current.
unsafe impl Send for Module {}

impl Modules {
    pub(super) fn lock(&self) -> MutexGuard<'_, Loads> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Unloads all modules. The context is current, and no kernel runs.
    pub(super) fn unload(&mut self, api: &Api) {
        let loads = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        loads.kernels.clear();
        for (_, module) in loads.modules.drain() {
            // SAFETY: loaded below, once; nobody launches its kernels any more.
            unsafe { unload(api, module.0) };
        }
    }
}

/// # Safety
/// The module is loaded, the context current, and nobody uses the module's kernels any more.
unsafe fn unload(api: &Api, module: ModuleHandle) {
    // There is nobody to tell.
    // SAFETY: the caller says that the module is loaded, the context current, and that nobody uses its kernels any more.
    let _ = unsafe { (api.unload_module.call)(module) };
}

impl<V: Vendor> Driver<V> {
    pub(super) fn load_module(
        &self,
        code: &'static Code,
        image: &'static Image,
        entry: &'static ImageEntry,
    ) -> Result<ModuleHandle, Error> {
        let refused = |reason: String, log: String| Error::ImageRefused {
            kernel: code.name,
            device: self.name.clone(),
            architecture: image.architecture,
            reason,
            log,
        };
        match self.vendor.load(image, entry) {
            Ok(module) => {
                // Of a foreign one nothing is expected, and drivers' checkers take a look in vain for an error.
                if !code.is_foreign()
                    && let Err(error) = self.record_for(module, image, entry)
                {
                    // SAFETY: just loaded; nobody knows of it.
                    unsafe { unload(self.api(), module) };
                    return Err(error);
                }
                Ok(module)
            }
            Err(NotLoaded::Refused { reason, log }) => Err(refused(reason, log)),
            Err(NotLoaded::Failed { called: (call, status), log }) => {
                let error = self.error(call, status);
                let is_of_the_device = matches!(error, Error::DeviceLost { .. } | Error::OutOfMemory { .. });
                Err(if is_of_the_device { error } else { refused(self.text(status), log) })
            }
        }
    }

    /// A kernel's entry in a module.
    pub(super) fn find_function(
        &self,
        module: ModuleHandle,
        code: &Code,
        image: &Image,
    ) -> Result<FunctionHandle, Error> {
        let missing = || self.missing_entry(code);
        let entry = image.entry(code.path).ok_or_else(missing)?;
        let name = CString::new(entry.name).map_err(|_| missing())?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded; a function to write.
        match unsafe { (self.api().function.call)(&raw mut function, module, name.as_ptr().cast::<c_char>()) }
        {
            Status::SUCCESS => Ok(function),
            Status::NOT_FOUND => Err(missing()),
            status => Err(self.error(self.api().function.name, status)),
        }
    }

    /// The error of an image without a kernel's entry.
    pub(super) fn missing_entry(&self, code: &Code) -> Error {
        let reason = format!(
            "the image has no entry of `{}`: of kernels under `#[cfg(test)]` there is one in debug builds, or with GRIDWRIGHT_TEST_KERNELS=1, \
             and of those in doc tests and macros of other crates there is none",
            code.path
        );
        images::missing(code, &self.name, reason)
    }

    /// Compares the parameters with those that the program was built with, where that can be seen.
    pub(super) fn check_layout(
        &self,
        function: FunctionHandle,
        code: &Code,
        image: &Image,
    ) -> Result<(), Error> {
        let difference = self.vendor.layout_difference(code, image, function);
        let difference = difference.map_err(|(call, status)| self.error(call, status))?;
        difference.map_or(Ok(()), |reason| {
            Err(Error::LayoutMismatch { kernel: code.name, device: self.name.clone(), reason })
        })
    }

    /// Lets each launch of a function have all workgroup memory of the device. What every device gives needs no leave.
    pub(super) fn allow_workgroup_memory(&self, function: FunctionHandle) -> Result<(), Error> {
        if !self.vendor.gives_leave() {
            return Ok(());
        }
        // Of ours all memory is launch-sized; a foreign kernel may have arrays of its own.
        let fixed = self.function_attribute(function, attribute::WORKGROUP_BYTES)?;
        let most = self.limits.workgroup_memory.saturating_sub(fixed);
        if most <= Limits::PORTABLE.workgroup_memory {
            return Ok(());
        }
        let allowed = self.vendor.allow_workgroup_memory(function, most);
        allowed.map_err(|(call, status)| self.error(call, status))
    }
}
