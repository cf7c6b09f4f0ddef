//! Kernels of modules, and what is known of them.

use std::ffi::c_int;
use std::sync::Arc;

use crate::abi::Out;
use crate::code_object::Kernel;
use crate::context::{Context, current};
use crate::error::Error;
use crate::model::Model;
use crate::module::Image;
use crate::process::process;
use crate::registry::{Handle, Registry};

pub(crate) static FUNCTIONS: Registry<Function> = Registry::new(7);

pub(crate) struct Function {
    pub(crate) context: &'static Context,
    pub(crate) kernel: Kernel,
    pub(crate) image: Arc<Image>,
}

impl Function {
    /// Of a block.
    pub(crate) fn most_threads(&self) -> u32 {
        self.kernel.most_threads.min(Model::THREADS)
    }
}

pub(crate) fn find(function: Handle) -> Result<Arc<Function>, Error> {
    current()?;
    FUNCTIONS.get(function).ok_or(Error::INVALID_HANDLE)
}

hip! {
    fn hipFuncGetAttribute(value: Out<c_int>, attribute: c_int, function: Handle) {
        let function = find(function)?;
        let kernel = &function.kernel;
        let model = &process()?.gpus[function.context.device].model;
        value.put(match attribute {
            0 => function.most_threads() as c_int,
            1 => kernel.shared as c_int,
            // No constants of its own.
            2 => 0,
            3 => kernel.private as c_int,
            4 => kernel.registers as c_int,
            // As HIP has it: of the code, in decimal digits.
            5 | 6 => model.major * 10 + model.minor,
            7 => 0,
            8 => Model::SHARED.saturating_sub(kernel.shared) as c_int,
            9 => 0,
            _ => return Err(Error::INVALID_VALUE),
        })
    }
}
