//! `histogram` of the CUDA samples: how often each byte value is in the data, in 256 bins, or each value of its upper six
//! bits, in 64.
//!
//! Each workgroup counts a part of the data into bins of its own, in workgroup memory, which takes atomic updates faster
//! than global memory. It has copies of them: warps count into different ones at a time, and each byte of a word into
//! the next one, so that none waits for what another has just counted. Then the group adds what it counted to the bins
//! of all. The number of bins is a generic parameter: one kernel with two instances.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, check, up_to},
    clap::Parser,
    gridwright::Error,
};

/// Threads in a workgroup.
const BLOCK: usize = 256;
/// Copies of a group's bins.
const COPIES: usize = BLOCK / 32;
/// Words of eight bytes that a thread counts before the group goes on.
const TURNS: usize = 8;
/// Words that the group counts then, few enough for a CPU's nearest cache.
const WINDOW: usize = TURNS * BLOCK;

/// Each group counts a window, then that `groups` windows further on, and so on.
#[gpu_kernel(block = BLOCK, instances(64, 256), requires = counts.len() == BINS && groups > 0)]
pub fn histogram<const BINS: usize>(
    g: &Group,
    groups: usize,
    data: &[u64],
    counts: Atomic<[u32]>,
    mut bins: Workgroup<[[u32; BINS]; COPIES]>,
) {
    g.load(&mut bins, &[], 0); // zeros
    let mut first = g.index() * WINDOW;
    while let Some(rest) = data.get(first..).filter(|rest| !rest.is_empty()) {
        g.each(bins.atomic(), |t, bins| {
            let thread = t.local().x;
            for turn in 0..TURNS {
                let Some(word) = rest.get(turn * BLOCK + thread) else {
                    break;
                };
                for (byte, value) in word.to_le_bytes().into_iter().enumerate() {
                    let copy = (thread / 32 + byte) % COPIES;
                    bins.fetch_add(t, copy * BINS + usize::from(value) * BINS / 256, 1);
                }
            }
        });
        first += groups * WINDOW;
    }
    g.each(bins.shared(), |t, bins| {
        let bin = t.local().x;
        if bin < BINS {
            let count = bins.iter().map(|bins| bins[bin]).sum();
            counts.fetch_add(t, bin, count);
        }
    });
}

/// Counts the values of bytes and checks the counts.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of bytes.
    #[arg(long, default_value_t = 10_000_000, value_parser = up_to::<{ 1 << 30 }>)]
    len: usize,
}

/// Workgroups of a launch: enough for any GPU, each with windows enough that its last phase takes no time.
#[host_only]
const MOST_GROUPS: usize = 1024;

/// Launches a kernel, which counts into bins.
#[host_only]
type Launch<'l> = &'l dyn Fn(&mut Buffer<u32>) -> Result<(), Error>;

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("256 bins")?;
    // As unevenly spread as a photograph's brightness.
    let data: Vec<u8> = (0..len).map(|i| ((i * 7919 % 1009) * (i * 104_729 % 1013) / 4000) as u8).collect();
    let mut expected = [0_u32; 256];
    data.iter().for_each(|&value| expected[usize::from(value)] += 1);

    let words: Vec<u64> = data.chunks(8).map(word).collect();
    // The zeros that fill the last word are counted as well.
    expected[0] += (words.len() * 8 - len) as u32;
    let data = stream.upload(&words)?;
    let groups = words.len().div_ceil(WINDOW).min(MOST_GROUPS);
    let config = LaunchConfig::grid(groups, BLOCK);

    let measure = |name: &str, expected: &[u32], launch: Launch<'_>| {
        let mut counts = stream.alloc_zeroed(expected.len())?;
        let timing = Timing::of(&stream, || {
            stream.fill(&mut counts, 0)?;
            launch(&mut counts)
        })?;
        report.row(name, format_args!("{len} bytes, {timing}, {}", timing.bytes_per_second(len)))?;
        check::equal(&format!("{name}: bin"), &stream.download(&counts)?, expected)
    };

    let expected_64: Vec<u32> = expected.chunks(4).map(|bins| bins.iter().sum()).collect();
    let kernel = histogram::<64>::load(&device)?;
    measure("64 bins", &expected_64, &|counts| kernel.launch(&stream, config, (groups, &data, counts)))?;
    let kernel = histogram::<256>::load(&device)?;
    measure("256 bins", &expected, &|counts| kernel.launch(&stream, config, (groups, &data, counts)))?;
    report.row("checked", "every bin")
}

/// Up to eight bytes, and zeros.
#[host_only]
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
