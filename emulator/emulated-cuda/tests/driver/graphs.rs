use std::ffi::c_void;
use std::sync::Mutex;

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{Gate, context, increment, kernel, loaded};

const SUCCESS: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// A graph in the making.
pub(crate) struct Graph(pub(crate) sys::CUgraph);

impl Graph {
    pub(crate) fn new() -> Self {
        let mut graph = std::ptr::null_mut();
        // SAFETY: a place for the result.
        assert_eq!(unsafe { sys::cuGraphCreate(&raw mut graph, 0) }, SUCCESS);
        Self(graph)
    }

    pub(crate) fn add(
        &self,
        add: impl FnOnce(*mut sys::CUgraphNode, sys::CUgraph) -> CUresult,
    ) -> Result<sys::CUgraphNode, CUresult> {
        let mut node = std::ptr::null_mut();
        match add(&raw mut node, self.0) {
            SUCCESS => Ok(node),
            status => Err(status),
        }
    }

    pub(crate) fn kernel(
        &self,
        after: &[sys::CUgraphNode],
        function: sys::CUfunction,
        address: u64,
    ) -> Result<sys::CUgraphNode, CUresult> {
        with_parameters(function, 1, address, |parameters| {
            // SAFETY: a place for the node, a graph with as many nodes as is said, and parameters; arguments are copied.
            self.add(|node, graph| unsafe {
                sys::cuGraphAddKernelNode_v2(node, graph, after.as_ptr(), after.len(), parameters)
            })
        })
    }

    pub(crate) fn set(
        &self,
        after: &[sys::CUgraphNode],
        to: u64,
        value: u32,
        pitch: usize,
        height: usize,
    ) -> CUresult {
        let parameters =
            sys::CUDA_MEMSET_NODE_PARAMS { dst: to, pitch, value, elementSize: 4, width: 1, height };
        // SAFETY: a place for the node, a graph with as many nodes as is said, and parameters that live during the call.
        let added = self.add(|node, graph| unsafe {
            let context = std::ptr::null_mut();
            sys::cuGraphAddMemsetNode(
                node,
                graph,
                after.as_ptr(),
                after.len(),
                &raw const parameters,
                context,
            )
        });
        added.err().unwrap_or(SUCCESS)
    }

    pub(crate) fn copy(
        &self,
        after: &[sys::CUgraphNode],
        to: u64,
        from: u64,
        bytes: usize,
    ) -> Result<sys::CUgraphNode, CUresult> {
        let mut parameters = between(sys::CUmemorytype::CU_MEMORYTYPE_UNIFIED);
        (parameters.srcDevice, parameters.dstDevice) = (from, to);
        (parameters.WidthInBytes, parameters.Height, parameters.Depth) = (bytes, 1, 1);
        self.copy_of(after, &parameters)
    }

    fn copy_of(
        &self,
        after: &[sys::CUgraphNode],
        parameters: &sys::CUDA_MEMCPY3D,
    ) -> Result<sys::CUgraphNode, CUresult> {
        // SAFETY: a place for the node, a graph with as many nodes as is said, and parameters that live during the call.
        self.add(|node, graph| unsafe {
            let context = std::ptr::null_mut();
            sys::cuGraphAddMemcpyNode(
                node,
                graph,
                after.as_ptr(),
                after.len(),
                &raw const *parameters,
                context,
            )
        })
    }

    pub(crate) fn host(&self, after: &[sys::CUgraphNode], said: &'static Said) -> sys::CUgraphNode {
        let parameters = sys::CUDA_HOST_NODE_PARAMS {
            fn_: Some(say),
            userData: (&raw const *said).cast_mut().cast::<c_void>(),
        };
        // SAFETY: a place for the node, a graph with as many nodes as is said, and parameters; what is said lives for ever.
        self.add(|node, graph| unsafe {
            sys::cuGraphAddHostNode(node, graph, after.as_ptr(), after.len(), &raw const parameters)
        })
        .expect("added")
    }

    /// Makes it executable, and is no more needed.
    pub(crate) fn instantiate(self) -> Exec {
        let mut exec = std::ptr::null_mut();
        // SAFETY: a place for the result; a graph.
        unsafe {
            assert_eq!(sys::cuGraphInstantiateWithFlags(&raw mut exec, self.0, 0), SUCCESS);
            assert_eq!(sys::cuGraphDestroy(self.0), SUCCESS);
            assert_eq!(sys::cuGraphDestroy(self.0), CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
        Exec(exec)
    }
}

pub(crate) struct Exec(pub(crate) sys::CUgraphExec);

impl Exec {
    pub(crate) fn launch(&self, stream: sys::CUstream) {
        // SAFETY: a graph and a stream.
        assert_eq!(unsafe { sys::cuGraphLaunch(self.0, stream) }, SUCCESS);
    }

    pub(crate) fn set(
        &self,
        node: sys::CUgraphNode,
        function: sys::CUfunction,
        threads: u32,
        address: u64,
    ) -> CUresult {
        with_parameters(function, threads, address, |parameters| {
            // SAFETY: a graph, a node, and parameters whose arguments the driver copies.
            unsafe { sys::cuGraphExecKernelNodeSetParams_v2(self.0, node, parameters) }
        })
    }
}

/// Calls with the parameters of a launch of one block, of a kernel of one parameter, an address.
pub(crate) fn with_parameters<R>(
    function: sys::CUfunction,
    threads: u32,
    address: u64,
    call: impl FnOnce(*const sys::CUDA_KERNEL_NODE_PARAMS) -> R,
) -> R {
    let mut address = address;
    let mut arguments = [(&raw mut address).cast::<c_void>()];
    let parameters = sys::CUDA_KERNEL_NODE_PARAMS {
        func: function,
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: threads,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: arguments.as_mut_ptr(),
        extra: std::ptr::null_mut(),
        kern: std::ptr::null_mut(),
        ctx: std::ptr::null_mut(),
    };
    call(&raw const parameters)
}

/// A copy to memory of the device, of nothing yet.
fn between(from: sys::CUmemorytype) -> sys::CUDA_MEMCPY3D {
    // SAFETY: numbers and null pointers.
    unsafe {
        let mut parameters = std::mem::MaybeUninit::<sys::CUDA_MEMCPY3D>::zeroed();
        (&raw mut (*parameters.as_mut_ptr()).srcMemoryType).write(from);
        (&raw mut (*parameters.as_mut_ptr()).dstMemoryType).write(sys::CUmemorytype::CU_MEMORYTYPE_DEVICE);
        parameters.assume_init()
    }
}

pub(crate) struct Said {
    pub(crate) what: &'static str,
    pub(crate) by: &'static Mutex<Vec<&'static str>>,
}

unsafe extern "C" fn say(said: *mut c_void) {
    // SAFETY: what the node was given.
    let said = unsafe { &*said.cast::<Said>() };
    said.by.lock().expect("nobody panics").push(said.what);
}

pub(crate) fn words(address: u64, count: usize) -> Vec<u32> {
    let mut words = vec![0_u32; count];
    // SAFETY: as many words.
    unsafe { result::memcpy_dtoh_sync(&mut words, address) }.expect("copied");
    words
}

/// Zeros.
pub(crate) fn memory(words: usize) -> u64 {
    // SAFETY: as many bytes.
    unsafe {
        let memory = result::malloc_sync(4 * words).expect("memory");
        result::memcpy_htod_sync(memory, &vec![0_u32; words]).expect("copied");
        // Memory that isn't pinned is staged: other streams don't wait for the copy.
        result::ctx::synchronize().expect("done");
        memory
    }
}

pub(crate) fn synchronize(stream: sys::CUstream) -> CUresult {
    // SAFETY: a stream.
    unsafe { sys::cuStreamSynchronize(stream) }
}

#[test]
fn boxes_are_copied_in_each_launch() {
    alone("graphs::boxes_are_copied_in_each_launch", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        // Two planes of three rows of four words, of which a box of two planes, two rows and one column is packed.
        let (from, to) = (memory(24), memory(4));
        let mut parameters = between(sys::CUmemorytype::CU_MEMORYTYPE_DEVICE);
        (parameters.srcDevice, parameters.srcPitch, parameters.srcHeight) = (from, 16, 3);
        (parameters.srcXInBytes, parameters.srcY) = (8, 1);
        (parameters.dstDevice, parameters.dstPitch, parameters.dstHeight) = (to, 4, 2);
        (parameters.WidthInBytes, parameters.Height, parameters.Depth) = (4, 2, 2);
        let graph = Graph::new();
        graph.copy_of(&[], &parameters).expect("added");
        let beyond = sys::CUDA_MEMCPY3D { srcY: 2, ..parameters };
        assert_eq!(graph.copy_of(&[], &beyond), Err(INVALID), "beyond the end");
        let host = sys::CUDA_MEMCPY3D { srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST, ..parameters };
        assert_eq!(graph.copy_of(&[], &host), Err(INVALID), "null");
        let exec = graph.instantiate();
        for launch in 0..2 {
            let all: Vec<u32> = (0..24).map(|word| word + 100 * launch).collect();
            // SAFETY: as many words.
            unsafe { result::memcpy_htod_sync(from, &all) }.expect("copied");
            // Memory that isn't pinned is staged: other streams don't wait for the copy.
            result::ctx::synchronize().expect("done");
            exec.launch(stream.cu_stream());
            assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
            assert_eq!(words(to, 4), [6, 10, 18, 22].map(|word| word + 100 * launch));
        }
    });
}

#[test]
fn all_nodes_run_in_each_launch() {
    alone("graphs::all_nodes_run_in_each_launch", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let (function, x, y) = (loaded(&increment()), memory(4), memory(4));
        let mut table = [7_u32, 8];
        let graph = Graph::new();
        let first = graph.kernel(&[], function, x).expect("added");
        let second = graph.kernel(&[first], function, x).expect("added");
        let copied = graph.copy(&[second], y, x, 4).expect("added");
        // Every second word.
        assert_eq!(graph.set(&[copied], y + 4, 9, 8, 2), SUCCESS);
        graph.copy(&[copied], y + 8, table.as_ptr().addr() as u64, 4).expect("added");
        // SAFETY: what the function asks for.
        let empty = graph
            .add(|node, graph| unsafe { sys::cuGraphAddEmptyNode(node, graph, [first, copied].as_ptr(), 2) });
        empty.expect("added");
        let exec = graph.instantiate();
        for launch in 1..=3 {
            exec.launch(stream.cu_stream());
            assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
            assert_eq!(words(y, 4), [2 * launch, 9, table[0], 9]);
            // Memory of the host is read when the graph runs.
            table[0] += 1;
        }
        // SAFETY: a graph.
        unsafe {
            assert_eq!(sys::cuGraphExecDestroy(exec.0), SUCCESS);
            let gone = CUresult::CUDA_ERROR_INVALID_HANDLE;
            assert_eq!(sys::cuGraphLaunch(exec.0, stream.cu_stream()), gone);
            assert_eq!(sys::cuGraphExecDestroy(exec.0), gone);
        }
    });
}

#[test]
fn launches_of_one_graph_wait_for_each_other_and_are_as_they_were_queued() {
    alone("graphs::launches_of_one_graph_wait_for_each_other_and_are_as_they_were_queued", &[], || {
        let context = context();
        let (first, second) = (context.new_stream().expect("one"), context.new_stream().expect("two"));
        let (function, x, y) = (loaded(&increment()), memory(40), memory(1));
        let graph = Graph::new();
        let node = graph.kernel(&[], function, x).expect("added");
        let exec = graph.instantiate();
        let gate = Gate::close(first.cu_stream());
        exec.launch(first.cu_stream());
        assert_eq!(exec.set(node, function, 1, y), SUCCESS);
        exec.launch(second.cu_stream());
        // SAFETY: a stream.
        assert_eq!(unsafe { sys::cuStreamQuery(second.cu_stream()) }, CUresult::CUDA_ERROR_NOT_READY);
        // Destroyed, what is queued runs.
        // SAFETY: a graph.
        assert_eq!(unsafe { sys::cuGraphExecDestroy(exec.0) }, SUCCESS);
        gate.open();
        assert_eq!(synchronize(second.cu_stream()), SUCCESS);
        assert_eq!((words(x, 1), words(y, 1)), (vec![1], vec![1]));
    });
}

#[test]
fn a_missing_dependency_shows_and_one_that_is_there_holds() {
    alone("graphs::a_missing_dependency_shows_and_one_that_is_there_holds", &[], || {
        static BY: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
        static FIRST: Said = Said { what: "first", by: &BY };
        static SECOND: Said = Said { what: "second", by: &BY };
        let context = context();
        let stream = context.new_stream().expect("one");
        for is_there in [false, true] {
            let graph = Graph::new();
            let first = graph.host(&[], &FIRST);
            let after = [first];
            graph.host(if is_there { &after } else { &[] }, &SECOND);
            let exec = graph.instantiate();
            for _ in 0..50 {
                exec.launch(stream.cu_stream());
            }
            assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
            let said = std::mem::take(&mut *BY.lock().expect("nobody panics"));
            let in_order = said.chunks(2).filter(|pair| *pair == ["first", "second"]).count();
            assert!(if is_there { in_order == 50 } else { (10..40).contains(&in_order) }, "{in_order}");
        }
    });
}

#[test]
fn what_is_wrong_is_refused_when_it_is_added() {
    alone("graphs::what_is_wrong_is_refused_when_it_is_added", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let (function, x) = (loaded(&increment()), memory(4));
        let (graph, other) = (Graph::new(), Graph::new());
        let node = graph.kernel(&[], function, x).expect("added");
        let foreign = other.kernel(&[], function, x).expect("added");
        assert_eq!(graph.kernel(&[foreign], function, x), Err(INVALID), "of another graph");
        assert_eq!(graph.kernel(&[node, node], function, x), Err(INVALID), "twice");
        let null = std::ptr::null_mut();
        assert_eq!(graph.kernel(&[], null, x), Err(CUresult::CUDA_ERROR_INVALID_HANDLE));
        assert_eq!(graph.copy(&[], x, x + 8, 0), Err(INVALID), "nothing");
        assert_eq!(graph.copy(&[], x, x + 8, 12), Err(INVALID), "beyond the end");
        assert_eq!(graph.set(&[], x + 2, 1, 4, 1), INVALID, "misaligned");
        assert_eq!(graph.set(&[], x, 1, 4, 5), INVALID, "beyond the end");
        assert_eq!(graph.set(&[], x, 1, 2, 2), INVALID, "rows that overlap");
        // SAFETY: what the functions ask for.
        let attribute = |attribute, value: i32| unsafe {
            let value = [value; 16];
            sys::cuGraphKernelNodeSetAttribute(node, attribute, (&raw const value).cast())
        };
        assert_eq!(attribute(sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 1), SUCCESS);
        assert_eq!(
            attribute(sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2),
            INVALID,
            "a cluster that the grid isn't a multiple of"
        );
        let exec = graph.instantiate();
        assert_eq!(exec.set(foreign, function, 1, x), INVALID, "of another graph");
        assert_eq!(exec.set(node, function, 2048, x), INVALID, "too large a block");
        exec.launch(stream.cu_stream());
        assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
        assert_eq!(words(x, 1), [1], "nothing has changed");
    });
}

#[test]
fn a_fault_in_a_graph_stays() {
    alone("graphs::a_fault_in_a_graph_stays", &[], || {
        let context = context();
        let stream = context.new_stream().expect("one");
        let x = memory(4);
        let graph = Graph::new();
        let function = loaded(&kernel("", "mov.u32 %r1, 1;\nst.global.u32 [%a1], %r1;"));
        graph.kernel(&[], function, x + (1 << 30)).expect("an address is a number");
        let exec = graph.instantiate();
        exec.launch(stream.cu_stream());
        let lost = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
        assert_eq!(synchronize(stream.cu_stream()), lost);
        // SAFETY: a graph and a stream.
        assert_eq!(unsafe { sys::cuGraphLaunch(exec.0, stream.cu_stream()) }, lost);
    });
}

#[test]
fn without_execution_only_kernels_are_left_out() {
    alone(
        "graphs::without_execution_only_kernels_are_left_out",
        &[("GRIDWRIGHT_EMULATOR_EXECUTE", "0")],
        || {
            let context = context();
            let stream = context.new_stream().expect("one");
            let (function, x) = (loaded(&increment()), memory(4));
            let graph = Graph::new();
            let node = graph.kernel(&[], function, x).expect("added");
            assert_eq!(graph.set(&[node], x + 4, 5, 4, 1), SUCCESS);
            let exec = graph.instantiate();
            exec.launch(stream.cu_stream());
            assert_eq!(synchronize(stream.cu_stream()), SUCCESS);
            assert_eq!(words(x, 2), [0, 5]);
        },
    );
}
