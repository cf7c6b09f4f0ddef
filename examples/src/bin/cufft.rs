//! A Fourier transform and back by cuFFT, through cudarc, on our buffers and in our stream, with a kernel of ours in between.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::{Context, ensure},
    clap::Parser,
    cudarc::cufft::{CudaFft, FftDirection, sys},
    gridwright::interop,
    gridwright_examples::{Sample, check, cudarc_stream, up_to},
};

/// A complex number, as cuFFT has it.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Complex {
    re: f32,
    im: f32,
}

/// cuFFT's sums aren't divided by their number.
#[gpu_kernel]
pub(crate) fn scale(t: Thread, factor: f32, mut x: PerThread<[Complex]>) {
    if let Some(x) = x.get_mut(t) {
        *x = Complex { re: factor * x.re, im: factor * x.im };
    }
}

/// How often the signal swings.
#[host_only]
const SWINGS: usize = 5;

/// Transforms a signal and back, and compares.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements, more than 10.
    #[arg(long, default_value_t = 1 << 16, value_parser = up_to::<{ 1 << 24 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("spectrum")?;
    ensure!(len > 2 * SWINGS, "{SWINGS} swings need more than {} elements", 2 * SWINGS);
    let angle = |i: usize| (SWINGS * i % len) as f64 / len as f64 * std::f64::consts::TAU;
    let signal: Vec<Complex> = (0..len).map(|i| Complex { re: angle(i).cos() as f32, im: 0.0 }).collect();

    let mut x = stream.upload(&signal)?;
    let scale = scale::load(&device)?;
    report.row("signal", format_args!("{len} elements"))?;

    // SAFETY: loading the library runs its initialisers.
    let is_there = || unsafe { sys::is_culib_present() };
    let Some(theirs) = cudarc_stream(&stream, "cuFFT", is_there, report)? else { return Ok(()) };
    let plan = CudaFft::plan_1d(i32::try_from(len)?, sys::cufftType::CUFFT_C2C, 1, theirs)?;
    let mut spectrum = stream.alloc_zeroed::<Complex>(len)?;
    transform(&stream, &plan, FftDirection::Forward, &mut x, &mut spectrum)?;
    scale.launch(&stream, LaunchConfig::threads(len), (1.0 / len as f32, &mut spectrum))?;
    let found = stream.download(&spectrum)?;
    transform(&stream, &plan, FftDirection::Inverse, &mut spectrum, &mut x)?;
    let back = stream.download(&x)?;

    // A half at as many swings, one way and the other, and nothing elsewhere.
    let is_swing = |i: usize| i == SWINGS || i == len - SWINGS;
    let half = |i: usize| Complex { re: if is_swing(i) { 0.5 } else { 0.0 }, im: 0.0 };
    let expected: Vec<_> = (0..len).map(half).collect();
    // Each of the log₂ n stages rounds a few times.
    let most = 8.0 * f64::from(f32::EPSILON) * (len as f64).log2();
    for (name, found, expected) in [("spectrum", &found, &expected), ("signal", &back, &signal)] {
        let [found, expected] =
            [found, expected].map(|x| x.iter().flat_map(|x| [x.re, x.im]).collect::<Vec<_>>());
        let error = check::distance(name, &found, expected.into_iter().map(f64::from))?;
        report.row(name, format_args!("differs by {error:.1e}, at most {most:.1e} may be"))?;
        ensure!(error <= most, "the {name} is wrong");
    }
    Ok(())
}

/// Has cuFFT transform a buffer into another.
#[host_only]
fn transform(
    stream: &Stream,
    plan: &CudaFft,
    direction: FftDirection,
    from: &mut Buffer<Complex>,
    to: &mut Buffer<Complex>,
) -> anyhow::Result<()> {
    interop::scope(stream, |scope| {
        // SAFETY: cuFFT's type is two numbers as well.
        let from = unsafe { scope.write(from)?.cast::<sys::float2>() };
        // SAFETY: cuFFT's type is two numbers as well.
        let to = unsafe { scope.write(to)?.cast::<sys::float2>() };
        let (mut from, mut to) = from.zip(to).context("two numbers are two numbers")?;
        Ok(plan.exec_c2c(&mut from, &mut to, direction)?)
    })
}
