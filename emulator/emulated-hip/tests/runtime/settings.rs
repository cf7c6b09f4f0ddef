use std::ffi::{c_int, c_uint};

use crate::alone::alone;
use crate::hip::{
    Handle, INVALID_VALUE, NO_DEVICE, NOT_SUPPORTED, NULL, check, download, hip, kernel, launch, stream,
    synchronize, upload,
};

#[test]
fn a_machine_without_devices() {
    alone("settings::a_machine_without_devices", &[("GRIDWRIGHT_EMULATOR_DEVICES", "0")], || {
        assert_eq!(hip!(hipInit(0 => c_uint)), NO_DEVICE);
        let mut count = 1;
        assert_eq!(hip!(hipGetDeviceCount(&raw mut count => *mut c_int)), NO_DEVICE);
        assert_eq!((count, synchronize()), (0, NO_DEVICE));
    });
}

#[test]
fn values_that_mean_nothing_are_refused_aloud() {
    let variables = [("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "gfx9999")];
    let said = alone("settings::values_that_mean_nothing_are_refused_aloud", &variables, || {
        assert_eq!(hip!(hipInit(0 => c_uint)), INVALID_VALUE);
    });
    assert!(said.contains("GRIDWRIGHT_EMULATOR_ARCHITECTURE is `gfx9999`"), "{said}");
}

#[test]
fn an_older_runtime_lacks_what_came_later() {
    let variables = [("GRIDWRIGHT_EMULATOR_HIP", "5.2")];
    alone("settings::an_older_runtime_lacks_what_came_later", &variables, || {
        let mut version = 0;
        check(hip!(hipRuntimeGetVersion(&raw mut version => *mut c_int)));
        assert_eq!(version / 100_000, 502);
        let mut properties = [0_u8; 1472];
        let newer = hip!(hipGetDevicePropertiesR0600(properties.as_mut_ptr() => *mut u8, 0 => c_int));
        assert_eq!(newer, NOT_SUPPORTED);
        check(hip!(hipGetDeviceProperties(properties.as_mut_ptr() => *mut u8, 0 => c_int)));
    });
}

#[test]
fn devices_have_no_pools_if_one_wants() {
    let variables = [("GRIDWRIGHT_EMULATOR_POOLS", "0")];
    alone("settings::devices_have_no_pools_if_one_wants", &variables, || {
        let mut value = 1;
        check(hip!(hipDeviceGetAttribute(&raw mut value => *mut c_int, 88 => c_int, 0 => c_int)));
        let (mut address, mut pool) = (0_u64, NULL);
        let memory = hip!(hipMallocAsync(&raw mut address => *mut u64, 4 => usize, stream() => Handle));
        let default = hip!(hipDeviceGetDefaultMemPool(&raw mut pool => *mut Handle, 0 => c_int));
        assert_eq!((value, memory, default), (0, NOT_SUPPORTED, NOT_SUPPORTED));
    });
}

#[test]
fn kernels_do_not_run_if_one_wants() {
    let variables = [("GRIDWRIGHT_EMULATOR_EXECUTE", "0"), ("GRIDWRIGHT_AMD_EMULATOR", "")];
    alone("settings::kernels_do_not_run_if_one_wants", &variables, || {
        let memory = upload(&[1]);
        check(launch(kernel("store"), 1, 1, 0, NULL, &[memory, 5]));
        check(synchronize());
        assert_eq!(download(memory, 1), [1]);
        assert_eq!(launch(kernel("store"), 1, 1025, 0, NULL, &[memory, 5]), INVALID_VALUE);
    });
}
