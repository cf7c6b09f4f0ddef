//! `bandwidthTest` of the CUDA samples: how fast bytes get to a device, back, and from one place of it to another.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Timing, up_to},
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
    let len = Options::parse().bytes / 4;
    let words: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let device = Device::from_env()?;
    let stream = device.stream()?;
    println!("device         {}", device.name());
    let tell = |name: &str, times: usize, timing: Timing| {
        println!("{name:13}  {timing:>12}  {:>12}", timing.bytes_per_second(times * 4 * len));
    };

    let (mut a, mut b) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    tell("to, pageable", 1, Timing::of(&stream, || stream.copy_from_slice(&mut a, &words))?);
    let mut back = vec![0; len];
    tell("from, pageable", 1, Timing::of(&stream, || stream.copy_to_slice(&a, &mut back))?);
    ensure!(back == words, "what came back isn't what went there");

    let mut pinned = stream.pinned(len)?;
    pinned.copy_from_slice(&words);
    let mut pinned = Some(pinned);
    let mut with_pinned = |copy: &mut dyn FnMut(_) -> Result<_, Error>| {
        Timing::of(&stream, || {
            if let Some(memory) = pinned.take() {
                pinned = Some(copy(memory)?);
            }
            Ok(())
        })
    };
    tell("to, pinned", 1, with_pinned(&mut |memory| stream.copy_from_pinned(&mut b, memory)?.wait())?);
    tell("from, pinned", 1, with_pinned(&mut |memory| stream.copy_to_pinned(&b, memory)?.wait())?);
    ensure!(pinned.is_some_and(|pinned| pinned[..] == words[..]), "what came back isn't what went there");

    stream.fill(&mut b, 0)?;
    tell("on the device", 2, Timing::of(&stream, || stream.copy(&a, &mut b))?);
    ensure!(stream.download(&b)? == words, "a copy on the device is wrong");
    stream.fill(&mut b, 0)?;
    let (kernel, config) = (copy::load(&device)?, LaunchConfig::threads(len));
    tell("by a kernel", 2, Timing::of(&stream, || kernel.launch(&stream, config, (&a, &mut b)))?);
    ensure!(stream.download(&b)? == words, "the kernel's copy is wrong");
    println!("checked        every word");
    Ok(())
}
