//! `BlackScholes` of the CUDA samples: what European options are worth by the formula of Black and Scholes, a thread an option.

use gridwright::math;
use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, up_to},
    anyhow::ensure,
    clap::Parser,
    gridwright::random::{Philox, unit_f32},
};

/// The distribution function of the standard normal distribution by a polynomial: Abramowitz and Stegun, 26.2.17, absolute
/// error 7.5e-8. The sample takes it, so that results compare; [`math::norm_cdf`] is exact.
#[inline(always)]
fn norm_cdf(d: f32) -> f32 {
    let k = 1.0 / 0.231_641_9_f32.mul_add(d.abs(), 1.0);
    let p = 1.330_274_4_f32.mul_add(k, -1.821_255_9).mul_add(k, 1.781_477_9);
    let p = p.mul_add(k, -0.356_563_78).mul_add(k, 0.319_381_54) * k;
    let tail = 0.398_942_3 * math::exp(-0.5 * d * d) * p;
    if d > 0.0 { 1.0 - tail } else { tail }
}

/// What a call and a put cost: a share's price, the price agreed on, and the years until then; the riskless rate of interest and the volatility,
/// both a year.
#[inline(always)]
fn call_and_put(price: f32, strike: f32, years: f32, rate: f32, volatility: f32) -> (f32, f32) {
    // First, as nothing waits for it: on a CPU the long chain below fills what its window reaches.
    let discounted = strike * math::exp(-rate * years);
    let deviation = volatility * math::sqrt(years);
    let drift = (0.5 * volatility).mul_add(volatility, rate);
    let d1 = drift.mul_add(years, math::ln(price / strike)) / deviation;
    let (of_price, of_strike) = (norm_cdf(d1), norm_cdf(d1 - deviation));
    let call = price.mul_add(of_price, -(discounted * of_strike));
    let put = discounted.mul_add(1.0 - of_strike, -(price * (1.0 - of_price)));
    (call, put)
}

/// The worth of each option.
#[gpu_kernel(requires = price.len() == call.len() && strike.len() == call.len() && years.len() == call.len() && put.len() == call.len())]
#[allow(clippy::too_many_arguments)] // those of the sample
pub fn black_scholes(
    t: Thread,
    price: &[f32],
    strike: &[f32],
    years: &[f32],
    rate: f32,
    volatility: f32,
    mut call: PerThread<[f32]>,
    mut put: PerThread<[f32]>,
) {
    if let (Some(call), Some(put)) = (call.get_mut(t), put.get_mut(t)) {
        let i = t.index();
        (*call, *put) = call_and_put(price[i], strike[i], years[i], rate, volatility);
    }
}

/// What a call and a put cost, in 64 bits.
#[host_only]
pub fn exactly(price: f32, strike: f32, years: f32, rate: f32, volatility: f32) -> (f64, f64) {
    let [price, strike, years, rate, volatility] = [price, strike, years, rate, volatility].map(f64::from);
    let norm_cdf = |d: f64| {
        let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
        let factors = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_53];
        let p = factors.into_iter().fold(0.0, |p, factor| k * p + factor) * k;
        let tail = (-0.5 * d * d).exp() / std::f64::consts::TAU.sqrt() * p;
        if d > 0.0 { 1.0 - tail } else { tail }
    };
    let deviation = volatility * years.sqrt();
    let d1 = ((price / strike).ln() + (rate + 0.5 * volatility * volatility) * years) / deviation;
    let (of_price, of_strike) = (norm_cdf(d1), norm_cdf(d1 - deviation));
    let discounted = strike * (-rate * years).exp();
    (price * of_price - discounted * of_strike, discounted * (1.0 - of_strike) - price * (1.0 - of_price))
}

/// Random options, `len` of them: prices from 5 to 30, strikes from 1 to 100, times from a quarter of a year to ten years.
#[host_only]
pub fn options(len: usize, seed: u64) -> [Vec<f32>; 3] {
    let rng = Philox::new(seed, 0);
    let column = |which: usize, least: f32, most: f32| {
        (0..len).map(|i| least + (most - least) * unit_f32(rng.at(i as u64)[which])).collect()
    };
    [column(0, 5.0, 30.0), column(1, 1.0, 100.0), column(2, 0.25, 10.0)]
}

/// How far off results are: the sum of the differences by the sum of what they should be. The sample's measure.
#[host_only]
pub fn distance(found: &[f32], exact: impl Iterator<Item = f64>) -> f64 {
    let (off, all) = found.iter().zip(exact).fold((0.0, 0.0), |(off, all), (&found, exact)| {
        (off + (f64::from(found) - exact).abs(), all + exact.abs())
    });
    off / all
}

/// The sample's bound of [`distance`].
#[host_only]
pub const MOST: f64 = 1e-6;

/// Prices options and checks each.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of options.
    #[arg(long, default_value_t = 4_000_000, value_parser = up_to::<{ 1 << 25 }>)]
    len: usize,
    /// The riskless rate of interest, a year.
    #[arg(long, default_value_t = 0.02)]
    rate: f32,
    /// The volatility, a year.
    #[arg(long, default_value_t = 0.3)]
    volatility: f32,
    /// What the random options depend on.
    #[arg(long, default_value_t = 5347)]
    seed: u64,
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::begin("priced")?;
    let Options { len, rate, volatility, seed } = options;
    ensure!((0.0..=1.0).contains(&rate), "{rate} isn't a rate from 0 to 1");
    ensure!((0.01..=2.0).contains(&volatility), "{volatility} isn't a volatility from 0.01 to 2");
    let [price, strike, years] = self::options(len, seed);

    let (on_price, on_strike, on_years) =
        (stream.upload(&price)?, stream.upload(&strike)?, stream.upload(&years)?);
    let (mut call, mut put) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let kernel = black_scholes::load(&device)?;
    let config = LaunchConfig::threads(len).block(128);
    let timing = Timing::of(&stream, || {
        let arguments = (&on_price, &on_strike, &on_years, rate, volatility, &mut call, &mut put);
        kernel.launch(&stream, config, arguments)
    })?;
    // The sample counts a call and a put as two.
    let (speed, bandwidth) = (timing.rate("options", 2 * len), timing.bytes_per_second(20 * len));
    report.row("priced", format_args!("{len} calls and puts, {timing}, {speed}, {bandwidth}"))?;

    let exact = || (0..len).map(|i| exactly(price[i], strike[i], years[i], rate, volatility));
    let calls = distance(&stream.download(&call)?, exact().map(|(call, _)| call));
    let puts = distance(&stream.download(&put)?, exact().map(|(_, put)| put));
    ensure!(calls < MOST, "calls are off by {calls:e}");
    ensure!(puts < MOST, "puts are off by {puts:e}");
    report.row("checked", format_args!("calls are off by {calls:.1e} and puts by {puts:.1e}, in the L1 norm"))
}
