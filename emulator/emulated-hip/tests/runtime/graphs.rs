use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::alone::{alone, with_kernels};
use crate::hip::{Handle, INVALID_VALUE, NULL, check, download, hip, kernel, malloc, stream, upload};

/// `hipKernelNodeParams`.
#[repr(C)]
struct Kernel {
    block: [c_uint; 3],
    extra: *const c_void,
    function: Handle,
    grid: [c_uint; 3],
    arguments: *const *const c_void,
    shared: c_uint,
}

/// `hipMemsetParams`.
#[repr(C)]
struct Set {
    to: u64,
    unit: c_uint,
    height: usize,
    pitch: usize,
    value: c_uint,
    width: usize,
}

/// `hipHostNodeParams`.
#[repr(C)]
struct Host {
    function: unsafe extern "C" fn(*mut c_void),
    data: *const AtomicU32,
}

fn graph() -> Handle {
    let mut graph = NULL;
    check(hip!(hipGraphCreate(&raw mut graph => *mut Handle, 0 => c_uint)));
    graph
}

/// Adds a node by one of the functions that take its parameters by their address.
macro_rules! add {
    ($name:ident, $graph:expr, $after:expr, $parameters:expr) => {{
        let (mut node, after): (Handle, &[Handle]) = (NULL, $after);
        let parameters = $parameters;
        check(hip!($name(
            &raw mut node => *mut Handle, $graph => Handle, after.as_ptr() => *const Handle, after.len() => usize,
            (&raw const parameters).cast() => *const c_void
        )));
        node
    }};
}

fn copy(graph: Handle, after: &[Handle], to: u64, from: u64, bytes: usize) -> Handle {
    let mut node = NULL;
    check(hip!(hipGraphAddMemcpyNode1D(
        &raw mut node => *mut Handle, graph => Handle, after.as_ptr() => *const Handle, after.len() => usize,
        to => u64, from => u64, bytes => usize, 3 => c_int
    )));
    node
}

fn instantiate(graph: Handle) -> Handle {
    let mut exec = NULL;
    check(hip!(hipGraphInstantiateWithFlags(&raw mut exec => *mut Handle, graph => Handle, 0 => u64)));
    exec
}

fn run(exec: Handle, stream: Handle) {
    check(hip!(hipGraphLaunch(exec => Handle, stream => Handle)));
    check(hip!(hipStreamSynchronize(stream => Handle)));
}

unsafe extern "C" fn count(data: *mut c_void) {
    // SAFETY: the test's counter.
    unsafe { &*data.cast::<AtomicU32>() }.fetch_add(1, Ordering::Relaxed);
}

const WORD: Set = Set { to: 0, unit: 4, height: 1, pitch: 0, value: 0, width: 1 };

#[test]
fn nodes_run_behind_those_that_they_depend_on() {
    alone("graphs::nodes_run_behind_those_that_they_depend_on", &[], || {
        let (memory, calls) = (malloc(8), AtomicU32::new(0));
        let graph = graph();
        let set = add!(hipGraphAddMemsetNode, graph, &[], Set { to: memory, value: 6, ..WORD });
        let mut empty = NULL;
        check(hip!(hipGraphAddEmptyNode(
            &raw mut empty => *mut Handle, graph => Handle, &raw const set => *const Handle, 1 => usize
        )));
        let copied = copy(graph, &[empty], memory + 4, memory, 4);
        add!(hipGraphAddHostNode, graph, &[copied], Host { function: count, data: &raw const calls });
        let exec = instantiate(graph);
        // What was instantiated stays.
        check(hip!(hipGraphDestroy(graph => Handle)));
        let stream = stream();
        for _ in 0..20 {
            run(exec, stream);
            assert_eq!(download(memory, 2), [6, 6]);
            check(hip!(hipMemsetD32Async(memory => u64, 0 => c_int, 2 => usize, stream => Handle)));
        }
        assert_eq!(calls.load(Ordering::Relaxed), 20);
        check(hip!(hipGraphExecDestroy(exec => Handle)));
    });
}

#[test]
fn a_dependency_that_is_missing_shows() {
    alone("graphs::a_dependency_that_is_missing_shows", &[], || {
        let (memory, graph, stream) = (malloc(8), graph(), stream());
        add!(hipGraphAddMemsetNode, graph, &[], Set { to: memory, value: 6, ..WORD });
        copy(graph, &[], memory + 4, memory, 4);
        let exec = instantiate(graph);
        let mut seen = [false; 2];
        for _ in 0..20 {
            check(hip!(hipMemsetD32Async(memory => u64, 0 => c_int, 2 => usize, stream => Handle)));
            run(exec, stream);
            seen[usize::from(download(memory + 4, 1) == [6])] = true;
        }
        assert_eq!(seen, [true, true]);
    });
}

#[test]
fn what_no_graph_has_is_refused() {
    alone("graphs::what_no_graph_has_is_refused", &[], || {
        let (one, other, memory) = (graph(), graph(), malloc(4));
        let node = add!(hipGraphAddMemsetNode, one, &[], Set { to: memory, ..WORD });
        let mut new = NULL;
        let foreign = hip!(hipGraphAddEmptyNode(
            &raw mut new => *mut Handle, other => Handle, &raw const node => *const Handle, 1 => usize
        ));
        let beyond = Set { to: memory, width: 2, ..WORD };
        let beyond = hip!(hipGraphAddMemsetNode(
            &raw mut new => *mut Handle, one => Handle, NULL => Handle, 0 => usize, &raw const beyond => *const Set
        ));
        assert_eq!((foreign, beyond, new), (INVALID_VALUE, INVALID_VALUE, NULL));
    });
}

#[test]
fn kernels_of_graphs_have_the_arguments_of_the_last_change() {
    with_kernels("graphs::kernels_of_graphs_have_the_arguments_of_the_last_change", &[], || {
        let (memory, graph, stream) = (upload(&[1, 2]), graph(), stream());
        let count = 2_u32;
        let arguments = [(&raw const memory).cast::<c_void>(), (&raw const count).cast()];
        let parameters = |threads| Kernel {
            block: [threads, 1, 1],
            extra: std::ptr::null(),
            function: kernel("increment"),
            grid: [1, 1, 1],
            arguments: arguments.as_ptr(),
            shared: 0,
        };
        let first = add!(hipGraphAddKernelNode, graph, &[], parameters(2));
        let second = add!(hipGraphAddKernelNode, graph, &[first], parameters(2));
        let exec = instantiate(graph);
        run(exec, stream);
        assert_eq!(download(memory, 2), [3, 4]);
        let fewer = parameters(1);
        check(hip!(hipGraphExecKernelNodeSetParams(
            exec => Handle, second => Handle, &raw const fewer => *const Kernel
        )));
        run(exec, stream);
        assert_eq!(download(memory, 2), [5, 5]);
        let too_many = parameters(1025);
        let refused = hip!(hipGraphExecKernelNodeSetParams(
            exec => Handle, second => Handle, &raw const too_many => *const Kernel
        ));
        assert_eq!(refused, INVALID_VALUE);
    });
}
