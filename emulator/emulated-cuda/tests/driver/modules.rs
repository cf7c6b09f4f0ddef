use std::ffi::{CString, c_void};

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUjit_option_enum as Jit, CUresult};

use crate::alone::alone;
use crate::gpu::{NVCC, VECTOR_ADD, code, context, function, increment, kernel, load};

const NULL: sys::CUstream = std::ptr::null_mut();

#[test]
fn what_rustc_compiled_runs() {
    alone("modules::what_rustc_compiled_runs", &[("GRIDWRIGHT_EMULATOR_CHECKS", "error")], || {
        let context = context();
        let stream = context.default_stream();
        let function = function(load(VECTOR_ADD).expect("it loads"), "vector_add");
        let a: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let b: Vec<f32> = (0..1000).map(|i| 0.5 * i as f32).collect();
        let (a_there, b_there) =
            (stream.clone_htod(&a).expect("copied"), stream.clone_htod(&b).expect("copied"));
        let c_there = stream.alloc_zeros::<f32>(1000).expect("memory");
        let [mut a_address, mut b_address, mut c_address] =
            [&a_there, &b_there, &c_there].map(|slice| slice.address(&stream));
        let (mut last, mut length, mut owned) = (999_u32, 1000_u64, 1000_u32);
        let mut arguments: [*mut c_void; 8] = [
            (&raw mut last).cast(),
            (&raw mut a_address).cast(),
            (&raw mut length).cast(),
            (&raw mut b_address).cast(),
            (&raw mut length).cast(),
            (&raw mut c_address).cast(),
            (&raw mut length).cast(),
            (&raw mut owned).cast(),
        ];
        // SAFETY: the parameters of the entry, as its PTX has them.
        unsafe { result::launch_kernel(function, (8, 1, 1), (128, 1, 1), 0, NULL, &mut arguments) }
            .expect("launched");
        let c = stream.clone_dtoh(&c_there).expect("copied");
        assert!((0..1000).all(|i| c[i] == a[i] + b[i]));
    });
}

/// The address of a slice.
trait Address {
    fn address(&self, stream: &cudarc::driver::CudaStream) -> u64;
}

impl Address for cudarc::driver::CudaSlice<f32> {
    fn address(&self, stream: &cudarc::driver::CudaStream) -> u64 {
        use cudarc::driver::DevicePtr;
        self.device_ptr(stream).0
    }
}

#[test]
fn what_nvcc_compiled_runs() {
    alone("modules::what_nvcc_compiled_runs", &[("GRIDWRIGHT_EMULATOR_CHECKS", "error")], || {
        let context = context();
        let stream = context.default_stream();
        let saxpy = function(load(NVCC).expect("it loads"), "saxpy");
        let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let (x_there, y_there) =
            (stream.clone_htod(&x).expect("copied"), stream.clone_htod(&[1.0_f32; 1000]).expect("copied"));
        let (mut a, mut n) = (2.0_f32, 1000_u32);
        let [mut x_address, mut y_address] = [&x_there, &y_there].map(|slice| slice.address(&stream));
        let mut arguments: [*mut c_void; 4] = [
            (&raw mut a).cast(),
            (&raw mut x_address).cast(),
            (&raw mut y_address).cast(),
            (&raw mut n).cast(),
        ];
        // SAFETY: the parameters of the entry, as its PTX has them.
        unsafe { result::launch_kernel(saxpy, (4, 1, 1), (256, 1, 1), 0, NULL, &mut arguments) }
            .expect("launched");
        let y = stream.clone_dtoh(&y_there).expect("copied");
        assert!((0..1000).all(|i| y[i] == 2.0 * x[i] + 1.0));
    });
}

#[test]
fn refused_images_have_an_error_and_a_log() {
    alone("modules::refused_images_have_an_error_and_a_log", &[], || {
        let _context = context();
        let log_of = |image: &str| {
            let image = CString::new(image).expect("no zeros");
            let mut log = [1_u8; 256];
            let mut options = [Jit::CU_JIT_ERROR_LOG_BUFFER, Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
            let mut values: [*mut c_void; 2] =
                [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(256)];
            let mut module = std::ptr::null_mut();
            // SAFETY: a text with a zero behind it, and as many values as options.
            let answer = unsafe {
                let (options, values) = (options.as_mut_ptr(), values.as_mut_ptr());
                sys::cuModuleLoadDataEx(&raw mut module, image.as_ptr().cast(), 2, options, values)
            };
            let length = values[1].addr();
            let text = String::from_utf8_lossy(&log[..length.saturating_sub(1)]).into_owned();
            assert_eq!(log.get(length.wrapping_sub(1)), Some(&0));
            (answer, text)
        };
        let (answer, log) = log_of(&kernel("", "ret;\nfrobnicate.u32 %r1, %r2;"));
        assert_eq!(answer, CUresult::CUDA_ERROR_INVALID_PTX);
        assert!(log.contains("line 11") && log.contains("frobnicate"), "{log}");
        let (answer, log) = log_of(&increment().replace(".version 7.0", ".version 9.9"));
        assert_eq!(answer, CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
        assert!(log.contains("9.9"), "{log}");
        let (answer, log) = log_of(&increment().replace("sm_80", "sm_100"));
        assert_eq!(answer, CUresult::CUDA_ERROR_INVALID_PTX);
        assert!(log.contains("sm_100"), "{log}");
        assert_eq!(log_of("\x7fELF").0, CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU);
        assert_eq!(log_of("").0, CUresult::CUDA_ERROR_INVALID_PTX);
        // None of it stays.
        result::ctx::synchronize().expect("fine");
    });
}

#[test]
fn names_are_found_or_not() {
    alone("modules::names_are_found_or_not", &[], || {
        let _context = context();
        let text = increment()
            .replace(".visible", ".visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};\n.visible");
        let module = load(&text).expect("it loads");
        let name = |name: &str| CString::new(name).expect("no zeros");
        // SAFETY: a module that is loaded, until it is unloaded.
        unsafe {
            let (address, bytes) = result::module::get_global(module, name("table")).expect("there");
            assert_eq!(bytes, 16);
            let mut table = [0_u32; 4];
            result::memcpy_dtoh_sync(&mut table, address).expect("copied");
            assert_eq!(table, [1, 2, 3, 4]);
            let missing = result::module::get_global(module, name("other"));
            assert_eq!(code(missing), CUresult::CUDA_ERROR_NOT_FOUND);
            let missing = result::module::get_function(module, name("other"));
            assert_eq!(code(missing), CUresult::CUDA_ERROR_NOT_FOUND);
            let k = function(module, "k");
            assert_eq!(k, function(module, "k"));
            result::module::unload(module).expect("unloaded");
            let gone = result::module::get_function(module, name("k"));
            assert_eq!(code(gone), CUresult::CUDA_ERROR_INVALID_HANDLE);
            let gone = crate::gpu::launch(k, 1, 1, 0, NULL, 0);
            assert_eq!(code(gone), CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
    });
}
