//! What the driver's statuses mean.

use std::ffi::{CStr, c_uint};
use std::sync::OnceLock;

use cudarc::driver::sys::cudaError_enum as Cuda;

use super::api::Api;
use super::state::State;
use crate::Error;

/// What a driver call returned: a number, since newer drivers have statuses that nobody here knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Status(c_uint);

impl Status {
    pub(super) const SUCCESS: Self = Self(Cuda::CUDA_SUCCESS as c_uint);
    pub(super) const NOT_READY: Self = Self(Cuda::CUDA_ERROR_NOT_READY as c_uint);
    pub(super) const OUT_OF_MEMORY: Self = Self(Cuda::CUDA_ERROR_OUT_OF_MEMORY as c_uint);
    pub(super) const INVALID_VALUE: Self = Self(Cuda::CUDA_ERROR_INVALID_VALUE as c_uint);
    pub(super) const INVALID_IMAGE: Self = Self(Cuda::CUDA_ERROR_INVALID_IMAGE as c_uint);
    pub(super) const NO_BINARY: Self = Self(Cuda::CUDA_ERROR_NO_BINARY_FOR_GPU as c_uint);
    pub(super) const INVALID_PTX: Self = Self(Cuda::CUDA_ERROR_INVALID_PTX as c_uint);
    pub(super) const NO_COMPILER: Self = Self(Cuda::CUDA_ERROR_JIT_COMPILER_NOT_FOUND as c_uint);
    pub(super) const NOT_SUPPORTED: Self = Self(Cuda::CUDA_ERROR_NOT_SUPPORTED as c_uint);
    pub(super) const NEWER_PTX: Self = Self(Cuda::CUDA_ERROR_UNSUPPORTED_PTX_VERSION as c_uint);
    pub(super) const COMPILER_DISABLED: Self = Self(Cuda::CUDA_ERROR_JIT_COMPILATION_DISABLED as c_uint);
    pub(super) const NOT_FOUND: Self = Self(Cuda::CUDA_ERROR_NOT_FOUND as c_uint);
    pub(super) const PEER_ACCESS_ALREADY_ENABLED: Self =
        Self(Cuda::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED as c_uint);
    pub(super) const PEER_ACCESS_UNSUPPORTED: Self = Self(Cuda::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED as c_uint);
    pub(super) const TOO_MANY_PEERS: Self = Self(Cuda::CUDA_ERROR_TOO_MANY_PEERS as c_uint);
    const OUT_OF_RESOURCES: Self = Self(Cuda::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES as c_uint);
    const CLUSTER_SIZE: Self = Self(Cuda::CUDA_ERROR_INVALID_CLUSTER_SIZE as c_uint);
    const TOO_LARGE: Self = Self(Cuda::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE as c_uint);

    /// Of the driver's documentation: those after which "the process must be terminated and relaunched".
    const FATAL: [Cuda; 18] = [
        Cuda::CUDA_ERROR_DEINITIALIZED,
        Cuda::CUDA_ERROR_DEVICE_UNAVAILABLE,
        Cuda::CUDA_ERROR_ECC_UNCORRECTABLE,
        Cuda::CUDA_ERROR_NVLINK_UNCORRECTABLE,
        Cuda::CUDA_ERROR_ILLEGAL_ADDRESS,
        Cuda::CUDA_ERROR_LAUNCH_TIMEOUT,
        Cuda::CUDA_ERROR_CONTEXT_IS_DESTROYED,
        Cuda::CUDA_ERROR_ASSERT,
        Cuda::CUDA_ERROR_HARDWARE_STACK_ERROR,
        Cuda::CUDA_ERROR_ILLEGAL_INSTRUCTION,
        Cuda::CUDA_ERROR_MISALIGNED_ADDRESS,
        Cuda::CUDA_ERROR_INVALID_ADDRESS_SPACE,
        Cuda::CUDA_ERROR_INVALID_PC,
        Cuda::CUDA_ERROR_LAUNCH_FAILED,
        Cuda::CUDA_ERROR_MPS_RPC_FAILURE,
        Cuda::CUDA_ERROR_MPS_CLIENT_TERMINATED,
        Cuda::CUDA_ERROR_EXTERNAL_DEVICE,
        Cuda::CUDA_ERROR_UNKNOWN,
    ];

    /// Of drivers newer than the ones whose statuses cudarc was asked for: contained errors, and leaked tensor memory.
    const FATAL_OF_LATER_DRIVERS: [c_uint; 2] = [226, 721];

    /// Whether all later calls fail too.
    fn is_fatal(self) -> bool {
        Self::FATAL.iter().any(|&fatal| fatal as c_uint == self.0)
            || Self::FATAL_OF_LATER_DRIVERS.contains(&self.0)
    }

    /// As the driver says it: `an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)`.
    pub(super) fn text(self, api: &Api) -> String {
        let say = |function: unsafe extern "C" fn(c_uint, *mut *const std::ffi::c_char) -> Self| {
            let mut text = std::ptr::null();
            // SAFETY: the pointer is set to a text that stays, or to null.
            let found = unsafe { function(self.0, &raw mut text) } == Self::SUCCESS && !text.is_null();
            // SAFETY: a text of the driver's, which ends with a zero.
            found.then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
        };
        match (say(api.error_string), say(api.error_name)) {
            (Some(words), Some(name)) => format!("{words} ({name})"),
            _ => format!("error {}", self.0),
        }
    }
}

/// The first fatal failure of a device.
#[derive(Debug, Default)]
pub(super) struct Loss(OnceLock<Error>);

impl Loss {
    /// # Errors
    /// [`Error::DeviceLost`] if the device is lost.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.0.get().map_or(Ok(()), |lost| Err(lost.clone()))
    }
}

/// Who makes the driver's statuses errors: a device, with its name.
#[derive(Debug)]
pub(super) struct Reporter {
    pub(super) api: &'static Api,
    pub(super) device: String,
    pub(super) loss: Loss,
}

impl Reporter {
    /// The error of a call, if it failed. `state` knows what was running.
    pub(super) fn check(&self, state: &State, call: &'static str, status: Status) -> Result<(), Error> {
        if status == Status::SUCCESS { Ok(()) } else { Err(self.error(state, call, status)) }
    }

    #[cold]
    pub(super) fn error(&self, state: &State, call: &'static str, status: Status) -> Error {
        let device = self.device.clone();
        if status.is_fatal() {
            let kernels = state.unfinished_kernels();
            let lost = || Error::DeviceLost { device, cause: status.text(self.api), kernels };
            return self.loss.0.get_or_init(lost).clone();
        }
        if status == Status::OUT_OF_MEMORY {
            return self.out_of_memory(0);
        }
        Error::Backend { device, call, message: status.text(self.api) }
    }

    /// The error of a launch.
    #[cold]
    pub(super) fn launch_error(&self, state: &State, kernel: &'static str, status: Status) -> Error {
        let refused = |remedy: &str| {
            let reason = format!("{}{remedy}", status.text(self.api));
            Error::LaunchRefused { kernel, device: self.device.clone(), reason }
        };
        match status {
            Status::OUT_OF_RESOURCES => refused(
                ": its threads need more registers than a workgroup of this size has; give it a smaller block, or declare \
                 `max_threads` so that it is compiled for the size",
            ),
            Status::TOO_LARGE => refused(": launch fewer or smaller workgroups"),
            Status::CLUSTER_SIZE => refused(": take smaller clusters, or smaller workgroups"),
            Status::INVALID_VALUE => refused(""),
            status => self.error(state, "cuLaunchKernel", status),
        }
    }

    /// The error of an allocation. The context is current.
    #[cold]
    pub(super) fn out_of_memory(&self, requested: usize) -> Error {
        let (mut free, mut total) = (0, 0);
        // SAFETY: two numbers to write.
        let told = unsafe { (self.api.memory_info)(&raw mut free, &raw mut total) } == Status::SUCCESS;
        let (free, total) = if told { (Some(free), Some(total)) } else { (None, None) };
        Error::OutOfMemory { device: self.device.clone(), requested: requested as u128, free, total }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cuda, Status};

    #[test]
    fn failures_of_kernels_are_fatal_and_those_of_calls_are_not() {
        let is_fatal = |status: Cuda| Status(status as u32).is_fatal();
        assert!(is_fatal(Cuda::CUDA_ERROR_ILLEGAL_ADDRESS) && is_fatal(Cuda::CUDA_ERROR_LAUNCH_FAILED));
        assert!(!is_fatal(Cuda::CUDA_ERROR_OUT_OF_MEMORY) && !is_fatal(Cuda::CUDA_ERROR_INVALID_VALUE));
        assert!(!is_fatal(Cuda::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) && !is_fatal(Cuda::CUDA_SUCCESS));
    }
}
