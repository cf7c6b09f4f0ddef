use std::ffi::c_int;

use crate::alone::with_kernels;
use crate::hip::{
    Handle, ILLEGAL_ADDRESS, LAUNCH_TIMEOUT, check, download, hip, kernel, launch, malloc, stream,
    synchronize, upload,
};

#[test]
fn a_fault_is_an_error_that_stays_until_the_device_is_reset() {
    let test = "failures::a_fault_is_an_error_that_stays_until_the_device_is_reset";
    let variables = [("GRIDWRIGHT_EMULATOR_DEVICES", "2")];
    let said = with_kernels(test, &variables, || {
        let (store, memory, stream) = (kernel("store"), malloc(64), stream());
        // Behind an allocation there is nothing.
        check(launch(store, 1, 1, 0, stream, &[memory + 256, 1]));
        check(launch(store, 1, 1, 0, stream, &[memory, 1]));
        assert_eq!(synchronize(), ILLEGAL_ADDRESS);
        assert_eq!(hip!(hipStreamQuery(stream => Handle)), ILLEGAL_ADDRESS);
        assert_eq!(launch(store, 1, 1, 0, stream, &[memory, 1]), ILLEGAL_ADDRESS);
        // The other device doesn't know of it.
        check(hip!(hipSetDevice(1 => c_int)));
        let memory = malloc(64);
        check(launch(kernel("store"), 1, 1, 0, std::ptr::null_mut(), &[memory, 2]));
        check(synchronize());
        assert_eq!(download(memory, 1), [2]);
        check(hip!(hipSetDevice(0 => c_int)));
        check(hip!(hipDeviceReset()));
        let memory = malloc(64);
        check(launch(kernel("store"), 1, 1, 0, std::ptr::null_mut(), &[memory, 3]));
        check(synchronize());
        assert_eq!(download(memory, 1), [3]);
    });
    if let Some(said) = said {
        assert!(said.contains("the kernel `store` on device 0 used memory that isn't there"), "{said}");
    }
}

#[test]
fn memory_that_was_freed_and_memory_of_others_is_not_reached() {
    let test = "failures::memory_that_was_freed_and_memory_of_others_is_not_reached";
    with_kernels(test, &[("GRIDWRIGHT_EMULATOR_DEVICES", "2")], || {
        let (store, memory) = (kernel("store"), malloc(64));
        check(launch(store, 1, 1, 0, std::ptr::null_mut(), &[memory, 1]));
        check(synchronize());
        check(hip!(hipFree(memory => u64)));
        check(launch(store, 1, 1, 0, std::ptr::null_mut(), &[memory, 1]));
        assert_eq!(synchronize(), ILLEGAL_ADDRESS);
        check(hip!(hipDeviceReset()));
        let memory = upload(&[7]);
        check(hip!(hipSetDevice(1 => c_int)));
        check(launch(kernel("store"), 1, 1, 0, std::ptr::null_mut(), &[memory, 1]));
        assert_eq!(synchronize(), ILLEGAL_ADDRESS);
        check(hip!(hipSetDevice(0 => c_int)));
        assert_eq!(download(memory, 1), [7]);
    });
}

#[test]
fn a_kernel_that_does_not_end_is_ended() {
    let test = "failures::a_kernel_that_does_not_end_is_ended";
    // Long enough for the emulator to start.
    let said = with_kernels(test, &[("GRIDWRIGHT_EMULATOR_PATIENCE_S", "30")], || {
        let memory = upload(&[0]);
        check(launch(kernel("wait"), 1, 1, 0, std::ptr::null_mut(), &[memory]));
        assert_eq!(synchronize(), LAUNCH_TIMEOUT);
    });
    if let Some(said) = said {
        assert!(said.contains("the kernel `wait` on device 0"), "{said}");
    }
}

#[test]
fn a_program_that_follows_a_pointer_to_a_devices_memory_is_stopped() {
    use std::os::unix::process::ExitStatusExt;
    const INNER: &str = "GRIDWRIGHT_TEST_FOLLOWS";
    let test = "failures::a_program_that_follows_a_pointer_to_a_devices_memory_is_stopped";
    crate::alone::alone(test, &[], || {
        if std::env::var_os(INNER).is_some() {
            let memory = malloc(64);
            // SAFETY: not at all: this is what stops the program.
            let word = unsafe { std::ptr::with_exposed_provenance::<u32>(memory as usize).read_volatile() };
            println!("{word}");
            return;
        }
        let program = std::env::current_exe().expect("a test knows its program");
        let status = std::process::Command::new(program).args([test, "--exact"]).env(INNER, "1").status();
        let signal = status.expect("it starts").signal();
        assert_eq!(signal, Some(11), "SIGSEGV");
    });
}
