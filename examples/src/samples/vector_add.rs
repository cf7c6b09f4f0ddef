//! `vectorAdd` of the CUDA samples: c = a + b, one thread an element, checked on the host.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Timing, check, up_to},
    clap::Parser,
};

// ANCHOR: kernel
/// c = a + b.
#[gpu_kernel(requires = a.len() == c.len() && b.len() == c.len())]
pub fn vector_add(t: Thread, a: &[f32], b: &[f32], mut c: PerThread<[f32]>) {
    if let Some(c) = c.get_mut(t) {
        *c = a[t.index()] + b[t.index()];
    }
}
// ANCHOR_END: kernel

/// Adds two vectors and checks the sum.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 50_000, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

// ANCHOR: main
/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Options { len } = Options::parse();
    let a: Vec<f32> = (0..len).map(|i| i as f32 * 0.5).collect();
    let b: Vec<f32> = (0..len).map(|i| (i % 1000) as f32).collect();

    let device = Device::from_env()?;
    let stream = device.stream()?;
    let (a_buffer, b_buffer) = (stream.upload(&a)?, stream.upload(&b)?);
    let mut c_buffer = stream.alloc_zeroed(len)?;

    let kernel = vector_add::load(&device)?;
    let timing = Timing::of(&stream, || {
        kernel.launch(&stream, LaunchConfig::threads(len), (&a_buffer, &b_buffer, &mut c_buffer))
    })?;

    let c = stream.download(&c_buffer)?;
    check::equal("element", &c, a.iter().zip(&b).map(|(a, b)| a + b))?;
    println!("device      {}", device.name());
    println!("vector_add  {len} elements, {timing}, {}", timing.bytes_per_second(3 * size_of_val(&c[..])));
    println!("checked     every element");
    Ok(())
}
// ANCHOR_END: main
