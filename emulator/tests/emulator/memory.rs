//! Address spaces, vectors and widths.

use gridwright_emulator::{Device, FindingKind, Launch};

use crate::harness::{Parameters, download, fault, kernel, run, upload};

const REGISTERS: &str =
    ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<6>; .reg .b16 %h<8>; .reg .b32 %f<4>;
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 4; ld.param.u64 %rd1, [x]; add.u64 %rd2, %rd1, %rd0;\n";

/// Runs 32 threads on 64 words from 0 to 63, and gives the words after that.
fn words(declarations: &str, body: &str) -> Vec<u32> {
    let device = Device::new();
    let x = upload(&device, &(0..64).collect::<Vec<u32>>(), u32::to_le_bytes);
    let parameters = Parameters::default().wide(x).0;
    let text = kernel(".param .u64 x", &format!("{REGISTERS}{body}"));
    let text = text.replacen(".visible", &format!("{declarations}\n.visible"), 1);
    let report = run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters)).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    download(&device, x, 64, u32::from_le_bytes)
}

fn firsts(all: &[u32]) -> &[u32] {
    &all[..32]
}

/// A third of the lanes each, in one instruction.
#[test]
fn generic_addresses_reach_all_spaces_at_once() {
    let body = ".shared .align 4 .b8 tile[128]; .local .align 4 .b8 own[16];
        mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2; add.u32 %r3, %r0, 100; st.shared.u32 [%r1], %r3;
        add.u32 %r4, %r0, 200; st.local.u32 [own+4], %r4;
        mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; add.u64 %rd3, %rd3, %rd0;
        mov.u64 %rd4, own; cvta.local.u64 %rd4, %rd4; add.u64 %rd4, %rd4, 4;
        rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; setp.eq.u32 %p2, %r5, 1;
        mov.u64 %rd5, %rd2; @%p1 mov.u64 %rd5, %rd3; @%p2 mov.u64 %rd5, %rd4;
        ld.u32 %r6, [%rd5]; add.u32 %r6, %r6, 1000; st.u32 [%rd5], %r6; ld.u32 %r7, [%rd5];
        isspacep.shared %p3, %rd5; @%p3 add.u32 %r7, %r7, 5000; isspacep.local %p4, %rd5; @%p4 add.u32 %r7, %r7, 7000;
        isspacep.global %p5, %rd5; @%p5 add.u32 %r7, %r7, 9000; st.global.u32 [%rd2], %r7;";
    let expected: Vec<u32> = (0..32).map(|i| i + [6100, 8200, 10_000][i as usize % 3]).collect();
    assert_eq!(firsts(&words("", body)), expected);
}

#[test]
fn vectors_are_loaded_and_stored() {
    let body = "setp.ge.u32 %p1, %r0, 8; @%p1 ret; mul.wide.u32 %rd3, %r0, 16; add.u64 %rd3, %rd3, %rd1;
        ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd3]; st.global.v2.b32 [%rd3+8], {%r1, %r2}; st.global.v2.u32 [%rd3], {%r4, 7};";
    let expected: Vec<u32> = (0..8).flat_map(|i| [4 * i + 3, 7, 4 * i, 4 * i + 1]).collect();
    assert_eq!(firsts(&words("", body)), expected);
}

#[test]
fn narrow_elements_are_extended() {
    let declarations = ".const .align 2 .b8 bytes[4] = {0x80, 0xff, 0x7f, 0x01};";
    let load = |load: &str| {
        let body = format!(".reg .b64 %w; mov.u64 %rd3, bytes; {load} st.global.u32 [%rd2], %r1;");
        words(declarations, &body)[0]
    };
    assert_eq!(load("ld.const.u8 %r1, [%rd3];"), 0x80);
    assert_eq!(load("ld.const.s8 %r1, [bytes];"), 0xffff_ff80);
    assert_eq!(load("ld.const.s16 %r1, [bytes];"), 0xffff_ff80);
    assert_eq!(load("ld.const.u16 %h1, [bytes+2]; cvt.u32.u16 %r1, %h1;"), 0x017f);
    assert_eq!(load("ld.const.s8 %w, [bytes+1]; shr.u64 %w, %w, 32; cvt.u32.u64 %r1, %w;"), 0xffff_ffff);
    assert_eq!(load("ld.const.s8 %h1, [bytes]; cvt.u32.u16 %r1, %h1;"), 0xff80);
    // What is stored is the low part.
    assert_eq!(
        load("mov.u32 %r1, 0x12345678; st.global.u8 [%rd2+128], %r1; ld.global.u32 %r1, [%rd2+128];") & 0xff,
        0x78
    );
}

#[test]
fn local_memory_belongs_to_each_thread() {
    let body = ".local .align 16 .b8 own[64]; mov.u64 %rd3, own; and.b32 %r1, %r0, 15; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd3, %rd3, %rd4;
        st.local.u32 [%rd3], %r0; ld.local.u32 %r2, [%rd3]; st.global.u32 [%rd2], %r2;";
    assert_eq!(firsts(&words("", body)), (0..32).collect::<Vec<u32>>());
    let beyond =
        format!("{REGISTERS}.local .align 16 .b8 own[64]; mov.u64 %rd3, own; st.local.u32 [%rd3+64], %r0;");
    let device = Device::new();
    let result =
        run(&device, &kernel(".param .u64 x", &beyond), &Launch::new([1, 1, 1], [32, 1, 1], &[0; 8]));
    assert_eq!(fault(result).kind.name(), "out of bounds");
}

#[test]
fn parameters_are_read_by_address() {
    let text = kernel(
        ".param .u64 x, .param .align 8 .b8 s[24]",
        &format!(
            "{REGISTERS} mov.b64 %rd3, s; ld.param.u32 %r1, [%rd3+8]; and.b32 %r2, %r0, 1; mul.wide.u32 %rd4, %r2, 4;
            add.u64 %rd3, %rd3, %rd4; ld.param.u32 %r3, [%rd3+16]; add.u32 %r1, %r1, %r3; st.global.u32 [%rd2], %r1;"
        ),
    );
    let device = Device::new();
    let x = device.alloc(128).unwrap();
    let parameters = Parameters::default().wide(x).wide(0).wide(1000).narrow(10).narrow(20).0;
    run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters)).unwrap();
    let expected: Vec<u32> = (0..32).map(|i| if i % 2 == 0 { 1010 } else { 1020 }).collect();
    assert_eq!(download(&device, x, 32, u32::from_le_bytes), expected);
    let writes = kernel(".param .u64 x", ".reg .b64 %rd1; mov.b64 %rd1, x; st.u32 [%rd1], 1;");
    let finding = fault(run(&device, &writes, &Launch::new([1, 1, 1], [1, 1, 1], &[0; 8])));
    assert_eq!(finding.kind.name(), "write to constants");
}

const SYSTEM: &str =
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);
    .extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 g, .param .b64 s);
    .global .b8 text[5] = {110, 32, 62, 32, 0};";

const MALLOC: &str = "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 64; call.uni (r), malloc, (n); ld.param.b64 %rd3, [r]; }
    st.u32 [%rd3+60], %r0; ld.u32 %r1, [%rd3+60]; st.global.u32 [%rd2], %r1;
    { .param .b64 p; st.param.b64 [p], %rd3; call.uni free, (p); }";

#[test]
fn kernels_allocate() {
    assert_eq!(firsts(&words(SYSTEM, MALLOC)), (0..32).collect::<Vec<u32>>());
    let text = kernel(".param .u64 x", &format!("{REGISTERS}{MALLOC} ld.u32 %r1, [%rd3];"));
    let text = text.replacen(".visible", &format!("{SYSTEM}\n.visible"), 1);
    let device = Device::new();
    let x = device.alloc(128).unwrap();
    let parameters = Parameters::default().wide(x).0;
    let result = run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters));
    assert_eq!(fault(result).kind.name(), "use after free");
}

#[test]
fn assertions_end_a_launch_with_their_text() {
    let body = "setp.ne.u32 %p1, %r0, 3; @%p1 bra END; mov.u64 %rd3, text; cvta.global.u64 %rd3, %rd3;
        { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 g; .param .b64 s; st.param.b64 [m], %rd3; st.param.b64 [f], %rd3;
        st.param.b32 [l], 17; st.param.b64 [g], %rd3; st.param.b64 [s], 1; call.uni __assertfail, (m, f, l, g, s); } END:";
    let text = kernel(".param .u64 x", &format!("{REGISTERS}{body}"));
    let text = text.replacen(".visible", &format!("{SYSTEM}\n.visible"), 1);
    let finding = fault(run(&Device::new(), &text, &Launch::new([1, 1, 1], [32, 1, 1], &[0; 8])));
    let FindingKind::Assertion { message } = &finding.kind else { panic!("{finding}") };
    assert!(message.starts_with("n > ") && message.contains(":17"), "{message}");
    assert_eq!(finding.thread, [3, 0, 0]);
}

#[test]
fn calls_of_what_is_no_function_end_a_launch() {
    let body = "{ P: .callprototype _ (); call.uni %rd1, P; }";
    let text = kernel(".param .u64 x", &format!("{REGISTERS}{body}"));
    let finding = fault(run(&Device::new(), &text, &Launch::new([1, 1, 1], [32, 1, 1], &[0; 8])));
    assert_eq!(finding.kind, FindingKind::IllegalCall { address: 0 });
}

#[test]
fn special_registers_say_where_a_thread_is() {
    let device = Device::new();
    let (grid, block) = ([2, 3, 2], [5, 4, 3]);
    let x = device.alloc(12 * 60 * 16).unwrap();
    let body = ".reg .b32 %r<30>; .reg .b64 %rd<4>; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
        mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z; mov.u32 %r7, %ntid.y; mov.u32 %r8, %nctaid.x; mov.u32 %r9, %nctaid.y;
        mov.u32 %r10, %ntid.x; mad.lo.u32 %r11, %r3, %r7, %r2; mad.lo.u32 %r11, %r11, %r10, %r1;
        mad.lo.u32 %r12, %r6, %r9, %r5; mad.lo.u32 %r12, %r12, %r8, %r4; mad.lo.u32 %r13, %r12, 60, %r11;
        mov.u32 %r14, %laneid; mov.u32 %r15, %warpid; mov.u32 %r16, %dynamic_smem_size;
        ld.param.u64 %rd1, [x]; mul.wide.u32 %rd2, %r13, 16; add.u64 %rd1, %rd1, %rd2;
        st.global.v4.u32 [%rd1], {%r13, %r14, %r15, %r16};";
    let parameters = Parameters::default().wide(x).0;
    let mut launch = Launch::new(grid, block, &parameters);
    launch.dynamic_shared = 40;
    let report = run(&device, &kernel(".param .u64 x", body), &launch).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let expected: Vec<u32> = (0..12 * 60).flat_map(|i| [i, i % 60 % 32, i % 60 / 32, 40]).collect();
    assert_eq!(download(&device, x, 12 * 60 * 4, u32::from_le_bytes), expected);
}

/// `mov` of an address below the variable, an offset that leads back into it: 32 bits hold either, and so do 64 with zeros in front.
#[test]
fn addresses_wrap_where_registers_and_memories_end() {
    let body = ".shared .align 16 .b8 tile[256]; .local .align 16 .b8 own[32];
        mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2; add.u32 %r3, %r1, -200;
        add.u32 %r4, %r0, 50; st.shared.u32 [%r3+200], %r4; ld.shared.u32 %r5, [%r1];
        atom.shared.add.u32 %r6, [%r3+200], 3; ld.shared.u32 %r7, [%r3+200]; add.u32 %r5, %r5, %r7;
        cvt.u64.u32 %rd3, %r3; ld.shared.u32 %r8, [%rd3+200]; add.u32 %r5, %r5, %r8;
        mov.u64 %rd4, tile; add.u64 %rd4, %rd4, %rd0; sub.u64 %rd4, %rd4, 200; ld.shared.u32 %r8, [%rd4+200]; add.u32 %r5, %r5, %r8;
        mov.u32 %r9, own; sub.u32 %r9, %r9, 48; st.local.u32 [%r9+56], %r0; ld.local.u32 %r10, [own+8]; add.u32 %r5, %r5, %r10;
        cp.async.ca.shared.global [%r3+200], [%rd2], 4; cp.async.wait_all; ld.shared.u32 %r11, [%r1]; add.u32 %r5, %r5, %r11;
        st.global.u32 [%rd2], %r5;";
    let expected: Vec<u32> = (0..32).map(|i| (i + 50) + 3 * (i + 53) + i + i).collect();
    assert_eq!(firsts(&words("", body)), expected);
}

#[test]
fn generic_addresses_do_not_name_workgroup_memory_itself() {
    let body = format!(
        "{REGISTERS} .shared .align 4 .b8 tile[4]; mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; ld.shared.u32 %r1, [%rd3];"
    );
    let device = Device::new();
    let parameters = Parameters::default().wide(0).0;
    let launch = Launch::new([1, 1, 1], [32, 1, 1], &parameters);
    let finding = fault(run(&device, &kernel(".param .u64 x", &body), &launch));
    assert!(matches!(finding.kind, FindingKind::OutOfBounds(_)), "{finding}");
}
