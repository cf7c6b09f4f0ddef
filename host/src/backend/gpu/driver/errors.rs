//! What the driver's statuses mean, and the loss of a device.

use std::sync::OnceLock;

use super::state::State;
use super::{Driver, Status, Vendor};
use crate::Error;

/// The first fatal failure of a device.
#[derive(Debug, Default)]
pub(super) struct Loss(OnceLock<Error>);

impl Loss {
    /// # Errors
    /// [`Error::DeviceLost`] if the device is lost.
    #[inline]
    pub(super) fn check(&self) -> Result<(), Error> {
        self.0.get().map_or(Ok(()), |lost| Err(lost.clone()))
    }
}

impl<V: Vendor> Driver<V> {
    /// The error of a call that was made without the lock, if it failed.
    pub(super) fn checked(&self, call: &'static str, status: Status) -> Result<(), Error> {
        if status == Status::SUCCESS { Ok(()) } else { Err(self.error(call, status)) }
    }

    #[cold]
    pub(super) fn error(&self, call: &'static str, status: Status) -> Error {
        self.error_in(&self.lock(), call, status)
    }

    /// The error of a call, if it failed. `state` knows what was running.
    pub(super) fn check(&self, state: &State, call: &'static str, status: Status) -> Result<(), Error> {
        if status == Status::SUCCESS { Ok(()) } else { Err(self.error_in(state, call, status)) }
    }

    #[cold]
    pub(super) fn error_in(&self, state: &State, call: &'static str, status: Status) -> Error {
        let device = self.name.clone();
        if V::is_fatal(status) {
            let kernels = state.unfinished_kernels();
            let lost = || Error::DeviceLost { device, cause: self.text(status), kernels };
            return self.loss.0.get_or_init(lost).clone();
        }
        if status == Status::OUT_OF_MEMORY {
            return self.out_of_memory(0);
        }
        Error::Backend { device, call, message: self.text(status) }
    }

    /// The error of a launch.
    #[cold]
    pub(super) fn launch_error(
        &self,
        state: &State,
        kernel: &'static str,
        call: &'static str,
        status: Status,
    ) -> Error {
        match V::remedy(status) {
            Some(remedy) => {
                let reason = format!("{}{remedy}", self.text(status));
                Error::LaunchRefused { kernel, device: self.name.clone(), reason }
            }
            None => self.error_in(state, call, status),
        }
    }

    /// The error of an allocation. The device is entered.
    #[cold]
    pub(super) fn out_of_memory(&self, requested: usize) -> Error {
        let (mut free, mut total) = (0, 0);
        // SAFETY: two numbers to write.
        let told = unsafe { (self.api.memory_info.call)(&raw mut free, &raw mut total) } == Status::SUCCESS;
        let (free, total) = if told { (Some(free), Some(total)) } else { (None, None) };
        Error::OutOfMemory { device: self.name.clone(), requested: requested as u128, free, total }
    }

    /// The driver's words for a status: `an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)`.
    pub(super) fn text(&self, status: Status) -> String {
        V::text(status)
    }
}

/// The error of a call before a device is open.
pub(crate) fn before_open<V: Vendor>(device: &str, call: &'static str, status: Status) -> Result<(), Error> {
    if status == Status::SUCCESS {
        return Ok(());
    }
    Err(Error::Backend { device: device.into(), call, message: V::text(status) })
}
