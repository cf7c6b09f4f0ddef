//! The project's own examples, as rustc compiles them, with all checks.

use gridwright_emulator::{Device, FindingKind, Launch, Module, Space};

use crate::harness::{Parameters, Random, download, upload};

/// Bytes in front of a group kernel's memory that its collectives use.
const COLLECTIVES: u32 = 1024;

fn launch(device: &Device, text: &str, entry: &str, launch: &Launch<'_>) {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let loaded = device.load(&module).unwrap();
    let report = device.launch(&loaded, entry, launch).unwrap_or_else(|error| panic!("{entry}: {error}"));
    for finding in &report.findings {
        // Reductions load slots of collectives that they don't use.
        let is_unused =
            matches!(&finding.kind, FindingKind::Uninitialised(access) if access.space == Space::Shared);
        assert!(is_unused, "{entry}: {finding}");
    }
}

fn whole_numbers(count: usize) -> Vec<f32> {
    let mut random = Random(3);
    (0..count).map(|_| (random.next() % 1000) as f32).collect()
}

#[test]
fn vector_add() {
    let device = Device::new();
    let (a, b) = (whole_numbers(1000), whole_numbers(1000));
    let text = include_str!("../ptx/rustc/vector_add.ptx");
    let module = Module::parse(text).unwrap();
    let [a_address, b_address] = [&a, &b].map(|values| upload(&device, values, f32::to_le_bytes));
    let c = device.alloc(4000).unwrap();
    // Where its entry begins with the last positions, there is one more parameter than addresses and lengths.
    let parameters = Parameters::default();
    let parameters =
        if module.entries()[0].parameters()[0].size == 4 { parameters.narrow(999) } else { parameters };
    let mut parameters = parameters.wide(a_address).wide(1000).wide(b_address).wide(1000).wide(c).wide(1000);
    while parameters.0.len() < module.entries()[0].parameter_bytes() {
        parameters = parameters.narrow(1000);
    }
    launch(&device, text, "vector_add", &Launch::new([4, 1, 1], [256, 1, 1], &parameters.0));
    let sums: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    assert_eq!(download(&device, c, 1000, f32::from_le_bytes), sums);
}

#[test]
fn block_sum() {
    let device = Device::new();
    let x = whole_numbers(1000);
    let address = upload(&device, &x, f32::to_le_bytes);
    let sums = device.alloc(16).unwrap();
    let parameters = Parameters::default().wide(address).wide(1000).wide(sums).wide(4).narrow(256).0;
    let mut config = Launch::new([4, 1, 1], [256, 1, 1], &parameters);
    config.dynamic_shared = COLLECTIVES + 1024;
    launch(&device, include_str!("../ptx/rustc/block_sum.ptx"), "block_sum", &config);
    let expected: Vec<f32> = x.chunks(256).map(|x| x.iter().sum()).collect();
    assert_eq!(download(&device, sums, 4, f32::from_le_bytes), expected);
}

#[test]
fn reductions() {
    let text = include_str!("../ptx/rustc/reduction.ptx");
    for name in ["interleaved", "strided", "sequential", "first_add", "shuffles", "several", "collective"] {
        let device = Device::new();
        let x = whole_numbers(5000);
        let address = upload(&device, &x, f32::to_le_bytes);
        let sums = device.alloc(20 * 4).unwrap();
        let mut parameters = Parameters::default().wide(address).wide(5000).wide(sums).wide(20);
        if name == "strided" {
            parameters = parameters.narrow(256);
        }
        let mut config = Launch::new([20, 1, 1], [256, 1, 1], &parameters.0);
        config.dynamic_shared = COLLECTIVES + 1024;
        launch(&device, text, name, &config);
        let sums = download(&device, sums, 20, f32::from_le_bytes);
        assert_eq!(sums.iter().sum::<f32>(), x.iter().sum::<f32>(), "{name}");
    }
}

#[test]
fn scan() {
    let device = Device::new();
    let text = include_str!("../ptx/rustc/scan.ptx");
    let x: Vec<u32> = (0..1000).map(|i| i * 7 % 13).collect();
    let address = upload(&device, &x, u32::to_le_bytes);
    let (y, sums) = (device.alloc(4000).unwrap(), device.alloc(16).unwrap());
    let parameters =
        Parameters::default().wide(address).wide(1000).wide(y).wide(1000).narrow(1000).wide(sums).wide(4).0;
    let mut config = Launch::new([4, 1, 1], [256, 1, 1], &parameters);
    config.dynamic_shared = COLLECTIVES;
    launch(&device, text, "scan_groups", &config);
    let totals = download(&device, sums, 4, u32::from_le_bytes);
    let expected: Vec<u32> = x.chunks(256).map(|x| x.iter().sum()).collect();
    assert_eq!(totals, expected);
    let before: Vec<u32> = (0..4).map(|group| totals[..group].iter().sum()).collect();
    let starts = upload(&device, &before, u32::to_le_bytes);
    let parameters = Parameters::default().wide(starts).wide(4).wide(y).wide(1000).narrow(1000).0;
    launch(&device, text, "add_sums", &Launch { parameters: &parameters, ..config });
    let expected: Vec<u32> = (0..1000).map(|i| x[..i].iter().sum()).collect();
    assert_eq!(download(&device, y, 1000, u32::from_le_bytes), expected);
}

#[test]
fn matrix_multiplications() {
    let text = include_str!("../ptx/rustc/matrix_mul.ptx");
    for name in ["matrix_mul", "matrix_mul_load_tile"] {
        let device = Device::new();
        let (rows, inner, cols) = (50, 70, 37);
        let (a, b) = (whole_numbers(rows * inner), whole_numbers(inner * cols));
        let [a_address, b_address] = [&a, &b].map(|values| upload(&device, values, f32::to_le_bytes));
        let c = device.alloc((rows * cols * 4) as u64).unwrap();
        let matrix = |all: Parameters, address: u64, rows: usize, cols: usize| {
            all.wide(address).narrow(rows as u32).narrow(cols as u32)
        };
        let parameters = matrix(Parameters::default(), a_address, rows, inner);
        let parameters = matrix(matrix(parameters, b_address, inner, cols), c, rows, cols);
        // Blocks of 16 by 16, or what the kernel's tiles are made for.
        let module = Module::parse(text).unwrap();
        let bounds =
            device.load(&module).unwrap().global(&format!("__gridwright_bounds_{name}")).map(|(at, _)| at);
        assert_eq!(bounds.map(|_| ()), Some(()), "{name} says its block");
        let loaded = device.load(&module).unwrap();
        let (at, _) = loaded.global(&format!("__gridwright_bounds_{name}")).unwrap();
        let block: Vec<u32> = download(&device, at, 3, u32::from_le_bytes);
        let groups = [cols.div_ceil(block[0] as usize) as u32, rows.div_ceil(block[1] as usize) as u32, 1];
        let mut config = Launch::new(groups, [block[0], block[1], 1], &parameters.0);
        config.dynamic_shared = COLLECTIVES + 2 * 4 * block[0] * block[1];
        launch(&device, text, name, &config);
        let results = download(&device, c, rows * cols, f32::from_le_bytes);
        for row in 0..rows {
            for col in 0..cols {
                let expected: f32 = (0..inner).map(|i| a[row * inner + i] * b[i * cols + col]).sum();
                assert!(
                    (results[row * cols + col] - expected).abs() <= expected * 1e-5,
                    "{name} {row} {col}"
                );
            }
        }
    }
}

#[test]
fn histograms() {
    let text = include_str!("../ptx/rustc/histogram.ptx");
    let module = Module::parse(text).unwrap();
    let mut random = Random(11);
    let data: Vec<u32> = (0..5000).map(|_| random.next() as u32).collect();
    for (name, bins, shift) in [("histogram_256", 256_usize, 0), ("histogram_64", 64, 2)] {
        let device = Device::new();
        let loaded = device.load(&module).unwrap();
        let block = match loaded.global(&format!("__gridwright_bounds_{name}")) {
            Some((at, _)) => download(&device, at, 3, u32::from_le_bytes)[0].max(1),
            None => 256,
        };
        let entry = module.entry(name).unwrap();
        assert_eq!(entry.parameters().len(), 5);
        let bytes = upload(&device, &data, u32::to_le_bytes);
        let counts = device.alloc(bins as u64 * 4).unwrap();
        device.fill(counts, &[0], bins as u64 * 4).unwrap();
        let parameters = Parameters::default()
            .wide(7)
            .wide(bytes)
            .wide(4 * data.len() as u64)
            .wide(counts)
            .wide(bins as u64)
            .0;
        let mut config = Launch::new([7, 1, 1], [block, 1, 1], &parameters);
        config.dynamic_shared = 48 << 10;
        launch(&device, text, name, &config);
        let mut expected = vec![0_u32; bins];
        for byte in data.iter().flat_map(|word| word.to_le_bytes()) {
            expected[usize::from(byte) >> shift] += 1;
        }
        assert_eq!(download(&device, counts, bins, u32::from_le_bytes), expected, "{name}");
    }
}

#[test]
fn transpositions() {
    let text = include_str!("../ptx/rustc/transpose.ptx");
    let module = Module::parse(text).unwrap();
    let (rows, cols) = (70_usize, 45_usize);
    for name in ["transpose_naive", "transpose_tiled", "transpose_padded", "copy"] {
        let device = Device::new();
        let x = whole_numbers(rows * cols);
        let address = upload(&device, &x, f32::to_le_bytes);
        let y = device.alloc((rows * cols * 4) as u64).unwrap();
        let Some(entry) = module.entry(name) else { panic!("{name}") };
        let (out_rows, out_cols) = if name == "copy" { (rows, cols) } else { (cols, rows) };
        let mut parameters = Parameters::default();
        let is_of_threads = entry.parameters()[0].size == 4;
        if is_of_threads {
            parameters = parameters.narrow(cols as u32 - 1).narrow(rows as u32 - 1);
        }
        let parameters = parameters.wide(address).narrow(rows as u32).narrow(cols as u32);
        let parameters = parameters.wide(y).narrow(out_rows as u32).narrow(out_cols as u32);
        let loaded = device.load(&module).unwrap();
        let block = match loaded.global(&format!("__gridwright_bounds_{name}")) {
            Some((at, _)) => download(&device, at, 2, u32::from_le_bytes),
            None => vec![32, 8],
        };
        // Of the elements that are read, or of those that are written.
        let (high, wide) = if is_of_threads { (rows, cols) } else { (cols, rows) };
        let grid = [wide.div_ceil(block[0] as usize) as u32, high.div_ceil(block[1] as usize) as u32, 1];
        let mut config = Launch::new(grid, [block[0], block[1], 1], &parameters.0);
        config.dynamic_shared = COLLECTIVES + 8 * 1024;
        launch(&device, text, name, &config);
        let results = download(&device, y, rows * cols, f32::from_le_bytes);
        for row in 0..rows {
            for col in 0..cols {
                let at = if name == "copy" { row * cols + col } else { col * rows + row };
                assert_eq!(results[at], x[row * cols + col], "{name} {row} {col}");
            }
        }
    }
}
