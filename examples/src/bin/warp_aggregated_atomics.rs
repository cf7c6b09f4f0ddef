//! `warpAggregatedAtomicsCG` of the CUDA samples: what passes a filter is packed into a buffer, in no order. The lanes of a warp that have
//! something ask for their places with one atomic update together. And a histogram in which the lanes that count into one bin do the same.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, scattered, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// Copies what is positive. `count` is the number of those that were copied.
#[gpu_kernel(block = BLOCK, requires = count.len() == 1)]
pub(crate) fn filter(g: &Group, x: &[i32], kept: Atomic<[i32]>, count: Atomic<[u32]>) {
    g.each_warp((), |w, ()| {
        let mine = w.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
        let positive = w.coalesced(&w.map(&mine, |_, x| *x > 0));
        let len = positive.len() as u32;
        let Some(first) = positive.invoke_one(|t| count.fetch_add(t, 0, len)) else { return };
        w.each((&mine, &positive.rank()), |t, (x, rank)| {
            if *x > 0 {
                kept.exchange(t, (first + rank) as usize, *x);
            }
        });
    });
}

/// Counts elements by their last digits: one update for all lanes of a warp with the same.
#[gpu_kernel(block = BLOCK, requires = bins.len() == BINS)]
pub(crate) fn count(g: &Group, x: &[i32], bins: Atomic<[u32]>) {
    g.each_warp((), |w, ()| {
        let labels = w.map((), |t, ()| {
            x.get(t.index()).map_or(u64::MAX, |x| (x.unsigned_abs() as usize % BINS) as u64)
        });
        let groups = w.labeled_partition(&labels);
        w.each((&labels, &groups.rank(), &groups.len()), |t, (label, rank, len)| {
            if *rank == 0 && *label != u64::MAX {
                bins.fetch_add(t, *label as usize, *len);
            }
        });
    });
}

/// The bins of the histogram.
const BINS: usize = 8;

/// Filters and counts numbers, and checks both.
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
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("filter")?;
    let numbers: Vec<i32> = scattered(len).map(|x| (x >> 8) as i32 - (1 << 23)).collect();
    let x = stream.upload(&numbers)?;
    let (mut kept, mut how_many) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(1)?);
    let mut bins = stream.alloc_zeroed(BINS)?;
    let (filter, count) = (filter::load(&device)?, count::load(&device)?);
    let config = LaunchConfig::threads(len);
    let timing = Timing::of(&stream, || {
        stream.fill(&mut how_many, 0)?;
        filter.launch(&stream, config, (&x, &mut kept, &mut how_many))
    })?;
    report.timed(format_args!("{len} elements"), timing, "elements", len)?;
    let timing = Timing::of(&stream, || {
        stream.fill(&mut bins, 0)?;
        count.launch(&stream, config, (&x, &mut bins))
    })?;
    report.row("count", format_args!("{len} elements, {timing}, {}", timing.rate("elements", len)))?;

    let mut expected: Vec<i32> = numbers.iter().copied().filter(|&x| x > 0).collect();
    check::equal("number of positive elements", &stream.download(&how_many)?, [expected.len() as u32])?;
    let mut found = stream.download(&kept)?;
    found.truncate(expected.len());
    found.sort_unstable();
    expected.sort_unstable();
    check::equal("positive element", &found, expected)?;
    let mut counts = [0_u32; BINS];
    numbers.iter().for_each(|x| counts[x.unsigned_abs() as usize % BINS] += 1);
    check::equal("bin", &stream.download(&bins)?, counts)?;
    report.row("checked", "every element and every bin")
}
