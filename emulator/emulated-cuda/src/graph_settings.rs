//! What nodes are made of, as callers read and change it. What was instantiated before stays as it is.

use crate::abi::{In, Out};
use crate::context::{Cuda, current};
use crate::copy_rows::CopyParameters;
use crate::error::Error;
use crate::graph_nodes::{OfEvent, Task};
use crate::graph_parameters::{
    HostParameters, KernelParameters, KernelParameters1, NodeParameters, SetParameters,
};
use crate::process::process;
use crate::registry::Handle;
use crate::shared::graph::with_task;

/// Changes a node to a task of the same kind.
fn change(node: Handle, make: impl FnOnce(&Task) -> Result<Task, Error>) -> Result<(), Error> {
    with_task::<Cuda, _>(node, |task| {
        // Its graph is the node's own, and is changed by itself. Memory stays.
        if matches!(task, Task::Child(_) | Task::Allocate(_) | Task::Free(_)) {
            return Err(Error::NOT_SUPPORTED);
        }
        let new = make(task)?;
        if new.kind() != task.kind() {
            return Err(Error::INVALID_VALUE);
        }
        *task = new;
        Ok(())
    })
}

driver! {
    /// The arguments' addresses are the driver's, until the node is changed.
    fn cuGraphKernelNodeGetParams(node: Handle, parameters: Out<KernelParameters1>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Launch(launch) => parameters.put(KernelParameters1::of(launch)),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphKernelNodeGetParams_v2(node: Handle, parameters: Out<KernelParameters>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Launch(launch) => parameters.put(KernelParameters1::of(launch).newer()),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphKernelNodeSetParams(node: Handle, parameters: In<KernelParameters1>) {
        change(node, |before| parameters.get()?.newer().task(Some(before)))
    }

    fn cuGraphKernelNodeSetParams_v2(node: Handle, parameters: In<KernelParameters>) {
        change(node, |before| parameters.get()?.task(Some(before)))
    }

    /// Of a copy that was captured: those of a copy that does the same.
    fn cuGraphMemcpyNodeGetParams(node: Handle, parameters: Out<CopyParameters>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Copy(transfer) => parameters.put(CopyParameters::of(transfer)),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphMemcpyNodeSetParams(node: Handle, parameters: In<CopyParameters>) {
        change(node, |_| parameters.get()?.task(process()?))
    }

    fn cuGraphMemsetNodeGetParams(node: Handle, parameters: Out<SetParameters>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Set(rows) => parameters.put(SetParameters::of(rows)),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphMemsetNodeSetParams(node: Handle, parameters: In<SetParameters>) {
        change(node, |_| parameters.get()?.task())
    }

    fn cuGraphHostNodeGetParams(node: Handle, parameters: Out<HostParameters>) {
        with_task::<Cuda, _>(node, |task| match task {
            &mut Task::Host { function, data } => {
                parameters.put(HostParameters { function: Some(function), data })
            }
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphHostNodeSetParams(node: Handle, parameters: In<HostParameters>) {
        change(node, |_| parameters.get()?.task())
    }

    fn cuGraphEventRecordNodeGetEvent(node: Handle, event: Out<Handle>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Record(of) => event.put(of.handle),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphEventRecordNodeSetEvent(node: Handle, event: Handle) {
        change(node, |_| Ok(Task::Record(OfEvent::new(event)?)))
    }

    fn cuGraphEventWaitNodeGetEvent(node: Handle, event: Out<Handle>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Wait(of) => event.put(of.handle),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphEventWaitNodeSetEvent(node: Handle, event: Handle) {
        change(node, |_| Ok(Task::Wait(OfEvent::new(event)?)))
    }

    /// The node's own graph, not the one that it was made of.
    fn cuGraphChildGraphNodeGetGraph(node: Handle, graph: Out<Handle>) {
        with_task::<Cuda, _>(node, |task| match task {
            Task::Child(child) => graph.put(*child),
            _ => Err(Error::INVALID_VALUE),
        })
    }

    fn cuGraphNodeGetParams(node: Handle, parameters: NodeParameters) {
        with_task::<Cuda, _>(node, |task| parameters.put(task))
    }

    fn cuGraphNodeSetParams(node: Handle, parameters: NodeParameters) {
        current()?;
        change(node, |before| match before {
            _ if !parameters.is_of(before)? => Err(Error::INVALID_VALUE),
            before => parameters.task(Some(before)),
        })
    }
}
