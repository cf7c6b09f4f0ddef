//! `simpleZeroCopy` of the CUDA samples: a kernel reads and writes the host's own memory, without any copy.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, up_to},
};

#[gpu_kernel(requires = a.len() == c.len() && b.len() == c.len())]
pub(crate) fn add(t: Thread, a: &[f32], b: &[f32], mut c: PerThread<[f32]>) {
    if let Some(c) = c.get_mut(t) {
        *c = a[t.index()] + b[t.index()];
    }
}

/// Adds vectors where they are and checks each element.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("add")?;
    let kernel = add::load(&device)?;
    let (mut a, mut b) = (stream.alloc_mapped(len)?, stream.alloc_mapped(len)?);
    for (i, (a, b)) in a.write()?.iter_mut().zip(b.write()?).enumerate() {
        (*a, *b) = (i as f32, (i % 7) as f32);
    }
    let mut c = stream.alloc_mapped(len)?;
    let timing =
        Timing::of(&stream, || kernel.launch(&stream, LaunchConfig::threads(len), (&a, &b, &mut c)))?;
    report.timed(format_args!("{len} elements"), timing, "B", 12 * len)?;
    report.equal("element", c.read()?, (0..len).map(|i| i as f32 + (i % 7) as f32))
}
