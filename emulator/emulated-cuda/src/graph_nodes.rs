//! Nodes of graphs, and which comes after which.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use crate::abi::{In, Out};
use crate::context::{current, forbidding_calls};
use crate::copy::Transfer;
use crate::error::Error;
use crate::fill;
use crate::launch::Launch;
use crate::locks::lock;
use crate::process::{Process, process};
use crate::registry::Handle;
use crate::stream::UserData;

/// What a node does.
#[derive(Clone)]
pub(crate) enum Task {
    Empty,
    Launch(Arc<Launch>),
    Copy(Transfer),
    Set(fill::Rows),
    Host { function: unsafe extern "C" fn(*mut c_void), data: UserData },
}

impl Task {
    pub(crate) fn run(&self, process: &Process) -> Result<(), Error> {
        match self {
            Self::Empty => Ok(()),
            Self::Launch(launch) => launch.run(process),
            // SAFETY: the program keeps its memory until the graph has run, as `cuda.h` demands.
            Self::Copy(transfer) => unsafe { transfer.run(process, None) },
            Self::Set(rows) => rows.set(process),
            &Self::Host { function, data } => {
                // SAFETY: the caller gave the function to be called with this pointer whenever the graph runs.
                forbidding_calls(|| unsafe { function(data.pointer()) });
                Ok(())
            }
        }
    }

    /// Whether it does something where kernels aren't run.
    pub(crate) fn is_run(&self, process: &Process) -> bool {
        match self {
            Self::Empty => false,
            Self::Launch(_) => process.settings.execute,
            _ => true,
        }
    }
}

#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) handle: Handle,
    pub(crate) task: Task,
    /// Places of nodes that were added before.
    pub(crate) after: Vec<usize>,
}

#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Mutex<Vec<Node>>,
}

/// Where a node's handle leads: only a handle of the graph's own.
pub(crate) struct NodeOf {
    pub(crate) graph: Handle,
}

/// The graph of a handle.
pub(crate) fn find(graph: Handle) -> Result<Arc<Graph>, Error> {
    process()?.graphs.get(graph).ok_or(Error::INVALID_HANDLE)
}

/// Edges with data order kernels in the middle of others, which isn't done here.
pub(crate) fn refuse_edge_data(edges: In<u64>, count: usize) -> Result<(), Error> {
    if edges.is_null() {
        return Ok(());
    }
    for index in 0..count {
        if edges.at(index)? != 0 {
            return Err(Error::NOT_SUPPORTED);
        }
    }
    Ok(())
}

/// Adds a node that comes after others of the graph.
pub(crate) fn insert(graph: Handle, dependencies: &[Handle], task: Task) -> Result<Handle, Error> {
    let process = process()?;
    let found = find(graph)?;
    let mut nodes = lock(&found.nodes);
    let mut after = Vec::with_capacity(dependencies.len());
    for handle in dependencies {
        let place = nodes.iter().position(|node| node.handle == *handle).ok_or(Error::INVALID_VALUE)?;
        if after.contains(&place) {
            return Err(Error::INVALID_VALUE);
        }
        after.push(place);
    }
    let handle = process.graph_nodes.insert(NodeOf { graph });
    nodes.push(Node { handle, task, after });
    Ok(handle)
}

/// Adds a node that comes after others of the graph, as a caller says it.
pub(crate) fn add(
    node: Out<Handle>,
    graph: Handle,
    dependencies: In<Handle>,
    count: usize,
    task: Task,
) -> Result<(), Error> {
    current()?;
    if node.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let dependencies = (0..count).map(|index| dependencies.at(index)).collect::<Result<Vec<_>, _>>()?;
    node.put(insert(graph, &dependencies, task)?)
}
