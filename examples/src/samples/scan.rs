//! `scan` of the CUDA samples: each element becomes the sum of those before it, for vectors of any length.
//!
//! First each group sums up its elements, and what the groups sum up to is scanned in the same way, on so many levels as
//! it takes until one group is enough. Then each group scans its elements, from the sum of all groups before it on. So
//! memory is read twice and written once. A thread scans four neighbours, as a vector of 16 bytes.

use gridwright::memory::Vector;
use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, up_to},
    clap::Parser,
    gridwright::Error,
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

// ANCHOR: four
/// What a thread reads and writes at once.
type Four = Vector<u32, 4>;

#[inline(always)]
fn sum(numbers: &[u32; 4]) -> u32 {
    numbers.iter().fold(0, |sum, number| sum.wrapping_add(*number))
}
// ANCHOR_END: four

// ANCHOR: sum_groups
/// What the elements of each group sum up to. In a sum their order is of no matter: each thread takes every 256th.
#[gpu_kernel(block = BLOCK)]
pub fn sum_groups(g: &Group, x: &[u32], mut sums: PerGroup<[u32]>) {
    let start = 4 * g.origin().x;
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|i| x.elements_from(start + i * BLOCK));
    let mine = g.map((first, second, third, fourth), |_, (first, second, third, fourth)| {
        sum(&[first, second, third, fourth].map(|x| x.copied().unwrap_or(0)))
    });
    sums.set(g, g.reduce(&mine, u32::wrapping_add));
}
// ANCHOR_END: sum_groups

// ANCHOR: scan_groups
/// Each group scans its own elements, from the sum of the groups before it on.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
pub fn scan_groups(g: &Group, x: &[Four], before: &[u32], mut y: PerThread<[Four]>) {
    let mine = x.elements_from(g.origin().x).deinterleaved(g);
    let sums = g.map(&mine, |_, mine| mine.map_or(0, |four| sum(four)));
    let starts = g.scan_exclusive(&sums, before[g.index()], u32::wrapping_add);
    g.each((&mine, &starts, y.elements_new().deinterleaved()), |_, (mine, start, y)| {
        if let (Some(mine), Some(y)) = (mine, y) {
            let mut sum = *start;
            *y = mine.map(|number| {
                let before = sum;
                sum = sum.wrapping_add(number);
                before
            });
        }
    });
}
// ANCHOR_END: scan_groups

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
#[derive(Debug)]
pub struct Scan {
    /// Where they are launched.
    pub stream: Stream,
    /// The sum of each group.
    pub sum_groups: Kernel<sum_groups>,
    /// The scan of each group, after the sum of those before it.
    pub scan_groups: Kernel<scan_groups>,
}

/// What the groups of a level sum up to, and what those before each do. Both are whole vectors.
#[host_only]
#[derive(Debug)]
pub struct Level {
    sums: Buffer<u32>,
    before: Buffer<u32>,
}

#[host_only]
impl Scan {
    // ANCHOR: levels
    /// What vectors of this length need: level above level, up to one of a single group.
    pub fn levels(&self, len: usize) -> Result<Vec<Level>, Error> {
        let above = |&groups: &usize| (groups > 1).then(|| groups.div_ceil(TILE));
        let levels = std::iter::successors(Some(len.div_ceil(TILE)), above).map(|groups| {
            let room = groups.next_multiple_of(4);
            let (sums, before) = (self.stream.alloc_zeroed(room)?, self.stream.alloc_zeroed(room)?);
            Ok(Level { sums, before })
        });
        levels.collect()
    }
    // ANCHOR_END: levels

    // ANCHOR: run
    /// Scans `x` into `y`, whole vectors both.
    pub fn run(&self, levels: &mut [Level], x: &Buffer<u32>, y: &mut Buffer<u32>) -> Result<(), Error> {
        let Some((Level { sums, before }, above)) = levels.split_first_mut() else { return Ok(()) };
        let config = LaunchConfig::threads(x.len() / 4);
        if !above.is_empty() {
            self.sum_groups.launch(&self.stream, config, (x, &mut *sums))?;
            self.run(above, sums, before)?;
        }
        // A single group has none before it: zero.
        self.scan_groups.launch(&self.stream, config, (x.vectors()?, &*before, y.vectors_mut()?))
    }
    // ANCHOR_END: run
}

/// Elements of a group.
#[host_only]
const TILE: usize = 4 * BLOCK;

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("scan")?;
    // Whole vectors: up to three zeros behind the last element.
    let whole = len.next_multiple_of(4);
    let elements: Vec<u32> = (0..whole).map(|i| if i < len { (i * 7919 % 10) as u32 } else { 0 }).collect();

    let x = stream.upload(&elements)?;
    let mut y = stream.alloc_zeroed(whole)?;
    let (sum_groups, scan_groups) = (sum_groups::load(&device)?, scan_groups::load(&device)?);
    let scan = Scan { stream: stream.clone(), sum_groups, scan_groups };
    let mut levels = scan.levels(whole)?;
    let timing = Timing::of(&stream, || scan.run(&mut levels, &x, &mut y))?;
    let (levels, rate) = (levels.len(), timing.rate("elements", len));
    report.row("scan", format_args!("{len} elements, {levels} levels, {timing}, {rate}"))?;

    let before = elements.iter().scan(0, |sum, element| Some(std::mem::replace(sum, *sum + element)));
    report.equal("element", &stream.download(&y)?, before)
}
