//! Attributes of launches and of graphs' nodes, clusters, priorities of streams.

use std::ffi::c_void;

use cudarc::driver::sys::{self, CUfunction_attribute_enum as FunctionAttribute, CUresult};
use cudarc::driver::{DevicePtr, result};

use crate::alone::alone;
use crate::gpu::{context, increment, kernel, loaded};

const OK: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;
const CLUSTER_SIZE: CUresult = CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE;

// Numbers of `cuda.h`: the bindings have an enum of those of an older version.
const COOPERATIVE: u32 = 2;
const CLUSTER: u32 = 4;
const PROGRAMMATIC: u32 = 6;
const PRIORITY: u32 = 8;
const CARVEOUT: u32 = 14;

/// `CUlaunchAttribute`.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Attribute {
    id: u32,
    padding: u32,
    value: [u32; 16],
}

fn attribute(id: u32, first: [u32; 3]) -> Attribute {
    let mut value = [0; 16];
    value[..3].copy_from_slice(&first);
    Attribute { id, padding: 0, value }
}

fn config(grid: [u32; 3], block: u32, attributes: &mut [Attribute]) -> sys::CUlaunchConfig {
    sys::CUlaunchConfig {
        gridDimX: grid[0],
        gridDimY: grid[1],
        gridDimZ: grid[2],
        blockDimX: block,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        hStream: std::ptr::null_mut(),
        attrs: attributes.as_mut_ptr().cast(),
        numAttrs: attributes.len() as u32,
    }
}

/// Launches a kernel of one parameter, an address.
fn start(
    function: sys::CUfunction,
    grid: [u32; 3],
    block: u32,
    attributes: &[Attribute],
    mut address: u64,
) -> CUresult {
    let mut attributes = attributes.to_vec();
    let config = config(grid, block, &mut attributes);
    let mut arguments = [(&raw mut address).cast::<c_void>()];
    // SAFETY: a configuration with as many attributes, and the kernel's one parameter.
    unsafe {
        sys::cuLaunchKernelEx(&raw const config, function, arguments.as_mut_ptr(), std::ptr::null_mut())
    }
}

fn largest_cluster(function: sys::CUfunction, block: u32) -> (CUresult, i32) {
    let (config, mut size) = (config([64, 1, 1], block, &mut []), 0);
    // SAFETY: a function of a loaded module, a configuration without attributes.
    let status =
        unsafe { sys::cuOccupancyMaxPotentialClusterSize(&raw mut size, function, &raw const config) };
    (status, size)
}

fn active_clusters(function: sys::CUfunction, size: u32) -> i32 {
    let mut attributes = [attribute(CLUSTER, [size, 1, 1])];
    let (config, mut clusters) = (config([64, 1, 1], 1024, &mut attributes), 0);
    // SAFETY: a function of a loaded module, a configuration with one attribute.
    let status = unsafe { sys::cuOccupancyMaxActiveClusters(&raw mut clusters, function, &raw const config) };
    assert_eq!(status, OK);
    clusters
}

#[test]
fn attributes_of_a_launch_are_read() {
    alone("attributes::attributes_of_a_launch_are_read", &[], || {
        let _context = context();
        let nothing = loaded(&kernel("", ""));
        let start = |id, value, blocks| start(nothing, [blocks, 1, 1], 32, &[attribute(id, value)], 0);
        for (id, value) in
            [(0, [0; 3]), (PRIORITY, [0; 3]), (PROGRAMMATIC, [1, 0, 0]), (CARVEOUT, [100, 0, 0])]
        {
            assert_eq!(start(id, value, 1), OK, "{id}");
        }
        assert_eq!(start(CARVEOUT, [101, 0, 0], 1), INVALID);
        assert_eq!(start(COOPERATIVE, [1, 0, 0], 1 << 20), CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
        // One of streams, one that isn't there, one that isn't done here.
        assert_eq!((start(3, [0; 3], 1), start(99, [0; 3], 1)), (INVALID, INVALID));
        assert_eq!(start(7, [0; 3], 1), NOT_SUPPORTED);
        // Of several the one that is wrong is found.
        let several = [attribute(PROGRAMMATIC, [1, 0, 0]), attribute(CLUSTER, [3, 1, 1])];
        assert_eq!(super::attributes::start(nothing, [4, 1, 1], 32, &several, 0), INVALID);
        result::ctx::synchronize().expect("fine");
    });
}

#[test]
fn clusters_divide_the_grid_and_all_their_blocks_run() {
    alone("attributes::clusters_divide_the_grid_and_all_their_blocks_run", &[], || {
        let context = context();
        let stream = context.default_stream();
        let nothing = loaded(&kernel("", ""));
        let cluster = |size, grid| start(nothing, grid, 32, &[attribute(CLUSTER, size)], 0);
        assert_eq!(cluster([2, 1, 1], [2, 1, 1]), OK);
        assert_eq!(cluster([4, 2, 1], [8, 6, 5]), OK);
        for (size, grid) in [([2, 1, 1], [3, 1, 1]), ([1, 4, 1], [4, 6, 1]), ([0, 1, 1], [4, 1, 1])] {
            assert_eq!(cluster(size, grid), INVALID, "{size:?} {grid:?}");
        }
        assert_eq!(cluster([16, 1, 1], [64, 1, 1]), CLUSTER_SIZE);
        let words = stream.clone_htod(&[5_u32; 64]).expect("copied");
        let function = loaded(&increment());
        let address = words.device_ptr(&stream).0;
        assert_eq!(start(function, [16, 1, 1], 4, &[attribute(CLUSTER, [8, 1, 1])], address), OK);
        assert_eq!(stream.clone_dtoh(&words).expect("copied"), [6; 64]);
    });
}

#[test]
fn larger_clusters_take_leave_and_room() {
    alone("attributes::larger_clusters_take_leave_and_room", &[], || {
        let _context = context();
        let nothing = loaded(&kernel("", ""));
        assert_eq!(largest_cluster(nothing, 32), (OK, 8));
        assert_eq!((active_clusters(nothing, 8), active_clusters(nothing, 16)), (4, 0));
        let leave = FunctionAttribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
        // SAFETY: a function of a loaded module.
        unsafe { result::function::set_function_attribute(nothing, leave, 1) }.expect("given");
        assert_eq!(largest_cluster(nothing, 32), (OK, 16));
        assert_eq!((active_clusters(nothing, 8), active_clusters(nothing, 16)), (4, 2));
        let cluster = |size| start(nothing, [32, 1, 1], 32, &[attribute(CLUSTER, [size, 1, 1])], 0);
        assert_eq!((cluster(16), cluster(32)), (OK, CLUSTER_SIZE));
        // More threads than a block can have.
        assert_eq!(largest_cluster(nothing, 2048), (OK, 0));
    });
}

#[test]
fn older_devices_have_no_clusters_and_launch_nothing_early() {
    let older = [("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "sm_80")];
    alone("attributes::older_devices_have_no_clusters_and_launch_nothing_early", &older, || {
        let context = context();
        let cluster_launch = sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH;
        assert_eq!(context.attribute(cluster_launch).expect("known"), 0);
        let nothing = loaded(&kernel("", ""));
        let start = |id, value| start(nothing, [4, 1, 1], 32, &[attribute(id, value)], 0);
        assert_eq!(start(CLUSTER, [2, 1, 1]), NOT_SUPPORTED);
        assert_eq!(start(PROGRAMMATIC, [1, 0, 0]), NOT_SUPPORTED);
        assert_eq!((start(CLUSTER, [1, 1, 1]), start(PROGRAMMATIC, [0; 3])), (OK, OK));
        assert_eq!(start(CARVEOUT, [50, 0, 0]), OK);
        assert_eq!(largest_cluster(nothing, 32).0, NOT_SUPPORTED);
    });
}

#[test]
fn dependent_launches_see_what_those_before_wrote() {
    alone("attributes::dependent_launches_see_what_those_before_wrote", &[], || {
        let context = context();
        let stream = context.default_stream();
        let text = increment().replacen("ld.param", "griddepcontrol.wait;\nld.param", 1);
        let text =
            text.replace("sm_80", "sm_90").replace("\nret;", "\ngriddepcontrol.launch_dependents;\nret;");
        let text = text.replace(".version 7.0", ".version 7.8");
        let function = loaded(&text);
        let words = stream.clone_htod(&[0_u32; 8]).expect("copied");
        let address = words.device_ptr(&stream).0;
        for _ in 0..10 {
            assert_eq!(start(function, [2, 1, 1], 4, &[attribute(PROGRAMMATIC, [1, 0, 0])], address), OK);
        }
        assert_eq!(stream.clone_dtoh(&words).expect("copied"), [10; 8]);
    });
}

#[test]
fn nodes_of_graphs_have_attributes() {
    alone("attributes::nodes_of_graphs_have_attributes", &[], || {
        let context = context();
        let stream = context.default_stream();
        let function = loaded(&increment());
        let words = stream.clone_htod(&[0_u32; 16]).expect("copied");
        let mut address = words.device_ptr(&stream).0;
        let arguments = [(&raw mut address).cast::<c_void>()];
        let parameters = |blocks| sys::CUDA_KERNEL_NODE_PARAMS_v2 {
            func: function,
            gridDimX: blocks,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: 4,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            kernelParams: arguments.as_ptr().cast_mut(),
            extra: std::ptr::null_mut(),
            kern: std::ptr::null_mut(),
            ctx: std::ptr::null_mut(),
        };
        let (mut graph, mut node, mut exec) =
            (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        type Set = unsafe extern "C" fn(sys::CUgraphNode, u32, *const [u32; 16]) -> CUresult;
        type Get = unsafe extern "C" fn(sys::CUgraphNode, u32, *mut [u32; 16]) -> CUresult;
        // SAFETY: the calls have these types in `cuda.h`, with a number for the name of an attribute.
        let (set, get) = unsafe {
            let library = libloading::Library::new("libcuda.so.1").expect("there");
            let set = *library.get::<Set>(b"cuGraphKernelNodeSetAttribute").expect("there");
            let get = *library.get::<Get>(b"cuGraphKernelNodeGetAttribute").expect("there");
            (set, get)
        };
        // SAFETY: handles of this process, places for results, and a kernel's one parameter.
        unsafe {
            assert_eq!(sys::cuGraphCreate(&raw mut graph, 0), OK);
            let none = std::ptr::null();
            let four = parameters(4);
            assert_eq!(sys::cuGraphAddKernelNode_v2(&raw mut node, graph, none, 0, &raw const four), OK);
            let give = |id, first| {
                let attribute = attribute(id, first);
                set(node, id, &raw const attribute.value)
            };
            assert_eq!((give(CLUSTER, [2, 1, 1]), give(CARVEOUT, [30, 0, 0])), (OK, OK));
            // One that doesn't divide, one of launches only, one that isn't there.
            assert_eq!((give(CLUSTER, [3, 1, 1]), give(PROGRAMMATIC, [1, 0, 0])), (INVALID, INVALID));
            assert_eq!(give(99, [0; 3]), INVALID);
            let mut value = [9; 16];
            assert_eq!(get(node, CLUSTER, &raw mut value), OK);
            assert_eq!(value[..3], [2, 1, 1]);
            assert_eq!(get(node, CARVEOUT, &raw mut value), OK);
            assert_eq!((value[0], get(node, 99, &raw mut value)), (30, INVALID));
            assert_eq!(sys::cuGraphInstantiateWithFlags(&raw mut exec, graph, 0), OK);
            assert_eq!(sys::cuGraphLaunch(exec, std::ptr::null_mut()), OK);
            // The node's attributes stay when its parameters change.
            let three = parameters(3);
            assert_eq!(sys::cuGraphExecKernelNodeSetParams_v2(exec, node, &raw const three), INVALID);
            let two = parameters(2);
            assert_eq!(sys::cuGraphExecKernelNodeSetParams_v2(exec, node, &raw const two), OK);
            assert_eq!(sys::cuGraphLaunch(exec, std::ptr::null_mut()), OK);
        }
        let expected: Vec<u32> = (0..16).map(|i| if i < 8 { 2 } else { 1 }).collect();
        assert_eq!(stream.clone_dtoh(&words).expect("copied"), expected);
    });
}

#[test]
fn streams_have_the_nearest_priority() {
    alone("attributes::streams_have_the_nearest_priority", &[], || {
        let _context = context();
        let (mut least, mut greatest) = (9, 9);
        // SAFETY: two numbers to write.
        assert_eq!(unsafe { sys::cuCtxGetStreamPriorityRange(&raw mut least, &raw mut greatest) }, OK);
        assert!(greatest < least && least == 0, "{greatest} to {least}");
        for (asked, given) in [(0, 0), (greatest, greatest), (-1, -1), (3, 0), (-100, greatest)] {
            let (mut stream, mut priority) = (std::ptr::null_mut(), 9);
            // SAFETY: a stream and a number to write.
            unsafe {
                assert_eq!(sys::cuStreamCreateWithPriority(&raw mut stream, 1, asked), OK);
                assert_eq!(sys::cuStreamGetPriority(stream, &raw mut priority), OK);
                assert_eq!(priority, given, "{asked}");
                assert_eq!(sys::cuStreamDestroy_v2(stream), OK);
            }
        }
    });
}

#[test]
fn constants_that_a_function_names_are_counted() {
    alone("attributes::constants_that_a_function_names_are_counted", &[], || {
        let _context = context();
        let text = kernel("", "ld.const.u32 %r1, [C];\nst.global.u32 [%a1], %r1;");
        let head = ".const .align 4 .b8 C[80];\n.const .align 4 .b8 D[80];\n.visible .entry";
        let function = loaded(&text.replace(".visible .entry", head));
        let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES;
        // SAFETY: the function is loaded.
        let bytes = unsafe { result::function::get_function_attribute(function, attribute) };
        assert_eq!(bytes.expect("known"), 80);
    });
}
