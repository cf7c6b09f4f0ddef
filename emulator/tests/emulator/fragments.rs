//! `wmma`: matrices from memory, their product, and back, as programs of `nvcuda::wmma` do it.

use gridwright_emulator::{Device, Launch, Module};

use crate::harness::{Parameters, Random, download, kernel, run, upload};
use crate::products::{bits, element, sum};

/// A matrix in memory: of lines at a stride in elements.
struct Stored {
    bytes: Vec<u8>,
    numbers: Vec<f64>,
}

/// A random matrix, row by row or column by column.
fn stored(random: &mut Random, ty: &str, [rows, cols]: [usize; 2], layout: &str, stride: usize) -> Stored {
    let lines = if layout == "row" { rows } else { cols };
    let mut bytes = vec![0_u8; lines * stride * bits(ty) / 8];
    let mut numbers = vec![0.0; rows * cols];
    for row in 0..rows {
        for col in 0..cols {
            let (value, number) = element(random, ty);
            numbers[row * cols + col] = number;
            let at = if layout == "row" { row * stride + col } else { col * stride + row };
            let bit = at * bits(ty);
            for (i, byte) in value.to_le_bytes().iter().enumerate().take(bits(ty).div_ceil(8)) {
                bytes[bit / 8 + i] |= byte << (bit % 8);
            }
        }
    }
    Stored { bytes, numbers }
}

/// Registers of a matrix: "Fragment" of the PTX ISA's `wmma.load`.
fn registers(which: char, [m, n, k]: [usize; 3], ty: &str) -> usize {
    match which {
        'a' | 'b' if ty == "f16" => 8,
        'a' => (m * k * bits(ty) / 32 / bits(ty).max(32)).max(1),
        'b' => (n * k * bits(ty) / 32 / bits(ty).max(32)).max(1),
        _ => m * n * bits(ty) / 32 / bits(ty).max(32),
    }
}

fn list(class: char, first: usize, count: usize) -> String {
    let class = if class == 'd' { "d" } else { "r" };
    format!("{{{}}}", (first..first + count).map(|i| format!("%{class}{i}")).collect::<Vec<_>>().join(", "))
}

#[derive(Clone, Copy)]
struct Form {
    shape: [usize; 3],
    /// Of the sums, A, B, and what is added.
    types: [&'static str; 4],
    name: &'static str,
    layouts: [&'static str; 4],
    /// Whether the factors are in workgroup memory, and whether addresses are generic.
    in_group: bool,
    is_generic: bool,
}

fn check(form: Form) {
    let Form { shape: [m, n, k], types: [d, a, b, c], layouts, .. } = form;
    let mut random = Random(5);
    let sizes = [[m, k], [k, n], [m, n]];
    let stride = |[rows, cols]: [usize; 2], layout: &str, ty: &str| {
        let least = if layout == "row" { cols } else { rows };
        // Other than the default: further apart, and aligned.
        least + if bits(ty) < 8 { 128 } else { 16 }
    };
    let types = [a, b, c];
    let strides: Vec<usize> = (0..3).map(|i| stride(sizes[i], layouts[i], types[i])).collect();
    let matrices: Vec<Stored> =
        (0..3).map(|i| stored(&mut random, types[i], sizes[i], layouts[i], strides[i])).collect();
    let out_stride = stride([m, n], layouts[3], d);
    let out_lines = if layouts[3] == "row" { m } else { n };

    let device = Device::new();
    let byte = |byte: u8| [byte];
    let addresses: Vec<u64> = matrices.iter().map(|matrix| upload(&device, &matrix.bytes, byte)).collect();
    let out = upload(&device, &vec![0_u8; out_lines * out_stride * bits(d) / 8], byte);
    let parameters = addresses.iter().fold(Parameters::default(), |all, &at| all.wide(at)).wide(out).0;

    let shape = format!("m{m}n{n}k{k}");
    let space = if form.is_generic { "" } else { ".global" };
    let mut body = String::from(
        ".reg .b32 %r<80>; .reg .b64 %d<80>, %a<8>; .reg .b32 %t<8>; .reg .pred %p;
         ld.param.u64 %a0, [a]; ld.param.u64 %a1, [b]; ld.param.u64 %a2, [c]; ld.param.u64 %a3, [out];\n",
    );
    let mut lists = Vec::new();
    for (i, which) in ['a', 'b', 'c'].into_iter().enumerate() {
        let count = registers(which, [m, n, k], types[i]);
        let class = if bits(types[i]) == 64 { 'd' } else { 'r' };
        lists.push(list(class, 20 * i, count));
        let (mut address, mut space) = (format!("[%a{i}]"), space.to_owned());
        if form.in_group && i < 2 {
            // Copied by the lanes, word by word.
            let bytes = matrices[i].bytes.len();
            body += &format!(
                ".shared .align 32 .b8 tile{i}[{bytes}]; mov.u32 %t0, %laneid; shl.b32 %t0, %t0, 2; mov.u32 %t3, tile{i};
                 COPY{i}: cvt.u64.u32 %a5, %t0; add.u64 %a5, %a5, %a{i}; add.u32 %t1, %t3, %t0; setp.lt.u32 %p, %t0, {bytes};
                 @%p ld.global.u32 %t2, [%a5]; @%p st.shared.u32 [%t1], %t2; add.u32 %t0, %t0, 128; @%p bra COPY{i}; bar.sync 0;\n"
            );
            (address, space) = if form.is_generic {
                body += &format!("cvt.u64.u32 %a{i}, %t3; cvta.shared.u64 %a{i}, %a{i};\n");
                (format!("[%a{i}]"), String::new())
            } else {
                (format!("[tile{i}]"), ".shared".to_owned())
            };
        }
        body += &format!(
            "mov.u32 %t{}, {}; wmma.load.{which}.sync.aligned.{}.{shape}{space}.{} {}, {address}, %t{};\n",
            i + 4,
            strides[i],
            layouts[i],
            types[i],
            lists[i],
            i + 4
        );
    }
    let class = if bits(d) == 64 { 'd' } else { 'r' };
    lists.push(list(class, 60, registers('c', [m, n, k], d)));
    body += &format!(
        "{} {}, {}, {}, {};\nwmma.store.d.sync.aligned.{}.{shape}{space}.{d} [%a3], {}, {out_stride};\n",
        form.name, lists[3], lists[0], lists[1], lists[2], layouts[3], lists[3]
    );
    let text = kernel(".param .u64 a, .param .u64 b, .param .u64 c, .param .u64 out", &body);
    let report = run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters)).unwrap();
    assert!(report.findings.is_empty(), "{:?}\n{text}", report.findings);
    let result = download(&device, out, out_lines * out_stride * bits(d) / 8, |[byte]: [u8; 1]| byte);
    for row in 0..m {
        for col in 0..n {
            let products = (0..k).map(|at| {
                let (a, b) = (matrices[0].numbers[row * k + at], matrices[1].numbers[at * n + col]);
                if form.name.contains("xor") { f64::from(a != b) } else { a * b }
            });
            let value = sum(d, products.sum::<f64>() + matrices[2].numbers[row * n + col]);
            let at = if layouts[3] == "row" { row * out_stride + col } else { col * out_stride + row };
            let bytes = bits(d) / 8;
            assert_eq!(
                result[at * bytes..][..bytes],
                value.to_le_bytes()[..bytes],
                "{} {:?} at {row}, {col}",
                form.name,
                form.layouts
            );
        }
    }
}

fn check_all(shape: [usize; 3], types: [&'static str; 4], suffix: &str, layouts: &[[&'static str; 2]]) {
    let [m, n, k] = shape;
    for (number, &[a, b]) in layouts.iter().enumerate() {
        let all = if types[1] == "f16" { format!("{}.{}", types[0], types[3]) } else { types.join(".") };
        let name = match types[1] {
            "b1" => format!("wmma.mma.{suffix}.sync.aligned.{a}.{b}.m{m}n{n}k{k}.{all}"),
            _ => format!("wmma.mma.sync.aligned.{a}.{b}.m{m}n{n}k{k}.{all}{suffix}"),
        };
        let sums = [["row", "col"], ["col", "row"]][number % 2];
        for (in_group, is_generic) in [(false, false), (true, false), (false, true), (true, true)] {
            let layouts = [a, b, sums[0], sums[1]];
            check(Form { shape, types, name: name.clone().leak(), layouts, in_group, is_generic });
        }
    }
}

const LAYOUTS: &[[&str; 2]] = &[["row", "col"], ["row", "row"], ["col", "row"], ["col", "col"]];

#[test]
fn products_of_halves_of_all_shapes_and_layouts() {
    for shape in [[16, 16, 16], [32, 8, 16], [8, 32, 16]] {
        for (d, c) in [("f32", "f32"), ("f16", "f16"), ("f32", "f16"), ("f16", "f32")] {
            check_all(shape, [d, "f16", "f16", c], "", LAYOUTS);
        }
        check_all(shape, ["f32", "bf16", "bf16", "f32"], "", LAYOUTS);
    }
}

#[test]
fn products_of_other_types_of_all_shapes() {
    for shape in [[16, 16, 16], [32, 8, 16], [8, 32, 16]] {
        check_all(shape, ["s32", "s8", "s8", "s32"], "", LAYOUTS);
        check_all(shape, ["s32", "u8", "u8", "s32"], ".satfinite", LAYOUTS);
    }
    check_all([16, 16, 8], ["f32", "tf32", "tf32", "f32"], "", LAYOUTS);
    check_all([8, 8, 4], ["f64"; 4], "", LAYOUTS);
    let packed: &[[&str; 2]] = &[["row", "col"]];
    check_all([8, 8, 32], ["s32", "s4", "s4", "s32"], "", packed);
    check_all([8, 8, 32], ["s32", "u4", "u4", "s32"], ".satfinite", packed);
    check_all([8, 8, 128], ["s32", "b1", "b1", "s32"], "xor.popc", packed);
    check_all([8, 8, 128], ["s32", "b1", "b1", "s32"], "and.popc", packed);
}

#[test]
fn without_a_stride_lines_follow_each_other() {
    let device = Device::new();
    let words: Vec<u32> = (0..256).collect();
    let x = upload(&device, &words, u32::to_le_bytes);
    let y = upload(&device, &[0; 256], u32::to_le_bytes);
    let body = ".reg .b32 %r<8>; .reg .b64 %rd<3>; ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [y];
        wmma.load.c.sync.aligned.row.m32n8k16.global.s32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd0];
        wmma.store.d.sync.aligned.col.m32n8k16.global.s32 [%rd1], {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7};";
    let parameters = Parameters::default().wide(x).wide(y).0;
    let text = kernel(".param .u64 x, .param .u64 y", body);
    run(&device, &text, &Launch::new([1, 1, 1], [32, 1, 1], &parameters)).unwrap();
    let result = download(&device, y, 256, u32::from_le_bytes);
    for row in 0..32 {
        for col in 0..8 {
            assert_eq!(result[col * 32 + row], (row * 8 + col) as u32);
        }
    }
}

#[test]
fn forms_of_wmma_that_the_hardware_has_not_are_refused() {
    for form in [
        "wmma.load.a.sync.row.m16n16k16.shared.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%r9], 16;",
        "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r0,%r1,%r2,%r3}, [%r9], 16;",
        "wmma.load.a.sync.aligned.row.m16n16k16.volatile.shared.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%r9], 16;",
        "wmma.load.a.sync.aligned.col.m8n8k32.shared.s4 {%r0}, [%r9];",
        "wmma.store.c.sync.aligned.row.m8n8k32.shared.s32 [%r9], {%r0, %r1};",
        "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r8,%r9}, {%r10,%r11}, {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7};",
        "wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%r0,%r1}, {%r8}, {%r10}, {%r0,%r1};",
    ] {
        let text = kernel("", &format!(".reg .b32 %r<20>;\n{form}"));
        assert!(Module::parse(&text).is_err(), "{form}");
    }
}
