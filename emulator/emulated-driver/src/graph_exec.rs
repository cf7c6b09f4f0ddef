//! Graphs as they run. Nodes run one at a time, in any order that their dependencies allow, a different one for each launch
//! and the same in each run of the program: a dependency that is missing shows.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Instant;

use crate::abi::Out;
use crate::delay;
use crate::error::Error;
use crate::graph::{self, Graphs, Launch, Node, OwnMemory, Task};
use crate::ids;
use crate::locks::lock;
use crate::queue::{Point, Work};
use crate::registry::{Handle, Registry};
use crate::stream;

/// An API that runs graphs.
pub trait GraphExecs: Graphs {
    fn graph_execs() -> &'static Registry<GraphExec<Self>>;
}

/// A node as it runs. Nodes of graphs in others are among them.
#[derive(Clone)]
pub struct Step<V: Graphs> {
    pub handle: Handle,
    pub task: Task<V>,
    /// Places of steps that it comes after.
    pub after: Vec<usize>,
    /// Whether it does what it is for: else it only orders others.
    pub is_enabled: bool,
    /// The steps of the graph that it is, but for those of graphs in that one.
    pub inner: Range<usize>,
}

/// The steps of a graph, and those of graphs in it behind them. Says where its own are.
pub fn steps_of<V: Graphs>(graph: Handle) -> Result<(Vec<Step<V>>, Range<usize>), Error> {
    let mut steps = Vec::new();
    let own = append(graph, &[], &mut steps)?;
    Ok((steps, own))
}

/// Appends the steps of a graph, behind others. Says where its own are.
fn append<V: Graphs>(
    graph: Handle,
    before: &[usize],
    steps: &mut Vec<Step<V>>,
) -> Result<Range<usize>, Error> {
    let nodes: Vec<Node<V>> = lock(&graph::find(graph)?.nodes).clone();
    let first = steps.len();
    for node in &nodes {
        let after = match node.after.as_slice() {
            [] => before.to_vec(),
            after => after.iter().map(|place| first + place).collect(),
        };
        let task = node.task.clone();
        steps.push(Step { handle: node.handle, task, after, is_enabled: true, inner: 0..0 });
    }
    for (place, node) in (first..).zip(&nodes) {
        let Task::Child(child) = node.task else { continue };
        let before = steps.get(place).map(|step| step.after.clone()).unwrap_or_default();
        let inner = append(child, &before, steps)?;
        // It is done when all of its graph is.
        if let Some(step) = steps.get_mut(place) {
            step.after.extend(inner.clone());
            step.inner = inner;
        }
    }
    Ok(first..first + nodes.len())
}

pub struct GraphExec<V: Graphs> {
    id: u64,
    pub flags: u64,
    /// Launches have what it was when they were queued.
    pub steps: Mutex<Arc<Vec<Step<V>>>>,
    launches: AtomicU64,
    /// The last one: the next launch waits for it.
    last: Mutex<Option<Point>>,
    /// Whether there is more than kernels that aren't run.
    is_run: bool,
}

/// Memory of a graph, and whether a launch leaves it allocated.
type Held<V> = Vec<(Arc<<V as Graphs>::OwnMemory>, bool)>;

/// When the steps of a launch that record events were reached.
type Times = HashMap<usize, Arc<OnceLock<Instant>>>;

impl<V: Graphs> GraphExec<V> {
    /// A launch waits for those before of the same graph, on whatever stream.
    pub fn launch(&self, stream: Handle) -> Result<(), Error> {
        let stream = stream::find::<V>(stream)?;
        let steps = Arc::clone(&lock(&self.steps));
        let is_of_other = |step: &Step<V>| match &step.task {
            Task::Launch(kernel) => !kernel.is_of(stream.context),
            _ => false,
        };
        if steps.iter().any(is_of_other) {
            return Err(Error::INVALID_VALUE);
        }
        let holds = self.held_after(&steps)?;
        let launch = self.launches.fetch_add(1, Ordering::Relaxed);
        if !self.is_run {
            return Ok(());
        }
        if steps.iter().any(|step| matches!(step.task, Task::Launch(_))) && V::executes() {
            V::Launch::check(stream.context)?;
        }
        let id = self.id;
        let mut last = lock(&self.last);
        let mut before: Vec<_> = last.iter().cloned().collect();
        let mut times = Times::new();
        for (place, step) in steps.iter().enumerate() {
            match &step.task {
                // All of the launch waits: sooner than the node would, and never too late.
                Task::Wait(of) => before.extend(of.event.point()),
                Task::Record(_) => _ = times.insert(place, Arc::default()),
                _ => {}
            }
        }
        let (of_run, reached) = (Arc::clone(&steps), times.clone());
        let number = id.wrapping_mul(1 << 32).wrapping_add(launch);
        let work = Work::run(move || run(&of_run, &reached, number));
        let point = stream.submit_after(before, work)?;
        for (place, time) in times {
            if let Some(Step { task: Task::Record(of), .. }) = steps.get(place) {
                // Reached when all of the launch is, and at the node's time.
                of.event.set_record(point.clone(), time);
            }
        }
        for (memory, is_held) in holds {
            memory.hold(is_held);
        }
        *last = Some(point);
        Ok(())
    }

    /// The graph's memory, and whether a launch leaves it allocated.
    ///
    /// # Errors
    /// If a launch before left some allocated that this one allocates, unless that frees it, or it frees what isn't allocated.
    fn held_after(&self, steps: &[Step<V>]) -> Result<Held<V>, Error> {
        let mut holds: Held<V> = Vec::new();
        for step in steps {
            if let Task::Allocate(memory) = &step.task {
                if memory.is_held() && self.flags & AUTO_FREE == 0 {
                    return Err(Error::INVALID_VALUE);
                }
                holds.push((Arc::clone(memory), true));
            }
        }
        for step in steps {
            let Task::Free(memory) = &step.task else { continue };
            match holds.iter_mut().find(|(known, _)| Arc::ptr_eq(known, memory)) {
                Some((_, is_held)) if *is_held => *is_held = false,
                None if memory.is_held() => holds.push((Arc::clone(memory), false)),
                _ => return Err(Error::INVALID_VALUE),
            }
        }
        Ok(holds)
    }
}

fn run<V: Graphs>(steps: &[Step<V>], times: &Times, launch: u64) -> Result<(), Error> {
    let mut is_done = vec![false; steps.len()];
    for number in 0..steps.len() as u64 {
        let is_ready = |place: &usize| {
            steps.get(*place).is_some_and(|step| {
                !is_done[*place] && step.after.iter().all(|&before| is_done.get(before) == Some(&true))
            })
        };
        let ready: Vec<usize> = (0..steps.len()).filter(is_ready).collect();
        // There are no circles, so that one is always ready.
        let Some(most) = ready.len().checked_sub(1) else { return Err(Error::UNKNOWN) };
        let place = ready[delay::random(launch, number) as usize % (most + 1)];
        if let Some(delay) = delay::of(launch, number, V::delay()) {
            thread::sleep(delay);
        }
        let step = &steps[place];
        if step.is_enabled && step.task.is_run() {
            step.task.run()?;
        }
        if let Some(time) = times.get(&place) {
            time.get_or_init(Instant::now);
        }
        is_done[place] = true;
    }
    Ok(())
}

pub fn find<V: GraphExecs>(exec: Handle) -> Result<Arc<GraphExec<V>>, Error> {
    V::check()?;
    V::graph_execs().get(exec).ok_or(Error::INVALID_HANDLE)
}

/// A launch that frees what launches before left allocated.
pub const AUTO_FREE: u64 = 1;

pub fn instantiate<V: GraphExecs>(exec: Out<Handle>, graph: Handle, flags: u64) -> Result<(), Error> {
    V::current()?;
    let (steps, _) = steps_of::<V>(graph)?;
    if exec.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let is_run = steps.iter().any(|step| step.task.is_run());
    exec.put(V::graph_execs().insert(GraphExec {
        id: ids::next(),
        flags,
        steps: Mutex::new(Arc::new(steps)),
        launches: AtomicU64::new(0),
        last: Mutex::default(),
        is_run,
    }))
}

/// There is nothing to prepare.
pub fn upload<V: GraphExecs>(exec: Handle, stream: Handle) -> Result<(), Error> {
    find::<V>(exec)?;
    stream::find::<V>(stream).map(drop)
}

/// Launches that are queued run all the same.
pub fn destroy<V: GraphExecs>(exec: Handle) -> Result<(), Error> {
    V::check()?;
    V::graph_execs().remove(exec).map(drop).ok_or(Error::INVALID_HANDLE)
}
