//! The driver's functions, found when the program runs. cudarc says what the types are and where the library is; its own
//! functions would panic where one is missing, and take statuses that it doesn't know for a value of an enum.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;

use cudarc::driver::sys;
use cudarc::driver::sys::{
    CUarray, CUcontext, CUdevice, CUdeviceptr, CUfunction, CUgraph, CUgraphExec, CUgraphNode, CUmodule,
    CUstream,
};

use super::statuses;
use crate::Error;
use crate::backend::gpu::driver::api::{Names, own_functions};
use crate::backend::gpu::driver::{Api, Status};

own_functions! {
    needed {
    init = "cuInit" (c_uint);
    driver_version = "cuDriverGetVersion" (*mut c_int);
    error_name = "cuGetErrorName" (c_uint, *mut *const c_char);
    error_string = "cuGetErrorString" (c_uint, *mut *const c_char);
    retain_context = "cuDevicePrimaryCtxRetain" (*mut CUcontext, CUdevice);
    release_context = "cuDevicePrimaryCtxRelease_v2" (CUdevice);
    current_context = "cuCtxGetCurrent" (*mut CUcontext);
    set_current_context = "cuCtxSetCurrent" (CUcontext);
    copy_anywhere = "cuMemcpyAsync" (CUdeviceptr, CUdeviceptr, usize, CUstream);
    copy_to_peer = "cuMemcpyPeerAsync" (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, usize, CUstream);
    enable_peer_access = "cuCtxEnablePeerAccess" (CUcontext, c_uint);
    load_module = "cuModuleLoadDataEx" (*mut CUmodule, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
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
    set_launch = "cuGraphExecKernelNodeSetParams_v2" (
        CUgraphExec, CUgraphNode, *const sys::CUDA_KERNEL_NODE_PARAMS_v2
    );
    }
    optional {
    make_array = "cuArray3DCreate_v2" (*mut CUarray, *const sys::CUDA_ARRAY3D_DESCRIPTOR);
    destroy_array = "cuArrayDestroy" (CUarray);
    copy_array = "cuMemcpy3DAsync_v2" (*const sys::CUDA_MEMCPY3D, CUstream);
    make_texture = "cuTexObjectCreate" (
        *mut u64, *const sys::CUDA_RESOURCE_DESC, *const sys::CUDA_TEXTURE_DESC, *const c_void
    );
    destroy_texture = "cuTexObjectDestroy" (u64);
    make_surface = "cuSurfObjectCreate" (*mut u64, *const sys::CUDA_RESOURCE_DESC);
    destroy_surface = "cuSurfObjectDestroy" (u64);
    set_function_attribute = "cuFuncSetAttribute" (CUfunction, c_int, c_int);
    parameter = "cuFuncGetParamInfo" (CUfunction, usize, *mut usize, *mut usize);
    best_block = "cuOccupancyMaxPotentialBlockSize" (
        *mut c_int, *mut c_int, CUfunction, sys::CUoccupancyB2DSize, usize, c_int
    );
    launch_with_attributes = "cuLaunchKernelEx" (
        *const sys::CUlaunchConfig, CUfunction, *mut *mut c_void, *mut *mut c_void
    );
    largest_cluster = "cuOccupancyMaxPotentialClusterSize" (*mut c_int, CUfunction, *const sys::CUlaunchConfig);
    }
}

/// CUDA's names for the functions that all drivers have.
const NAMES: Names = Names {
    device_count: "cuDeviceGetCount",
    device: "cuDeviceGet",
    device_name: "cuDeviceGetName",
    device_attribute: "cuDeviceGetAttribute",
    synchronize_context: "cuCtxSynchronize",
    priorities: "cuCtxGetStreamPriorityRange",
    memory_info: "cuMemGetInfo_v2",
    allocate: "cuMemAlloc_v2",
    allocate_managed: "cuMemAllocManaged",
    free: "cuMemFree_v2",
    allocate_host: "cuMemHostAlloc",
    free_host: "cuMemFreeHost",
    copy_to_device: "cuMemcpyHtoDAsync_v2",
    copy_to_host: "cuMemcpyDtoHAsync_v2",
    copy_on_device: "cuMemcpyDtoDAsync_v2",
    can_access_peer: "cuDeviceCanAccessPeer",
    set_8_bits: "cuMemsetD8Async",
    set_16_bits: "cuMemsetD16Async",
    set_32_bits: "cuMemsetD32Async",
    create_stream: "cuStreamCreateWithPriority",
    destroy_stream: "cuStreamDestroy_v2",
    query_stream: "cuStreamQuery",
    synchronize_stream: "cuStreamSynchronize",
    wait_event: "cuStreamWaitEvent",
    create_event: "cuEventCreate",
    destroy_event: "cuEventDestroy_v2",
    record_event: "cuEventRecord",
    query_event: "cuEventQuery",
    synchronize_event: "cuEventSynchronize",
    elapsed: "cuEventElapsedTime",
    unload_module: "cuModuleUnload",
    function: "cuModuleGetFunction",
    function_attribute: "cuFuncGetAttribute",
    launch: "cuLaunchKernel",
    launch_host: "cuLaunchHostFunc",
    create_graph: "cuGraphCreate",
    destroy_graph: "cuGraphDestroy",
    add_empty: "cuGraphAddEmptyNode",
    add_host: "cuGraphAddHostNode",
    instantiate_graph: "cuGraphInstantiateWithFlags",
    launch_graph: "cuGraphLaunch",
    destroy_exec: "cuGraphExecDestroy",
    groups_per_processor: "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    global: "cuModuleGetGlobal_v2",
    device_pointer: "cuMemHostGetDevicePointer_v2",
    launch_cooperative: "cuLaunchCooperativeKernel",
    default_pool: "cuDeviceGetDefaultMemPool",
    set_pool_attribute: "cuMemPoolSetAttribute",
    set_pool_access: "cuMemPoolSetAccess",
    trim_pool: "cuMemPoolTrimTo",
    allocate_in_order: "cuMemAllocAsync",
    free_in_order: "cuMemFreeAsync",
};

/// The driver, loaded.
#[derive(Debug)]
pub(super) struct Library {
    pub(super) api: Api,
    pub(super) own: Own,
}

impl Library {
    /// # Errors
    /// The name of a function that is needed and isn't there.
    fn find() -> Result<Self, &'static str> {
        // SAFETY: `get` makes sure that there is a library before it calls this.
        let library = unsafe { sys::culib() };
        let find = |name: &str| {
            // SAFETY: the address is taken for what it is.
            let found = unsafe { library.get::<*mut c_void>(name.as_bytes()) }.ok()?;
            NonNull::new(*found)
        };
        // SAFETY: the types are those of the driver's documentation, with a number for the status.
        unsafe { Ok(Self { api: Api::find(&NAMES, &find)?, own: Own::find(&find)? }) }
    }
}

/// The library's file, for messages.
const FILE: &str = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so" };

/// The driver, loaded and started.
///
/// # Errors
/// [`Error::DriverMissing`] where there is no library, or it is too old, or it doesn't start.
pub(super) fn get() -> Result<&'static Library, Error> {
    static LIBRARY: OnceLock<Result<Library, Error>> = OnceLock::new();
    let missing = |reason: String, remedy| Error::DriverMissing { driver: "CUDA", reason, remedy };
    let library = LIBRARY.get_or_init(|| {
        // SAFETY: loading the driver's library runs its initialisers, as any program that uses it does.
        if !unsafe { sys::is_culib_present() } {
            let remedy = "install NVIDIA's driver, or set GRIDWRIGHT_DEVICE=cpu";
            return Err(missing(format!("there is no {FILE}"), remedy));
        }
        Library::find().map_err(|lacking| {
            let remedy = "install a newer driver, or set GRIDWRIGHT_DEVICE=cpu";
            missing(format!("the one that is there lacks `{lacking}`"), remedy)
        })
    });
    let library = library.as_ref().map_err(Error::clone)?;
    // SAFETY: may be called again and again.
    match unsafe { (library.own.init.call)(0) } {
        Status::SUCCESS => Ok(library),
        status => Err(missing(
            format!("it doesn't start: {}", statuses::text(&library.own, status)),
            "is there a device, and is its kernel module loaded? Or set GRIDWRIGHT_DEVICE=cpu",
        )),
    }
}
