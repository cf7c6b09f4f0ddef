//! `simpleAtomicIntrinsics` of the CUDA samples: all threads update the same numbers, each with another operation.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Sample, Timing, up_to},
};

/// The operations, and what each number begins with.
const BEGIN: [i32; 9] = [0, 0, 0, -1, i32::MAX, 0, 0, 0xff, 0];

#[gpu_kernel(requires = numbers.len() == BEGIN.len())]
pub(crate) fn update(t: Thread, numbers: Atomic<[i32]>) {
    let i = t.index() as i32;
    numbers.fetch_add(t, 0, 10);
    numbers.fetch_sub(t, 1, 10);
    numbers.exchange(t, 2, i);
    numbers.fetch_max(t, 3, i);
    numbers.fetch_min(t, 4, i);
    // `atomicInc`, which has no operation of its own elsewhere: a loop until nobody came between.
    let mut seen = numbers.fetch_add(t, 5, 0);
    loop {
        let before = numbers.compare_exchange(t, 5, seen, (seen + 1) % 18);
        if before == seen {
            break;
        }
        seen = before;
    }
    numbers.fetch_or(t, 6, 1 << (i % 31));
    numbers.fetch_and(t, 7, 2 * i + 7);
    numbers.fetch_xor(t, 8, i);
}

/// Updates numbers and checks them.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Threads.
    #[arg(long, default_value_t = 16_384, value_parser = up_to::<{ 1 << 20 }>)]
    threads: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { threads }, device, stream, report } = Sample::begin("atomics")?;
    let mut numbers = stream.alloc_zeroed(BEGIN.len())?;
    let kernel = update::load(&device)?;
    let timing = Timing::of(&stream, || {
        stream.copy_from_slice(&mut numbers, &BEGIN)?;
        kernel.launch(&stream, LaunchConfig::threads(threads), (&mut numbers,))
    })?;
    report.timed(format_args!("{threads} threads"), timing, "updates", 9 * threads)?;

    let n = i32::try_from(threads)?;
    let found = stream.download(&numbers)?;
    ensure!((0..n).contains(&found[2]), "{} was nobody's to exchange", found[2]);
    let expected = [
        10 * n,
        -10 * n,
        found[2],
        n - 1,
        0,
        n % 18,
        (0..n.min(31)).fold(0, |bits, i| bits | 1 << i),
        (0..n).fold(0xff, |bits, i| bits & (2 * i + 7)),
        (0..n).fold(0, |bits, i| bits ^ i),
    ];
    report.equal("number", &found, expected)
}
