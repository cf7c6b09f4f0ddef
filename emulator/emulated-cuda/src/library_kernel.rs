//! Kernels of libraries: what they are in a context, and what they are on a device.

use std::ffi::{c_char, c_int};
use std::sync::Arc;

use crate::abi::Out;
use crate::context::{self, current};
use crate::error::Error;
use crate::function::{FUNCTIONS, Function};
use crate::library::{KERNELS, Kernel};
use crate::process::{process, started};
use crate::registry::Handle;

fn find(kernel: Handle) -> Result<Arc<Kernel>, Error> {
    started(&KERNELS)?.get(kernel).ok_or(Error::INVALID_HANDLE)
}

/// The function in the current context, if it is of the device, or in the device's primary context.
fn on_device(kernel: Handle, device: c_int) -> Result<Arc<Function>, Error> {
    let process = process()?;
    let gpu = process.gpu(device)?;
    let found = find(kernel)?;
    let context = match context::of_thread()? {
        Some(context) if context.device == gpu.ordinal => context,
        _ => gpu.primary().ok_or(Error::INVALID_CONTEXT)?,
    };
    context.check()?;
    FUNCTIONS.get(found.function(process, context)?).ok_or(Error::INVALID_HANDLE)
}

driver! {
    fn cuKernelGetFunction(function: Out<Handle>, kernel: Handle) {
        let context = current()?;
        function.put(find(kernel)?.function(process()?, context)?)
    }

    fn cuKernelGetLibrary(library: Out<Handle>, kernel: Handle) {
        library.put(find(kernel)?.library)
    }

    /// The text lives as long as the library.
    fn cuKernelGetName(name: Out<*const c_char>, kernel: Handle) {
        name.put(find(kernel)?.name.as_ptr())
    }

    /// Registers are an estimate.
    fn cuKernelGetAttribute(value: Out<c_int>, attribute: c_int, kernel: Handle, device: c_int) {
        value.put(on_device(kernel, device)?.attribute(attribute)?)
    }

    fn cuKernelSetAttribute(attribute: c_int, value: c_int, kernel: Handle, device: c_int) {
        on_device(kernel, device)?.set_attribute(attribute, value)
    }

    /// A preference, without effect.
    fn cuKernelSetCacheConfig(kernel: Handle, config: c_int, device: c_int) {
        on_device(kernel, device)?;
        if (0..=3).contains(&config) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }

    fn cuKernelGetParamInfo(kernel: Handle, index: usize, offset: Out<usize>, size: Out<usize>) {
        let context = current()?;
        let process = process()?;
        let function = find(kernel)?.function(process, context)?;
        let function = FUNCTIONS.get(function).ok_or(Error::INVALID_HANDLE)?;
        let (at, bytes) = function.parameter(index)?;
        offset.put(at)?;
        size.put_if_asked(bytes);
        Ok(())
    }

    fn cuKernelGetParamCount(kernel: Handle, count: Out<usize>) {
        let context = current()?;
        let process = process()?;
        let function = find(kernel)?.function(process, context)?;
        count.put(FUNCTIONS.get(function).ok_or(Error::INVALID_HANDLE)?.parameters.len())
    }
}
