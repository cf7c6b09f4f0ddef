//! Streams that are captured, and the graphs of what they were given.

use std::ffi::c_void;

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult, CUstreamCaptureMode_enum as Mode};

use crate::alone::alone;
use crate::gpu::{code, context, increment, launch, loaded};

const OK: CUresult = CUresult::CUDA_SUCCESS;

fn begin(stream: sys::CUstream, mode: Mode) {
    // SAFETY: the stream is there.
    assert_eq!(unsafe { sys::cuStreamBeginCapture_v2(stream, mode) }, OK);
}

fn end(stream: sys::CUstream) -> Result<sys::CUgraph, CUresult> {
    let mut graph = std::ptr::null_mut();
    // SAFETY: the stream is there, and a place for the result.
    let answer = unsafe { sys::cuStreamEndCapture(stream, &raw mut graph) };
    if answer == OK { Ok(graph) } else { Err(answer) }
}

fn nodes(graph: sys::CUgraph) -> usize {
    let mut count = 0;
    // SAFETY: the graph is there, and a place for the result.
    assert_eq!(unsafe { sys::cuGraphGetNodes(graph, std::ptr::null_mut(), &raw mut count) }, OK);
    count
}

fn run(graph: sys::CUgraph, stream: sys::CUstream) {
    let mut exec = std::ptr::null_mut();
    // SAFETY: the graph and the stream are there, and a place for the result.
    unsafe {
        assert_eq!(sys::cuGraphInstantiateWithFlags(&raw mut exec, graph, 0), OK);
        assert_eq!(sys::cuGraphLaunch(exec, stream), OK);
        result::stream::synchronize(stream).expect("it ran");
    }
}

unsafe extern "C" fn count(target: *mut c_void) {
    // SAFETY: the test gives the address of a number, which nobody else uses meanwhile.
    unsafe { *target.cast::<u32>() += 1 };
}

#[test]
fn what_a_stream_is_given_runs_when_the_graph_does() {
    alone("capture::what_a_stream_is_given_runs_when_the_graph_does", &[], || {
        let context = context();
        let own = context.new_stream().expect("a stream");
        let stream = own.cu_stream();
        let kernel = loaded(&increment());
        let (mut words, mut calls) = ([0_u32; 4], 0_u32);
        // SAFETY: all memory is there until the graph has run.
        unsafe {
            let memory = result::malloc_sync(16).expect("memory");
            begin(stream, Mode::CU_STREAM_CAPTURE_MODE_GLOBAL);
            sys::cuMemsetD32Async(memory, 7, 4, stream).result().expect("captured");
            launch(kernel, 1, 4, 0, stream, memory).expect("captured");
            result::memcpy_dtoh_async(&mut words, memory, stream).expect("captured");
            result::stream::launch_host_function(stream, count, (&raw mut calls).cast()).expect("captured");
            let mut status = sys::CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_NONE;
            assert_eq!(sys::cuStreamIsCapturing(stream, &raw mut status), OK);
            assert_eq!(status, sys::CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_ACTIVE);
            let graph = end(stream).expect("a graph");
            assert_eq!(nodes(graph), 4);
            context.synchronize().expect("nothing ran");
            assert_eq!((words, calls), ([0; 4], 0));
            run(graph, stream);
            run(graph, stream);
        }
        assert_eq!((words, calls), ([8; 4], 2));
    });
}

#[test]
fn streams_take_part_by_events() {
    alone("capture::streams_take_part_by_events", &[], || {
        let context = context();
        let first = context.new_stream().expect("a stream");
        let second = context.new_stream().expect("a stream");
        let kernel = loaded(&increment());
        let mut words = [0_u32; 4];
        // SAFETY: all memory is there until the graph has run.
        unsafe {
            let memory = result::malloc_sync(16).expect("memory");
            let fork = result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING).expect("an event");
            let joined =
                result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING).expect("an event");
            let wait = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
            let (first, second) = (first.cu_stream(), second.cu_stream());
            for is_joined in [true, false] {
                begin(first, Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
                sys::cuMemsetD32Async(memory, 7, 4, first).result().expect("captured");
                result::event::record(fork, first).expect("captured");
                result::stream::wait_event(second, fork, wait).expect("captured");
                launch(kernel, 1, 4, 0, second, memory).expect("captured");
                result::event::record(joined, second).expect("captured");
                if is_joined {
                    result::stream::wait_event(first, joined, wait).expect("captured");
                    result::memcpy_dtoh_async(&mut words, memory, first).expect("captured");
                    run(end(first).expect("a graph"), first);
                    assert_eq!(words, [8; 4]);
                } else {
                    assert_eq!(end(first), Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNJOINED));
                }
            }
            launch(kernel, 1, 4, 0, second, memory).expect("no capture is left");
            assert_eq!(code(result::event::query(joined)), CUresult::CUDA_ERROR_CAPTURED_EVENT);
        }
        context.synchronize().expect("nothing failed");
    });
}

#[test]
fn calls_that_cannot_be_captured_end_it() {
    alone("capture::calls_that_cannot_be_captured_end_it", &[], || {
        let context = context();
        let own = context.new_stream().expect("a stream");
        let stream = own.cu_stream();
        let blocking = result::stream::create(result::stream::StreamKind::Default).expect("a stream");
        let invalid = Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
        let refused = CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        // SAFETY: nothing is run.
        unsafe {
            begin(stream, Mode::CU_STREAM_CAPTURE_MODE_GLOBAL);
            assert_eq!(code(result::stream::synchronize(stream)), refused);
            assert_eq!(end(stream), invalid);
            begin(stream, Mode::CU_STREAM_CAPTURE_MODE_GLOBAL);
            assert_eq!(code(result::malloc_sync(16)), refused);
            assert_eq!(end(stream), invalid);
            begin(stream, Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
            let memory = result::malloc_sync(16).expect("that mode lets it through");
            assert_eq!(nodes(end(stream).expect("a graph")), 0);
            begin(blocking, Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
            let implicit = result::memset_d8_sync(memory, 0, 16);
            assert_eq!(code(implicit), CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
            assert_eq!(end(blocking), invalid);
            begin(stream, Mode::CU_STREAM_CAPTURE_MODE_GLOBAL);
            let stream = stream.expose_provenance();
            let shared = std::sync::Arc::clone(&context);
            let other = std::thread::spawn(move || {
                shared.bind_to_thread().expect("current");
                end(std::ptr::with_exposed_provenance_mut(stream)).map(drop)
            });
            let wrong = Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
            assert_eq!(other.join().expect("it ends"), wrong);
            let stream: sys::CUstream = std::ptr::with_exposed_provenance_mut(stream);
            end(stream).expect("the right thread");
            assert_eq!(end(stream), Err(CUresult::CUDA_ERROR_ILLEGAL_STATE));
        }
    });
}
