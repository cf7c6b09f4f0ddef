use std::ffi::{c_int, c_uint};

use crate::alone::alone;
use crate::hip::{
    Gate, Handle, ILLEGAL_ADDRESS, INVALID_VALUE, NOT_SUPPORTED, NULL, OUT_OF_MEMORY, check, download, hip,
    malloc, pinned, stream, synchronize, upload,
};

#[test]
fn copies_and_fills() {
    alone("memory::copies_and_fills", &[], || {
        let words: Vec<u32> = (0..1000).collect();
        let one = upload(&words);
        let two = malloc(4000);
        check(hip!(hipMemcpyDtoD(two => u64, one => u64, 4000 => usize)));
        check(hip!(hipMemsetD32(two + 4 => u64, 7 => c_int, 3 => usize)));
        check(hip!(hipMemsetD16(two + 16 => u64, 0x0102 => u16, 1 => usize)));
        check(hip!(hipMemsetD8(two + 20 => u64, 0xff => u8, 4 => usize)));
        assert_eq!(download(two, 7), [0, 7, 7, 7, 0x0102, u32::MAX, 6]);
        assert_eq!(download(one, 1000), words);
        // Where the addresses say which way.
        let mut back = [0_u32; 4];
        check(hip!(hipMemcpy(back.as_mut_ptr() => *mut u32, one + 4 => u64, 16 => usize, 4 => c_int)));
        assert_eq!(back, [1, 2, 3, 4]);
        assert_eq!(hip!(hipMemcpy(two => u64, one => u64, 4 => usize, 5 => c_int)), 21);
    });
}

#[test]
fn rows_that_lie_apart_are_copied() {
    alone("memory::rows_that_lie_apart_are_copied", &[], || {
        let from = upload(&(0..12).collect::<Vec<u32>>());
        let to = upload(&[7; 6]);
        let copy = |to_pitch: usize, from_pitch: usize, height: usize, kind: c_int| {
            hip!(hipMemcpy2DAsync(
                to => u64, to_pitch => usize, from + 4 => u64, from_pitch => usize, 4 => usize, height => usize,
                kind => c_int, NULL => Handle,
            ))
        };
        // The second column of three rows.
        check(copy(8, 16, 3, 3));
        assert_eq!(download(to, 6), [1, 7, 5, 7, 9, 7]);
        check(copy(8, 16, 0, 3));
        assert_eq!(copy(3, 16, 3, 3), 12, "a row beyond the pitch");
        assert_eq!(copy(8, 16, 3, 5), 21, "no such kind");
        assert_eq!(copy(8, 16, 4, 3), INVALID_VALUE, "beyond the end");
    });
}

#[test]
fn new_memory_is_not_zero_and_freed_memory_is_gone() {
    alone("memory::new_memory_is_not_zero_and_freed_memory_is_gone", &[], || {
        let one = malloc(64);
        assert_eq!(download(one, 16), [0xa5a5_a5a5; 16]);
        check(hip!(hipFree(one => u64)));
        assert_eq!(hip!(hipFree(one => u64)), INVALID_VALUE);
        assert_eq!(hip!(hipMemsetD8(one => u64, 0 => u8, 1 => usize)), INVALID_VALUE);
        assert_ne!(malloc(64), one);
        check(hip!(hipFree(0 => u64)));
    });
}

#[test]
fn ranges_beyond_the_memory_are_refused() {
    alone("memory::ranges_beyond_the_memory_are_refused", &[], || {
        let one = malloc(64);
        let host = [0_u8; 128];
        let copy = |to: u64, bytes: usize| hip!(hipMemcpyHtoD(to => u64, host.as_ptr() => *const u8, bytes => usize));
        assert_eq!((copy(one, 64), copy(one, 65), copy(one + 1, 64)), (0, INVALID_VALUE, INVALID_VALUE));
        assert_eq!(copy(one - 1, 8), INVALID_VALUE);
        assert_eq!(hip!(hipMemsetD32(one + 2 => u64, 0 => c_int, 1 => usize)), INVALID_VALUE);
        assert_eq!(hip!(hipMemsetD32(one => u64, 0 => c_int, usize::MAX => usize)), INVALID_VALUE);
        let mut address = 0_u64;
        let too_much = hip!(hipMalloc(&raw mut address => *mut u64, 1 << 40 => usize));
        assert_eq!(too_much, OUT_OF_MEMORY);
    });
}

#[test]
fn pinned_and_managed_memory_is_the_hosts_too() {
    alone("memory::pinned_and_managed_memory_is_the_hosts_too", &[], || {
        let pinned = pinned(64);
        let mut managed = 0_u64;
        check(hip!(hipMallocManaged(&raw mut managed => *mut u64, 64 => usize, 1 => c_uint)));
        for address in [pinned, managed] {
            let words: *mut u32 = std::ptr::with_exposed_provenance_mut(address as usize);
            // SAFETY: 64 bytes, which nobody else uses now.
            unsafe { words.write(5) };
            let device = malloc(4);
            check(hip!(hipMemcpyDtoD(device => u64, address => u64, 4 => usize)));
            check(hip!(hipMemsetD32(address + 4 => u64, 9 => c_int, 1 => usize)));
            check(synchronize());
            assert_eq!(download(device, 1), [5]);
            // SAFETY: 64 bytes, which nobody else uses now.
            assert_eq!(unsafe { words.add(1).read() }, 9);
        }
        let mut device = 0_u64;
        check(hip!(hipHostGetDevicePointer(&raw mut device => *mut u64, pinned => u64, 0 => c_uint)));
        assert_eq!(device, pinned);
        assert_eq!(hip!(hipFree(pinned => u64)), INVALID_VALUE);
        check(hip!(hipHostFree(pinned => u64)));
        check(hip!(hipFree(managed => u64)));
        let own = [0_u8; 64];
        let registered = hip!(hipHostRegister(own.as_ptr() => *const u8, 64 => usize, 0 => c_uint));
        assert_eq!(registered, NOT_SUPPORTED);
    });
}

#[test]
fn pageable_memory_is_copied_when_the_call_returns() {
    alone("memory::pageable_memory_is_copied_when_the_call_returns", &[], || {
        let stream = stream();
        let gate = Gate::close(stream);
        let device = malloc(4);
        let mut word = 1_u32;
        check(
            hip!(hipMemcpyHtoDAsync(device => u64, &raw const word => *const u32, 4 => usize, stream => Handle)),
        );
        word = 2;
        gate.open();
        check(hip!(hipStreamSynchronize(stream => Handle)));
        assert_eq!((download(device, 1), word), (vec![1], 2));
        // Pinned memory is read when the stream comes to it.
        let pinned = pinned(4);
        let place: *mut u32 = std::ptr::with_exposed_provenance_mut(pinned as usize);
        let gate = Gate::close(stream);
        check(hip!(hipMemcpyHtoDAsync(device => u64, pinned => u64, 4 => usize, stream => Handle)));
        // SAFETY: the copy waits.
        unsafe { place.write(3) };
        gate.open();
        check(hip!(hipStreamSynchronize(stream => Handle)));
        assert_eq!(download(device, 1), [3]);
    });
}

#[test]
fn streams_allocate_and_free() {
    alone("memory::streams_allocate_and_free", &[], || {
        let stream = stream();
        let mut pool = NULL;
        check(hip!(hipDeviceGetDefaultMemPool(&raw mut pool => *mut Handle, 0 => c_int)));
        let threshold = u64::MAX;
        check(hip!(hipMemPoolSetAttribute(pool => Handle, 4 => c_int, &raw const threshold => *const u64)));
        let mut address = 0_u64;
        check(hip!(hipMallocAsync(&raw mut address => *mut u64, 64 => usize, stream => Handle)));
        check(hip!(hipMemsetD32Async(address => u64, 3 => c_int, 16 => usize, stream => Handle)));
        check(hip!(hipStreamSynchronize(stream => Handle)));
        let gate = Gate::close(stream);
        check(hip!(hipFreeAsync(address => u64, stream => Handle)));
        assert_eq!(hip!(hipFreeAsync(address => u64, stream => Handle)), INVALID_VALUE);
        let mut used = 0_u64;
        check(hip!(hipMemPoolGetAttribute(pool => Handle, 7 => c_int, &raw mut used => *mut u64)));
        assert_eq!(used, 64);
        assert_eq!(download(address, 16), [3; 16]);
        gate.open();
        check(hip!(hipStreamSynchronize(stream => Handle)));
        let gone = hip!(hipMemsetD8Async(address => u64, 0 => u8, 1 => usize, stream => Handle));
        assert_eq!(gone, INVALID_VALUE);
    });
}

#[test]
fn a_pool_keeps_what_its_threshold_says_until_it_is_trimmed() {
    alone("memory::a_pool_keeps_what_its_threshold_says_until_it_is_trimmed", &[], || {
        let stream = stream();
        let mut pool = NULL;
        check(hip!(hipDeviceGetMemPool(&raw mut pool => *mut Handle, 0 => c_int)));
        // Reserved and used: now, and the most.
        let counts = || {
            [5, 6, 7, 8].map(|attribute| {
                let mut bytes = 0_u64;
                check(hip!(hipMemPoolGetAttribute(pool => Handle, attribute => c_int, &raw mut bytes => *mut u64)));
                bytes
            })
        };
        let allocate_and_free = || {
            let mut address = 0_u64;
            check(hip!(hipMallocAsync(&raw mut address => *mut u64, 64 => usize, stream => Handle)));
            assert_eq!(counts(), [64; 4]);
            check(hip!(hipFreeAsync(address => u64, stream => Handle)));
            check(hip!(hipStreamSynchronize(stream => Handle)));
        };
        allocate_and_free();
        assert_eq!(counts(), [0, 64, 0, 64]);
        let threshold = 48_u64;
        check(hip!(hipMemPoolSetAttribute(pool => Handle, 4 => c_int, &raw const threshold => *const u64)));
        allocate_and_free();
        assert_eq!(counts(), [48, 64, 0, 64]);
        check(hip!(hipMemPoolTrimTo(pool => Handle, 16 => usize)));
        let zero = 0_u64;
        check(hip!(hipMemPoolSetAttribute(pool => Handle, 6 => c_int, &raw const zero => *const u64)));
        assert_eq!(counts(), [16, 16, 0, 64]);
    });
}

#[test]
fn work_that_comes_after_its_memory_is_freed_fails_for_good() {
    alone("memory::work_that_comes_after_its_memory_is_freed_fails_for_good", &[], || {
        let (one, other) = (stream(), stream());
        let mut address = 0_u64;
        check(hip!(hipMallocAsync(&raw mut address => *mut u64, 64 => usize, one => Handle)));
        let gate = Gate::close(other);
        check(hip!(hipMemsetD8Async(address => u64, 0 => u8, 64 => usize, other => Handle)));
        check(hip!(hipFreeAsync(address => u64, one => Handle)));
        check(hip!(hipStreamSynchronize(one => Handle)));
        gate.open();
        assert_eq!(hip!(hipStreamSynchronize(other => Handle)), ILLEGAL_ADDRESS);
        assert_eq!(hip!(hipStreamQuery(one => Handle)), ILLEGAL_ADDRESS);
        check(hip!(hipDeviceReset()));
        malloc(4);
    });
}
