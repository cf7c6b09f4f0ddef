//! `simpleOccupancy` of the CUDA samples: how many of a processor's threads are busy, with a workgroup of one warp and with the one that the
//! driver thinks best.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Timing, up_to},
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
    let Options { len } = Options::parse();
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let kernel = square::load(&device)?;
    let numbers: Vec<u32> = (0..len as u32).collect();
    let input = stream.upload(&numbers)?;
    let mut x = stream.alloc_zeroed(len)?;
    println!("device     {}", device.name());
    // Without `.block`, the launcher takes what the driver thinks best.
    let best = LaunchConfig::threads(len);
    for (name, config, block) in
        [("32", best.block(32), 32), ("256", best.block(256), 256), ("best", best, 0)]
    {
        let timing = Timing::of(&stream, || {
            stream.copy(&input, &mut x)?;
            kernel.launch(&stream, config, (&mut x,))
        })?;
        let is_right = stream.download(&x)?.iter().zip(&numbers).all(|(&y, &x)| y == x.wrapping_mul(x));
        ensure!(is_right, "a square is wrong");
        let busy = if block > 0 {
            format!("{:3.0} % of a processor's threads", 100.0 * kernel.occupancy(block)?.fraction())
        } else {
            "chosen by occupancy".to_owned()
        };
        println!("{name:>4}       {busy}, {timing}, {}", timing.rate("elements", len));
    }
    println!("checked    every element");
    Ok(())
}
