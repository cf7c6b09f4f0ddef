//! Graphs that are changed: nodes before a graph is instantiated, and after it.

use std::ffi::{CString, c_void};
use std::sync::Mutex;

use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{context, increment, loaded};
use crate::graphs::{Exec, Graph, Said, memory, synchronize, with_parameters, words};

const SUCCESS: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

fn update(exec: &Exec, graph: &Graph) -> (CUresult, u32, sys::CUgraphNode) {
    let null = std::ptr::null_mut();
    let result = sys::CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_SUCCESS;
    let mut info = sys::CUgraphExecUpdateResultInfo { result, errorNode: null, errorFromNode: null };
    // SAFETY: graphs, and a place for the result.
    let answer = unsafe { sys::cuGraphExecUpdate_v2(exec.0, graph.0, &raw mut info) };
    (answer, info.result as u32, info.errorNode)
}

fn set_parameters(to: u64, value: u32) -> sys::CUDA_MEMSET_NODE_PARAMS {
    sys::CUDA_MEMSET_NODE_PARAMS { dst: to, pitch: 4, value, elementSize: 4, width: 1, height: 1 }
}

/// The last node.
fn last(graph: &Graph) -> sys::CUgraphNode {
    let mut nodes = [std::ptr::null_mut(); 8];
    let mut count = nodes.len();
    // SAFETY: a graph, and a place for as many nodes as is said.
    assert_eq!(unsafe { sys::cuGraphGetNodes(graph.0, nodes.as_mut_ptr(), &raw mut count) }, SUCCESS);
    nodes[count - 1]
}

#[test]
fn nodes_tell_what_they_are_made_of_and_are_changed() {
    alone("graph_changes::nodes_tell_what_they_are_made_of_and_are_changed", &[], || {
        static BY: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
        static ONE: Said = Said { what: "one", by: &BY };
        static OTHER: Said = Said { what: "other", by: &BY };
        let context = context();
        let stream = context.new_stream().expect("one");
        let (function, x, y) = (loaded(&increment()), memory(1), memory(4));
        let graph = Graph::new();
        let kernel = graph.kernel(&[], function, x).expect("added");
        assert_eq!(graph.set(&[], x, 1, 4, 1), SUCCESS);
        let set = last(&graph);
        let copy = graph.copy(&[kernel], y + 12, x, 4).expect("added");
        let host = graph.host(&[], &ONE);
        // SAFETY: nodes, and places for what they are made of.
        unsafe {
            let mut of_kernel = std::mem::zeroed::<sys::CUDA_KERNEL_NODE_PARAMS>();
            sys::cuGraphKernelNodeGetParams_v2(kernel, &raw mut of_kernel).result().expect("a kernel's");
            assert_eq!((of_kernel.func, of_kernel.blockDimX), (function, 1));
            assert_eq!(**of_kernel.kernelParams.cast::<*const u64>(), x);
            let mut of_set = set_parameters(0, 0);
            assert_eq!(sys::cuGraphMemsetNodeGetParams(kernel, &raw mut of_set), INVALID, "of another kind");
            sys::cuGraphMemsetNodeGetParams(set, &raw mut of_set).result().expect("of memory that is set");
            assert_eq!((of_set.dst, of_set.value, of_set.width), (x, 1, 1));
            let mut of_copy = std::mem::MaybeUninit::<sys::CUDA_MEMCPY3D>::uninit();
            sys::cuGraphMemcpyNodeGetParams(copy, of_copy.as_mut_ptr()).result().expect("a copy's");
            let mut of_copy = of_copy.assume_init();
            assert_eq!((of_copy.dstDevice, of_copy.srcDevice, of_copy.WidthInBytes), (y + 12, x, 4));
            let mut of_host = std::mem::zeroed::<sys::CUDA_HOST_NODE_PARAMS>();
            sys::cuGraphHostNodeGetParams(host, &raw mut of_host).result().expect("a function's");
            assert_eq!(of_host.userData, (&raw const ONE).cast_mut().cast::<c_void>());

            let on_y = with_parameters(function, 1, y, |new| sys::cuGraphKernelNodeSetParams_v2(kernel, new));
            assert_eq!(on_y, SUCCESS);
            let wrong =
                with_parameters(function, 2048, y, |new| sys::cuGraphKernelNodeSetParams_v2(kernel, new));
            assert_eq!(wrong, INVALID);
            let new = set_parameters(y + 4, 6);
            sys::cuGraphMemsetNodeSetParams(set, &raw const new).result().expect("set");
            (of_copy.srcDevice, of_copy.dstDevice) = (y, y + 8);
            sys::cuGraphMemcpyNodeSetParams(copy, &raw const of_copy).result().expect("set");
            of_host.userData = (&raw const OTHER).cast_mut().cast::<c_void>();
            sys::cuGraphHostNodeSetParams(host, &raw const of_host).result().expect("set");
        }
        graph.instantiate().launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!((words(x, 1), words(y, 4)), (vec![0], vec![1, 6, 1, 0]));
        assert_eq!(*BY.lock().expect("nobody panics"), ["other"]);
    });
}

#[test]
fn a_graph_takes_the_place_of_one_with_the_same_edges() {
    alone("graph_changes::a_graph_takes_the_place_of_one_with_the_same_edges", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let (function, x, y) = (loaded(&increment()), memory(1), memory(1));
        let built = |address: u64, value: u32| {
            let graph = Graph::new();
            assert_eq!(graph.set(&[], address, value, 4, 1), SUCCESS);
            let first = last(&graph);
            let second = graph.kernel(&[first], function, address).expect("added");
            (graph, first, second)
        };
        let (graph, ..) = built(x, 1);
        let exec = graph.instantiate();
        assert_eq!(update(&exec, &built(y, 5).0), (SUCCESS, 0, std::ptr::null_mut()));
        exec.launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!((words(x, 1), words(y, 1)), (vec![0], vec![6]));
        let failed = CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
        let (longer, _, second) = built(x, 1);
        longer.kernel(&[second], function, x).expect("added");
        assert_eq!((update(&exec, &longer).0, update(&exec, &longer).1), (failed, 2), "another node");
        let (apart, first, second) = built(x, 1);
        // SAFETY: nodes of the graph.
        unsafe {
            let removed = sys::cuGraphRemoveDependencies(apart.0, &raw const first, &raw const second, 1);
            assert_eq!(removed, SUCCESS);
        }
        assert_eq!(update(&exec, &apart), (failed, 2, second), "without the edge");
        let kinds = Graph::new();
        let kernel = kinds.kernel(&[], function, x).expect("added");
        kinds.kernel(&[kernel], function, x).expect("added");
        assert_eq!(update(&exec, &kinds), (failed, 3, kernel), "of another kind");
        exec.launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!((words(x, 1), words(y, 1)), (vec![0], vec![6]), "as before");
    });
}

#[test]
fn nodes_are_disabled_and_changed_for_launches_to_come() {
    alone("graph_changes::nodes_are_disabled_and_changed_for_launches_to_come", &[], || {
        static BY: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
        static ONE: Said = Said { what: "one", by: &BY };
        let context = context();
        let stream = context.new_stream().expect("one");
        let (function, x, y) = (loaded(&increment()), memory(1), memory(1));
        let graph = Graph::new();
        let kernel = graph.kernel(&[], function, x).expect("added");
        assert_eq!(graph.set(&[kernel], y, 3, 4, 1), SUCCESS);
        let set = last(&graph);
        let host = graph.host(&[set], &ONE);
        let exec = graph.instantiate();
        let enable = |node, is_enabled| {
            // SAFETY: a graph and a node.
            unsafe { sys::cuGraphNodeSetEnabled(exec.0, node, is_enabled) }
        };
        assert_eq!((enable(kernel, 0), enable(host, 0)), (SUCCESS, INVALID));
        let mut is_enabled = 7;
        let null = std::ptr::null_mut();
        let new = set_parameters(y, 4);
        // SAFETY: a graph and its nodes, and a place for the result.
        unsafe {
            sys::cuGraphNodeGetEnabled(exec.0, kernel, &raw mut is_enabled).result().expect("known");
            let changed = sys::cuGraphExecMemsetNodeSetParams(exec.0, set, &raw const new, null);
            assert_eq!((is_enabled, changed), (0, SUCCESS));
            let other = sys::cuGraphExecMemsetNodeSetParams(exec.0, kernel, &raw const new, null);
            assert_eq!(other, INVALID, "of another kind");
        }
        exec.launch(stream.cu_stream());
        assert_eq!(enable(kernel, 1), SUCCESS);
        exec.launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!((words(x, 1), words(y, 1)), (vec![1], vec![4]));
        assert_eq!(*BY.lock().expect("nobody panics"), ["one", "one"]);
    });
}

#[test]
fn clones_have_nodes_of_their_own() {
    alone("graph_changes::clones_have_nodes_of_their_own", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let (function, x) = (loaded(&increment()), memory(1));
        let inner = Graph::new();
        let first = inner.kernel(&[], function, x).expect("added");
        inner.kernel(&[first], function, x).expect("added");
        let graph = Graph::new();
        // SAFETY: a place for the node, and graphs.
        let child = graph.add(|node, graph| unsafe {
            sys::cuGraphAddChildGraphNode(node, graph, std::ptr::null(), 0, inner.0)
        });
        let child = child.expect("added");
        let mut clone = std::ptr::null_mut();
        let mut node = std::ptr::null_mut();
        // SAFETY: graphs and nodes, and places for the results.
        unsafe {
            sys::cuGraphClone(&raw mut clone, graph.0).result().expect("a clone");
            sys::cuGraphNodeFindInClone(&raw mut node, child, clone).result().expect("its node");
            assert_ne!(node, child);
            let absent = sys::cuGraphNodeFindInClone(&raw mut node, first, clone);
            assert_eq!(absent, INVALID);
            sys::cuGraphDestroy(graph.0).result().expect("destroyed");
        }
        Graph(clone).instantiate().launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!(words(x, 1), [2]);
    });
}

#[test]
fn wrong_flags_are_refused_and_graphs_are_printed() {
    alone("graph_changes::wrong_flags_are_refused_and_graphs_are_printed", &[], || {
        let _context = context();
        let graph = Graph::new();
        let kernel = graph.kernel(&[], loaded(&increment()), memory(1)).expect("added");
        assert_eq!(graph.set(&[kernel], memory(1), 3, 4, 1), SUCCESS);
        let mut exec = std::ptr::null_mut();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("graph.dot");
        let text = CString::new(path.to_str().expect("text")).expect("no zeros");
        // SAFETY: a graph, a place for the result, and a path with a zero behind it.
        unsafe {
            let mut instantiate = |flags| sys::cuGraphInstantiateWithFlags(&raw mut exec, graph.0, flags);
            assert_eq!(instantiate(1 | 4), INVALID, "both can't be");
            assert_eq!(instantiate(64), INVALID);
            assert_eq!(instantiate(4), CUresult::CUDA_ERROR_NOT_SUPPORTED);
            assert_eq!(instantiate(1), SUCCESS);
            let mut flags = 9;
            sys::cuGraphExecGetFlags(exec, &raw mut flags).result().expect("known");
            assert_eq!(flags, 1);
            sys::cuGraphDebugDotPrint(graph.0, text.as_ptr(), 0).result().expect("written");
        }
        let said = std::fs::read_to_string(path).expect("written");
        assert!(said.starts_with("digraph") && said.contains("KERNEL k"), "{said}");
        assert!(said.contains("\"graph_node_0\" -> \"graph_node_1\""), "{said}");
    });
}
