//! `simpleCudaGraphs` of the CUDA samples: a reduction in two launches with copies and a call of the host's, recorded as a graph from a stream,
//! and made node by node; each replayed several times.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright::graph::GraphBuilder,
    gridwright_examples::{Sample, Timing, check, up_to},
    std::sync::Arc,
    std::sync::atomic::{AtomicUsize, Ordering},
};

/// Threads in a workgroup, and the elements that each sums.
const BLOCK: usize = 256;
const TURNS: usize = 16;

/// Each group sums up its part.
#[gpu_kernel(block = BLOCK)]
pub(crate) fn sum(g: &Group, x: &[f64], mut sums: PerGroup<[f64]>) {
    let mut mine = g.private(0.0_f64);
    for turn in 0..TURNS {
        let first = (g.index() * TURNS + turn) * BLOCK;
        g.each((&mut mine, x.elements_from(first)), |_, (mine, x)| *mine += x.copied().unwrap_or(0.0));
    }
    sums.set(g, g.reduce(&mine, |a, b| a + b));
}

/// Sums numbers by graphs and checks the sums.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 24 }>)]
    len: usize,
    /// How often a graph is replayed.
    #[arg(long, default_value_t = 3, value_parser = up_to::<1000>)]
    replays: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, replays }, device, stream, report } = Sample::begin("captured")?;
    let numbers: Vec<f64> = (0..len).map(|i| (i % 1009) as f64).collect();
    let expected: f64 = numbers.iter().sum(); // whole numbers: exact
    let kernel = sum::load(&device)?;
    let levels = |len: usize| len.div_ceil(BLOCK * TURNS).max(1);
    let groups = |len: usize| LaunchConfig::grid(levels(len), BLOCK);
    let (first, second, third) = (levels(len), levels(levels(len)), levels(levels(levels(len))));
    let mut x = stream.alloc_zeroed(len)?;
    let (mut a, mut b, mut c) =
        (stream.alloc_zeroed(first)?, stream.alloc_zeroed(second)?, stream.alloc_zeroed(third)?);
    ensure!(third == 1, "three levels are enough for {len} elements");
    let calls = Arc::new(AtomicUsize::new(0));
    let call = || {
        let calls = Arc::clone(&calls);
        move || _ = calls.fetch_add(1, Ordering::Relaxed)
    };

    let captured = stream.capture(|stream| {
        stream.copy_from_slice(&mut x, &numbers)?;
        kernel.launch(stream, groups(len), (&x, &mut a))?;
        kernel.launch(stream, groups(first), (&a, &mut b))?;
        kernel.launch(stream, groups(second), (&b, &mut c))?;
        stream.host(call())
    })?;
    let mut graph = GraphBuilder::new(&stream);
    graph.copy_from_slice(&mut x, &numbers)?;
    graph.launch(&kernel, groups(len), (&x, &mut a))?;
    graph.launch(&kernel, groups(first), (&a, &mut b))?;
    graph.launch(&kernel, groups(second), (&b, &mut c))?;
    graph.host(call());
    for (name, graph) in [("captured", captured), ("built", graph.build()?)] {
        for replay in 0..replays {
            stream.fill(&mut c, 0.0)?;
            graph.launch(&stream)?;
            check::equal(&format!("replay {replay}: sum"), &stream.download(&c)?, [expected])?;
        }
        let before = calls.load(Ordering::Relaxed);
        let timing = Timing::of(&stream, || graph.launch(&stream))?;
        ensure!(calls.load(Ordering::Relaxed) > before, "the host wasn't called");
        let rate = timing.rate("elements", len);
        report.row(name, format_args!("{len} elements, {timing} a replay, {rate}"))?;
    }
    report.row("checked", "the sum of each replay")
}
