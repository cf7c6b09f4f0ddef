//! The library's functions, as a program finds them.

use std::ffi::{CStr, c_char, c_int, c_void};

use libloading::Library;

pub(crate) type Handle = *mut c_void;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct UniqueId(pub(crate) [u8; 128]);

macro_rules! table {
    ($($field:ident: $name:literal ($($argument:ty),*) -> $result:ty;)*) => {
        pub(crate) struct Nccl {
            $(pub(crate) $field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl Nccl {
            pub(crate) fn load() -> Self {
                // SAFETY: the library's initialisers do nothing.
                let library = unsafe { Library::new("libnccl.so.2") }.expect("the library is in the path");
                // SAFETY: the functions of `nccl.h` with its types; the library stays loaded, as `nodelete` has it.
                Self { $($field: *unsafe { library.get($name.as_bytes()) }.expect($name),)* }
            }
        }
    };
}

table! {
    version: "ncclGetVersion" (*mut c_int) -> c_int;
    unique_id: "ncclGetUniqueId" (*mut UniqueId) -> c_int;
    init_rank: "ncclCommInitRank" (*mut Handle, c_int, UniqueId, c_int) -> c_int;
    finalize: "ncclCommFinalize" (Handle) -> c_int;
    destroy: "ncclCommDestroy" (Handle) -> c_int;
    abort: "ncclCommAbort" (Handle) -> c_int;
    count: "ncclCommCount" (Handle, *mut c_int) -> c_int;
    device: "ncclCommCuDevice" (Handle, *mut c_int) -> c_int;
    user_rank: "ncclCommUserRank" (Handle, *mut c_int) -> c_int;
    async_error: "ncclCommGetAsyncError" (Handle, *mut c_int) -> c_int;
    error_string: "ncclGetErrorString" (c_int) -> *const c_char;
    last_error: "ncclGetLastError" (Handle) -> *const c_char;
    all_reduce: "ncclAllReduce" (u64, u64, usize, c_int, c_int, Handle, Handle) -> c_int;
    reduce: "ncclReduce" (u64, u64, usize, c_int, c_int, c_int, Handle, Handle) -> c_int;
    broadcast: "ncclBroadcast" (u64, u64, usize, c_int, c_int, Handle, Handle) -> c_int;
    all_gather: "ncclAllGather" (u64, u64, usize, c_int, Handle, Handle) -> c_int;
    reduce_scatter: "ncclReduceScatter" (u64, u64, usize, c_int, c_int, Handle, Handle) -> c_int;
    send: "ncclSend" (u64, usize, c_int, c_int, Handle, Handle) -> c_int;
    receive: "ncclRecv" (u64, usize, c_int, c_int, Handle, Handle) -> c_int;
    group_start: "ncclGroupStart" () -> c_int;
    group_end: "ncclGroupEnd" () -> c_int;
}

impl Nccl {
    pub(crate) fn new_id(&self) -> UniqueId {
        let mut id = UniqueId([0; 128]);
        // SAFETY: an address for an id.
        assert_eq!(unsafe { (self.unique_id)(&mut id) }, 0);
        id
    }

    pub(crate) fn said(&self) -> String {
        // SAFETY: a text of the library's that ends with a zero.
        unsafe { CStr::from_ptr((self.last_error)(std::ptr::null_mut())) }.to_string_lossy().into_owned()
    }

    /// The error of what was begun.
    pub(crate) fn later_error(&self, communicator: Handle) -> c_int {
        let mut error = -1;
        // SAFETY: an address for a result.
        assert_eq!(unsafe { (self.async_error)(communicator, &mut error) }, 0);
        error
    }
}
