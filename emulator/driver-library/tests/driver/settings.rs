use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaContext, result, sys};

use crate::alone::alone;
use crate::gpu::{code, context, increment, kernel, launch, loaded};

const NULL: sys::CUstream = std::ptr::null_mut();

#[test]
fn a_machine_without_devices() {
    alone("settings::a_machine_without_devices", &[("GRIDWRIGHT_EMULATOR_DEVICES", "0")], || {
        assert_eq!(code(result::init()), CUresult::CUDA_ERROR_NO_DEVICE);
    });
}

#[test]
fn values_that_mean_nothing_are_refused_aloud() {
    let variables = [("GRIDWRIGHT_EMULATOR_CHECKS", "maybe")];
    let said = alone("settings::values_that_mean_nothing_are_refused_aloud", &variables, || {
        assert_eq!(code(result::init()), CUresult::CUDA_ERROR_INVALID_VALUE);
        let count = result::device::get_count();
        assert_eq!(code(count), CUresult::CUDA_ERROR_NOT_INITIALIZED);
    });
    assert!(said.contains("GRIDWRIGHT_EMULATOR_CHECKS is `maybe`"), "{said}");
}

#[test]
fn memory_and_architecture_are_chosen() {
    let variables =
        [("GRIDWRIGHT_EMULATOR_MEMORY", "1048576"), ("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "sm_75")];
    alone("settings::memory_and_architecture_are_chosen", &variables, || {
        let context = CudaContext::new(0).expect("a device");
        assert_eq!(context.compute_capability().expect("known"), (7, 5));
        assert_eq!(context.total_mem().expect("known"), 1 << 20);
        // SAFETY: freed below.
        unsafe {
            let most = result::malloc_sync(1 << 20).expect("all of it");
            assert_eq!(code(result::malloc_sync(1)), CUresult::CUDA_ERROR_OUT_OF_MEMORY);
            result::free_sync(most).expect("freed");
            result::malloc_sync(1).expect("there is room again");
        }
        assert_eq!(code(crate::gpu::load(&increment())), CUresult::CUDA_ERROR_INVALID_PTX);
    });
}

/// All lanes write one word: a race.
fn racy() -> String {
    kernel("", "mov.u32 %r1, %tid.x;\nst.global.u32 [%a1], %r1;")
}

fn run(ptx: &str) -> Result<(), cudarc::driver::DriverError> {
    let _context = context();
    // SAFETY: within the memory.
    unsafe {
        let memory = result::malloc_sync(256)?;
        result::memset_d8_sync(memory, 0, 256)?;
        launch(loaded(ptx), 1, 64, 0, NULL, memory)?;
        let mut bytes = [0_u8; 256];
        result::ctx::synchronize()?;
        result::memcpy_dtoh_sync(&mut bytes, memory)?;
        println!("first byte: {}", bytes[0]);
    }
    Ok(())
}

#[test]
fn findings_are_printed() {
    let said = alone("settings::findings_are_printed", &[], || run(&racy()).expect("a race is no error"));
    assert!(said.contains("gridwright emulator: warning: race"), "{said}");
}

#[test]
fn findings_are_errors_if_one_wants() {
    let variables = [("GRIDWRIGHT_EMULATOR_CHECKS", "error")];
    let said = alone("settings::findings_are_errors_if_one_wants", &variables, || {
        assert_eq!(code(run(&racy())), CUresult::CUDA_ERROR_LAUNCH_FAILED);
    });
    assert!(said.contains("gridwright emulator: warning: race"), "{said}");
}

#[test]
fn findings_are_not_looked_for_if_one_wants() {
    let variables = [("GRIDWRIGHT_EMULATOR_CHECKS", "off")];
    let said = alone("settings::findings_are_not_looked_for_if_one_wants", &variables, || {
        run(&racy()).expect("nobody looks");
    });
    assert!(!said.contains("race:"), "{said}");
}

#[test]
fn kernels_do_not_run_if_one_wants() {
    let variables = [("GRIDWRIGHT_EMULATOR_EXECUTE", "0")];
    let said = alone("settings::kernels_do_not_run_if_one_wants", &variables, || {
        run(&increment()).expect("nothing runs");
        let _context = context();
        let refused = launch(loaded(&increment()), 1, 2000, 0, NULL, 0);
        assert_eq!(code(refused), CUresult::CUDA_ERROR_INVALID_VALUE);
    });
    assert!(said.contains("first byte: 0"), "{said}");
}
