use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::context;

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(code: i32) -> !;
}

#[test]
fn a_forked_process_has_no_driver() {
    alone("forks::a_forked_process_has_no_driver", &[], || {
        let _context = context();
        // SAFETY: the child calls the driver, which takes no lock before it refuses, and ends.
        let child = unsafe { fork() };
        if child == 0 {
            // SAFETY: 0 is the only flag, and ends that run nothing of this process's.
            unsafe { _exit(i32::from(sys::cuInit(0) == CUresult::CUDA_ERROR_NOT_INITIALIZED)) };
        }
        let mut status = 0;
        // SAFETY: the status has an address of its own.
        let waited = unsafe { waitpid(child, &raw mut status, 0) };
        assert_eq!((waited, status), (child, 1 << 8));
        context().default_stream().synchronize().expect("the parent's driver is as it was");
    });
}
