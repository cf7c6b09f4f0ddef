//! Errors: their numbers and texts.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Mutex;

use crate::locks::lock;

/// A `ncclResult_t` that is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Cuda = 1,
    System = 2,
    Internal = 3,
    InvalidArgument = 4,
    InvalidUsage = 5,
    Remote = 6,
}

impl Code {
    pub(crate) fn number(self) -> c_int {
        self as c_int
    }

    pub(crate) fn of(number: u32) -> Self {
        match number {
            1 => Self::Cuda,
            2 => Self::System,
            4 => Self::InvalidArgument,
            5 => Self::InvalidUsage,
            6 => Self::Remote,
            _ => Self::Internal,
        }
    }
}

/// Why a call failed.
#[derive(Clone, Debug)]
pub(crate) struct Error {
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidUsage, message)
    }

    pub(crate) fn system(message: impl Into<String>) -> Self {
        Self::new(Code::System, message)
    }

    pub(crate) fn remote(message: impl Into<String>) -> Self {
        Self::new(Code::Remote, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(Code::Internal, message)
    }
}

/// Texts of `ncclResult_t`, by its number.
const TEXTS: [&CStr; 9] = [
    c"no error",
    c"unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
    c"unhandled system error (run with NCCL_DEBUG=INFO for details)",
    c"internal error - please report this issue to the NCCL developers",
    c"invalid argument (run with NCCL_DEBUG=WARN for details)",
    c"invalid usage (run with NCCL_DEBUG=WARN for details)",
    c"remote process exited or there was a network error",
    c"NCCL operation in progress",
    c"timeout",
];

/// The last message. Texts are leaked: programs keep their addresses, and errors are few.
static LAST: Mutex<&CStr> = Mutex::new(c"");

/// Makes an error's message the last one.
pub(crate) fn remember(error: &Error) {
    let without_zeros = error.message.replace('\0', " ");
    if let Ok(text) = CString::new(without_zeros) {
        *lock(&LAST) = Box::leak(text.into_boxed_c_str());
    }
}

/// What a result means.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "nccl.h has it so")]
extern "C" fn ncclGetErrorString(result: c_int) -> *const c_char {
    let known = usize::try_from(result).ok().and_then(|result| TEXTS.get(result));
    known.map_or(c"unknown result code".as_ptr(), |text| text.as_ptr())
}

/// The message of the last error, of any communicator.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "nccl.h has it so")]
extern "C" fn ncclGetLastError(_communicator: *mut c_void) -> *const c_char {
    lock(&LAST).as_ptr()
}
