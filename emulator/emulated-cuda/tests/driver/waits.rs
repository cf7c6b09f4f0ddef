//! When calls return: what they wait for, and what they don't.

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{Gate, code, context, function, kernel, launch, load, loaded};

const BYTES: usize = 1 << 22;
const NULL: sys::CUstream = std::ptr::null_mut();

/// Writes a word many times.
fn busy() -> String {
    kernel(
        "",
        "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%a1], %r1;\n\
         setp.lt.u32 %q1, %r1, 100000;\n@%q1 bra L;",
    )
}

fn managed() -> u64 {
    let flag = sys::CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL;
    // SAFETY: it isn't freed while the test uses it.
    unsafe { result::malloc_managed(BYTES, flag) }.expect("memory")
}

fn pinned() -> u64 {
    // SAFETY: it isn't freed while the test uses it.
    unsafe { result::malloc_host(BYTES, 0) }.expect("memory").expose_provenance() as u64
}

fn byte(address: u64, at: usize) -> u8 {
    // SAFETY: the memory is the test's and has so many bytes.
    unsafe { std::ptr::with_exposed_provenance::<u8>(address as usize).add(at).read_volatile() }
}

#[test]
fn plain_memsets_of_memory_that_the_host_reaches_are_done() {
    alone("waits::plain_memsets_of_memory_that_the_host_reaches_are_done", &[], || {
        let _context = context();
        for memory in [pinned(), managed()] {
            // SAFETY: within the memory.
            unsafe {
                result::memset_d8_sync(memory, 0xab, BYTES).expect("set");
                assert_eq!(byte(memory, BYTES - 1), 0xab);
                sys::cuMemsetD2D32_v2(memory, 1 << 11, 0x01020304, 256, BYTES >> 11).result().expect("set");
                assert_eq!((byte(memory, BYTES - 1025), byte(memory, BYTES - 1)), (1, 0xab));
            }
        }
    });
}

#[test]
fn asynchronous_memsets_and_those_of_device_memory_are_not_awaited() {
    alone("waits::asynchronous_memsets_and_those_of_device_memory_are_not_awaited", &[], || {
        let context = context();
        let stream = context.new_stream().expect("a stream");
        // SAFETY: within the memory.
        unsafe {
            let gate = Gate::close(NULL);
            let memory = result::malloc_sync(BYTES).expect("memory");
            result::memset_d8_sync(memory, 1, BYTES).expect("queued");
            let pinned = pinned();
            result::memset_d8_async(pinned, 7, BYTES, stream.cu_stream()).expect("queued");
            assert_ne!(byte(pinned, BYTES - 1), 7);
            gate.open();
        }
        context.synchronize().expect("all ran");
    });
}

#[test]
fn plain_copies_of_memory_that_the_host_reaches_are_done() {
    alone("waits::plain_copies_of_memory_that_the_host_reaches_are_done", &[], || {
        let _context = context();
        // SAFETY: within the memory.
        unsafe {
            let memory = result::malloc_sync(BYTES).expect("memory");
            result::memset_d8_sync(memory, 9, BYTES).expect("set");
            for target in [pinned(), managed()] {
                result::memcpy_dtod_sync(target, memory, BYTES).expect("copied");
                assert_eq!(byte(target, BYTES - 1), 9);
            }
            let (from, to) = (managed(), managed());
            result::memset_d8_sync(from, 3, BYTES).expect("set");
            sys::cuMemcpy(to, from, BYTES).result().expect("copied");
            assert_eq!(byte(to, BYTES - 1), 3);
        }
    });
}

#[test]
fn asynchronous_copies_between_managed_memory_and_a_device_are_not_awaited() {
    alone("waits::asynchronous_copies_between_managed_memory_and_a_device_are_not_awaited", &[], || {
        let context = context();
        let stream = context.new_stream().expect("a stream");
        // SAFETY: within the memory.
        unsafe {
            let (memory, target) = (result::malloc_sync(BYTES).expect("memory"), managed());
            result::memset_d8_sync(memory, 9, BYTES).expect("set");
            result::memset_d8_sync(target, 1, BYTES).expect("set");
            let gate = Gate::close(stream.cu_stream());
            sys::cuMemcpyAsync(target, memory, BYTES, stream.cu_stream()).result().expect("queued");
            assert_eq!(byte(target, 0), 1);
            gate.open();
            stream.synchronize().expect("copied");
            assert_eq!(byte(target, BYTES - 1), 9);
        }
    });
}

/// From the host's address null to the same.
fn no_copy() -> sys::CUDA_MEMCPY2D_v2 {
    let host = sys::CUmemorytype_enum::CU_MEMORYTYPE_HOST;
    sys::CUDA_MEMCPY2D_v2 {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: host,
        srcHost: std::ptr::null(),
        srcDevice: 0,
        srcArray: std::ptr::null_mut(),
        srcPitch: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: host,
        dstHost: std::ptr::null_mut(),
        dstDevice: 0,
        dstArray: std::ptr::null_mut(),
        dstPitch: 0,
        WidthInBytes: 0,
        Height: 0,
    }
}

#[test]
fn rows_are_copied_between_all_kinds_of_memory() {
    alone("waits::rows_are_copied_between_all_kinds_of_memory", &[], || {
        let _context = context();
        let source: Vec<u8> = (0..64).collect();
        let mut target = vec![0_u8; 64];
        // SAFETY: rows of 8 bytes, 16 apart, are within the memory of each side.
        unsafe {
            let memory = result::malloc_sync(256).expect("memory");
            let mut copy = no_copy();
            copy.srcMemoryType = sys::CUmemorytype_enum::CU_MEMORYTYPE_HOST;
            copy.srcHost = source.as_ptr().cast();
            copy.srcPitch = 16;
            copy.srcXInBytes = 4;
            copy.dstMemoryType = sys::CUmemorytype_enum::CU_MEMORYTYPE_DEVICE;
            copy.dstDevice = memory;
            copy.dstPitch = 64;
            copy.dstY = 1;
            copy.WidthInBytes = 8;
            copy.Height = 3;
            sys::cuMemcpy2D_v2(&raw const copy).result().expect("copied");
            let mut back = no_copy();
            back.srcMemoryType = sys::CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED;
            back.srcDevice = memory;
            back.srcPitch = 64;
            back.srcY = 1;
            back.dstMemoryType = sys::CUmemorytype_enum::CU_MEMORYTYPE_HOST;
            back.dstHost = target.as_mut_ptr().cast();
            back.dstPitch = 8;
            back.WidthInBytes = 8;
            back.Height = 3;
            sys::cuMemcpy2DUnaligned_v2(&raw const back).result().expect("copied");
            let rows: Vec<u8> = (0..3).flat_map(|row| row * 16 + 4..row * 16 + 12).collect();
            assert_eq!(target[..24], rows);
            back.srcPitch = 4;
            assert_eq!(sys::cuMemcpy2D_v2(&raw const back), CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    });
}

#[test]
fn memory_is_freed_when_what_was_launched_before_has_ended() {
    alone("waits::memory_is_freed_when_what_was_launched_before_has_ended", &[], || {
        let context = context();
        let busy = loaded(&busy());
        let stream = context.new_stream().expect("a stream");
        for stream in [NULL, stream.cu_stream()] {
            // SAFETY: the free waits.
            unsafe {
                let memory = result::malloc_sync(64).expect("memory");
                launch(busy, 1, 1, 0, stream, memory).expect("launched");
                result::free_sync(memory).expect("freed");
                context.synchronize().expect("nothing failed");
                let pinned = result::malloc_host(64, 2).expect("memory");
                launch(busy, 1, 1, 0, stream, pinned.expose_provenance() as u64).expect("launched");
                result::free_host(pinned).expect("freed");
                context.synchronize().expect("nothing failed");
            }
        }
    });
}

#[test]
fn what_is_named_to_be_ended_needs_no_current_context() {
    alone("waits::what_is_named_to_be_ended_needs_no_current_context", &[], || {
        result::init().expect("initialised");
        // SAFETY: each thing is ended once, and not used afterwards.
        unsafe {
            let primary = result::primary_ctx::retain(0).expect("a context");
            result::ctx::set_current(primary).expect("current");
            let memory = result::malloc_sync(64).expect("memory");
            let managed = managed();
            let pinned = result::malloc_host(64, 0).expect("memory");
            let stream = result::stream::create(result::stream::StreamKind::NonBlocking).expect("a stream");
            let event = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).expect("an event");
            let module = load(&busy()).expect("a module");
            assert!(!function(module, "k").is_null());
            let mut graph = std::ptr::null_mut();
            sys::cuGraphCreate(&raw mut graph, 0).result().expect("a graph");
            result::ctx::set_current(std::ptr::null_mut()).expect("none");
            assert_eq!(code(result::malloc_sync(64)), CUresult::CUDA_ERROR_INVALID_CONTEXT);
            result::free_sync(memory).expect("freed");
            result::free_sync(managed).expect("freed");
            result::free_host(pinned).expect("freed");
            result::stream::destroy(stream).expect("ended");
            result::event::destroy(event).expect("ended");
            result::module::unload(module).expect("unloaded");
            sys::cuGraphDestroy(graph).result().expect("ended");
            assert_eq!(code(result::free_sync(memory)), CUresult::CUDA_ERROR_INVALID_VALUE, "once");
        }
    });
}

#[test]
fn threads_have_default_streams_of_their_own_under_the_names_for_them() {
    alone("waits::threads_have_default_streams_of_their_own_under_the_names_for_them", &[], || {
        type Synchronize = unsafe extern "C" fn(sys::CUstream) -> CUresult;
        type GetId = unsafe extern "C" fn(sys::CUstream, *mut u64) -> CUresult;
        let context = context();
        // SAFETY: the types are those of `cuda.h`.
        let (synchronize, id) = unsafe {
            let library = libloading::Library::new("libcuda.so.1").expect("there");
            let synchronize = *library.get::<Synchronize>(b"cuStreamSynchronize_ptsz").expect("exported");
            (synchronize, *library.get::<GetId>(b"cuStreamGetId_ptsz").expect("exported"))
        };
        let of_thread = move || {
            let mut found = 0;
            // SAFETY: a place for the result.
            assert_eq!(unsafe { id(NULL, &raw mut found) }, CUresult::CUDA_SUCCESS);
            found
        };
        let mut legacy = 0;
        // SAFETY: a place for the result.
        unsafe { sys::cuStreamGetId(NULL, &raw mut legacy) }.result().expect("known");
        let own = of_thread();
        assert_ne!(own, legacy);
        let shared = std::sync::Arc::clone(&context);
        let other = std::thread::spawn(move || {
            shared.bind_to_thread().expect("current");
            of_thread()
        });
        assert_ne!(other.join().expect("it ends"), own);
        let gate = Gate::close(NULL);
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            gate.open();
        });
        // SAFETY: a handle of the default stream.
        assert_eq!(unsafe { synchronize(NULL) }, CUresult::CUDA_SUCCESS, "there is nothing in it");
    });
}
