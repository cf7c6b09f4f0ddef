//! Graphs: their nodes, and which comes after which.

use std::convert::Infallible;
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex};

use crate::abi::{In, Out};
use crate::callback::{HostFunction, UserData, forbidding_calls};
use crate::capture::Capture;
use crate::context::Context;
use crate::error::Error;
use crate::event::{self, Event, Events};
use crate::fill::{Memory, Rows};
use crate::locks::lock;
use crate::queue::Work;
use crate::registry::{Handle, Registry};
use crate::stream::{self, Stream};

/// How many graphs may lie in one another.
const MOST_DEPTH: usize = 64;

/// An API with graphs.
pub trait Graphs: Events + Memory {
    type Launch: Launch<Self>;
    /// A copy.
    type Copy: Run + Clone;
    type OwnMemory: OwnMemory;

    fn graphs() -> &'static Registry<Graph<Self>>;
    fn nodes() -> &'static Registry<NodeOf>;

    /// Whether kernels are run.
    fn executes() -> bool;
}

/// What can be run whenever.
pub trait Run: Send + Sync + 'static {
    fn run(&self) -> Result<(), Error>;
}

/// A checked launch with its arguments.
pub trait Launch<V: Events>: Run {
    fn is_of(&self, context: &Context<V>) -> bool;

    /// What stops any launch in a context.
    fn check(_context: &Context<V>) -> Result<(), Error> {
        Ok(())
    }
}

/// Memory that nodes of graphs allocate and free.
pub trait OwnMemory: Send + Sync + 'static {
    /// Whether a launch allocated it that leaves it allocated.
    fn is_held(&self) -> bool;
    /// Says whether it is allocated for those who come later, and what it was before.
    fn hold(&self, is_held: bool) -> bool;
    /// Makes it what new memory is, and memory that is gone.
    fn renew(&self) -> Result<(), Error>;
}

/// Where graphs have no memory of their own.
impl OwnMemory for Infallible {
    fn is_held(&self) -> bool {
        match *self {}
    }

    fn hold(&self, _is_held: bool) -> bool {
        match *self {}
    }

    fn renew(&self) -> Result<(), Error> {
        match *self {}
    }
}

/// What a node does.
pub enum Task<V: Graphs> {
    Empty,
    Launch(Arc<V::Launch>),
    Copy(V::Copy),
    Set(Rows),
    Host {
        function: unsafe extern "C" fn(*mut c_void),
        data: UserData,
    },
    /// All nodes of a graph that is this node's own.
    Child(Handle),
    Wait(OfEvent<V>),
    Record(OfEvent<V>),
    Allocate(Arc<V::OwnMemory>),
    Free(Arc<V::OwnMemory>),
}

impl<V: Graphs> Clone for Task<V> {
    fn clone(&self) -> Self {
        match self {
            Self::Empty => Self::Empty,
            Self::Launch(launch) => Self::Launch(Arc::clone(launch)),
            Self::Copy(copy) => Self::Copy(copy.clone()),
            Self::Set(rows) => Self::Set(*rows),
            &Self::Host { function, data } => Self::Host { function, data },
            Self::Child(graph) => Self::Child(*graph),
            Self::Wait(of) => Self::Wait(of.clone()),
            Self::Record(of) => Self::Record(of.clone()),
            Self::Allocate(memory) => Self::Allocate(Arc::clone(memory)),
            Self::Free(memory) => Self::Free(Arc::clone(memory)),
        }
    }
}

/// The event of a node.
#[derive(Clone)]
pub struct OfEvent<V: Events> {
    pub handle: Handle,
    pub event: Arc<Event<V>>,
}

impl<V: Events> OfEvent<V> {
    /// # Errors
    /// For an event that other processes have too.
    pub fn new(handle: Handle) -> Result<Self, Error> {
        let event = event::find(handle)?;
        if event.shared.is_some() { Err(Error::NOT_SUPPORTED) } else { Ok(Self { handle, event }) }
    }
}

impl<V: Graphs> Task<V> {
    /// Of a function of the program.
    pub fn host(function: HostFunction, data: UserData) -> Result<Self, Error> {
        Ok(Self::Host { function: function.ok_or(Error::INVALID_VALUE)?, data })
    }

    pub fn run(&self) -> Result<(), Error> {
        match self {
            // A launch of the graph sees to events.
            Self::Empty | Self::Child(_) | Self::Wait(_) | Self::Record(_) => Ok(()),
            Self::Launch(launch) => launch.run(),
            Self::Copy(copy) => copy.run(),
            Self::Set(rows) => V::set(rows),
            Self::Allocate(memory) | Self::Free(memory) => memory.renew(),
            &Self::Host { function, data } => {
                // SAFETY: the caller gave the function to be called with this pointer whenever the task is run.
                forbidding_calls(|| unsafe { function(data.pointer()) });
                Ok(())
            }
        }
    }

    /// Its `CUgraphNodeType`.
    pub fn kind(&self) -> c_int {
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

    /// Whether it does something where kernels aren't run.
    pub fn is_run(&self) -> bool {
        match self {
            Self::Empty | Self::Child(_) => false,
            Self::Launch(_) => V::executes(),
            _ => true,
        }
    }
}

#[derive(Clone)]
pub struct Node<V: Graphs> {
    pub handle: Handle,
    pub task: Task<V>,
    /// Places of nodes that it comes after.
    pub after: Vec<usize>,
    /// The node that it was cloned from.
    pub original: Handle,
}

pub struct Graph<V: Graphs> {
    pub nodes: Mutex<Vec<Node<V>>>,
    /// Whether it belongs to a node of another graph.
    pub is_child: bool,
}

impl<V: Graphs> Graph<V> {
    pub const fn new(is_child: bool) -> Self {
        Self { nodes: Mutex::new(Vec::new()), is_child }
    }
}

/// Where a node's handle leads: only a handle of the graph's own.
pub struct NodeOf {
    pub graph: Handle,
}

/// The graph of a handle.
pub fn find<V: Graphs>(graph: Handle) -> Result<Arc<Graph<V>>, Error> {
    V::check()?;
    V::graphs().get(graph).ok_or(Error::INVALID_HANDLE)
}

/// Makes an empty graph.
pub fn create<V: Graphs>(graph: Out<Handle>, flags: u32) -> Result<(), Error> {
    V::current()?;
    if graph.is_null() || flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    graph.put(V::graphs().insert(Graph::new(false)))
}

/// What is done with the task of a node.
pub fn with_task<V: Graphs, T>(
    node: Handle,
    then: impl FnOnce(&mut Task<V>) -> Result<T, Error>,
) -> Result<T, Error> {
    V::current()?;
    let of = V::nodes().get(node).ok_or(Error::INVALID_HANDLE)?;
    let graph = find::<V>(of.graph)?;
    let mut nodes = lock(&graph.nodes);
    let found = nodes.iter_mut().find(|found| found.handle == node).ok_or(Error::INVALID_HANDLE)?;
    then(&mut found.task)
}

/// Adds a node that comes after others of the graph.
fn insert<V: Graphs>(graph: Handle, dependencies: &[Handle], task: Task<V>) -> Result<Handle, Error> {
    let found = find::<V>(graph)?;
    let mut nodes = lock(&found.nodes);
    let mut after = Vec::with_capacity(dependencies.len());
    for handle in dependencies {
        let place = nodes.iter().position(|node| node.handle == *handle).ok_or(Error::INVALID_VALUE)?;
        if after.contains(&place) {
            return Err(Error::INVALID_VALUE);
        }
        after.push(place);
    }
    let handle = V::nodes().insert(NodeOf { graph });
    nodes.push(Node { handle, task, after, original: Handle::NULL });
    Ok(handle)
}

/// Adds a node that comes after others of the graph, as a caller says it.
pub fn add<V: Graphs>(
    node: Out<Handle>,
    graph: Handle,
    dependencies: In<Handle>,
    count: usize,
    task: Task<V>,
) -> Result<(), Error> {
    let child = if let Task::Child(child) = task { Some(child) } else { None };
    let added = add_unless_wrong(node, graph, dependencies, count, task);
    if let Some(child) = child.filter(|_| added.is_err()) {
        destroy::<V>(child);
    }
    added
}

fn add_unless_wrong<V: Graphs>(
    node: Out<Handle>,
    graph: Handle,
    dependencies: In<Handle>,
    count: usize,
    task: Task<V>,
) -> Result<(), Error> {
    V::current()?;
    if node.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let dependencies = (0..count).map(|index| dependencies.at(index)).collect::<Result<Vec<_>, _>>()?;
    node.put(insert(graph, &dependencies, task)?)
}

/// Adds a node to a capture, behind what a stream has of it.
pub fn capture<V: Graphs>(capture: &Capture, stream: &Stream<V>, task: Task<V>) -> Result<(), Error> {
    let mut state = capture.valid()?;
    let after = state.ends.get(&stream.id).cloned().unwrap_or_default();
    let node = insert(capture.graph, &after, task)?;
    state.ends.insert(stream.id, vec![node]);
    Ok(())
}

/// Calls a function of the program when a stream comes to it. Not once the context has failed.
pub fn call_host<V: Graphs>(stream: Handle, function: HostFunction, data: UserData) -> Result<(), Error> {
    let stream = stream::find::<V>(stream)?;
    let task = Task::host(function, data)?;
    if let Some(captured) = stream.captured() {
        return capture(&captured, &stream, task);
    }
    stream.submit(Work::run(move || task.run())).map(drop)
}

/// A graph of the same nodes, with handles of their own.
///
/// # Errors
/// Where too many graphs lie in one another, or one has memory of its own.
pub fn copy<V: Graphs>(graph: Handle, is_child: bool) -> Result<Handle, Error> {
    copy_at::<V>(graph, is_child, 0)
}

fn copy_at<V: Graphs>(graph: Handle, is_child: bool, depth: usize) -> Result<Handle, Error> {
    let nodes = lock(&find::<V>(graph)?.nodes).clone();
    let has_memory = nodes.iter().any(|node| matches!(node.task, Task::Allocate(_) | Task::Free(_)));
    if depth == MOST_DEPTH || has_memory {
        return Err(Error::NOT_SUPPORTED);
    }
    let (made, copied) = V::graphs().insert_with(|_| Graph::new(is_child));
    for node in nodes {
        let task = match node.task {
            Task::Child(child) => match copy_at::<V>(child, true, depth + 1) {
                Ok(child) => Task::Child(child),
                Err(error) => {
                    destroy::<V>(made);
                    return Err(error);
                }
            },
            task => task,
        };
        let handle = V::nodes().insert(NodeOf { graph: made });
        lock(&copied.nodes).push(Node { handle, task, after: node.after, original: node.handle });
    }
    Ok(made)
}

/// Ends a graph, its nodes, and what belongs to them.
pub fn destroy<V: Graphs>(graph: Handle) {
    let Some(gone) = V::graphs().remove(graph) else { return };
    V::nodes().remove_all(|node| node.graph == graph);
    for node in lock(&gone.nodes).drain(..) {
        discard(&node.task);
    }
}

/// Ends what belongs to the task of a node that is gone.
pub fn discard<V: Graphs>(task: &Task<V>) {
    if let Task::Child(graph) = task {
        destroy::<V>(*graph);
    }
}
