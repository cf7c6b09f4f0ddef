//! Kinds of nodes beside those that work: graphs in graphs, and events. Nodes by their number.

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{Gate, context, increment, loaded};
use crate::graphs::{Graph, memory, synchronize, with_parameters, words};

const SUCCESS: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

fn count(graph: sys::CUgraph) -> usize {
    let mut count = 0;
    // SAFETY: a graph, and a place for the result.
    assert_eq!(unsafe { sys::cuGraphGetNodes(graph, std::ptr::null_mut(), &raw mut count) }, SUCCESS);
    count
}

impl Graph {
    fn child(&self, after: &[sys::CUgraphNode], child: &Self) -> Result<sys::CUgraphNode, CUresult> {
        // SAFETY: a place for the node, and graphs.
        self.add(|node, graph| unsafe {
            sys::cuGraphAddChildGraphNode(node, graph, after.as_ptr(), after.len(), child.0)
        })
    }

    fn record(&self, after: &[sys::CUgraphNode], event: sys::CUevent) -> sys::CUgraphNode {
        // SAFETY: a place for the node, a graph and an event.
        let added = self.add(|node, graph| unsafe {
            sys::cuGraphAddEventRecordNode(node, graph, after.as_ptr(), after.len(), event)
        });
        added.expect("added")
    }

    fn wait(&self, event: sys::CUevent) -> sys::CUgraphNode {
        // SAFETY: a place for the node, a graph and an event.
        let added = self.add(|node, graph| unsafe {
            sys::cuGraphAddEventWaitNode(node, graph, std::ptr::null(), 0, event)
        });
        added.expect("added")
    }
}

#[test]
fn graphs_run_in_nodes_of_others() {
    alone("graph_kinds::graphs_run_in_nodes_of_others", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let (function, x, y) = (loaded(&increment()), memory(1), memory(1));
        let inner = Graph::new();
        let first = inner.kernel(&[], function, x).expect("added");
        inner.kernel(&[first], function, x).expect("added");
        let middle = Graph::new();
        middle.child(&[], &inner).expect("added");
        inner.kernel(&[], function, y).expect("added: it changes nothing");
        let outer = Graph::new();
        assert_eq!(outer.set(&[], x, 5, 4, 1), SUCCESS);
        let mut set = std::ptr::null_mut();
        let mut one = 1;
        let mut own = std::ptr::null_mut();
        // SAFETY: places for the results.
        unsafe { sys::cuGraphGetNodes(outer.0, &raw mut set, &raw mut one) }.result().expect("one node");
        let child = outer.child(&[set], &middle).expect("added");
        outer.copy(&[child], y, x, 4).expect("added");
        // SAFETY: a node, and a place for its graph.
        unsafe { sys::cuGraphChildGraphNodeGetGraph(child, &raw mut own) }.result().expect("it has one");
        assert_eq!(count(own), 1);
        // SAFETY: a graph of a node.
        assert_eq!(unsafe { sys::cuGraphDestroy(own) }, INVALID, "the node's");
        let exec = outer.instantiate();
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        for _ in 0..2 {
            exec.launch(stream.cu_stream());
            assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
            assert_eq!((words(x, 1), words(y, 1)), (vec![7], vec![7]));
        }
        let other = Graph::new();
        let of_other = other.child(&[], &inner).expect("added");
        // SAFETY: graphs and nodes.
        unsafe {
            let changed = sys::cuGraphExecChildGraphNodeSetParams(exec.0, child, other.0);
            assert_eq!(changed, INVALID, "it has three kernels");
            sys::cuGraphDestroyNode(of_other).result().expect("there");
        }
        let shorter = Graph::new();
        let first = shorter.kernel(&[], function, y).expect("added");
        shorter.kernel(&[first], function, y).expect("added");
        let other = Graph::new();
        other.child(&[], &shorter).expect("added");
        // SAFETY: a graph and a node.
        let changed = unsafe { sys::cuGraphExecChildGraphNodeSetParams(exec.0, child, other.0) };
        assert_eq!(changed, SUCCESS);
        exec.launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!(words(x, 1), [5], "the others are incremented");
    });
}

#[test]
fn nodes_record_events_and_wait_for_them() {
    alone("graph_kinds::nodes_record_events_and_wait_for_them", &[], || {
        let context = context();
        let (first, second) = (context.new_stream().expect("one"), context.new_stream().expect("two"));
        let (first, second) = (first.cu_stream(), second.cu_stream());
        let (function, x) = (loaded(&increment()), memory(1));
        let timed = || result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).expect("an event");
        let (start, end, before) = (timed(), timed(), timed());
        let graph = Graph::new();
        let waits = graph.wait(before);
        let started = graph.record(&[waits], start);
        let kernel = graph.kernel(&[started], function, x).expect("added");
        let ended = graph.record(&[kernel], end);
        let (mut of_wait, mut of_record) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: nodes, and places for their events.
        unsafe {
            sys::cuGraphEventWaitNodeGetEvent(waits, &raw mut of_wait).result().expect("of a wait");
            sys::cuGraphEventRecordNodeGetEvent(ended, &raw mut of_record).result().expect("of a record");
            assert_eq!(sys::cuGraphEventRecordNodeGetEvent(waits, &raw mut of_wait), INVALID);
        }
        assert_eq!((of_wait, of_record), (before, end));
        let exec = graph.instantiate();
        let gate = Gate::close(first);
        // SAFETY: events and streams.
        unsafe {
            result::event::record(before, first).expect("queued");
            exec.launch(second);
            assert_eq!(sys::cuEventQuery(end), CUresult::CUDA_ERROR_NOT_READY);
            assert_eq!(sys::cuStreamQuery(second), CUresult::CUDA_ERROR_NOT_READY);
            gate.open();
            result::event::synchronize(end).expect("reached");
            assert!(result::event::elapsed(start, end).expect("known") >= 0.0);
        }
        assert_eq!(words(x, 1), [1]);
        // SAFETY: a graph, a node and an event.
        assert_eq!(unsafe { sys::cuGraphExecEventWaitNodeSetEvent(exec.0, waits, end) }, SUCCESS);
        exec.launch(first);
        assert_eq!(synchronize(first), SUCCESS, "the one from before");
        assert_eq!(words(x, 1), [2]);
    });
}

#[test]
fn nodes_are_added_and_changed_by_the_number_of_their_kind() {
    // `CUgraphNodeParams`, which the bindings are too old for.
    type Add = unsafe extern "C" fn(
        *mut sys::CUgraphNode,
        sys::CUgraph,
        *const sys::CUgraphNode,
        usize,
        *mut [u64; 32],
    ) -> CUresult;
    type Change = unsafe extern "C" fn(sys::CUgraphNode, *mut [u64; 32]) -> CUresult;
    type ChangeExec = unsafe extern "C" fn(sys::CUgraphExec, sys::CUgraphNode, *mut [u64; 32]) -> CUresult;
    alone("graph_kinds::nodes_are_added_and_changed_by_the_number_of_their_kind", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let (function, x, y) = (loaded(&increment()), memory(1), memory(1));
        // SAFETY: the types are those of `cuda.h`.
        let (add, get, set, set_exec) = unsafe {
            let cuda = libloading::Library::new("libcuda.so.1").expect("there");
            (
                *cuda.get::<Add>(b"cuGraphAddNode").expect("exported"),
                *cuda.get::<Change>(b"cuGraphNodeGetParams").expect("exported"),
                *cuda.get::<Change>(b"cuGraphNodeSetParams").expect("exported"),
                *cuda.get::<ChangeExec>(b"cuGraphExecNodeSetParams").expect("exported"),
            )
        };
        let mut of_set = [0; 32];
        (of_set[0], of_set[2], of_set[4], of_set[6]) = (2, x, 4 << 32 | 9, 1);
        of_set[5] = 1;
        let graph = Graph::new();
        // SAFETY: places for the nodes, and parameters of the kind that they say.
        let added =
            graph.add(|node, graph| unsafe { add(node, graph, std::ptr::null(), 0, &raw mut of_set) });
        let first = added.expect("added");
        let second = with_parameters(function, 1, x, |kernel| {
            let mut parameters = [0; 32];
            // SAFETY: the structure has nine words, of which two addresses are the caller's.
            let words = unsafe { kernel.cast::<[u64; 9]>().read() };
            parameters[2..11].copy_from_slice(&words);
            // SAFETY: a place for the node, a graph with the other, and parameters of the kind that they say.
            graph.add(|node, graph| unsafe { add(node, graph, [first].as_ptr(), 1, &raw mut parameters) })
        });
        let second = second.expect("added");
        let mut parameters = [0; 32];
        // SAFETY: nodes, and places for as much as the largest kind has.
        unsafe {
            get(first, &raw mut parameters).result().expect("known");
            assert_eq!(parameters[..7], of_set[..7]);
            get(second, &raw mut parameters).result().expect("known");
            assert_eq!(parameters[2], function.expose_provenance() as u64);
            assert_eq!(set(first, &raw mut parameters), INVALID, "of another kind");
            of_set[2] = y;
            set(first, &raw mut of_set).result().expect("changed");
            let mut unknown = [77; 32];
            assert_eq!(set(first, &raw mut unknown), INVALID);
        }
        let exec = graph.instantiate();
        exec.launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!((words(x, 1), words(y, 1)), (vec![1], vec![9]));
        of_set[4] = 4 << 32 | 8;
        // SAFETY: a graph, a node, and parameters of its kind.
        unsafe { set_exec(exec.0, first, &raw mut of_set) }.result().expect("changed");
        exec.launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!((words(x, 1), words(y, 1)), (vec![2], vec![8]));
    });
}

#[test]
fn external_events_of_a_capture_are_nodes() {
    alone("graph_kinds::external_events_of_a_capture_are_nodes", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let stream = stream.cu_stream();
        let event = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).expect("an event");
        let mut graph = std::ptr::null_mut();
        // SAFETY: a stream, an event, and a place for the graph.
        unsafe {
            let mode = sys::CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL;
            sys::cuStreamBeginCapture_v2(stream, mode).result().expect("begun");
            sys::cuStreamWaitEvent(stream, event, 1).result().expect("captured");
            sys::cuEventRecordWithFlags(event, stream, 1).result().expect("captured");
            sys::cuStreamEndCapture(stream, &raw mut graph).result().expect("a graph");
            assert_eq!(sys::cuEventQuery(event), SUCCESS, "it isn't of the capture");
        }
        assert_eq!(count(graph), 2);
        let exec = Graph(graph).instantiate();
        exec.launch(stream);
        // SAFETY: an event.
        unsafe { result::event::synchronize(event) }.expect("reached");
    });
}
