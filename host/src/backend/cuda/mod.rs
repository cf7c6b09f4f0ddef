//! NVIDIA GPUs, through the driver library that cudarc loads at run time. cudarc panics where the library is
//! missing, so everything here comes after [`driver::start`].
//!
//! A first cut: everything runs on the default stream and is waited for. A kernel's panic ends its thread
//! and isn't reported.

use std::cell::Cell;
use std::ptr::NonNull;

use cudarc::driver::{result, sys};
use gridwright_core::Limits;
use gridwright_device::arch;

use super::{Backend, Code, Launch, Loaded};
use crate::Error;

mod arguments;
mod driver;
mod images;
mod modules;

use arguments::Arguments;
use driver::Context;
use modules::Modules;

thread_local! {
    /// The last launch's, for the room that they have: a launch allocates nothing.
    static ARGUMENTS: Cell<Arguments> = Cell::default();
}

#[derive(Debug)]
pub(crate) struct Cuda {
    name: String,
    limits: Limits,
    // Before the context: fields are dropped in order, and modules are unloaded while it is there.
    modules: Modules,
    context: Context,
}

impl Cuda {
    /// # Errors
    /// [`Error::DriverMissing`], [`Error::NoDevice`], [`Error::Backend`].
    pub(crate) fn open(index: usize) -> Result<Self, Error> {
        let context = Context::open(index)?;
        Ok(Self { name: context.name()?, limits: context.limits()?, context, modules: Modules::default() })
    }

    /// The number of devices; none where there is no driver.
    pub(crate) fn count() -> usize {
        driver::start().and_then(|()| driver::count()).unwrap_or(0)
    }

    fn call(&self, call: &'static str, result: Result<(), result::DriverError>) -> Result<(), Error> {
        result.map_err(|error| driver::error(&self.name, call, error))
    }
}

impl Backend for Cuda {
    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn allocate(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        self.context.enter()?;
        // SAFETY: the context is current.
        let memory = unsafe { result::malloc_sync(bytes) }.map_err(|error| match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                Error::OutOfMemory { device: self.name.clone(), requested: bytes as u128 }
            }
            _ => driver::error(&self.name, "cuMemAlloc", error),
        })?;
        // SAFETY: as many bytes were just allocated.
        if let Err(error) = self.call("cuMemsetD8", unsafe { result::memset_d8_sync(memory, 0, bytes) }) {
            // The first error is told.
            // SAFETY: just allocated, and nobody else knows of it.
            let _ = unsafe { result::free_sync(memory) };
            return Err(error);
        }
        NonNull::new(memory as *mut u8)
            .ok_or_else(|| Error::OutOfMemory { device: self.name.clone(), requested: bytes as u128 })
    }

    unsafe fn free(&self, memory: NonNull<u8>, _bytes: usize) {
        // There is nobody to tell: a context that fails here fails at the next call too.
        if self.context.enter().is_ok() {
            // SAFETY: the caller's contract.
            let _ = unsafe { result::free_sync(memory.as_ptr() as sys::CUdeviceptr) };
        }
    }

    unsafe fn write(&self, to: NonNull<u8>, from: &[u8]) -> Result<(), Error> {
        self.context.enter()?;
        // SAFETY: the caller's contract.
        self.call("cuMemcpyHtoD", unsafe { result::memcpy_htod_sync(to.as_ptr() as sys::CUdeviceptr, from) })
    }

    unsafe fn read(&self, from: NonNull<u8>, to: &mut [u8]) -> Result<(), Error> {
        self.context.enter()?;
        // SAFETY: the caller's contract.
        self.call("cuMemcpyDtoH", unsafe { result::memcpy_dtoh_sync(to, from.as_ptr() as sys::CUdeviceptr) })
    }

    unsafe fn fill(&self, to: NonNull<u8>, pattern: &[u8], count: usize) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.write(to, &pattern.repeat(count)) }
    }

    fn load(&self, code: &'static Code) -> Result<Loaded, Error> {
        self.context.enter()?;
        let image = images::best(code, &self.name, self.context.capability()?)?;
        let module = self.modules.load(&self.name, image)?;
        let function = modules::function(&self.name, module, code)?;
        if code.bounds.whole_groups {
            modules::allow_workgroup_memory(&self.name, function, self.limits.workgroup_memory)?;
        }
        Ok(Loaded(function as usize))
    }

    unsafe fn launch(&self, launch: &Launch<'_>) -> Result<(), Error> {
        self.context.enter()?;
        let size = |sizes: [usize; 3]| {
            let [x, y, z] = sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
            (x, y, z)
        };
        let arch::Launch { geometry, memory } = &launch.sizes;
        let (groups, block) = (size(geometry.groups), size(geometry.block));
        let function = launch.loaded.0 as sys::CUfunction;
        let bytes = u32::try_from(memory.bytes).unwrap_or(u32::MAX);
        let mut arguments = ARGUMENTS.take();
        // SAFETY: the launch's own raw arguments, which outlive the call.
        let pointers = unsafe { arguments.gather(launch) };
        // SAFETY: the function is of this context's module; its parameters were compared with the host's when the
        // program was built; the caller's contract is about what they point at.
        let launched = self.call("cuLaunchKernel", unsafe {
            result::launch_kernel(function, groups, block, bytes, std::ptr::null_mut(), pointers)
        });
        ARGUMENTS.set(arguments);
        launched?;
        self.call("cuCtxSynchronize", result::ctx::synchronize())
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.context.enter()?;
        self.call("cuCtxSynchronize", result::ctx::synchronize())
    }
}
