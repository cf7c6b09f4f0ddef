//! `dwtHaar1D` of the CUDA samples: the Haar wavelet decomposition of a signal, down to one coefficient.
//!
//! A step turns neighbours into their sum and their difference, both over √2. The differences are coefficients; the sums are the signal
//! of the next step. A workgroup does as many steps as its elements last for, in its own memory.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Sample, Timing, up_to},
    std::f64::consts::FRAC_1_SQRT_2,
};

/// Threads in a workgroup, and elements that it decomposes.
const BLOCK: usize = 512;
/// Steps that the group can do.
const STEPS: usize = BLOCK.ilog2() as usize;

/// Each group does `steps` steps. Thread i ends up with what the group has at i: `BLOCK >> steps` sums, fewer if there is less, then
/// differences, those of the last step first.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len() && steps <= STEPS)]
pub(crate) fn decompose(
    g: &Group,
    steps: usize,
    x: &[f32],
    mut y: PerThread<[f32]>,
    mut tile: Workgroup<[f32; BLOCK]>,
) {
    let mut mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0.0));
    let mut half = BLOCK.min(x.len()) / 2;
    for _ in 0..steps {
        g.each((&mine, tile.elements_mut()), |_, (mine, slot)| *slot = *mine);
        g.each((&mut mine, tile.shared()), |t, (mine, tile)| {
            let thread = t.local().x;
            if thread < 2 * half {
                let pair = 2 * (thread % half);
                let (left, right) = (tile[pair], tile[pair + 1]);
                let sign = if thread < half { right } else { -right };
                *mine = (left + sign) * core::f32::consts::FRAC_1_SQRT_2;
            }
        });
        half /= 2;
    }
    g.each((&mine, y.elements_mut()), |_, (mine, y)| {
        if let Some(y) = y {
            *y = *mine;
        }
    });
}

/// The sums of all groups, side by side: the signal of the next launch.
#[gpu_kernel(requires = stride > 0)]
pub(crate) fn gather(t: Thread, stride: usize, y: &[f32], mut sums: PerThread<[f32]>) {
    if let Some(sum) = sums.get_mut(t) {
        *sum = y[t.index() * stride];
    }
}

/// Decomposes a signal and checks the coefficients.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of samples, rounded up to a power of two.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

/// The signal of a launch, and what the launch makes of it.
#[host_only]
struct Level {
    x: Buffer<f32>,
    y: Buffer<f32>,
    steps: usize,
}

/// What a launch leaves, decomposed further: sums first, then the differences of the last step, and so on.
#[host_only]
fn in_order(levels: &[(Vec<f32>, usize)]) -> Vec<f32> {
    let Some(((y, steps), above)) = levels.split_first() else { return Vec::new() };
    let block = BLOCK.min(y.len());
    let mut ordered =
        if above.is_empty() { y.iter().step_by(block).copied().collect() } else { in_order(above) };
    for step in (0..*steps).rev() {
        let half = block >> (step + 1);
        y.chunks(block).for_each(|group| ordered.extend(&group[half..2 * half]));
    }
    ordered
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::<Options>::begin("haar")?;
    let len = options.len.next_power_of_two();
    let signal: Vec<f32> = (0..len).map(|i| (i * 7919 % 1009) as f32 / 1009.0).collect();

    let uploaded = stream.upload(&signal)?;
    let mut levels = Vec::new();
    let mut rest = len;
    while rest > 1 {
        let steps = rest.ilog2().min(BLOCK.ilog2()) as usize;
        levels.push(Level { x: stream.alloc_zeroed(rest)?, y: stream.alloc_zeroed(rest)?, steps });
        rest >>= steps;
    }
    let (decompose, gather) = (decompose::load(&device)?, gather::load(&device)?);
    let timing = Timing::of(&stream, || {
        for i in 0..levels.len() {
            let (before, rest) = levels.split_at_mut(i);
            let Level { x, y, steps } = &mut rest[0];
            let config = LaunchConfig::threads(x.len());
            match before.last() {
                None => stream.copy(&uploaded, x)?,
                Some(before) => {
                    let stride = BLOCK.min(before.y.len());
                    gather.launch(&stream, config, (stride, &before.y, &mut *x))?;
                }
            }
            decompose.launch(&stream, config, (*steps, &*x, y))?;
        }
        Ok(())
    })?;
    let (launches, rate) = (levels.len(), timing.rate("samples", len));
    report.row("haar", format_args!("{len} samples, {launches} launches, {timing}, {rate}"))?;

    let left = levels.iter().map(|level| Ok((stream.download(&level.y)?, level.steps)));
    let left = left.collect::<Result<Vec<_>, Error>>()?;
    let found = if len == 1 { signal.clone() } else { in_order(&left) };
    let mut sums: Vec<f64> = signal.iter().map(|&x| f64::from(x)).collect();
    let mut expected = Vec::new();
    // What a step rounds is at most √2 times as large as what the one before did, and its own error adds to theirs.
    let (mut error, mut size) = (0.0, 1.0);
    while sums.len() > 1 {
        error = 2.0_f64.sqrt() * error + size * 2.0 * f64::from(f32::EPSILON);
        size *= 2.0_f64.sqrt();
        let pairs = || sums.chunks(2);
        expected.splice(..0, pairs().map(|pair| ((pair[0] - pair[1]) * FRAC_1_SQRT_2, error)));
        sums = pairs().map(|pair| (pair[0] + pair[1]) * FRAC_1_SQRT_2).collect();
    }
    expected.splice(..0, sums.into_iter().map(|sum| (sum, error)));
    report.close("coefficient", &found, expected)
}
