use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::time::Duration;

use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, result};

use crate::alone::alone;
use crate::gpu::{Gate, code, context, increment, kernel, launch, loaded};

const NULL: sys::CUstream = std::ptr::null_mut();

fn word(address: u64) -> u32 {
    let mut word = [0_u32];
    // SAFETY: the address of a word.
    unsafe { result::memcpy_dtoh_sync(&mut word, address) }.expect("copied");
    word[0]
}

fn new_word(value: u32) -> u64 {
    // SAFETY: four bytes.
    unsafe {
        let memory = result::malloc_sync(4).expect("memory");
        result::memcpy_htod_sync(memory, &[value]).expect("copied");
        result::ctx::synchronize().expect("done");
        memory
    }
}

#[test]
fn a_missing_wait_shows_and_a_wait_helps() {
    alone("streams::a_missing_wait_shows_and_a_wait_helps", &[], || {
        let context = context();
        let (writer, reader) = (context.new_stream().expect("one"), context.new_stream().expect("two"));
        let function = loaded(&increment());
        for waits in [false, true] {
            let (source, target) = (new_word(10), new_word(0));
            let gate = Gate::close(writer.cu_stream());
            launch(function, 1, 1, 0, writer.cu_stream(), source).expect("launched");
            let written = writer.record_event(None).expect("recorded");
            assert!(!written.is_complete());
            if waits {
                reader.wait(&written).expect("waits");
            }
            // SAFETY: words.
            unsafe { result::memcpy_dtod_async(target, source, 4, reader.cu_stream()) }.expect("queued");
            if waits {
                std::thread::sleep(Duration::from_millis(20));
                // SAFETY: a stream.
                assert_eq!(unsafe { sys::cuStreamQuery(reader.cu_stream()) }, CUresult::CUDA_ERROR_NOT_READY);
                gate.open();
                reader.synchronize().expect("done");
            } else {
                reader.synchronize().expect("done");
                gate.open();
            }
            writer.synchronize().expect("done");
            assert!(written.is_complete());
            assert_eq!(word(target), if waits { 11 } else { 10 });
        }
    });
}

#[test]
fn the_default_stream_and_blocking_streams_wait_for_each_other() {
    alone("streams::the_default_stream_and_blocking_streams_wait_for_each_other", &[], || {
        let _context = context();
        let streams = [0, 1].map(|flags| {
            let mut stream = std::ptr::null_mut();
            // SAFETY: a place for the result.
            unsafe { sys::cuStreamCreate(&raw mut stream, flags) }.result().expect("created");
            stream
        });
        let [blocking, free] = streams;
        // SAFETY: streams and memory that are there.
        unsafe {
            let (first, second) = (new_word(1), new_word(2));
            let gate = Gate::close(blocking);
            sys::cuMemsetD32Async(first, 5, 1, blocking).result().expect("queued");
            sys::cuMemcpyDtoDAsync_v2(second, first, 4, NULL).result().expect("queued");
            sys::cuMemsetD32Async(first, 6, 1, blocking).result().expect("queued");
            sys::cuStreamSynchronize(free).result().expect("nothing to wait for");
            std::thread::sleep(Duration::from_millis(20));
            assert_eq!(sys::cuStreamQuery(NULL), CUresult::CUDA_ERROR_NOT_READY);
            gate.open();
            result::ctx::synchronize().expect("done");
            assert_eq!((word(first), word(second)), (6, 5));

            // The other way around: a blocking stream waits for the default stream, another one doesn't.
            let gate = Gate::close(NULL);
            sys::cuMemsetD32Async(first, 7, 1, blocking).result().expect("queued");
            sys::cuMemsetD32Async(second, 8, 1, free).result().expect("queued");
            sys::cuStreamSynchronize(free).result().expect("done");
            assert_eq!(sys::cuStreamQuery(blocking), CUresult::CUDA_ERROR_NOT_READY);
            gate.open();
            result::ctx::synchronize().expect("done");
            assert_eq!((word(first), word(second)), (7, 8));
        }
    });
}

#[test]
fn streams_of_threads_are_their_own() {
    alone("streams::streams_of_threads_are_their_own", &[], || {
        let context = context();
        let mine = context.per_thread_stream();
        let gate = Gate::close(mine.cu_stream());
        let other = std::sync::Arc::clone(&context);
        let there = std::thread::spawn(move || {
            other.bind_to_thread().expect("bound");
            other.per_thread_stream().synchronize().expect("nothing to wait for");
        });
        there.join().expect("the thread ends well");
        // SAFETY: a stream.
        assert_eq!(unsafe { sys::cuStreamQuery(mine.cu_stream()) }, CUresult::CUDA_ERROR_NOT_READY);
        gate.open();
        mine.synchronize().expect("done");
    });
}

#[test]
fn many_streams_in_a_chain_keep_their_order() {
    let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "500")];
    alone("streams::many_streams_in_a_chain_keep_their_order", &delays, || {
        let context = context();
        let function = loaded(&increment());
        let streams: Vec<_> = (0..6).map(|_| context.new_stream().expect("a stream")).collect();
        let memory = new_word(0);
        for round in 0..30 {
            let stream = &streams[round % streams.len()];
            launch(function, 1, 1, 0, stream.cu_stream(), memory).expect("launched");
            let event = stream.record_event(None).expect("recorded");
            streams[(round + 1) % streams.len()].wait(&event).expect("waits");
        }
        streams[0].synchronize().expect("done");
        assert_eq!(word(memory), 30);
    });
}

#[test]
fn events_measure_what_is_between_them() {
    alone("streams::events_measure_what_is_between_them", &[], || {
        let context = context();
        let stream = context.default_stream();
        let timing = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let start = stream.record_event(timing).expect("recorded");
        start.synchronize().expect("reached before the time that is measured");
        let gate = Gate::close(stream.cu_stream());
        let end = stream.record_event(timing).expect("recorded");
        // SAFETY: events.
        let early = unsafe { result::event::elapsed(start.cu_event(), end.cu_event()) };
        assert_eq!(code(early), CUresult::CUDA_ERROR_NOT_READY);
        std::thread::sleep(Duration::from_millis(30));
        gate.open();
        let elapsed = start.elapsed_ms(&end).expect("measured");
        assert!((29.0..10_000.0).contains(&elapsed), "{elapsed}");
        let untimed = context.new_event(None).expect("created");
        assert!(untimed.is_complete(), "one that wasn't recorded");
        untimed.record(&stream).expect("recorded");
        untimed.synchronize().expect("reached");
        // SAFETY: events.
        let unknown = unsafe { result::event::elapsed(start.cu_event(), untimed.cu_event()) };
        assert_eq!(code(unknown), CUresult::CUDA_ERROR_INVALID_HANDLE);
    });
}

#[test]
fn launches_return_before_their_kernels_end() {
    alone("streams::launches_return_before_their_kernels_end", &[], || {
        let context = context();
        let stream = context.new_stream().expect("a stream");
        let function = loaded(&increment());
        let memory = new_word(1);
        let gate = Gate::close(stream.cu_stream());
        launch(function, 1, 1, 0, stream.cu_stream(), memory).expect("launched");
        // SAFETY: a stream.
        assert_eq!(unsafe { sys::cuStreamQuery(stream.cu_stream()) }, CUresult::CUDA_ERROR_NOT_READY);
        gate.open();
        stream.synchronize().expect("done");
        assert_eq!(word(memory), 2);
    });
}

static CALLS: AtomicU32 = AtomicU32::new(0);
static ANSWER: AtomicI32 = AtomicI32::new(-1);

unsafe extern "C" fn call_the_driver(order: *mut c_void) {
    CALLS.store(CALLS.load(Ordering::Relaxed) * 10 + order.addr() as u32, Ordering::Relaxed);
    // SAFETY: that it is refused is what this is about.
    ANSWER.store(unsafe { sys::cuCtxSynchronize() } as i32, Ordering::Relaxed);
}

unsafe extern "C" fn note_status(_stream: sys::CUstream, status: CUresult, place: *mut c_void) {
    // SAFETY: an address of an atomic that lives as long as the program.
    unsafe { &*place.cast::<AtomicI32>() }.store(status as i32, Ordering::Relaxed);
}

#[test]
fn functions_run_in_order_and_may_not_call_the_driver() {
    alone("streams::functions_run_in_order_and_may_not_call_the_driver", &[], || {
        let context = context();
        let stream = context.new_stream().expect("a stream");
        for order in 1..=3 {
            let data = std::ptr::without_provenance_mut(order);
            // SAFETY: the function takes any number.
            unsafe { result::stream::launch_host_function(stream.cu_stream(), call_the_driver, data) }
                .expect("queued");
        }
        static STATUS: AtomicI32 = AtomicI32::new(-1);
        let place = (&raw const STATUS).cast_mut().cast();
        // SAFETY: the callback takes the address of an atomic.
        unsafe { sys::cuStreamAddCallback(stream.cu_stream(), Some(note_status), place, 0) }
            .result()
            .expect("queued");
        stream.synchronize().expect("done");
        assert_eq!(CALLS.load(Ordering::Relaxed), 123);
        assert_eq!(ANSWER.load(Ordering::Relaxed), CUresult::CUDA_ERROR_NOT_PERMITTED as i32);
        assert_eq!(STATUS.load(Ordering::Relaxed), 0);

        // Once the context has failed functions aren't called, and callbacks are told.
        let fault = loaded(&kernel("", "trap;"));
        launch(fault, 1, 1, 0, stream.cu_stream(), 0).expect("launched");
        // It may have failed by now: then neither is taken.
        // SAFETY: the callback takes the address of an atomic.
        let added = unsafe { sys::cuStreamAddCallback(stream.cu_stream(), Some(note_status), place, 0) };
        stream.synchronize().expect_err("it failed");
        if added == CUresult::CUDA_SUCCESS {
            assert_eq!(STATUS.load(Ordering::Relaxed), CUresult::CUDA_ERROR_LAUNCH_FAILED as i32);
        }
    });
}

#[test]
fn destroyed_streams_finish_their_work() {
    alone("streams::destroyed_streams_finish_their_work", &[], || {
        let _context = context();
        let memory = new_word(1);
        let mut stream = std::ptr::null_mut();
        // SAFETY: a stream that isn't used once it is destroyed, but to see that this is refused.
        unsafe {
            sys::cuStreamCreate(&raw mut stream, 0).result().expect("created");
            let gate = Gate::close(stream);
            sys::cuMemsetD32Async(memory, 9, 1, stream).result().expect("queued");
            sys::cuStreamDestroy_v2(stream).result().expect("destroyed");
            assert_eq!(sys::cuStreamSynchronize(stream), CUresult::CUDA_ERROR_INVALID_HANDLE);
            gate.open();
            result::ctx::synchronize().expect("done");
        }
        assert_eq!(word(memory), 9);
    });
}

#[test]
fn wrong_handles_are_refused() {
    alone("streams::wrong_handles_are_refused", &[], || {
        let context: std::sync::Arc<CudaContext> = context();
        let stream = context.new_stream().expect("a stream").cu_stream() as usize;
        let event = context.new_event(None).expect("an event").cu_event() as usize;
        for wrong in [0xdead_beef_usize, usize::MAX, stream + 256, event] {
            let invalid = CUresult::CUDA_ERROR_INVALID_HANDLE;
            // SAFETY: that they are refused is what this is about.
            unsafe {
                assert_eq!(sys::cuStreamSynchronize(std::ptr::without_provenance_mut(wrong)), invalid);
                assert_eq!(sys::cuModuleUnload(std::ptr::without_provenance_mut(wrong)), invalid);
                let function = std::ptr::without_provenance_mut(wrong);
                assert_eq!(code(launch(function, 1, 1, 0, NULL, 0)), invalid);
            }
        }
    });
}
