//! A kernel in CUDA C that nvcc compiled, launched beside one of ours that computes the same.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright::Error,
    gridwright_examples::{Sample, Timing, check, up_to},
};

/// What an element and its neighbours count.
#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Weights {
    side: f32,
    middle: f32,
}

/// Each element's weighted mean with its neighbours; what lies beyond the ends counts as the end.
#[gpu_kernel(requires = from.len() == to.len())]
fn our_blur(t: Thread, weights: Weights, from: &[f32], mut to: PerThread<[f32]>) {
    let i = t.index();
    let at = |i: usize| from[i.min(from.len() - 1)];
    if let Some(to) = to.get_mut(t) {
        let sides = at(i.saturating_sub(1)) + at(i + 1);
        *to = weights.middle.mul_add(at(i), weights.side * sides);
    }
}

#[foreign_kernels("kernels/blur.ptx")]
unsafe extern "C" {
    /// Each element's weighted mean with its neighbours, in CUDA C: [`blur.cu`](../../kernels/blur.cu).
    ///
    /// # Safety
    /// `from` and `to` have `n` elements, which is not zero, and `tile` has two more than a block has threads.
    fn blur(weights: Weights, from: *const f32, to: *mut f32, n: u32, tile: Workgroup<[f32]>);
}

/// Blurs a signal with a kernel of ours and with nvcc's, and compares.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 50_000, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

/// The threads of a workgroup.
#[host_only]
const BLOCK: usize = 256;

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("our_blur")?;
    let n = u32::try_from(len)?;
    let weights = Weights { side: 0.25, middle: 0.5 };
    let signal: Vec<f32> = (0..len).map(|i| ((i * i) % 1000) as f32).collect();

    let from = stream.upload(&signal)?;
    let mut to = stream.alloc_zeroed(len)?;
    let kernel = our_blur::load(&device)?;
    let timing = Timing::of(&stream, || {
        kernel.launch(&stream, LaunchConfig::threads(len), (weights, &from, &mut to))
    })?;
    let ours = stream.download(&to)?;
    report.row("our_blur", format_args!("{len} elements, {timing}"))?;

    // PTX runs on NVIDIA's GPUs, and where there is none in the emulator.
    let has_image = !matches!(blur::load(&device), Err(Error::ImageMissing { .. }));
    let device = if has_image { device } else { Device::emulator()? };
    let (kernel, stream) = (blur::load(&device)?, device.stream()?);
    let from = stream.upload(&signal)?;
    let mut to = stream.alloc_zeroed(len)?;
    let config = LaunchConfig::threads(len).block(BLOCK).workgroup::<f32>(BLOCK + 2);
    let timing = Timing::of(&stream, || {
        // SAFETY: both buffers have `n` elements, which isn't zero: a launch of no threads was refused above. The memory has two more than a
        // block has threads.
        unsafe { kernel.launch(&stream, config, (weights, &from, &mut to, n)) }
    })?;
    report.row("device", device.name())?;
    report.row("blur", format_args!("{len} elements, {timing}"))?;

    let [ours, theirs] =
        [ours, stream.download(&to)?].map(|x| x.into_iter().map(f32::to_bits).collect::<Vec<_>>());
    check::equal("bits of element", &ours, theirs)?;
    report.row("checked", "every element of the one against the other")
}
