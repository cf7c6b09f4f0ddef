//! `MonteCarloMultiGPU` of the CUDA samples: what European call options are worth, as the mean over many random ways that their price
//! may go; the options are shared out to all devices of a kind.
//!
//! A workgroup prices an option. Its threads' random numbers are streams of the option's own, for which nothing has to be set up:
//! so it doesn't matter which device it is on.

use gridwright::math;
use gridwright::prelude::*;
use gridwright::random::{Philox, normal_pair};
#[host_only]
use {
    anyhow::ensure,
    clap::Parser,
    gridwright_examples::{Report, Timing, devices_of_a_kind, up_to},
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

/// What the price in the end is made of: today's, and the mean and the deviation of its logarithm's change.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Walk {
    price: f32,
    strike: f32,
    drift: f32,
    deviation: f32,
}

/// For each option the sum over its paths of what it brings in the end, and that of the squares. `first` is the number of the first
/// option.
#[gpu_kernel(block = BLOCK, requires = walks.len() == sums.len())]
pub(crate) fn price(g: &Group, first: u64, paths: usize, walks: &[Walk], mut sums: PerGroup<[[f32; 2]]>) {
    let option = g.index();
    let Walk { price, strike, drift, deviation } = walks[option];
    let (mut sum, mut squares) = (g.private(0.0_f32), g.private(0.0_f32));
    // The loop is the group's: on a CPU that makes vectors of threads.
    for block in 0..(paths / 4) as u64 {
        g.each((&mut sum, &mut squares), |t, (sum, squares)| {
            let stream = (first + option as u64) * BLOCK as u64 + t.local().x as u64;
            let [a, b, c, d] = Philox::new(2026, stream).at(block);
            let ((a, b), (c, d)) = (normal_pair(a, b), normal_pair(c, d));
            for normal in [a, b, c, d] {
                let end = price * math::exp(deviation.mul_add(normal, drift));
                let brings = (end - strike).max(0.0);
                *sum += brings;
                *squares = brings.mul_add(brings, *squares);
            }
        });
    }
    let [sum, squares] = [sum, squares].map(|values| g.reduce(&values, |a, b| a + b));
    sums.set(g, [sum, squares]);
}

/// Prices options on several devices and checks each against the formula of Black and Scholes.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of options.
    #[arg(long, default_value_t = 256, value_parser = up_to::<{ 1 << 20 }>)]
    options: usize,
    /// The paths of each thread, a multiple of four. An option has 256 times as many.
    #[arg(long, default_value_t = 128, value_parser = up_to::<{ 1 << 16 }>)]
    paths: usize,
}

/// What money earns in a year.
#[host_only]
const INTEREST: f64 = 0.06;

/// An option on the market: prices, the years until it ends, and how far the price strays in a year.
#[host_only]
struct Call {
    price: f64,
    strike: f64,
    years: f64,
    volatility: f64,
}

#[host_only]
impl Call {
    /// One that isn't too unlikely to bring anything, or else only a few of its paths would count.
    fn random(number: usize) -> Self {
        let mut rng = Philox::new(123, number as u64);
        let mut between = |low: f64, high: f64| low + (high - low) * rng.next_f64();
        let price = between(5.0, 50.0);
        let strike = price * between(0.8, 1.25);
        Self { price, strike, years: between(1.0, 5.0), volatility: between(0.1, 0.3) }
    }

    fn deviation(&self) -> f64 {
        self.volatility * self.years.sqrt()
    }

    fn walk(&self) -> Walk {
        let drift = INTEREST * self.years - 0.5 * self.deviation().powi(2);
        let deviation = self.deviation() as f32;
        Walk { price: self.price as f32, strike: self.strike as f32, drift: drift as f32, deviation }
    }

    /// The mean and the standard deviation of what a path brings, which is the option's worth but for the interest.
    fn black_scholes(&self) -> (f64, f64) {
        let (s, v) = (self.deviation(), self.deviation().powi(2));
        let end = self.price * (INTEREST * self.years).exp();
        let d = (end / self.strike).ln() / s - 0.5 * s;
        let [none, one, two] = [d, d + s, d + 2.0 * s].map(math::norm_cdf);
        let mean = end * one - self.strike * none;
        let square = end * end * v.exp() * two - 2.0 * self.strike * end * one + self.strike.powi(2) * none;
        (mean, (square - mean * mean).max(0.0).sqrt())
    }
}

/// Some of the options on a device.
#[host_only]
struct Share {
    stream: Stream,
    kernel: Kernel<price>,
    first: usize,
    walks: Buffer<Walk>,
    sums: Buffer<[f32; 2]>,
}

#[host_only]
impl Share {
    fn new(device: &Device, first: usize, calls: &[Call]) -> anyhow::Result<Self> {
        let stream = device.stream()?;
        let walks = stream.upload(&calls.iter().map(Call::walk).collect::<Vec<_>>())?;
        let sums = stream.alloc_zeroed(calls.len())?;
        Ok(Self { stream, kernel: price::load(device)?, first, walks, sums })
    }
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let (Options { options, paths }, report) = (Options::parse(), Report::new("options"));
    ensure!(paths > 0 && paths % 4 == 0, "{paths} paths aren't a multiple of four");
    ensure!(options > 0, "no options");
    let calls: Vec<Call> = (0..options).map(Call::random).collect();
    let devices = devices_of_a_kind()?;
    let size = options.div_ceil(devices.len());
    let shares = calls.chunks(size).zip(&devices).enumerate();
    let shares = shares.map(|(number, (calls, device))| Share::new(device, number * size, calls));
    let mut shares = shares.collect::<anyhow::Result<Vec<_>>>()?;
    let stream = shares[0].stream.clone();
    let timing = Timing::of(&stream, || {
        for Share { stream, kernel, first, walks, sums } in &mut shares {
            let config = LaunchConfig::grid(sums.len(), BLOCK);
            kernel.launch(stream, config, (*first as u64, paths, &*walks, sums))?;
        }
        shares.iter().try_for_each(|share| share.stream.synchronize())
    })?;
    devices[..shares.len()].iter().try_for_each(|device| report.row("device", device.name()))?;
    let (count, rate) = ((BLOCK * paths) as f64, timing.rate("paths", options * BLOCK * paths));
    report.row("options", format_args!("{options}, {count} paths each, {timing}, {rate}"))?;

    let (mut largest, mut off, mut all) = (0.0_f64, 0.0, 0.0);
    for Share { stream, first, sums, .. } in &shares {
        for (call, [sum, squares]) in calls[*first..].iter().zip(stream.download(sums)?) {
            let (mean, deviation) = call.black_scholes();
            let found = f64::from(sum) / count;
            // A mean strays by the deviation, divided by the square root. One option in a billion is six times as far off.
            let error = (found - mean).abs() / (deviation / count.sqrt());
            ensure!(error <= 6.0, "{found} is off by {error} deviations from {mean}");
            // The deviation found has a deviation, too, which depends on fourth powers: it is held against a rough bound only.
            let strayed = (f64::from(squares) / count - found * found).max(0.0).sqrt();
            let is_alike = strayed < 2.0 * deviation && deviation < 2.0 * strayed;
            ensure!(is_alike, "paths stray by {strayed}, not {deviation}");
            largest = largest.max(error);
            off += (found - mean).abs();
            all += mean;
        }
    }
    report.row("formula", format_args!("of Black and Scholes: off by {:.1e}", off / all))?;
    report.row("checked", format_args!("every option, off by at most {largest:.2} standard deviations"))
}
