//! Instructions a second and host processor, of kernels as compilers write them.
//!
//! `cargo bench -p gridwright-emulator`. Each kernel runs without checks and with all, on one host thread.

use std::error::Error;
use std::time::{Duration, Instant};

use gridwright_emulator::{Checks, Device, DeviceOptions, Launch, Module, Report};

const ROUNDS: usize = 7;

/// Fills memory and gives the parameters' bytes.
type Prepare = fn(&Device) -> Result<Vec<u8>, Box<dyn Error>>;

struct Case {
    name: &'static str,
    text: &'static str,
    entry: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: u32,
    parameters: Prepare,
}

/// Device memory of this many words, all of one value.
fn words(device: &Device, count: u64, value: u32) -> Result<u64, Box<dyn Error>> {
    let address = device.alloc(count * 4)?;
    device.fill(address, &value.to_le_bytes(), count)?;
    Ok(address)
}

fn wide(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

const ELEMENTS: u64 = 1 << 18;

const CASES: &[Case] = &[
    Case {
        name: "saxpy (nvcc)",
        text: include_str!("../tests/ptx/nvcc.ptx"),
        entry: "saxpy",
        grid: [(ELEMENTS / 256) as u32, 1, 1],
        block: [256, 1, 1],
        dynamic_shared: 0,
        parameters: |device| {
            let (x, y) = (words(device, ELEMENTS, 0)?, words(device, ELEMENTS, 0)?);
            Ok(wide(&[u64::from(1.5_f32.to_bits()), x, y, ELEMENTS]))
        },
    },
    Case {
        name: "matmul, 256² (nvcc)",
        text: include_str!("../tests/ptx/nvcc.ptx"),
        entry: "matmul",
        grid: [16, 16, 1],
        block: [16, 16, 1],
        dynamic_shared: 0,
        parameters: |device| {
            let count = 256 * 256;
            Ok(wide(&[words(device, count, 0)?, words(device, count, 0)?, words(device, count, 0)?, 256]))
        },
    },
    Case {
        name: "histogram (nvcc)",
        text: include_str!("../tests/ptx/nvcc.ptx"),
        entry: "histogram",
        grid: [16, 1, 1],
        block: [256, 1, 1],
        dynamic_shared: 0,
        parameters: |device| {
            Ok(wide(&[words(device, ELEMENTS / 4, 0x0a1b_2c3d)?, ELEMENTS, words(device, 256, 0)?]))
        },
    },
    Case {
        name: "block_sum (rustc)",
        text: include_str!("../tests/ptx/rustc/block_sum.ptx"),
        entry: "block_sum",
        grid: [(ELEMENTS / 256) as u32, 1, 1],
        block: [256, 1, 1],
        dynamic_shared: 2048,
        parameters: |device| {
            let (x, sums) = (words(device, ELEMENTS, 0)?, words(device, ELEMENTS / 256, 0)?);
            Ok(wide(&[x, ELEMENTS, sums, ELEMENTS / 256, 256]))
        },
    },
    Case {
        name: "scan (rustc)",
        text: include_str!("../tests/ptx/rustc/scan.ptx"),
        entry: "scan_groups",
        grid: [(ELEMENTS / 256) as u32, 1, 1],
        block: [256, 1, 1],
        dynamic_shared: 1024,
        parameters: |device| {
            let (x, y) = (words(device, ELEMENTS, 1)?, words(device, ELEMENTS, 1)?);
            Ok(wide(&[x, ELEMENTS, y, ELEMENTS, ELEMENTS, words(device, ELEMENTS / 256, 0)?, ELEMENTS / 256]))
        },
    },
];

/// The processor's time of this thread, where the system tells it: a machine that does other work too counts that less.
fn now(begin: Instant) -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split_whitespace().next().and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// Millions of thread instructions a second: the median and the most of some rounds.
fn measure(case: &Case, checks: Checks) -> Result<(f64, f64, Report), Box<dyn Error>> {
    let device = Device::with_options(DeviceOptions { host_threads: 1, ..DeviceOptions::default() });
    let loaded = device.load(&Module::parse(case.text)?)?;
    let parameters = (case.parameters)(&device)?;
    let mut launch = Launch::new(case.grid, case.block, &parameters);
    launch.dynamic_shared = case.dynamic_shared;
    launch.checks = checks;
    let mut report = device.launch(&loaded, case.entry, &launch)?;
    let begin = Instant::now();
    let mut rates = Vec::new();
    for _ in 0..ROUNDS {
        let before = now(begin);
        report = device.launch(&loaded, case.entry, &launch)?;
        rates.push(report.thread_instructions as f64 / (now(begin) - before).as_secs_f64() / 1e6);
    }
    rates.sort_by(f64::total_cmp);
    Ok((rates[ROUNDS / 2], rates[ROUNDS - 1], report))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("millions of thread instructions a second, one host thread: median (best)");
    println!("{:<22}{:>14}{:>20}{:>20}", "kernel", "instructions", "no checks", "all checks");
    for case in CASES {
        let (median, best, report) = measure(case, Checks::NONE)?;
        let (checked, best_checked, _) = measure(case, Checks::ALL)?;
        let plain = format!("{median:.0} ({best:.0})");
        let all = format!("{checked:.0} ({best_checked:.0})");
        println!("{:<22}{:>14}{plain:>20}{all:>20}", case.name, report.thread_instructions);
    }
    Ok(())
}
