//! `streamOrderedAllocation` of the CUDA samples: memory that is made and given back in the order of a stream, so that it comes from a pool and
//! nobody waits.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, up_to},
};

#[gpu_kernel(requires = a.len() == c.len() && b.len() == c.len())]
pub(crate) fn add(t: Thread, a: &[f32], b: &[f32], mut c: PerThread<[f32]>) {
    if let Some(c) = c.get_mut(t) {
        *c = a[t.index()] + b[t.index()];
    }
}

/// Makes memory, adds, and drops it, many times, and checks each element.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
    /// How often.
    #[arg(long, default_value_t = 20, value_parser = up_to::<10_000>)]
    rounds: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, rounds }, device, stream, report } = Sample::begin("rounds")?;
    let (a, b): (Vec<f32>, Vec<f32>) = (0..len).map(|i| (i as f32, (i % 7) as f32)).unzip();
    let kernel = add::load(&device)?;
    let mut result = None;
    let timing = Timing::of(&stream, || {
        result = None;
        for _ in 0..rounds {
            let (a, b) = (stream.upload(&a)?, stream.upload(&b)?);
            let mut c = stream.alloc_zeroed(len)?;
            kernel.launch(&stream, LaunchConfig::threads(len), (&a, &b, &mut c))?;
            // `a` and `b` end here, before the kernel may have begun.
            result.get_or_insert(c);
        }
        Ok(())
    })?;
    report.timed(format_args!("{rounds} of {len} elements"), timing, "B", 12 * len * rounds)?;

    if let Some(c) = result {
        check::equal("element", &stream.download(&c)?, a.iter().zip(&b).map(|(a, b)| a + b))?;
    }
    report.row("checked", "every element")
}
