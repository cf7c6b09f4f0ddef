//! What options are worth, a thread an option.

use anyhow::ensure;
use gridwright::prelude::*;
use rayon::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::black_scholes::{MOST, black_scholes, distance, exactly, options};

const BLOCK: usize = 128;
const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;
const SEED: u64 = 5347;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let len = setting.size(1 << 24, 1001);
    let name = format!("black_scholes, {len}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let [price, strike, years] = options(len, SEED);
    let exact = (0..len).into_par_iter();
    let exact = exact.map(|i| exactly(price[i], strike[i], years[i], RATE, VOLATILITY));
    let (exact_call, exact_put): (Vec<f64>, Vec<f64>) = exact.unzip();
    let is_right = |call: &[f32], put: &[f32]| {
        distance(call, exact_call.iter().copied()) < MOST && distance(put, exact_put.iter().copied()) < MOST
    };

    let kernel = black_scholes::load(device)?;
    let config = LaunchConfig::threads(len).block(BLOCK);
    let our_price = stream.upload(&price)?;
    let (our_strike, our_years) = (stream.upload(&strike)?, stream.upload(&years)?);
    let (mut our_call, mut our_put) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let ours = |call: &mut Buffer<f32>, put: &mut Buffer<f32>| {
        let arguments = (&our_price, &our_strike, &our_years, RATE, VOLATILITY, call, put);
        kernel.launch(stream, config, arguments)
    };
    ours(&mut our_call, &mut our_put)?;
    let are_right = is_right(&stream.download(&our_call)?, &stream.download(&our_put)?);
    ensure!(are_right, "{name}: ours are wrong");

    let their_price = driver.upload(&price)?;
    let (their_strike, their_years) = (driver.upload(&strike)?, driver.upload(&years)?);
    let (their_call, their_put) = (driver.zeroed::<f32>(len)?, driver.zeroed::<f32>(len)?);
    let arguments = [
        driver.address(&their_price),
        driver.address(&their_strike),
        driver.address(&their_years),
        Argument::float(RATE),
        Argument::float(VOLATILITY),
        driver.address(&their_call),
        driver.address(&their_put),
        Argument::number(len),
    ];
    let groups = [len.div_ceil(BLOCK), 1];
    // SAFETY: the parameters of `black_scholes` in twins.cu, of memory of `len` elements that outlives the race.
    let mut peer =
        unsafe { Launch::new(driver, &reference.module, "black_scholes", groups, [BLOCK, 1], &arguments) }?;
    peer.go()?;
    let are_right = is_right(&driver.download(&their_call)?, &driver.download(&their_put)?);
    ensure!(are_right, "{name}: the peer's are wrong");

    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || ours(&mut our_call, &mut our_put)),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}
