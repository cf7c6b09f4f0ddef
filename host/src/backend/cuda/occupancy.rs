//! What the driver says of a kernel: registers, memory, and how many workgroups run at the same time.

use std::ffi::c_int;

use cudarc::driver::sys::CUfunction;
use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;

use super::api::Api;
use super::errors::Status;
use super::{Cuda, function};
use crate::backend::{Code, Loaded};
use crate::{Attributes, Error, Occupancy};

/// The threads of a workgroup that the driver thinks best for a kernel of threads; of another kernel they are a part of
/// what it computes. None where the driver has no answer. The context is current.
pub(super) fn best_block(api: &Api, function: CUfunction, code: &Code) -> Option<usize> {
    if code.bounds.whole_groups || code.bounds.block.is_some() {
        return None;
    }
    // Zero is no limit.
    let most = code.bounds.most_threads.map_or(0, |most| c_int::try_from(most).unwrap_or(0));
    let (mut groups, mut threads) = (0, 0);
    let ask = api.best_block?;
    // SAFETY: the function is of a loaded module, and takes no workgroup memory; two numbers to write.
    let status = unsafe { ask(&raw mut groups, &raw mut threads, function, None, 0, most) };
    let threads = usize::try_from(threads).ok().filter(|&threads| threads > 0);
    threads.filter(|_| status == Status::SUCCESS)
}

impl Cuda {
    pub(super) fn kernel_attributes(&self, code: &Code, loaded: Loaded) -> Result<Attributes, Error> {
        self.reporter.loss.check()?;
        self.context.enter()?;
        let get = |attribute: Attribute| {
            let mut value = 0;
            // SAFETY: the function is of a loaded module; a number to write.
            let status = unsafe {
                (self.api().function_attribute)(&raw mut value, attribute as c_int, function(loaded))
            };
            self.checked("cuFuncGetAttribute", status)?;
            Ok::<_, Error>(usize::try_from(value).unwrap_or(0))
        };
        let of_the_image = get(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
        Ok(Attributes {
            registers: Some(get(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?),
            local_bytes: get(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            constant_bytes: get(Attribute::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES)?,
            workgroup_bytes: of_the_image.saturating_add(code.fixed_bytes),
            most_threads: get(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        })
    }

    pub(super) fn kernel_occupancy(
        &self,
        loaded: Loaded,
        threads: usize,
        bytes: usize,
    ) -> Result<Occupancy, Error> {
        self.reporter.loss.check()?;
        self.context.enter()?;
        let (mut groups, threads_per_group) = (0, threads);
        let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
        // SAFETY: the function is of a loaded module; a number to write.
        let status =
            unsafe { (self.api().groups_per_processor)(&raw mut groups, function(loaded), threads, bytes) };
        self.checked("cuOccupancyMaxActiveBlocksPerMultiprocessor", status)?;
        Ok(Occupancy {
            groups_per_processor: usize::try_from(groups).unwrap_or(0),
            processors: self.traits.processors,
            threads_per_group,
            most_threads_per_processor: self.traits.threads_per_processor,
        })
    }
}
