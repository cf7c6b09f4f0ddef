//! Calls that are given a kernel, and the kernel of a handle.

use std::ffi::{c_char, c_int};
use std::sync::Arc;

use crate::abi::Out;
use crate::context::current;
use crate::error::Error;
use crate::function::{FUNCTIONS, Function};
use crate::library::KERNELS;
use crate::process::process;
use crate::registry::Handle;

/// The function of a handle, which may also be one of a library's kernels.
pub(crate) fn find(function: Handle) -> Result<Arc<Function>, Error> {
    let context = current()?;
    let process = process()?;
    if let Some(found) = FUNCTIONS.get(function) {
        return Ok(found);
    }
    let kernel = KERNELS.get(function).ok_or(Error::INVALID_HANDLE)?;
    FUNCTIONS.get(kernel.function(process, context)?).ok_or(Error::INVALID_HANDLE)
}

driver! {
    /// Registers are an estimate.
    fn cuFuncGetAttribute(value: Out<c_int>, attribute: c_int, function: Handle) {
        value.put(find(function)?.attribute(attribute)?)
    }

    /// More dynamic shared memory, up to what a block can have; larger clusters; a preference of a carve-out, without effect.
    fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int) {
        find(function)?.set_attribute(attribute, value)
    }

    /// A preference of banks, without effect.
    fn cuFuncSetSharedMemConfig(function: Handle, config: c_int) {
        find(function)?;
        if (0..=2).contains(&config) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }

    /// A preference, without effect.
    fn cuFuncSetCacheConfig(function: Handle, config: c_int) {
        find(function)?;
        if (0..=3).contains(&config) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }

    fn cuFuncGetModule(module: Out<Handle>, function: Handle) {
        module.put(find(function)?.module)
    }

    /// The text lives as long as the module.
    fn cuFuncGetName(name: Out<*const c_char>, function: Handle) {
        name.put(find(function)?.name.as_ptr())
    }

    fn cuFuncGetParamInfo(function: Handle, index: usize, offset: Out<usize>, size: Out<usize>) {
        let function = find(function)?;
        let (at, bytes) = function.parameter(index)?;
        offset.put(at)?;
        size.put_if_asked(bytes);
        Ok(())
    }

    fn cuFuncGetParamCount(function: Handle, count: Out<usize>) {
        count.put(find(function)?.parameters.len())
    }

    /// Does nothing: a function is loaded with its module.
    fn cuFuncLoad(function: Handle) {
        find(function).map(drop)
    }

    fn cuFuncIsLoaded(state: Out<c_int>, function: Handle) {
        find(function)?;
        state.put(1)
    }
}
