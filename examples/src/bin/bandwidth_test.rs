//! `bandwidthTest` of the CUDA samples: how fast bytes get to a device, back, and from one place of it to another.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Sample, Timing, check, scattered, up_to},
};

/// The device's own copy, by a kernel.
#[gpu_kernel(requires = from.len() == to.len())]
pub(crate) fn copy(t: Thread, from: &[u32], mut to: PerThread<[u32]>) {
    if let Some(to) = to.get_mut(t) {
        *to = from[t.index()];
    }
}

/// Copies bytes and checks them.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of bytes, in words of four.
    #[arg(long, default_value_t = 32 << 20, value_parser = up_to::<{ 1 << 32 }>)]
    bytes: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { bytes }, device, stream, report } = Sample::begin("on the device")?;
    let len = bytes / 4;
    let words: Vec<u32> = scattered(len).collect();
    let tell = |name: &str, times: usize, timing: Timing| {
        report.row(name, format_args!("{timing:>12}  {:>12}", timing.bytes_per_second(times * 4 * len)))
    };

    let (mut a, mut b) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    tell("to, pageable", 1, Timing::of(&stream, || stream.copy_from_slice(&mut a, &words))?)?;
    let mut back = vec![0; len];
    tell("from, pageable", 1, Timing::of(&stream, || stream.copy_to_slice(&a, &mut back))?)?;
    check::equal("word", &back, &words)?;

    let mut pinned = stream.pinned(len)?;
    pinned.copy_from_slice(&words);
    let mut pinned = Some(pinned);
    let mut with_pinned = |copy: &mut dyn FnMut(_) -> Result<_, Error>| {
        Timing::of(&stream, || {
            pinned = pinned.take().map(&mut *copy).transpose()?;
            Ok(())
        })
    };
    tell("to, pinned", 1, with_pinned(&mut |memory| stream.copy_from_pinned(&mut b, memory)?.wait())?)?;
    tell("from, pinned", 1, with_pinned(&mut |memory| stream.copy_to_pinned(&b, memory)?.wait())?)?;
    check::equal("word", pinned.as_deref().unwrap_or_default(), &words)?;

    stream.fill(&mut b, 0)?;
    tell("on the device", 2, Timing::of(&stream, || stream.copy(&a, &mut b))?)?;
    check::equal("word", &stream.download(&b)?, &words)?;
    stream.fill(&mut b, 0)?;
    let (kernel, config) = (copy::load(&device)?, LaunchConfig::threads(len));
    tell("by a kernel", 2, Timing::of(&stream, || kernel.launch(&stream, config, (&a, &mut b)))?)?;
    report.equal("word", &stream.download(&b)?, &words)
}
