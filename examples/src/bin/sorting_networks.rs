//! `sortingNetworks` of the CUDA samples: bitonic sort, a network of comparators whose shape doesn't depend on the data.
//!
//! A workgroup sorts as many elements as it has threads in its own memory; what reaches further goes through global memory, one
//! launch a step, from one buffer into the other. Algorithm: K. E. Batcher, "Sorting networks and their applications", 1968.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Sample, Timing, scattered, up_to},
};

/// Threads in a workgroup, and elements that it sorts.
const BLOCK: usize = 512;

/// What stays at a position of a comparator: the one end keeps the lesser element, the other the greater one. Sequences of
/// `size` elements rise and fall in turn.
#[inline(always)]
fn kept(position: usize, size: usize, distance: usize, mine: u32, theirs: u32) -> u32 {
    let is_low = position & distance == 0;
    let rises = position & size == 0;
    if is_low == rises { mine.min(theirs) } else { mine.max(theirs) }
}

/// All steps of sequences from `from` elements up to `to`, whose comparators are inside a group.
#[gpu_kernel(block = BLOCK, requires = keys.len() == sorted.len())]
pub(crate) fn sort_in_groups(
    g: &Group,
    from: usize,
    to: usize,
    keys: &[u32],
    mut sorted: PerThread<[u32]>,
    mut tile: Workgroup<[u32; BLOCK]>,
) {
    let mut mine = g.map((), |t, ()| keys.get(t.index()).copied().unwrap_or(u32::MAX));
    let mut size = from;
    while size <= to {
        let mut distance = BLOCK.min(size) / 2;
        while distance > 0 {
            g.each((&mine, tile.elements_mut()), |_, (mine, slot)| *slot = *mine);
            g.each((&mut mine, tile.shared()), |t, (mine, tile)| {
                *mine = kept(t.index(), size, distance, *mine, tile[t.local().x ^ distance]);
            });
            distance /= 2;
        }
        size *= 2;
    }
    g.each((&mine, sorted.elements_mut()), |_, (mine, sorted)| {
        if let Some(sorted) = sorted {
            *sorted = *mine;
        }
    });
}

/// One step of comparators that reach beyond a group.
#[gpu_kernel(block = BLOCK, requires = keys.len() == sorted.len())]
pub(crate) fn merge_step(
    t: Thread,
    size: usize,
    distance: usize,
    keys: &[u32],
    mut sorted: PerThread<[u32]>,
) {
    if let Some(sorted) = sorted.get_mut(t) {
        let position = t.index();
        *sorted = kept(position, size, distance, keys[position], keys[position ^ distance]);
    }
}

/// Sorts numbers and checks their order.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements, rounded up to a power of two.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

/// The kernels, and the stream that they run on.
#[host_only]
struct Sort {
    stream: Stream,
    sort_in_groups: Kernel<sort_in_groups>,
    merge_step: Kernel<merge_step>,
}

#[host_only]
impl Sort {
    /// Sorts `keys` into itself, by way of `other`.
    fn run(&self, keys: &mut Buffer<u32>, other: &mut Buffer<u32>) -> Result<(), Error> {
        let len = keys.len();
        let config = LaunchConfig::threads(len);
        self.sort_in_groups.launch(&self.stream, config, (2, BLOCK.min(len), &*keys, &mut *other))?;
        std::mem::swap(keys, other);
        let mut size = 2 * BLOCK;
        while size <= len {
            let mut distance = size / 2;
            while distance >= BLOCK {
                self.merge_step.launch(&self.stream, config, (size, distance, &*keys, &mut *other))?;
                std::mem::swap(keys, other);
                distance /= 2;
            }
            self.sort_in_groups.launch(&self.stream, config, (size, size, &*keys, &mut *other))?;
            std::mem::swap(keys, other);
            size *= 2;
        }
        Ok(())
    }
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::<Options>::begin("bitonic")?;
    let len = options.len.next_power_of_two();
    let mut numbers: Vec<u32> = scattered(len).map(|x| x >> 8).collect();

    let input = stream.upload(&numbers)?;
    let (mut keys, mut other) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let (sort_in_groups, merge_step) = (sort_in_groups::load(&device)?, merge_step::load(&device)?);
    let sort = Sort { stream: stream.clone(), sort_in_groups, merge_step };
    let timing = Timing::of(&stream, || {
        stream.copy(&input, &mut keys)?;
        sort.run(&mut keys, &mut other)
    })?;
    report.timed(format_args!("{len} numbers"), timing, "numbers", len)?;

    numbers.sort_unstable();
    report.equal("number", &stream.download(&keys)?, numbers)
}
