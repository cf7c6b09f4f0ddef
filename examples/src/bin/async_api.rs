//! `asyncAPI` of the CUDA samples: the host goes on while the device copies and computes. Events say when that is done, and how long it took.

use gridwright::prelude::*;
#[host_only]
use {anyhow::ensure, clap::Parser, gridwright_examples::up_to, std::time::Instant};

#[gpu_kernel]
pub(crate) fn increment(t: Thread, by: i32, mut x: PerThread<[i32]>) {
    if let Some(x) = x.get_mut(t) {
        *x += by;
    }
}

/// Copies, computes and copies back while the host counts, and checks each element.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1 << 24, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Options { len } = Options::parse();
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let kernel = increment::load(&device)?;
    let mut x = stream.alloc_zeroed(len)?;
    let host = stream.pinned(len)?;

    let begin = Instant::now();
    let start = stream.record()?;
    let sent = stream.copy_from_pinned(&mut x, host)?;
    kernel.launch(&stream, LaunchConfig::threads(len), (26, &mut x))?;
    let received = stream.copy_to_pinned(&x, stream.pinned(len)?)?;
    let stop = stream.record()?;
    let submitted = begin.elapsed();
    let mut turns = 0_u64;
    while !received.is_done()? {
        turns += 1;
    }
    let host = received.wait()?;
    sent.wait()?;

    ensure!(host.iter().all(|&x| x == 26), "an element isn't 26");
    println!("device     {}", device.name());
    println!("submitted  after {:.1} µs", submitted.as_secs_f64() * 1e6);
    println!("done       after {:.1} µs, by events", stop.duration_since(&start)?.as_secs_f64() * 1e6);
    println!("meanwhile  the host counted to {turns}");
    println!("checked    every element");
    Ok(())
}
