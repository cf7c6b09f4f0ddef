//! Nodes of graphs, and which comes after which.

use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex};

use crate::abi::{In, Out};
use crate::context::{current, forbidding_calls};
use crate::copy::Transfer;
use crate::error::Error;
use crate::fill;
use crate::graph_memory::GraphMemory;
use crate::launch::Launch;
use crate::locks::lock;
use crate::process::{Process, process};
use crate::recorded::{self, Event};
use crate::registry::Handle;
use crate::stream::UserData;

/// How many graphs may lie in one another.
const MOST_DEPTH: usize = 64;

/// What a node does.
#[derive(Clone)]
pub(crate) enum Task {
    Empty,
    Launch(Arc<Launch>),
    Copy(Transfer),
    Set(fill::Rows),
    Host {
        function: unsafe extern "C" fn(*mut c_void),
        data: UserData,
    },
    /// All nodes of a graph that is this node's own.
    Child(Handle),
    Wait(OfEvent),
    Record(OfEvent),
    Allocate(Arc<GraphMemory>),
    Free(Arc<GraphMemory>),
}

/// The event of a node.
#[derive(Clone)]
pub(crate) struct OfEvent {
    pub(crate) handle: Handle,
    pub(crate) event: Arc<Event>,
}

impl OfEvent {
    /// # Errors
    /// For an event that other processes have too.
    pub(crate) fn new(handle: Handle) -> Result<Self, Error> {
        let event = recorded::find(handle)?;
        if event.shared.is_some() { Err(Error::NOT_SUPPORTED) } else { Ok(Self { handle, event }) }
    }
}

impl Task {
    pub(crate) fn run(&self, process: &Process) -> Result<(), Error> {
        match self {
            // A launch of the graph sees to events.
            Self::Empty | Self::Child(_) | Self::Wait(_) | Self::Record(_) => Ok(()),
            Self::Launch(launch) => launch.run(process),
            // SAFETY: the program keeps its memory until the graph has run, as `cuda.h` demands.
            Self::Copy(transfer) => unsafe { transfer.run(process, None) },
            Self::Set(rows) => rows.set(process),
            Self::Allocate(memory) | Self::Free(memory) => memory.renew(),
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
            Self::Empty | Self::Child(_) => false,
            Self::Launch(_) => process.settings.execute,
            _ => true,
        }
    }

    /// Its `CUgraphNodeType`.
    pub(crate) fn kind(&self) -> c_int {
        match self {
            Self::Launch(_) => 0,
            Self::Copy(_) => 1,
            Self::Set(_) => 2,
            Self::Host { .. } => 3,
            Self::Child(_) => 4,
            Self::Empty => 5,
            Self::Wait(_) => 6,
            Self::Record(_) => 7,
            Self::Allocate(_) => 10,
            Self::Free(_) => 11,
        }
    }
}

#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) handle: Handle,
    pub(crate) task: Task,
    /// Places of nodes that it comes after.
    pub(crate) after: Vec<usize>,
    /// The node that it was cloned from.
    pub(crate) original: Handle,
}

#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Mutex<Vec<Node>>,
    /// Whether it belongs to a node of another graph.
    pub(crate) is_child: bool,
}

/// Where a node's handle leads: only a handle of the graph's own.
pub(crate) struct NodeOf {
    pub(crate) graph: Handle,
}

/// The graph of a handle.
pub(crate) fn find(graph: Handle) -> Result<Arc<Graph>, Error> {
    process()?.graphs.get(graph).ok_or(Error::INVALID_HANDLE)
}

/// What is done with the task of a node.
pub(crate) fn with_task<T>(
    node: Handle,
    then: impl FnOnce(&mut Task) -> Result<T, Error>,
) -> Result<T, Error> {
    current()?;
    let of = process()?.graph_nodes.get(node).ok_or(Error::INVALID_HANDLE)?;
    let graph = find(of.graph)?;
    let mut nodes = lock(&graph.nodes);
    let found = nodes.iter_mut().find(|found| found.handle == node).ok_or(Error::INVALID_HANDLE)?;
    then(&mut found.task)
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
    nodes.push(Node { handle, task, after, original: Handle::NULL });
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
    let child = if let Task::Child(child) = task { Some(child) } else { None };
    let added = add_unless_wrong(node, graph, dependencies, count, task);
    if let Some(child) = child.filter(|_| added.is_err()) {
        destroy(process()?, child);
    }
    added
}

fn add_unless_wrong(
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

/// A graph of the same nodes, with handles of their own.
///
/// # Errors
/// Where too many graphs lie in one another, or one has memory of its own.
pub(crate) fn copy(process: &Process, graph: Handle, is_child: bool) -> Result<Handle, Error> {
    copy_at(process, graph, is_child, 0)
}

fn copy_at(process: &Process, graph: Handle, is_child: bool, depth: usize) -> Result<Handle, Error> {
    let nodes = lock(&find(graph)?.nodes).clone();
    let has_memory = nodes.iter().any(|node| matches!(node.task, Task::Allocate(_) | Task::Free(_)));
    if depth == MOST_DEPTH || has_memory {
        return Err(Error::NOT_SUPPORTED);
    }
    let (made, copied) = process.graphs.insert_with(|_| Graph { nodes: Mutex::default(), is_child });
    for node in nodes {
        let task = match node.task {
            Task::Child(child) => match copy_at(process, child, true, depth + 1) {
                Ok(child) => Task::Child(child),
                Err(error) => {
                    destroy(process, made);
                    return Err(error);
                }
            },
            task => task,
        };
        let handle = process.graph_nodes.insert(NodeOf { graph: made });
        lock(&copied.nodes).push(Node { handle, task, after: node.after, original: node.handle });
    }
    Ok(made)
}

/// Ends a graph, its nodes, and what belongs to them.
pub(crate) fn destroy(process: &Process, graph: Handle) {
    let Some(gone) = process.graphs.remove(graph) else { return };
    process.graph_nodes.remove_all(|node| node.graph == graph);
    for node in lock(&gone.nodes).drain(..) {
        discard(process, &node.task);
    }
}

/// Ends what belongs to the task of a node that is gone.
pub(crate) fn discard(process: &Process, task: &Task) {
    if let Task::Child(graph) = task {
        destroy(process, *graph);
    }
}
