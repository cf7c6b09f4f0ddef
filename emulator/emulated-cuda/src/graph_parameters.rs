//! What nodes are made of: the structures of `cuda.h`, and the tasks that they say.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

use crate::abi::Untyped;
use crate::callback::{HostFunction, UserData};
use crate::context::{Cuda, current};
use crate::copy_rows::CopyParameters;
use crate::error::Error;
use crate::graph_memory::{self, allocation_task, free_task};
use crate::graph_nodes::{OfEvent, Task};
use crate::launch::{Extra, Launch, Sizes};
use crate::launch_attributes::Attributes;
use crate::process::process;
use crate::registry::Handle;
use crate::shared::arguments::Arguments;
use crate::shared::fill::Rows;
use crate::shared::graph;

/// `CUDA_KERNEL_NODE_PARAMS_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct KernelParameters1 {
    function: Handle,
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    arguments: Arguments,
    extra: Extra,
}

/// `CUDA_KERNEL_NODE_PARAMS_v2`, and `_v3`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct KernelParameters {
    before: KernelParameters1,
    kernel: Handle,
    context: Handle,
}

impl KernelParameters1 {
    pub(crate) fn newer(self) -> KernelParameters {
        KernelParameters { before: self, kernel: Handle::NULL, context: Handle::NULL }
    }

    /// Of a node.
    pub(crate) fn of(launch: &Launch) -> Self {
        let Sizes { grid, block, shared, .. } = launch.sizes();
        Self {
            function: launch.handle(),
            grid,
            block,
            shared,
            arguments: launch.arguments(),
            extra: Extra::NONE,
        }
    }
}

impl KernelParameters {
    pub(crate) fn launch(&self, attributes: Attributes) -> Result<Launch, Error> {
        let Self { before, kernel, context } = *self;
        let KernelParameters1 { function, grid, block, shared, arguments, extra } = before;
        // A kernel is a function of the current context.
        if function == Handle::NULL && context != Handle::NULL && context != current()?.handle {
            return Err(Error::NOT_SUPPORTED);
        }
        let function = if function == Handle::NULL { kernel } else { function };
        Launch::new(function, Sizes { grid, block, shared, attributes }, arguments, extra)
    }

    /// The task; attributes stay what they are.
    pub(crate) fn task(&self, before: Option<&Task>) -> Result<Task, Error> {
        let attributes = match before {
            Some(Task::Launch(launch)) => launch.attributes(),
            _ => Attributes::NONE,
        };
        Ok(Task::Launch(Arc::new(self.launch(attributes)?)))
    }
}

/// `CUDA_MEMSET_NODE_PARAMS_v1`, which is the front of `_v2`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct SetParameters {
    to: u64,
    pitch: usize,
    value: c_uint,
    unit: c_uint,
    width: usize,
    height: usize,
}

impl SetParameters {
    pub(crate) fn task(&self) -> Result<Task, Error> {
        let Self { to, pitch, value, unit, width, height } = *self;
        let rows = Rows { to, pitch, value, unit: unit as usize, width, height };
        rows.check::<Cuda>()?;
        Ok(Task::Set(rows))
    }

    pub(crate) fn of(rows: &Rows) -> Self {
        let Rows { to, pitch, value, unit, width, height } = *rows;
        Self { to, pitch, value, unit: unit as c_uint, width, height }
    }
}

/// `CUDA_HOST_NODE_PARAMS_v1`, which is the front of `_v2`: ways to wait for the function change nothing.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct HostParameters {
    pub(crate) function: HostFunction,
    pub(crate) data: UserData,
}

impl HostParameters {
    pub(crate) fn task(&self) -> Result<Task, Error> {
        Task::host(self.function, self.data)
    }
}

/// `CUDA_MEMCPY_NODE_PARAMS`.
#[derive(Clone, Copy)]
#[repr(C)]
struct CopyNodeParameters {
    flags: c_int,
    reserved: c_int,
    context: Handle,
    copy: CopyParameters,
}

/// A node of all nodes of a graph, which is copied.
pub(crate) fn child_task(graph: Handle) -> Result<Task, Error> {
    Ok(Task::Child(graph::copy::<Cuda>(graph, true)?))
}

/// A caller's `CUgraphNodeParams`: the kind of a node, and behind it the structure of that kind.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct NodeParameters(Untyped);

/// Bytes in front of the structure.
const FRONT: usize = 16;

impl NodeParameters {
    /// The task that they say, for a new node or in the place of another.
    pub(crate) fn task(self, before: Option<&Task>) -> Result<Task, Error> {
        let kind: c_int = self.0.input().get()?;
        let body = self.0.behind(FRONT);
        match kind {
            0 => body.input::<KernelParameters>().get()?.task(before),
            1 => {
                let CopyNodeParameters { flags, copy, .. } = body.input().get()?;
                if flags != 0 {
                    return Err(Error::INVALID_VALUE);
                }
                copy.task(process()?)
            }
            2 => body.input::<SetParameters>().get()?.task(),
            3 => body.input::<HostParameters>().get()?.task(),
            4 => child_task(body.input().get()?),
            5 => Ok(Task::Empty),
            6 => Ok(Task::Wait(OfEvent::new(body.input().get()?)?)),
            7 => Ok(Task::Record(OfEvent::new(body.input().get()?)?)),
            10 => allocation_task(body.in_out()),
            11 => free_task(body.input().get()?),
            // Semaphores of others, operations on words, and conditions.
            8 | 9 | 12 | 13 => Err(Error::NOT_SUPPORTED),
            _ => Err(Error::INVALID_VALUE),
        }
    }

    /// Whether they are of a node's kind.
    pub(crate) fn is_of(self, task: &Task) -> Result<bool, Error> {
        Ok(self.0.input::<c_int>().get()? == task.kind())
    }

    /// The graph, if they say one.
    pub(crate) fn child(self) -> Result<Option<Handle>, Error> {
        const CHILD: c_int = 4;
        if self.0.input::<c_int>().get()? != CHILD {
            return Ok(None);
        }
        self.0.behind(FRONT).input().get().map(Some)
    }

    /// Writes those of a node.
    pub(crate) fn put(self, task: &Task) -> Result<(), Error> {
        self.0.out::<c_int>().put(task.kind())?;
        let body = self.0.behind(FRONT);
        match task {
            Task::Launch(launch) => body.out().put(KernelParameters1::of(launch).newer()),
            Task::Copy(transfer) => {
                let copy = CopyParameters::of(transfer);
                body.out().put(CopyNodeParameters { flags: 0, reserved: 0, context: Handle::NULL, copy })
            }
            Task::Set(rows) => body.out().put((SetParameters::of(rows), Handle::NULL)),
            &Task::Host { function, data } => {
                body.out().put(HostParameters { function: Some(function), data })
            }
            Task::Child(graph) => body.out().put(*graph),
            Task::Empty => Ok(()),
            Task::Allocate(memory) => graph_memory::put(memory, body.out()),
            Task::Free(memory) => body.out().put(memory.address),
            Task::Wait(of) | Task::Record(of) => body.out().put(of.handle),
        }
    }
}

const _: () = assert!(size_of::<KernelParameters>() == 72 && size_of::<CopyNodeParameters>() == 216);
const _: () = assert!(size_of::<SetParameters>() == 40 && size_of::<*const c_void>() == 8);
