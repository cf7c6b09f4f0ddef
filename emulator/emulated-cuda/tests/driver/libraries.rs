//! Libraries and their kernels.

use std::ffi::{CStr, CString, c_char, c_void};

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{context, increment, launch};

const NULL: sys::CUstream = std::ptr::null_mut();

fn load(ptx: &str) -> Result<sys::CUlibrary, CUresult> {
    let text = CString::new(ptx).expect("no zeros");
    let (none, nothing) = (std::ptr::null_mut(), std::ptr::null_mut());
    let mut library = std::ptr::null_mut();
    // SAFETY: a text with a zero behind it, and no options.
    let answer = unsafe {
        let image = text.as_ptr().cast();
        sys::cuLibraryLoadData(&raw mut library, image, none, nothing, 0, std::ptr::null_mut(), nothing, 0)
    };
    if answer == CUresult::CUDA_SUCCESS { Ok(library) } else { Err(answer) }
}

// The bindings are of a CUDA that doesn't have them.
type NameOf = unsafe extern "C" fn(*mut *const c_char, sys::CUfunction) -> CUresult;
type Parameter = unsafe extern "C" fn(sys::CUkernel, usize, *mut usize, *mut usize) -> CUresult;

#[test]
fn kernels_of_libraries_are_functions_in_each_context() {
    alone("libraries::kernels_of_libraries_are_functions_in_each_context", &[], || {
        result::init().expect("initialised");
        let ptx = increment().replace(".visible", ".global .align 4 .u32 word = 5;\n.visible");
        let library = load(&ptx).expect("loaded without a context");
        let context = context();
        let mut words = [0_u32; 4];
        // SAFETY: the library is loaded, and there is a place for each result.
        unsafe {
            let mut kernel = std::ptr::null_mut();
            sys::cuLibraryGetKernel(&raw mut kernel, library, c"k".as_ptr()).result().expect("there");
            let absent = sys::cuLibraryGetKernel(&raw mut kernel, library, c"no".as_ptr());
            assert_eq!(absent, CUresult::CUDA_ERROR_NOT_FOUND);
            let mut name: *const c_char = std::ptr::null();
            let memory = result::malloc_sync(16).expect("memory");
            result::memset_d8_sync(memory, 0, 16).expect("set");
            // As libcudart does.
            launch(kernel.cast(), 1, 4, 0, NULL, memory).expect("launched");
            let mut function = std::ptr::null_mut();
            sys::cuKernelGetFunction(&raw mut function, kernel).result().expect("there");
            launch(function, 1, 4, 0, NULL, memory).expect("launched");
            result::memcpy_dtoh_sync(&mut words, memory).expect("copied");
            assert_eq!(words, [2; 4]);
            let cuda = libloading::Library::new("libcuda.so.1").expect("there");
            let name_of = *cuda.get::<NameOf>(b"cuFuncGetName").expect("exported");
            assert_eq!(name_of(&raw mut name, function), CUresult::CUDA_SUCCESS);
            assert_eq!(CStr::from_ptr(name), c"k");
            let (mut address, mut bytes) = (0, 0);
            let global = sys::cuLibraryGetGlobal(&raw mut address, &raw mut bytes, library, c"word".as_ptr());
            assert_eq!((global, bytes), (CUresult::CUDA_SUCCESS, 4));
            let (mut offset, mut size) = (9, 9);
            let parameter = *cuda.get::<Parameter>(b"cuKernelGetParamInfo").expect("exported");
            assert_eq!(parameter(kernel, 0, &raw mut offset, &raw mut size), CUresult::CUDA_SUCCESS);
            assert_eq!((offset, size), (0, 8));
            let mut most = 0;
            let threads = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
            sys::cuKernelGetAttribute(&raw mut most, threads, kernel, 0).result().expect("known");
            assert_eq!(most, 1024);
            context.synchronize().expect("all ran");
            sys::cuLibraryUnload(library).result().expect("unloaded");
            let gone = launch(kernel.cast(), 1, 4, 0, NULL, memory).expect_err("gone");
            assert_eq!(gone.0, CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
    });
}

#[test]
fn errors_of_an_image_show_when_it_is_loaded() {
    alone("libraries::errors_of_an_image_show_when_it_is_loaded", &[], || {
        result::init().expect("initialised");
        assert_eq!(load("no PTX"), Err(CUresult::CUDA_ERROR_INVALID_PTX));
    });
}

#[test]
fn streams_wait_for_words_and_write_them() {
    alone("libraries::streams_wait_for_words_and_write_them", &[], || {
        let context = context();
        let (first, second) = (context.new_stream().expect("one"), context.new_stream().expect("one"));
        let mut word = [0_u32; 1];
        // SAFETY: within the memory.
        unsafe {
            let memory = result::malloc_sync(16).expect("memory");
            result::memset_d8_sync(memory, 0, 16).expect("set");
            context.synchronize().expect("other streams don't wait for it");
            let (first, second) = (first.cu_stream(), second.cu_stream());
            sys::cuStreamWaitValue32_v2(first, memory, 3, 0).result().expect("queued");
            sys::cuStreamWriteValue32_v2(first, memory + 4, 9, 0).result().expect("queued");
            assert_eq!(sys::cuStreamQuery(first), CUresult::CUDA_ERROR_NOT_READY);
            sys::cuStreamWriteValue64_v2(second, memory, 3, 0).result().expect("queued");
            result::stream::synchronize(first).expect("it went on");
            result::memcpy_dtoh_sync(&mut word, memory + 4).expect("copied");
            assert_eq!(word, [9]);
            let misaligned = sys::cuStreamWaitValue32_v2(first, memory + 2, 3, 0);
            assert_eq!(misaligned, CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    });
}

#[test]
fn advice_on_managed_memory_is_kept() {
    alone("libraries::advice_on_managed_memory_is_kept", &[], || {
        let _context = context();
        let flag = sys::CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL;
        // SAFETY: places for the results.
        unsafe {
            let memory = result::malloc_managed(4096, flag).expect("memory");
            let advise = |advice: u32, device: i32| {
                type Advise = unsafe extern "C" fn(u64, usize, u32, i32) -> i32;
                let library = libloading::Library::new("libcuda.so.1").expect("there");
                let call = *library.get::<Advise>(b"cuMemAdvise").expect("exported");
                call(memory, 4096, advice, device)
            };
            let ask = |attribute: u32| {
                type Ask = unsafe extern "C" fn(*mut c_void, usize, u32, u64, usize) -> i32;
                let library = libloading::Library::new("libcuda.so.1").expect("there");
                let call = *library.get::<Ask>(b"cuMemRangeGetAttribute").expect("exported");
                let mut value = 77_i32;
                assert_eq!(call((&raw mut value).cast(), 4, attribute, memory, 4096), 0);
                value
            };
            assert_eq!((ask(1), ask(2), ask(3), ask(4)), (0, -2, -2, -2));
            assert_eq!((advise(1, 0), advise(3, -1), advise(5, 0), advise(3, 7)), (0, 0, 0, 101));
            assert_eq!((ask(1), ask(2), ask(3)), (1, -1, 0));
        }
    });
}
