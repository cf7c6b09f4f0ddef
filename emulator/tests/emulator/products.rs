//! All forms of `mma` and `mma.sp` against products by the book: elements are placed by the formulas of the PTX ISA.

use std::fmt::Write as _;

use gridwright_emulator::{Device, Launch, Module};
use half::{bf16, f16};

use crate::harness::{HEAD, Parameters, Random, download, run, upload};

pub(crate) fn bits(ty: &str) -> usize {
    match ty {
        "f64" => 64,
        "f32" | "s32" | "tf32" => 32,
        "f16" | "bf16" => 16,
        "s4" | "u4" => 4,
        "b1" => 1,
        _ => 8,
    }
}

/// A float of 8 bits with so many bits of exponent, by its definition.
fn tiny(bits: u64, exponent_bits: u32) -> f64 {
    let mantissa_bits = 7 - exponent_bits;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let exponent = (bits >> mantissa_bits & ((1 << exponent_bits) - 1)) as i32;
    let mantissa = (bits & ((1 << mantissa_bits) - 1)) as f64 / f64::from(1 << mantissa_bits);
    let magnitude = if exponent == 0 {
        mantissa * 2_f64.powi(1 - bias)
    } else {
        (1.0 + mantissa) * 2_f64.powi(exponent - bias)
    };
    if bits >> 7 & 1 == 1 { -magnitude } else { magnitude }
}

/// A random element: its bits, and the number. Sums of products of few thousands of them are exact.
pub(crate) fn element(random: &mut Random, ty: &str) -> (u64, f64) {
    let small = (random.next() % 9) as f64 - 4.0;
    match ty {
        "f64" => (small.to_bits(), small),
        "f32" => ((small as f32).to_bits().into(), small),
        // Its lowest bits are ignored.
        "tf32" => (u64::from((small as f32).to_bits()) | random.next() & 0x1fff, small),
        "f16" => (f16::from_f64(small).to_bits().into(), small),
        "bf16" => (bf16::from_f64(small).to_bits().into(), small),
        "e4m3" => {
            let bits = (random.next() & 0x80) | (random.next() % 0x50);
            (bits, tiny(bits, 4))
        }
        "e5m2" => {
            let bits = (random.next() & 0x80) | (0x30 + random.next() % 0x18);
            (bits, tiny(bits, 5))
        }
        "s8" => {
            let bits = random.next() as u8;
            (bits.into(), f64::from(bits as i8))
        }
        "u8" => {
            let bits = random.next() as u8;
            (bits.into(), bits.into())
        }
        "s4" => {
            let value = (random.next() % 16) as i64 - 8;
            ((value & 15) as u64, value as f64)
        }
        "u4" => {
            let value = random.next() % 16;
            (value, value as f64)
        }
        "b1" => {
            let value = random.next() & 1;
            (value, value as f64)
        }
        "s32" => {
            let value = (random.next() % 2_000_001) as i32 - 1_000_000;
            (value as u32 as u64, value.into())
        }
        _ => panic!("{ty}"),
    }
}

/// A sum as bits.
pub(crate) fn sum(ty: &str, value: f64) -> u64 {
    match ty {
        "f64" => value.to_bits(),
        "f32" => (value as f32).to_bits().into(),
        "f16" => f16::from_f64(value).to_bits().into(),
        _ => (value as i64 as i32 as u32).into(),
    }
}

/// Registers of all lanes, in bits.
pub(crate) struct Registers {
    pub(crate) words: Vec<u64>,
    pub(crate) count: usize,
    pub(crate) width: usize,
}

impl Registers {
    pub(crate) fn new(elements: usize, ty: &str) -> Self {
        let width = bits(ty).max(32);
        let count = (elements * bits(ty) / width).max(1);
        Self { words: vec![0; 32 * count], count, width }
    }

    pub(crate) fn set(&mut self, lane: usize, i: usize, ty: &str, value: u64) {
        let in_register = self.width / bits(ty);
        self.words[lane * self.count + i / in_register] |= value << (bits(ty) * (i % in_register));
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()[..self.width / 8].to_vec()).collect()
    }
}

/// The row, and the column, of the element `i` of A of 16 rows, or 8.
fn place_a(ty: &str, m: usize, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = (lane / 4, lane % 4);
    // `(threadID_in_group * 4) + (i & 3)` for 8 bits, and so on.
    let e = (32 / bits(ty)).max(1);
    if m == 8 {
        return (group, thread * e + i % e);
    }
    let row = if (i / e).is_multiple_of(2) { group } else { group + 8 };
    (row, thread * e + i % e + i / (2 * e) * 4 * e)
}

/// The place along K, and the column, of the element `i` of B.
fn place_b(ty: &str, lane: usize, i: usize) -> (usize, usize) {
    let e = (32 / bits(ty)).max(1);
    (lane % 4 * e + i % e + i / e * 4 * e, lane / 4)
}

fn place_c(lane: usize, i: usize) -> (usize, usize) {
    (if i < 2 { lane / 4 } else { lane / 4 + 8 }, lane % 4 * 2 + (i & 1))
}

fn names(class: &str, first: usize, count: usize) -> String {
    (first..first + count).map(|i| format!("%{class}{i}")).collect::<Vec<_>>().join(", ")
}

/// Runs an instruction, in which `{d}`, `{a}`, `{b}`, `{c}` and `{e}` stand for the registers: what `d` is then.
pub(crate) fn execute(instruction: &str, inputs: &[(&str, &Registers)], d: &Registers) -> Vec<u8> {
    let device = Device::new();
    let mut parameters = Parameters::default();
    let mut body = String::from(
        ".reg .b32 %r<300>; .reg .b64 %rd<300>; .reg .b32 %lane; .reg .b64 %at, %base;\nmov.u32 %lane, %laneid;\n",
    );
    let mut text = instruction.to_owned();
    let mut first = 0;
    for (name, registers) in inputs {
        let (class, ty) = if registers.width == 64 { ("rd", "b64") } else { ("r", "b32") };
        let bytes = registers.width / 8;
        parameters = parameters.wide(upload(&device, &registers.bytes(), |byte: u8| [byte]));
        writeln!(
            body,
            "ld.param.u64 %base, [{name}]; mul.wide.u32 %at, %lane, {}; add.u64 %base, %base, %at;",
            registers.count * bytes
        )
        .unwrap();
        for i in 0..registers.count {
            writeln!(body, "ld.global.{ty} %{class}{}, [%base+{}];", first + i, i * bytes).unwrap();
        }
        text = text.replace(&format!("{{{name}}}"), &format!("{{{}}}", names(class, first, registers.count)));
        text = text.replace(&format!("${name}"), &format!("%{class}{first}"));
        first += registers.count;
    }
    let (class, ty) = if d.width == 64 { ("rd", "b64") } else { ("r", "b32") };
    text = text.replace("{d}", &format!("{{{}}}", names(class, first, d.count)));
    let bytes = d.width / 8;
    let out = upload(&device, &d.bytes(), |byte: u8| [byte]);
    parameters = parameters.wide(out);
    writeln!(
        body,
        "{text}\nld.param.u64 %base, [d]; mul.wide.u32 %at, %lane, {}; add.u64 %base, %base, %at;",
        d.count * bytes
    )
    .unwrap();
    for i in 0..d.count {
        writeln!(body, "st.global.{ty} [%base+{}], %{class}{};", i * bytes, first + i).unwrap();
    }
    let mut declared: Vec<String> = inputs.iter().map(|(name, _)| format!(".param .u64 {name}")).collect();
    declared.push(".param .u64 d".to_owned());
    let text = format!("{HEAD}.visible .entry k({})\n{{\n{body}\nret;\n}}\n", declared.join(", "));
    let report = run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters.0)).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    download(&device, out, d.words.len() * bytes, |[byte]: [u8; 1]| byte)
}

/// Fills registers with random elements at their places: gives the matrix, of so many columns.
fn fill(
    random: &mut Random,
    ty: &str,
    [rows, cols]: [usize; 2],
    place: impl Fn(usize, usize) -> (usize, usize),
) -> (Registers, Vec<f64>) {
    let elements = rows * cols / 32;
    let mut registers = Registers::new(elements, ty);
    let mut matrix = vec![0.0; rows * cols];
    for lane in 0..32 {
        for i in 0..elements {
            let (bits, number) = element(random, ty);
            registers.set(lane, i, ty, bits);
            let (row, col) = place(lane, i);
            matrix[row * cols + col] = number;
        }
    }
    (registers, matrix)
}

/// Whether a form gives the product, of matrices of random elements.
fn check(form: &str, [m, k]: [usize; 2], [d, a, b, c]: [&str; 4], seed: u64) {
    let mut random = Random(seed);
    let (a_registers, a_matrix) = fill(&mut random, a, [m, k], |lane, i| place_a(a, m, lane, i));
    let (b_registers, b_matrix) = fill(&mut random, b, [k, 8], |lane, i| place_b(b, lane, i));
    let (c_registers, c_matrix) = fill(&mut random, c, [m, 8], place_c);
    let mut expected = Registers::new(m * 8 / 32, d);
    for lane in 0..32 {
        for i in 0..m * 8 / 32 {
            let (row, col) = place_c(lane, i);
            let products = (0..k).map(|at| {
                let (a, b) = (a_matrix[row * k + at], b_matrix[at * 8 + col]);
                if form.contains("xor") { f64::from(a != b) } else { a * b }
            });
            expected.set(lane, i, d, sum(d, products.sum::<f64>() + c_matrix[row * 8 + col]));
        }
    }
    let inputs = [("a", &a_registers), ("b", &b_registers), ("c", &c_registers)];
    let result =
        execute(&format!("{form} {{d}}, {{a}}, {{b}}, {{c}};"), &inputs, &Registers::new(m * 8 / 32, d));
    assert_eq!(result, expected.bytes(), "{form}");
}

#[test]
fn products_of_floats_are_those_by_the_book() {
    for (a, b, sums, ks) in [
        ("f16", "f16", &["f16", "f32"][..], &[8, 16][..]),
        ("bf16", "bf16", &["f32"], &[8, 16]),
        ("tf32", "tf32", &["f32"], &[4, 8]),
        ("f64", "f64", &["f64"], &[4, 8, 16]),
        ("e4m3", "e4m3", &["f32"], &[16, 32]),
        ("e4m3", "e5m2", &["f32"], &[16, 32]),
        ("e5m2", "e4m3", &["f32"], &[16, 32]),
        ("e5m2", "e5m2", &["f32", "f16"], &[16, 32]),
    ] {
        for &k in ks {
            for sum in sums {
                let form = format!("mma.sync.aligned.m16n8k{k}.row.col.{sum}.{a}.{b}.{sum}");
                check(&form, [16, k], [sum, a, b, sum], k as u64);
            }
        }
    }
    for rounding in ["", ".rn", ".rz", ".rm", ".rp"] {
        let form = format!("mma.sync.aligned.m8n8k4.row.col{rounding}.f64.f64.f64.f64");
        check(&form, [8, 4], ["f64"; 4], 7);
    }
}

#[test]
fn products_of_integers_are_those_by_the_book() {
    for (types, rows8, rows16) in [(["s8", "u8"], 16, [16, 32]), (["s4", "u4"], 32, [32, 64])] {
        for a in types {
            for b in types {
                for (m, k) in [(8, rows8), (16, rows16[0]), (16, rows16[1])] {
                    for saturated in ["", ".satfinite"] {
                        let form = format!("mma.sync.aligned.m{m}n8k{k}.row.col{saturated}.s32.{a}.{b}.s32");
                        check(&form, [m, k], ["s32", a, b, "s32"], k as u64 + 1);
                    }
                }
            }
        }
    }
    for (m, k) in [(8, 128), (16, 128), (16, 256)] {
        for combine in ["xor", "and"] {
            let form = format!("mma.sync.aligned.m{m}n8k{k}.row.col.s32.b1.b1.s32.{combine}.popc");
            check(&form, [m, k], ["s32", "b1", "b1", "s32"], k as u64);
        }
    }
}

#[test]
fn sums_of_integers_wrap_around_or_stop_at_the_ends() {
    let all = |value: u32, count| Registers { words: vec![value.into(); 32 * count], count, width: 32 };
    for (a, c, wrapped, stopped) in [
        (0x0101_0101_u32, 0x7fff_ffff_u32, 0x8000_000f_u32, 0x7fff_ffff_u32),
        (0xffff_ffff, 0x8000_0000, 0x7fff_fff0, 0x8000_0000),
    ] {
        for (suffix, expected) in [("", wrapped), (".satfinite", stopped)] {
            let inputs = [("a", &all(a, 2)), ("b", &all(0x0101_0101, 1)), ("c", &all(c, 4))];
            let form = format!(
                "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32{suffix} {{d}}, {{a}}, {{b}}, {{c}};"
            );
            let result = execute(&form, &inputs, &all(0, 4));
            assert_eq!(result, all(expected, 4).bytes(), "{form}");
        }
    }
}

/// "Matrix Fragments for mma.m8n8k4 with .f16 floating point type": four products, each by lanes of two groups of four.
#[test]
fn four_small_products_of_halves_are_those_by_the_book() {
    let upper = |lane: usize| if lane < 16 { 0 } else { 4 };
    let quad = |lane: usize| lane % 16 / 4;
    let place_sum = |ty: &str, lane: usize, i: usize| match ty {
        "f16" => (lane % 4 + upper(lane), i),
        _ => ((lane & 1) + (i & 2) + upper(lane), (i & 4) + (lane & 2) + (i & 1)),
    };
    for (a_layout, b_layout) in [("row", "col"), ("row", "row"), ("col", "row"), ("col", "col")] {
        for (d, c) in [("f16", "f16"), ("f32", "f16"), ("f32", "f32")] {
            let mut random = Random(11);
            let mut matrices = [vec![0.0; 4 * 32], vec![0.0; 4 * 32], vec![0.0; 4 * 64]];
            let mut registers = [Registers::new(4, "f16"), Registers::new(4, "f16"), Registers::new(8, c)];
            for lane in 0..32 {
                for i in 0..4 {
                    let (row, col) = if a_layout == "row" {
                        (lane % 4 + upper(lane), i)
                    } else {
                        (i + upper(lane), lane % 4)
                    };
                    let (bits, number) = element(&mut random, "f16");
                    registers[0].set(lane, i, "f16", bits);
                    matrices[0][quad(lane) * 32 + row * 4 + col] = number;
                    let (row, col) = if b_layout == "row" {
                        (lane % 4, i + upper(lane))
                    } else {
                        (i, lane % 4 + upper(lane))
                    };
                    let (bits, number) = element(&mut random, "f16");
                    registers[1].set(lane, i, "f16", bits);
                    matrices[1][quad(lane) * 32 + row * 8 + col] = number;
                }
                for i in 0..8 {
                    let (row, col) = place_sum(c, lane, i);
                    let (bits, number) = element(&mut random, c);
                    registers[2].set(lane, i, c, bits);
                    matrices[2][quad(lane) * 64 + row * 8 + col] = number;
                }
            }
            let mut expected = Registers::new(8, d);
            for lane in 0..32 {
                for i in 0..8 {
                    let (row, col) = place_sum(d, lane, i);
                    let quad = quad(lane);
                    let products = (0..4)
                        .map(|k| matrices[0][quad * 32 + row * 4 + k] * matrices[1][quad * 32 + k * 8 + col]);
                    let value = products.sum::<f64>() + matrices[2][quad * 64 + row * 8 + col];
                    expected.set(lane, i, d, sum(d, value));
                }
            }
            let form = format!("mma.sync.aligned.m8n8k4.{a_layout}.{b_layout}.{d}.f16.f16.{c}");
            let inputs = [("a", &registers[0]), ("b", &registers[1]), ("c", &registers[2])];
            let result =
                execute(&format!("{form} {{d}}, {{a}}, {{b}}, {{c}};"), &inputs, &Registers::new(8, d));
            assert_eq!(result, expected.bytes(), "{form}");
        }
    }
}

/// Metadata of each lane, and where the elements of A that are there stand: their columns, row by row.
pub(crate) fn metadata(random: &mut Random, ty: &str, k: usize, selector: usize) -> (Registers, Vec<usize>) {
    let (group, together, index_bits) = match bits(ty) {
        32 => (2, 1, 4),
        4 => (8, 2, 2),
        _ => (4, 1, 2),
    };
    // Bits of a row; a word has half of its bits for the row 8 further down, or a whole row has words of its own.
    let row_bits = k / group * 4;
    let shares_words = bits(ty) >= 16;
    let lanes = 16 * row_bits / 32 / 8;
    let mut words = vec![random.next() & 0xffff_ffff; 32];
    let mut columns = Vec::new();
    for row in 0..16 {
        for number in 0..k / group {
            let bit = 4 * number;
            let (word, shift) = if shares_words {
                (bit / 16, bit % 16 + row / 8 * 16)
            } else {
                (bit / 32 * 2 + row / 8, bit % 32)
            };
            let lane = row % 8 * 4 + selector * lanes + word;
            let value = if index_bits == 4 {
                let second = random.next() % 2 == 1;
                columns.push(group * number + usize::from(second));
                if second { 0b1110 } else { 0b0100 }
            } else {
                let [low, high] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
                    .map(|(low, high)| [low, high])[(random.next() % 6) as usize];
                for which in [low, high] {
                    columns.extend((0..together).map(|i| group * number + which * together + i));
                }
                (low | high << 2) as u64
            };
            words[lane] = words[lane] & !(15 << shift) | value << shift;
        }
    }
    (Registers { words, count: 1, width: 32 }, columns)
}

#[test]
fn products_of_matrices_half_of_which_is_zeros_are_those_by_the_book() {
    for (a, b, sum_type, k, selectors) in [
        ("f16", "f16", "f32", 16, 4),
        ("f16", "f16", "f16", 32, 2),
        ("bf16", "bf16", "f32", 16, 4),
        ("bf16", "bf16", "f32", 32, 2),
        ("tf32", "tf32", "f32", 8, 4),
        ("tf32", "tf32", "f32", 16, 2),
        ("s8", "u8", "s32", 32, 2),
        ("u8", "u8", "s32", 64, 1),
        ("e4m3", "e5m2", "f32", 64, 1),
        ("s4", "s4", "s32", 64, 2),
        ("u4", "s4", "s32", 128, 1),
    ] {
        for selector in 0..selectors {
            for name in ["sp", "sp::ordered_metadata"] {
                let mut random = Random(13 + selector as u64);
                let (a_registers, kept) =
                    fill(&mut random, a, [16, k / 2], |lane, i| place_a(a, 16, lane, i));
                let (b_registers, b_matrix) = fill(&mut random, b, [k, 8], |lane, i| place_b(b, lane, i));
                let (c_registers, c_matrix) = fill(&mut random, sum_type, [16, 8], place_c);
                let (words, columns) = metadata(&mut random, a, k, selector);
                let mut expected = Registers::new(4, sum_type);
                for lane in 0..32 {
                    for i in 0..4 {
                        let (row, col) = place_c(lane, i);
                        let products = (0..k / 2).map(|at| {
                            let at = row * (k / 2) + at;
                            kept[at] * b_matrix[columns[at] * 8 + col]
                        });
                        let value = products.sum::<f64>() + c_matrix[row * 8 + col];
                        expected.set(lane, i, sum_type, sum(sum_type, value));
                    }
                }
                let form = format!("mma.{name}.sync.aligned.m16n8k{k}.row.col.{sum_type}.{a}.{b}.{sum_type}");
                let inputs = [("a", &a_registers), ("b", &b_registers), ("c", &c_registers), ("e", &words)];
                let text = format!("{form} {{d}}, {{a}}, {{b}}, {{c}}, $e, {selector};");
                let result = execute(&text, &inputs, &Registers::new(4, sum_type));
                assert_eq!(result, expected.bytes(), "{text}");
            }
        }
    }
}

#[test]
fn a_matrix_is_stored_and_transposed_as_it_is_loaded() {
    let mut random = Random(17);
    let words: Vec<u64> = (0..128).map(|_| random.next() & 0xffff_ffff).collect();
    let four = Registers { words, count: 4, width: 32 };
    // Row by row to workgroup memory and back, both as they are or both transposed.
    let tile = ".shared .align 16 .b8 tile[512]; .reg .b32 %row; .reg .b64 %where;
        mov.u32 %row, tile; mad.lo.u32 %row, %lane, 16, %row; cvt.u64.u32 %where, %row; cvta.shared.u64 %where, %where;";
    for (store, load) in [
        ("m8n8.x4.shared.b16 [%row]", "m8n8.x4.shared.b16"),
        ("x4.trans.m8n8.shared::cta.b16 [%row]", "m8n8.x4.trans.shared.b16"),
        ("m8n8.x4.b16 [%where]", "shared.m8n8.x4.b16"),
    ] {
        let text = format!(
            "{tile}\nstmatrix.sync.aligned.{store}, {{a}};\nbar.warp.sync -1;\nldmatrix.sync.aligned.{load} {{d}}, [%row];"
        );
        let d = Registers { words: vec![0; 128], count: 4, width: 32 };
        assert_eq!(execute(&text, &[("a", &four)], &d), four.bytes(), "{store}");
    }
    // To the other place in memory, and with `movmatrix`.
    let text = format!(
        "{tile}\nstmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%row], {{a}};\nbar.warp.sync -1;
         ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{d}}, [%row];"
    );
    let d = Registers { words: vec![0; 128], count: 4, width: 32 };
    let through_memory = execute(&text, &[("a", &four)], &d);
    let element = |bytes: &[u8], matrix: usize, row: usize, col: usize| {
        let at = ((row * 4 + col / 2) * 4 + matrix) * 4 + col % 2 * 2;
        [bytes[at], bytes[at + 1]]
    };
    let before = four.bytes();
    for (row, col) in (0..64).map(|at| (at / 8, at % 8)) {
        for matrix in 0..4 {
            assert_eq!(element(&through_memory, matrix, row, col), element(&before, matrix, col, row));
        }
    }
    let one = Registers { words: four.words[..32].to_vec(), count: 1, width: 32 };
    let text = "movmatrix.sync.aligned.m8n8.trans.b16 %r99, $a;\nmov.b32 {d}, %r99;".replace("{d}", "%r1");
    let d = Registers { words: vec![0; 32], count: 1, width: 32 };
    let turned = execute(&text, &[("a", &one)], &d);
    let part = |bytes: &[u8], row: usize, col: usize| {
        let at = (row * 4 + col / 2) * 4 + col % 2 * 2;
        [bytes[at], bytes[at + 1]]
    };
    for (row, col) in (0..64).map(|at| (at / 8, at % 8)) {
        assert_eq!(part(&turned, row, col), part(&one.bytes(), col, row));
    }
}

#[test]
fn modifiers_stand_in_any_order() {
    let registers = ".reg .b32 %r<20>; .reg .f32 %f<8>; .reg .b64 %rd<6>;";
    let parse = |form: &str| Module::parse(&crate::harness::kernel("", &format!("{registers}\n{form}")));
    let operands = "{%f0, %f1, %f2, %f3}, {%r3, %r4}, {%r5}, {%f0, %f1, %f2, %f3};";
    for form in [
        "mma.sync.aligned.row.col.m16n8k8.f32.f16.f16.f32",
        "mma.aligned.sync.m16n8k8.f32.f16.f16.f32.row.col",
        "mma.sync.aligned.f32.m16n8k8.f16.row.f16.col.f32",
    ] {
        parse(&format!("{form} {operands}")).unwrap();
    }
    for form in [
        "ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%r4,%r5,%r6,%r7}, [%r9];",
        "ldmatrix.shared.sync.aligned.m8n8.trans.x1.b16 {%r4}, [%r9];",
        "ldmatrix.aligned.sync.m8n8.x1.b16.shared {%r4}, [%r9];",
        "movmatrix.sync.aligned.trans.m8n8.b16 %r0, %r1;",
        "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%r4,%r5,%r6,%r7},{%r1,%r1,%r1,%r1},{%r1,%r1},{0,0,0,0};",
        "mma.sync.sp.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 {%r4,%r5,%r6,%r7},{%r1,%r1},{%r1,%r1},{%r4,%r5,%r6,%r7}, %r0, 1;",
    ] {
        parse(form).unwrap();
    }
    for form in [
        "mma.sync.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r3, %r4}, {%r5}, {%f0, %f1, %f2, %f3};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r3, %r4}, %r5, {%f0, %f1, %f2, %f3};",
        "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%r4,%r5,%r6,%r7},{%r1,%r1,%r1,%r1},{%r1,%r1,%r1,%r1},{%r4,%r5,%r6,%r7}, %r0, 1;",
        "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32 {%r4,%r5,%r6,%r7},{%r1,%r1},{%r1},{%r4,%r5,%r6,%r7};",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0,%r1}, [%r9];",
        "ldmatrix.sync.aligned.m8n8.x1.shared::cluster.b16 {%r4}, [%r9];",
        "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r9], {%r0};",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r9], {5};",
        "movmatrix.sync.aligned.m8n8.b16 %r0, %r1;",
    ] {
        assert!(parse(form).is_err(), "{form}");
    }
}
