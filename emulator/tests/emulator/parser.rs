//! What the parser refuses, and that it does no worse.

use std::time::{Duration, Instant};

use gridwright_emulator::Module;

use crate::harness::{HEAD, Random, kernel};

fn refused(text: &str, line: u32, message: &str) {
    let error = Module::parse(text).unwrap_err();
    assert!(error.line() == line && error.message().contains(message), "{error}");
}

fn statement(statement: &str, message: &str) {
    let registers = ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<4>;";
    refused(&kernel("", &format!("{registers}\n{statement}")), 7, message);
}

#[test]
fn what_is_unknown_is_refused_with_its_line() {
    statement("frobnicate.u32 %r1, %r2;", "`frobnicate.u32`");
    statement("add.mystery.u32 %r1, %r2, %r3;", "`add.mystery.u32`");
    statement("ld.global.L9.u32 %r1, [%rd1];", "`ld.global.L9.u32`");
    statement(
        "tex.cube.v4.f32.s32 {%r1, %r1, %r1, %r1}, [%rd1, {%r1, %r2, %r2, %r2}];",
        "`tex.cube.v4.f32.s32`",
    );
    statement("tex.2d.v4.f32.f32 {%r1, %r1, %r1, %r1}, [%rd1, {%r1}];", "1 coordinates");
    statement("tex.2d.v4.f32.f32 {%r1, %r1}, [%rd1, {%r1, %r2}];", "4 values");
    statement("sust.b.2d.v2.b32.trap [%rd1, {%r1, %r2}], {%r1};", "1 values");
    statement("sust.b.2d.b32 [%rd1, {%r1, %r2}], {%r1};", "`sust.b.2d.b32`");
    statement("suld.b.1d.v4.b64.trap {%rd1, %rd2, %rd1, %rd2}, [%rd1, {%r1}];", "more than 16 bytes");
    statement("sured.b.add.a1d.u32.trap [%rd1, {%r1, %r2}], %r1;", "`sured.b.add.a1d.u32.trap`");
    statement("txq.memory_layout.b32 %r1, [%rd1];", "`txq.memory_layout.b32`");
    statement("sust.b.2d.b32.trap [%rd1], {%r1};", "without coordinates");
    statement("add.u32 %r1, %r2;", "takes 3 operands");
    statement("add.u32 %r1, %r2, %r9;", "`%r9` isn't declared");
    statement("add.u32 %r1, %rd2, %r3;", "`%rd2` has 64 bits");
    statement("bra NOWHERE;", "no label `NOWHERE`");
    statement("mov.u32 %r1, %tid.w;", "`%tid.w`");
    statement("ld.global.u32 %r1, [%r2];", "too narrow");
    statement("@%r1 bra NOWHERE;", "");
    statement("call missing, ();", "`missing` isn't declared");
    statement("cvt.u32.f32 %r1, %r2;", "`cvt.u32.f32`");
    statement("add.f32 %r1, %r2, 1;", "an integer where");
    statement("ld.global.v4.u32 {%r1, %r2}, [%rd1];", "2 values");
}

#[test]
fn texts_that_end_early_are_refused() {
    refused("", 1, "no `.version`");
    refused(&format!("{HEAD}.visible .entry k( .param .u32 x"), 4, "the end of the text");
    refused(&format!("{HEAD}.visible .entry k() {{ ret"), 4, "the end of the text");
    refused(&format!("{HEAD}/* no end"), 4, "comment");
    refused(&format!("{HEAD}.global .b8 x[2] = {{1, 2, 3}};"), 4, "longer initialiser");
    refused(&format!("{HEAD}.visible .entry k() {{ }}"), 4, "no instructions");
    refused(".version 8.0\n.target sm_80\n.address_size 32\n", 3, "64-bit");
}

#[test]
fn entries_say_what_they_need() {
    let text = format!(
        "{HEAD}.shared .align 8 .b8 unused[100];
        .extern .shared .align 16 .b8 dynamic[];
        .visible .entry k(.param .u8 a, .param .u64 b, .param .align 4 .b8 c[12]) .maxntid 128, 2, 1 .minnctapersm 3
        {{ .reg .b32 %r<7>; .reg .pred %p<2>; .reg .b64 %rd<3>; .local .align 8 .b8 depot[24]; .shared .u32 own[5];
          st.shared.u32 [own], 1; st.shared.u32 [dynamic], 1; ret; }}"
    );
    let module = Module::parse(&text).unwrap();
    let [entry] = module.entries() else { panic!() };
    assert_eq!(entry.name(), "k");
    let offsets: Vec<_> =
        entry.parameters().iter().map(|one| (one.offset, one.size, one.alignment)).collect();
    assert_eq!(offsets, [(0, 1, 1), (8, 8, 8), (16, 12, 4)]);
    assert_eq!(entry.parameter_bytes(), 28);
    assert_eq!((entry.max_block(), entry.required_block()), (Some([128, 2, 1]), None));
    assert_eq!(entry.min_groups_per_multiprocessor(), Some(3));
    assert_eq!((entry.shared_bytes(), entry.local_bytes()), (20, 24));
    assert_eq!((entry.registers().b32, entry.registers().predicates, entry.registers().b64), (7, 2, 3));
    assert_eq!((module.version(), module.target()), ((8, 5), "sm_90"));
}

#[test]
fn labels_and_registers_belong_to_their_blocks() {
    let text =
        kernel("", "{ .reg .b32 t; mov.b32 t, 1; bra L; L: }\n{ .reg .b64 t; mov.b64 t, 1; bra L; L: }");
    Module::parse(&text).unwrap();
}

/// Texts with random damage: they may be refused, and nothing else.
#[test]
fn damaged_texts_neither_panic_nor_hang() {
    let sources = [
        include_str!("../ptx/rustc/scan.ptx"),
        include_str!("../ptx/rustc/histogram.ptx"),
        include_str!("../ptx/nvcc.ptx"),
    ];
    let mut random = Random(7);
    let begin = Instant::now();
    let mut accepted = 0;
    for round in 0..600 {
        let source = sources[round % sources.len()];
        let mut bytes = source.as_bytes().to_vec();
        for _ in 0..=random.next() % 4 {
            let at = random.next() as usize % bytes.len();
            let length = (random.next() as usize % 40).min(bytes.len() - at);
            match random.next() % 5 {
                0 => bytes[at] = b" \n;,.{}()[]%@!<>+-|\"0a\0"[random.next() as usize % 23],
                1 => drop(bytes.drain(at..at + length)),
                2 => {
                    let piece = bytes[at..at + length].to_vec();
                    let to = random.next() as usize % bytes.len();
                    bytes.splice(to..to, piece);
                }
                3 => bytes.truncate(at.max(1)),
                _ => {
                    let digits = random.next().to_string();
                    bytes.splice(at..at, digits.bytes());
                }
            }
        }
        accepted += u32::from(Module::parse(&String::from_utf8_lossy(&bytes)).is_ok());
    }
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    // Damage in comments and debug sections is harmless, and elsewhere it isn't.
    assert!((1..600).contains(&accepted), "{accepted}");
}

#[test]
fn deep_nesting_is_refused_or_read() {
    for deep in ["{", "(", "[", "{ {", "@"] {
        assert!(Module::parse(&kernel("", &deep.repeat(100_000))).is_err(), "{deep}");
    }
    let initial = format!("{HEAD}.global .b8 x[4] = {}", "{".repeat(100_000));
    assert!(Module::parse(&initial).is_err());
    let operands = format!("add.u32 {};", "{".repeat(100_000));
    assert!(Module::parse(&kernel("", &operands)).is_err());
}
