//! Graphs as they are built: nodes, and which comes after which.

use std::ffi::{c_int, c_uint};
use std::sync::Arc;

use crate::abi::{In, Out};
use crate::arguments::Extra;
use crate::callback::{HostFunction, UserData};
use crate::context::Hip;
use crate::copy::{Transfer, check_kind};
use crate::error::Error;
use crate::graph_nodes::Task;
use crate::launch::{Launch, Sizes};
use crate::process::process;
use crate::registry::Handle;
use crate::shared::arguments::Arguments;
use crate::shared::fill::Rows;
use crate::shared::graph::{self, add};

/// `hipKernelNodeParams`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct KernelParameters {
    block: [c_uint; 3],
    extra: Extra,
    function: Handle,
    grid: [c_uint; 3],
    arguments: Arguments,
    shared: c_uint,
}

impl KernelParameters {
    pub(crate) fn launch(&self, is_cooperative: bool) -> Result<Launch, Error> {
        let Self { block, extra, function, grid, arguments, shared } = *self;
        Launch::new(function, Sizes { grid, block, shared, is_cooperative }, arguments, extra)
    }
}

/// `hipMemsetParams`.
#[derive(Clone, Copy)]
#[repr(C)]
struct SetParameters {
    to: u64,
    unit: c_uint,
    height: usize,
    pitch: usize,
    value: c_uint,
    width: usize,
}

/// `hipHostNodeParams`.
#[derive(Clone, Copy)]
#[repr(C)]
struct HostParameters {
    function: HostFunction,
    data: UserData,
}

/// The attribute of a node that says that its launch is cooperative.
const COOPERATIVE: c_int = 2;

hip! {
    fn hipGraphCreate(graph: Out<Handle>, flags: c_uint) {
        graph::create::<Hip>(graph, flags)
    }

    /// What was instantiated of it stays.
    fn hipGraphDestroy(graph: Handle) {
        graph::find::<Hip>(graph)?;
        graph::destroy::<Hip>(graph);
        Ok(())
    }

    /// Whether the launch is cooperative; others aren't supported.
    fn hipGraphKernelNodeSetAttribute(node: Handle, attribute: c_int, value: In<c_int>) {
        let value = value.get()?;
        if attribute != COOPERATIVE {
            return Err(Error::NOT_SUPPORTED);
        }
        graph::with_task::<Hip, _>(node, |task| {
            let Task::Launch(launch) = task else { return Err(Error::INVALID_VALUE) };
            *launch = Arc::new(launch.with(process()?, value != 0)?);
            Ok(())
        })
    }
}

node_functions! {
    fn hipGraphAddEmptyNode() {
        Task::Empty
    }

    fn hipGraphAddKernelNode(parameters: In<KernelParameters>) {
        let launch = parameters.get()?.launch(false)?;
        Task::Launch(Arc::new(launch))
    }

    /// Memory that isn't pinned is read and written when the graph runs.
    fn hipGraphAddMemcpyNode1D(to: u64, from: u64, bytes: usize, kind: c_int) {
        check_kind(kind)?;
        Task::Copy(Transfer::new(to, from, bytes)?)
    }

    fn hipGraphAddMemsetNode(parameters: In<SetParameters>) {
        let SetParameters { to, unit, height, pitch, value, width } = parameters.get()?;
        let rows = Rows { to, pitch, value, unit: unit as usize, width, height };
        rows.check::<Hip>()?;
        Task::Set(rows)
    }

    fn hipGraphAddHostNode(parameters: In<HostParameters>) {
        let HostParameters { function, data } = parameters.get()?;
        Task::host(function, data)?
    }
}
