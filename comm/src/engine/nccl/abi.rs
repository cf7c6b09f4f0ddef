//! What of `nccl.h` is called. `tests/nccl_library.rs` compares this file with NVIDIA's header and library.

use std::error::Error as _;
use std::ffi::{c_char, c_int, c_void};

/// `ncclSuccess`.
pub(super) const SUCCESS: c_int = 0;
/// `ncclRemoteError`.
#[allow(dead_code, reason = "the tests ask the library what it says of it")]
pub(super) const REMOTE_ERROR: c_int = 6;
/// `ncclInProgress`.
pub(super) const IN_PROGRESS: c_int = 7;

/// The first version that has all of the table: 2.14, with `ncclCommFinalize`.
pub(super) const OLDEST: c_int = 21_400;

/// `ncclComm_t`: an address that only the library knows.
pub(super) type Handle = *mut c_void;
/// `cudaStream_t` or `hipStream_t`.
pub(super) type Stream = *mut c_void;
type Input = *const c_void;
type Output = *mut c_void;
type Text = *const c_char;

/// `ncclUniqueId`, which is passed by value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct UniqueId(pub(super) [c_char; 128]);

/// `ncclDataType_t`, of the numbers that every engine knows.
#[repr(i32)]
#[derive(Clone, Copy, Debug)]
pub(super) enum DataType {
    Int8 = 0,
    Uint8 = 1,
    Int32 = 2,
    Uint32 = 3,
    Int64 = 4,
    Uint64 = 5,
    Float32 = 7,
    Float64 = 8,
}

/// `ncclRedOp_t`, of the operators that every engine knows.
#[repr(i32)]
#[derive(Clone, Copy, Debug)]
pub(super) enum RedOp {
    Sum = 0,
    Product = 1,
    Maximum = 2,
    Minimum = 3,
}

/// What the system says of a library: its words are the source of the loader's error.
pub(crate) fn reason(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

macro_rules! table {
    ($($field:ident: $name:literal ($($argument:ty),*) -> $result:ty;)*) => {
        /// Functions of the library.
        #[derive(Debug)]
        pub(super) struct Functions {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl Functions {
            /// # Errors
            /// The first function that isn't there.
            pub(super) fn find(library: &libloading::Library) -> Result<Self, String> {
                Ok(Self {
                    // SAFETY: the functions of `nccl.h` with its types; the library is never unloaded.
                    $($field: *unsafe { library.get(concat!($name, "\0").as_bytes()) }.map_err(|error| reason(&error))?,)*
                })
            }
        }

        /// Functions with the types of their arguments and of what they return.
        #[cfg(test)]
        #[allow(dead_code, reason = "of `tests/nccl_library.rs`, which has this file too")]
        pub(super) const SIGNATURES: &[(&str, &[&str], &str)] =
            &[$(($name, &[$(stringify!($argument)),*], stringify!($result)),)*];
    };
}

table! {
    version: "ncclGetVersion" (*mut c_int) -> c_int;
    error_string: "ncclGetErrorString" (c_int) -> Text;
    last_error: "ncclGetLastError" (Handle) -> Text;
    unique_id: "ncclGetUniqueId" (*mut UniqueId) -> c_int;
    init_rank: "ncclCommInitRank" (*mut Handle, c_int, UniqueId, c_int) -> c_int;
    finalize: "ncclCommFinalize" (Handle) -> c_int;
    destroy: "ncclCommDestroy" (Handle) -> c_int;
    abort: "ncclCommAbort" (Handle) -> c_int;
    async_error: "ncclCommGetAsyncError" (Handle, *mut c_int) -> c_int;
    all_reduce: "ncclAllReduce" (Input, Output, usize, DataType, RedOp, Handle, Stream) -> c_int;
    reduce: "ncclReduce" (Input, Output, usize, DataType, RedOp, c_int, Handle, Stream) -> c_int;
    broadcast: "ncclBroadcast" (Input, Output, usize, DataType, c_int, Handle, Stream) -> c_int;
    all_gather: "ncclAllGather" (Input, Output, usize, DataType, Handle, Stream) -> c_int;
    reduce_scatter: "ncclReduceScatter" (Input, Output, usize, DataType, RedOp, Handle, Stream) -> c_int;
    send: "ncclSend" (Input, usize, DataType, c_int, Handle, Stream) -> c_int;
    receive: "ncclRecv" (Output, usize, DataType, c_int, Handle, Stream) -> c_int;
    group_start: "ncclGroupStart" () -> c_int;
    group_end: "ncclGroupEnd" () -> c_int;
}

/// Numbers by the names that `nccl.h` has for them.
#[cfg(test)]
#[allow(dead_code, reason = "of `tests/nccl_library.rs`, which has this file too")]
pub(super) const NUMBERS: &[(&str, c_int)] = &[
    ("ncclSuccess", SUCCESS),
    ("ncclRemoteError", REMOTE_ERROR),
    ("ncclInProgress", IN_PROGRESS),
    ("ncclInt8", DataType::Int8 as c_int),
    ("ncclUint8", DataType::Uint8 as c_int),
    ("ncclInt32", DataType::Int32 as c_int),
    ("ncclUint32", DataType::Uint32 as c_int),
    ("ncclInt64", DataType::Int64 as c_int),
    ("ncclUint64", DataType::Uint64 as c_int),
    ("ncclFloat32", DataType::Float32 as c_int),
    ("ncclFloat64", DataType::Float64 as c_int),
    ("ncclSum", RedOp::Sum as c_int),
    ("ncclProd", RedOp::Product as c_int),
    ("ncclMax", RedOp::Maximum as c_int),
    ("ncclMin", RedOp::Minimum as c_int),
];
