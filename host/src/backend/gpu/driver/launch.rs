//! Launches of kernels.

use gridwright_core::LaunchSizes;

use super::handles::FunctionHandle;
use super::kernels::function;
use super::vendor::LaunchCall;
use super::{Driver, Status, Vendor};
use crate::Error;
use crate::backend::Launches;
use crate::submission::{Launch, StreamId, Ticket};

impl<V: Vendor> Launches for Driver<V> {
    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let state = &mut *self.begin()?;
        for &access in launch.accesses {
            let waited = state.wait_for_uses(self.api(), stream, access);
            waited.map_err(|status| self.error_in(state, self.api().wait_event.name, status))?;
        }
        let raw = state.stream(stream).raw;
        // SAFETY: the launch's own raw arguments, which outlive the call.
        let arguments = unsafe { state.arguments.gather(launch, V::in_parts(launch.code)) }.as_mut_ptr();
        let call = LaunchCall {
            stream: raw,
            arguments,
            ..LaunchCall::of(function(&**launch.kernel), &launch.sizes)
        };
        // SAFETY: the function is of this device's module; its parameters were compared with the host's when the
        // program was built. The caller says that what they point at is in `accesses`; the stream has the other uses of that
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
}

impl<V: Vendor> Driver<V> {
    /// # Safety
    /// As the driver's launch asks.
    #[inline]
    unsafe fn launch_plain(&self, call: &LaunchCall) -> Status {
        let LaunchCall { function, groups, block, bytes, stream, arguments } = *call;
        let ([groups_x, groups_y, groups_z], [x, y, z]) = (groups, block);
        let launch = self.api().launch.call;
        // SAFETY: the caller says that function and stream are of this device, that the function's arguments live until this
        // returns, and the memory that they point at until the kernel is done.
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
}

impl LaunchCall {
    /// A launch of these sizes, as yet without a stream and arguments.
    #[inline]
    pub(super) fn of(function: FunctionHandle, sizes: &LaunchSizes) -> Self {
        let size = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        let LaunchSizes { geometry, memory, .. } = sizes;
        Self {
            function,
            groups: geometry.groups.map(size),
            block: geometry.block.map(size),
            bytes: size(memory.bytes),
            stream: std::ptr::null_mut(),
            arguments: std::ptr::null_mut(),
        }
    }
}
