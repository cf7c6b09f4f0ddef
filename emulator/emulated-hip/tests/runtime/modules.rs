use std::ffi::c_int;

use crate::alone::alone;
use crate::hip::{
    Handle, INVALID_HANDLE, INVALID_IMAGE, KERNELS, KERNELS_OF_64, NO_BINARY_FOR_GPU, NOT_FOUND, check,
    download, function, global, hip, kernel, load,
};

#[test]
fn modules_have_functions_and_variables() {
    alone("modules::modules_have_functions_and_variables", &[], || {
        let module = load(KERNELS).expect("it is for the device");
        let found = function(module, "increment").expect("it is there");
        assert_eq!(function(module, "increment"), Ok(found));
        assert_eq!(function(module, "decrement"), Err(NOT_FOUND));
        let (address, bytes) = global(module, "TARGET").expect("it is there");
        assert_eq!(bytes, 8);
        assert_eq!(download(address, 2), [0, 0]);
        check(hip!(hipMemsetD32(address => u64, 7 => c_int, 1 => usize)));
        assert_eq!(download(address, 2), [7, 0]);
        assert_eq!(global(module, "ARROW"), Err(NOT_FOUND));
        check(hip!(hipModuleUnload(module => Handle)));
        assert_eq!(hip!(hipModuleUnload(module => Handle)), INVALID_HANDLE);
        assert_eq!(crate::hip::launch(found, 1, 1, 0, crate::hip::NULL, &[0, 0]), INVALID_HANDLE);
    });
}

#[test]
fn code_for_another_architecture_is_refused_aloud() {
    let said = alone("modules::code_for_another_architecture_is_refused_aloud", &[], || {
        assert_eq!(load(KERNELS_OF_64), Err(NO_BINARY_FOR_GPU));
        // The same code, called generic: what it is compiled to doesn't matter until it runs.
        let mut generic = KERNELS.to_vec();
        generic[48..52].copy_from_slice(&0x0100_0054_u32.to_le_bytes());
        load(&generic).expect("gfx11-generic of version 1");
        generic[51] = 2;
        assert_eq!(load(&generic), Err(NO_BINARY_FOR_GPU));
    });
    assert!(said.contains("it is for gfx942, and the device is gfx1100"), "{said}");
    assert!(said.contains("it is for gfx11-generic of version 2"), "{said}");
}

#[test]
fn what_is_no_code_object_is_refused() {
    alone("modules::what_is_no_code_object_is_refused", &[], || {
        assert_eq!(load(b".version 8.0\n\0"), Err(INVALID_IMAGE));
        let mut changed = KERNELS.to_vec();
        // The programs' headers are somewhere else.
        changed[32] ^= 0xff;
        assert_eq!(load(&changed), Err(INVALID_IMAGE));
    });
}

#[test]
fn functions_say_what_they_need() {
    alone("modules::functions_say_what_they_need", &[], || {
        let attribute = |function: Handle, number: c_int| {
            let mut value = -1;
            check(
                hip!(hipFuncGetAttribute(&raw mut value => *mut c_int, number => c_int, function => Handle)),
            );
            value
        };
        let sum = kernel("sum");
        // Threads of a block, its own workgroup memory, registers.
        assert_eq!((attribute(sum, 0), attribute(sum, 1)), (1024, 0));
        assert!((1..=256).contains(&attribute(sum, 4)));
        let blocks = |threads: c_int, shared: usize| {
            let mut blocks = -1;
            check(hip!(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
                &raw mut blocks => *mut c_int, sum => Handle, threads => c_int, shared => usize
            )));
            blocks
        };
        // By waves, by workgroup memory, and not at all.
        assert_eq!((blocks(1024, 0), blocks(32, 16 << 10), blocks(2048, 0)), (2, 4, 0));
        let (mut grid, mut block) = (0, 0);
        check(hip!(hipModuleOccupancyMaxPotentialBlockSize(
            &raw mut grid => *mut c_int, &raw mut block => *mut c_int, sum => Handle, 0 => usize, 0 => c_int
        )));
        assert_eq!((grid, block), (32, 1024));
    });
}
