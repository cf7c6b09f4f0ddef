//! Memory that nodes of graphs allocate and free.

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{code, context, increment, launch, loaded};
use crate::graphs::{Exec, Graph, memory, synchronize, words};

const SUCCESS: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

impl Graph {
    /// A node that allocates sixteen bytes, and their address.
    fn allocate(&self) -> (sys::CUgraphNode, u64) {
        // SAFETY: numbers and null pointers, of which zeros are.
        let mut parameters = unsafe { std::mem::zeroed::<sys::CUDA_MEM_ALLOC_NODE_PARAMS>() };
        parameters.poolProps.allocType = sys::CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location.type_ = sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
        parameters.bytesize = 16;
        // SAFETY: a place for the node, a graph, and parameters that get the address.
        let added = self.add(|node, graph| unsafe {
            sys::cuGraphAddMemAllocNode(node, graph, std::ptr::null(), 0, &raw mut parameters)
        });
        (added.expect("added"), parameters.dptr)
    }

    fn free(&self, after: &[sys::CUgraphNode], address: u64) -> Result<sys::CUgraphNode, CUresult> {
        // SAFETY: a place for the node, and a graph with as many nodes as is said.
        self.add(|node, graph| unsafe {
            sys::cuGraphAddMemFreeNode(node, graph, after.as_ptr(), after.len(), address)
        })
    }
}

/// Bytes that graphs use, and that they have.
fn counts() -> (u64, u64) {
    let of = |attribute| {
        let mut bytes = 0_u64;
        // SAFETY: a place for the result.
        let answer = unsafe { sys::cuDeviceGetGraphMemAttribute(0, attribute, (&raw mut bytes).cast()) };
        assert_eq!(answer, SUCCESS);
        bytes
    };
    let used = of(sys::CUgraphMem_attribute_enum::CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT);
    (used, of(sys::CUgraphMem_attribute_enum::CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT))
}

fn answer(exec: &Exec, stream: sys::CUstream) -> CUresult {
    // SAFETY: a graph and a stream.
    unsafe { sys::cuGraphLaunch(exec.0, stream) }
}

#[test]
fn nodes_allocate_memory_and_free_it() {
    alone("graph_memory::nodes_allocate_memory_and_free_it", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let y = memory(1);
        let graph = Graph::new();
        let (allocated, address) = graph.allocate();
        assert_eq!(graph.set(&[allocated], address, 4, 4, 1), SUCCESS);
        let mut nodes = [std::ptr::null_mut(); 2];
        let mut count = 2;
        // SAFETY: a graph, and a place for as many nodes as is said.
        unsafe { sys::cuGraphGetNodes(graph.0, nodes.as_mut_ptr(), &raw mut count) }.result().expect("two");
        let kernel = graph.kernel(&[nodes[1]], loaded(&increment()), address).expect("added");
        let copied = graph.copy(&[kernel], y, address, 4).expect("added");
        let freed = graph.free(&[copied], address).expect("added");
        assert_eq!(graph.free(&[freed], y), Err(INVALID), "of no node");
        let mut clone = std::ptr::null_mut();
        let mut of_free = 0;
        // SAFETY: a graph and a node, and places for the results.
        unsafe {
            let refused = sys::cuGraphClone(&raw mut clone, graph.0);
            assert_eq!(refused, CUresult::CUDA_ERROR_NOT_SUPPORTED, "two would have the same memory");
            sys::cuGraphMemFreeNodeGetParams(freed, &raw mut of_free).result().expect("known");
        }
        assert_eq!(of_free, address);
        let exec = graph.instantiate();
        for _ in 0..3 {
            exec.launch(stream.cu_stream());
        }
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!((words(y, 1), counts()), (vec![5], (0, 16)));
        // SAFETY: a graph, and memory that isn't allocated.
        unsafe {
            assert_eq!(code(result::free_sync(address)), INVALID);
            assert_eq!(sys::cuGraphExecDestroy(exec.0), SUCCESS);
        }
        assert_eq!(counts(), (0, 0));
    });
}

#[test]
fn memory_that_a_graph_leaves_allocated_is_freed_before_the_next_launch() {
    alone("graph_memory::memory_that_a_graph_leaves_allocated_is_freed_before_the_next_launch", &[], || {
        let context = context();
        let own = context.new_stream().expect("one");
        let stream = own.cu_stream();
        let graph = Graph::new();
        let (allocated, address) = graph.allocate();
        assert_eq!(graph.set(&[allocated], address, 4, 4, 1), SUCCESS);
        let mut again = std::ptr::null_mut();
        // SAFETY: a graph, and a place for the result.
        let flagged = unsafe { sys::cuGraphInstantiateWithFlags(&raw mut again, graph.0, 1) };
        assert_eq!(flagged, SUCCESS, "it frees what is left when it is launched");
        let exec = graph.instantiate();
        exec.launch(stream);
        assert_eq!(synchronize(stream), SUCCESS);
        assert_eq!((words(address, 1), counts()), (vec![4], (16, 16)));
        assert_eq!(answer(&exec, stream), INVALID, "still allocated");
        // SAFETY: memory that is allocated, each time.
        unsafe {
            result::free_async(address, stream).expect("freed");
            assert_eq!(code(result::free_async(address, stream)), INVALID, "twice");
            exec.launch(stream);
            Exec(again).launch(stream);
            assert_eq!(synchronize(stream), SUCCESS);
            result::free_sync(address).expect("freed");
        }
        assert_eq!(counts(), (0, 16));
    });
}

#[test]
fn memory_of_a_capture_is_the_graphs() {
    alone("graph_memory::memory_of_a_capture_is_the_graphs", &[], || {
        let context = context();
        let own = context.new_stream().expect("one");
        let stream = own.cu_stream();
        let (kernel, mut words, mut graph) = (loaded(&increment()), [0_u32; 4], std::ptr::null_mut());
        // SAFETY: what is captured has its memory until it has run.
        unsafe {
            let mode = sys::CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL;
            sys::cuStreamBeginCapture_v2(stream, mode).result().expect("begun");
            let memory = result::malloc_async(stream, 16).expect("captured");
            sys::cuMemsetD32Async(memory, 7, 4, stream).result().expect("captured");
            launch(kernel, 1, 4, 0, stream, memory).expect("captured");
            result::memcpy_dtoh_async(&mut words, memory, stream).expect("captured");
            result::free_async(memory, stream).expect("captured");
            sys::cuStreamEndCapture(stream, &raw mut graph).result().expect("a graph");
        }
        let exec = Graph(graph).instantiate();
        exec.launch(stream);
        exec.launch(stream);
        assert_eq!(synchronize(stream), SUCCESS);
        assert_eq!(words, [8; 4]);
    });
}
