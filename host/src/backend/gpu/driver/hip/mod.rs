//! AMD GPUs, by HIP: what it has in its own way. The rest is [`driver`](super)'s. The runtime's library is loaded when the
//! program runs, by a table of functions of our own and no crate: hip-rs takes ROCm's headers and hipcc to build, and cubecl-hip-sys
//! links the library, so that a program without one doesn't start.
//!
//! | file | what it holds |
//! |---|---|
//! | `library`, `api` | where the library is, and its functions |
//! | `architecture` | what a device's architecture is called |
//! | `image` | code objects, loaded, and what texts lie in them |
//! | `images`, `layout` | which code object is taken, and whether its parameters are those of the program |
//! | `nodes` | what graphs are made of |
//! | `statuses` | what statuses mean |

use std::ffi::c_int;

use gridwright_core::{Image, ImageEntry, LaunchAttributes};

use super::errors::before_open;
use super::handles::{Address, DeviceHandle, FunctionHandle, ModuleHandle, StreamHandle};
use super::status::{Called, done};
use super::vendor::{LaunchCall, LaunchWays, NotLoaded, launch_cooperative};
use super::{Api, Driver, Numbers, Status, Vendor, device};
use crate::submission::{Attribute, BoxCopy, BoxSide, Code};
use crate::{DeviceKind, Error};

mod api;
mod architecture;
mod image;
mod images;
mod layout;
mod library;
mod nodes;
mod statuses;

use api::Runtime;
use architecture::Unknown;
use image::Placed;

/// A GPU of AMD's.
pub(crate) type Hip = Driver<Amd>;

/// A device of HIP's.
#[derive(Debug)]
pub(crate) struct Amd {
    runtime: &'static Runtime,
    device: DeviceHandle,
    /// The architecture as HIP tells it, with settings: `gfx942:sramecc+:xnack-`.
    architecture: String,
    placed: Placed,
}

impl Amd {
    fn own(&self) -> &'static api::Own {
        &self.runtime.own
    }
}

impl Vendor for Amd {
    const KIND: DeviceKind = DeviceKind::Hip;
    const DRIVER: &'static str = "HIP";
    const VALUES_IN_PARTS: bool = true;
    /// `hipDeviceAttribute_t`, whose numbers stay from release to release.
    const NUMBERS: Numbers = Numbers {
        block: [26, 27, 28],
        grid: [29, 30, 31],
        threads_per_block: 56,
        threads_per_processor: 57,
        warp_size: 87,
        processors: 63,
        block_memory: 74,
        block_memory_with_leave: None,
        processor_memory: 10_002,
        cooperative_launch: 10,
        concurrent_managed_access: 9,
        memory_pools: 88,
        // `hipHostMallocPortable`; with `Mapped`, and `Coherent`, which is what makes the two see each other's writes.
        portable: 1,
        portable_and_mapped: 1 | 2 | 0x4000_0000,
    };

    fn open(index: usize) -> Result<Self, Error> {
        let (runtime, name) = (api::get()?, format!("hip:{index}"));
        let device = device::find::<Self>(&runtime.api, index)?;
        let architecture = architecture::of(&runtime.own, device).map_err(|unknown| {
            let refused = |call, message| Error::Backend { device: name.clone(), call, message };
            match unknown {
                Unknown::Failed((call, status)) => refused(call, statuses::text(runtime, status)),
                Unknown::NoName(call) => refused(
                    call,
                    "the device's architecture isn't where this version of gridwright looks for it, and without it no image \
                     can be chosen; set GRIDWRIGHT_DEVICE=cpu"
                        .into(),
                ),
                Unknown::NoFunction => {
                    refused("hipGetDeviceProperties", "the runtime doesn't have this function".into())
                }
            }
        })?;
        let opened = Self { runtime, device, architecture, placed: Placed::default() };
        opened.enter().or_else(|(call, status)| before_open::<Self>(&name, call, status))?;
        Ok(opened)
    }

    fn api() -> Result<&'static Api, Error> {
        api::get().map(|runtime| &runtime.api)
    }

    fn version() -> Result<String, Error> {
        api::get().map(Runtime::version)
    }

    fn device(&self) -> DeviceHandle {
        self.device
    }

    fn architecture(&self) -> String {
        self.architecture.clone()
    }

    #[inline]
    fn enter(&self) -> Result<(), Called> {
        let (get, set) = (self.own().current_device, self.own().set_current_device);
        let mut current = -1;
        // SAFETY: a device to write.
        let known = unsafe { (get.call)(&raw mut current) } == Status::SUCCESS;
        if known && current == self.device {
            return Ok(());
        }
        // SAFETY: any number is taken.
        done(set.name, unsafe { (set.call)(self.device) })
    }

    fn is_no_device(status: Status) -> bool {
        matches!(status, statuses::NO_DEVICE | statuses::INVALID_DEVICE)
    }

    fn text(status: Status) -> String {
        api::get().map_or_else(|_| format!("error {}", status.0), |runtime| statuses::text(runtime, status))
    }

    fn is_fatal(status: Status) -> bool {
        statuses::is_fatal(status)
    }

    fn remedy(status: Status) -> Option<&'static str> {
        statuses::remedy(status)
    }

    fn best_image(&self, code: &Code, device: &str) -> Result<&'static Image, Error> {
        images::best(code, device, &self.architecture)
    }

    fn load(&self, image: &'static Image, _: &'static ImageEntry) -> Result<ModuleHandle, NotLoaded> {
        self.load_image(image)
    }

    fn place(&self, image: &'static Image, symbol: &str, address: Address) {
        self.placed.add(image, symbol, address);
    }

    fn read_image(&self, from: Address, to: &mut [u8]) -> bool {
        self.placed.read(from, to)
    }

    fn layout_difference(
        &self,
        code: &Code,
        image: &Image,
        _: FunctionHandle,
    ) -> Result<Option<String>, Called> {
        Ok(layout::difference(image, code.path))
    }

    /// All of a device's workgroup memory is every kernel's.
    fn gives_leave(&self) -> bool {
        false
    }

    fn allow_workgroup_memory(&self, _: FunctionHandle, _: usize) -> Result<(), Called> {
        Ok(())
    }

    fn best_block(&self, function: FunctionHandle, most: c_int) -> Option<usize> {
        let (mut groups, mut threads) = (0, 0);
        let ask = self.own().best_block?.call;
        // SAFETY: the function is of a loaded module, and takes no workgroup memory; two numbers to write.
        let status = unsafe { ask(&raw mut groups, &raw mut threads, function, 0, most) };
        let threads = usize::try_from(threads).ok().filter(|&threads| threads > 0);
        threads.filter(|_| status == Status::SUCCESS)
    }

    fn is_out_of_reach(status: Status) -> bool {
        status == Status::PEER_ACCESS_UNSUPPORTED
    }

    fn reach(&self, peer: &Self) -> Result<(), Called> {
        let enable = self.own().enable_peer_access;
        // SAFETY: the device is entered, and the peer is one of the runtime's.
        done(enable.name, unsafe { (enable.call)(peer.device, 0) })
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
        // SAFETY: the caller says that there are as many bytes at both addresses, of these devices, until the copy is done.
        unsafe {
            if is_unified {
                (anywhere.name, (anywhere.call)(to, from, bytes, nodes::ANYWHERE, stream))
            } else {
                let (to_device, from_device) = (to_device.device, from_device.device);
                (to_peer.name, (to_peer.call)(to, to_device, from, from_device, bytes, stream))
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
        let call = self.own().copy_rows?;
        // No overflow: addresses of memory that is there.
        let plane = |base: Address, side: &BoxSide, plane: usize| {
            base + (side.first + plane * side.height * side.pitch) as Address
        };
        let copied = (0..copy.planes).map(|number| {
            let (to, from) = (plane(to, &copy.to, number), plane(from, &copy.from, number));
            let (to_pitch, from_pitch, kind) = (copy.to.pitch, copy.from.pitch, nodes::ON_DEVICE);
            // SAFETY: the caller says that the box lies in memory on both sides until the copy is done.
            unsafe { (call.call)(to, to_pitch, from, from_pitch, copy.row, copy.rows, kind, stream) }
        });
        let failed = copied.into_iter().find(|&status| status != Status::SUCCESS);
        Some((call.name, failed.unwrap_or(Status::SUCCESS)))
    }
}

impl LaunchWays for Amd {
    fn lacks(&self, attribute: Attribute) -> Option<String> {
        let what = match attribute {
            Attribute::Cluster => "clusters of workgroups",
            Attribute::ProgrammaticDependent => "launches that begin before the one before them has ended",
            Attribute::PreferredWorkgroupMemory => {
                "a choice of how much memory of a processor is for workgroups"
            }
        };
        Some(format!("AMD's GPUs have no {what}"))
    }

    fn largest_cluster(&self, _: &LaunchCall) -> Result<usize, Called> {
        Ok(1)
    }

    unsafe fn launch_with_attributes(&self, call: &LaunchCall, _: &LaunchAttributes, _: usize) -> Called {
        // Of all attributes a device has this one at most.
        match self.runtime.api.launch_cooperative {
            // SAFETY: the caller says that function and stream are of this device, that the function's arguments live until this
            // returns, and the memory that they point at until the kernel is done.
            Some(launch) => unsafe { launch_cooperative(launch, call) },
            None => ("hipModuleLaunchCooperativeKernel", Status::NOT_SUPPORTED),
        }
    }
}
