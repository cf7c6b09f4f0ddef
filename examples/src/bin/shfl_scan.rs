//! `shfl_scan` of the CUDA samples: sums of all elements so far, by shuffles: in a warp each thread takes what the thread 1, 2, 4, … before it
//! has. The sums of warps are scanned in the same way, then added.
//!
//! `scan` does the same with `g.scan_inclusive`, which is made of such shuffles.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, scattered, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;
/// The most warps of a group: of 32 threads.
const WARPS: usize = BLOCK / 32;

/// Sums so far in each group's part.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
pub(crate) fn scan_by_shuffles(
    g: &Group,
    x: &[u32],
    mut y: PerThread<[u32]>,
    mut sums: Workgroup<[u32; WARPS]>,
) {
    let mut mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let size = g.warp_size();
    let mut distance = 1;
    while distance < size {
        let theirs = g.shuffle_up(&mine, distance);
        g.each((&mut mine, &theirs), |t, (mine, theirs)| {
            if t.lane() >= distance {
                *mine = mine.wrapping_add(*theirs);
            }
        });
        distance *= 2;
    }
    g.each_warp((&mine, sums.warp_chunks_mut(1)), |w, (mine, mut sum)| {
        w.set(&mut sum, 0, w.broadcast(mine, w.len() - 1));
    });
    g.each((&mine, sums.shared(), y.elements_mut()), |t, (mine, sums, y)| {
        if let Some(y) = y {
            let before = sums.iter().take(t.local().x / size).fold(0_u32, |all, &sum| all.wrapping_add(sum));
            *y = mine.wrapping_add(before);
        }
    });
}

/// Scans groups of numbers by shuffles and checks the sums.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 10_000_000, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("scan")?;
    let numbers: Vec<u32> = scattered(len).collect();
    let x = stream.upload(&numbers)?;
    let mut y = stream.alloc_zeroed(len)?;
    let kernel = scan_by_shuffles::load(&device)?;
    let timing = Timing::of(&stream, || kernel.launch(&stream, LaunchConfig::threads(len), (&x, &mut y)))?;
    report.timed(format_args!("{len} elements"), timing, "elements", len)?;

    let expected = numbers.iter().enumerate().scan(0_u32, |sum, (i, &x)| {
        *sum = if i % BLOCK == 0 { x } else { sum.wrapping_add(x) };
        Some(*sum)
    });
    report.equal("element", &stream.download(&y)?, expected)
}
