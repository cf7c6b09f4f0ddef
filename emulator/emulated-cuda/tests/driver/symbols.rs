use std::ffi::{CString, c_void};

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;

fn address(name: &str, version: i32) -> Result<*mut c_void, CUresult> {
    let name = CString::new(name).expect("no zeros");
    let mut address = std::ptr::null_mut();
    let mut status = sys::CUdriverProcAddressQueryResult_enum::CU_GET_PROC_ADDRESS_SUCCESS;
    // SAFETY: a name, and places for the results.
    let answer =
        unsafe { sys::cuGetProcAddress_v2(name.as_ptr(), &raw mut address, version, 0, &raw mut status) };
    if answer == CUresult::CUDA_SUCCESS { Ok(address) } else { Err(answer) }
}

#[test]
fn calls_are_found_by_name() {
    alone("symbols::calls_are_found_by_name", &[], || {
        // SAFETY: nothing is called through the symbol.
        let exported = |name: &str| unsafe {
            let library = libloading::Library::new("libcuda.so.1").expect("there");
            *library.get::<*mut c_void>(name.as_bytes()).expect("exported")
        };
        assert_eq!(address("cuMemAlloc", 12000).expect("there"), exported("cuMemAlloc_v2"));
        assert_eq!(address("cuInit", 12000).expect("there"), exported("cuInit"));
        assert_eq!(address("cuMemAlloc", 2000).expect("there"), exported("cuMemAlloc"));
        assert_eq!(address("cuNothing", 12000), Err(CUresult::CUDA_ERROR_NOT_FOUND));
        assert_eq!(address("cuKernelGetName", 12000), Err(CUresult::CUDA_ERROR_NOT_FOUND));
        assert_eq!(address("cuInit", 99000), Err(CUresult::CUDA_ERROR_NOT_FOUND));
    });
}

/// What programs bind to when they start: one missing name, and they don't.
#[test]
fn each_function_of_the_header_is_exported() {
    alone("symbols::each_function_of_the_header_is_exported", &[], || {
        // SAFETY: nothing is called through the symbols.
        let library = unsafe { libloading::Library::new("libcuda.so.1") }.expect("there");
        // SAFETY: nothing is called through the symbol.
        let is_there = |name: &str| unsafe { library.get::<*mut c_void>(name.as_bytes()) }.is_ok();
        for line in include_str!("../../functions.txt").lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            assert!(is_there(words[0]), "{}", words[0]);
            assert!(words.get(2).is_none_or(|suffix| is_there(&format!("{}_{suffix}", words[0]))), "{line}");
        }
    });
}

#[test]
fn there_are_no_tables_of_nameless_functions() {
    alone("symbols::there_are_no_tables_of_nameless_functions", &[], || {
        type Table = unsafe extern "C" fn(*mut *const c_void, *const [u8; 16]) -> i32;
        // SAFETY: the function's type is that of `cuda.h`.
        let table = unsafe {
            let library = libloading::Library::new("libcuda.so.1").expect("there");
            *library.get::<Table>(b"cuGetExportTable").expect("exported")
        };
        let mut found = std::ptr::dangling();
        // SAFETY: a place for the result, and an identifier.
        let answer = unsafe { table(&raw mut found, &[7; 16]) };
        assert!(answer != 0 && found.is_null());
    });
}

#[test]
fn errors_have_names_and_texts() {
    alone("symbols::errors_have_names_and_texts", &[], || {
        let error = result::DriverError(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        assert_eq!(error.error_name().expect("a name").to_bytes(), b"CUDA_ERROR_ILLEGAL_ADDRESS");
        let text = error.error_string().expect("a text");
        assert_eq!(text.to_bytes(), b"an illegal memory access was encountered");
    });
}
