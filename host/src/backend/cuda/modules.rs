use std::collections::HashMap;
use std::ffi::CString;
use std::sync::Mutex;

use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;
use cudarc::driver::{result, sys};
use gridwright_core::{Image, Limits};

use super::driver::error;
use crate::Error;
use crate::backend::Code;

/// The modules that a device has loaded, by the address of their image. They stay until the device is
/// closed.
#[derive(Debug, Default)]
pub(super) struct Modules(Mutex<HashMap<usize, Module>>);

#[derive(Clone, Copy, Debug)]
struct Module(sys::CUmodule);

// SAFETY: a module may be used by any thread that has its context current.
unsafe impl Send for Module {}

impl Modules {
    /// The module of an image, loaded if it isn't.
    ///
    /// The context is current.
    pub(super) fn load(&self, device: &str, image: &'static Image) -> Result<sys::CUmodule, Error> {
        let mut modules = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let key = image.bytes.as_ptr().addr();
        if let Some(module) = modules.get(&key) {
            return Ok(module.0);
        }
        // The driver knows by a zero where PTX ends.
        let ptx = CString::new(image.bytes).map_err(|_| Error::Backend {
            device: device.into(),
            call: "cuModuleLoadData",
            message: format!("the image for {} is corrupted: it has a zero byte", image.architecture),
        })?;
        // SAFETY: PTX that ends with a zero.
        let module = unsafe { result::module::load_data(ptx.as_ptr().cast()) }
            .map_err(|refused| error(device, "cuModuleLoadData", refused))?;
        modules.insert(key, Module(module));
        Ok(module)
    }
}

impl Drop for Modules {
    fn drop(&mut self) {
        let modules = self.0.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        for module in modules.values() {
            // There is nobody to tell.
            // SAFETY: loaded above, once, and no kernel runs: launches have finished when they return.
            let _ = unsafe { result::module::unload(module.0) };
        }
    }
}

/// A kernel's entry in a module.
pub(super) fn function(device: &str, module: sys::CUmodule, code: &Code) -> Result<sys::CUfunction, Error> {
    let missing = || Error::ImageMissing {
        kernel: code.name,
        device: device.into(),
        reason: format!("the image has no entry `{}`", code.symbol),
    };
    let name = CString::new(code.symbol).map_err(|_| missing())?;
    // SAFETY: the module is loaded.
    unsafe { result::module::get_function(module, name) }.map_err(|_| missing())
}

/// Lets each launch of a function have up to `most` bytes of workgroup memory. What every device gives needs no leave.
pub(super) fn allow_workgroup_memory(
    device: &str,
    function: sys::CUfunction,
    most: usize,
) -> Result<(), Error> {
    if most <= Limits::PORTABLE.workgroup_memory {
        return Ok(());
    }
    let attribute = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    let most = i32::try_from(most).unwrap_or(i32::MAX);
    // SAFETY: the function is of a loaded module. The driver has the function, or it would allow no more than every
    // device gives.
    unsafe { result::function::set_function_attribute(function, attribute, most) }
        .map_err(|refused| error(device, "cuFuncSetAttribute", refused))
}
