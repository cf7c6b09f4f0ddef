//! Ordinary CUDA C, as nvcc compiles it, with all checks.

use gridwright_emulator::{Checks, Device, Launch, LaunchError, Module, Report};
use half::{bf16, f16};

use crate::harness::{Parameters, Random, download, upload};

fn launch(device: &Device, entry: &str, launch: &Launch<'_>) -> Result<Report, LaunchError> {
    let module = Module::parse(include_str!("../ptx/nvcc.ptx")).unwrap_or_else(|error| panic!("{error}"));
    let loaded = device.load(&module).unwrap();
    device.launch(&loaded, entry, launch)
}

fn clean(device: &Device, entry: &str, config: &Launch<'_>) {
    let report = launch(device, entry, config).unwrap_or_else(|error| panic!("{entry}: {error}"));
    assert!(report.findings.is_empty(), "{entry}: {:?}", report.findings);
}

#[test]
fn saxpy() {
    let device = Device::new();
    let x: Vec<f32> = (0..1000_u16).map(f32::from).collect();
    let [x_address, y] = [&x, &x].map(|values| upload(&device, values, f32::to_le_bytes));
    let parameters = Parameters::default().narrow(2.5_f32.to_bits()).wide(x_address).wide(y).narrow(1000).0;
    clean(&device, "saxpy", &Launch::new([4, 1, 1], [256, 1, 1], &parameters));
    let expected: Vec<f32> = x.iter().map(|x| 2.5_f32.mul_add(*x, *x)).collect();
    assert_eq!(download(&device, y, 1000, f32::from_le_bytes), expected);
}

#[test]
fn matmul() {
    let device = Device::new();
    let n = 40_usize;
    let mut random = Random(5);
    let [a, b] = [(); 2].map(|()| (0..n * n).map(|_| (random.next() % 10) as f32).collect::<Vec<_>>());
    let [a_address, b_address] = [&a, &b].map(|values| upload(&device, values, f32::to_le_bytes));
    let c = device.alloc((n * n * 4) as u64).unwrap();
    let parameters = Parameters::default().wide(a_address).wide(b_address).wide(c).narrow(n as u32).0;
    clean(&device, "matmul", &Launch::new([3, 3, 1], [16, 16, 1], &parameters));
    let results = download(&device, c, n * n, f32::from_le_bytes);
    for (at, result) in results.into_iter().enumerate() {
        let expected: f32 = (0..n).map(|i| a[at / n * n + i] * b[i * n + at % n]).sum();
        assert_eq!(result, expected);
    }
}

#[test]
fn histogram() {
    let device = Device::new();
    let mut random = Random(9);
    let data: Vec<u8> = (0..10_000).map(|_| random.next() as u8).collect();
    let address = upload(&device, &data, |byte| [byte]);
    let bins = upload(&device, &[0_u32; 256], u32::to_le_bytes);
    let parameters = Parameters::default().wide(address).narrow(10_000).wide(bins).0;
    clean(&device, "histogram", &Launch::new([5, 1, 1], [256, 1, 1], &parameters));
    let mut expected = vec![0_u32; 256];
    data.iter().for_each(|&byte| expected[usize::from(byte)] += 1);
    assert_eq!(download(&device, bins, 256, u32::from_le_bytes), expected);
}

#[test]
fn the_last_group_sums_up() {
    let device = Device::new();
    let x: Vec<i32> = (0..10_000).map(|i| i % 77).collect();
    let address = upload(&device, &x, i32::to_le_bytes);
    let (partial, out) = (device.alloc(64 * 4).unwrap(), device.alloc(4).unwrap());
    let done = upload(&device, &[0_u32], u32::to_le_bytes);
    let parameters = Parameters::default().wide(address).narrow(10_000).wide(partial).wide(done).wide(out).0;
    clean(&device, "sum_once", &Launch::new([12, 1, 1], [256, 1, 1], &parameters));
    assert_eq!(download(&device, out, 1, i32::from_le_bytes), [x.iter().sum::<i32>()]);
}

#[test]
fn scan() {
    let device = Device::new();
    let x: Vec<i32> = (0..512).map(|i| i * 31 % 17).collect();
    let address = upload(&device, &x, i32::to_le_bytes);
    let parameters = Parameters::default().wide(address).0;
    clean(&device, "scan", &Launch::new([2, 1, 1], [256, 1, 1], &parameters));
    let sums = |x: &[i32]| (1..=x.len()).map(|end| x[..end].iter().sum::<i32>()).collect::<Vec<_>>();
    let expected: Vec<i32> = x.chunks(256).flat_map(sums).collect();
    assert_eq!(download(&device, address, 512, i32::from_le_bytes), expected);
}

#[test]
fn transpose() {
    let device = Device::new();
    let (rows, cols) = (70_usize, 45_usize);
    let x: Vec<f32> = (0..rows * cols).map(|i| i as f32).collect();
    let address = upload(&device, &x, f32::to_le_bytes);
    let y = device.alloc((rows * cols * 4) as u64).unwrap();
    let parameters = Parameters::default().wide(address).wide(y).narrow(rows as u32).narrow(cols as u32).0;
    clean(&device, "transpose", &Launch::new([2, 3, 1], [32, 8, 1], &parameters));
    let results = download(&device, y, rows * cols, f32::from_le_bytes);
    assert!((0..rows * cols).all(|at| results[at % cols * rows + at / cols] == x[at]));
}

#[test]
fn printing() {
    let device = Device::new();
    let parameters = |n: u32| Parameters::default().narrow(n).wide(1.25_f64.to_bits()).0;
    let report = launch(&device, "print", &Launch::new([1, 1, 1], [32, 1, 1], &parameters(2))).unwrap();
    assert_eq!(report.output, "thread 0 of print:  1.25\nthread 1 of print:  1.25\n");
    let error = launch(&device, "print", &Launch::new([1, 1, 1], [1, 1, 1], &parameters(99))).unwrap_err();
    let LaunchError::Fault { finding, report } = error else { panic!("{error}") };
    assert_eq!(finding.source.as_ref().map(|source| source.file.as_str()), Some("nvcc.cu"));
    assert!(report.output.starts_with("thread 0"));
}

#[test]
fn halves() {
    let device = Device::new();
    let values: Vec<f32> = (0..32_u8).map(|i| f32::from(i) / 8.0 - 1.0).collect();
    let a = upload(&device, &values, |x| f16::from_f32(x).to_le_bytes());
    let b = upload(&device, &values, |x| {
        let [low, high] = f16::from_f32(x).to_le_bytes();
        [low, high, low, high]
    });
    let c = upload(&device, &values, |x| bf16::from_f32(x).to_le_bytes());
    let parameters = Parameters::default().wide(a).wide(b).wide(c).0;
    clean(&device, "halves", &Launch::new([1, 1, 1], [32, 1, 1], &parameters));
    let [a, b, c] = [
        download(&device, a, 32, u16::from_le_bytes),
        download(&device, b, 64, u16::from_le_bytes),
        download(&device, c, 32, u16::from_le_bytes),
    ];
    for (i, &x) in values.iter().enumerate() {
        assert_eq!(f16::from_bits(a[i]), f16::from_f32(x + 0.5));
        assert_eq!(f16::from_bits(b[2 * i + 1]), f16::from_f32(x * x + x));
        assert_eq!(bf16::from_bits(c[i]), bf16::from_f32(x * x));
    }
}

#[test]
fn mathematics() {
    let device = Device::new();
    let values: Vec<f64> = (0..64_u8).map(|i| f64::from(i) * 0.37 - 9.0).collect();
    let x = upload(&device, &values, |x| (x as f32).to_le_bytes());
    let y = upload(&device, &values, f64::to_le_bytes);
    let parameters = Parameters::default().wide(x).wide(y).0;
    clean(&device, "math", &Launch::new([1, 1, 1], [64, 1, 1], &parameters));
    let (x, y) = (download(&device, x, 64, f32::from_le_bytes), download(&device, y, 64, f64::from_le_bytes));
    for (i, &value) in values.iter().enumerate() {
        let single = f64::from(value as f32);
        let terms =
            [single.sin(), single.abs().powf(2.5), single.abs().sqrt() / (single + 3.0), (-single).exp()];
        let magnitude: f64 = terms.iter().map(|term| term.abs()).sum();
        assert!(
            (f64::from(x[i]) - terms.iter().sum::<f64>()).abs() < 2e-6 * magnitude + 1e-6,
            "{value}: {}",
            x[i]
        );
        let terms = [value.exp() * value.sin(), (value * value + 1.0).ln(), value.atan2(2.0)];
        let magnitude: f64 = terms.iter().map(|term| term.abs()).sum();
        assert!((y[i] - terms.iter().sum::<f64>()).abs() < 1e-14 * magnitude + 1e-14, "{value}: {}", y[i]);
    }
}

#[test]
fn indices_and_tables() {
    let device = Device::new();
    let x: Vec<i32> = (0..32).collect();
    for n in [1_i32, 2, 3, 15] {
        let address = upload(&device, &x, i32::to_le_bytes);
        let (a, b) = (-1_000_000_007_i64, 13_i64);
        let parameters = Parameters::default().wide(address).narrow(n as u32).wide(a as u64).wide(b as u64).0;
        clean(&device, "indexed", &Launch::new([1, 1, 1], [32, 1, 1], &parameters));
        let coefficients = [1, 2, 4, 8, 0, 0, 0, 0];
        let expected: Vec<i32> = (0..32)
            .map(|i| {
                ((n + i) & 15) * n
                    + i
                    + (a / b) as i32
                    + (a % i64::from(n + 1)) as i32
                    + [1, 2][n as usize & 1]
                    + coefficients[n as usize & 7]
            })
            .collect();
        assert_eq!(download(&device, address, 32, i32::from_le_bytes), expected, "{n}");
    }
}

#[test]
fn functions() {
    let device = Device::new();
    let x: Vec<i32> = (0..32).map(|i| i % 11).collect();
    let address = upload(&device, &x, i32::to_le_bytes);
    let parameters = Parameters::default().wide(address).0;
    let config = Launch::new([1, 1, 1], [32, 1, 1], &parameters);
    clean(&device, "recursive", &config);
    let fibonacci = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55];
    let expected: Vec<i32> = x.iter().map(|&x| fibonacci[x as usize]).collect();
    assert_eq!(download(&device, address, 32, i32::from_le_bytes), expected);
    clean(&device, "called_by_address", &config);
    let expected: Vec<i32> =
        expected.iter().enumerate().map(|(i, &x)| if i % 2 == 0 { 2 * x } else { x * x }).collect();
    assert_eq!(download(&device, address, 32, i32::from_le_bytes), expected);
}

#[test]
fn lanes_and_groups_take_a_lock_in_turn() {
    let device = Device::new();
    let lock = upload(&device, &[0_u32; 2], u32::to_le_bytes);
    let parameters = Parameters::default().wide(lock).wide(lock + 4).0;
    let mut config = Launch::new([3, 1, 1], [64, 1, 1], &parameters);
    config.checks = Checks { device_races: false, ..Checks::ALL };
    clean(&device, "locked", &config);
    assert_eq!(download(&device, lock, 2, u32::from_le_bytes), [0, 3 * 64]);
}
