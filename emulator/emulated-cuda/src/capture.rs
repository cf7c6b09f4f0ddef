//! Captures: calls that begin and end them, and what these tell.

use std::ffi::c_int;
use std::sync::Arc;

use crate::abi::{In, InOut, Out};
use crate::context::Cuda;
use crate::error::Error;
use crate::graph_nodes::{self, GRAPHS, Graph};
use crate::locks::lock;
use crate::registry::Handle;
use crate::shared::capture::{Capture, Mode, State, exchange_interaction};
use crate::shared::graph;
use crate::stream::{Stream, find};

/// Whether all that streams have is before what the first one has.
fn is_joined(capture: &Capture, state: &State, graph: &Graph) -> bool {
    let nodes = lock(&graph.nodes);
    let place = |handle: &Handle| nodes.iter().position(|node| node.handle == *handle);
    let mut open: Vec<usize> =
        state.ends.get(&capture.origin).into_iter().flatten().filter_map(place).collect();
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

/// The graph, or why there is none. The capture is over either way, unless the call comes from a wrong place.
fn end(stream: &Stream) -> Result<Handle, Error> {
    let capture = captured(stream)?;
    capture.end(stream.id)?;
    let state = capture.state();
    let failure = if state.is_invalid {
        Some(Error::STREAM_CAPTURE_INVALIDATED)
    } else if is_joined(&capture, &state, &*graph_nodes::find(capture.graph)?) {
        None
    } else {
        Some(Error::STREAM_CAPTURE_UNJOINED)
    };
    match failure {
        None => Ok(capture.graph),
        Some(error) => {
            graph::destroy::<Cuda>(capture.graph);
            Err(error)
        }
    }
}

fn captured(stream: &Stream) -> Result<Arc<Capture>, Error> {
    stream.captured().ok_or(Error::ILLEGAL_STATE)
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
    let Some(capture) = stream.captured() else { return status.put(NONE) };
    let mut state = capture.state();
    if state.is_invalid {
        return status.put(INVALID);
    }
    status.put(GOES_ON)?;
    id.put_if_asked(capture.id);
    graph.put_if_asked(capture.graph);
    let ends: Box<[Handle]> = state.ends.get(&stream.id).cloned().unwrap_or_default().into();
    count.put_if_asked(ends.len());
    edges.put_if_asked(std::ptr::null());
    nodes.put_if_asked(ends.as_ptr());
    state.told.insert(stream.id, ends);
    Ok(())
}

/// Adds nodes that the next one comes after, or says all of them.
fn update(stream: Handle, nodes: In<Handle>, count: usize, flags: u32) -> Result<(), Error> {
    const ADD: u32 = 0;
    const SET: u32 = 1;
    let stream = find(stream)?;
    let capture = captured(&stream)?;
    let graph = graph_nodes::find(capture.graph)?;
    let named = (0..count).map(|index| nodes.at(index)).collect::<Result<Vec<_>, _>>()?;
    let known = lock(&graph.nodes);
    if flags > SET || !named.iter().all(|named| known.iter().any(|node| node.handle == *named)) {
        return Err(Error::INVALID_VALUE);
    }
    let mut state = capture.valid()?;
    let ends = state.ends.entry(stream.id).or_default();
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
        find(stream)?.capture(Mode::new(mode)?, || GRAPHS.insert(Graph::new(false)))
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
        mode.put_at(0, exchange_interaction(new) as c_int)
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
