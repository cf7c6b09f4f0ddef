//! Memory of graphs: nodes that allocate it, and nodes that free it. Its address is known when the node is made, and it is a device's as
//! long as a graph has the node.

use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::abi::{In, InOut, Out, Untyped};
use crate::context::{Context, Cuda, current};
use crate::error::Error;
use crate::gpu::GraphCounts;
use crate::locks::read;
use crate::memory::{ALLOCATIONS, scramble};
use crate::pool::PINNED;
use crate::process::{Process, process};
use crate::registry::Handle;
use crate::shared::graph::{self, OwnMemory, with_task};
use crate::shared::pool::{ON_DEVICE, lower};

type Task = graph::Task<Cuda>;

pub(crate) struct GraphMemory {
    process: &'static Process,
    pub(crate) address: u64,
    bytes: u64,
    device: usize,
    /// Whether a launch allocated it that leaves it allocated.
    is_held: AtomicBool,
}

impl GraphMemory {
    pub(crate) fn new(
        process: &'static Process,
        context: &'static Context,
        device: usize,
        bytes: usize,
    ) -> Result<Arc<Self>, Error> {
        let address = ALLOCATIONS.allocate(process, context, device, bytes, None)?;
        let (bytes, is_held) = (bytes as u64, AtomicBool::new(false));
        let memory = Arc::new(Self { process, address, bytes, device, is_held });
        ALLOCATIONS.change(address, |_, allocation| {
            allocation.graph = Some(Arc::downgrade(&memory));
            Ok(())
        })?;
        memory.counts().change(0, bytes as i64);
        Ok(memory)
    }

    /// The memory that begins at an address.
    pub(crate) fn find(address: u64) -> Result<Arc<Self>, Error> {
        let (start, allocation) = ALLOCATIONS.find(address).ok_or(Error::INVALID_VALUE)?;
        let memory = allocation.graph.and_then(|graph| graph.upgrade());
        memory.filter(|_| start == address).ok_or(Error::INVALID_VALUE)
    }

    fn counts(&self) -> &GraphCounts {
        &self.process.gpus[self.device].graph_counts
    }
}

impl OwnMemory for GraphMemory {
    fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Acquire)
    }

    fn hold(&self, is_held: bool) -> bool {
        let before = self.is_held.swap(is_held, Ordering::AcqRel);
        let bytes = self.bytes as i64;
        match (before, is_held) {
            (false, true) => self.counts().change(bytes, 0),
            (true, false) => self.counts().change(-bytes, 0),
            _ => {}
        }
        before
    }

    /// It has a pattern in it then, and counts as never written.
    fn renew(&self) -> Result<(), Error> {
        let _running = read(&self.process.running);
        scramble(&self.process.emulator, self.address, self.bytes)
    }
}

impl Drop for GraphMemory {
    fn drop(&mut self) {
        self.hold(false);
        self.counts().change(0, -(self.bytes as i64));
        ALLOCATIONS.free_of_graph(self.process, self.address);
    }
}

/// `CUDA_MEM_ALLOC_NODE_PARAMS`, `_v1` and `_v2`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct AllocationParameters {
    kind: c_int,
    handle_types: c_int,
    location_kind: c_int,
    location: c_int,
    security: usize,
    most: usize,
    reserved: [u64; 7],
    accesses: In<[c_int; 3]>,
    access_count: usize,
    bytes: usize,
    address: u64,
}

impl AllocationParameters {
    /// A node's task. All devices have access to the memory.
    fn task(&self) -> Result<Task, Error> {
        let context = current()?;
        let process = process()?.with_pools()?;
        if self.kind != PINNED || self.location_kind != ON_DEVICE {
            return Err(Error::INVALID_VALUE);
        }
        if self.handle_types != 0 {
            return Err(Error::NOT_SUPPORTED);
        }
        let device = process.gpu(self.location)?.ordinal;
        Ok(Task::Allocate(GraphMemory::new(process, context, device, self.bytes)?))
    }

    fn of(memory: &GraphMemory) -> Self {
        Self {
            kind: PINNED,
            handle_types: 0,
            location_kind: ON_DEVICE,
            location: memory.device as c_int,
            security: 0,
            most: 0,
            reserved: [0; 7],
            accesses: In::NULL,
            access_count: 0,
            bytes: memory.bytes as usize,
            address: memory.address,
        }
    }
}

/// The task that a caller's parameters say, which get the address.
pub(crate) fn allocation_task(parameters: InOut<AllocationParameters>) -> Result<Task, Error> {
    let given = parameters.at(0)?;
    let task = given.task()?;
    if let Task::Allocate(memory) = &task {
        parameters.put_at(0, AllocationParameters { address: memory.address, ..given })?;
    }
    Ok(task)
}

pub(crate) fn free_task(address: u64) -> Result<Task, Error> {
    Ok(Task::Free(GraphMemory::find(address)?))
}

/// Writes those of a node that allocates.
pub(crate) fn put(memory: &GraphMemory, parameters: Out<AllocationParameters>) -> Result<(), Error> {
    parameters.put(AllocationParameters::of(memory))
}

const USED: c_int = 0;
const MOST_USED: c_int = 1;
const RESERVED: c_int = 2;
const MOST_RESERVED: c_int = 3;

driver! {
    fn cuGraphMemAllocNodeGetParams(node: Handle, parameters: Out<AllocationParameters>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Allocate(memory) => put(memory, parameters),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphMemFreeNodeGetParams(node: Handle, address: Out<u64>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Free(memory) => address.put(memory.address),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuDeviceGetGraphMemAttribute(device: c_int, attribute: c_int, value: Out<u64>) {
        let counts = &process()?.gpu(device)?.graph_counts;
        value.put(match attribute {
            USED => counts.used.get(),
            MOST_USED => counts.used.most(),
            RESERVED => counts.reserved.get(),
            MOST_RESERVED => counts.reserved.most(),
            _ => return Err(Error::INVALID_VALUE),
        })
    }

    /// The high marks can be set to zero, which makes them the current values.
    fn cuDeviceSetGraphMemAttribute(device: c_int, attribute: c_int, value: Untyped) {
        let counts = &process()?.gpu(device)?.graph_counts;
        let watermark = match attribute {
            MOST_USED => &counts.used,
            MOST_RESERVED => &counts.reserved,
            _ => return Err(Error::INVALID_VALUE),
        };
        lower(watermark, value)
    }

    /// What no graph has is the device's already.
    fn cuDeviceGraphMemTrim(device: c_int) {
        process()?.gpu(device).map(drop)
    }
}

const _: () = assert!(size_of::<AllocationParameters>() == 120);
