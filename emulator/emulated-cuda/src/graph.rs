//! Graphs as they are built: nodes that are added, and their attributes.

use std::ffi::{c_int, c_uint};
use std::sync::Arc;

use crate::abi::{In, Out};
use crate::context::{Cuda, current};
use crate::error::Error;
use crate::graph_nodes::{Task, find, refuse_edge_data};
use crate::graph_parameters::NodeParameters;
use crate::launch::Launch;
use crate::launch_attributes::Value;
use crate::process::{Process, process};
use crate::registry::Handle;
use crate::shared::graph::{self, add, with_task};

/// What is done with a kernel node.
fn with_kernel<T>(
    node: Handle,
    then: impl FnOnce(&'static Process, &mut Arc<Launch>) -> Result<T, Error>,
) -> Result<T, Error> {
    let process = process()?;
    with_task::<Cuda, _>(node, |task| match task {
        Task::Launch(kernel) => then(process, kernel),
        _ => Err(Error::INVALID_VALUE),
    })
}

driver! {
    fn cuGraphCreate(graph: Out<Handle>, flags: c_uint) {
        graph::create::<Cuda>(graph, flags)
    }

    /// What was instantiated of it stays. A graph that belongs to a node goes with that.
    fn cuGraphDestroy(graph: Handle) {
        if find(graph)?.is_child {
            return Err(Error::INVALID_VALUE);
        }
        graph::destroy::<Cuda>(graph);
        Ok(())
    }

    /// A graph of the same nodes, with handles of their own.
    fn cuGraphClone(clone: Out<Handle>, graph: Handle) {
        current()?;
        if clone.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        clone.put(graph::copy::<Cuda>(graph, false)?)
    }

    /// Edges have no data.
    fn cuGraphAddNode_v2(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        data: In<u64>,
        count: usize,
        parameters: NodeParameters,
    ) {
        current()?;
        refuse_edge_data(data, count)?;
        add(node, graph, dependencies, count, parameters.task(None)?)
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

    fn cuGraphKernelNodeCopyAttributes(to: Handle, from: Handle) {
        let attributes = with_kernel(from, |_, kernel| Ok(kernel.attributes()))?;
        with_kernel(to, |process, kernel| {
            *kernel = Arc::new(kernel.with(process, attributes)?);
            Ok(())
        })
    }
}
