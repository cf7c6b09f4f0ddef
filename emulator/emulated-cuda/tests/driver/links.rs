use std::ffi::{CString, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys::{self, CUjit_option_enum as Jit, CUresult};
use cudarc::driver::{DevicePtr, result};

use crate::alone::alone;
use crate::gpu::context;

const NULL: sys::CUstream = null_mut();

const CALLER: &str = ".version 7.0\n.target sm_80\n.address_size 64\n.extern .func (.param .b32 r) seven;\n.visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\n{\n.param .b32 r;\ncall.uni (r), seven, ();\nld.param.b32 %r1, [r];\n}\nld.param.u64 %d1, [a]; st.global.b32 [%d1], %r1; ret;\n}\n";
const CALLED: &str = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .func (.param .b32 r) seven\n{\nst.param.b32 [r], 7; ret;\n}\n";

fn add(link: sys::CUlinkState, kind: sys::CUjitInputType, text: &str) -> CUresult {
    let text = CString::new(text).expect("no zeros");
    let data = text.as_ptr().cast_mut().cast::<c_void>();
    let bytes = text.as_bytes_with_nul().len();
    // SAFETY: the text lives through the call, and there are no options.
    unsafe { sys::cuLinkAddData_v2(link, kind, data, bytes, c"part".as_ptr(), 0, null_mut(), null_mut()) }
}

fn link(registers: usize) -> sys::CUlinkState {
    let mut options = [Jit::CU_JIT_MAX_REGISTERS];
    let mut values = [std::ptr::without_provenance_mut::<c_void>(registers)];
    let mut link = null_mut();
    // SAFETY: arrays of one element each, and an address for the handle.
    let created =
        unsafe { sys::cuLinkCreate_v2(1, options.as_mut_ptr(), values.as_mut_ptr(), &raw mut link) };
    assert_eq!(created, CUresult::CUDA_SUCCESS);
    link
}

#[test]
fn what_one_module_declares_another_defines() {
    alone("links::what_one_module_declares_another_defines", &[], || {
        let context = context();
        let stream = context.default_stream();
        let made = link(24);
        for text in [CALLER, CALLED] {
            assert_eq!(add(made, sys::CUjitInputType::CU_JIT_INPUT_PTX, text), CUresult::CUDA_SUCCESS);
        }
        let (mut image, mut bytes) = (null_mut(), 0);
        // SAFETY: addresses for both results.
        let completed = unsafe { sys::cuLinkComplete(made, &raw mut image, &raw mut bytes) };
        assert_eq!(completed, CUresult::CUDA_SUCCESS);
        // SAFETY: the image is the link's, which isn't destroyed yet.
        let module = unsafe { result::module::load_data(image) }.expect("it loads");
        // SAFETY: the link is of no more use.
        assert_eq!(unsafe { sys::cuLinkDestroy(made) }, CUresult::CUDA_SUCCESS);
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(module, c"k".to_owned()) }.expect("it is there");
        let registers = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NUM_REGS;
        // SAFETY: the function is loaded.
        let registers = unsafe { result::function::get_function_attribute(function, registers) };
        assert!(registers.expect("it is known") <= 24);
        let there = stream.alloc_zeros::<u32>(1).expect("memory");
        let (mut address, _written) = there.device_ptr(&stream);
        let mut arguments = [(&raw mut address).cast()];
        // SAFETY: the parameter of the entry.
        unsafe { result::launch_kernel(function, (1, 1, 1), (1, 1, 1), 0, NULL, &mut arguments) }
            .expect("launched");
        assert_eq!(stream.clone_dtoh(&there).expect("copied"), [7]);
    });
}

#[test]
fn machine_code_is_refused_and_a_second_definition_too() {
    alone("links::machine_code_is_refused_and_a_second_definition_too", &[], || {
        let _context = context();
        let made = link(0);
        let cubin = add(made, sys::CUjitInputType::CU_JIT_INPUT_CUBIN, "\u{7f}ELF");
        assert_eq!(cubin, CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU);
        for _ in 0..2 {
            assert_eq!(add(made, sys::CUjitInputType::CU_JIT_INPUT_PTX, CALLED), CUresult::CUDA_SUCCESS);
        }
        let (mut image, mut bytes) = (null_mut(), 0);
        // SAFETY: addresses for both results.
        let completed = unsafe { sys::cuLinkComplete(made, &raw mut image, &raw mut bytes) };
        assert_eq!(completed, CUresult::CUDA_ERROR_INVALID_PTX);
    });
}

/// A grid that waits for itself: each group then sees what the other wrote.
const GRID: &str = ".version 7.0\n.target sm_80\n.address_size 64\n.extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 scope);\n.extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);\n.visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<6>; .reg .b64 %d<6>; ld.param.u64 %d1, [a]; mov.u32 %r1, %ctaid.x; mad.wide.u32 %d2, %r1, 4, %d1; add.u32 %r2, %r1, 1; st.global.b32 [%d2], %r2;\n{\n.param .b32 scope; .param .b64 r; st.param.b32 [scope], 1;\ncall.uni (r), cudaCGGetIntrinsicHandle, (scope); ld.param.b64 %d3, [r];\n}\n{\n.param .b64 handle; .param .b32 flags; .param .b32 r; st.param.b64 [handle], %d3; st.param.b32 [flags], 0;\ncall.uni (r), cudaCGSynchronize, (handle, flags); ld.param.b32 %r5, [r];\n}\nxor.b32 %r3, %r1, 1; mad.wide.u32 %d4, %r3, 4, %d1; ld.global.b32 %r4, [%d4]; st.global.b32 [%d2+8], %r4; ret;\n}\n";

#[test]
fn a_grid_waits_with_the_functions_of_the_device_runtime() {
    let checks = [("GRIDWRIGHT_EMULATOR_CHECKS", "error")];
    alone("links::a_grid_waits_with_the_functions_of_the_device_runtime", &checks, || {
        let context = context();
        let stream = context.default_stream();
        let made = link(0);
        assert_eq!(add(made, sys::CUjitInputType::CU_JIT_INPUT_PTX, GRID), CUresult::CUDA_SUCCESS);
        let (name, library) = (c"libcudadevrt.a".as_ptr(), sys::CUjitInputType::CU_JIT_INPUT_LIBRARY);
        // SAFETY: no bytes are read, and there are no options.
        let added =
            unsafe { sys::cuLinkAddData_v2(made, library, null_mut(), 0, name, 0, null_mut(), null_mut()) };
        assert_eq!(added, CUresult::CUDA_SUCCESS);
        let (mut image, mut bytes) = (null_mut(), 0);
        // SAFETY: addresses for both results.
        let completed = unsafe { sys::cuLinkComplete(made, &raw mut image, &raw mut bytes) };
        assert_eq!(completed, CUresult::CUDA_SUCCESS);
        // SAFETY: the image is the link's, which isn't destroyed.
        let module = unsafe { result::module::load_data(image) }.expect("it loads");
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(module, c"k".to_owned()) }.expect("it is there");
        let there = stream.alloc_zeros::<u32>(4).expect("memory");
        let (mut address, written) = there.device_ptr(&stream);
        let mut arguments = [(&raw mut address).cast()];
        for _ in 0..2 {
            // SAFETY: the parameter of the entry.
            unsafe {
                result::launch_cooperative_kernel(function, (2, 1, 1), (1, 1, 1), 0, NULL, &mut arguments)
            }
            .expect("launched");
        }
        drop(written);
        assert_eq!(stream.clone_dtoh(&there).expect("copied"), [1, 2, 2, 1]);
    });
}
