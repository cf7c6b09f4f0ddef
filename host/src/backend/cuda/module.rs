//! Images as modules of the driver, and kernels in them.

use std::collections::HashMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Mutex;

use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;
use cudarc::driver::sys::CUjit_option_enum as Jit;
use cudarc::driver::sys::{CUfunction, CUmodule};
use gridwright_core::{Image, ImageKind, ImageParameter, Limits};

use super::api::Api;
use super::errors::Status;
use super::{Cuda, occupancy};
use crate::Error;
use crate::backend::ptx::images;
use crate::backend::{Code, Loaded};

/// The room for what the driver's compiler says.
const LOG: usize = 16 * 1024;

/// What a device has loaded. It stays until the device is closed.
#[derive(Debug, Default)]
pub(super) struct Modules(Mutex<Loads>);

#[derive(Debug, Default)]
struct Loads {
    /// By the image: each kernel has a copy of its own of the table, with the same bytes.
    modules: HashMap<&'static [u8], Module>,
    /// By the address of the code: it is one for a kernel, or one for each part of the program that names it.
    kernels: HashMap<usize, Loaded>,
}

#[derive(Clone, Copy, Debug)]
struct Module(CUmodule);

// SAFETY: a module may be used by any thread that has its context current.
unsafe impl Send for Module {}

impl Modules {
    /// Unloads all. The context is current, and no kernel runs.
    pub(super) fn unload(&mut self, api: &Api) {
        let loads = self.0.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        loads.kernels.clear();
        for (_, module) in loads.modules.drain() {
            // There is nobody to tell.
            // SAFETY: loaded below, once; nobody launches its kernels any more.
            let _ = unsafe { (api.unload_module)(module.0) };
        }
    }
}

impl Cuda {
    /// A kernel, with its image loaded if it isn't.
    pub(super) fn load_kernel(&self, code: &'static Code) -> Result<Loaded, Error> {
        self.reporter.loss.check()?;
        self.context.enter()?;
        let mut loads = self.modules.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let address = (&raw const *code).addr();
        if let Some(&loaded) = loads.kernels.get(&address) {
            return Ok(loaded);
        }
        let image = images::best(code, &self.reporter.device, self.traits.capability, true)?;
        let module = match loads.modules.get(image.bytes) {
            Some(&module) => module,
            None => {
                let module = Module(self.load_module(code, image)?);
                loads.modules.insert(image.bytes, module);
                module
            }
        };
        let function = self.find_function(module.0, code)?;
        self.check_layout(function, code, image)?;
        if code.bounds.whole_groups {
            self.allow_workgroup_memory(function)?;
        }
        let best_block = occupancy::best_block(self.api(), function, code);
        let loaded = Loaded { function: function.expose_provenance(), best_block };
        loads.kernels.insert(address, loaded);
        Ok(loaded)
    }

    fn load_module(&self, code: &'static Code, image: &'static Image) -> Result<CUmodule, Error> {
        let refused = |reason: String, log: String| Error::ImageRefused {
            kernel: code.name,
            device: self.reporter.device.clone(),
            architecture: image.architecture,
            reason,
            log,
        };
        // The driver knows by a zero where PTX ends, and by its head how long an ELF file is.
        let text = match image.kind {
            ImageKind::Cubin => None,
            _ => Some(
                CString::new(image.bytes)
                    .map_err(|_| refused("it is corrupted: it has a zero byte".into(), String::new()))?,
            ),
        };
        let data = text.as_ref().map_or(image.bytes.as_ptr(), |text| text.as_ptr().cast());
        let mut log = vec![0_u8; LOG];
        let mut options =
            [Jit::CU_JIT_ERROR_LOG_BUFFER as c_int, Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES as c_int];
        let mut values =
            [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut::<c_void>(LOG - 1)];
        let mut module = std::ptr::null_mut();
        // SAFETY: PTX that ends with a zero, or a whole cubin, as its reader found when it was compiled in; as many options as values; room for as long a log as is said.
        let status = unsafe {
            (self.api().load_module)(
                &raw mut module,
                data.cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if status == Status::SUCCESS {
            self.record_for(module)?;
            return Ok(module);
        }
        let log = log.split(|&byte| byte == 0).next().map(String::from_utf8_lossy).unwrap_or_default();
        let log = log.trim().to_owned();
        let text = status.text(self.api());
        let reason = match status {
            Status::NEWER_PTX => format!(
                "{text}: the PTX is of {}, and the driver is for CUDA {}; install a newer driver",
                ptx_version(image.bytes),
                self.traits.cuda()
            ),
            Status::INVALID_PTX | Status::INVALID_IMAGE => format!(
                "{text}: the driver's compiler doesn't understand it; build the program again, or install a newer driver"
            ),
            Status::NO_BINARY => {
                format!(
                    "{text}: it isn't for this device; add its architecture to `architectures`, and build again"
                )
            }
            Status::NO_COMPILER => {
                format!("{text}: install the driver's PTX compiler, libnvidia-ptxjitcompiler.so")
            }
            Status::COMPILER_DISABLED => format!("{text}: unset CUDA_DISABLE_PTX_JIT"),
            status => {
                let error = self.error("cuModuleLoadDataEx", status);
                let is_of_the_device = matches!(error, Error::DeviceLost { .. } | Error::OutOfMemory { .. });
                return Err(if is_of_the_device { error } else { refused(text, log) });
            }
        };
        Err(refused(reason, log))
    }

    /// A kernel's entry in a module.
    fn find_function(&self, module: CUmodule, code: &Code) -> Result<CUfunction, Error> {
        let missing = || Error::ImageMissing {
            kernel: code.name,
            device: self.reporter.device.clone(),
            reason: format!("the image has no entry `{}`", code.symbol),
        };
        let name = CString::new(code.symbol).map_err(|_| missing())?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded; a function to write.
        match unsafe { (self.api().function)(&raw mut function, module, name.as_ptr().cast::<c_char>()) } {
            Status::SUCCESS => Ok(function),
            Status::NOT_FOUND => Err(missing()),
            status => Err(self.error("cuModuleGetFunction", status)),
        }
    }

    /// Compares the parameters with those that the program was built with, where the driver tells them.
    fn check_layout(&self, function: CUfunction, code: &Code, image: &Image) -> Result<(), Error> {
        let (Some(tell), Some(entry)) = (self.api().parameter, image.entry(code.symbol)) else {
            return Ok(());
        };
        let parameter = |index| {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the function is of a loaded module; two numbers to write.
            match unsafe { tell(function, index, &raw mut offset, &raw mut size) } {
                Status::SUCCESS => Ok(Some((offset, size))),
                Status::INVALID_VALUE => Ok(None),
                status => Err(self.error("cuFuncGetParamInfo", status)),
            }
        };
        compare(entry.parameters, parameter)?.map_or(Ok(()), |reason| {
            Err(Error::LayoutMismatch { kernel: code.name, device: self.reporter.device.clone(), reason })
        })
    }

    /// Lets each launch of a function have all workgroup memory of the device. What every device gives needs no leave.
    fn allow_workgroup_memory(&self, function: CUfunction) -> Result<(), Error> {
        let Some(set) = self.api().set_function_attribute else { return Ok(()) };
        let mut fixed = 0;
        let attribute = Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES as c_int;
        // SAFETY: the function is of a loaded module; a number to write.
        let status = unsafe { (self.api().function_attribute)(&raw mut fixed, attribute, function) };
        self.checked("cuFuncGetAttribute", status)?;
        // Of ours all memory is launch-sized; a foreign kernel may have arrays of its own.
        let most = self.limits.workgroup_memory.saturating_sub(usize::try_from(fixed).unwrap_or(0));
        if most <= Limits::PORTABLE.workgroup_memory {
            return Ok(());
        }
        let attribute = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as c_int;
        // SAFETY: the function is of a loaded module.
        let status = unsafe { set(function, attribute, c_int::try_from(most).unwrap_or(c_int::MAX)) };
        self.checked("cuFuncSetAttribute", status)
    }
}

/// How the parameters that the driver tells, offset and size of each, differ from those of the image's table.
fn compare(
    table: &[ImageParameter],
    parameter: impl Fn(usize) -> Result<Option<(usize, usize)>, Error>,
) -> Result<Option<String>, Error> {
    for (index, expected) in table.iter().enumerate() {
        let expected = (expected.offset as usize, expected.size as usize);
        match parameter(index)? {
            None => {
                return Ok(Some(format!("the image's entry has {index} parameters, not {}", table.len())));
            }
            Some(found) if found != expected => {
                let ((offset, size), (expected_offset, expected_size)) = (found, expected);
                return Ok(Some(format!(
                    "parameter {index} of the image's entry has {size} bytes at offset {offset}, not {expected_size} at \
                     {expected_offset}"
                )));
            }
            Some(_) => {}
        }
    }
    let more = parameter(table.len())?.is_some();
    Ok(more.then(|| format!("the image's entry has more than {} parameters", table.len())))
}

/// The PTX's `.version 8.7`, as said there.
fn ptx_version(ptx: &[u8]) -> String {
    let text = String::from_utf8_lossy(ptx.get(..4096).unwrap_or(ptx));
    let version = text.lines().find_map(|line| line.trim().strip_prefix(".version"));
    version.map_or_else(|| "an unknown version".into(), |version| format!("version {}", version.trim()))
}

#[cfg(test)]
mod tests {
    use gridwright_core::ImageParameter;

    use super::{compare, ptx_version};

    fn says(driver: &[(usize, usize)]) -> Option<String> {
        let table = [ImageParameter { offset: 0, size: 4 }, ImageParameter { offset: 8, size: 8 }];
        compare(&table, |index| Ok(driver.get(index).copied())).unwrap()
    }

    #[test]
    fn parameters_that_differ_from_the_table_are_told() {
        assert_eq!(says(&[(0, 4), (8, 8)]), None);
        assert!(says(&[(0, 4)]).unwrap().contains("has 1 parameters, not 2"));
        assert!(says(&[(0, 4), (8, 8), (16, 4)]).unwrap().contains("more than 2"));
        let text = says(&[(0, 4), (4, 8)]).unwrap();
        assert!(text.contains("parameter 1") && text.contains("8 bytes at offset 4, not 8 at 8"), "{text}");
        assert!(says(&[(0, 8), (8, 8)]).unwrap().contains("parameter 0"));
    }

    #[test]
    fn the_version_of_ptx_is_found() {
        assert_eq!(ptx_version(b"//\n// x\n\n.version 8.7\n.target sm_80\n"), "version 8.7");
        assert_eq!(ptx_version(b""), "an unknown version");
    }
}
