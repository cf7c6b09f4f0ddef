//! Memory, modules on a device, launches that are refused, and what kernels print.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use gridwright_emulator::{Device, DeviceOptions, Launch, LaunchError, LoadError, MemoryError, Module};

use crate::harness::{HEAD, Parameters, download, fault, kernel, run, upload};

#[test]
fn capacity_is_a_limit() {
    let device = Device::with_options(DeviceOptions { capacity: 1000, ..DeviceOptions::default() });
    let first = device.alloc(600).unwrap();
    assert_eq!(device.alloc(401), Err(MemoryError::OutOfMemory { asked: 401, free: 400, capacity: 1000 }));
    assert_eq!(device.used(), 600);
    device.free(first).unwrap();
    assert_eq!(device.free(first), Err(MemoryError::Freed { address: first, bytes: 0 }));
    let second = device.alloc(1000).unwrap();
    assert_ne!(first, second);
    assert!(matches!(device.free(second + 8), Err(MemoryError::NotAllocated { .. })));
    let empty = device.alloc(0).unwrap();
    device.free(empty).unwrap();
}

#[test]
fn ranges_are_checked() {
    let device = Device::new();
    let x = device.alloc(100).unwrap();
    assert!(device.write(x + 99, &[1, 2]).is_err());
    assert!(device.write(u64::MAX, &[1]).is_err());
    assert!(device.read(x + 100, &mut []).is_ok());
    device.fill(x + 3, &[1, 2, 3], 30).unwrap();
    assert!(device.fill(x, &[1, 2, 3], u64::MAX).is_err());
    device.copy(x + 3, x + 4, 50).unwrap();
    let mut bytes = [0; 6];
    device.read(x + 3, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 1, 2, 3, 1, 2]);
    assert_eq!(device.allocation(x + 50), Ok((x, 100)));
    device.free(x).unwrap();
    assert!(matches!(device.read(x, &mut bytes), Err(MemoryError::Freed { .. })));
}

#[test]
fn mapped_memory_is_seen_by_both() {
    let device = Device::new();
    let words: Vec<AtomicU32> = (0..8).map(AtomicU32::new).collect();
    let text = kernel(
        ".param .u64 x",
        ".reg .b64 %rd1; .reg .b32 %r1; ld.param.u64 %rd1, [x]; ld.global.u32 %r1, [%rd1+12];
        add.u32 %r1, %r1, 100; st.u32 [%rd1+16], %r1;",
    );
    let pointer = words.as_ptr().cast_mut().cast::<u8>();
    // SAFETY: the words live to the end of this test, and are atomic.
    let address = unsafe { device.map(pointer, 32) }.unwrap();
    assert_eq!(address, pointer as u64);
    let parameters = Parameters::default().wide(address).0;
    let launch = Launch::new([1, 1, 1], [1, 1, 1], &parameters);
    assert!(run(&device, &text, &launch).unwrap().findings.is_empty());
    assert_eq!(words[4].load(Ordering::Relaxed), 103);
    // SAFETY: the words live to the end of this test, and are atomic; it is refused, since it is mapped already.
    assert!(unsafe { device.map(pointer.wrapping_add(8), 8) }.is_err());
    device.unmap(address).unwrap();
    assert_eq!(fault(run(&device, &text, &launch)).kind.name(), "use after free");
    // SAFETY: the words live to the end of this test, and are atomic.
    unsafe { device.map(pointer, 32) }.unwrap();
    assert!(run(&device, &text, &launch).is_ok());
    device.unmap(address).unwrap();
}

#[test]
fn variables_have_their_values() {
    let text = format!(
        "{HEAD}.global .align 8 .u64 pointer[2] = {{generic(table)+4, k}};
        .global .align 4 .b32 table[3] = {{1, -2, 3}};
        .const .align 4 .f32 scale = 0f40000000;
        .visible .entry k() {{ ret; }}"
    );
    let device = Device::new();
    let loaded = device.load(&Module::parse(&text).unwrap()).unwrap();
    let (table, bytes) = loaded.global("table").unwrap();
    assert_eq!(bytes, 12);
    assert_eq!(download(&device, table, 3, i32::from_le_bytes), [1, -2, 3]);
    let (pointer, _) = loaded.global("pointer").unwrap();
    assert_eq!(download(&device, pointer, 1, u64::from_le_bytes), [table + 4]);
    let (scale, _) = loaded.global("scale").unwrap();
    assert_eq!(download(&device, scale, 1, f32::from_le_bytes), [2.0]);
    assert_eq!(loaded.global("nothing"), None);
    assert!(device.used() > 0);
    device.unload(loaded);
    assert_eq!(device.used(), 0);
}

#[test]
fn what_is_not_defined_does_not_load() {
    let device = Device::new();
    let text = format!("{HEAD}.extern .func missing();\n.visible .entry k() {{ call missing; ret; }}");
    let error = device.load(&Module::parse(&text).unwrap()).unwrap_err();
    assert_eq!(error, LoadError::Undefined { name: "missing".into() });
    let text = format!("{HEAD}.extern .global .u32 missing;\n.visible .entry k() {{ ret; }}");
    assert!(device.load(&Module::parse(&text).unwrap()).is_err());
}

#[test]
fn launches_that_cannot_be_are_refused() {
    let device = Device::new();
    let module =
        Module::parse(&format!("{HEAD}.visible .entry k(.param .u64 x) .reqntid 64, 1, 1 {{ ret; }}"))
            .unwrap();
    let loaded = device.load(&module).unwrap();
    let good = Launch::new([1, 1, 1], [64, 1, 1], &[0; 8]);
    assert!(device.launch(&loaded, "k", &good).is_ok());
    let what = |launch: Launch<'_>| match device.launch(&loaded, "k", &launch) {
        Err(LaunchError::Configuration { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(what(Launch { grid: [0, 1, 1], ..good.clone() }), "the grid");
    assert_eq!(what(Launch { grid: [1, 65536, 1], ..good.clone() }), "the grid");
    assert_eq!(what(Launch { block: [32, 1, 1], ..good.clone() }), "the block");
    assert_eq!(what(Launch { parameters: &[0; 7], ..good.clone() }), "the size of the parameters");
    assert_eq!(what(Launch { dynamic_shared: 1 << 20, ..good.clone() }), "workgroup memory");
    assert!(matches!(device.launch(&loaded, "other", &good), Err(LaunchError::NoEntry { .. })));
    assert!(matches!(Device::new().launch(&loaded, "k", &good), Err(LaunchError::Configuration { .. })));
}

const PRINTS: &str = ".reg .b32 %r<3>; .reg .b64 %rd<4>; .local .align 8 .b8 arguments[16];
    mov.u32 %r1, %tid.x; st.local.u32 [arguments], %r1; st.local.f64 [arguments+8], 0d3FF8000000000000;
    mov.u64 %rd1, format; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, arguments; cvta.local.u64 %rd2, %rd2;
    { .param .b64 p0; .param .b64 p1; .param .b32 r; st.param.b64 [p0], %rd1; st.param.b64 [p1], %rd2;
      call.uni (r), vprintf, (p0, p1); ld.param.b32 %r2, [r]; }";

#[test]
fn kernels_print() {
    let bytes: Vec<String> = b"%03d: %.2f\n\0".iter().map(u8::to_string).collect();
    let text = kernel("", PRINTS).replace(
        ".visible",
        &format!(
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.global .b8 format[12] = {{{}}};\n.visible",
            bytes.join(", ")
        ),
    );
    let device = Device::new();
    let mut launch = Launch::new([1, 1, 1], [2, 1, 1], &[]);
    assert_eq!(run(&device, &text, &launch).unwrap().output, "000: 1.50\n001: 1.50\n");
    let printed = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&printed);
    launch.print = Some(Arc::new(move |text: &str| kept.lock().unwrap().push_str(text)));
    assert_eq!(run(&device, &text, &launch).unwrap().output, "");
    assert_eq!(*printed.lock().unwrap(), "000: 1.50\n001: 1.50\n");
}

#[test]
fn traps_end_a_launch_and_the_device_stays_usable() {
    let device = Device::new();
    let x = upload(&device, &[5_u32], u32::to_le_bytes);
    let launch = Launch::new([4, 1, 1], [64, 1, 1], &[]);
    assert_eq!(fault(run(&device, &kernel("", "trap;"), &launch)).kind.name(), "trap");
    assert_eq!(fault(run(&device, &kernel("", "brkpt;"), &launch)).kind.name(), "breakpoint");
    assert_eq!(download(&device, x, 1, u32::from_le_bytes), [5]);
    assert_eq!(run(&device, &kernel("", "exit;"), &launch).unwrap().groups, 4);
}

#[test]
fn atomics_of_all_groups_add_up() {
    let device = Device::new();
    let x = device.alloc(64).unwrap();
    device.write(x, &[0; 64]).unwrap();
    device.write(x + 16, &u32::MAX.to_le_bytes()).unwrap();
    let body = ".reg .b64 %rd<3>; .reg .b32 %r<6>; .reg .f32 %f; .reg .pred %p; ld.param.u64 %rd1, [x];
        mov.u32 %r1, %tid.x; red.global.add.u32 [%rd1], %r1; red.add.f32 [%rd1+4], 0f3F800000;
        red.relaxed.gpu.global.max.s32 [%rd1+8], %r1; atom.global.inc.u32 %r2, [%rd1+12], 9; red.min.u32 [%rd1+16], %r1;
        red.global.xor.b32 [%rd1+20], %r1; red.global.add.u64 [%rd1+24], 3;
        LOOP: ld.relaxed.gpu.global.u32 %r3, [%rd1+32]; add.u32 %r4, %r3, 2; atom.cas.b32 %r5, [%rd1+32], %r3, %r4;
        setp.ne.u32 %p, %r5, %r3; @%p bra LOOP; atom.exch.b32 %r5, [%rd1+36], 7;";
    let parameters = Parameters::default().wide(x).0;
    let report =
        run(&device, &kernel(".param .u64 x", body), &Launch::new([10, 1, 1], [100, 1, 1], &parameters))
            .unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let words = download(&device, x, 10, u32::from_le_bytes);
    assert_eq!(words, [49500, 1000.0_f32.to_bits(), 99, 0, 0, 0, 3000, 0, 2000, 7]);
}

#[test]
fn launches_may_run_at_once() {
    let device = Device::new();
    let x = device.alloc(4).unwrap();
    device.write(x, &[0; 4]).unwrap();
    let text =
        kernel(".param .u64 x", ".reg .b64 %rd1; ld.param.u64 %rd1, [x]; red.global.add.u32 [%rd1], 1;");
    let parameters = Parameters::default().wide(x).0;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                run(&device, &text, &Launch::new([20, 1, 1], [64, 1, 1], &parameters)).unwrap();
                let own = device.alloc(16).unwrap();
                device.free(own).unwrap();
            });
        }
    });
    assert_eq!(download(&device, x, 1, u32::from_le_bytes), [4 * 20 * 64]);
}
