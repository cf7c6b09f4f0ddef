//! The functions that drivers have in common: the same arguments in registers, under the names that each driver has for them.

use std::ffi::{c_char, c_int, c_uint, c_ushort, c_void};
use std::ptr::NonNull;

use super::handles::{
    Address, DeviceHandle, EventHandle, ExecHandle, FunctionHandle, GraphHandle, ModuleHandle, NodeHandle,
    PoolHandle, StreamHandle,
};
use super::status::Status;

/// A function of a driver, and the driver's name for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<F> {
    pub(crate) name: &'static str,
    pub(crate) call: F,
}

/// A function of the program that the driver calls.
pub(crate) type HostFunction = unsafe extern "C" fn(*mut c_void);

/// The call of a node of the host's. `CUDA_HOST_NODE_PARAMS` and `hipHostNodeParams` are the same.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct HostNode {
    pub(crate) function: Option<HostFunction>,
    pub(crate) data: *mut c_void,
}

/// Who may access a pool's memory. `CUmemAccessDesc` and `hipMemAccessDesc` are the same.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct PoolAccess {
    pub(crate) kind: c_uint,
    pub(crate) device: c_int,
    pub(crate) flags: c_uint,
}

impl PoolAccess {
    pub(crate) const OF_DEVICE: c_uint = 1;
    pub(crate) const READ_AND_WRITE: c_uint = 3;
}

/// Finds a function by its name.
pub(crate) type Find<'f> = &'f dyn Fn(&str) -> Option<NonNull<c_void>>;

impl<F: Copy> Call<F> {
    /// The function at an address. In messages its name is without the number of its version.
    ///
    /// # Safety
    /// `F` is the type of a pointer to a function, and the address that of one of this type.
    pub(crate) unsafe fn new(name: &'static str, address: NonNull<c_void>) -> Self {
        const { assert!(size_of::<F>() == size_of::<NonNull<c_void>>()) };
        // SAFETY: `F` is a pointer to the function at the address, as the caller says; the two were seen to be of one size.
        let call = unsafe { std::mem::transmute_copy(&address) };
        Self { name: name.strip_suffix("_v2").unwrap_or(name), call }
    }
}

macro_rules! functions {
    (
        needed { $($needed:ident ($($needed_type:ty),* $(,)?);)* }
        optional { $($optional:ident ($($optional_type:ty),* $(,)?);)* }
    ) => {
        /// A driver's functions: those that every driver has, and those that newer ones have.
        #[derive(Debug)]
        pub(crate) struct Api {
            $(pub(crate) $needed: Call<unsafe extern "C" fn($($needed_type),*) -> Status>,)*
            $(pub(crate) $optional: Option<Call<unsafe extern "C" fn($($optional_type),*) -> Status>>,)*
        }

        /// The names that a driver has for the functions.
        #[derive(Debug)]
        pub(crate) struct Names {
            $(pub(crate) $needed: &'static str,)*
            $(pub(crate) $optional: &'static str,)*
        }

        impl Api {
            /// # Errors
            /// The name of a function that is needed and isn't there.
            ///
            /// # Safety
            /// What is found by a name is a function that takes what is said below, and returns a status of 32 bits.
            pub(crate) unsafe fn find(names: &Names, find: Find<'_>) -> Result<Self, &'static str> {
                Ok(Self {
                    $($needed: {
                        let found = find(names.$needed).ok_or(names.$needed)?;
                        // SAFETY: the caller says that what is found by this name is a function of this type.
                        unsafe { Call::new(names.$needed, found) }
                    },)*
                    // SAFETY: the caller says that what is found by these names is functions of these types.
                    $($optional: find(names.$optional).map(|found| unsafe { Call::new(names.$optional, found) }),)*
                })
            }
        }
    };
}

/// A vendor's table of what only its driver has.
macro_rules! own_functions {
    (
        needed { $($needed:ident = $needed_name:literal ($($needed_type:ty),* $(,)?);)* }
        optional { $($optional:ident = $optional_name:literal ($($optional_type:ty),* $(,)?);)* }
    ) => {
        /// The functions that the driver has in its own way: those that every release has, and those that newer ones have.
        #[derive(Debug)]
        pub(super) struct Own {
            $(pub(super) $needed: $crate::backend::gpu::driver::api::Call<
                unsafe extern "C" fn($($needed_type),*) -> $crate::backend::gpu::driver::Status
            >,)*
            $(pub(super) $optional: Option<$crate::backend::gpu::driver::api::Call<
                unsafe extern "C" fn($($optional_type),*) -> $crate::backend::gpu::driver::Status
            >>,)*
        }

        impl Own {
            /// # Errors
            /// The name of a function that is needed and isn't there.
            ///
            /// # Safety
            /// What is found by a name is a function that takes what is said above, and returns a status of 32 bits.
            unsafe fn find(find: $crate::backend::gpu::driver::api::Find<'_>) -> Result<Self, &'static str> {
                use $crate::backend::gpu::driver::api::Call;
                Ok(Self {
                    $($needed: {
                        let found = find($needed_name).ok_or($needed_name)?;
                        // SAFETY: the caller says that what is found by this name is a function of this type.
                        unsafe { Call::new($needed_name, found) }
                    },)*
                    // SAFETY: the caller says that what is found by these names is functions of these types.
                    $($optional: find($optional_name).map(|found| unsafe { Call::new($optional_name, found) }),)*
                })
            }
        }
    };
}
pub(crate) use own_functions;

functions! {
    needed {
    device_count (*mut c_int);
    device (*mut DeviceHandle, c_int);
    device_name (*mut c_char, c_int, DeviceHandle);
    device_attribute (*mut c_int, c_int, DeviceHandle);
    synchronize_context ();
    priorities (*mut c_int, *mut c_int);
    memory_info (*mut usize, *mut usize);
    allocate (*mut Address, usize);
    allocate_managed (*mut Address, usize, c_uint);
    free (Address);
    allocate_host (*mut *mut c_void, usize, c_uint);
    free_host (*mut c_void);
    copy_to_device (Address, *const c_void, usize, StreamHandle);
    copy_to_host (*mut c_void, Address, usize, StreamHandle);
    copy_on_device (Address, Address, usize, StreamHandle);
    can_access_peer (*mut c_int, DeviceHandle, DeviceHandle);
    set_8_bits (Address, u8, usize, StreamHandle);
    set_16_bits (Address, c_ushort, usize, StreamHandle);
    set_32_bits (Address, c_uint, usize, StreamHandle);
    create_stream (*mut StreamHandle, c_uint, c_int);
    destroy_stream (StreamHandle);
    query_stream (StreamHandle);
    synchronize_stream (StreamHandle);
    wait_event (StreamHandle, EventHandle, c_uint);
    create_event (*mut EventHandle, c_uint);
    destroy_event (EventHandle);
    record_event (EventHandle, StreamHandle);
    query_event (EventHandle);
    synchronize_event (EventHandle);
    elapsed (*mut f32, EventHandle, EventHandle);
    unload_module (ModuleHandle);
    function (*mut FunctionHandle, ModuleHandle, *const c_char);
    function_attribute (*mut c_int, c_int, FunctionHandle);
    launch (
        FunctionHandle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, StreamHandle, *mut *mut c_void,
        *mut *mut c_void
    );
    create_graph (*mut GraphHandle, c_uint);
    destroy_graph (GraphHandle);
    add_empty (*mut NodeHandle, GraphHandle, *const NodeHandle, usize);
    add_host (*mut NodeHandle, GraphHandle, *const NodeHandle, usize, *const HostNode);
    instantiate_graph (*mut ExecHandle, GraphHandle, u64);
    launch_graph (ExecHandle, StreamHandle);
    destroy_exec (ExecHandle);
    groups_per_processor (*mut c_int, FunctionHandle, c_int, usize);
    }
    optional {
    global (*mut Address, *mut usize, ModuleHandle, *const c_char);
    device_pointer (*mut Address, *mut c_void, c_uint);
    launch_host (StreamHandle, Option<HostFunction>, *mut c_void);
    launch_cooperative (
        FunctionHandle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, StreamHandle, *mut *mut c_void
    );
    default_pool (*mut PoolHandle, DeviceHandle);
    set_pool_attribute (PoolHandle, c_int, *mut c_void);
    set_pool_access (PoolHandle, *const PoolAccess, usize);
    trim_pool (PoolHandle, usize);
    allocate_in_order (*mut Address, usize, StreamHandle);
    free_in_order (Address, StreamHandle);
    }
}
