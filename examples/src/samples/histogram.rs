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
    crate::{Timing, up_to},
    anyhow::{Context, ensure},
    clap::Parser,
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

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Options { len } = Options::parse();
    // As unevenly spread as a photograph's brightness.
    let data: Vec<u8> = (0..len).map(|i| ((i * 7919 % 1009) * (i * 104_729 % 1013) / 4000) as u8).collect();
    let mut expected = [0_u32; 256];
    data.iter().for_each(|&value| expected[usize::from(value)] += 1);

    let device = Device::from_env()?;
    let stream = device.stream()?;
    let words: Vec<u64> = data.chunks(8).map(word).collect();
    // The zeros that fill the last word are counted as well.
    expected[0] += (words.len() * 8 - len) as u32;
    let data = stream.upload(&words)?;
    let groups = words.len().div_ceil(WINDOW).min(MOST_GROUPS);
    let config = LaunchConfig::grid(groups, BLOCK);
    println!("device        {}", device.name());

    let mut counts = stream.alloc_zeroed(64)?;
    let kernel = histogram::<64>::load(&device)?;
    let timing = Timing::of(&stream, || {
        stream.fill(&mut counts, 0)?;
        kernel.launch(&stream, config, (groups, &data, &mut counts))
    })?;
    let expected_64: Vec<u32> = expected.chunks(4).map(|bins| bins.iter().sum()).collect();
    check(&expected_64, &stream.download(&counts)?)?;
    println!("64 bins       {len} bytes, {timing}, {}", timing.bytes_per_second(len));

    let mut counts = stream.alloc_zeroed(256)?;
    let kernel = histogram::<256>::load(&device)?;
    let timing = Timing::of(&stream, || {
        stream.fill(&mut counts, 0)?;
        kernel.launch(&stream, config, (groups, &data, &mut counts))
    })?;
    check(&expected, &stream.download(&counts)?)?;
    println!("256 bins      {len} bytes, {timing}, {}", timing.bytes_per_second(len));
    println!("checked       every bin");
    Ok(())
}

/// Up to eight bytes, and zeros.
#[host_only]
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[host_only]
fn check(expected: &[u32], counts: &[u32]) -> anyhow::Result<()> {
    let wrong = (0..expected.len()).find(|&bin| counts[bin] != expected[bin]);
    ensure!(wrong.is_none(), "bin {} is wrong", wrong.context("none")?);
    Ok(())
}
