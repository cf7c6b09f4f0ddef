//! `simpleAssert` of the CUDA samples: an assertion that fails in some threads is an error of the host's, which says what, where and
//! in which thread. The device can be used as before.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::{Context, ensure},
    clap::Parser,
    gridwright::Error,
    gridwright_examples::up_to,
};

#[gpu_kernel]
pub(crate) fn assert_below(t: Thread, limit: usize, mut passed: PerThread<[u32]>) {
    assert!(t.index() < limit, "a thread beyond the limit");
    if let Some(passed) = passed.get_mut(t) {
        *passed = 1;
    }
}

/// Lets assertions fail and checks the error.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Threads.
    #[arg(long, default_value_t = 64, value_parser = up_to::<{ 1 << 20 }>)]
    threads: usize,
    /// Threads whose assertion holds.
    #[arg(long, default_value_t = 60)]
    limit: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Options { threads, limit } = Options::parse();
    let device = Device::from_env()?;
    let stream = device.stream()?;
    println!("device   {}", device.name());
    let kernel = assert_below::load(&device)?;
    let mut passed = stream.alloc_zeroed(threads)?;
    let config = LaunchConfig::threads(threads).block(32);
    kernel.launch(&stream, config, (limit, &mut passed))?;
    match stream.synchronize() {
        Err(error @ Error::KernelPanic { .. }) => {
            println!("error    {error}");
            let Error::KernelPanic { message, file, thread, .. } = &error else { unreachable!() };
            ensure!(limit < threads, "no assertion was to fail");
            ensure!(message == "a thread beyond the limit" && file.ends_with("simple_assert.rs"), "{error}");
            let thread = thread.first().context("a thread has a place")?;
            ensure!(*thread < 32, "thread {thread} of a group of 32");
        }
        result => {
            result?;
            ensure!(limit >= threads, "{} assertions were to fail", threads - limit);
        }
    }

    // The device goes on.
    kernel.launch(&stream, config, (threads, &mut passed))?;
    ensure!(stream.download(&passed)?.iter().all(|&passed| passed == 1), "a thread is missing");
    println!("checked  the error, and {threads} threads after it");
    Ok(())
}
