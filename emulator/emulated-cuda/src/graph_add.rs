//! Nodes that are added to graphs.

use crate::abi::{In, InOut, Out};
use crate::context::{Cuda, current};
use crate::copy_rows::CopyParameters;
use crate::graph_memory::{AllocationParameters, allocation_task, free_task};
use crate::graph_nodes::{OfEvent, Task};
use crate::graph_parameters::{
    HostParameters, KernelParameters, KernelParameters1, NodeParameters, SetParameters, child_task,
};
use crate::process::process;
use crate::registry::Handle;
use crate::shared::graph::add;

node_functions! {
    fn cuGraphAddEmptyNode() {
        Task::Empty
    }

    fn cuGraphAddKernelNode(parameters: In<KernelParameters1>) {
        parameters.get()?.newer().task(None)?
    }

    fn cuGraphAddKernelNode_v2(parameters: In<KernelParameters>) {
        parameters.get()?.task(None)?
    }

    /// Memory that isn't pinned is read and written when the graph runs.
    fn cuGraphAddMemcpyNode(parameters: In<CopyParameters>, _context: Handle) {
        parameters.get()?.task(process()?)?
    }

    fn cuGraphAddMemsetNode(parameters: In<SetParameters>, _context: Handle) {
        parameters.get()?.task()?
    }

    fn cuGraphAddHostNode(parameters: In<HostParameters>) {
        parameters.get()?.task()?
    }

    /// The graph is copied: later changes of it change nothing.
    fn cuGraphAddChildGraphNode(child: Handle) {
        current()?;
        child_task(child)?
    }

    fn cuGraphAddEventRecordNode(event: Handle) {
        Task::Record(OfEvent::new(event)?)
    }

    fn cuGraphAddEventWaitNode(event: Handle) {
        Task::Wait(OfEvent::new(event)?)
    }

    /// A node of any kind that there is here.
    fn cuGraphAddNode(parameters: NodeParameters) {
        current()?;
        parameters.task(None)?
    }

    /// The parameters get the address.
    fn cuGraphAddMemAllocNode(parameters: InOut<AllocationParameters>) {
        allocation_task(parameters)?
    }

    /// Memory of a node, of this graph or another.
    fn cuGraphAddMemFreeNode(address: u64) {
        current()?;
        free_task(address)?
    }
}
