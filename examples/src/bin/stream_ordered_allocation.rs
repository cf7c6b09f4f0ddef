//! `streamOrderedAllocation` of the CUDA samples: memory that is made and given back in the order of a stream, so that it comes from a pool and
//! nobody waits.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Timing, up_to},
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
    let Options { len, rounds } = Options::parse();
    let (a, b): (Vec<f32>, Vec<f32>) = (0..len).map(|i| (i as f32, (i % 7) as f32)).unzip();
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let kernel = add::load(&device)?;
    let mut results = Vec::new();
    let timing = Timing::of(&stream, || {
        results.clear();
        for _ in 0..rounds {
            let (a, b) = (stream.upload(&a)?, stream.upload(&b)?);
            let mut c = stream.alloc_zeroed(len)?;
            kernel.launch(&stream, LaunchConfig::threads(len), (&a, &b, &mut c))?;
            // `a` and `b` end here, before the kernel may have begun.
            if results.is_empty() {
                results.push(c);
            }
        }
        Ok(())
    })?;

    for c in &results {
        let wrong = stream.download(c)?.iter().enumerate().position(|(i, &c)| c != a[i] + b[i]);
        ensure!(wrong.is_none(), "element {wrong:?} is wrong");
    }
    println!("device   {}", device.name());
    println!("rounds   {rounds} of {len} elements, {timing}, {}", timing.bytes_per_second(12 * len * rounds));
    println!("checked  every element");
    Ok(())
}
