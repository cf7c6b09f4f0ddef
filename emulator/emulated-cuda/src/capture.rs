//! Capture: what streams are given becomes nodes of a graph, in place of being run.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use crate::abi::{In, InOut, Out};
use crate::context::Context;
use crate::error::Error;
use crate::graph_nodes::{self, Graph, Task};
use crate::locks::lock;
use crate::process::process;
use crate::registry::Handle;
use crate::stream::{Stream, find};

/// Which calls that may wait for more than the stream are refused meanwhile, and in which threads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// In all.
    Global,
    /// In the one that began.
    OfThread,
    /// In none. Any thread may end the capture.
    Relaxed,
}

impl Mode {
    fn new(number: c_int) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Global),
            1 => Ok(Self::OfThread),
            2 => Ok(Self::Relaxed),
            _ => Err(Error::INVALID_VALUE),
        }
    }
}

pub(crate) struct Capture {
    id: u64,
    pub(crate) graph: Handle,
    context: &'static Context,
    /// The stream where it began, by its number.
    origin: u64,
    mode: Mode,
    thread: ThreadId,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_invalid: bool,
    /// The nodes that what comes next in each stream comes after, by the stream's number.
    ends: HashMap<u64, Vec<Handle>>,
    /// What callers were told of: it stays where it is until the next call.
    told: HashMap<u64, Box<[Handle]>>,
    members: Vec<Arc<Stream>>,
}

/// The captures that go on.
static ACTIVE: Mutex<Vec<Arc<Capture>>> = Mutex::new(Vec::new());
/// How many there are, so that calls need no lock where there is none.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// One of those that go on.
fn active(is_it: impl Fn(&Capture) -> bool) -> Option<Arc<Capture>> {
    if COUNT.load(Ordering::Acquire) == 0 {
        return None;
    }
    lock(&ACTIVE).iter().find(|capture| is_it(capture)).cloned()
}

thread_local! {
    /// What this thread lets calls do that may be unsafe.
    static INTERACTION: Cell<Mode> = const { Cell::new(Mode::Global) };
}

impl Capture {
    /// Adds a node behind what its stream has.
    pub(crate) fn add(&self, stream: &Stream, task: Task) -> Result<(), Error> {
        let mut state = self.valid()?;
        let after = state.ends.get(&stream.id()).cloned().unwrap_or_default();
        let node = graph_nodes::insert(self.graph, &after, task)?;
        state.ends.insert(stream.id(), vec![node]);
        Ok(())
    }

    /// Ends it for a call that can't be captured.
    pub(crate) fn refuse(&self, error: Error) -> Error {
        lock(&self.state).is_invalid = true;
        error
    }

    fn valid(&self) -> Result<std::sync::MutexGuard<'_, State>, Error> {
        let state = lock(&self.state);
        if state.is_invalid { Err(Error::STREAM_CAPTURE_INVALIDATED) } else { Ok(state) }
    }

    /// What the next node of a stream will come after.
    pub(crate) fn ends_of(&self, stream: &Stream) -> Result<Vec<Handle>, Error> {
        Ok(self.valid()?.ends.get(&stream.id()).cloned().unwrap_or_default())
    }

    /// A stream that waits for an event of the capture: it takes part from then on.
    pub(crate) fn join(self: &Arc<Self>, stream: &Arc<Stream>, after: &[Handle]) -> Result<(), Error> {
        let mut of_stream = lock(&stream.capture);
        if let Some(other) = of_stream.as_ref().filter(|other| !Arc::ptr_eq(other, self)) {
            return Err(other.refuse(self.refuse(Error::STREAM_CAPTURE_MERGE)));
        }
        let mut state = self.valid()?;
        let ends = state.ends.entry(stream.id()).or_default();
        for node in after {
            if !ends.contains(node) {
                ends.push(*node);
            }
        }
        if of_stream.is_none() {
            state.members.push(Arc::clone(stream));
            *of_stream = Some(Arc::clone(self));
        }
        Ok(())
    }

    /// Whether all that streams have is before what the first one has.
    fn is_joined(&self, state: &State, graph: &Graph) -> bool {
        let nodes = lock(&graph.nodes);
        let place = |handle: &Handle| nodes.iter().position(|node| node.handle == *handle);
        let mut open: Vec<usize> =
            state.ends.get(&self.origin).into_iter().flatten().filter_map(place).collect();
        let mut is_before = vec![false; nodes.len()];
        while let Some(node) = open.pop() {
            if let Some(seen @ false) = is_before.get_mut(node) {
                *seen = true;
                open.extend(nodes.get(node).into_iter().flat_map(|node| node.after.iter().copied()));
            }
        }
        let mut ends = state.ends.values().flatten().filter_map(place);
        ends.all(|node| is_before.get(node) == Some(&true))
    }
}

/// For a use of the default stream, which would wait for streams that are captured.
pub(crate) fn refuse_default(context: &Context) -> Result<(), Error> {
    let of_context = active(|capture| capture.context.is(context));
    of_context.map_or(Ok(()), |capture| Err(capture.refuse(Error::STREAM_CAPTURE_IMPLICIT)))
}

/// For a wait for all of a context's streams.
pub(crate) fn refuse_waiting(context: &Context) -> Result<(), Error> {
    let of_context = active(|capture| capture.context.is(context));
    of_context.map_or(Ok(()), |capture| Err(capture.refuse(Error::STREAM_CAPTURE_UNSUPPORTED)))
}

/// For a call that may wait for more than a stream, as one that allocates memory.
pub(crate) fn refuse_unsafe() -> Result<(), Error> {
    let interaction = INTERACTION.get();
    if interaction == Mode::Relaxed {
        return Ok(());
    }
    let own = thread::current().id();
    let is_in_the_way = |capture: &Capture| match capture.mode {
        Mode::Relaxed => false,
        Mode::OfThread => capture.thread == own,
        Mode::Global => capture.thread == own || interaction == Mode::Global,
    };
    active(is_in_the_way).map_or(Ok(()), |capture| Err(capture.refuse(Error::STREAM_CAPTURE_UNSUPPORTED)))
}

fn begin(stream: &Arc<Stream>, mode: Mode) -> Result<(), Error> {
    let process = process()?;
    let mut of_stream = lock(&stream.capture);
    if of_stream.is_some() {
        return Err(Error::ILLEGAL_STATE);
    }
    if stream.is_legacy() {
        return Err(Error::STREAM_CAPTURE_UNSUPPORTED);
    }
    let capture = Arc::new(Capture {
        id: process.new_id(),
        graph: process.graphs.insert(Graph::default()),
        context: stream.context,
        origin: stream.id(),
        mode,
        thread: thread::current().id(),
        state: Mutex::default(),
    });
    let mut state = lock(&capture.state);
    state.ends.insert(stream.id(), Vec::new());
    state.members.push(Arc::clone(stream));
    drop(state);
    let mut active = lock(&ACTIVE);
    active.push(Arc::clone(&capture));
    COUNT.store(active.len(), Ordering::Release);
    *of_stream = Some(capture);
    Ok(())
}

/// The graph, or why there is none. The capture is over either way, unless the call comes from a wrong place.
fn end(stream: &Stream) -> Result<Handle, Error> {
    let process = process()?;
    let capture = lock(&stream.capture).clone().ok_or(Error::ILLEGAL_STATE)?;
    if capture.origin != stream.id() {
        return Err(Error::STREAM_CAPTURE_UNMATCHED);
    }
    if capture.mode != Mode::Relaxed && capture.thread != thread::current().id() {
        return Err(Error::STREAM_CAPTURE_WRONG_THREAD);
    }
    let mut active = lock(&ACTIVE);
    active.retain(|active| !Arc::ptr_eq(active, &capture));
    COUNT.store(active.len(), Ordering::Release);
    drop(active);
    let mut state = lock(&capture.state);
    for member in state.members.drain(..) {
        lock(&member.capture).take();
    }
    let graph = graph_nodes::find(capture.graph)?;
    let failure = if state.is_invalid {
        Some(Error::STREAM_CAPTURE_INVALIDATED)
    } else if capture.is_joined(&state, &graph) {
        None
    } else {
        Some(Error::STREAM_CAPTURE_UNJOINED)
    };
    match failure {
        None => Ok(capture.graph),
        Some(error) => {
            graph_nodes::destroy(process, capture.graph);
            Err(error)
        }
    }
}

const NONE: c_int = 0;
const GOES_ON: c_int = 1;
const INVALID: c_int = 2;

/// Writes what is known of a stream's capture where the caller asked for it.
fn tell(
    stream: Handle,
    status: Out<c_int>,
    id: Out<u64>,
    graph: Out<Handle>,
    nodes: Out<*const Handle>,
    edges: Out<*const u64>,
    count: Out<usize>,
) -> Result<(), Error> {
    let stream = find(stream)?;
    let Some(capture) = lock(&stream.capture).clone() else { return status.put(NONE) };
    let mut state = lock(&capture.state);
    if state.is_invalid {
        return status.put(INVALID);
    }
    status.put(GOES_ON)?;
    id.put_if_asked(capture.id);
    graph.put_if_asked(capture.graph);
    let ends: Box<[Handle]> = state.ends.get(&stream.id()).cloned().unwrap_or_default().into();
    count.put_if_asked(ends.len());
    edges.put_if_asked(std::ptr::null());
    nodes.put_if_asked(ends.as_ptr());
    state.told.insert(stream.id(), ends);
    Ok(())
}

/// Adds nodes that the next one comes after, or says all of them.
fn update(stream: Handle, nodes: In<Handle>, count: usize, flags: u32) -> Result<(), Error> {
    const ADD: u32 = 0;
    const SET: u32 = 1;
    let stream = find(stream)?;
    let capture = lock(&stream.capture).clone().ok_or(Error::ILLEGAL_STATE)?;
    let graph = graph_nodes::find(capture.graph)?;
    let named = (0..count).map(|index| nodes.at(index)).collect::<Result<Vec<_>, _>>()?;
    let known = lock(&graph.nodes);
    if flags > SET || !named.iter().all(|named| known.iter().any(|node| node.handle == *named)) {
        return Err(Error::INVALID_VALUE);
    }
    let mut state = capture.valid()?;
    let ends = state.ends.entry(stream.id()).or_default();
    if flags != ADD {
        ends.clear();
    }
    for node in named {
        if !ends.contains(&node) {
            ends.push(node);
        }
    }
    Ok(())
}

driver! {
    fn cuStreamBeginCapture_v2[ptsz](stream: Handle, mode: c_int) {
        begin(&find(stream)?, Mode::new(mode)?)
    }

    /// A null graph with an error: then nothing was captured.
    fn cuStreamEndCapture[ptsz](stream: Handle, graph: Out<Handle>) {
        let stream = find(stream)?;
        graph.put(Handle::NULL)?;
        graph.put(end(&stream)?)
    }

    fn cuStreamIsCapturing[ptsz](stream: Handle, status: Out<c_int>) {
        let Untold { id, graph, nodes, edges, count } = Untold::default();
        tell(stream, status, id, graph, nodes, edges, count)
    }

    fn cuStreamGetCaptureInfo[ptsz](stream: Handle, status: Out<c_int>, id: Out<u64>) {
        let Untold { graph, nodes, edges, count, .. } = Untold::default();
        tell(stream, status, id, graph, nodes, edges, count)
    }

    /// The array of nodes is there until the next such call for the stream.
    fn cuStreamGetCaptureInfo_v2[ptsz](
        stream: Handle,
        status: Out<c_int>,
        id: Out<u64>,
        graph: Out<Handle>,
        nodes: Out<*const Handle>,
        count: Out<usize>,
    ) {
        tell(stream, status, id, graph, nodes, Untold::default().edges, count)
    }

    /// The array of nodes is there until the next such call for the stream. Edges have no data.
    fn cuStreamGetCaptureInfo_v3[ptsz](
        stream: Handle,
        status: Out<c_int>,
        id: Out<u64>,
        graph: Out<Handle>,
        nodes: Out<*const Handle>,
        edges: Out<*const u64>,
        count: Out<usize>,
    ) {
        tell(stream, status, id, graph, nodes, edges, count)
    }

    fn cuStreamUpdateCaptureDependencies[ptsz](stream: Handle, nodes: In<Handle>, count: usize, flags: u32) {
        update(stream, nodes, count, flags)
    }

    /// Edges have no data.
    fn cuStreamUpdateCaptureDependencies_v2[ptsz](
        stream: Handle,
        nodes: In<Handle>,
        edges: In<u64>,
        count: usize,
        flags: u32,
    ) {
        graph_nodes::refuse_edge_data(edges, count)?;
        update(stream, nodes, count, flags)
    }

    /// Says which calls this thread lets through while others capture, and gives back what it said before.
    fn cuThreadExchangeStreamCaptureMode(mode: InOut<c_int>) {
        let new = Mode::new(mode.at(0)?)?;
        mode.put_at(0, INTERACTION.replace(new) as c_int)
    }
}

/// Places where nothing is written.
struct Untold {
    id: Out<u64>,
    graph: Out<Handle>,
    nodes: Out<*const Handle>,
    edges: Out<*const u64>,
    count: Out<usize>,
}

impl Default for Untold {
    fn default() -> Self {
        Self { id: Out::NULL, graph: Out::NULL, nodes: Out::NULL, edges: Out::NULL, count: Out::NULL }
    }
}
