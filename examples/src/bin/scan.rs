//! `scan` of the CUDA samples: each element becomes the sum of those before it, for vectors of any length.
//!
//! A workgroup scans as many elements as it has threads. The sums of the groups are scanned in the same way, on so many
//! levels as it takes until one group is enough; then each group adds the sum of all groups before it.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Timing, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

// ANCHOR: scan_groups
/// Each group scans its own elements, and says what they sum up to.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
pub(crate) fn scan_groups(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut sums: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let with_mine = g.scan_inclusive(&mine, u32::wrapping_add);
    g.each((&with_mine, &mine, y.each_mut()), |_, (with_mine, mine, y)| {
        if let Some(y) = y {
            *y = with_mine.wrapping_sub(*mine);
        }
    });
    sums.set(g, g.broadcast(&with_mine, BLOCK - 1));
}
// ANCHOR_END: scan_groups

// ANCHOR: add_sums
/// Each group adds the sum of the groups before it.
#[gpu_kernel(block = BLOCK)]
pub(crate) fn add_sums(g: &Group, sums: &[u32], mut y: PerThread<[u32]>) {
    let sum = sums[g.index()];
    g.each(y.each_mut(), |_, y| {
        if let Some(y) = y {
            *y = y.wrapping_add(sum);
        }
    });
}
// ANCHOR_END: add_sums

/// Scans a vector and checks the sums.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 10_000_000, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

/// The kernels, and the stream that they run on.
#[host_only]
pub(crate) struct Scan {
    pub(crate) stream: Stream,
    pub(crate) scan_groups: Kernel<scan_groups>,
    pub(crate) add_sums: Kernel<add_sums>,
}

/// What the groups of a level sum up to, and that scanned.
#[host_only]
pub(crate) struct Level {
    sums: Buffer<u32>,
    scanned: Buffer<u32>,
}

#[host_only]
impl Scan {
    // ANCHOR: levels
    /// What vectors of this length need: level above level, up to one of a single group.
    pub(crate) fn levels(&self, len: usize) -> Result<Vec<Level>, Error> {
        let above = |&groups: &usize| (groups > 1).then(|| groups.div_ceil(BLOCK));
        let levels = std::iter::successors(Some(len.div_ceil(BLOCK)), above).map(|groups| {
            let (sums, scanned) = (self.stream.alloc_zeroed(groups)?, self.stream.alloc_zeroed(groups)?);
            Ok(Level { sums, scanned })
        });
        levels.collect()
    }
    // ANCHOR_END: levels

    // ANCHOR: run
    /// Scans `x` into `y`.
    pub(crate) fn run(
        &self,
        levels: &mut [Level],
        x: &Buffer<u32>,
        y: &mut Buffer<u32>,
    ) -> Result<(), Error> {
        let Some((Level { sums, scanned }, above)) = levels.split_first_mut() else { return Ok(()) };
        let config = LaunchConfig::threads(x.len());
        self.scan_groups.launch(&self.stream, config, (x, &mut *y, &mut *sums))?;
        if sums.len() > 1 {
            self.run(above, sums, scanned)?;
            self.add_sums.launch(&self.stream, config, (&*scanned, y))?;
        }
        Ok(())
    }
    // ANCHOR_END: run
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Options { len } = Options::parse();
    let elements: Vec<u32> = (0..len).map(|i| (i * 7919 % 10) as u32).collect();

    let device = Device::from_env()?;
    let stream = device.stream()?;
    let x = stream.upload(&elements)?;
    let mut y = stream.alloc_zeroed(len)?;

    let (scan_groups, add_sums) = (scan_groups::load(&device)?, add_sums::load(&device)?);
    let scan = Scan { stream: stream.clone(), scan_groups, add_sums };
    let mut levels = scan.levels(len)?;
    let timing = Timing::of(&stream, || scan.run(&mut levels, &x, &mut y))?;

    let mut sum = 0;
    for (i, (&scanned, element)) in stream.download(&y)?.iter().zip(elements).enumerate() {
        ensure!(scanned == sum, "element {i} is {scanned} instead of {sum}");
        sum += element;
    }
    println!("device   {}", device.name());
    println!("scan     {len} elements, {} levels, {timing}, {}", levels.len(), timing.rate("elements", len));
    println!("checked  every element");
    Ok(())
}
