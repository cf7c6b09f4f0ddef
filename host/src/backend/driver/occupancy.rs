//! What the driver says of a kernel: registers, memory, and how many workgroups run at the same time.

use std::ffi::c_int;

use super::handles::FunctionHandle;
use super::{Driver, Vendor, function};
use crate::backend::{Code, Loaded};
use crate::{Attributes, Error, Occupancy};

/// The attributes of functions, for all drivers.
pub(super) mod attribute {
    use std::ffi::c_int;

    pub(super) const MOST_THREADS: c_int = 0;
    pub(in super::super) const WORKGROUP_BYTES: c_int = 1;
    pub(super) const CONSTANT_BYTES: c_int = 2;
    pub(super) const LOCAL_BYTES: c_int = 3;
    pub(super) const REGISTERS: c_int = 4;
}

impl<V: Vendor> Driver<V> {
    /// The threads of a workgroup that the driver thinks best for a kernel of threads; of another kernel they are a part of
    /// what it computes. None where the driver has no answer. The device is entered.
    pub(super) fn best_block(&self, function: FunctionHandle, code: &Code) -> Option<usize> {
        if code.bounds.whole_groups || code.bounds.block.is_some() {
            return None;
        }
        // Zero is no limit.
        let most = code.bounds.most_threads.map_or(0, |most| c_int::try_from(most).unwrap_or(0));
        self.vendor.best_block(function, most)
    }

    /// An attribute of a function. The device is entered.
    pub(super) fn function_attribute(&self, function: FunctionHandle, number: c_int) -> Result<usize, Error> {
        let (mut value, ask) = (0, self.api().function_attribute);
        // SAFETY: the function is of a loaded module; a number to write.
        self.checked(ask.name, unsafe { (ask.call)(&raw mut value, number, function) })?;
        Ok(usize::try_from(value).unwrap_or(0))
    }

    pub(super) fn kernel_attributes(&self, code: &Code, loaded: Loaded) -> Result<Attributes, Error> {
        self.loss.check()?;
        self.enter()?;
        let get = |number| self.function_attribute(function(loaded), number);
        let of_the_image = get(attribute::WORKGROUP_BYTES)?;
        Ok(Attributes {
            registers: Some(get(attribute::REGISTERS)?),
            local_bytes: get(attribute::LOCAL_BYTES)?,
            constant_bytes: get(attribute::CONSTANT_BYTES)?,
            workgroup_bytes: of_the_image.saturating_add(code.fixed_bytes),
            // Not every compiler writes down what the kernel declares.
            most_threads: get(attribute::MOST_THREADS)?.min(code.bounds.most_threads.unwrap_or(usize::MAX)),
        })
    }

    pub(super) fn kernel_occupancy(
        &self,
        loaded: Loaded,
        threads: usize,
        bytes: usize,
    ) -> Result<Occupancy, Error> {
        self.loss.check()?;
        self.enter()?;
        let (mut groups, threads_per_group) = (0, threads);
        let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
        // SAFETY: the function is of a loaded module; a number to write.
        let status = unsafe {
            (self.api().groups_per_processor.call)(&raw mut groups, function(loaded), threads, bytes)
        };
        self.checked(self.api().groups_per_processor.name, status)?;
        Ok(Occupancy {
            groups_per_processor: usize::try_from(groups).unwrap_or(0),
            processors: self.traits.processors,
            threads_per_group,
            most_threads_per_processor: self.traits.threads_per_processor,
        })
    }
}
