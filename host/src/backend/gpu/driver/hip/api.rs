//! The runtime's functions, found when the program runs.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;

use super::statuses;
use super::{library, nodes};
use crate::Error;
use crate::backend::gpu::driver::api::{Call, Names, own_functions};
use crate::backend::gpu::driver::handles::{
    Address, ExecHandle, FunctionHandle, GraphHandle, ModuleHandle, NodeHandle, StreamHandle,
};
use crate::backend::gpu::driver::{Api, Status};

own_functions! {
    needed {
    init = "hipInit" (c_uint);
    version = "hipRuntimeGetVersion" (*mut c_int);
    current_device = "hipGetDevice" (*mut c_int);
    set_current_device = "hipSetDevice" (c_int);
    copy_anywhere = "hipMemcpyAsync" (Address, Address, usize, c_int, StreamHandle);
    copy_to_peer = "hipMemcpyPeerAsync" (Address, c_int, Address, c_int, usize, StreamHandle);
    enable_peer_access = "hipDeviceEnablePeerAccess" (c_int, c_uint);
    load_module = "hipModuleLoadData" (*mut ModuleHandle, *const c_void);
    add_launch = "hipGraphAddKernelNode" (
        *mut NodeHandle, GraphHandle, *const NodeHandle, usize, *const nodes::Launch
    );
    add_copy = "hipGraphAddMemcpyNode1D" (
        *mut NodeHandle, GraphHandle, *const NodeHandle, usize, Address, Address, usize, c_int
    );
    add_set = "hipGraphAddMemsetNode" (
        *mut NodeHandle, GraphHandle, *const NodeHandle, usize, *const nodes::Set
    );
    set_launch = "hipGraphExecKernelNodeSetParams" (ExecHandle, NodeHandle, *const nodes::Launch);
    }
    optional {
    set_launch_attribute = "hipGraphKernelNodeSetAttribute" (NodeHandle, c_int, *const c_void);
    copy_rows = "hipMemcpy2DAsync" (
        Address, usize, Address, usize, usize, usize, c_int, StreamHandle
    );
    best_block = "hipModuleOccupancyMaxPotentialBlockSize" (
        *mut c_int, *mut c_int, FunctionHandle, usize, c_int
    );
    properties = "hipGetDevicePropertiesR0600" (*mut c_void, c_int);
    properties_before_6 = "hipGetDeviceProperties" (*mut c_void, c_int);
    }
}

/// HIP's names for the functions that all drivers have.
const NAMES: Names = Names {
    device_count: "hipGetDeviceCount",
    device: "hipDeviceGet",
    device_name: "hipDeviceGetName",
    device_attribute: "hipDeviceGetAttribute",
    synchronize_context: "hipDeviceSynchronize",
    priorities: "hipDeviceGetStreamPriorityRange",
    memory_info: "hipMemGetInfo",
    allocate: "hipMalloc",
    allocate_managed: "hipMallocManaged",
    free: "hipFree",
    allocate_host: "hipHostMalloc",
    free_host: "hipHostFree",
    copy_to_device: "hipMemcpyHtoDAsync",
    copy_to_host: "hipMemcpyDtoHAsync",
    copy_on_device: "hipMemcpyDtoDAsync",
    can_access_peer: "hipDeviceCanAccessPeer",
    set_8_bits: "hipMemsetD8Async",
    set_16_bits: "hipMemsetD16Async",
    set_32_bits: "hipMemsetD32Async",
    create_stream: "hipStreamCreateWithPriority",
    destroy_stream: "hipStreamDestroy",
    query_stream: "hipStreamQuery",
    synchronize_stream: "hipStreamSynchronize",
    wait_event: "hipStreamWaitEvent",
    create_event: "hipEventCreateWithFlags",
    destroy_event: "hipEventDestroy",
    record_event: "hipEventRecord",
    query_event: "hipEventQuery",
    synchronize_event: "hipEventSynchronize",
    elapsed: "hipEventElapsedTime",
    unload_module: "hipModuleUnload",
    function: "hipModuleGetFunction",
    function_attribute: "hipFuncGetAttribute",
    launch: "hipModuleLaunchKernel",
    launch_host: "hipLaunchHostFunc",
    create_graph: "hipGraphCreate",
    destroy_graph: "hipGraphDestroy",
    add_empty: "hipGraphAddEmptyNode",
    add_host: "hipGraphAddHostNode",
    instantiate_graph: "hipGraphInstantiateWithFlags",
    launch_graph: "hipGraphLaunch",
    destroy_exec: "hipGraphExecDestroy",
    groups_per_processor: "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
    global: "hipModuleGetGlobal",
    device_pointer: "hipHostGetDevicePointer",
    launch_cooperative: "hipModuleLaunchCooperativeKernel",
    default_pool: "hipDeviceGetDefaultMemPool",
    set_pool_attribute: "hipMemPoolSetAttribute",
    set_pool_access: "hipMemPoolSetAccess",
    trim_pool: "hipMemPoolTrimTo",
    allocate_in_order: "hipMallocAsync",
    free_in_order: "hipFreeAsync",
};

/// A function that gives a text that stays.
pub(super) type Text = unsafe extern "C" fn(c_uint) -> *const c_char;

/// The runtime, loaded.
#[derive(Debug)]
pub(super) struct Runtime {
    pub(super) api: Api,
    pub(super) own: Own,
    pub(super) error_name: Call<Text>,
    pub(super) error_string: Call<Text>,
}

impl Runtime {
    /// The runtime's release, as people say it: `6.3`.
    pub(super) fn version(&self) -> String {
        let mut version = 0;
        // SAFETY: a number to write.
        match unsafe { (self.own.version.call)(&raw mut version) } {
            Status::SUCCESS => format!("{}.{}", version / 10_000_000, version / 100_000 % 100),
            _ => "an unknown version".into(),
        }
    }

    /// # Errors
    /// The name of a function that is needed and isn't there.
    fn find(library: &libloading::Library) -> Result<Self, &'static str> {
        let find = |name: &str| {
            // SAFETY: the address is taken for what it is.
            let found = unsafe { library.get::<*mut c_void>(name.as_bytes()) }.ok()?;
            NonNull::new(*found)
        };
        let text = |name| {
            let found = find(name).ok_or(name)?;
            // SAFETY: both functions of this type take a status and give a text.
            Ok(unsafe { Call::new(name, found) })
        };
        // SAFETY: the types are those of the runtime's documentation, with a number for the status and for addresses.
        let (api, own) = unsafe { (Api::find(&NAMES, &find)?, Own::find(&find)?) };
        Ok(Self { api, own, error_name: text("hipGetErrorName")?, error_string: text("hipGetErrorString")? })
    }
}

/// The runtime, loaded and started.
///
/// # Errors
/// [`Error::DriverMissing`] where there is no library, or it is too old, or it doesn't start. Where it finds no device, that is
/// [`Error::NoDevice`] once a device is asked for.
pub(super) fn get() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Result<Runtime, Error>> = OnceLock::new();
    let missing = |reason: String, remedy| Error::DriverMissing { driver: "HIP", reason, remedy };
    let runtime = RUNTIME.get_or_init(|| {
        let library = library::load().ok_or_else(|| {
            let remedy = "install AMD's ROCm, set ROCM_PATH to its folder, or set GRIDWRIGHT_DEVICE=cpu";
            missing(format!("there is no {}", library::FILE), remedy)
        })?;
        let found = Runtime::find(&library).map_err(|lacking| {
            let remedy = "install ROCm 5.2 or newer, or set GRIDWRIGHT_DEVICE=cpu";
            missing(format!("the one that is there lacks `{lacking}`"), remedy)
        });
        // The functions stay for as long as the program runs.
        std::mem::forget(library);
        found
    });
    let runtime = runtime.as_ref().map_err(Error::clone)?;
    // SAFETY: may be called again and again.
    match unsafe { (runtime.own.init.call)(0) } {
        Status::SUCCESS | statuses::NO_DEVICE | statuses::INVALID_DEVICE => Ok(runtime),
        status => Err(missing(
            format!("it doesn't start: {}", statuses::text(runtime, status)),
            "is there a device, and is its kernel module, amdgpu, loaded? Or set GRIDWRIGHT_DEVICE=cpu",
        )),
    }
}
