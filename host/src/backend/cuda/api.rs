//! The driver's functions, found when the program runs. cudarc says what the types are and where the library is; its own
//! functions would panic where one is missing, and take statuses that it doesn't know for a value of an enum.

use std::ffi::{c_char, c_int, c_uint, c_ushort, c_void};
use std::sync::OnceLock;

use cudarc::driver::sys;
use cudarc::driver::sys::{
    CUcontext, CUdevice, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphExec, CUgraphNode, CUhostFn,
    CUmemoryPool, CUmodule, CUstream,
};

use super::errors::Status;
use crate::Error;

macro_rules! functions {
    (
        needed { $($needed:ident = $needed_name:literal ($($needed_type:ty),* $(,)?);)* }
        optional { $($optional:ident = $optional_name:literal ($($optional_type:ty),* $(,)?);)* }
    ) => {
        /// The driver's functions: those that every driver has, and those that newer ones have.
        #[derive(Debug)]
        pub(super) struct Api {
            $(pub(super) $needed: unsafe extern "C" fn($($needed_type),*) -> Status,)*
            $(pub(super) $optional: Option<unsafe extern "C" fn($($optional_type),*) -> Status>,)*
        }

        impl Api {
            /// # Errors
            /// The name of a function that is needed and isn't there.
            fn find() -> Result<Self, &'static str> {
                // SAFETY: `get` makes sure that there is a library before it calls this.
                let library = unsafe { sys::culib() };
                Ok(Self {
                    // SAFETY: the types are those of the driver's documentation, with a number for the status.
                    $($needed: *unsafe { library.get($needed_name.as_bytes()) }.map_err(|_| $needed_name)?,)*
                    // SAFETY: as above.
                    $($optional: unsafe { library.get($optional_name.as_bytes()) }.ok().map(|found| *found),)*
                })
            }
        }
    };
}

functions! {
    needed {
    init = "cuInit" (c_uint);
    driver_version = "cuDriverGetVersion" (*mut c_int);
    error_name = "cuGetErrorName" (c_uint, *mut *const c_char);
    error_string = "cuGetErrorString" (c_uint, *mut *const c_char);
    device_count = "cuDeviceGetCount" (*mut c_int);
    device = "cuDeviceGet" (*mut CUdevice, c_int);
    device_name = "cuDeviceGetName" (*mut c_char, c_int, CUdevice);
    device_attribute = "cuDeviceGetAttribute" (*mut c_int, c_int, CUdevice);
    retain_context = "cuDevicePrimaryCtxRetain" (*mut CUcontext, CUdevice);
    release_context = "cuDevicePrimaryCtxRelease_v2" (CUdevice);
    current_context = "cuCtxGetCurrent" (*mut CUcontext);
    set_current_context = "cuCtxSetCurrent" (CUcontext);
    synchronize_context = "cuCtxSynchronize" ();
    priorities = "cuCtxGetStreamPriorityRange" (*mut c_int, *mut c_int);
    memory_info = "cuMemGetInfo_v2" (*mut usize, *mut usize);
    allocate = "cuMemAlloc_v2" (*mut CUdeviceptr, usize);
    allocate_managed = "cuMemAllocManaged" (*mut CUdeviceptr, usize, c_uint);
    free = "cuMemFree_v2" (CUdeviceptr);
    allocate_host = "cuMemHostAlloc" (*mut *mut c_void, usize, c_uint);
    free_host = "cuMemFreeHost" (*mut c_void);
    copy_to_device = "cuMemcpyHtoDAsync_v2" (CUdeviceptr, *const c_void, usize, CUstream);
    copy_to_host = "cuMemcpyDtoHAsync_v2" (*mut c_void, CUdeviceptr, usize, CUstream);
    copy_on_device = "cuMemcpyDtoDAsync_v2" (CUdeviceptr, CUdeviceptr, usize, CUstream);
    copy_anywhere = "cuMemcpyAsync" (CUdeviceptr, CUdeviceptr, usize, CUstream);
    copy_to_peer = "cuMemcpyPeerAsync" (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, usize, CUstream);
    can_access_peer = "cuDeviceCanAccessPeer" (*mut c_int, CUdevice, CUdevice);
    enable_peer_access = "cuCtxEnablePeerAccess" (CUcontext, c_uint);
    set_8_bits = "cuMemsetD8Async" (CUdeviceptr, u8, usize, CUstream);
    set_16_bits = "cuMemsetD16Async" (CUdeviceptr, c_ushort, usize, CUstream);
    set_32_bits = "cuMemsetD32Async" (CUdeviceptr, c_uint, usize, CUstream);
    create_stream = "cuStreamCreateWithPriority" (*mut CUstream, c_uint, c_int);
    destroy_stream = "cuStreamDestroy_v2" (CUstream);
    query_stream = "cuStreamQuery" (CUstream);
    synchronize_stream = "cuStreamSynchronize" (CUstream);
    wait_event = "cuStreamWaitEvent" (CUstream, CUevent, c_uint);
    create_event = "cuEventCreate" (*mut CUevent, c_uint);
    destroy_event = "cuEventDestroy_v2" (CUevent);
    record_event = "cuEventRecord" (CUevent, CUstream);
    query_event = "cuEventQuery" (CUevent);
    synchronize_event = "cuEventSynchronize" (CUevent);
    elapsed = "cuEventElapsedTime" (*mut f32, CUevent, CUevent);
    load_module = "cuModuleLoadDataEx" (*mut CUmodule, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    unload_module = "cuModuleUnload" (CUmodule);
    function = "cuModuleGetFunction" (*mut CUfunction, CUmodule, *const c_char);
    function_attribute = "cuFuncGetAttribute" (*mut c_int, c_int, CUfunction);
    launch = "cuLaunchKernel" (
        CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream, *mut *mut c_void,
        *mut *mut c_void
    );
    launch_host = "cuLaunchHostFunc" (CUstream, CUhostFn, *mut c_void);
    create_graph = "cuGraphCreate" (*mut CUgraph, c_uint);
    destroy_graph = "cuGraphDestroy" (CUgraph);
    add_empty = "cuGraphAddEmptyNode" (*mut CUgraphNode, CUgraph, *const CUgraphNode, usize);
    add_launch = "cuGraphAddKernelNode_v2" (
        *mut CUgraphNode, CUgraph, *const CUgraphNode, usize, *const sys::CUDA_KERNEL_NODE_PARAMS_v2
    );
    set_launch_attribute = "cuGraphKernelNodeSetAttribute" (CUgraphNode, c_int, *const c_void);
    add_copy = "cuGraphAddMemcpyNode" (
        *mut CUgraphNode, CUgraph, *const CUgraphNode, usize, *const sys::CUDA_MEMCPY3D, CUcontext
    );
    add_set = "cuGraphAddMemsetNode" (
        *mut CUgraphNode, CUgraph, *const CUgraphNode, usize, *const sys::CUDA_MEMSET_NODE_PARAMS, CUcontext
    );
    add_host = "cuGraphAddHostNode" (
        *mut CUgraphNode, CUgraph, *const CUgraphNode, usize, *const sys::CUDA_HOST_NODE_PARAMS
    );
    instantiate_graph = "cuGraphInstantiateWithFlags" (*mut CUgraphExec, CUgraph, u64);
    set_launch = "cuGraphExecKernelNodeSetParams_v2" (
        CUgraphExec, CUgraphNode, *const sys::CUDA_KERNEL_NODE_PARAMS_v2
    );
    launch_graph = "cuGraphLaunch" (CUgraphExec, CUstream);
    destroy_exec = "cuGraphExecDestroy" (CUgraphExec);
    groups_per_processor = "cuOccupancyMaxActiveBlocksPerMultiprocessor" (*mut c_int, CUfunction, c_int, usize);
    }
    optional {
    set_function_attribute = "cuFuncSetAttribute" (CUfunction, c_int, c_int);
    global = "cuModuleGetGlobal_v2" (*mut CUdeviceptr, *mut usize, CUmodule, *const c_char);
    device_pointer = "cuMemHostGetDevicePointer_v2" (*mut CUdeviceptr, *mut c_void, c_uint);
    parameter = "cuFuncGetParamInfo" (CUfunction, usize, *mut usize, *mut usize);
    best_block = "cuOccupancyMaxPotentialBlockSize" (
        *mut c_int, *mut c_int, CUfunction, sys::CUoccupancyB2DSize, usize, c_int
    );
    launch_cooperative = "cuLaunchCooperativeKernel" (
        CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream, *mut *mut c_void
    );
    launch_with_attributes = "cuLaunchKernelEx" (
        *const sys::CUlaunchConfig, CUfunction, *mut *mut c_void, *mut *mut c_void
    );
    largest_cluster = "cuOccupancyMaxPotentialClusterSize" (*mut c_int, CUfunction, *const sys::CUlaunchConfig);
    default_pool = "cuDeviceGetDefaultMemPool" (*mut CUmemoryPool, CUdevice);
    set_pool_attribute = "cuMemPoolSetAttribute" (CUmemoryPool, c_int, *mut c_void);
    set_pool_access = "cuMemPoolSetAccess" (CUmemoryPool, *const sys::CUmemAccessDesc, usize);
    trim_pool = "cuMemPoolTrimTo" (CUmemoryPool, usize);
    allocate_in_order = "cuMemAllocAsync" (*mut CUdeviceptr, usize, CUstream);
    free_in_order = "cuMemFreeAsync" (CUdeviceptr, CUstream);
    }
}

/// The driver, loaded and started.
///
/// # Errors
/// [`Error::DriverMissing`] where there is no library, or it is too old, or it doesn't start.
pub(super) fn get() -> Result<&'static Api, Error> {
    static API: OnceLock<Result<Api, Error>> = OnceLock::new();
    let missing = |reason: String, remedy| Error::DriverMissing { driver: "CUDA", reason, remedy };
    let api = API.get_or_init(|| {
        // SAFETY: loading the driver's library runs its initialisers, as any program that uses it does.
        if !unsafe { sys::is_culib_present() } {
            let remedy = "install NVIDIA's driver, or set GRIDWRIGHT_DEVICE=cpu";
            return Err(missing("there is no libcuda.so".into(), remedy));
        }
        Api::find().map_err(|lacking| {
            let remedy = "install a newer driver, or set GRIDWRIGHT_DEVICE=cpu";
            missing(format!("the one that is there lacks `{lacking}`"), remedy)
        })
    });
    let api = api.as_ref().map_err(Error::clone)?;
    // SAFETY: may be called again and again.
    match unsafe { (api.init)(0) } {
        Status::SUCCESS => Ok(api),
        status => Err(missing(
            format!("it doesn't start: {}", status.text(api)),
            "is there a device, and is its kernel module loaded? Or set GRIDWRIGHT_DEVICE=cpu",
        )),
    }
}
