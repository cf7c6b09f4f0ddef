//! Launches.

use std::ffi::c_void;

use cudarc::driver::sys::{CUlaunchConfig, CUstream};
use gridwright_device::arch;

use super::attributes::{self, List};
use super::errors::Status;
use super::{Cuda, function};
use crate::Error;
use crate::backend::{Launch, StreamId, Ticket};

impl Cuda {
    /// # Safety
    /// As [`Backend::launch`](crate::backend::Backend::launch) asks.
    pub(super) unsafe fn launch_kernel(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let size = |sizes: [usize; 3]| sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let arch::Launch { geometry, memory } = &launch.sizes;
        let ([groups_x, groups_y, groups_z], [x, y, z]) = (size(geometry.groups), size(geometry.block));
        let bytes = u32::try_from(memory.bytes).unwrap_or(u32::MAX);
        let function = function(launch.loaded);

        let state = &mut *self.begin()?;
        for &access in launch.accesses {
            let waited = state.wait_for_uses(self.api(), stream, access);
            waited.map_err(|status| self.reporter.error(state, "cuStreamWaitEvent", status))?;
        }
        let raw = state.stream(stream).raw;
        // SAFETY: the launch's own raw arguments, which outlive the call.
        let arguments = unsafe { state.arguments.gather(launch) }.as_mut_ptr();
        // SAFETY: the function is of this context's module; its parameters were compared with the host's when the
        // program was built. The caller's contract is about what they point at; the stream has the other uses of that
        // memory behind it, and the driver copies the arguments before it returns.
        let status = unsafe {
            if launch.attributes.is_plain() {
                (self.api().launch)(
                    function,
                    groups_x,
                    groups_y,
                    groups_z,
                    x,
                    y,
                    z,
                    bytes,
                    raw,
                    arguments,
                    std::ptr::null_mut(),
                )
            } else {
                self.launch_with_attributes(launch, raw, arguments)
            }
        };
        if status != Status::SUCCESS {
            return Err(self.reporter.launch_error(state, launch.code.name, status));
        }
        state.launched.add(launch.code.name);
        let number = state.stream_mut(stream).submit(Some(launch.code.name));
        state.add_uses(self.api(), launch.accesses, Ticket { stream: stream.0, number });
        Ok(())
    }

    /// # Safety
    /// As the driver's launch asks.
    unsafe fn launch_with_attributes(
        &self,
        launch: &Launch<'_>,
        stream: CUstream,
        arguments: *mut *mut c_void,
    ) -> Status {
        let function = function(launch.loaded);
        let list = List::of(&launch.attributes, self.traits.workgroup_memory_of_processor);
        let config = attributes::config(&launch.sizes, stream, &list);
        // Without others, cooperative launches have a call of their own, also in older drivers.
        let is_cooperative_only = launch.attributes.cooperative && list.as_slice().len() == 1;
        // SAFETY: the caller's contract; the list outlives the call.
        unsafe {
            if let Some(launch) = self.api().launch_cooperative.filter(|_| is_cooperative_only) {
                let CUlaunchConfig { gridDimX, gridDimY, gridDimZ, sharedMemBytes, .. } = config;
                let CUlaunchConfig { blockDimX, blockDimY, blockDimZ, .. } = config;
                return launch(
                    function,
                    gridDimX,
                    gridDimY,
                    gridDimZ,
                    blockDimX,
                    blockDimY,
                    blockDimZ,
                    sharedMemBytes,
                    stream,
                    arguments,
                );
            }
            match self.api().launch_with_attributes {
                Some(launch) => launch(&raw const config, function, arguments, std::ptr::null_mut()),
                None => Status::NOT_SUPPORTED,
            }
        }
    }
}
