//! What drivers don't have in common.

use std::ffi::{c_int, c_uint, c_void};
use std::fmt::Debug;

use gridwright_core::{Image, ImageEntry, LaunchAttributes};

use super::api::{Api, Call};
use super::handles::{
    Address, DeviceHandle, ExecHandle, FunctionHandle, GraphHandle, ModuleHandle, NodeHandle, StreamHandle,
};
use super::status::{Called, Status};
use super::textures::TextureDriver;
use crate::submission::{Attribute, BoxCopy, Code};
use crate::{DeviceKind, Error};

/// A device of a vendor's, opened by its driver.
pub(crate) trait Vendor: GraphNodes + LaunchWays + Debug + Send + Sync + Sized + 'static {
    const KIND: DeviceKind;
    /// The driver's name in messages.
    const DRIVER: &'static str;
    const NUMBERS: Numbers;
    /// Whether values that aren't numbers are passed in parts.
    const VALUES_IN_PARTS: bool = false;

    /// Which of a kernel's parameters by value its entry takes in parts.
    fn in_parts(code: &Code) -> u32 {
        if Self::VALUES_IN_PARTS { code.values_in_parts } else { 0 }
    }

    /// Opens the device of an index.
    fn open(index: usize) -> Result<Self, Error>;

    /// The driver, started, if it is there.
    fn api() -> Result<&'static Api, Error>;

    /// The driver's version, as people say it.
    fn version() -> Result<String, Error>;

    fn device(&self) -> DeviceHandle;

    /// The architecture that the device's code is compiled for.
    fn architecture(&self) -> String;

    /// Makes the device the calling thread's. Others may have made another one so since the last call.
    fn enter(&self) -> Result<(), Called>;

    /// The driver's words for a status, with the status's name.
    fn text(status: Status) -> String;

    /// Whether a status says that there is no device at all.
    fn is_no_device(_: Status) -> bool {
        false
    }

    /// Whether all later calls fail too after a status.
    fn is_fatal(status: Status) -> bool;

    /// What to do where a launch is refused with a status; none where the device is at fault.
    fn remedy(status: Status) -> Option<&'static str>;

    /// The image of a kernel that the device runs best.
    fn best_image(&self, code: &Code, device: &str) -> Result<&'static Image, Error>;

    /// Loads what an entry needs of its image. The device is entered.
    fn load(&self, image: &'static Image, entry: &'static ImageEntry) -> Result<ModuleHandle, NotLoaded>;

    /// Notes where an image lies that was loaded, by the address of one of its symbols.
    fn place(&self, _image: &'static Image, _symbol: &str, _address: Address) {}

    /// Reads constants of an image at an address of the device, if it isn't the driver that does.
    fn read_image(&self, _from: Address, _to: &mut [u8]) -> bool {
        false
    }

    /// How the parameters of a loaded kernel differ from those of its image's table, where that can be seen.
    fn layout_difference(
        &self,
        code: &Code,
        image: &Image,
        function: FunctionHandle,
    ) -> Result<Option<String>, Called>;

    /// Whether kernels can be given leave for more workgroup memory.
    fn gives_leave(&self) -> bool;

    /// Lets each launch of a function have so many bytes of workgroup memory.
    fn allow_workgroup_memory(&self, function: FunctionHandle, bytes: usize) -> Result<(), Called>;

    /// The threads of a workgroup, not more than `most` unless that is zero, that the driver thinks best for a function without
    /// workgroup memory.
    fn best_block(&self, function: FunctionHandle, most: c_int) -> Option<usize>;

    /// What the driver does with textures; none where they are plain memory, which kernels sample by instructions.
    fn textures(&self) -> Option<&dyn TextureDriver> {
        None
    }

    /// Whether memory of another device is this one's, since both are the same.
    fn is_same(&self, peer: &Self) -> bool {
        self.device() == peer.device()
    }

    /// Whether a status says that one device can't be let reach another.
    fn is_out_of_reach(status: Status) -> bool;

    /// Lets this device reach another's memory. It is entered.
    fn reach(&self, peer: &Self) -> Result<(), Called>;

    /// Copies between two devices, of which one is this, or with memory that the host reaches too, for which `is_unified`.
    ///
    /// # Safety
    /// As for the driver's copies.
    unsafe fn copy_to_peer(
        &self,
        to: (&Self, Address),
        from: (&Self, Address),
        is_unified: bool,
        bytes: usize,
        stream: StreamHandle,
    ) -> Called;

    /// Copies a box of bytes on the device in one call, if the driver can.
    ///
    /// # Safety
    /// As for the driver's copies: the box lies in memory on both sides.
    unsafe fn copy_box(
        &self,
        to: Address,
        from: Address,
        copy: &BoxCopy,
        stream: StreamHandle,
    ) -> Option<Called>;

    /// Closes the device. It is entered, and nothing of it is used any more, unless a stream is still lent to
    /// another library.
    fn close(&self, _still_lent: bool) {}
}

/// Launches that ask for more than their sizes.
pub(crate) trait LaunchWays {
    /// Why launches can't have an attribute, if they can't.
    fn lacks(&self, attribute: Attribute) -> Option<String>;

    /// The most workgroups of a cluster of a launch.
    fn largest_cluster(&self, call: &LaunchCall) -> Result<usize, Called>;

    /// Launches a kernel with attributes that the device isn't said to lack. `processor_bytes` are the most that workgroups of a
    /// processor have together.
    ///
    /// # Safety
    /// As for the driver's launch.
    unsafe fn launch_with_attributes(
        &self,
        call: &LaunchCall,
        attributes: &LaunchAttributes,
        processor_bytes: usize,
    ) -> Called;
}

/// What graphs are made of.
pub(crate) trait GraphNodes {
    /// Adds a launch to a graph.
    ///
    /// # Safety
    /// As for the driver's launch, but that the arguments are read before this returns; the nodes are of this graph.
    unsafe fn add_launch(
        &self,
        place: NodePlace<'_>,
        call: &LaunchCall,
        attributes: &LaunchAttributes,
        processor_bytes: usize,
    ) -> Result<NodeHandle, Called>;

    /// Gives a launch of an instantiated graph other arguments.
    ///
    /// # Safety
    /// As for [`add_launch`](Self::add_launch); the node is of the graph that it was made of.
    unsafe fn set_launch(&self, exec: ExecHandle, node: NodeHandle, call: &LaunchCall) -> Result<(), Called>;

    /// Adds a copy to memory of the device.
    ///
    /// # Safety
    /// Both have as many bytes whenever the graph runs; the nodes are of this graph.
    unsafe fn add_copy(
        &self,
        place: NodePlace<'_>,
        from: CopyEnd,
        to: CopyEnd,
        bytes: usize,
    ) -> Result<NodeHandle, Called>;

    /// Adds a copy of a box of bytes on the device, if one node can.
    ///
    /// # Safety
    /// The box lies in memory on both sides whenever the graph runs; the nodes are of this graph.
    unsafe fn add_copy_box(
        &self,
        _place: NodePlace<'_>,
        _from: Address,
        _to: Address,
        _copy: &BoxCopy,
    ) -> Option<Result<NodeHandle, Called>> {
        None
    }

    /// Adds a fill with values of 1, 2 or 4 bytes.
    ///
    /// # Safety
    /// The memory has as many, aligned as they are, whenever the graph runs; the nodes are of this graph.
    unsafe fn add_set(
        &self,
        place: NodePlace<'_>,
        to: Address,
        value: u32,
        value_bytes: usize,
        count: usize,
    ) -> Result<NodeHandle, Called>;
}

/// The numbers that a driver has for attributes and flags that all drivers have.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// Attributes of devices.
    pub(crate) block: [c_int; 3],
    pub(crate) grid: [c_int; 3],
    pub(crate) threads_per_block: c_int,
    pub(crate) threads_per_processor: c_int,
    pub(crate) warp_size: c_int,
    pub(crate) processors: c_int,
    pub(crate) block_memory: c_int,
    /// The workgroup memory that kernels can be given leave for, if that is more.
    pub(crate) block_memory_with_leave: Option<c_int>,
    pub(crate) processor_memory: c_int,
    pub(crate) cooperative_launch: c_int,
    pub(crate) concurrent_managed_access: c_int,
    pub(crate) memory_pools: c_int,
    /// Flags of pinned memory: for all contexts of the process.
    pub(crate) portable: c_uint,
    /// Flags of pinned memory for all contexts, mapped for devices: kernels and the host see what the other writes while both run.
    pub(crate) portable_and_mapped: c_uint,
}

/// Why an image wasn't loaded.
#[derive(Debug)]
pub(crate) enum NotLoaded {
    /// The image can't be loaded.
    Refused {
        /// Why the image can't be loaded, and what to do.
        reason: String,
        /// What the driver's compiler said; empty if it said nothing.
        log: String,
    },
    /// The call failed, perhaps for another reason.
    Failed { called: Called, log: String },
}

/// A launch as a driver is given it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchCall {
    pub(crate) function: FunctionHandle,
    pub(crate) groups: [c_uint; 3],
    pub(crate) block: [c_uint; 3],
    /// Bytes of workgroup memory.
    pub(crate) bytes: c_uint,
    /// The stream; null in a graph.
    pub(crate) stream: StreamHandle,
    /// The address of each argument.
    pub(crate) arguments: *mut *mut c_void,
}

/// The call of all drivers for launches whose workgroups wait for each other.
pub(crate) type LaunchCooperative = Call<
    unsafe extern "C" fn(
        FunctionHandle,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        StreamHandle,
        *mut *mut c_void,
    ) -> Status,
>;

/// Launches a kernel whose workgroups wait for each other.
///
/// # Safety
/// As for the driver's launch.
pub(crate) unsafe fn launch_cooperative(launch: LaunchCooperative, call: &LaunchCall) -> Called {
    let LaunchCall { function, groups, block, bytes, stream, arguments } = *call;
    let ([groups_x, groups_y, groups_z], [x, y, z]) = (groups, block);
    // SAFETY: the caller says that function and stream are of this device, that the function's arguments live until this returns,
    // and the memory that they point at until the kernel is done.
    let status =
        unsafe { (launch.call)(function, groups_x, groups_y, groups_z, x, y, z, bytes, stream, arguments) };
    (launch.name, status)
}

/// The place of a node in a graph: behind which others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodePlace<'a> {
    pub(crate) graph: GraphHandle,
    pub(crate) after: &'a [NodeHandle],
}

/// An end of a copy in a graph.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CopyEnd {
    /// Memory of the host, which is only read where a copy begins.
    Host(*mut u8),
    Device(Address),
}
