use std::ffi::c_void;

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUpointer_attribute_enum as Attribute, CUresult};

use crate::alone::alone;
use crate::gpu::{Gate, code, context};

const NULL: sys::CUstream = std::ptr::null_mut();

#[test]
fn what_is_copied_comes_back() {
    let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "200")];
    alone("memory::what_is_copied_comes_back", &delays, || {
        let context = context();
        assert!(context.has_async_alloc());
        let stream = context.new_stream().expect("a stream");
        let numbers: Vec<u32> = (0..10_000).collect();
        let first = stream.clone_htod(&numbers).expect("copied");
        let second = stream.clone_dtod(&first).expect("copied");
        assert_eq!(stream.clone_dtoh(&second).expect("copied"), numbers);
        let zeros = stream.alloc_zeros::<u32>(1000).expect("memory");
        assert_eq!(stream.clone_dtoh(&zeros).expect("copied"), [0; 1000]);
        // SAFETY: it is written before it is read.
        let mut pinned = unsafe { context.alloc_pinned::<u32>(numbers.len()) }.expect("memory");
        stream.memcpy_dtoh(&first, &mut pinned).expect("copied");
        stream.synchronize().expect("done");
        assert_eq!(pinned.as_slice().expect("there"), &numbers[..]);
    });
}

#[test]
fn memory_is_set_to_values_of_each_width() {
    alone("memory::memory_is_set_to_values_of_each_width", &[], || {
        let _context = context();
        let mut bytes = [0_u8; 32];
        // SAFETY: addresses and lengths are within the memory, or the call says that they aren't.
        unsafe {
            let memory = result::malloc_sync(32).expect("memory");
            sys::cuMemsetD8_v2(memory, 0x11, 32).result().expect("set");
            sys::cuMemsetD16_v2(memory + 2, 0x2222, 3).result().expect("set");
            sys::cuMemsetD32Async(memory + 12, 0x3333_3333, 2, NULL).result().expect("set");
            assert_eq!(sys::cuMemsetD32_v2(memory + 2, 1, 1), CUresult::CUDA_ERROR_INVALID_VALUE);
            assert_eq!(sys::cuMemsetD8_v2(memory, 1, 33), CUresult::CUDA_ERROR_INVALID_VALUE);
            sys::cuMemcpy(bytes.as_mut_ptr() as u64, memory, 32).result().expect("copied");
        }
        assert_eq!(bytes[..4], [0x11, 0x11, 0x22, 0x22]);
        assert_eq!(bytes[7..13], [0x22, 0x11, 0x11, 0x11, 0x11, 0x33]);
        assert_eq!(bytes[19..], [[0x33].as_slice(), &[0x11; 12]].concat());
    });
}

#[test]
fn new_memory_is_not_zero() {
    alone("memory::new_memory_is_not_zero", &[], || {
        let _context = context();
        let mut bytes = [0_u8; 64];
        // SAFETY: within the memory.
        unsafe {
            let memory = result::malloc_sync(64).expect("memory");
            result::memcpy_dtoh_sync(&mut bytes, memory).expect("copied");
        }
        assert_ne!(bytes, [0; 64]);
    });
}

#[test]
fn wrong_addresses_and_sizes_are_refused() {
    alone("memory::wrong_addresses_and_sizes_are_refused", &[], || {
        let _context = context();
        let mut bytes = [0_u8; 65];
        // SAFETY: what is refused isn't accessed.
        unsafe {
            assert_eq!(code(result::malloc_sync(0)), CUresult::CUDA_ERROR_INVALID_VALUE);
            assert_eq!(code(result::malloc_sync(1 << 40)), CUresult::CUDA_ERROR_OUT_OF_MEMORY);
            let memory = result::malloc_sync(64).expect("memory");
            let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
            assert_eq!(code(result::memcpy_htod_sync(memory, &bytes)), invalid);
            assert_eq!(code(result::memcpy_htod_sync(memory + 64, &bytes[..1])), invalid);
            assert_eq!(code(result::memcpy_dtoh_sync(&mut bytes, memory)), invalid);
            assert_eq!(code(result::memcpy_dtoh_sync(&mut bytes[..1], 4096)), invalid);
            assert_eq!(sys::cuMemcpyHtoD_v2(memory, std::ptr::null(), 1), invalid);
            assert_eq!(sys::cuMemAlloc_v2(std::ptr::null_mut(), 1), invalid);
            assert_eq!(code(result::free_sync(memory + 8)), invalid);
            result::free_sync(memory).expect("freed");
            assert_eq!(code(result::free_sync(memory)), invalid);
            assert_eq!(code(result::memcpy_dtoh_sync(&mut bytes[..64], memory)), invalid);
            result::free_sync(0).expect("nothing to free");
            // None of it stays.
            result::ctx::synchronize().expect("fine");
        }
    });
}

#[test]
fn pageable_memory_is_staged_and_pinned_memory_is_not() {
    alone("memory::pageable_memory_is_staged_and_pinned_memory_is_not", &[], || {
        let context = context();
        let stream = context.new_stream().expect("a stream");
        let stream = stream.cu_stream();
        let mut back = [0_u8; 2];
        // SAFETY: all memory outlives the stream's work, which is waited for.
        unsafe {
            let memory = result::malloc_sync(2).expect("memory");
            let mut pageable = [1_u8];
            let pinned = result::malloc_host(1, 0).expect("memory").cast::<u8>();
            *pinned = 1;
            let gate = Gate::close(stream);
            result::memcpy_htod_async(memory, &pageable, stream).expect("queued");
            sys::cuMemcpyHtoDAsync_v2(memory + 1, pinned.cast(), 1, stream).result().expect("queued");
            pageable[0] = 2;
            *pinned = 2;
            gate.open();
            result::stream::synchronize(stream).expect("done");
            result::memcpy_dtoh_sync(&mut back, memory).expect("copied");
            assert_eq!(back, [1, 2], "the copy of {pageable:?} was staged");
            result::free_host(pinned.cast()).expect("freed");
        }
    });
}

#[test]
fn memory_of_pools_is_freed_when_its_stream_comes_to_it() {
    alone("memory::memory_of_pools_is_freed_when_its_stream_comes_to_it", &[], || {
        let context = context();
        let stream = context.new_stream().expect("a stream");
        let stream = stream.cu_stream();
        let used = |pool| {
            let mut bytes = 0_u64;
            let attribute = sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_CURRENT;
            // SAFETY: the attribute has 64 bits.
            unsafe { result::mem_pool::get_attribute(pool, attribute, (&raw mut bytes).cast()) }
                .expect("known");
            bytes
        };
        // SAFETY: memory is used before it is freed, and after to see that it fails.
        unsafe {
            let pool = result::device::get_default_mem_pool(0).expect("a pool");
            let (free, _) = result::mem_get_info().expect("known");
            let memory = result::malloc_async(stream, 1024).expect("memory");
            assert_eq!((used(pool), result::mem_get_info().expect("known").0), (1024, free - 1024));
            let gate = Gate::close(stream);
            result::memset_d8_async(memory, 1, 1024, stream).expect("queued");
            result::free_async(memory, stream).expect("queued");
            assert_eq!(code(result::free_async(memory, stream)), CUresult::CUDA_ERROR_INVALID_VALUE);
            assert_eq!(used(pool), 1024);
            gate.open();
            result::stream::synchronize(stream).expect("done");
            assert_eq!((used(pool), result::mem_get_info().expect("known").0), (0, free));
            // Memory of `cuMemAlloc` has no place in a stream's order.
            let plain = result::malloc_sync(16).expect("memory");
            assert_eq!(code(result::free_async(plain, stream)), CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    });
}

#[test]
fn memory_of_streams_is_not_there_before_its_allocation_is_reached() {
    alone("memory::memory_of_streams_is_not_there_before_its_allocation_is_reached", &[], || {
        let context = context();
        let (early, late) = (context.new_stream().expect("one"), context.new_stream().expect("two"));
        let mut bytes = [0_u8; 8];
        // SAFETY: within the memory; that nothing orders the two is what this is about.
        unsafe {
            let gate = Gate::close(late.cu_stream());
            let memory = result::malloc_async(late.cu_stream(), 8).expect("memory");
            result::memset_d8_async(memory, 7, 8, early.cu_stream()).expect("queued");
            early.synchronize().expect("done");
            gate.open();
            late.synchronize().expect("done");
            result::memcpy_dtoh_sync(&mut bytes, memory).expect("copied");
        }
        assert_ne!(bytes, [7; 8]);
    });
}

#[test]
fn addresses_know_what_they_are() {
    alone("memory::addresses_know_what_they_are", &[], || {
        let _context = context();
        // SAFETY: each attribute has the size of its place.
        unsafe {
            let attribute = |attribute, address| {
                let mut value = 0_u64;
                let place = (&raw mut value).cast::<c_void>();
                sys::cuPointerGetAttribute(place, attribute, address).result().map(|()| value)
            };
            let device = result::malloc_sync(100).expect("memory");
            let pinned = result::malloc_host(100, 0).expect("memory") as u64;
            assert_eq!(attribute(Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device).expect("known"), 2);
            assert_eq!(attribute(Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pinned).expect("known"), 1);
            let start = attribute(Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 50);
            assert_eq!(start.expect("known"), device);
            let local = 0_u32;
            let unknown = attribute(Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (&raw const local) as u64);
            assert_eq!(code(unknown), CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    });
}

#[test]
fn registered_and_managed_memory_is_reached_at_its_address() {
    alone("memory::registered_and_managed_memory_is_reached_at_its_address", &[], || {
        let _context = context();
        let increment = crate::gpu::loaded(&crate::gpu::increment());
        let mut own = vec![41_u32; 32];
        let address = own.as_mut_ptr().cast::<c_void>();
        // SAFETY: the memory outlives its registration, and what runs is waited for.
        unsafe {
            sys::cuMemHostRegister_v2(address, 128, 0).result().expect("registered");
            let again = sys::cuMemHostRegister_v2(address, 8, 0);
            assert_eq!(again, CUresult::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
            let mut device = 0;
            sys::cuMemHostGetDevicePointer_v2(&raw mut device, address, 0).result().expect("mapped");
            crate::gpu::launch(increment, 1, 32, 0, NULL, device).expect("launched");
            result::ctx::synchronize().expect("done");
            sys::cuMemHostUnregister(address).result().expect("unregistered");
            let again = sys::cuMemHostUnregister(address);
            assert_eq!(again, CUresult::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
            assert_eq!(own, [42; 32]);

            let managed =
                result::malloc_managed(128, sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL).expect("memory");
            let words = managed as *mut u32;
            (0..32).for_each(|index| words.add(index).write(6));
            crate::gpu::launch(increment, 1, 32, 0, NULL, managed).expect("launched");
            result::ctx::synchronize().expect("done");
            assert!((0..32).all(|index| words.add(index).read() == 7));
            result::free_sync(managed).expect("freed");
        }
    });
}
