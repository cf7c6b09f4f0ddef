//! `wgmma`: products by four warps, of matrices that lie in workgroup memory as the PTX ISA's canonical layouts say.

use std::fmt::Write as _;

use gridwright_emulator::{Device, Launch, Module, Swizzle, TensorElement, TensorMap};
use half::f16;

use crate::harness::{Parameters, Random, download, kernel, run, upload};
use crate::products::{bits, element, metadata, sum};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Layout {
    None,
    Swizzled(usize),
}

/// A matrix of lines along K in workgroup memory: its bytes, its numbers, and the fields of its descriptor.
struct Shared {
    bytes: Vec<u8>,
    numbers: Vec<f64>,
    leading: usize,
    stride: usize,
    mode: u64,
}

/// Places elements as in the tables of "Strides" and "Shared memory matrix layout": `turned` for MN-major.
fn shared(random: &mut Random, ty: &str, lines: usize, k: usize, layout: Layout, turned: bool) -> Shared {
    let size = bits(ty);
    let per = 128 / size;
    let (span, mode) = match layout {
        Layout::None => (16, 0),
        Layout::Swizzled(128) => (128, 1),
        Layout::Swizzled(64) => (64, 2),
        Layout::Swizzled(_) => (32, 3),
    };
    let line_parts = (lines * size / 8).div_ceil(span);
    let (leading, stride) = match (turned, layout) {
        // Core matrices of 128 bytes: two along K, then the next eight lines.
        (_, Layout::None) => (128, 256),
        (false, _) => (16, 8 * span),
        // Eight places along K of a span of lines; all spans, then the next eight.
        (true, _) => (8 * span, 8 * span * line_parts),
    };
    let mut bytes = vec![0_u8; 32768];
    let mut numbers = vec![0.0; lines * k];
    let mut end = 0;
    for line in 0..lines {
        for at in 0..k {
            let (value, number) = element(random, ty);
            numbers[line * k + at] = number;
            let bit = if turned { line % per * size } else { at % per * size };
            let byte = match (turned, layout) {
                (false, Layout::None) => line % 8 * 16 + line / 8 * stride + at / per * leading,
                (false, _) => line % 8 * span + line / 8 * stride + at / per * 16,
                (true, Layout::None) => at % 8 * 16 + at / 8 * leading + line / per * stride,
                (true, _) => {
                    let piece = line / per;
                    at % 8 * span + at / 8 * stride + piece % (span / 16) * 16 + piece / (span / 16) * leading
                }
            };
            // Bits 4 to 6 of the address are combined with bits 7 to 9, as many as the span has pieces.
            let byte = byte ^ (byte >> 7 & (span / 16 - 1)) << 4;
            for (i, part) in value.to_le_bytes().iter().enumerate().take(size.div_ceil(8)) {
                bytes[byte + bit / 8 + i] |= part << (bit % 8);
            }
            end = end.max(byte + 16);
        }
    }
    bytes.truncate(end.next_multiple_of(1024));
    Shared { bytes, numbers, leading, stride, mode }
}

struct Form {
    /// Of D, A and B.
    types: [&'static str; 3],
    n: usize,
    layout: Layout,
    turned: [bool; 2],
    in_registers: bool,
    suffix: &'static str,
    /// What follows the predicate.
    tail: &'static str,
    sign: f64,
    /// Which lanes have the metadata, of an A of which half is there.
    selector: Option<usize>,
}

fn check(form: &Form) {
    let Form { types: [d, a, b], n, layout, turned, .. } = *form;
    let kept = 256 / bits(a);
    let k = if form.selector.is_some() { 2 * kept } else { kept };
    let mut random = Random(23);
    let a_shared = shared(&mut random, a, 64, kept, layout, turned[0]);
    let b_shared = shared(&mut random, b, n, k, layout, turned[1]);
    let image: Vec<u8> = a_shared.bytes.iter().chain(&b_shared.bytes).copied().collect();
    // A as it is, with the zeros, and each lane's metadata.
    let mut a_numbers = a_shared.numbers.clone();
    let mut words = vec![0; 128];
    if let Some(selector) = form.selector {
        a_numbers = vec![0.0; 64 * k];
        for warp in 0..4 {
            let (own, columns) = metadata(&mut random, a, k, selector);
            words[32 * warp..][..32].copy_from_slice(&own.words);
            for (at, column) in columns.iter().enumerate() {
                let row = warp * 16 + at / kept;
                a_numbers[row * k + column] = a_shared.numbers[row * kept + at % kept];
            }
        }
    }
    // A's registers: each lane's elements, by "Register Fragments for wgmma": as of `mma`, of the warp's 16 rows.
    let per = 32 / bits(a);
    let mut a_words = vec![0_u32; 128 * 5];
    for (at, word) in a_words.iter_mut().enumerate() {
        let (thread, register) = (at / 5, at % 5);
        if register == 4 {
            *word = words[thread] as u32;
            continue;
        }
        let row = thread / 32 * 16 + thread % 32 / 4 + register % 2 * 8;
        for i in 0..per {
            let across = thread % 4 * per + i + register / 2 * 4 * per;
            let number = a_shared.numbers[row * kept + across];
            let encoded = match a {
                "f16" => u32::from(f16::from_f64(number).to_bits()),
                "tf32" => (number as f32).to_bits(),
                "b1" => number as u32,
                _ => u32::from(number as i64 as u8),
            };
            *word |= encoded << (bits(a) * i);
        }
    }
    let device = Device::new();
    let byte = |byte: u8| [byte];
    let x = upload(&device, &image, byte);
    let registers = upload(&device, &a_words, u32::to_le_bytes);
    let count = n * 4 * bits(d) / 32 / 8;
    // D is 3 everywhere before.
    let three = match d {
        "f32" => 3_f32.to_bits(),
        "f16" => u32::from(f16::from_f32(3.0).to_bits()) * 0x1_0001,
        _ => 3,
    };
    let y = upload(&device, &vec![0_u32; 128 * count], u32::to_le_bytes);
    let descriptor = |shared: &Shared| {
        (shared.leading as u64 >> 4) << 16 | (shared.stride as u64 >> 4) << 32 | shared.mode << 62
    };
    let mut body = format!(
        ".reg .b32 %r<300>; .reg .b64 %rd<20>; .reg .pred %p<3>; .shared .align 1024 .b8 image[{}]; ld.param.u64 %rd1, [x];
         ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [z]; mov.u32 %r200, %tid.x; mov.u32 %r201, image; shl.b32 %r202, %r200, 2;
         COPY: setp.ge.u32 %p0, %r202, {}; @%p0 bra COPIED; cvt.u64.u32 %rd5, %r202; add.u64 %rd5, %rd5, %rd1;
         ld.global.u32 %r204, [%rd5]; add.u32 %r205, %r201, %r202; st.shared.u32 [%r205], %r204; add.u32 %r202, %r202, 512; bra COPY;
         COPIED: fence.proxy.async; bar.sync 0; mul.wide.u32 %rd5, %r200, {}; add.u64 %rd2, %rd2, %rd5;
         mul.wide.u32 %rd5, %r200, 20; add.u64 %rd3, %rd3, %rd5; shr.u32 %r206, %r201, 4; cvt.u64.u32 %rd6, %r206;
         or.b64 %rd10, %rd6, {}; add.u32 %r207, %r201, {}; shr.u32 %r207, %r207, 4; cvt.u64.u32 %rd7, %r207; or.b64 %rd11, %rd7, {};
         setp.eq.u32 %p1, %r201, %r201;\n",
        image.len(),
        image.len(),
        4 * count,
        descriptor(&a_shared),
        a_shared.bytes.len(),
        descriptor(&b_shared)
    );
    for i in 0..5 {
        writeln!(body, "ld.global.u32 %r{}, [%rd3+{}];", 210 + i, 4 * i).unwrap();
    }
    for i in 0..count {
        writeln!(body, "mov.b32 %r{i}, {three};").unwrap();
    }
    let list = (0..count).map(|i| format!("%r{i}")).collect::<Vec<_>>().join(", ");
    let from = if form.in_registers { "{%r210, %r211, %r212, %r213}" } else { "%rd10" };
    // Twice: the second adds to what the first gave.
    let (sparse, lanes) = match form.selector {
        Some(selector) => (".sp", format!(" %r214, {selector},")),
        None => ("", String::new()),
    };
    let product = format!(
        "wgmma.mma_async{sparse}.sync.aligned.m64n{n}k{k}.{d}.{a}.{b}{} {{{list}}}, {from}, %rd11,{lanes} %p1{};\n",
        form.suffix, form.tail
    );
    writeln!(
        body,
        "wgmma.fence.sync.aligned;\n{product}{product}wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
    )
    .unwrap();
    for i in 0..count {
        writeln!(body, "st.global.u32 [%rd2+{}], %r{i};", 4 * i).unwrap();
    }
    let text = kernel(".param .u64 x, .param .u64 y, .param .u64 z", &body).replace("sm_90\n", "sm_90a\n");
    let parameters = Parameters::default().wide(x).wide(y).wide(registers).0;
    let report = run(&device, &text, &Launch::new([1, 1, 1], [128, 1, 1], &parameters)).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let result = download(&device, y, 128 * count, u32::from_le_bytes);
    let per = 32 / bits(d);
    for thread in 0..128 {
        for i in 0..count * per {
            let row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
            let col = i / 4 * 8 + thread % 4 * 2 + i % 2;
            let products = (0..k).map(|at| a_numbers[row * k + at] * b_shared.numbers[col * k + at]);
            let once = form.sign * products.sum::<f64>();
            let value = sum(d, 3.0 + 2.0 * once) as u32 & (u32::MAX >> (32 - bits(d)));
            let found =
                result[thread * count + i / per] >> (i % per * bits(d)) & (u32::MAX >> (32 - bits(d)));
            assert_eq!(found, value, "{product} {layout:?} row {row}, column {col}");
        }
    }
}

const LAYOUTS: [Layout; 4] =
    [Layout::None, Layout::Swizzled(32), Layout::Swizzled(64), Layout::Swizzled(128)];

#[test]
fn products_of_halves_of_all_layouts() {
    for layout in LAYOUTS {
        for turned in [[false, false], [true, false], [false, true], [true, true]] {
            let tail: &'static str =
                format!(", 1, 1, {}, {}", u8::from(turned[0]), u8::from(turned[1])).leak();
            for (d, n) in [("f32", 64), ("f16", 8), ("f32", 128)] {
                // Lines fill whole spans.
                if turned[1] && layout != Layout::None && n == 8 {
                    continue;
                }
                let types = [d, "f16", "f16"];
                check(&Form {
                    types,
                    n,
                    layout,
                    turned,
                    in_registers: false,
                    suffix: "",
                    tail,
                    sign: 1.0,
                    selector: None,
                });
            }
        }
        let (turned, types) = ([false, false], ["f32", "f16", "f16"]);
        let form = |in_registers, tail, sign| Form {
            types,
            n: 24,
            layout,
            turned,
            in_registers,
            suffix: "",
            tail,
            sign,
            selector: None,
        };
        check(&form(true, ", 1, -1, 0", -1.0));
        check(&form(false, ", -1, -1, 0, 0", 1.0));
    }
}

#[test]
fn products_of_other_types() {
    for (types, suffix, tail, may_be_in_registers) in [
        (["f32", "bf16", "bf16"], "", ", 1, 1, 0, 0", false),
        (["f32", "tf32", "tf32"], "", ", 1, 1", true),
        (["f32", "e4m3", "e5m2"], "", ", 1, 1", false),
        (["s32", "s8", "u8"], "", "", true),
        (["s32", "u8", "u8"], ".satfinite", "", true),
        (["s32", "b1", "b1"], ".and.popc", "", true),
    ] {
        for layout in LAYOUTS {
            for in_registers in [false, true] {
                if may_be_in_registers || !in_registers {
                    let turned = [false, false];
                    check(&Form {
                        types,
                        n: 48,
                        layout,
                        turned,
                        in_registers,
                        suffix,
                        tail,
                        sign: 1.0,
                        selector: None,
                    });
                }
            }
        }
    }
}

#[test]
fn products_of_matrices_half_of_which_is_zeros() {
    for (types, tail, selectors, turns) in [
        (["f32", "f16", "f16"], ", 1, 1, 0, 0", 2, true),
        (["f32", "tf32", "tf32"], ", 1, 1", 2, false),
        (["s32", "s8", "u8"], "", 1, false),
        (["f32", "e5m2", "e5m2"], ", 1, 1", 1, false),
    ] {
        for selector in 0..selectors {
            for layout in [Layout::Swizzled(64), Layout::Swizzled(128)] {
                for turned in [[false, false], [true, true]] {
                    let tail = if turned[0] { ", 1, 1, 1, 1" } else { tail };
                    if turned[0] && !turns {
                        continue;
                    }
                    let (n, selector) = (64, Some(selector));
                    let form = Form {
                        types,
                        n,
                        layout,
                        turned,
                        in_registers: false,
                        suffix: "",
                        tail,
                        sign: 1.0,
                        selector,
                    };
                    check(&form);
                }
            }
        }
    }
    let (types, layout, turned) = (["f32", "f16", "f16"], Layout::Swizzled(64), [false, false]);
    let (suffix, tail, sign, selector) = ("", ", 1, 1, 0", 1.0, Some(1));
    check(&Form { types, n: 16, layout, turned, in_registers: true, suffix, tail, sign, selector });
}

/// C = A·Bᵀ of 64 by 64 halves each: tiles come by tensor copies with the 128-byte swizzle, and each product takes 32 bytes of a row.
#[test]
fn a_tile_of_a_matrix_product_comes_from_tensor_copies() {
    let device = Device::new();
    let mut random = Random(29);
    let mut matrix = || -> Vec<f64> { (0..64 * 64).map(|_| (random.next() % 9) as f64 - 4.0).collect() };
    let (a, b) = (matrix(), matrix());
    let half = |value: f64| f16::from_f64(value).to_le_bytes();
    let map = |address| TensorMap {
        element: TensorElement::Half,
        address,
        rank: 2,
        dimensions: [64, 64, 1, 1, 1],
        strides: [128, 0, 0, 0],
        tile: [64, 64, 1, 1, 1],
        steps: [1; 5],
        swizzle: Swizzle::Bytes128,
        fills_nan: false,
    };
    let (x, y) = (upload(&device, &a, half), upload(&device, &b, half));
    let out = upload(&device, &[0_f32; 64 * 64], f32::to_le_bytes);
    let mut parameters = map(x).encode().to_vec();
    parameters.extend(map(y).encode());
    parameters.extend(out.to_le_bytes());
    let list = (0..32).map(|i| format!("%f{i}")).collect::<Vec<_>>().join(", ");
    let mut body = String::from(
        ".reg .b32 %r<20>; .reg .f32 %f<40>; .reg .b64 %rd<20>; .reg .pred %p<4>; .shared .align 1024 .b8 a_tile[8192];
         .shared .align 1024 .b8 b_tile[8192]; .shared .align 8 .b64 barrier; ld.param.u64 %rd1, [out]; mov.b64 %rd2, a;
         cvta.param.u64 %rd2, %rd2; mov.b64 %rd3, b; cvta.param.u64 %rd3, %rd3; mov.u32 %r0, %tid.x; mov.u32 %r1, a_tile;
         mov.u32 %r2, b_tile; mov.u32 %r8, barrier; setp.eq.u32 %p0, %r0, 0;
         @%p0 mbarrier.init.shared.b64 [%r8], 1; @%p0 fence.proxy.async; bar.sync 0;
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 16384;
         @%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd2, {0, 0}], [%r8];
         @%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd3, {0, 0}], [%r8];
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r8], 0; @!%p1 bra WAIT;
         shr.u32 %r3, %r1, 4; cvt.u64.u32 %rd4, %r3; or.b64 %rd4, %rd4, 0x4000004000010000;
         shr.u32 %r3, %r2, 4; cvt.u64.u32 %rd5, %r3; or.b64 %rd5, %rd5, 0x4000004000010000;
         setp.ne.u32 %p2, %r0, %r0; setp.eq.u32 %p3, %r0, %r0; wgmma.fence.sync.aligned;\n",
    );
    for step in 0..4 {
        writeln!(
            body,
            "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{{list}}}, %rd4, %rd5, %p{}, 1, 1, 0, 0;
             wgmma.commit_group.sync.aligned; add.u64 %rd4, %rd4, 2; add.u64 %rd5, %rd5, 2;",
            if step == 0 { 2 } else { 3 }
        )
        .unwrap();
    }
    // The row and the column of a thread's first element.
    body += "wgmma.wait_group.sync.aligned 0; shr.u32 %r4, %r0, 5; shl.b32 %r4, %r4, 4; and.b32 %r5, %r0, 31; shr.u32 %r6, %r5, 2;
        add.u32 %r4, %r4, %r6; and.b32 %r5, %r5, 3; shl.b32 %r5, %r5, 1; mad.lo.u32 %r4, %r4, 64, %r5; mul.wide.u32 %rd6, %r4, 4;
        add.u64 %rd1, %rd1, %rd6;\n";
    for i in 0..32 {
        let (row, col) = (i / 2 % 2 * 8, i / 4 * 8 + i % 2);
        writeln!(body, "st.global.f32 [%rd1+{}], %f{i};", (row * 64 + col) * 4).unwrap();
    }
    let text = kernel(".param .align 64 .b8 a[128], .param .align 64 .b8 b[128], .param .u64 out", &body);
    let text = text.replace("sm_90\n", "sm_90a\n");
    let report = run(&device, &text, &Launch::new([1, 1, 1], [128, 1, 1], &parameters)).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let result = download(&device, out, 64 * 64, f32::from_le_bytes);
    for (row, col) in (0..64 * 64).map(|at| (at / 64, at % 64)) {
        let expected: f64 = (0..64).map(|k| a[row * 64 + k] * b[col * 64 + k]).sum();
        assert_eq!(f64::from(result[row * 64 + col]), expected, "row {row}, column {col}");
    }
    // Without the wait the registers aren't the sums yet.
    let early = text.replace("wgmma.wait_group.sync.aligned 0;", "");
    run(&device, &early, &Launch::new([1, 1, 1], [128, 1, 1], &parameters)).unwrap();
    assert_ne!(download(&device, out, 64 * 64, f32::from_le_bytes), result);
}

#[test]
fn forms_of_wgmma_that_the_hardware_has_not_are_refused() {
    for form in [
        "wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {%r0, %r1}, %rd1, %rd2, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r0, %r1}, %rd1, %rd2, %p1, 2, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r0, %r1}, %rd1, %rd2, %p1, 1, 1;",
        "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r0, %r1, %r2, %r3}, %rd1, %rd2, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n12k16.f16.f16.f16 {%r0, %r1, %r2}, %rd1, %rd2, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.xor.popc {%r0, %r1, %r2, %r3}, %rd1, %rd2, %p1;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16 {%r0, %r1}, %rd1, %rd2, %r3, 2, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8 {%r0, %r1, %r2, %r3}, %rd1, %rd2, %r3, 1, %p1;",
    ] {
        let text = kernel("", &format!(".reg .b32 %r<20>; .reg .b64 %rd<4>; .reg .pred %p<3>;\n{form}"));
        assert!(Module::parse(&text).is_err(), "{form}");
    }
}
