//! Stands in for a tool, and for `libnvToolsExt`: writes what it is told to a file. The test compiles it by itself.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::io::Write;
use std::ptr;

fn write(line: &str) {
    let path = std::env::var_os("NVTX_STAND_IN_LOG").expect("a file");
    let mut file = std::fs::File::options().append(true).create(true).open(path).expect("a file");
    writeln!(file, "{line}").expect("room");
}

/// # Safety
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvtxRangePushA(name: *const c_char) -> c_int {
    // SAFETY: the text ends with a zero, as this function asks.
    write(&format!("push {}", unsafe { CStr::from_ptr(name) }.to_str().expect("UTF-8")));
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn nvtxRangePop() -> c_int {
    write("pop");
    0
}

type Functions = *mut *mut *const c_void;

#[repr(C)]
struct Callbacks {
    size: usize,
    table: unsafe extern "C" fn(c_uint, *mut Functions, *mut c_uint) -> c_int,
}

#[repr(C)]
struct VersionInfo {
    size: usize,
    version: u32,
    reserved: u32,
    set: unsafe extern "C" fn(u32),
}

/// As Nsight Systems does it: takes what it is offered, and puts its functions into the slots of all modules that it knows.
///
/// # Safety
/// The tables are those of NVTX 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn InitializeInjectionNvtx2(export: unsafe extern "C" fn(u32) -> *const c_void) -> c_int {
    // SAFETY: `export` is that of NVTX 3, as this function asks, which takes any number.
    let (version, callbacks, none) = unsafe { (export(3), export(1), export(2)) };
    assert!(none.is_null() && !version.is_null() && !callbacks.is_null());
    // SAFETY: neither is null; the tables of these numbers have these types in NVTX 3, as this function asks.
    let (version, callbacks) = unsafe { (&*version.cast::<VersionInfo>(), &*callbacks.cast::<Callbacks>()) };
    assert!(version.size == size_of::<VersionInfo>() && version.version == 3);
    assert!(callbacks.size == size_of::<Callbacks>());
    // SAFETY: the function is that of NVTX 3's table, and takes a tool's version.
    unsafe { (version.set)(3) };
    let (mut table, mut size): (Functions, c_uint) = (ptr::null_mut(), 0);
    // Those of NVIDIA's header, and what it doesn't have.
    for (module, expected) in [(0, 0), (2, 9), (3, 15), (4, 7), (5, 16), (6, 7), (7, 0), (1, 16)] {
        // SAFETY: the function is that of NVTX 3's table; there is room for both results.
        let is_there = unsafe { (callbacks.table)(module, &raw mut table, &raw mut size) } != 0;
        assert_eq!((module, is_there), (module, expected != 0));
        if !is_there {
            continue;
        }
        assert_eq!((module, size), (module, expected));
        for slot in 1..size as usize {
            // SAFETY: a table of so many addresses of slots.
            unsafe { (*table.add(slot)).write(ptr::null()) };
        }
        // SAFETY: a table of so many addresses, and a null at the end.
        assert!(unsafe { (*table).is_null() && (*table.add(size as usize)).is_null() });
    }
    // The last one is that of the core.
    // SAFETY: the table has 16 addresses, as was just seen, and those of both numbers are of slots.
    unsafe {
        (*table.add(9)).write(nvtxRangePushA as *const c_void);
        (*table.add(11)).write(nvtxRangePop as *const c_void);
    }
    1
}
