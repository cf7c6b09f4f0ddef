//! What the driver's statuses mean.

use std::ffi::{CStr, c_char, c_uint};

use cudarc::driver::sys::cudaError_enum as Cuda;

use super::api::Own;
use crate::backend::gpu::driver::Status;
use crate::backend::gpu::driver::api::Call;

pub(super) const INVALID_PTX: Status = Status(Cuda::CUDA_ERROR_INVALID_PTX as c_uint);
pub(super) const NO_COMPILER: Status = Status(Cuda::CUDA_ERROR_JIT_COMPILER_NOT_FOUND as c_uint);
pub(super) const NEWER_PTX: Status = Status(Cuda::CUDA_ERROR_UNSUPPORTED_PTX_VERSION as c_uint);
pub(super) const COMPILER_DISABLED: Status = Status(Cuda::CUDA_ERROR_JIT_COMPILATION_DISABLED as c_uint);
pub(super) const TOO_MANY_PEERS: Status = Status(Cuda::CUDA_ERROR_TOO_MANY_PEERS as c_uint);
const CLUSTER_SIZE: Status = Status(Cuda::CUDA_ERROR_INVALID_CLUSTER_SIZE as c_uint);

/// Statuses after which, by the driver's documentation, "the process must be terminated and relaunched".
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

/// Fatal statuses of newer drivers than those whose statuses cudarc was asked for.
/// They are contained errors, and leaked tensor memory.
const FATAL_OF_LATER_DRIVERS: [c_uint; 2] = [226, 721];

/// Whether all later calls fail too after a status.
pub(super) fn is_fatal(status: Status) -> bool {
    FATAL.iter().any(|&fatal| fatal as c_uint == status.0) || FATAL_OF_LATER_DRIVERS.contains(&status.0)
}

/// What to do where a launch is refused.
pub(super) fn remedy(status: Status) -> Option<&'static str> {
    match status {
        Status::OUT_OF_RESOURCES => Some(
            ": its threads need more registers than a workgroup of this size has; give it a smaller block, or declare \
             `max_threads` so that it is compiled for the size",
        ),
        Status::TOO_LARGE => Some(": launch fewer or smaller workgroups"),
        CLUSTER_SIZE => Some(": take smaller clusters, or smaller workgroups"),
        Status::INVALID_VALUE => Some(""),
        _ => None,
    }
}

/// The driver's words for a status: `an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)`.
pub(super) fn text(own: &Own, status: Status) -> String {
    let say = |ask: Call<unsafe extern "C" fn(c_uint, *mut *const c_char) -> Status>| {
        let mut text = std::ptr::null();
        // SAFETY: the pointer is set to a text that stays, or to null.
        let found = unsafe { (ask.call)(status.0, &raw mut text) } == Status::SUCCESS && !text.is_null();
        // SAFETY: a text of the driver's, which ends with a zero.
        found.then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    };
    match (say(own.error_string), say(own.error_name)) {
        (Some(words), Some(name)) => format!("{words} ({name})"),
        _ => format!("error {}", status.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{Cuda, Status};

    #[test]
    fn failures_of_kernels_are_fatal_and_those_of_calls_are_not() {
        let is_fatal = |status: Cuda| super::is_fatal(Status(status as u32));
        assert!(is_fatal(Cuda::CUDA_ERROR_ILLEGAL_ADDRESS) && is_fatal(Cuda::CUDA_ERROR_LAUNCH_FAILED));
        assert!(!is_fatal(Cuda::CUDA_ERROR_OUT_OF_MEMORY) && !is_fatal(Cuda::CUDA_ERROR_INVALID_VALUE));
        assert!(!is_fatal(Cuda::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) && !is_fatal(Cuda::CUDA_SUCCESS));
    }

    #[test]
    fn what_all_drivers_share_has_cudas_numbers() {
        let of = |status: Cuda| Status(status as u32);
        assert_eq!(Status::SUCCESS, of(Cuda::CUDA_SUCCESS));
        assert_eq!(Status::INVALID_VALUE, of(Cuda::CUDA_ERROR_INVALID_VALUE));
        assert_eq!(Status::OUT_OF_MEMORY, of(Cuda::CUDA_ERROR_OUT_OF_MEMORY));
        assert_eq!(Status::INVALID_IMAGE, of(Cuda::CUDA_ERROR_INVALID_IMAGE));
        assert_eq!(Status::NO_BINARY, of(Cuda::CUDA_ERROR_NO_BINARY_FOR_GPU));
        assert_eq!(Status::PEER_ACCESS_UNSUPPORTED, of(Cuda::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED));
        assert_eq!(Status::NOT_FOUND, of(Cuda::CUDA_ERROR_NOT_FOUND));
        assert_eq!(Status::NOT_READY, of(Cuda::CUDA_ERROR_NOT_READY));
        assert_eq!(Status::OUT_OF_RESOURCES, of(Cuda::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES));
        assert_eq!(Status::PEER_ACCESS_ALREADY_ENABLED, of(Cuda::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED));
        assert_eq!(Status::TOO_LARGE, of(Cuda::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE));
        assert_eq!(Status::NOT_SUPPORTED, of(Cuda::CUDA_ERROR_NOT_SUPPORTED));
    }
}
