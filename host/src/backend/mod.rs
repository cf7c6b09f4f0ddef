//! What a driver has to offer, and the drivers.

use std::any::Any;
use std::fmt::Debug;
use std::ptr::NonNull;
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

use gridwright_core::{HeapUsage, LaunchAttributes, Limits};
use gridwright_device::arch;

use crate::host_call::HostCall;
use crate::printed::Printed;
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy, Priorities, Priority};

mod access;
mod attribute;
mod code;
#[cfg(any(feature = "cuda", feature = "hip", feature = "emulator"))]
mod compiled;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(any(feature = "cuda", feature = "hip"))]
mod driver;
#[cfg(feature = "emulator")]
mod emulator;
#[cfg(any(feature = "cuda", feature = "hip", feature = "emulator"))]
mod gpu;
#[cfg(feature = "hip")]
mod hip;
mod host;
mod pace;
mod peer;
#[cfg(any(feature = "cuda", feature = "emulator"))]
mod ptx;
mod texture;
mod work;

pub(crate) use access::{Access, Accesses, Kind, PeerAccess};
pub(crate) use attribute::Attribute;
pub(crate) use code::Code;
pub(crate) use cpu::Cpu;
#[cfg(feature = "cuda")]
pub(crate) use cuda::Cuda;
#[cfg(feature = "cudarc")]
pub(crate) use cuda::of as of_cuda;
#[cfg(feature = "emulator")]
pub(crate) use emulator::Emulator;
#[cfg(feature = "hip")]
pub(crate) use hip::Hip;
pub(crate) use pace::Pace;
pub(crate) use peer::Direction;
#[cfg(any(feature = "cuda", feature = "hip"))]
pub(crate) use texture::TextureLimits;
pub(crate) use texture::{TextureKind, TextureObjects, TextureShape, Textures};
pub(crate) use work::{KernelTask, Operation, Order, Task, Work};

/// A device's driver. All checks are done above it: sizes, lengths and owners are right when it is called.
///
/// What is submitted to a stream runs in order, perhaps after the call has returned. A backend keeps work on several
/// streams that uses the same memory in the order of the calls, if one of the two writes.
pub(crate) trait Backend: Any + Debug + Send + Sync {
    /// The device's kind.
    fn kind(&self) -> DeviceKind;

    /// The device's name, for people.
    fn name(&self) -> &str;

    /// The limits of what the device can launch.
    fn limits(&self) -> &Limits;

    /// The device's architecture, processors and memory.
    fn info(&self) -> Result<DeviceInfo, Error>;

    /// The priorities that the device's streams can have.
    fn priorities(&self) -> Priorities {
        Priorities::NONE
    }

    /// Opens a stream of one of these priorities, which is the caller's own until it is closed.
    fn open_stream(&self, priority: Priority) -> Result<StreamId, Error>;

    /// Lets another `open_stream` have the stream. What it was given to do is done all the same.
    fn close_stream(&self, stream: StreamId);

    /// Memory of a number of bytes that isn't zero, aligned to at least 64. Its bytes are zero, or `contents` says that
    /// the next thing is to write them all.
    fn allocate(&self, stream: StreamId, bytes: usize, contents: Contents) -> Result<Memory, Error>;

    /// Memory of a number of bytes that isn't zero, aligned to at least 64, all of them zero, which the host reaches too, at
    /// the same address. Both may read it at the same time.
    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error>;

    /// Waits for the work that the host would meet in memory that it reaches: what writes it, and if the host
    /// is to write, what reads it. Reports what [`synchronize`](Self::synchronize) does.
    fn wait_for_memory(&self, memory: MemoryId, kind: Kind) -> Result<(), Error>;

    /// Gives memory back, once what was submitted has used it.
    ///
    /// # Safety
    /// It came from `allocate` or `allocate_unified` with as many bytes, and nobody submits anything with it any more.
    unsafe fn free(&self, memory: Memory, bytes: usize);

    /// Copies to the device, at least a byte. The slice isn't used any more when it returns.
    ///
    /// # Safety
    /// `to` has room for `from`.
    unsafe fn write(&self, stream: StreamId, to: Place, from: &[u8]) -> Result<(), Error>;

    /// Copies to the host, at least a byte, after the stream's work, and reports what [`synchronize`](Self::synchronize)
    /// does.
    ///
    /// # Safety
    /// `from` has as many bytes.
    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error>;

    /// Repeats a pattern of at least a byte, at least once. The pattern isn't used any more when it returns.
    ///
    /// # Safety
    /// `to` has room for `count` of them.
    unsafe fn fill(&self, stream: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error>;

    /// Copies at least a byte on the device.
    ///
    /// # Safety
    /// `from` has as many bytes, and `to` has room for them; the two don't overlap.
    unsafe fn copy(&self, stream: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error>;

    /// What the backend does with textures.
    fn textures(&self) -> &dyn Textures;

    /// The host's address of memory for which nothing has to be waited, if that is so on the device.
    fn host_address(&self, _: Place) -> Option<NonNull<u8>> {
        None
    }

    /// Copies at least a byte between this device and another, in the order of a stream of this one, and of the uses of the
    /// memory on both. `false` where the two have no way to, and the bytes go through the host.
    ///
    /// # Safety
    /// As for [`copy`](Self::copy); `direction` says which of the two is this device's memory.
    unsafe fn copy_with_peer(
        &self,
        _stream: StreamId,
        _peer: &dyn Backend,
        _direction: Direction,
        _from: Place,
        _to: Place,
        _bytes: usize,
    ) -> Result<bool, Error> {
        Ok(false)
    }

    /// Whether kernels of this device can be let reach another's memory.
    fn can_access_peer(&self, _peer: &dyn Backend) -> Result<bool, Error> {
        Ok(false)
    }

    /// Lets kernels of this device reach another's memory, which it can. Once or more often.
    fn enable_peer_access(&self, _peer: &dyn Backend) -> Result<(), Error> {
        Ok(())
    }

    /// Memory of the host of a number of bytes that isn't zero, all of them zero, aligned to at least 64, from and to
    /// which the device copies by itself.
    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error>;

    /// Gives the host's memory back, once the work of `after` is done.
    ///
    /// # Safety
    /// It came from `allocate_pinned` with as many bytes, nobody uses it any more, and the device only for `after`.
    unsafe fn free_pinned(&self, memory: NonNull<u8>, bytes: usize, after: Option<Ticket>);

    /// Copies to the device, at least a byte, in its own time.
    ///
    /// # Safety
    /// `to` has room for the bytes; `from` is of `allocate_pinned`, has as many, and stays as it is until the ticket's
    /// work is done.
    unsafe fn write_pinned(
        &self,
        stream: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error>;

    /// Copies to the host, at least a byte, in the device's own time.
    ///
    /// # Safety
    /// `from` has as many bytes; `to` is of `allocate_pinned`, has room for them, and nobody looks at it until the
    /// ticket's work is done.
    unsafe fn read_pinned(
        &self,
        stream: StreamId,
        from: Place,
        to: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error>;

    /// Whether a ticket's work is done.
    fn is_done(&self, ticket: Ticket) -> Result<bool, Error>;

    /// Waits until a ticket's work is done, and reports what [`synchronize`](Self::synchronize) does.
    fn wait_until_done(&self, ticket: Ticket) -> Result<(), Error>;

    /// Makes a kernel ready.
    fn load(&self, code: &'static Code) -> Result<Loaded, Error>;

    /// What a kernel takes of the device.
    fn attributes(&self, code: &'static Code, loaded: Loaded) -> Result<Attributes, Error>;

    /// How many workgroups of so many threads and bytes of workgroup memory run at the same time.
    fn occupancy(
        &self,
        code: &'static Code,
        loaded: Loaded,
        threads: usize,
        bytes: usize,
    ) -> Result<Occupancy, Error>;

    /// Whether workgroups that run at the same time may wait for each other.
    fn has_cooperative_launches(&self) -> bool;

    /// Why launches can't have an attribute, if they can't. Of those that they can have, hints may change nothing.
    fn lacks(&self, attribute: Attribute) -> Option<String>;

    /// The architecture that the code of a kernel is for which the device runs, such as `sm_90`. None where it is the program's own.
    fn architecture(&self, _: &'static Code) -> Result<Option<&'static str>, Error> {
        Ok(None)
    }

    /// The most workgroups of a cluster with which a launch of these sizes can be given, not more than 16. The device has
    /// clusters.
    fn most_groups_in_cluster(&self, _: Loaded, _: &arch::Launch) -> Result<usize, Error> {
        Ok(1)
    }

    /// The most bytes that the workgroups of a processor can have together, if the device says.
    fn workgroup_memory_of_processor(&self) -> Option<usize> {
        None
    }

    /// Runs a kernel.
    ///
    /// # Safety
    /// As the functions of [`gridwright_device::arch::Cpu`] ask, for all threads of the geometry; `launch.loaded` is
    /// this backend's; `launch.accesses` has all memory that the arguments point at.
    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error>;

    /// Runs a kernel that also uses memory of other devices, in the order of its uses there.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch), but that memory of other devices is in `peers`. Access to them is enabled.
    unsafe fn launch_with_peers(
        &self,
        stream: StreamId,
        launch: &Launch<'_>,
        _peers: &[PeerAccess],
    ) -> Result<(), Error> {
        // SAFETY: the caller's contract; a backend that hasn't finished when this returns has a way of its own.
        unsafe { self.launch(stream, launch) }
    }

    /// Calls a function of the program after the stream's work so far.
    fn call_host(&self, stream: StreamId, call: Arc<HostCall>) -> Result<(), Error>;

    /// Makes work ready to be replayed.
    fn make_graph(&self, work: &Work) -> Result<GraphId, Error>;

    /// Runs all of a graph's work. Nobody's borrow keeps others from its memory: the backend does.
    ///
    /// # Safety
    /// The graph was made or updated with this work, whose operations have been checked as those that are called here by
    /// themselves, and whose memory lives.
    unsafe fn replay(&self, stream: StreamId, graph: GraphId, work: &Work) -> Result<(), Error>;

    /// Has later replays do this work, which differs from the graph's in the launch of one operation. After an error
    /// the graph is as it was.
    fn update_graph(&self, graph: GraphId, work: &Work, operation: usize) -> Result<(), Error>;

    /// Keeps replays away, and who else waits for them, until it is dropped: for uses of this device's memory by others. Of
    /// several devices' it is taken in the order of their numbers, before the locks of backends.
    fn turn_of_peers(&self) -> MutexGuard<'_, ()>;

    /// Takes a graph back, once its replays are done.
    fn drop_graph(&self, graph: GraphId);

    /// The lines that kernels printed.
    fn printed(&self) -> &Printed;

    /// Lets the heap of kernels have at least as many bytes, empty. Waits for what runs.
    fn set_heap_bytes(&self, _bytes: usize) -> Result<(), Error> {
        Ok(())
    }

    /// What kernels have of their heap. Waits for what runs.
    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        Ok(HeapUsage::default())
    }

    /// Marks the point that a stream has reached.
    fn record(&self, stream: StreamId) -> Result<Mark, Error>;

    /// Has a stream wait for what work on this memory comes after, so that a mark that is made now is directly before the work.
    fn wait_for_earlier(&self, _stream: StreamId, _accesses: &[Access]) -> Result<(), Error> {
        Ok(())
    }

    /// Lets a stream go on only once the mark is reached.
    fn wait(&self, stream: StreamId, mark: &Mark) -> Result<(), Error>;

    /// The time between two marks, zero if the second was reached first. Waits for both.
    fn elapsed(&self, from: &Mark, to: &Mark) -> Result<Duration, Error>;

    /// Takes back a mark that nobody asks for any more.
    fn forget(&self, mark: &Mark);

    /// Waits for a stream's work, hands printed lines on, and returns the first kernel panic of any stream since the last
    /// call, once.
    fn synchronize(&self, stream: StreamId) -> Result<(), Error>;
}

/// A stream, by its backend's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamId(u32);

impl StreamId {
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// A piece of a stream's work: the first has the number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(any(feature = "cuda", feature = "hip")),
    allow(dead_code, reason = "the CPU's work is done at once")
)]
pub(crate) struct Ticket {
    stream: u32,
    number: u64,
}

/// Memory of a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) pointer: NonNull<u8>,
    /// The number by which the backend knows who uses the memory.
    pub(crate) id: MemoryId,
    pub(crate) home: Home,
}

/// Where memory lies, and whether the host reaches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// Memory of the device, which the host has nothing to do with.
    Device,
    /// Memory that lies where it is used: its pages move.
    Unified,
    /// Memory of the host.
    Mapped,
    /// Memory without an address: a texture of the driver's.
    #[cfg_attr(
        not(any(feature = "cuda", feature = "hip", feature = "emulator")),
        expect(dead_code, reason = "textures are plain memory")
    )]
    Texture,
}

// SAFETY: an address that only the backend follows.
unsafe impl Send for Memory {}

/// A graph, by its backend's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GraphId(u32);

/// Memory, by its backend's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MemoryId(u32);

impl MemoryId {
    /// The number of memory of no bytes, which nobody uses.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) memory: MemoryId,
    pub(crate) pointer: NonNull<u8>,
    pub(crate) home: Home,
    /// Whether graphs use the memory too: then a borrow keeps nobody away.
    pub(crate) is_shared: bool,
}

impl Place {
    /// A place of no elements: dangling, but aligned and not null.
    pub(crate) fn nowhere<T>() -> Self {
        Self {
            memory: MemoryId::NONE,
            pointer: NonNull::<T>::dangling().cast(),
            home: Home::Device,
            is_shared: false,
        }
    }
}

// SAFETY: an address that only the backend follows.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

/// What new memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    Zero,
    Unset,
}

/// A point in a stream's work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    /// A point that was reached when it was marked.
    Reached(Instant),
    /// A driver's event.
    #[cfg(any(feature = "cuda", feature = "hip"))]
    Event(usize),
}

impl Mark {
    /// The time to another mark, zero if that one was reached first.
    fn until(&self, to: &Self) -> Duration {
        match (self, to) {
            (Self::Reached(from), Self::Reached(to)) => to.saturating_duration_since(*from),
            #[cfg(any(feature = "cuda", feature = "hip"))]
            _ => Duration::ZERO,
        }
    }
}

/// A loaded kernel, by what a backend knows it by; it is the backend's own business.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    #[cfg_attr(
        not(any(feature = "cuda", feature = "hip", feature = "emulator")),
        expect(dead_code, reason = "the CPU's kernels are part of the program")
    )]
    function: usize,
    /// The threads of a workgroup that the driver thinks best, if the kernel's workgroups are no part of what it computes.
    pub(crate) best_block: Option<usize>,
}

/// A checked launch.
#[derive(Debug)]
#[cfg_attr(
    not(any(feature = "cuda", feature = "hip")),
    allow(dead_code, reason = "each backend looks at what it needs")
)]
pub(crate) struct Launch<'l> {
    pub(crate) code: &'static Code,
    pub(crate) loaded: Loaded,
    /// Threads, workgroups, and workgroup memory.
    pub(crate) sizes: arch::Launch,
    /// The attributes that the launch asks for beyond its sizes. The device has them.
    pub(crate) attributes: LaunchAttributes,
    /// The kernel's raw arguments, which live until the call returns.
    pub(crate) arguments: *const (),
    /// The memory that the arguments point at.
    pub(crate) accesses: &'l [Access],
    /// Whether graphs use some of the memory too: then a borrow keeps nobody away.
    pub(crate) is_shared: bool,
    /// The place where the groups of a grid meet: the address of zeroed memory of this launch, which is in
    /// `accesses`.
    pub(crate) meeting: Option<u64>,
    /// What this kernel's launches cost. The CPU's backend keeps it.
    pub(crate) pace: &'l Pace,
}
