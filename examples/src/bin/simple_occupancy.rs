//! `simpleOccupancy` of the CUDA samples: how many of a processor's threads are busy, with a workgroup of one warp and with the one that the
//! driver thinks best.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, check, up_to},
};

#[gpu_kernel]
pub(crate) fn square(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x = x.wrapping_mul(*x);
    }
}

/// Squares numbers in groups of several sizes and checks each.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1_000_000, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("checked")?;
    let kernel = square::load(&device)?;
    let numbers: Vec<u32> = (0..len as u32).collect();
    let input = stream.upload(&numbers)?;
    let mut x = stream.alloc_zeroed(len)?;
    // Without `.block`, the launcher takes what the driver thinks best.
    let best = LaunchConfig::threads(len);
    for (name, block) in [("32", Some(32)), ("256", Some(256)), ("best", None)] {
        let config = block.map_or(best, |block| best.block(block));
        let timing = Timing::of(&stream, || {
            stream.copy(&input, &mut x)?;
            kernel.launch(&stream, config, (&mut x,))
        })?;
        check::equal("square", &stream.download(&x)?, numbers.iter().map(|&x| x.wrapping_mul(x)))?;
        let occupancy = block.map(|block| kernel.occupancy(block)).transpose()?;
        let busy = occupancy.map(|of| format!("{:3.0} % of a processor's threads", 100.0 * of.fraction()));
        let busy = busy.as_deref().unwrap_or("chosen by occupancy");
        report.row(name, format_args!("{busy}, {timing}, {}", timing.rate("elements", len)))?;
    }
    report.row("checked", "every element")
}
