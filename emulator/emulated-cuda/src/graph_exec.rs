//! Graphs as they run. Nodes run one at a time, in any order that their dependencies allow, a different one for each launch
//! and the same in each run of the program: a dependency that is missing shows.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::abi::{In, InOut, Out};
use crate::context::current;
use crate::delay;
use crate::error::Error;
use crate::graph::KernelParameters;
use crate::graph_nodes::{self, Node, Task};
use crate::locks::lock;
use crate::process::{Process, process};
use crate::queue::{Point, Work};
use crate::registry::Handle;
use crate::stream;

pub(crate) struct GraphExec {
    id: u64,
    /// Launches have what it was when they were queued.
    nodes: Mutex<Arc<Vec<Node>>>,
    launches: AtomicU64,
    /// The last one: the next launch waits for it.
    last: Mutex<Option<Point>>,
    /// Whether there is more than kernels that aren't run.
    is_run: bool,
}

impl GraphExec {
    fn launch(self: &Arc<Self>, process: &'static Process, stream: Handle) -> Result<(), Error> {
        let stream = stream::find(stream)?;
        let nodes = Arc::clone(&lock(&self.nodes));
        let is_of_other = |node: &Node| match &node.task {
            Task::Launch(kernel) => !kernel.is_of(stream.context),
            _ => false,
        };
        if nodes.iter().any(is_of_other) {
            return Err(Error::INVALID_VALUE);
        }
        let launch = self.launches.fetch_add(1, Ordering::Relaxed);
        if !self.is_run {
            return Ok(());
        }
        let id = self.id;
        let mut last = lock(&self.last);
        let point = stream.submit_after(
            last.iter().cloned().collect(),
            Work::run(move || run(process, &nodes, id.wrapping_mul(1 << 32).wrapping_add(launch))),
        )?;
        *last = Some(point);
        Ok(())
    }
}

fn run(process: &Process, nodes: &[Node], launch: u64) -> Result<(), Error> {
    let mut is_done = vec![false; nodes.len()];
    for step in 0..nodes.len() as u64 {
        let is_ready = |place: &usize| {
            nodes.get(*place).is_some_and(|node| {
                !is_done[*place] && node.after.iter().all(|&before| is_done.get(before) == Some(&true))
            })
        };
        let ready: Vec<usize> = (0..nodes.len()).filter(is_ready).collect();
        // Nodes come after others that were added before, so that one is always ready.
        let Some(most) = ready.len().checked_sub(1) else { return Err(Error::UNKNOWN) };
        let place = ready[delay::random(launch, step) as usize % (most + 1)];
        if let Some(delay) = delay::of(launch, step, process.settings.delay) {
            thread::sleep(delay);
        }
        let task = &nodes[place].task;
        if task.is_run(process) {
            task.run(process)?;
        }
        is_done[place] = true;
    }
    Ok(())
}

fn find(exec: Handle) -> Result<Arc<GraphExec>, Error> {
    process()?.graph_execs.get(exec).ok_or(Error::INVALID_HANDLE)
}

/// Flags that free a graph's own memory or give priorities change nothing; others aren't supported.
fn instantiate(exec: Out<Handle>, graph: Handle, flags: u64) -> Result<(), Error> {
    const AUTO_FREE: u64 = 1;
    const UPLOAD: u64 = 2;
    const PRIORITIES: u64 = 8;
    current()?;
    let process = process()?;
    let nodes = lock(&graph_nodes::find(graph)?.nodes).clone();
    if exec.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    if flags & !(AUTO_FREE | UPLOAD | PRIORITIES) != 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    let is_run = nodes.iter().any(|node| node.task.is_run(process));
    exec.put(process.graph_execs.insert(GraphExec {
        id: process.new_id(),
        nodes: Mutex::new(Arc::new(nodes)),
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

    /// For launches to come: those that are queued have the parameters from before.
    fn cuGraphExecKernelNodeSetParams_v2(exec: Handle, node: Handle, parameters: In<KernelParameters>) {
        current()?;
        let exec = find(exec)?;
        let mut nodes = lock(&exec.nodes);
        let place = nodes.iter().position(|found| found.handle == node).ok_or(Error::INVALID_VALUE)?;
        let Task::Launch(before) = &nodes[place].task else { return Err(Error::INVALID_VALUE) };
        let kernel = parameters.get()?.kernel(before.attributes())?;
        if !kernel.has_context_of(before) {
            return Err(Error::INVALID_VALUE);
        }
        Arc::make_mut(&mut nodes)[place].task = Task::Launch(Arc::new(kernel));
        Ok(())
    }
}
