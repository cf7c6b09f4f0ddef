//! Errors of both APIs: HIP took CUDA's numbers.

use std::ffi::{CStr, c_int};

/// Why a call failed: a `CUresult` that isn't `CUDA_SUCCESS`, or a `hipError_t` that isn't `hipSuccess`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error(c_int);

impl Error {
    pub const INVALID_VALUE: Self = Self(1);
    pub const OUT_OF_MEMORY: Self = Self(2);
    pub const NOT_INITIALIZED: Self = Self(3);
    pub const INVALID_CONFIGURATION: Self = Self(9);
    pub const INVALID_PITCH_VALUE: Self = Self(12);
    pub const INVALID_MEMCPY_DIRECTION: Self = Self(21);
    pub const NO_DEVICE: Self = Self(100);
    pub const INVALID_DEVICE: Self = Self(101);
    pub const INVALID_IMAGE: Self = Self(200);
    pub const INVALID_CONTEXT: Self = Self(201);
    pub const NO_BINARY_FOR_GPU: Self = Self(209);
    pub const UNSUPPORTED_LIMIT: Self = Self(215);
    pub const INVALID_PTX: Self = Self(218);
    pub const UNSUPPORTED_PTX_VERSION: Self = Self(222);
    pub const FILE_NOT_FOUND: Self = Self(301);
    pub const OPERATING_SYSTEM: Self = Self(304);
    pub const INVALID_HANDLE: Self = Self(400);
    pub const ILLEGAL_STATE: Self = Self(401);
    pub const NOT_FOUND: Self = Self(500);
    pub const NOT_READY: Self = Self(600);
    pub const ILLEGAL_ADDRESS: Self = Self(700);
    pub const LAUNCH_OUT_OF_RESOURCES: Self = Self(701);
    pub const LAUNCH_TIMEOUT: Self = Self(702);
    pub const PEER_ACCESS_ALREADY_ENABLED: Self = Self(704);
    pub const PEER_ACCESS_NOT_ENABLED: Self = Self(705);
    pub const CONTEXT_IS_DESTROYED: Self = Self(709);
    pub const ASSERT: Self = Self(710);
    pub const HOST_MEMORY_ALREADY_REGISTERED: Self = Self(712);
    pub const HOST_MEMORY_NOT_REGISTERED: Self = Self(713);
    pub const HARDWARE_STACK_ERROR: Self = Self(714);
    pub const MISALIGNED_ADDRESS: Self = Self(716);
    pub const INVALID_PC: Self = Self(718);
    pub const LAUNCH_FAILED: Self = Self(719);
    pub const COOPERATIVE_LAUNCH_TOO_LARGE: Self = Self(720);
    pub const NOT_PERMITTED: Self = Self(800);
    pub const NOT_SUPPORTED: Self = Self(801);
    pub const STREAM_CAPTURE_UNSUPPORTED: Self = Self(900);
    pub const STREAM_CAPTURE_INVALIDATED: Self = Self(901);
    pub const STREAM_CAPTURE_MERGE: Self = Self(902);
    pub const STREAM_CAPTURE_UNMATCHED: Self = Self(903);
    pub const STREAM_CAPTURE_UNJOINED: Self = Self(904);
    pub const STREAM_CAPTURE_ISOLATION: Self = Self(905);
    pub const STREAM_CAPTURE_IMPLICIT: Self = Self(906);
    pub const CAPTURED_EVENT: Self = Self(907);
    pub const STREAM_CAPTURE_WRONG_THREAD: Self = Self(908);
    pub const GRAPH_EXEC_UPDATE_FAILURE: Self = Self(910);
    pub const INVALID_CLUSTER_SIZE: Self = Self(912);
    pub const UNKNOWN: Self = Self(999);
}

impl Error {
    /// From a number that `code` gave; none for success.
    #[must_use]
    pub fn from_code(code: c_int) -> Option<Self> {
        (code != 0).then_some(Self(code))
    }

    /// Its number.
    #[must_use]
    pub fn code(self) -> c_int {
        self.0
    }
}

/// The numbers that an API has, each with its name and what it means.
pub type Texts = &'static [(c_int, &'static CStr, &'static CStr)];
