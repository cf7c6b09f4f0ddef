//! `simpleMultiCopy` of the CUDA samples: three streams, of which one copies to the device, one computes and one copies back at the same time;
//! against one stream, which does that one after the other.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::{Error, PinnedBuffer},
    gridwright_examples::{Sample, Timing, check, up_to},
};

#[gpu_kernel(requires = x.len() == y.len())]
pub(crate) fn increment(t: Thread, rounds: usize, x: &[i32], mut y: PerThread<[i32]>) {
    if let Some(y) = y.get_mut(t) {
        let mut value = x[t.index()];
        for _ in 0..rounds {
            value = value.wrapping_mul(3).wrapping_add(1);
        }
        *y = value;
    }
}

/// Pipes data through a device and checks each element.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements of a piece.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
    /// The number of pieces.
    #[arg(long, default_value_t = 12, value_parser = up_to::<1000>)]
    pieces: usize,
    /// How much a thread does.
    #[arg(long, default_value_t = 10, value_parser = up_to::<10_000>)]
    rounds: usize,
}

/// What a stream has to itself.
#[host_only]
struct Lane {
    stream: Stream,
    x: Buffer<i32>,
    y: Buffer<i32>,
    input: Option<PinnedBuffer<i32>>,
    output: Option<PinnedBuffer<i32>>,
}

#[host_only]
impl Lane {
    fn new(stream: Stream, numbers: &[i32]) -> Result<Self, Error> {
        let mut input = stream.pinned(numbers.len())?;
        input.copy_from_slice(numbers);
        let output = Some(stream.pinned(numbers.len())?);
        let (x, y) = (stream.alloc_zeroed(numbers.len())?, stream.alloc_zeroed(numbers.len())?);
        Ok(Self { stream, x, y, input: Some(input), output })
    }
}

/// All pieces, dealt out to the lanes in turn. A lane waits for its own last piece only.
#[host_only]
fn run(kernel: &Kernel<increment>, rounds: usize, pieces: usize, lanes: &mut [Lane]) -> Result<(), Error> {
    let mut copies: Vec<_> = lanes.iter().map(|_| None).collect();
    let wait =
        |lane: &mut Lane,
         copy: &mut Option<(gridwright::memory::Pending<i32>, gridwright::memory::Pending<i32>)>| {
            if let Some((sent, received)) = copy.take() {
                lane.input = Some(sent.wait()?);
                lane.output = Some(received.wait()?);
            }
            Ok::<_, Error>(())
        };
    for piece in 0..pieces {
        let i = piece % lanes.len();
        wait(&mut lanes[i], &mut copies[i])?;
        let Lane { stream, x, y, input, output } = &mut lanes[i];
        if let (Some(input), Some(output)) = (input.take(), output.take()) {
            let sent = stream.copy_from_pinned(x, input)?;
            kernel.launch(stream, LaunchConfig::threads(x.len()), (rounds, &*x, &mut *y))?;
            copies[i] = Some((sent, stream.copy_to_pinned(y, output)?));
        }
    }
    lanes.iter_mut().zip(&mut copies).try_for_each(|(lane, copy)| wait(lane, copy))
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, pieces, rounds }, device, report, .. } = Sample::begin("3 streams")?;
    let numbers: Vec<i32> = (0..len as i32).collect();
    let kernel = increment::load(&device)?;
    for streams in [1, 3] {
        let lane = |_| Lane::new(device.stream()?, &numbers);
        let mut lanes = (0..streams).map(lane).collect::<Result<Vec<_>, Error>>()?;
        let stream = lanes[0].stream.clone();
        let timing = Timing::of(&stream, || run(&kernel, rounds, pieces, &mut lanes))?;
        let rate = timing.bytes_per_second(8 * len * pieces);
        report.row(&format!("{streams} streams"), format_args!("{pieces} pieces, {timing}, {rate}"))?;
        for lane in lanes.iter().take(pieces) {
            let expected = |x: &i32| (0..rounds).fold(*x, |x, _| x.wrapping_mul(3).wrapping_add(1));
            let output = lane.output.as_deref().unwrap_or_default();
            check::equal("element", output, numbers.iter().map(expected))?;
        }
    }
    report.row("checked", "every element")
}
