//! What the driver says of a kernel: registers, memory, and how many workgroups run at the same time.

use std::ffi::c_int;
use std::sync::Arc;

use gridwright_core::LaunchSizes;

use super::handles::FunctionHandle;
use super::module::Module;
use super::vendor::LaunchCall;
use super::{Driver, Vendor};
use crate::backend::Kernels;
use crate::backend::gpu::images::{Loadable, loaded_bytes};
use crate::submission::{Code, Loaded, LoadedKernel};
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

/// A kernel of a loaded image. The image stays until the device is closed.
#[derive(Debug)]
pub(super) struct Kernel {
    code: &'static Code,
    architecture: &'static str,
    loaded_bytes: usize,
    function: FunctionHandle,
    best_block: Option<usize>,
}

// SAFETY: a function may be used by any thread that has its context current.
unsafe impl Send for Kernel {}
// SAFETY: as for `Send`: the driver locks.
unsafe impl Sync for Kernel {}

impl LoadedKernel for Kernel {
    fn best_block(&self) -> Option<usize> {
        self.best_block
    }

    fn architecture(&self) -> Option<&'static str> {
        Some(self.architecture)
    }
}

/// The driver's function of a loaded kernel. That of another backend's is null, which the driver refuses.
#[inline]
pub(super) fn function(kernel: &dyn LoadedKernel) -> FunctionHandle {
    kernel.of::<Kernel>().map_or(std::ptr::null_mut(), |kernel| kernel.function)
}

impl<V: Vendor> Kernels for Driver<V> {
    /// A kernel, with its image loaded if it isn't.
    fn load(&self, code: &'static Code) -> Result<Loaded, Error> {
        self.loss.check()?;
        self.enter()?;
        let mut loads = self.modules.lock();
        let address = (&raw const *code).addr();
        if let Some(known) = loads.kernels.get(&address) {
            return Ok(known.clone());
        }
        let image = self.vendor.best_image(code, &self.name)?;
        let entry = image.entry(code.path).ok_or_else(|| self.missing_entry(code))?;
        let loadable = Loadable::of(image, entry);
        let module = match loads.modules.get(&loadable) {
            Some(&module) => module,
            None => {
                let module = Module(self.load_module(code, image, entry)?);
                loads.modules.insert(loadable, module);
                module
            }
        };
        let function = self.find_function(module.0, code, image)?;
        self.check_layout(function, code, image)?;
        if code.bounds.whole_groups {
            self.allow_workgroup_memory(function)?;
        }
        let best_block = self.best_block(function, code);
        let loaded_bytes = loaded_bytes(image, entry);
        let architecture = image.compiled_for;
        let kernel = Arc::new(Kernel { code, architecture, loaded_bytes, function, best_block });
        loads.kernels.insert(address, Arc::clone(&kernel));
        Ok(kernel)
    }

    fn attributes(&self, kernel: &dyn LoadedKernel) -> Result<Attributes, Error> {
        let Kernel { code, function, loaded_bytes, .. } = *self.own_kernel(kernel)?;
        self.loss.check()?;
        self.enter()?;
        let get = |number| self.function_attribute(function, number);
        let of_the_image = get(attribute::WORKGROUP_BYTES)?;
        Ok(Attributes {
            registers: Some(get(attribute::REGISTERS)?),
            local_bytes: get(attribute::LOCAL_BYTES)?,
            constant_bytes: get(attribute::CONSTANT_BYTES)?,
            workgroup_bytes: of_the_image.saturating_add(code.fixed_bytes),
            loaded_bytes,
            // Not every compiler writes down what the kernel declares.
            most_threads: get(attribute::MOST_THREADS)?.min(code.bounds.most_threads.unwrap_or(usize::MAX)),
        })
    }

    fn occupancy(&self, kernel: &dyn LoadedKernel, threads: usize, bytes: usize) -> Result<Occupancy, Error> {
        self.loss.check()?;
        self.enter()?;
        let (mut groups, threads_per_group) = (0, threads);
        let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
        // SAFETY: the function is of a loaded module; a number to write.
        let status = unsafe {
            (self.api().groups_per_processor.call)(&raw mut groups, function(kernel), threads, bytes)
        };
        self.checked(self.api().groups_per_processor.name, status)?;
        Ok(Occupancy {
            groups_per_processor: usize::try_from(groups).unwrap_or(0),
            processors: self.traits.processors,
            threads_per_group,
            most_threads_per_processor: self.traits.threads_per_processor,
        })
    }

    fn most_groups_in_cluster(&self, kernel: &dyn LoadedKernel, sizes: &LaunchSizes) -> Result<usize, Error> {
        self.loss.check()?;
        self.enter()?;
        let most = self.vendor.largest_cluster(&LaunchCall::of(function(kernel), sizes));
        most.map_err(|(call, status)| self.error(call, status))
    }
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

    /// A kernel as a driver's backend loaded it.
    fn own_kernel<'k>(&self, kernel: &'k dyn LoadedKernel) -> Result<&'k Kernel, Error> {
        kernel.of().ok_or_else(|| Error::Backend {
            device: self.name.clone(),
            call: "attributes",
            message: "another device loaded the kernel".into(),
        })
    }

    /// An attribute of a function. The device is entered.
    pub(super) fn function_attribute(&self, function: FunctionHandle, number: c_int) -> Result<usize, Error> {
        let (mut value, ask) = (0, self.api().function_attribute);
        // SAFETY: the function is of a loaded module; a number to write.
        self.checked(ask.name, unsafe { (ask.call)(&raw mut value, number, function) })?;
        Ok(usize::try_from(value).unwrap_or(0))
    }
}
