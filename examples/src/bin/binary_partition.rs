//! `binaryPartitionCG` of the CUDA samples: warps part in two, the lanes with odd numbers and those with even ones, and each part sums up
//! its own and counts itself. One lane of a part adds what it found to all others'.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::random::Philox,
    gridwright_examples::{Sample, Timing, check, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// The sums of even and of odd numbers, and how many there are of both.
#[gpu_kernel(block = BLOCK, requires = found.len() == 4)]
pub(crate) fn odd_and_even(g: &Group, x: &[u32], found: Atomic<[u32]>) {
    g.each_warp((), |w, ()| {
        let values = w.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
        let there = w.map((), |t, ()| u32::from(t.index() < x.len()));
        let parts = w.binary_partition(&w.map(&values, |_, value| value % 2 == 1));
        let (sum, count) = (parts.reduce_add(&values), parts.reduce_add(&there));
        w.each((&values, &parts.rank(), &sum, &count), |t, (value, rank, sum, count)| {
            if *rank == 0 {
                found.fetch_add(t, *value as usize % 2, *sum);
                found.fetch_add(t, 2 + *value as usize % 2, *count);
            }
        });
    });
}

/// Sums up and counts odd and even numbers, and checks it.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1_000_000, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("sums")?;
    let mut rng = Philox::new(1, 0);
    let numbers: Vec<u32> = (0..len).map(|_| rng.below(50)).collect();
    let x = stream.upload(&numbers)?;
    let mut found = stream.alloc_zeroed(4)?;
    let kernel = odd_and_even::load(&device)?;
    let timing = Timing::of(&stream, || {
        stream.fill(&mut found, 0)?;
        kernel.launch(&stream, LaunchConfig::threads(len), (&x, &mut found))
    })?;
    report.timed(format_args!("{len} elements"), timing, "elements", len)?;

    let found = stream.download(&found)?;
    for (rest, name) in ["even", "odd"].into_iter().enumerate() {
        let those = || numbers.iter().filter(|&&x| x as usize % 2 == rest);
        let [sum, count] = [those().sum(), those().count() as u32];
        check::equal(&format!("{name} number"), &[found[rest], found[2 + rest]], [sum, count])?;
        report.row(name, format_args!("{count} numbers, in all {sum}"))?;
    }
    report.row("checked", "both sums and both counts")
}
