//! NVIDIA GPUs, by CUDA's driver: what it has in its own way. The rest is [`driver`](super)'s. It goes through cudarc's
//! types and its way of finding the library when the program runs: nothing is linked, and a machine without a driver is an error.
//!
//! | file | what it holds |
//! |---|---|
//! | `api` | the driver's functions |
//! | `context` | a device's context, and its generation |
//! | `image` | PTX and cubins, loaded and compared with the program |
//! | `compiler` | what is known of the driver's compiler of PTX |
//! | `attributes` | what launches ask for beyond their sizes |
//! | `boxes` | copies of boxes |
//! | `nodes` | what graphs are made of |
//! | `statuses` | what statuses mean |
//! | `textures` | arrays of texels, and objects that sample them |
//! | `interop` | streams and memory that cudarc has too |

use std::ffi::c_int;

use cudarc::driver::sys::CUdevice_attribute_enum as Device;
use gridwright_core::{Image, ImageEntry};

use super::handles::{Address, DeviceHandle, FunctionHandle, ModuleHandle, StreamHandle};
use super::status::{Called, done};
use super::textures::TextureDriver;
use super::vendor::NotLoaded;
use super::{Api, Driver, Numbers, Status, Vendor};
use crate::backend::gpu::images::ptx;
use crate::submission::{BoxCopy, Code};
use crate::{DeviceKind, Error};

mod api;
mod attributes;
mod boxes;
mod compiler;
mod context;
mod image;
#[cfg(feature = "cudarc")]
mod interop;
mod nodes;
mod statuses;
mod textures;

use boxes::{box_parameters, is_in_reach};
use context::Context;
#[cfg(feature = "cudarc")]
pub(crate) use interop::of;

/// A GPU of NVIDIA's.
pub(crate) type Cuda = Driver<Nvidia>;

/// A device of CUDA's driver.
#[derive(Debug)]
pub(crate) struct Nvidia {
    #[cfg(feature = "cudarc")]
    watch: interop::Watch,
    context: Context,
    /// Whether what may surprise is written to standard error.
    logs: bool,
}

impl Nvidia {
    fn own(&self) -> &'static api::Own {
        &self.context.library.own
    }
}

impl Vendor for Nvidia {
    const KIND: DeviceKind = DeviceKind::Cuda;
    const DRIVER: &'static str = "CUDA";
    const NUMBERS: Numbers = Numbers {
        block: [
            Device::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X as c_int,
            Device::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y as c_int,
            Device::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z as c_int,
        ],
        grid: [
            Device::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X as c_int,
            Device::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y as c_int,
            Device::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z as c_int,
        ],
        threads_per_block: Device::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK as c_int,
        threads_per_processor: Device::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR as c_int,
        warp_size: Device::CU_DEVICE_ATTRIBUTE_WARP_SIZE as c_int,
        processors: Device::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as c_int,
        block_memory: Device::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK as c_int,
        block_memory_with_leave: Some(Device::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN as c_int),
        processor_memory: Device::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR as c_int,
        cooperative_launch: Device::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH as c_int,
        concurrent_managed_access: Device::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS as c_int,
        memory_pools: Device::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as c_int,
        // `CU_MEMHOSTALLOC_PORTABLE`, and that with `CU_MEMHOSTALLOC_DEVICEMAP`.
        portable: 1,
        portable_and_mapped: 1 | 2,
    };

    fn open(index: usize) -> Result<Self, Error> {
        Ok(Self {
            #[cfg(feature = "cudarc")]
            watch: interop::Watch::default(),
            logs: compiler::logs()?,
            context: Context::open(index)?,
        })
    }

    fn api() -> Result<&'static Api, Error> {
        api::get().map(|library| &library.api)
    }

    fn version() -> Result<String, Error> {
        api::get().map(context::version)
    }

    fn device(&self) -> DeviceHandle {
        self.context.device
    }

    fn architecture(&self) -> String {
        format!("sm_{}", self.context.capability)
    }

    #[inline]
    fn enter(&self) -> Result<(), Called> {
        self.context.enter()
    }

    fn text(status: Status) -> String {
        api::get()
            .map_or_else(|_| format!("error {}", status.0), |library| statuses::text(&library.own, status))
    }

    fn is_fatal(status: Status) -> bool {
        statuses::is_fatal(status)
    }

    fn remedy(status: Status) -> Option<&'static str> {
        statuses::remedy(status)
    }

    fn best_image(&self, code: &Code, device: &str) -> Result<&'static Image, Error> {
        ptx::best(code, device, self.context.capability, true)
    }

    fn load(&self, image: &'static Image, entry: &'static ImageEntry) -> Result<ModuleHandle, NotLoaded> {
        self.load_image(image, entry)
    }

    fn layout_difference(
        &self,
        code: &Code,
        image: &Image,
        function: FunctionHandle,
    ) -> Result<Option<String>, Called> {
        image.entry(code.path).map_or(Ok(None), |entry| self.difference(function, entry))
    }

    fn gives_leave(&self) -> bool {
        self.own().set_function_attribute.is_some()
    }

    fn allow_workgroup_memory(&self, function: FunctionHandle, bytes: usize) -> Result<(), Called> {
        self.allow_bytes(function, bytes)
    }

    fn best_block(&self, function: FunctionHandle, most: c_int) -> Option<usize> {
        let (mut groups, mut threads) = (0, 0);
        let ask = self.own().best_block?.call;
        // SAFETY: the function is of a loaded module, and takes no workgroup memory; two numbers to write.
        let status = unsafe { ask(&raw mut groups, &raw mut threads, function.cast(), None, 0, most) };
        let threads = usize::try_from(threads).ok().filter(|&threads| threads > 0);
        threads.filter(|_| status == Status::SUCCESS)
    }

    fn textures(&self) -> Option<&dyn TextureDriver> {
        Some(self)
    }

    fn is_same(&self, peer: &Self) -> bool {
        self.context.context == peer.context.context
    }

    fn is_out_of_reach(status: Status) -> bool {
        matches!(status, Status::PEER_ACCESS_UNSUPPORTED | statuses::TOO_MANY_PEERS)
    }

    fn reach(&self, peer: &Self) -> Result<(), Called> {
        let enable = self.own().enable_peer_access;
        // SAFETY: the context is current, and the peer's is retained.
        done(enable.name, unsafe { (enable.call)(peer.context.context, 0) })
    }

    unsafe fn copy_to_peer(
        &self,
        (to_device, to): (&Self, Address),
        (from_device, from): (&Self, Address),
        is_unified: bool,
        bytes: usize,
        stream: StreamHandle,
    ) -> Called {
        let (anywhere, to_peer) = (self.own().copy_anywhere, self.own().copy_to_peer);
        let (to_context, from_context) = (to_device.context.context, from_device.context.context);
        // SAFETY: the caller says that there are as many bytes at both addresses until the copy is done; the contexts are retained.
        unsafe {
            if is_unified {
                (anywhere.name, (anywhere.call)(to, from, bytes, stream.cast()))
            } else {
                let status = (to_peer.call)(to, to_context, from, from_context, bytes, stream.cast());
                (to_peer.name, status)
            }
        }
    }

    unsafe fn copy_box(
        &self,
        to: Address,
        from: Address,
        copy: &BoxCopy,
        stream: StreamHandle,
    ) -> Option<Called> {
        let call = self.own().copy_array.filter(|_| is_in_reach(copy))?;
        let parameters = box_parameters(from, to, copy);
        // SAFETY: the caller says that the box lies in memory on both sides until the copy is done.
        Some((call.name, unsafe { (call.call)(&raw const parameters, stream.cast()) }))
    }

    #[cfg(feature = "cudarc")]
    fn close(&self, still_lent: bool) {
        self.watch.end(still_lent);
    }
}
