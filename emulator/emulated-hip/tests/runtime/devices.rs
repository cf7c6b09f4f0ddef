use std::ffi::{CStr, c_char, c_int, c_uint};

use crate::alone::alone;
use crate::hip::{INVALID_DEVICE, INVALID_VALUE, check, hip, malloc, name};

const NAME: usize = 256;

fn attribute(number: c_int) -> c_int {
    let mut value = -1;
    check(hip!(hipDeviceGetAttribute(&raw mut value => *mut c_int, number => c_int, 0 => c_int)));
    value
}

fn text(bytes: &[u8]) -> &str {
    CStr::from_bytes_until_nul(bytes).expect("a zero behind it").to_str().expect("UTF-8")
}

#[test]
fn a_device_says_what_it_is() {
    alone("devices::a_device_says_what_it_is", &[], || {
        check(hip!(hipInit(0 => c_uint)));
        let mut count = 0;
        check(hip!(hipGetDeviceCount(&raw mut count => *mut c_int)));
        assert_eq!(count, 1);
        let mut name = [1_u8; NAME];
        check(hip!(hipDeviceGetName(name.as_mut_ptr() => *mut u8, NAME as c_int => c_int, 0 => c_int)));
        assert_eq!(text(&name), "Gridwright Emulated GPU gfx1100 (no hardware)");
        check(hip!(hipDeviceGetName(name.as_mut_ptr() => *mut u8, 5 => c_int, 0 => c_int)));
        assert_eq!(text(&name), "Grid");
        // Threads of a wave and of a block, bytes of workgroup memory.
        assert_eq!((attribute(87), attribute(56), attribute(74)), (32, 1024, 65536));
        let mut value = 0;
        let unknown = hip!(hipDeviceGetAttribute(&raw mut value => *mut c_int, 500 => c_int, 0 => c_int));
        assert_eq!(unknown, INVALID_VALUE);
        let other = hip!(hipDeviceGetAttribute(&raw mut value => *mut c_int, 87 => c_int, 1 => c_int));
        assert_eq!(other, INVALID_DEVICE);
    });
}

#[test]
fn both_forms_of_the_properties_say_the_same() {
    let variables = [("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "gfx942")];
    alone("devices::both_forms_of_the_properties_say_the_same", &variables, || {
        let mut newer = [0xff_u8; 1472 + 8];
        check(hip!(hipGetDevicePropertiesR0600(newer.as_mut_ptr() => *mut u8, 0 => c_int)));
        let mut older = [0xff_u8; 792 + 8];
        check(hip!(hipGetDeviceProperties(older.as_mut_ptr() => *mut u8, 0 => c_int)));
        assert!(text(&newer).contains("gfx942 (no hardware)") && text(&newer) == text(&older));
        let architecture = "gfx942:sramecc+:xnack-";
        assert_eq!((text(&newer[1160..]), text(&older[396..])), (architecture, architecture));
        // `warpSize`.
        let wave = |bytes: &[u8]| bytes[0];
        assert_eq!((wave(&newer[308..]), wave(&older[276..])), (64, 64));
        // Nothing is written behind them.
        assert_eq!((&newer[1472..], &older[792..]), ([0xff; 8].as_slice(), [0xff; 8].as_slice()));
    });
}

#[test]
fn each_thread_has_its_current_device() {
    let variables = [("GRIDWRIGHT_EMULATOR_DEVICES", "2"), ("GRIDWRIGHT_EMULATOR_MEMORY", "1048576")];
    alone("devices::each_thread_has_its_current_device", &variables, || {
        let current = || {
            let mut device = -1;
            check(hip!(hipGetDevice(&raw mut device => *mut c_int)));
            device
        };
        check(hip!(hipSetDevice(1 => c_int)));
        assert_eq!(current(), 1);
        assert_eq!(std::thread::spawn(current).join().expect("no panic"), 0);
        assert_eq!(hip!(hipSetDevice(2 => c_int)), INVALID_DEVICE);
        assert_eq!(hip!(hipSetDevice(-1 => c_int)), INVALID_DEVICE);
        // Each has memory of its own.
        malloc(1 << 20);
        let free = || {
            let (mut free, mut total) = (0, 0);
            check(hip!(hipMemGetInfo(&raw mut free => *mut usize, &raw mut total => *mut usize)));
            free
        };
        assert_eq!(free(), 0);
        check(hip!(hipSetDevice(0 => c_int)));
        assert_eq!(free(), 1 << 20);
    });
}

#[test]
fn errors_have_names_and_the_last_is_kept() {
    alone("devices::errors_have_names_and_the_last_is_kept", &[], || {
        assert_eq!((name(0), name(700)), ("hipSuccess".into(), "hipErrorIllegalAddress".into()));
        assert_eq!(hip!(hipSetDevice(7 => c_int)), INVALID_DEVICE);
        malloc(16);
        assert_eq!((hip!(hipPeekAtLastError()), hip!(hipGetLastError())), (INVALID_DEVICE, INVALID_DEVICE));
        assert_eq!(hip!(hipGetLastError()), 0);
        let mut text: *const c_char = std::ptr::null();
        check(hip!(hipDrvGetErrorString(209 => c_int, &raw mut text => *mut *const c_char)));
        // SAFETY: it has a zero behind it.
        assert_eq!(unsafe { CStr::from_ptr(text) }, c"no binary for GPU");
    });
}
