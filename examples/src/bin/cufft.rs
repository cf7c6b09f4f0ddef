//! A Fourier transform and back by cuFFT, through cudarc, on our buffers and in our stream, with a kernel of ours in between.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::{Context, ensure},
    clap::Parser,
    cudarc::cufft::{CudaFft, FftDirection, sys},
    gridwright::{Error, interop},
    gridwright_examples::up_to,
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
    let Options { len } = Options::parse();
    ensure!(len > 2 * SWINGS, "{SWINGS} swings need more than {} elements", 2 * SWINGS);
    let angle = |i: usize| (SWINGS * i % len) as f64 / len as f64 * std::f64::consts::TAU;
    let signal: Vec<Complex> = (0..len).map(|i| Complex { re: angle(i).cos() as f32, im: 0.0 }).collect();

    let device = Device::from_env()?;
    let stream = device.stream()?;
    let mut x = stream.upload(&signal)?;
    let scale = scale::load(&device)?;
    println!("device      {}", device.name());
    println!("signal      {len} elements");

    let theirs = match interop::cudarc_stream(&stream) {
        Err(Error::Interop { reason, .. }) => {
            println!("cuFFT       not run: {reason}");
            return Ok(());
        }
        stream => stream?,
    };
    // SAFETY: loading the library runs its initialisers.
    if !unsafe { sys::is_culib_present() } {
        println!("cuFFT       not run: there is no libcufft.so");
        return Ok(());
    }
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
        let error = difference(found, expected);
        println!("{name:10}  differs by {error:.1e}, at most {most:.1e} may be");
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

/// The length of the difference as a part of the expected one's.
#[host_only]
fn difference(found: &[Complex], expected: &[Complex]) -> f64 {
    let square = |re: f32, im: f32| f64::from(re).powi(2) + f64::from(im).powi(2);
    let differences = found.iter().zip(expected).map(|(f, e)| square(f.re - e.re, f.im - e.im));
    let whole: f64 = expected.iter().map(|e| square(e.re, e.im)).sum();
    (differences.sum::<f64>() / whole).sqrt()
}
