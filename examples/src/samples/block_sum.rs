//! The first step of a reduction: one sum a workgroup, by a tree in workgroup memory whose size the launch sets.
//!
//! CUDA's `extern __shared__ float scratch[]` is `Workgroup<[f32]>` here, and the third argument of `<<<…>>>` is
//! `.workgroup::<f32>(len)` of the config. The sample `reduction` makes this fast.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, up_to},
    clap::Parser,
};

/// One sum a workgroup; `scratch` is sized at launch: a slot for each thread.
#[gpu_kernel(requires = scratch.len() == g.len() && g.len().is_power_of_two())]
pub fn block_sum(g: &Group, x: &[f32], mut out: PerGroup<[f32]>, mut scratch: Workgroup<[f32]>) {
    g.each(scratch.elements_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
    let mut half = g.len() / 2;
    while half > 0 {
        let (lo, hi) = scratch.split_at_mut(half);
        g.each((lo.elements_mut().take(half), hi.elements().take(half)), |_, (lo, hi)| *lo += *hi);
        half /= 2;
    }
    let total = g.read(&scratch, 0); // a uniform read, with the barrier that makes it one
    out.set(g, total);
}

/// Sums each 256 elements and checks the sums.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1_000_000, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

/// Threads in a workgroup, and elements in a sum.
#[host_only]
const BLOCK: usize = 256;

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("block_sum")?;
    let x: Vec<f32> = (0..len).map(|i| (i % 1000) as f32).collect();

    let x_buffer = stream.upload(&x)?;
    let mut sums_buffer = stream.alloc_zeroed(len.div_ceil(BLOCK))?;

    let kernel = block_sum::load(&device)?;
    let config = LaunchConfig::threads(len).block(BLOCK).workgroup::<f32>(256);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (&x_buffer, &mut sums_buffer)))?;
    report.timed(format_args!("{len} elements"), timing, "B", 4 * len)?;

    // Whole numbers up to 256 × 999: no sum of them is rounded.
    let expected = x.chunks(BLOCK).map(|x| x.iter().sum::<f32>());
    report.equal("sum", &stream.download(&sums_buffer)?, expected)
}
