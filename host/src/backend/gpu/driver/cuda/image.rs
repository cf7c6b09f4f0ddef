//! PTX and cubins, loaded and compared with the program.

use std::ffi::{CString, c_int, c_void};

use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;
use cudarc::driver::sys::CUjit_option_enum as Jit;
use gridwright_core::{Image, ImageEntry, ImageKind, ImageParameter};

use super::{Nvidia, compiler, statuses};
use crate::backend::gpu::driver::Status;
use crate::backend::gpu::driver::handles::{FunctionHandle, ModuleHandle};
use crate::backend::gpu::driver::status::{Called, done};
use crate::backend::gpu::driver::vendor::NotLoaded;

/// The room for what the driver's compiler says.
const LOG: usize = 16 * 1024;

impl Nvidia {
    pub(super) fn load_image(&self, image: &Image, entry: &ImageEntry) -> Result<ModuleHandle, NotLoaded> {
        let refused = |reason: String, log: String| NotLoaded::Refused { reason, log };
        // The driver knows by a zero where PTX ends, and by its head how long an ELF file is. It compiles all PTX that it is given.
        let text = match image.kind {
            ImageKind::Cubin => None,
            _ => Some(
                CString::new(image.pieces(entry).collect::<Vec<_>>().concat())
                    .map_err(|_| refused("it is corrupted: it has a zero byte".into(), String::new()))?,
            ),
        };
        if text.is_some() && self.logs {
            compiler::tell(self.context.driver_version, self.context.capability);
        }
        let data = text.as_ref().map_or(image.bytes.as_ptr(), |text| text.as_ptr().cast());
        let mut log = vec![0_u8; LOG];
        let mut options =
            [Jit::CU_JIT_ERROR_LOG_BUFFER as c_int, Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES as c_int];
        let mut values =
            [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut::<c_void>(LOG - 1)];
        let mut module = std::ptr::null_mut();
        let load = self.own().load_module;
        // SAFETY: PTX that ends with a zero, or a whole cubin, as its reader found when it was compiled in; as many options as
        // values; room for as long a log as is said.
        let status = unsafe {
            (load.call)(
                &raw mut module,
                data.cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if status == Status::SUCCESS {
            return Ok(module.cast());
        }
        let log = log.split(|&byte| byte == 0).next().map(String::from_utf8_lossy).unwrap_or_default();
        let log = log.trim().to_owned();
        let text = statuses::text(self.own(), status);
        let reason = match status {
            statuses::NEWER_PTX => format!(
                "{text}: the PTX is of {}, and the driver is for CUDA {}; install a newer driver",
                ptx_version(image.bytes),
                self.context.cuda()
            ),
            statuses::INVALID_PTX | Status::INVALID_IMAGE => format!(
                "{text}: the driver's compiler doesn't understand it; build the program again, or install a newer driver"
            ),
            Status::NO_BINARY => {
                format!(
                    "{text}: it isn't for this device; add its architecture to `architectures`, and build again"
                )
            }
            statuses::NO_COMPILER => {
                format!("{text}: install the driver's PTX compiler, libnvidia-ptxjitcompiler.so")
            }
            statuses::COMPILER_DISABLED => format!("{text}: unset CUDA_DISABLE_PTX_JIT"),
            status => return Err(NotLoaded::Failed { called: (load.name, status), log }),
        };
        Err(refused(reason, log))
    }

    /// How the parameters that the driver tells differ from those of the image's table.
    pub(super) fn difference(
        &self,
        function: FunctionHandle,
        entry: &ImageEntry,
    ) -> Result<Option<String>, Called> {
        let Some(tell) = self.own().parameter else { return Ok(None) };
        compare(entry.parameters, |index| {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the function is of a loaded module; two numbers to write.
            match unsafe { (tell.call)(function.cast(), index, &raw mut offset, &raw mut size) } {
                Status::SUCCESS => Ok(Some((offset, size))),
                Status::INVALID_VALUE => Ok(None),
                status => Err((tell.name, status)),
            }
        })
    }

    /// Lets each launch of a function have so many bytes of workgroup memory.
    pub(super) fn allow_bytes(&self, function: FunctionHandle, bytes: usize) -> Result<(), Called> {
        let Some(set) = self.own().set_function_attribute else { return Ok(()) };
        let attribute = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as c_int;
        let bytes = c_int::try_from(bytes).unwrap_or(c_int::MAX);
        // SAFETY: the function is of a loaded module.
        done(set.name, unsafe { (set.call)(function.cast(), attribute, bytes) })
    }
}

/// How the parameters that the driver tells, offset and size of each, differ from those of the image's table. The driver isn't asked
/// for one behind the last, which has no answer but an error: compute-sanitizer takes that for the program's.
fn compare(
    table: &[ImageParameter],
    parameter: impl Fn(usize) -> Result<Option<(usize, usize)>, Called>,
) -> Result<Option<String>, Called> {
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
    Ok(None)
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
        assert_eq!(says(&[(0, 4), (8, 8), (16, 4)]), None);
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
