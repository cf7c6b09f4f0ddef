//! `mma.sync` and `ldmatrix` against products and transpositions by the book.

use std::fmt::Write as _;

use gridwright_emulator::{Device, FindingKind, Launch, LaunchError, Module, Report};
use half::{bf16, f16};

use crate::harness::{Parameters, Random, download, fault, kernel, run, upload};

/// An element of a factor in a register's bytes, and as a number.
type Element = (Vec<u8>, f64);

/// A form of `mma.sync`.
struct Form {
    opcode: &'static str,
    rows: usize,
    k: usize,
    /// Bytes of an element of A and B, and of C.
    bytes: [usize; 2],
    element: fn(&mut Random) -> Element,
    sum: fn(&mut Random) -> Element,
    /// The sum in the bytes of the result.
    rounded: fn(f64) -> Vec<u8>,
}

fn small(random: &mut Random) -> f64 {
    (random.next() % 4001) as f64 / 1000.0 - 2.0
}

fn half(random: &mut Random) -> Element {
    let value = f16::from_f64(small(random));
    (value.to_le_bytes().to_vec(), value.to_f64())
}

fn brain(random: &mut Random) -> Element {
    let value = bf16::from_f64(small(random));
    (value.to_le_bytes().to_vec(), value.to_f64())
}

/// Its lowest bits are ignored.
fn tf32(random: &mut Random) -> Element {
    let value = small(random) as f32;
    (value.to_le_bytes().to_vec(), f32::from_bits(value.to_bits() & !0x1fff).into())
}

fn single(random: &mut Random) -> Element {
    let value = small(random) as f32;
    (value.to_le_bytes().to_vec(), value.into())
}

fn double(random: &mut Random) -> Element {
    // Few bits, so that no sum is rounded, in whatever order it is made.
    let value = (random.next() % 2001) as f64 / 8.0 - 125.0;
    (value.to_le_bytes().to_vec(), value)
}

fn signed(random: &mut Random) -> Element {
    let value = random.next() as u8 as i8;
    (value.to_le_bytes().to_vec(), value.into())
}

fn unsigned(random: &mut Random) -> Element {
    let value = random.next() as u8;
    (vec![value], value.into())
}

fn integer(random: &mut Random) -> Element {
    // Near the end, where sums wrap around.
    let value = i32::MAX - (random.next() % 100_000) as i32;
    (value.to_le_bytes().to_vec(), value.into())
}

const SINGLE: fn(f64) -> Vec<u8> = |sum| (sum as f32).to_le_bytes().to_vec();
const HALF: fn(f64) -> Vec<u8> = |sum| f16::from_f64(sum).to_le_bytes().to_vec();
const INTEGER: fn(f64) -> Vec<u8> = |sum| (sum as i64 as i32).to_le_bytes().to_vec();
const DOUBLE: fn(f64) -> Vec<u8> = |sum| sum.to_le_bytes().to_vec();

const FORMS: &[Form] = &[
    form("m16n8k8.row.col.f32.f16.f16.f32", 16, 8, [2, 4], half, single, SINGLE),
    form("m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, [2, 4], brain, single, SINGLE),
    form("m16n8k16.row.col.f32.f16.f16.f32", 16, 16, [2, 4], half, single, SINGLE),
    form("m16n8k16.row.col.f16.f16.f16.f16", 16, 16, [2, 2], half, half, HALF),
    form("m16n8k8.row.col.f16.f16.f16.f16", 16, 8, [2, 2], half, half, HALF),
    form("m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, [2, 4], brain, single, SINGLE),
    form("m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, [4, 4], tf32, single, SINGLE),
    form("m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, [4, 4], tf32, single, SINGLE),
    form("m16n8k16.row.col.s32.s8.s8.s32", 16, 16, [1, 4], signed, integer, INTEGER),
    form("m16n8k16.row.col.s32.u8.u8.s32", 16, 16, [1, 4], unsigned, integer, INTEGER),
    form("m16n8k32.row.col.s32.s8.s8.s32", 16, 32, [1, 4], signed, integer, INTEGER),
    form("m16n8k32.row.col.s32.u8.u8.s32", 16, 32, [1, 4], unsigned, integer, INTEGER),
    form("m8n8k4.row.col.f64.f64.f64.f64", 8, 4, [8, 8], double, double, DOUBLE),
];

const fn form(
    opcode: &'static str,
    rows: usize,
    k: usize,
    bytes: [usize; 2],
    element: fn(&mut Random) -> Element,
    sum: fn(&mut Random) -> Element,
    rounded: fn(f64) -> Vec<u8>,
) -> Form {
    Form { opcode, rows, k, bytes, element, sum, rounded }
}

/// The place of an element in the registers of the lanes, by the tables of the PTX ISA: lane, and element of the lane.
/// `across` is the number along K, or the column of C.
fn place(matrix: char, bytes: usize, line: usize, across: usize) -> (usize, usize) {
    if matrix == 'c' {
        return (line % 8 * 4 + across / 2, line / 8 * 2 + across % 2);
    }
    if bytes == 8 {
        return (line * 4 + across, 0);
    }
    // Elements of a word are neighbours; then come four lanes.
    let in_a_word = 4 / bytes;
    let (part, inside) = (across / (4 * in_a_word), across % (4 * in_a_word));
    let word = if matrix == 'a' { 2 * part + line / 8 } else { part };
    (line % 8 * 4 + inside / in_a_word, word * in_a_word + inside % in_a_word)
}

/// Runs the form on matrices of random elements: what it gives, and what it should.
fn products(form: &Form, seed: u64) -> (Vec<u8>, Vec<u8>) {
    let mut random = Random(seed);
    let [factor_bytes, sum_bytes] = form.bytes;
    let lane_bytes = |elements: usize, bytes: usize| elements / 32 * bytes;
    let sizes = [
        lane_bytes(form.rows * form.k, factor_bytes),
        lane_bytes(8 * form.k, factor_bytes),
        lane_bytes(form.rows * 8, sum_bytes),
    ];
    let mut fill = |matrix: char, lines: usize, across: usize, size: usize| {
        let (bytes, element) =
            if matrix == 'c' { (sum_bytes, form.sum) } else { (factor_bytes, form.element) };
        let (mut memory, mut numbers) = (vec![0_u8; 32 * size], vec![0.0; lines * across]);
        for line in 0..lines {
            for at in 0..across {
                let (written, number) = element(&mut random);
                let (lane, i) = place(matrix, bytes, line, at);
                memory[lane * size + i * bytes..][..bytes].copy_from_slice(&written);
                numbers[line * across + at] = number;
            }
        }
        (memory, numbers)
    };
    let (a_memory, a) = fill('a', form.rows, form.k, sizes[0]);
    let (b_memory, b) = fill('b', 8, form.k, sizes[1]);
    let (c_memory, c) = fill('c', form.rows, 8, sizes[2]);
    let mut expected = vec![0_u8; 32 * sizes[2]];
    for row in 0..form.rows {
        for col in 0..8 {
            let products = (0..form.k).map(|k| a[row * form.k + k] * b[col * form.k + k]);
            let sum = products.sum::<f64>() + c[row * 8 + col];
            let (lane, i) = place('c', sum_bytes, row, col);
            expected[lane * sizes[2] + i * sum_bytes..][..sum_bytes].copy_from_slice(&(form.rounded)(sum));
        }
    }

    let device = Device::new();
    let byte = |byte: u8| [byte];
    let memories = [a_memory, b_memory, c_memory].map(|memory| upload(&device, &memory, byte));
    let register = |bytes: usize| if bytes == 8 { ("fd", "b64", 8) } else { ("r", "b32", 4) };
    let mut body = String::from(
        ".reg .b32 %r<40>; .reg .b64 %fd<40>; .reg .b64 %rd<8>; .reg .b32 %lane; mov.u32 %lane, %laneid;\n",
    );
    let mut lists = Vec::new();
    for (number, (name, size)) in ["a", "b", "c"].iter().zip(sizes).enumerate() {
        let bytes = if number < 2 { factor_bytes } else { sum_bytes };
        let (class, ty, width) = register(bytes);
        writeln!(
            body,
            "ld.param.u64 %rd{number}, [{name}]; mul.wide.u32 %rd4, %lane, {size}; add.u64 %rd{number}, %rd{number}, %rd4;"
        )
        .unwrap();
        let mut names = Vec::new();
        for i in 0..size / width {
            let name = format!("%{class}{}", 10 * number + i);
            writeln!(body, "ld.global.{ty} {name}, [%rd{number}+{}];", i * width).unwrap();
            names.push(name);
        }
        lists.push(names);
    }
    let [a, b, c] = [0, 1, 2].map(|number| lists[number].join(", "));
    writeln!(body, "mma.sync.aligned.{} {{{c}}}, {{{a}}}, {{{b}}}, {{{c}}};", form.opcode).unwrap();
    let (_, ty, width) = register(sum_bytes);
    for (i, name) in lists[2].iter().enumerate() {
        writeln!(body, "st.global.{ty} [%rd2+{}], {name};", i * width).unwrap();
    }
    let text = kernel(".param .u64 a, .param .u64 b, .param .u64 c", &body);
    let parameters = memories.iter().fold(Parameters::default(), |all, &memory| all.wide(memory)).0;
    let report = run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters)).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    (download(&device, memories[2], expected.len(), |[byte]: [u8; 1]| byte), expected)
}

#[test]
fn products_are_those_by_the_book() {
    for form in FORMS {
        for seed in 1..4 {
            let (result, expected) = products(form, seed);
            assert_eq!(result, expected, "{}", form.opcode);
        }
    }
}

/// Loads matrices of a tile whose 16-bit elements are their numbers, and gives each lane's registers. `%r1` is the address of
/// the lane's row: the rows follow each other.
fn loaded(form: &str, count: usize) -> Vec<u32> {
    let device = Device::new();
    let x = upload(&device, &[0; 128], u32::to_le_bytes);
    let mut body = String::from(
        ".reg .b32 %r<20>; .reg .b64 %rd<6>; .shared .align 16 .b8 tile[512]; ld.param.u64 %rd0, [x]; mov.u32 %r0, %tid.x;
         mul.wide.u32 %rd1, %r0, 16; add.u64 %rd0, %rd0, %rd1; shl.b32 %r1, %r0, 4; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;\n",
    );
    // Eight elements of each row.
    for i in 0..4 {
        writeln!(
            body,
            "mad.lo.u32 %r3, %r0, 8, {}; shl.b32 %r4, %r3, 16; sub.u32 %r3, %r3, 1; or.b32 %r3, %r3, %r4;
             st.shared.u32 [%r1+{}], %r3;",
            2 * i + 1,
            4 * i
        )
        .unwrap();
    }
    let names: Vec<String> = (10..10 + count).map(|i| format!("%r{i}")).collect();
    write!(
        body,
        "bar.warp.sync -1; cvt.u64.u32 %rd2, %r1; cvta.shared.u64 %rd2, %rd2;
         ldmatrix.sync.aligned.m8n8.{form} {{{}}}, [{}];\n",
        names.join(", "),
        if form.contains("shared") { "%r1" } else { "%rd2" }
    )
    .unwrap();
    for (i, name) in names.iter().enumerate() {
        writeln!(body, "st.global.u32 [%rd0+{}], {name};", 4 * i).unwrap();
    }
    let parameters = Parameters::default().wide(x).0;
    let text = kernel(".param .u64 x", &body);
    let report = run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters)).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    download(&device, x, 128, u32::from_le_bytes)
}

#[test]
fn matrices_are_loaded_as_they_lie_and_transposed() {
    for (form, count, transposed) in [
        ("x1.shared.b16", 1, false),
        ("x2.shared::cta.b16", 2, false),
        ("x4.shared.b16", 4, false),
        ("x4.b16", 4, false),
        ("x1.trans.shared.b16", 1, true),
        ("x2.trans.b16", 2, true),
        ("x4.trans.shared.b16", 4, true),
    ] {
        let values = loaded(form, count);
        for lane in 0..32 {
            for matrix in 0..count {
                let element = |i: usize| {
                    let (line, across) = (lane / 4, lane % 4 * 2 + i);
                    let (row, col) = if transposed { (across, line) } else { (line, across) };
                    ((matrix * 8 + row) * 8 + col) as u32
                };
                assert_eq!(values[lane * 4 + matrix], element(1) << 16 | element(0), "{form}, lane {lane}");
            }
        }
    }
}

/// Runs a body with a tile of 512 bytes that is written, whose address is `%r1`, and `%r0` the lane.
fn alone(body: &str, threads: u32) -> Result<Report, LaunchError> {
    let body = format!(
        ".reg .b32 %r<20>; .reg .f32 %f<8>; .reg .b64 %rd<6>; .reg .pred %p<3>; .shared .align 16 .b8 tile[512];
         mov.u32 %r0, %laneid; mov.u32 %r1, tile; shl.b32 %r2, %r0, 4; add.u32 %r2, %r2, %r1;
         st.shared.v4.u32 [%r2], {{0, 0, 0, 0}}; bar.warp.sync -1;\n{body}"
    );
    run(&Device::new(), &kernel("", &body), &Launch::new([1, 1, 1], [threads, 1, 1], &[]))
}

const MMA: &str = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r3, %r4}, {%r5}, {%f0, %f1, %f2, %f3};";

#[test]
fn rows_outside_and_rows_that_are_not_aligned_are_found() {
    let kind = |body: &str| fault(alone(body, 32)).kind;
    let beyond =
        kind("add.u32 %r2, %r2, 16; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r2];");
    assert!(matches!(beyond, FindingKind::OutOfBounds(_)), "{beyond:?}");
    let between = kind("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2+8];");
    assert!(matches!(between, FindingKind::Misaligned(_)), "{between:?}");
    let elsewhere = kind("mov.u64 %rd1, 4096; ldmatrix.sync.aligned.m8n8.x1.b16 {%r3}, [%rd1];");
    assert!(matches!(elsewhere, FindingKind::OutOfBounds(_)), "{elsewhere:?}");
}

#[test]
fn lanes_that_ended_are_missed() {
    let body = format!("setp.eq.u32 %p1, %r0, 5; @%p1 exit;\n{MMA}");
    let findings = alone(&body, 32).unwrap().findings;
    let exited = FindingKind::ExitedMembers { members: u32::MAX, exited: 1 << 5 };
    assert_eq!(findings.iter().map(|finding| &finding.kind).collect::<Vec<_>>(), [&exited]);
}

#[test]
fn lanes_at_different_products_wait_for_ever() {
    let body =
        format!("setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;\n{MMA}\nbra END;\nLOW: {MMA}\nEND: mov.u32 %r3, 0;");
    let kind = fault(alone(&body, 32)).kind;
    assert!(matches!(kind, FindingKind::Deadlock { .. }), "{kind:?}");
}

#[test]
fn lanes_that_part_before_a_product_meet_at_it() {
    let body = format!("setp.lt.u32 %p1, %r0, 16; @%p1 bra JOIN; add.u32 %r3, %r3, 1;\nJOIN: {MMA}");
    assert!(alone(&body, 32).unwrap().findings.is_empty());
}

#[test]
fn a_race_with_a_load_of_matrices_is_found() {
    let body = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r2];";
    let first = "mov.u32 %r7, %tid.x; setp.eq.u32 %p1, %r7, 32; @%p1 st.shared.u32 [tile], %r7;";
    let findings = alone(&format!("{first}\n{body}"), 64).unwrap().findings;
    assert!(findings.iter().any(|finding| matches!(finding.kind, FindingKind::Race { .. })), "{findings:?}");
}

#[test]
fn tf32_is_rounded_halves_away_from_zero() {
    for (bits, expected) in [
        (0x3f80_0fff_u32, 0x3f80_0000_u32),
        (0x3f80_1000, 0x3f80_2000),
        (0xbf80_1000, 0xbf80_2000),
        (0x3f80_3000, 0x3f80_4000),
        (0x7f7f_ffff, 0x7f80_0000),
        (0x7f80_0000, 0x7f80_0000),
        (0xff80_0000, 0xff80_0000),
        (0x7f80_0001, 0x7fff_ffff),
    ] {
        let results = crate::harness::apply("cvt.rna.tf32.f32 %d, %a;", "b32", &[("b32", &[bits.into()])]);
        assert_eq!(results[0] as u32, expected, "{bits:#x}");
    }
}

#[test]
fn forms_that_the_hardware_has_not_are_refused() {
    for form in [
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 {%f0, %f1, %f2, %f3}, {%r3, %r4}, {%r5}, {%f0, %f1, %f2, %f3};",
        "mma.sync.aligned.m16n8k8.col.row.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r3, %r4}, {%r5}, {%f0, %f1, %f2, %f3};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r3}, {%r5}, {%f0, %f1, %f2, %f3};",
        "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r3, %r4, %r5}, [%r2];",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r3}, [%r2];",
        "ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r3}, [%rd1];",
    ] {
        let registers = ".reg .b32 %r<20>; .reg .f32 %f<8>; .reg .b64 %rd<6>;";
        assert!(Module::parse(&kernel("", &format!("{registers}\n{form}"))).is_err(), "{form}");
    }
}
