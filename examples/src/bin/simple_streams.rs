//! `simpleStreams` of the CUDA samples: work on parts of an array, each on a stream of its own, so that the copy of one runs beside the kernel
//! of another; against the same on one stream.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::{Error, PinnedBuffer},
    gridwright_examples::{Sample, Timing, check, up_to},
    std::iter::repeat_n,
};

/// Adds a number again and again, so that it takes time.
#[gpu_kernel]
pub(crate) fn add(t: Thread, factor: i32, rounds: usize, mut x: PerThread<[i32]>) {
    if let Some(x) = x.get_mut(t) {
        for round in 0..rounds {
            *x = x.wrapping_add(factor ^ round as i32);
        }
    }
}

/// Works on parts of an array on several streams and checks each element.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1 << 22, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
    /// The number of streams.
    #[arg(long, default_value_t = 4, value_parser = up_to::<64>)]
    streams: usize,
    /// How often a thread adds.
    #[arg(long, default_value_t = 5, value_parser = up_to::<10_000>)]
    rounds: usize,
}

/// A part of the array, and memory of the host for it.
#[host_only]
struct Part {
    stream: Stream,
    x: Buffer<i32>,
    host: Option<PinnedBuffer<i32>>,
}

/// Clears, computes and copies back all parts, and waits at the end only.
#[host_only]
fn run(kernel: &Kernel<add>, rounds: usize, parts: &mut [Part]) -> Result<(), Error> {
    let mut copies = Vec::new();
    for Part { stream, x, host } in &mut *parts {
        stream.fill(x, 0)?;
        kernel.launch(stream, LaunchConfig::threads(x.len()), (5, rounds, &mut *x))?;
        if let Some(host) = host.take() {
            copies.push(stream.copy_to_pinned(x, host)?);
        }
    }
    for (part, copy) in parts.iter_mut().zip(copies) {
        part.host = Some(copy.wait()?);
    }
    Ok(())
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, streams, rounds }, device, stream: first, report } =
        Sample::begin("10 streams")?;
    let kernel = add::load(&device)?;
    let expected = (0..rounds).fold(0_i32, |x, round| x.wrapping_add(5 ^ round as i32));
    for streams in [1, streams.max(1)] {
        let part = |i: usize| -> Result<Part, Error> {
            let stream = if streams == 1 { first.clone() } else { device.stream()? };
            let len = len * (i + 1) / streams - len * i / streams;
            Ok(Part { x: stream.alloc_zeroed(len)?, host: Some(stream.pinned(len)?), stream })
        };
        let mut parts = (0..streams).map(part).collect::<Result<Vec<_>, _>>()?;
        let timing = Timing::of(&first, || run(&kernel, rounds, &mut parts))?;
        let rate = timing.rate("elements", len);
        report.row(&format!("{streams:2} streams"), format_args!("{len} elements, {timing}, {rate}"))?;
        for Part { x, host, .. } in &parts {
            check::equal("element", host.as_deref().unwrap_or_default(), repeat_n(expected, x.len()))?;
        }
    }
    report.row("checked", "every element")
}
