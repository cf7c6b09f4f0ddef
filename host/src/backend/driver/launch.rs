//! Launches of kernels.

use gridwright_device::arch;

use super::vendor::LaunchCall;
use super::{Driver, Status, Vendor, function};
use crate::Error;
use crate::backend::{Launch, Loaded, StreamId, Ticket};

impl<V: Vendor> Driver<V> {
    /// # Safety
    /// As [`Backend::launch`](crate::backend::Backend::launch) asks.
    pub(super) unsafe fn launch_kernel(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let state = &mut *self.begin()?;
        for &access in launch.accesses {
            let waited = state.wait_for_uses(self.api(), stream, access);
            waited.map_err(|status| self.error_in(state, self.api().wait_event.name, status))?;
        }
        let raw = state.stream(stream).raw;
        // SAFETY: the launch's own raw arguments, which outlive the call.
        let arguments = unsafe { state.arguments.gather(launch, V::in_words(launch.code)) }.as_mut_ptr();
        let call = LaunchCall { stream: raw, arguments, ..LaunchCall::of(launch.loaded, &launch.sizes) };
        // SAFETY: the function is of this device's module; its parameters were compared with the host's when the
        // program was built. The caller's contract is about what they point at; the stream has the other uses of that
        // memory behind it, and the driver copies the arguments before it returns.
        let (called, status) = unsafe {
            if launch.attributes.is_plain() {
                (self.api().launch.name, self.launch_plain(&call))
            } else {
                let processor_bytes = self.traits.workgroup_memory_of_processor;
                self.vendor.launch_with_attributes(&call, &launch.attributes, processor_bytes)
            }
        };
        if status != Status::SUCCESS {
            return Err(self.launch_error(state, launch.code.name, called, status));
        }
        state.launched.add(launch.code.name);
        let number = state.stream_mut(stream).submit(Some(launch.code.name));
        state.add_uses(self.api(), launch.accesses, Ticket { stream: stream.0, number });
        Ok(())
    }

    /// # Safety
    /// As the driver's launch asks.
    #[inline]
    unsafe fn launch_plain(&self, call: &LaunchCall) -> Status {
        let LaunchCall { function, groups, block, bytes, stream, arguments } = *call;
        let ([groups_x, groups_y, groups_z], [x, y, z]) = (groups, block);
        let launch = self.api().launch.call;
        // SAFETY: the caller's contract.
        unsafe {
            launch(
                function,
                groups_x,
                groups_y,
                groups_z,
                x,
                y,
                z,
                bytes,
                stream,
                arguments,
                std::ptr::null_mut(),
            )
        }
    }

    /// The most workgroups of a cluster of a launch of these sizes. The device has clusters.
    pub(super) fn largest_cluster_of(&self, loaded: Loaded, sizes: &arch::Launch) -> Result<usize, Error> {
        self.loss.check()?;
        self.enter()?;
        let most = self.vendor.largest_cluster(&LaunchCall::of(loaded, sizes));
        most.map_err(|(call, status)| self.error(call, status))
    }
}

impl LaunchCall {
    /// A launch of these sizes, as yet without a stream and arguments.
    #[inline]
    pub(super) fn of(loaded: Loaded, sizes: &arch::Launch) -> Self {
        let size = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        let arch::Launch { geometry, memory, .. } = sizes;
        Self {
            function: function(loaded),
            groups: geometry.groups.map(size),
            block: geometry.block.map(size),
            bytes: size(memory.bytes),
            stream: std::ptr::null_mut(),
            arguments: std::ptr::null_mut(),
        }
    }
}
