//! Graphs as they are built: nodes, and which comes after which.

use std::ffi::{c_int, c_uint};
use std::sync::Arc;

use crate::abi::{In, Out};
use crate::context::current;
use crate::copy_rows::CopyParameters;
use crate::error::Error;
use crate::fill;
use crate::graph_nodes::{Graph, Task, add, find};
use crate::launch::{Arguments, Extra, Launch, Sizes};
use crate::launch_attributes::{Attributes, Value};
use crate::locks::lock;
use crate::process::{Process, process};
use crate::registry::Handle;
use crate::stream::{HostFunction, UserData};

/// `CUDA_KERNEL_NODE_PARAMS_v2`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct KernelParameters {
    function: Handle,
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    arguments: Arguments,
    extra: Extra,
    kernel: Handle,
    context: Handle,
}

impl KernelParameters {
    pub(crate) fn kernel(&self, attributes: Attributes) -> Result<Launch, Error> {
        let Self { function, grid, block, shared, arguments, extra, kernel, .. } = *self;
        if kernel != Handle::NULL {
            return Err(Error::NOT_SUPPORTED);
        }
        Launch::new(function, Sizes { grid, block, shared, attributes }, arguments, extra)
    }
}

/// `CUDA_MEMSET_NODE_PARAMS_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
struct SetParameters {
    to: u64,
    pitch: usize,
    value: c_uint,
    unit: c_uint,
    width: usize,
    height: usize,
}

/// `CUDA_HOST_NODE_PARAMS_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
struct HostParameters {
    function: HostFunction,
    data: UserData,
}

/// What is done with a kernel node.
fn with_kernel<T>(
    node: Handle,
    then: impl FnOnce(&'static Process, &mut Arc<Launch>) -> Result<T, Error>,
) -> Result<T, Error> {
    current()?;
    let process = process()?;
    let of = process.graph_nodes.get(node).ok_or(Error::INVALID_HANDLE)?;
    let graph = find(of.graph)?;
    let mut nodes = lock(&graph.nodes);
    let found = nodes.iter_mut().find(|found| found.handle == node).ok_or(Error::INVALID_HANDLE)?;
    let Task::Launch(kernel) = &mut found.task else { return Err(Error::INVALID_VALUE) };
    then(process, kernel)
}

driver! {
    fn cuGraphCreate(graph: Out<Handle>, flags: c_uint) {
        current()?;
        if graph.is_null() || flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        graph.put(process()?.graphs.insert(Graph::default()))
    }

    /// What was instantiated of it stays.
    fn cuGraphDestroy(graph: Handle) {
        let process = process()?;
        process.graphs.remove(graph).ok_or(Error::INVALID_HANDLE)?;
        process.graph_nodes.remove_all(|node| node.graph == graph);
        Ok(())
    }

    fn cuGraphAddEmptyNode(node: Out<Handle>, graph: Handle, dependencies: In<Handle>, count: usize) {
        add(node, graph, dependencies, count, Task::Empty)
    }

    fn cuGraphAddKernelNode_v2(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<KernelParameters>,
    ) {
        let kernel = parameters.get()?.kernel(Attributes::NONE)?;
        add(node, graph, dependencies, count, Task::Launch(Arc::new(kernel)))
    }

    /// Memory that isn't pinned is read and written when the graph runs.
    fn cuGraphAddMemcpyNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<CopyParameters>,
        _context: Handle,
    ) {
        let transfer = parameters.get()?.transfer(process()?)?;
        add(node, graph, dependencies, count, Task::Copy(transfer))
    }

    fn cuGraphAddMemsetNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<SetParameters>,
        _context: Handle,
    ) {
        let SetParameters { to, pitch, value, unit, width, height } = parameters.get()?;
        let rows = fill::Rows { to, pitch, value, unit: unit as usize, width, height };
        rows.check(process()?)?;
        add(node, graph, dependencies, count, Task::Set(rows))
    }

    fn cuGraphAddHostNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<HostParameters>,
    ) {
        let HostParameters { function, data } = parameters.get()?;
        let function = function.ok_or(Error::INVALID_VALUE)?;
        add(node, graph, dependencies, count, Task::Host { function, data })
    }

    /// Sets an attribute of a kernel node, one of those that launches have.
    fn cuGraphKernelNodeSetAttribute(node: Handle, attribute: c_int, value: In<Value>) {
        let value = value.get()?;
        with_kernel(node, |process, kernel| {
            let mut attributes = kernel.attributes();
            attributes.set(attribute, &value)?;
            *kernel = Arc::new(kernel.with(process, attributes)?);
            Ok(())
        })
    }

    fn cuGraphKernelNodeGetAttribute(node: Handle, attribute: c_int, value: Out<Value>) {
        with_kernel(node, |_, kernel| value.put(kernel.attributes().get(attribute)?))
    }
}
