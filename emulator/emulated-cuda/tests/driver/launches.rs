use std::ffi::c_void;

use cudarc::driver::sys::{self, CUfunction_attribute_enum as Attribute, CUresult};
use cudarc::driver::{CudaContext, result};

use crate::alone::alone;
use crate::gpu::{NVCC, code, context, function, increment, kernel, launch, load, loaded};

const NULL: sys::CUstream = std::ptr::null_mut();
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

#[test]
fn sizes_beyond_the_limits_are_refused() {
    alone("launches::sizes_beyond_the_limits_are_refused", &[], || {
        let _context = context();
        let any = loaded(&kernel("", ""));
        let sizes = |grid, block| {
            let mut parameter = 0_u64;
            let mut arguments = [(&raw mut parameter).cast::<c_void>()];
            // SAFETY: the kernel has one parameter of 64 bits, and does nothing.
            unsafe { result::launch_kernel(any, grid, block, 0, NULL, &mut arguments) }
        };
        sizes((1, 1, 1), (1024, 1, 1)).expect("the most threads");
        sizes((3, 2, 1), (2, 2, 64)).expect("the most along z");
        for grid in [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1 << 31, 1, 1), (1, 65536, 1), (1, 1, 65536)] {
            assert_eq!(code(sizes(grid, (1, 1, 1))), INVALID, "{grid:?}");
        }
        for block in [(0, 1, 1), (1, 1, 0), (1025, 1, 1), (1, 1, 65), (32, 32, 2)] {
            assert_eq!(code(sizes((1, 1, 1), block)), INVALID, "{block:?}");
        }
        let exact = loaded(&kernel(".reqntid 64", ""));
        launch(exact, 1, 64, 0, NULL, 0).expect("as required");
        assert_eq!(code(launch(exact, 1, 32, 0, NULL, 0)), INVALID);
        let bounded = loaded(&kernel(".maxntid 96", ""));
        launch(bounded, 1, 96, 0, NULL, 0).expect("at the bound");
        assert_eq!(code(launch(bounded, 1, 97, 0, NULL, 0)), INVALID);
        // None of it stays.
        result::ctx::synchronize().expect("fine");
    });
}

#[test]
fn more_than_48_kib_of_shared_memory_must_be_asked_for() {
    alone("launches::more_than_48_kib_of_shared_memory_must_be_asked_for", &[], || {
        let _context = context();
        let text =
            kernel("", ".shared .align 4 .b8 fixed[1024];\nmov.u64 %a2, fixed;\nst.shared.u32 [%a2], %r1;");
        let function = loaded(&text);
        let most = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: a function of a loaded module.
        unsafe {
            let shared = result::function::get_function_attribute(
                function,
                Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
            );
            assert_eq!(shared.expect("known"), 1024);
            launch(function, 1, 1, 47 << 10, NULL, 0).expect("48 KiB in all");
            assert_eq!(code(launch(function, 1, 1, (47 << 10) + 1, NULL, 0)), INVALID);
            assert_eq!(code(launch(function, 1, 1, 100 << 10, NULL, 0)), INVALID);
            let too_much = result::function::set_function_attribute(function, most, (226 << 10) + 1);
            assert_eq!(code(too_much), INVALID);
            result::function::set_function_attribute(function, most, 100 << 10).expect("as much as is there");
            launch(function, 1, 1, 100 << 10, NULL, 0).expect("asked for");
            assert_eq!(code(launch(function, 1, 1, (100 << 10) + 1, NULL, 0)), INVALID);
        }
        result::ctx::synchronize().expect("fine");
    });
}

#[test]
fn arguments_come_one_by_one_or_in_a_buffer() {
    alone("launches::arguments_come_one_by_one_or_in_a_buffer", &[], || {
        let context = context();
        let stream = context.default_stream();
        let function = loaded(&increment());
        let words = stream.clone_htod(&[0_u32; 4]).expect("copied");
        let mut address = {
            use cudarc::driver::DevicePtr;
            words.device_ptr(&stream).0
        };
        let mut size = size_of::<u64>();
        let place = (&raw mut address).cast::<c_void>();
        let name = std::ptr::without_provenance_mut::<c_void>;
        let mut extra = [name(1), place, name(2), (&raw mut size).cast(), name(0)];
        let mut one_by_one = [place];
        let start = |arguments: *mut *mut c_void, extra: *mut *mut c_void| {
            // SAFETY: the kernel has one parameter of 64 bits, which each form says, or says wrongly.
            unsafe { sys::cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, NULL, arguments, extra) }
        };
        let none = std::ptr::null_mut();
        assert_eq!(start(one_by_one.as_mut_ptr(), none), CUresult::CUDA_SUCCESS);
        assert_eq!(start(none, extra.as_mut_ptr()), CUresult::CUDA_SUCCESS);
        assert_eq!(start(none, none), INVALID);
        assert_eq!(start(one_by_one.as_mut_ptr(), extra.as_mut_ptr()), INVALID);
        assert_eq!(start([none.cast()].as_mut_ptr(), none), INVALID);
        let mut short = 4_usize;
        extra[3] = (&raw mut short).cast();
        assert_eq!(start(none, extra.as_mut_ptr()), INVALID);
        assert_eq!(stream.clone_dtoh(&words).expect("copied"), [2; 4]);
    });
}

#[test]
fn cooperative_launches_must_fit() {
    alone("launches::cooperative_launches_must_fit", &[], || {
        let context = context();
        let stream = context.default_stream();
        // Each block counts, and waits for all others.
        let meet = loaded(&kernel(
            "",
            "mov.u32 %r1, %nctaid.x;\natom.global.gpu.add.u32 %r2, [%a1], 1;\nWAIT:\nld.acquire.gpu.global.u32 %r2, [%a1];\n\
             setp.lt.u32 %q1, %r2, %r1;\n@%q1 bra WAIT;",
        ));
        let counter = stream.alloc_zeros::<u32>(1).expect("memory");
        let mut address = {
            use cudarc::driver::DevicePtr;
            counter.device_ptr(&stream).0
        };
        let mut start = |grid: u32| {
            let mut arguments = [(&raw mut address).cast::<c_void>()];
            // SAFETY: the kernel's parameter is the address of a word.
            unsafe {
                result::launch_cooperative_kernel(
                    meet,
                    (grid, 1, 1),
                    (1, 1, 1),
                    0,
                    stream.cu_stream(),
                    &mut arguments,
                )
            }
        };
        start(64).expect("they fit");
        assert_eq!(stream.clone_dtoh(&counter).expect("copied"), [64]);
        assert_eq!(code(start(1 << 20)), CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
        stream.synchronize().expect("it doesn't stay");
    });
}

#[test]
fn what_kernels_print_is_printed() {
    let said = alone("launches::what_kernels_print_is_printed", &[], || {
        let context: std::sync::Arc<CudaContext> = context();
        let print = function(load(NVCC).expect("it loads"), "print");
        let (mut threads, mut number) = (2_u32, 1.5_f64);
        let mut arguments = [(&raw mut threads).cast::<c_void>(), (&raw mut number).cast()];
        // SAFETY: the parameters of the entry, as its PTX has them.
        unsafe { result::launch_kernel(print, (1, 1, 1), (4, 1, 1), 0, NULL, &mut arguments) }
            .expect("launched");
        context.synchronize().expect("done");
    });
    assert!(said.contains("thread 1 of print:  1.50"), "{said}");
    assert!(!said.contains("thread 2 of print"), "{said}");
}

/// `cuFuncGetParamInfo`, which cudarc's bindings have for newer versions only.
fn parameter(function: sys::CUfunction, index: usize, offset: &mut usize, size: &mut usize) -> i32 {
    type Call = unsafe extern "C" fn(sys::CUfunction, usize, *mut usize, *mut usize) -> i32;
    // SAFETY: the library is loaded, and the call has this type in `cuda.h`.
    unsafe {
        let library = libloading::Library::new("libcuda.so.1").expect("there");
        let call = *library.get::<Call>(b"cuFuncGetParamInfo").expect("there");
        call(function, index, offset, size)
    }
}

#[test]
fn parameters_are_described() {
    alone("launches::parameters_are_described", &[], || {
        let _context = context();
        let saxpy = function(load(NVCC).expect("it loads"), "saxpy");
        let (mut offset, mut size) = (0, 0);
        let mut found = Vec::new();
        while parameter(saxpy, found.len(), &mut offset, &mut size) == 0 {
            found.push((offset, size));
        }
        assert_eq!(found, [(0, 4), (8, 8), (16, 8), (24, 4)]);
    });
}
