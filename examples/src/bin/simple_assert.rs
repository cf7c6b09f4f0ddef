//! `simpleAssert` of the CUDA samples: an assertion that fails in some threads is an error of the host's, which says what, where and
//! in which thread. The device can be used as before.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::{Context, ensure},
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Sample, check, up_to},
    std::iter::repeat_n,
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
    let Sample { options: Options { threads, limit }, device, stream, report } = Sample::begin("error")?;
    let kernel = assert_below::load(&device)?;
    let mut passed = stream.alloc_zeroed(threads)?;
    let config = LaunchConfig::threads(threads).block(32);
    kernel.launch(&stream, config, (limit, &mut passed))?;
    match stream.synchronize() {
        Err(ref error @ Error::KernelPanic { ref message, ref file, ref thread, .. }) => {
            report.row("error", error)?;
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
    check::equal("thread", &stream.download(&passed)?, repeat_n(1, threads))?;
    report.row("checked", format_args!("the error, and {threads} threads after it"))
}
