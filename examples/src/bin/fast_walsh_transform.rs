//! `fastWalshTransform` of the CUDA samples: a convolution by way of the Walsh–Hadamard transform, in which the product of
//! two transforms is the transform of the vectors' dyadic convolution, `c[i] = Σ a[j]·b[i ^ j]`.
//!
//! As in a sorting network, a step combines elements that are `distance` apart. Short distances are done in workgroup memory, several in
//! a launch; longer ones one in a launch.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Sample, Timing, check, noise, up_to},
};

/// Threads in a workgroup, and elements that it transforms by itself.
const BLOCK: usize = 256;

/// What a butterfly leaves at a position: the sum at its low end, the difference at the other.
#[inline(always)]
fn butterfly(position: usize, distance: usize, mine: f32, theirs: f32) -> f32 {
    if position & distance == 0 { mine + theirs } else { theirs - mine }
}

/// All steps inside a group.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
pub(crate) fn transform_in_groups(
    g: &Group,
    x: &[f32],
    mut y: PerThread<[f32]>,
    mut tile: Workgroup<[f32; BLOCK]>,
) {
    let mut mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0.0));
    let mut distance = 1;
    while distance < BLOCK.min(x.len()) {
        g.each((&mine, tile.elements_mut()), |_, (mine, slot)| *slot = *mine);
        g.each((&mut mine, tile.shared()), |t, (mine, tile)| {
            let thread = t.local().x;
            *mine = butterfly(thread, distance, *mine, tile[thread ^ distance]);
        });
        distance *= 2;
    }
    g.each((&mine, y.elements_mut()), |_, (mine, y)| {
        if let Some(y) = y {
            *y = *mine;
        }
    });
}

/// One step beyond a group.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
pub(crate) fn transform_step(t: Thread, distance: usize, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let position = t.index();
        *y = butterfly(position, distance, x[position], x[position ^ distance]);
    }
}

/// `a *= b * scale`, element by element.
#[gpu_kernel(requires = a.len() == b.len())]
pub(crate) fn multiply(t: Thread, scale: f32, mut a: PerThread<[f32]>, b: &[f32]) {
    if let Some(a) = a.get_mut(t) {
        *a *= b[t.index()] * scale;
    }
}

/// Convolves a vector with a short kernel and checks the result.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements, rounded up to a power of two.
    #[arg(long, default_value_t = 1 << 20, value_parser = up_to::<{ 1 << 24 }>)]
    len: usize,
    /// The elements of the kernel.
    #[arg(long, default_value_t = 128, value_parser = up_to::<1024>)]
    kernel: usize,
}

/// The kernels, and the stream that they run on.
#[host_only]
struct Transform {
    stream: Stream,
    in_groups: Kernel<transform_in_groups>,
    step: Kernel<transform_step>,
}

#[host_only]
impl Transform {
    /// Transforms `x` into itself, by way of `other`.
    fn run(&self, x: &mut Buffer<f32>, other: &mut Buffer<f32>) -> Result<(), Error> {
        let config = LaunchConfig::threads(x.len());
        self.in_groups.launch(&self.stream, config, (&*x, &mut *other))?;
        std::mem::swap(x, other);
        let mut distance = BLOCK;
        while distance < x.len() {
            self.step.launch(&self.stream, config, (distance, &*x, &mut *other))?;
            std::mem::swap(x, other);
            distance *= 2;
        }
        Ok(())
    }
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len, kernel: taps }, device, stream, report } = Sample::begin("walsh")?;
    let len = len.max(taps).next_power_of_two();
    let mut next = noise(1);
    let mut random = |len| (0..len).map(|_| (next() >> 8) as f32 / (1 << 24) as f32).collect::<Vec<_>>();
    let (data, taps) = (random(len), random(taps));
    let mut padded = taps.clone();
    padded.resize(len, 0.0);

    let (uploaded, uploaded_taps) = (stream.upload(&data)?, stream.upload(&padded)?);
    let (mut a, mut b, mut other) =
        (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let (in_groups, step) = (transform_in_groups::load(&device)?, transform_step::load(&device)?);
    let transform = Transform { stream: stream.clone(), in_groups, step };
    let multiply = multiply::load(&device)?;
    let timing = Timing::of(&stream, || {
        stream.copy(&uploaded, &mut a)?;
        stream.copy(&uploaded_taps, &mut b)?;
        transform.run(&mut a, &mut other)?;
        transform.run(&mut b, &mut other)?;
        multiply.launch(&stream, LaunchConfig::threads(len), (1.0 / len as f32, &mut a, &b))?;
        transform.run(&mut a, &mut other)
    })?;
    report.timed(format_args!("{len} elements, {} of the kernel", taps.len()), timing, "elements", len)?;

    let expected = (0..len).map(|i| {
        taps.iter().enumerate().map(|(j, &tap)| f64::from(tap) * f64::from(data[i ^ j])).sum::<f64>()
    });
    // The sample's own criterion: the whole result's distance, relative to its size.
    let error = check::distance("element", &stream.download(&a)?, expected)?;
    ensure!(error < 1e-6, "the convolution is off by {error:e} of its size");
    report.row("checked", format_args!("every element: off by {error:.1e}"))
}
