//! `mergeSort` of the CUDA samples: sorts pairs of a key and a value; equal keys keep their order.
//!
//! Workgroups sort runs in their own memory. Then each launch merges pairs of runs into runs of twice the length. A thread finds the
//! element that belongs at its position by a binary search along a diagonal of the two runs. Algorithm: S. Odeh, O. Green, Z. Mwassi,
//! O. Shmueli, Y. Birk, "Merge Path", 2012.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, scattered, up_to},
};

/// Threads in a workgroup, and elements of the runs that it sorts.
const BLOCK: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub(crate) struct Pair {
    key: u32,
    value: u32,
}

/// Behind all others, where there are no more.
const LAST: Pair = Pair { key: u32::MAX, value: u32::MAX };

/// The pair at a position of two merged runs, the first of which goes first where keys are equal.
#[inline(always)]
fn merged(position: usize, first: &[Pair], second: &[Pair]) -> Pair {
    let mut low = position.saturating_sub(second.len());
    let mut high = position.min(first.len());
    while low < high {
        let middle = (low + high) / 2;
        if first[middle].key <= second[position - 1 - middle].key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    match (first.get(low), second.get(position - low)) {
        (Some(&a), Some(&b)) => {
            if a.key <= b.key {
                a
            } else {
                b
            }
        }
        (Some(&pair), None) | (None, Some(&pair)) => pair,
        (None, None) => LAST,
    }
}

/// The two runs of `run` elements that begin at an even one.
#[inline(always)]
fn runs(pairs: &[Pair], start: usize, run: usize) -> (&[Pair], &[Pair]) {
    let rest = pairs.get(start..).unwrap_or_default();
    let both = &rest[..rest.len().min(2 * run)];
    both.split_at(both.len().min(run))
}

/// Sorts runs of `BLOCK` elements.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
pub(crate) fn sort_runs(g: &Group, x: &[Pair], mut y: PerThread<[Pair]>, mut tile: Workgroup<[Pair; BLOCK]>) {
    let mut mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(LAST));
    let mut run = 1;
    while run < BLOCK {
        g.each((&mine, tile.elements_mut()), |_, (mine, slot)| *slot = *mine);
        g.each((&mut mine, tile.shared()), |t, (mine, tile)| {
            let thread = t.local().x;
            let (first, second) = runs(tile, thread / (2 * run) * (2 * run), run);
            *mine = merged(thread % (2 * run), first, second);
        });
        run *= 2;
    }
    g.each((&mine, y.elements_mut()), |_, (mine, y)| {
        if let Some(y) = y {
            *y = *mine;
        }
    });
}

/// Merges runs of `run` elements.
#[gpu_kernel(requires = x.len() == y.len() && run > 0)]
pub(crate) fn merge_runs(t: Thread, run: usize, x: &[Pair], mut y: PerThread<[Pair]>) {
    if let Some(y) = y.get_mut(t) {
        let (first, second) = runs(x, t.index() / (2 * run) * (2 * run), run);
        *y = merged(t.index() % (2 * run), first, second);
    }
}

/// Sorts pairs and checks their order.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of pairs.
    #[arg(long, default_value_t = 1_000_000, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("sort")?;
    // Few enough keys that many are equal.
    let mut pairs: Vec<_> =
        (0..).zip(scattered(len)).map(|(value, x)| Pair { key: x >> 14, value }).collect();

    let input = stream.upload(&pairs)?;
    let (mut x, mut y) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let (sort_runs, merge_runs) = (sort_runs::load(&device)?, merge_runs::load(&device)?);
    let config = LaunchConfig::threads(len);
    let timing = Timing::of(&stream, || {
        sort_runs.launch(&stream, config, (&input, &mut x))?;
        let mut run = BLOCK;
        while run < len {
            merge_runs.launch(&stream, config, (run, &x, &mut y))?;
            std::mem::swap(&mut x, &mut y);
            run *= 2;
        }
        Ok(())
    })?;
    report.timed(format_args!("{len} pairs"), timing, "pairs", len)?;

    // Equal keys keep their order.
    pairs.sort_by_key(|pair| pair.key);
    report.equal("pair", &stream.download(&x)?, pairs)
}
