//! Graphs as they run. Nodes run one at a time, in any order that their dependencies allow, a different one for each launch
//! and the same in each run of the program: a dependency that is missing shows.

use std::collections::HashMap;
use std::ffi::{c_char, c_int};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Instant;

use crate::abi::{InOut, Out};
use crate::context::current;
use crate::delay;
use crate::error::Error;
use crate::graph_memory::GraphMemory;
use crate::graph_nodes::{self, Node, Task};
use crate::locks::lock;
use crate::process::{Process, process};
use crate::queue::{Point, Work};
use crate::recorded::Record;
use crate::registry::Handle;
use crate::stream;

/// A node as it runs. Nodes of graphs in others are among them.
#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) handle: Handle,
    pub(crate) task: Task,
    /// Places of steps that it comes after.
    pub(crate) after: Vec<usize>,
    /// Whether it does what it is for: else it only orders others.
    pub(crate) is_enabled: bool,
    /// The steps of the graph that it is, but for those of graphs in that one.
    pub(crate) inner: Range<usize>,
}

/// The steps of a graph, and those of graphs in it behind them. Says where its own are.
pub(crate) fn steps_of(graph: Handle) -> Result<(Vec<Step>, Range<usize>), Error> {
    let mut steps = Vec::new();
    let own = append(graph, &[], &mut steps)?;
    Ok((steps, own))
}

/// Appends the steps of a graph, behind others. Says where its own are.
fn append(graph: Handle, before: &[usize], steps: &mut Vec<Step>) -> Result<Range<usize>, Error> {
    let nodes: Vec<Node> = lock(&graph_nodes::find(graph)?.nodes).clone();
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

pub(crate) struct GraphExec {
    id: u64,
    flags: u64,
    /// Launches have what it was when they were queued.
    pub(crate) steps: Mutex<Arc<Vec<Step>>>,
    launches: AtomicU64,
    /// The last one: the next launch waits for it.
    last: Mutex<Option<Point>>,
    /// Whether there is more than kernels that aren't run.
    is_run: bool,
}

/// When the steps of a launch that record events were reached.
type Times = HashMap<usize, Arc<OnceLock<Instant>>>;

impl GraphExec {
    fn launch(self: &Arc<Self>, process: &'static Process, stream: Handle) -> Result<(), Error> {
        let stream = stream::find(stream)?;
        let steps = Arc::clone(&lock(&self.steps));
        let is_of_other = |step: &Step| match &step.task {
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
        let work = Work::run(move || run(process, &of_run, &reached, number));
        let point = stream.submit_after(before, work)?;
        for (place, time) in times {
            if let Some(Step { task: Task::Record(of), .. }) = steps.get(place) {
                // Reached when all of the launch is, and at the node's time.
                of.event.set_record(Record { point: point.clone(), time });
            }
        }
        for (memory, is_held) in holds {
            memory.hold(is_held);
        }
        *last = Some(point);
        Ok(())
    }
}

impl GraphExec {
    /// The graph's memory, and whether a launch leaves it allocated.
    ///
    /// # Errors
    /// If a launch before left some allocated that this one allocates, unless that frees it, or it frees what isn't allocated.
    fn held_after(&self, steps: &[Step]) -> Result<Vec<(Arc<GraphMemory>, bool)>, Error> {
        let mut holds: Vec<(Arc<GraphMemory>, bool)> = Vec::new();
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

fn run(process: &Process, steps: &[Step], times: &Times, launch: u64) -> Result<(), Error> {
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
        if let Some(delay) = delay::of(launch, number, process.settings.delay) {
            thread::sleep(delay);
        }
        let step = &steps[place];
        if step.is_enabled && step.task.is_run(process) {
            step.task.run(process)?;
        }
        if let Some(time) = times.get(&place) {
            time.get_or_init(Instant::now);
        }
        is_done[place] = true;
    }
    Ok(())
}

pub(crate) fn find(exec: Handle) -> Result<Arc<GraphExec>, Error> {
    process()?.graph_execs.get(exec).ok_or(Error::INVALID_HANDLE)
}

const AUTO_FREE: u64 = 1;
const UPLOAD: u64 = 2;
const DEVICE_LAUNCH: u64 = 4;
const PRIORITIES: u64 = 8;

/// A flag that gives priorities changes nothing. Kernels launch no graphs.
fn instantiate(exec: Out<Handle>, graph: Handle, flags: u64) -> Result<(), Error> {
    current()?;
    let process = process()?;
    let (steps, _) = steps_of(graph)?;
    let is_wrong = flags & !(AUTO_FREE | UPLOAD | DEVICE_LAUNCH | PRIORITIES) != 0
        || flags & (AUTO_FREE | DEVICE_LAUNCH) == AUTO_FREE | DEVICE_LAUNCH;
    if exec.is_null() || is_wrong {
        return Err(Error::INVALID_VALUE);
    }
    if flags & DEVICE_LAUNCH != 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    let is_run = steps.iter().any(|step| step.task.is_run(process));
    exec.put(process.graph_execs.insert(GraphExec {
        id: process.new_id(),
        flags,
        steps: Mutex::new(Arc::new(steps)),
        launches: AtomicU64::new(0),
        last: Mutex::default(),
        is_run,
    }))
}

/// `CUDA_GRAPH_INSTANTIATE_PARAMS`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Parameters {
    flags: u64,
    stream: Handle,
    failed_node: Handle,
    result: c_int,
}

driver! {
    fn cuGraphInstantiateWithFlags(exec: Out<Handle>, graph: Handle, flags: u64) {
        instantiate(exec, graph, flags)
    }

    /// The form of CUDA 11.
    fn cuGraphInstantiate_v2(exec: Out<Handle>, graph: Handle, node: Out<Handle>, log: Out<c_char>, room: usize) {
        node.put_if_asked(Handle::NULL);
        if !log.is_null() && room > 0 {
            log.put_text("", room)?;
        }
        instantiate(exec, graph, 0)
    }

    /// An upload that is asked for has nothing to prepare.
    fn cuGraphInstantiateWithParams[ptsz](exec: Out<Handle>, graph: Handle, parameters: InOut<Parameters>) {
        let given = parameters.at(0)?;
        let made = instantiate(exec, graph, given.flags);
        let result = c_int::from(made.is_err());
        parameters.put_at(0, Parameters { failed_node: Handle::NULL, result, ..given })?;
        made
    }

    fn cuGraphExecGetFlags(exec: Handle, flags: Out<u64>) {
        flags.put(find(exec)?.flags)
    }

    /// A launch waits for those before of the same graph, on whatever stream.
    fn cuGraphLaunch[ptsz](exec: Handle, stream: Handle) {
        find(exec)?.launch(process()?, stream)
    }

    /// There is nothing to prepare.
    fn cuGraphUpload[ptsz](exec: Handle, stream: Handle) {
        find(exec)?;
        stream::find(stream).map(|_| ())
    }

    /// Launches that are queued run all the same.
    fn cuGraphExecDestroy(exec: Handle) {
        process()?.graph_execs.remove(exec).map(drop).ok_or(Error::INVALID_HANDLE)
    }
}
