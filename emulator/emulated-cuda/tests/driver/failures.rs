use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{Gate, code, context, increment, kernel, launch, load, loaded};

const NULL: sys::CUstream = std::ptr::null_mut();

/// Launches a kernel that fails, in a process of its own, and sees that the error stays until the context is reset.
fn fails(test: &str, ptx: &str, address: impl FnOnce() -> u64, expected: CUresult) -> String {
    let variables = [("GRIDWRIGHT_EMULATOR_INSTRUCTION_LIMIT", "100000")];
    alone(test, &variables, || {
        let _context = context();
        let fine = loaded(&increment());
        let function = loaded(ptx);
        let address = address();
        launch(function, 1, 1, 0, NULL, address).expect("the launch itself is fine");
        assert_eq!(code(result::ctx::synchronize()), expected);
        // Everything fails from here on.
        assert_eq!(code(launch(fine, 1, 1, 0, NULL, 0)), expected);
        // SAFETY: refused.
        assert_eq!(code(unsafe { result::malloc_sync(16) }), expected);
        assert_eq!(code(load(&increment())), expected);
        assert_eq!(code(result::stream::create(result::stream::StreamKind::Default)), expected);
        // SAFETY: everything of the context is gone with it.
        unsafe {
            sys::cuDevicePrimaryCtxReset_v2(0).result().expect("reset");
            let memory = result::malloc_sync(16).expect("all is well again");
            result::memcpy_htod_sync(memory, &[1_u32; 4]).expect("copied");
            assert_eq!(code(launch(fine, 1, 1, 0, NULL, memory)), CUresult::CUDA_ERROR_INVALID_HANDLE);
            launch(loaded(&increment()), 1, 4, 0, NULL, memory).expect("launched");
            let mut words = [0_u32; 4];
            result::memcpy_dtoh_sync(&mut words, memory).expect("copied");
            assert_eq!(words, [2; 4]);
        }
    })
}

fn sixteen_bytes() -> u64 {
    // SAFETY: the context is current.
    unsafe { result::malloc_sync(16) }.expect("memory")
}

#[test]
fn accesses_out_of_bounds_stay() {
    let said = fails(
        "failures::accesses_out_of_bounds_stay",
        &kernel("", "st.global.u32 [%a1+16], %r1;"),
        sixteen_bytes,
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
    );
    assert!(said.contains("gridwright emulator: error: out of bounds"), "{said}");
}

#[test]
fn misaligned_accesses_stay() {
    let ptx = kernel("", "ld.global.u32 %r1, [%a1+2];");
    let expected = CUresult::CUDA_ERROR_MISALIGNED_ADDRESS;
    fails("failures::misaligned_accesses_stay", &ptx, sixteen_bytes, expected);
}

#[test]
fn traps_stay() {
    fails("failures::traps_stay", &kernel("", "trap;"), || 0, CUresult::CUDA_ERROR_LAUNCH_FAILED);
}

#[test]
fn endless_loops_end() {
    let ptx = kernel("", "LOOP:\nbra LOOP;");
    fails("failures::endless_loops_end", &ptx, || 0, CUresult::CUDA_ERROR_LAUNCH_TIMEOUT);
}

#[test]
fn writes_to_constants_stay() {
    let ptx = kernel("", "mov.u64 %a2, fixed;\ncvta.const.u64 %a2, %a2;\nst.u32 [%a2], %r1;");
    let ptx = ptx.replace(".visible", ".const .align 4 .u32 fixed = 1;\n.visible");
    fails("failures::writes_to_constants_stay", &ptx, || 0, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
}

#[test]
fn failed_assertions_stay() {
    let ptx = kernel(
        "",
        "{\n.param .b64 p0;\n.param .b64 p1;\n.param .b32 p2;\n.param .b64 p3;\n.param .b64 p4;\n\
         mov.u64 %a2, text;\ncvta.global.u64 %a2, %a2;\n\
         st.param.b64 [p0], %a2;\nst.param.b64 [p1], %a2;\nst.param.b32 [p2], 7;\nst.param.b64 [p3], %a2;\n\
         st.param.b64 [p4], 1;\ncall.uni __assertfail, (p0, p1, p2, p3, p4);\n}",
    );
    let head = ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n\
                .global .align 1 .b8 text[4] = {110, 111, 33, 0};\n.visible";
    let said = fails(
        "failures::failed_assertions_stay",
        &ptx.replace(".visible", head),
        || 0,
        CUresult::CUDA_ERROR_ASSERT,
    );
    assert!(said.contains("no!"), "{said}");
}

#[test]
fn use_after_free_stays() {
    fails(
        "failures::use_after_free_stays",
        &increment(),
        || {
            let memory = sixteen_bytes();
            // SAFETY: that it is used later is what this is about.
            unsafe { result::free_sync(memory) }.expect("freed");
            memory
        },
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
    );
}

/// Frees don't wait.
const STRICT: [(&str, &str); 1] = [("GRIDWRIGHT_EMULATOR_STRICT_FREE", "1")];

#[test]
fn memory_that_is_freed_too_early_fails_what_is_queued() {
    alone("failures::memory_that_is_freed_too_early_fails_what_is_queued", &STRICT, || {
        let context = context();
        let stream = context.new_stream().expect("a stream");
        let function = loaded(&increment());
        let memory = sixteen_bytes();
        let gate = Gate::close(stream.cu_stream());
        launch(function, 1, 1, 0, stream.cu_stream(), memory).expect("launched");
        // SAFETY: that it is too early is what this is about.
        unsafe { result::free_sync(memory) }.expect("freed");
        gate.open();
        assert_eq!(code(stream.synchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    });
}

#[test]
fn pinned_memory_that_is_freed_too_early_fails_what_is_queued() {
    alone("failures::pinned_memory_that_is_freed_too_early_fails_what_is_queued", &STRICT, || {
        let context = context();
        let stream = context.new_stream().expect("a stream");
        // SAFETY: that it is too early is what this is about; the library recognises it.
        unsafe {
            let memory = sixteen_bytes();
            let pinned = result::malloc_host(16, 0).expect("memory");
            let gate = Gate::close(stream.cu_stream());
            sys::cuMemcpyHtoDAsync_v2(memory, pinned, 16, stream.cu_stream()).result().expect("queued");
            result::free_host(pinned).expect("freed");
            gate.open();
        }
        assert_eq!(code(stream.synchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    });
}
