//! The elements that pass a test, in order: each workgroup counts its own, the counts are scanned, and each element that passes
//! then knows its place.
//!
//! A group's count is a reduction, and an element's place in the group a scan of ones: no thread counts by an atomic operation, and
//! the order stays. Places differ, but what a scan gives no list on the host could say; the memory is atomic, and an operation that orders
//! nothing is a plain store.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Timing, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// Whether an element stays.
fn stays(x: u32) -> bool {
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

/// Keeps the multiples of three and checks them.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 4_000_000, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Options { len } = Options::parse();
    let host: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 8).collect();

    let device = Device::from_env()?;
    let stream = device.stream()?;
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

    let expected: Vec<u32> = host.into_iter().filter(|&x| stays(x)).collect();
    let found = stream.download(&total)?;
    ensure!(found == [expected.len() as u32], "{found:?} elements instead of {}", expected.len());
    ensure!(stream.download(&y.slice(..expected.len())?)? == expected, "an element is in the wrong place");
    println!("device   {}", device.name());
    println!("kept     {} of {len} elements, {timing}, {}", expected.len(), timing.bytes_per_second(4 * len));
    println!("checked  every element");
    Ok(())
}
