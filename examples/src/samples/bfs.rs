//! How far each node of a graph is from the first, in steps: breadth first, a launch a step.
//!
//! A node that was reached in the last step reaches its neighbours: segments of a list of nodes. Two threads may reach one node, and
//! write the same to it; the memory is atomic, and of an operation that orders nothing a GPU makes a plain store. The flags are
//! bytes, as in Rodinia's `bfs`.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, up_to},
    clap::Parser,
};

/// A distance that isn't known.
pub const FAR: u32 = u32::MAX;

/// Nodes of which the last step has the distance `step` reach their neighbours.
#[gpu_kernel(requires = neighbours.len() == distances.len() && goes_on.len() == 1)]
pub fn reach(
    t: Thread,
    step: u32,
    neighbours: &Segments<u32>,
    distances: Atomic<[u32]>,
    goes_on: Atomic<[u8]>,
) {
    let node = t.index();
    if node >= neighbours.len() || distances.read(t, node) != step {
        return;
    }
    let mut found = false;
    for &neighbour in &neighbours[node] {
        if distances.read(t, neighbour as usize) == FAR {
            distances.set(t, neighbour as usize, step + 1);
            found = true;
        }
    }
    if found {
        goes_on.set(t, 0, 1);
    }
}

/// Launches steps until one reaches nothing.
///
/// # Errors
/// Those of a launch or a copy.
#[host_only]
pub fn reach_all(
    kernel: &Kernel<reach>,
    stream: &Stream,
    neighbours: &Buffer<u32>,
    offsets: &gridwright::ownership::Offsets,
    distances: &mut Buffer<u32>,
    goes_on: &mut Buffer<u8>,
) -> Result<u32, gridwright::Error> {
    let mut step = 0;
    loop {
        stream.fill(goes_on, 0)?;
        let threads = LaunchConfig::threads(distances.len());
        kernel.launch(
            stream,
            threads,
            (step, neighbours.segments(offsets), &mut *distances, &mut *goes_on),
        )?;
        if stream.download(goes_on)? == [0] {
            return Ok(step);
        }
        step += 1;
    }
}

/// A graph on the host.
#[host_only]
#[derive(Clone, Debug)]
pub struct Network {
    /// Where each node's neighbours begin, and the last one's end.
    pub offsets: Vec<u32>,
    /// The neighbours.
    pub neighbours: Vec<u32>,
}

#[host_only]
impl Network {
    /// A graph whose nodes have from two to twice `mean` neighbours that look random.
    pub fn new(nodes: usize, mean: usize) -> Self {
        let random = |i: usize| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        let ends = (0..nodes).scan(0, |end, node| {
            *end += 2 + random(node) % (2 * mean as u32 - 1);
            Some(*end)
        });
        let offsets: Vec<u32> = [0].into_iter().chain(ends).collect();
        let len = offsets.last().map_or(0, |&end| end as usize);
        Self { offsets, neighbours: (0..len).map(|i| random(i + 3) % nodes as u32).collect() }
    }

    /// Distances from the first node, naively.
    pub fn distances(&self) -> Vec<u32> {
        let mut distances = vec![FAR; self.offsets.len().saturating_sub(1)];
        let mut queue = std::collections::VecDeque::from([0]);
        distances.iter_mut().take(1).for_each(|first| *first = 0);
        while let Some(node) = queue.pop_front() {
            for &neighbour in &self.neighbours[self.offsets[node] as usize..self.offsets[node + 1] as usize] {
                if distances[neighbour as usize] == FAR {
                    distances[neighbour as usize] = distances[node] + 1;
                    queue.push_back(neighbour as usize);
                }
            }
        }
        distances
    }
}

/// Measures how far nodes are and checks it.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of nodes.
    #[arg(long, default_value_t = 200_000, value_parser = up_to::<{ 1 << 24 }>)]
    nodes: usize,
    /// The neighbours of a node, on average.
    #[arg(long, default_value_t = 6, value_parser = up_to::<60>)]
    mean: usize,
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { nodes, mean }, device, stream, report } = Sample::begin("graph")?;
    let network = Network::new(nodes, mean);
    let mut first = vec![FAR; nodes];
    first.iter_mut().take(1).for_each(|first| *first = 0);

    let (offsets, neighbours) =
        (stream.upload_offsets(&network.offsets)?, stream.upload(&network.neighbours)?);
    let (mut distances, mut goes_on) = (stream.upload(&first)?, stream.alloc_zeroed(1)?);
    let kernel = reach::load(&device)?;
    let mut steps = 0;
    let timing = Timing::of(&stream, || {
        stream.copy_from_slice(&mut distances, &first)?;
        steps = reach_all(&kernel, &stream, &neighbours, &offsets, &mut distances, &mut goes_on)?;
        Ok(())
    })?;
    report.row("graph", format_args!("{nodes} nodes, {} edges", network.neighbours.len()))?;
    report.row("steps", format_args!("{steps}, {timing}"))?;
    report.equal("node", &stream.download(&distances)?, network.distances())
}
