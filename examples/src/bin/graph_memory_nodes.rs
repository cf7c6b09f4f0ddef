//! `graphMemoryNodes` of the CUDA samples: squares and their negatives, by a graph that makes the memory it needs: in a stream, recorded
//! from that stream, and made node by node.
//!
//! Memory that a graph makes is the graph's own once its buffer is dropped. A buffer that is kept is read after each replay, and one made
//! from what a graph leaves may be another graph's argument: nothing has to be freed by hand, in whichever of them.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::Context,
    clap::Parser,
    gridwright::{Error, Graph, GraphBuilder},
    gridwright_examples::{Sample, Timing, check, up_to},
};

#[gpu_kernel(requires = x.len() == squares.len())]
pub(crate) fn square(t: Thread, x: &[f32], mut squares: PerThread<[f32]>) {
    if let Some(square) = squares.get_mut(t) {
        *square = x[t.index()] * x[t.index()];
    }
}

#[gpu_kernel(requires = x.len() == negatives.len())]
pub(crate) fn negate(t: Thread, x: &[f32], mut negatives: PerThread<[f32]>) {
    if let Some(negative) = negatives.get_mut(t) {
        *negative = -x[t.index()];
    }
}

/// Squares and negates numbers in several ways and checks each.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1 << 18, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
    /// How often a graph is replayed.
    #[arg(long, default_value_t = 3, value_parser = up_to::<1000>)]
    replays: usize,
}

#[host_only]
struct Kernels {
    square: Kernel<square>,
    negate: Kernel<negate>,
    config: LaunchConfig,
}

#[host_only]
impl Kernels {
    /// Into memory that is made in the stream's order, and given back there but for the result.
    fn in_stream(&self, stream: &Stream, numbers: &[f32]) -> Result<Buffer<f32>, Error> {
        let mut squares = stream.alloc_zeroed(numbers.len())?;
        let input = stream.upload(numbers)?;
        self.square.launch(stream, self.config, (&input, &mut squares))?;
        drop(input);
        let mut negatives = stream.alloc_zeroed(numbers.len())?;
        self.negate.launch(stream, self.config, (&squares, &mut negatives))?;
        Ok(negatives)
    }

    /// A graph of nodes that make their memory, and the buffer of its result.
    fn built(&self, stream: &Stream, numbers: &[f32]) -> Result<(Graph, Buffer<f32>), Error> {
        let mut graph = GraphBuilder::new(stream);
        let (mut input, mut squares) =
            (graph.alloc_zeroed(numbers.len())?, graph.alloc_zeroed(numbers.len())?);
        graph.copy_from_slice(&mut input, numbers)?;
        graph.launch(&self.square, self.config, (&input, &mut squares))?;
        let mut negatives = graph.alloc_zeroed(numbers.len())?;
        graph.launch(&self.negate, self.config, (&squares, &mut negatives))?;
        Ok((graph.build()?, negatives))
    }
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, replays }, device, stream, report } = Sample::begin("captured")?;
    let numbers: Vec<f32> = (0..len).map(|i| (i % 1000) as f32).collect();
    let expected: Vec<f32> = numbers.iter().map(|x| -(x * x)).collect(); // whole numbers: exact
    let (square, negate) = (square::load(&device)?, negate::load(&device)?);
    let kernels = Kernels { square, negate, config: LaunchConfig::threads(len) };
    let timing = Timing::of(&stream, || kernels.in_stream(&stream, &numbers).map(drop))?;
    let found = kernels.in_stream(&stream, &numbers)?;
    check::equal("stream: element", &stream.download(&found)?, &expected)?;
    report.row("stream", format_args!("{len} elements, {timing}, {}", timing.rate("elements", len)))?;

    let mut kept = None;
    let captured = stream.capture(|stream| {
        kept = Some(kernels.in_stream(stream, &numbers)?);
        Ok(())
    })?;
    let captured = (captured, kept.context("a capture runs its calls")?);
    let built = kernels.built(&stream, &numbers)?;
    for (name, (graph, mut negatives)) in [("captured", captured), ("built", built)] {
        let element = format!("{name}: element");
        for _ in 0..replays {
            stream.fill(&mut negatives, 0.0)?;
            graph.launch(&stream)?;
            check::equal(&element, &stream.download(&negatives)?, &expected)?;
        }
        let timing = Timing::of(&stream, || graph.launch(&stream))?;
        let rate = timing.rate("elements", len);
        report.row(name, format_args!("{len} elements, {timing} a replay, {rate}"))?;

        // What one graph made, another one takes and lets go of.
        let mut again = stream.alloc_zeroed(len)?;
        let mut other = GraphBuilder::new(&stream);
        other.launch(&kernels.negate, kernels.config, (&negatives, &mut again))?;
        let other = other.build()?;
        drop(negatives);
        graph.launch(&stream)?;
        drop(graph);
        other.launch(&stream)?;
        check::equal(&element, &stream.download(&again)?, expected.iter().map(|x| -x))?;
    }
    report.row("checked", "every element of each way, and of a graph that takes another one's memory")
}
