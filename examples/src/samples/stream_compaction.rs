//! The elements that pass a test, in order: each workgroup counts its own, the counts are scanned, and each element that passes
//! then knows its place.
//!
//! A group's count is a reduction, and an element's place in the group a scan of ones: no thread counts by an atomic operation, and
//! the order stays. Places differ, but what a scan gives no list on the host could say; the memory is atomic, and an operation that orders
//! nothing is a plain store.
//!
//! Where the order doesn't matter, one launch does it, in either of two ways that CUDA programs have: a warp votes and asks for its places
//! together, or a group counts in its own memory.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, check, scattered, up_to},
    clap::Parser,
    gridwright::Error,
};

/// Threads in a workgroup.
pub const BLOCK: usize = 256;

/// Whether an element stays.
pub fn stays(x: u32) -> bool {
    x.is_multiple_of(3)
}

/// How many elements of each group stay.
#[gpu_kernel(block = BLOCK)]
fn count_in_groups(g: &Group, x: &[u32], mut counts: PerGroup<[u32]>) {
    let mine = g.map(x.elements_from(g.origin().x), |_, x| u32::from(x.is_some_and(|&x| stays(x))));
    counts.set(g, g.reduce(&mine, |a, b| a + b));
}

/// Sums of the counts before each, by one group.
#[gpu_kernel(block = BLOCK)]
fn places_of_groups(g: &Group, mut counts: PerGroup<Segments<u32>>, mut total: PerGroup<[u32]>) {
    let mut before = 0;
    for start in g.blocks(counts.segment_len(), BLOCK) {
        let mine = g.map(counts.elements_from_mut(start), |_, count| count.map_or(0, |count| *count));
        let places = g.scan_exclusive(&mine, 0, |a, b| a + b);
        g.each((counts.elements_from_mut(start), &places), |_, (count, place)| {
            if let Some(count) = count {
                *count = before + place;
            }
        });
        before += g.reduce(&mine, |a, b| a + b);
    }
    total.set(g, before);
}

/// Elements that stay go to their places.
#[gpu_kernel(block = BLOCK, requires = y.len() >= x.len())]
fn compact(g: &Group, x: &[u32], starts: &[u32], y: Atomic<[u32]>) {
    let start = starts.get_or(g.index(), 0);
    let mine = g.map(x.elements_from(g.origin().x), |_, x| u32::from(x.is_some_and(|&x| stays(x))));
    let places = g.scan_exclusive(&mine, 0, |a, b| a + b);
    g.each((x.elements_from(g.origin().x), &mine, &places), |t, (x, mine, place)| {
        if let (Some(x), 1) = (x, mine) {
            y.set(t, (start + place) as usize, *x);
        }
    });
}

/// Elements that stay, in no order: each warp votes, and asks for the places of its own by one update.
#[gpu_kernel(block = BLOCK, requires = y.len() >= x.len() && count.len() == 1)]
pub fn compact_by_ballots(g: &Group, x: &[u32], y: Atomic<[u32]>, count: Atomic<[u32]>) {
    g.each_warp((), |w, ()| {
        // What is beyond the end doesn't stay.
        let mine = w.map((), |t, ()| x.get_or(t.index(), 1));
        let votes = w.ballot(&w.map(&mine, |_, x| stays(*x)));
        let start = w.invoke_one(|t| count.fetch_add(t, 0, votes.count_ones()));
        w.each(&mine, |t, x| {
            if stays(*x) {
                let before = votes & ((1 << t.lane()) - 1);
                y.set(t, (start + before.count_ones()) as usize, *x);
            }
        });
    });
}

/// Elements that stay, in no order: each group counts its own in its memory, and asks for their places by one update.
#[gpu_kernel(block = BLOCK, requires = y.len() >= x.len() && count.len() == 1)]
pub fn compact_by_counter(
    g: &Group,
    x: &[u32],
    y: Atomic<[u32]>,
    count: Atomic<[u32]>,
    mut counter: Workgroup<[u32; 1]>,
    mut start: Workgroup<[u32; 1]>,
) {
    g.set(&mut counter, 0, 0);
    let mine = g.map((), |t, ()| x.get_or(t.index(), 1));
    let mut places = g.private(0_u32);
    g.each((&mine, &mut places, counter.atomic()), |t, (x, place, counter)| {
        if stays(*x) {
            *place = counter.fetch_add(t, 0, 1);
        }
    });
    let found = g.read(&counter, 0);
    g.each(start.elements_mut().take(1), |t, start| *start = count.fetch_add(t, 0, found));
    let start = g.read(&start, 0);
    g.each((&mine, &places), |t, (x, place)| {
        if stays(*x) {
            y.set(t, (start + place) as usize, *x);
        }
    });
}

/// Keeps the multiples of three and checks them.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 4_000_000, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

/// Launches a kernel, which writes elements that stay, and counts them.
#[host_only]
type Launch<'l> = &'l dyn Fn(&mut Buffer<u32>, &mut Buffer<u32>) -> Result<(), Error>;

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("ordered")?;
    let host: Vec<u32> = scattered(len).map(|x| x >> 8).collect();
    let mut expected: Vec<u32> = host.iter().copied().filter(|&x| stays(x)).collect();
    let kept = expected.len();
    report.row("kept", format_args!("{kept} of {len} elements"))?;

    let (x, mut y) = (stream.upload(&host)?, stream.alloc_zeroed(len)?);
    let groups = len.div_ceil(BLOCK);
    let (mut counts, mut total) = (stream.alloc_zeroed(groups)?, stream.alloc_zeroed(1)?);
    let all = stream.upload_offsets(&[0, groups as u32])?;
    let (count, place, compact) =
        (count_in_groups::load(&device)?, places_of_groups::load(&device)?, compact::load(&device)?);
    let config = LaunchConfig::grid(groups, BLOCK);
    let timing = Timing::of(&stream, || {
        count.launch(&stream, config, (&x, &mut counts))?;
        place.launch(&stream, LaunchConfig::grid(1, BLOCK), (counts.segments_mut(&all), &mut total))?;
        compact.launch(&stream, config, (&x, &counts, &mut y))
    })?;
    report.row("ordered", format_args!("{timing}, {}", timing.bytes_per_second(4 * len)))?;
    check::equal("ordered: number of elements", &stream.download(&total)?, [kept as u32])?;
    check::equal("ordered: element", &stream.download(&y.slice(..kept)?)?, &expected)?;

    expected.sort_unstable();
    let mut measure = |name: &str, launch: Launch<'_>| {
        let timing = Timing::of(&stream, || {
            stream.fill(&mut total, 0)?;
            launch(&mut y, &mut total)
        })?;
        report.row(name, format_args!("{timing}, {}", timing.bytes_per_second(4 * len)))?;
        check::equal(&format!("{name}: number of elements"), &stream.download(&total)?, [kept as u32])?;
        let mut found = stream.download(&y.slice(..kept)?)?;
        found.sort_unstable();
        check::equal(&format!("{name}: element"), &found, &expected)
    };
    let kernel = compact_by_ballots::load(&device)?;
    measure("ballots", &|y, total| kernel.launch(&stream, config, (&x, y, total)))?;
    let kernel = compact_by_counter::load(&device)?;
    measure("counter", &|y, total| kernel.launch(&stream, config, (&x, y, total)))?;
    report.row("checked", "every element")
}
