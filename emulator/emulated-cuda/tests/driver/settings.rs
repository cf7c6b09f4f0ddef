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
    let variables = [("GRIDWRIGHT_EMULATOR_CHECKS", "warn")];
    let said =
        alone("settings::findings_are_printed", &variables, || run(&racy()).expect("a race is no error"));
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
fn findings_are_appended_to_a_file_as_json() {
    let path = std::env::temp_dir().join(format!("gridwright-findings-{}.json", std::process::id()));
    let variables = [
        ("GRIDWRIGHT_EMULATOR_CHECKS", "warn"),
        ("GRIDWRIGHT_EMULATOR_FINDINGS", path.to_str().expect("text")),
    ];
    let said = alone("settings::findings_are_appended_to_a_file_as_json", &variables, || {
        run(&racy()).expect("a race is no error");
        run(&racy()).expect("a race is no error");
    });
    assert!(said.contains("gridwright emulator: warning: race"), "{said}");
    let text = std::fs::read_to_string(&path).expect("still there");
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(text.lines().count(), 2, "{text}");
    for line in text.lines() {
        let found: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&found["kind"], &found["severity"]), (&"race".into(), &"warning".into()));
        assert!(found["other"]["ptx_line"].is_u64() && found["access"]["space"] == "global", "{found}");
    }
}

#[test]
fn findings_as_json_take_the_place_of_the_text_if_one_wants() {
    let variables = [("GRIDWRIGHT_EMULATOR_CHECKS", "warn"), ("GRIDWRIGHT_EMULATOR_FINDINGS", "-")];
    let said =
        alone("settings::findings_as_json_take_the_place_of_the_text_if_one_wants", &variables, || {
            run(&racy()).expect("a race is no error");
        });
    assert!(said.contains(r#""kind":"race""#) && !said.contains("gridwright emulator:"), "{said}");
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

#[test]
fn devices_have_no_pools_if_one_wants() {
    let variables = [("GRIDWRIGHT_EMULATOR_POOLS", "0")];
    alone("settings::devices_have_no_pools_if_one_wants", &variables, || {
        let context = context();
        let attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED;
        assert_eq!(context.attribute(attribute).expect("known"), 0);
        let not_supported = CUresult::CUDA_ERROR_NOT_SUPPORTED;
        // SAFETY: refused; the last is freed.
        unsafe {
            assert_eq!(code(result::device::get_default_mem_pool(0)), not_supported);
            assert_eq!(code(result::malloc_async(NULL, 16)), not_supported);
            let memory = result::malloc_sync(16).expect("memory");
            assert_eq!(code(result::free_async(memory, NULL)), not_supported);
            result::free_sync(memory).expect("freed");
        }
    });
}

#[test]
fn an_older_driver_takes_older_ptx() {
    let variables = [("GRIDWRIGHT_EMULATOR_CUDA", "11.0")];
    alone("settings::an_older_driver_takes_older_ptx", &variables, || {
        let _context = context();
        let mut version = 0;
        // SAFETY: a number to write.
        unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().expect("known");
        assert_eq!(version, 11_000);
        crate::gpu::load(&increment()).expect("of version 7.0");
        let newer = increment().replace(".version 7.0", ".version 7.1");
        assert_eq!(code(crate::gpu::load(&newer)), CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    });
}

#[test]
fn launches_with_more_registers_than_there_are_are_refused() {
    let variables = [("GRIDWRIGHT_EMULATOR_REGISTERS", "128")];
    alone("settings::launches_with_more_registers_than_there_are_are_refused", &variables, || {
        let _context = context();
        let function = loaded(&kernel("", ""));
        launch(function, 1, 512, 0, NULL, 0).expect("all registers");
        let refused = launch(function, 1, 513, 0, NULL, 0);
        assert_eq!(code(refused), CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
        result::ctx::synchronize().expect("nothing stays");
    });
}

#[test]
fn ptx_with_an_instruction_that_is_unknown_is_refused() {
    let variables = [("GRIDWRIGHT_EMULATOR_UNKNOWN", "st.global.u32")];
    alone("settings::ptx_with_an_instruction_that_is_unknown_is_refused", &variables, || {
        let _context = context();
        assert_eq!(code(crate::gpu::load(&increment())), CUresult::CUDA_ERROR_INVALID_PTX);
        crate::gpu::load(&kernel("", "")).expect("that doesn't store");
    });
}
