//! Kernels around single instructions, and numbers to try them on.

use gridwright_emulator::{Device, Finding, Launch, LaunchError, Module, Report};

pub(crate) const HEAD: &str = ".version 8.5\n.target sm_90\n.address_size 64\n";

/// A module of a kernel `k` with parameters and a body.
pub(crate) fn kernel(parameters: &str, body: &str) -> String {
    format!("{HEAD}.visible .entry k({parameters})\n{{\n{body}\nret;\n}}\n")
}

/// Numbers without a pattern.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// Integers at the edges, then random ones of random lengths.
pub(crate) fn integers(seed: u64, count: usize) -> Vec<u64> {
    let edges = [
        0,
        1,
        2,
        3,
        31,
        32,
        33,
        63,
        64,
        127,
        128,
        255,
        256,
        0x7fff,
        0x8000,
        0xffff,
        0x1_0000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x1_0000_0000,
        i64::MAX as u64,
        i64::MIN as u64,
        u64::MAX,
        u64::MAX - 1,
    ];
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (0..count)
        .map(|_| match random.next() % 3 {
            0 => edges[random.next() as usize % edges.len()],
            1 => random.next(),
            _ => random.next() >> (random.next() % 64),
        })
        .collect()
}

/// Bits of single floats: special values, then all kinds.
pub(crate) fn singles(seed: u64, count: usize) -> Vec<u64> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        -1e-40,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        1e10,
        -3e9,
        16_777_217.0,
        f32::EPSILON,
    ];
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (0..count)
        .map(|_| match random.next() % 3 {
            0 => edges[random.next() as usize % edges.len()].to_bits().into(),
            1 => random.next() & 0xffff_ffff,
            _ => ((random.next() as i32 as f32) / 65536.0).to_bits().into(),
        })
        .collect()
}

pub(crate) fn doubles(seed: u64, count: usize) -> Vec<u64> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    singles(seed, count)
        .into_iter()
        .map(|bits| match random.next() % 3 {
            0 => f64::from(f32::from_bits(bits as u32)).to_bits(),
            1 => random.next(),
            _ => ((random.next() as i64 as f64) / 1e12).to_bits(),
        })
        .collect()
}

/// Applies an instruction to each element: `d`, `a`, `b`, `c` stand for registers of these types. A type `pred` as the result
/// gives 1 and 0.
pub(crate) fn apply(instruction: &str, result: &str, operands: &[(&str, &[u64])]) -> Vec<u64> {
    let class = |ty: &str| match ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()) {
        "16" => "b16",
        "64" => "b64",
        "" => "pred",
        _ => "b32",
    };
    let mut body = String::from(".reg .b64 %addr, %at; .reg .b32 %i, %r; .reg .pred %q;\n");
    body += &format!(".reg .{} %d;\n", class(result));
    body += "mov.u32 %i, %ctaid.x; mad.lo.u32 %i, %i, 256, 0; mov.u32 %r, %tid.x; add.u32 %i, %i, %r; mul.wide.u32 %at, %i, 8;\n";
    let count = operands[0].1.len();
    let device = Device::new();
    let mut parameters = Vec::new();
    let mut declared = vec![".param .u64 out".to_owned()];
    let blocks = count.div_ceil(256);
    let out = device.alloc(blocks as u64 * 256 * 8).unwrap();
    device.fill(out, &[0], blocks as u64 * 256 * 8).unwrap();
    parameters.extend(out.to_le_bytes());
    for (number, (ty, values)) in operands.iter().enumerate() {
        let name = ["a", "b", "c", "e"][number];
        let address = device.alloc(blocks as u64 * 256 * 8).unwrap();
        device.fill(address, &[0], blocks as u64 * 256 * 8).unwrap();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        device.write(address, &bytes).unwrap();
        parameters.extend(address.to_le_bytes());
        declared.push(format!(".param .u64 in{name}"));
        let class = class(ty);
        body += &format!("ld.param.u64 %addr, [in{name}]; add.u64 %addr, %addr, %at;\n");
        if class == "pred" {
            body += &format!(
                ".reg .pred %{name}; ld.global.b32 %r, [%addr]; and.b32 %r, %r, 1; setp.ne.u32 %{name}, %r, 0;\n"
            );
        } else {
            body += &format!(".reg .{class} %{name}; ld.global.{class} %{name}, [%addr];\n");
        }
    }
    body += &format!("{instruction}\nld.param.u64 %addr, [out]; add.u64 %addr, %addr, %at;\n");
    match class(result) {
        "pred" => body += "selp.u32 %r, 1, 0, %d; st.global.b32 [%addr], %r;\n",
        class => body += &format!("st.global.{class} [%addr], %d;\n"),
    }
    let text = kernel(&declared.join(", "), &body);
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let loaded = device.load(&module).unwrap();
    let launch = Launch::new([blocks as u32, 1, 1], [256, 1, 1], &parameters);
    let report = device.launch(&loaded, "k", &launch).unwrap();
    let unexpected = report.findings.iter().find(|finding| finding.kind.name() != "division by zero");
    assert!(unexpected.is_none(), "{unexpected:?}");
    let mut bytes = vec![0; count * 8];
    device.read(out, &mut bytes).unwrap();
    bytes.chunks(8).map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap())).collect()
}

/// Applies an instruction, and compares each result with what a function gives.
pub(crate) fn check(
    instruction: &str,
    result: &str,
    operands: &[(&str, &[u64])],
    expected: impl Fn(&[u64]) -> u64,
) {
    let results = apply(instruction, result, operands);
    for (number, result) in results.iter().enumerate() {
        let values: Vec<u64> = operands
            .iter()
            .map(|(ty, values)| match ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()) {
                "16" => values[number] & 0xffff,
                "64" => values[number],
                "" => values[number] & 1,
                _ => values[number] & 0xffff_ffff,
            })
            .collect();
        let wanted = expected(&values);
        assert_eq!(*result, wanted, "{instruction} of {values:x?} gave {result:#x}, not {wanted:#x}");
    }
}

/// Runs a kernel `k` of a text.
pub(crate) fn run(device: &Device, text: &str, launch: &Launch<'_>) -> Result<Report, LaunchError> {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let loaded = device.load(&module).unwrap();
    device.launch(&loaded, "k", launch)
}

/// The finding that a launch ends with.
pub(crate) fn fault(result: Result<Report, LaunchError>) -> Finding {
    match result {
        Err(LaunchError::Fault { finding, .. }) => *finding,
        other => panic!("no fault: {other:?}"),
    }
}

pub(crate) fn upload<T: Copy, const N: usize>(
    device: &Device,
    values: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> u64 {
    let address = device.alloc((values.len() * N) as u64).unwrap();
    let all: Vec<u8> = values.iter().flat_map(|&value| bytes(value)).collect();
    device.write(address, &all).unwrap();
    address
}

pub(crate) fn download<T, const N: usize>(
    device: &Device,
    address: u64,
    count: usize,
    value: impl Fn([u8; N]) -> T,
) -> Vec<T> {
    let mut bytes = vec![0; count * N];
    device.read(address, &mut bytes).unwrap();
    bytes.chunks_exact(N).map(|chunk| value(chunk.try_into().unwrap())).collect()
}

/// Parameters of a launch, each at a multiple of its size.
#[derive(Default)]
pub(crate) struct Parameters(pub(crate) Vec<u8>);

impl Parameters {
    pub(crate) fn wide(mut self, value: u64) -> Self {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(crate) fn narrow(mut self, value: u32) -> Self {
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        self.0.extend(value.to_le_bytes());
        self
    }
}
