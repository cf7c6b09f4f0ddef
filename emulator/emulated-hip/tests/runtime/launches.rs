use std::ffi::{c_char, c_int, c_uint};

use crate::alone::{alone, with_kernels};
use crate::hip::{
    Gate, Handle, INVALID_CONFIGURATION, INVALID_HANDLE, INVALID_VALUE, KERNELS, KERNELS_OF_64,
    LAUNCH_FAILURE, NOT_SUPPORTED, NULL, check, download, event, function, global, hip, kernel, launch, load,
    malloc, pinned, record, stream, synchronize, upload, wait_for,
};

#[test]
fn kernels_run_in_a_streams_order() {
    with_kernels("launches::kernels_run_in_a_streams_order", &[], || {
        let words: Vec<u32> = (0..100).collect();
        let memory = upload(&words);
        let (increment, stream) = (kernel("increment"), stream());
        let gate = Gate::close(stream);
        for _ in 0..3 {
            check(launch(increment, 2, 64, 0, stream, &[memory, 90]));
        }
        // The calls didn't wait.
        gate.open();
        check(hip!(hipStreamSynchronize(stream => Handle)));
        let expected: Vec<u32> = words.iter().map(|&word| if word < 90 { word + 3 } else { word }).collect();
        assert_eq!(download(memory, 100), expected);
        // Pinned memory is the kernels' too.
        let shared = pinned(4);
        check(launch(kernel("store"), 1, 1, 0, stream, &[shared, 17]));
        check(hip!(hipStreamSynchronize(stream => Handle)));
        // SAFETY: the kernel is done.
        assert_eq!(unsafe { std::ptr::with_exposed_provenance::<u32>(shared as usize).read() }, 17);
    });
}

#[test]
fn arguments_are_those_of_the_call() {
    with_kernels("launches::arguments_are_those_of_the_call", &[], || {
        let memory = malloc(4);
        let mut arguments = [memory, 5];
        check(launch(kernel("store"), 1, 1, 0, NULL, &arguments));
        arguments = [0, 0];
        check(synchronize());
        assert_eq!((download(memory, 1), arguments), (vec![5], [0, 0]));
    });
}

fn variables_and_constants(image: &[u8]) {
    let module = load(image).expect("it is for the device");
    let memory = malloc(16);
    let (target, bytes) = global(module, "TARGET").expect("it is there");
    check(hip!(hipMemcpyHtoD(target => u64, &raw const memory => *const u64, bytes => usize)));
    check(launch(function(module, "store_there").expect("there"), 1, 1, 0, NULL, &[23]));
    check(synchronize());
    assert_eq!(download(memory, 1), [23]);
    check(launch(function(module, "text").expect("there"), 1, 1, 0, NULL, &[memory]));
    let mut place = [0_u64; 2];
    check(hip!(hipMemcpyDtoH(place.as_mut_ptr() => *mut u64, memory => u64, 16 => usize)));
    let mut text = vec![0_u8; place[1] as usize];
    check(hip!(hipMemcpyDtoH(text.as_mut_ptr() => *mut u8, place[0] => u64, text.len() => usize)));
    assert_eq!(text, b"a text of the image");
}

#[test]
fn variables_and_constants_of_an_image_are_memory() {
    with_kernels("launches::variables_and_constants_of_an_image_are_memory", &[], || {
        variables_and_constants(KERNELS);
    });
}

#[test]
fn variables_and_constants_of_an_image_for_waves_of_64_threads_are_memory() {
    let variables = [("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "gfx942")];
    let test = "launches::variables_and_constants_of_an_image_for_waves_of_64_threads_are_memory";
    with_kernels(test, &variables, || variables_and_constants(KERNELS_OF_64));
}

fn sums(image: &[u8], wave: u32) {
    let sum = function(load(image).expect("it is for the device"), "sum").expect("there");
    let memory = malloc(16);
    check(launch(sum, 2, 80, 320, NULL, &[memory]));
    check(synchronize());
    let of = |group: u32| (80 * group..80 * (group + 1)).sum::<u32>();
    assert_eq!(download(memory, 4), [of(0), wave, of(1), wave]);
}

#[test]
fn workgroups_have_memory_and_barriers_with_waves_of_32_threads() {
    with_kernels("launches::workgroups_have_memory_and_barriers_with_waves_of_32_threads", &[], || {
        sums(KERNELS, 32);
    });
}

#[test]
fn workgroups_have_memory_and_barriers_with_waves_of_64_threads() {
    let variables = [("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "gfx942")];
    let test = "launches::workgroups_have_memory_and_barriers_with_waves_of_64_threads";
    with_kernels(test, &variables, || {
        sums(KERNELS_OF_64, 64);
    });
}

fn memory_of_threads(image: &[u8]) {
    let keep = function(load(image).expect("it is for the device"), "keep").expect("there");
    let memory = upload(&[7; 320]);
    check(launch(keep, 2, 160, 0, NULL, &[memory]));
    check(synchronize());
    assert_eq!(download(memory, 320), (0..320).collect::<Vec<_>>());
}

#[test]
fn each_wave_of_32_threads_has_its_private_memory() {
    with_kernels("launches::each_wave_of_32_threads_has_its_private_memory", &[], || {
        memory_of_threads(KERNELS);
    });
}

#[test]
fn each_wave_of_64_threads_has_its_private_memory() {
    let variables = [("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "gfx942")];
    with_kernels("launches::each_wave_of_64_threads_has_its_private_memory", &variables, || {
        memory_of_threads(KERNELS_OF_64);
    });
}

#[test]
fn events_order_kernels_of_two_devices() {
    let variables = [("GRIDWRIGHT_EMULATOR_DEVICES", "2"), ("GRIDWRIGHT_EMULATOR_DELAY_US", "5000")];
    with_kernels("launches::events_order_kernels_of_two_devices", &variables, || {
        let first = (kernel("increment"), stream(), upload(&[1, 2]));
        let done = event();
        check(hip!(hipSetDevice(1 => c_int)));
        let second = (kernel("increment"), stream(), upload(&[0, 0]));
        check(launch(first.0, 1, 2, 0, first.1, &[first.2, 2]));
        // The event is the first device's, and so is the stream.
        record(done, first.1);
        wait_for(second.1, done);
        check(hip!(hipMemcpyPeerAsync(
            second.2 => u64, 1 => c_int, first.2 => u64, 0 => c_int, 8 => usize, second.1 => Handle
        )));
        check(launch(second.0, 1, 2, 0, second.1, &[second.2, 2]));
        check(hip!(hipStreamSynchronize(second.1 => Handle)));
        assert_eq!(download(second.2, 2), [3, 4]);
        // A function runs where its module is.
        assert_eq!(launch(first.0, 1, 1, 0, second.1, &[first.2, 1]), INVALID_HANDLE);
        // With leave, one's kernels reach the other's memory.
        check(hip!(hipDeviceEnablePeerAccess(0 => c_int, 0 => c_uint)));
        assert_eq!(hip!(hipDeviceEnablePeerAccess(0 => c_int, 0 => c_uint)), 704);
        check(launch(second.0, 1, 2, 0, second.1, &[first.2, 2]));
        check(synchronize());
        assert_eq!(download(first.2, 2), [3, 4]);
    });
}

#[test]
fn launches_beyond_the_limits_are_refused() {
    let test = "launches::launches_beyond_the_limits_are_refused";
    alone(test, &[("GRIDWRIGHT_EMULATOR_EXECUTE", "0")], || {
        let store = kernel("store");
        let refused = |grid, block, shared| launch(store, grid, block, shared, NULL, &[0, 0]);
        assert_eq!((refused(1, 1024, 65536), refused(1, 1025, 0)), (0, INVALID_VALUE));
        assert_eq!((refused(0, 1, 0), refused(1, 0, 0)), (INVALID_VALUE, INVALID_CONFIGURATION));
        assert_eq!((refused(1, 1, 65537), refused(1 << 31, 2, 0)), (INVALID_VALUE, INVALID_VALUE));
        let none = hip!(hipModuleLaunchKernel(
            store => Handle, 1 => c_uint, 1 => c_uint, 1 => c_uint, 1 => c_uint, 1 => c_uint, 1 => c_uint,
            0 => c_uint, NULL => Handle, NULL => Handle, NULL => Handle
        ));
        assert_eq!(none, INVALID_VALUE);
        assert_eq!(launch(stream(), 1, 1, 0, NULL, &[]), INVALID_HANDLE);
        let cooperative = |grid: c_uint| {
            let (place, value) = (0_u64, 0_u32);
            let arguments = [(&raw const place).cast::<c_char>(), (&raw const value).cast()];
            hip!(hipModuleLaunchCooperativeKernel(
                store => Handle, grid => c_uint, 1 => c_uint, 1 => c_uint, 1024 => c_uint, 1 => c_uint, 1 => c_uint,
                0 => c_uint, NULL => Handle, arguments.as_ptr() => *const *const c_char
            ))
        };
        assert_eq!((cooperative(32), cooperative(33)), (0, 720));
    });
}

#[test]
fn more_threads_than_a_kernel_is_compiled_for_are_refused() {
    let test = "launches::more_threads_than_a_kernel_is_compiled_for_are_refused";
    alone(test, &[("GRIDWRIGHT_EMULATOR_EXECUTE", "0")], || {
        // `.max_flat_workgroup_size`: 1024 as MessagePack has it, and 256.
        let key = b".max_flat_workgroup_size\xcd\x04\x00";
        let mut image = KERNELS.to_vec();
        while let Some(place) = image.windows(key.len()).position(|bytes| bytes == key) {
            image[place + key.len() - 2] = 1;
        }
        let store = function(load(&image).expect("it is for the device"), "store").expect("there");
        check(launch(store, 1, 256, 0, NULL, &[0, 0]));
        assert_eq!(launch(store, 1, 257, 0, NULL, &[0, 0]), LAUNCH_FAILURE);
    });
}

#[test]
fn without_an_emulator_a_launch_says_what_is_missing() {
    let test = "launches::without_an_emulator_a_launch_says_what_is_missing";
    let said = alone(test, &[("GRIDWRIGHT_AMD_EMULATOR", "")], || {
        let memory = upload(&[1]);
        assert_eq!(launch(kernel("store"), 1, 1, 0, NULL, &[memory, 5]), NOT_SUPPORTED);
        check(synchronize());
        assert_eq!(download(memory, 1), [1]);
    });
    assert!(said.contains("set GRIDWRIGHT_AMD_EMULATOR"), "{said}");
}
