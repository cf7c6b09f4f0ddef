//! `asyncAPI` of the CUDA samples: the host goes on while the device copies and computes. Events say when that is done, and how long it took.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, up_to},
    std::iter::repeat_n,
    std::time::Instant,
};

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
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("meanwhile")?;
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

    let [submitted, done] = [submitted, stop.duration_since(&start)?].map(|time| time.as_secs_f64() * 1e6);
    report.row("submitted", format_args!("after {submitted:.1} µs"))?;
    report.row("done", format_args!("after {done:.1} µs, by events"))?;
    report.row("meanwhile", format_args!("the host counted to {turns}"))?;
    report.equal("element", &host, repeat_n(26, len))
}
