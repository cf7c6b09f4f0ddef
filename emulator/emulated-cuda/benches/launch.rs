//! What a launch costs in the library, with `GRIDWRIGHT_EMULATOR_EXECUTE=0`: the call alone, with all its checks.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::time::Instant;

use libloading::Library;

type Launch = unsafe extern "C" fn(
    *mut c_void,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    *mut c_void,
    *mut *mut c_void,
    *mut *mut c_void,
) -> c_int;

const PTX: &str = include_str!("../../tests/ptx/rustc/vector_add.ptx");
const ROUNDS: u32 = 200_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // SAFETY: nothing else runs yet.
    unsafe { std::env::set_var("GRIDWRIGHT_EMULATOR_EXECUTE", "0") };
    let program = std::env::current_exe()?;
    let ptx = std::ffi::CString::new(PTX)?;
    // SAFETY: each call has its type of `cuda.h`, and gets what it asks for.
    unsafe {
        let library = Library::new(program.with_file_name("libgridwright_emulated_cuda.so"))?;
        let call = |name: &str| library.get::<*const c_void>(name.as_bytes()).map(|symbol| *symbol);
        let init: unsafe extern "C" fn(c_uint) -> c_int = std::mem::transmute(call("cuInit")?);
        let retain: unsafe extern "C" fn(*mut *mut c_void, c_int) -> c_int =
            std::mem::transmute(call("cuDevicePrimaryCtxRetain")?);
        let set_current: unsafe extern "C" fn(*mut c_void) -> c_int =
            std::mem::transmute(call("cuCtxSetCurrent")?);
        let load: unsafe extern "C" fn(*mut *mut c_void, *const c_void) -> c_int =
            std::mem::transmute(call("cuModuleLoadData")?);
        let get: unsafe extern "C" fn(*mut *mut c_void, *mut c_void, *const c_char) -> c_int =
            std::mem::transmute(call("cuModuleGetFunction")?);
        let create: unsafe extern "C" fn(*mut *mut c_void, c_uint) -> c_int =
            std::mem::transmute(call("cuStreamCreate")?);
        let launch: Launch = std::mem::transmute(call("cuLaunchKernel")?);
        let [mut context, mut module, mut function, mut stream] = [std::ptr::null_mut(); 4];
        assert_eq!(init(0), 0);
        assert_eq!(retain(&raw mut context, 0), 0);
        assert_eq!(set_current(context), 0);
        assert_eq!(load(&raw mut module, ptx.as_ptr().cast()), 0);
        assert_eq!(get(&raw mut function, module, c"vector_add".as_ptr()), 0);
        assert_eq!(create(&raw mut stream, 1), 0);
        let mut numbers = [0_u64; 8];
        let mut arguments: Vec<*mut c_void> =
            numbers.iter_mut().map(|number| (&raw mut *number).cast()).collect();
        for (name, stream) in [("default stream", std::ptr::null_mut()), ("a stream", stream)] {
            let mut best = f64::INFINITY;
            for _ in 0..5 {
                let start = Instant::now();
                for _ in 0..ROUNDS {
                    let arguments = arguments.as_mut_ptr();
                    let none = std::ptr::null_mut();
                    assert_eq!(launch(function, 8, 1, 1, 128, 1, 1, 0, stream, arguments, none), 0);
                }
                best = best.min(start.elapsed().as_secs_f64() / f64::from(ROUNDS));
            }
            println!("cuLaunchKernel, 8 parameters, {name}: {:.0} ns", best * 1e9);
        }
    }
    Ok(())
}
