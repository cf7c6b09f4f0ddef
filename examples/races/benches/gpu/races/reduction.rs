//! A sum: a partial one for each workgroup, and then the sum of those.

use anyhow::ensure;
use gridwright::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::reduction::collective;

const BLOCK: usize = 256;
/// Enough for any GPU.
const GROUPS: usize = 1024;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let len = setting.size(1 << 26, 10_001);
    let groups = setting.size(GROUPS, 3);
    let name = format!("reduction, {len}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let x: Vec<f32> = (0..len).map(|i| (i * 7919 % 1000) as f32 / 1000.0).collect();
    let expected: f64 = x.iter().map(|&x| f64::from(x)).sum();
    let is_right = |sum: f32| (f64::from(sum) - expected).abs() / expected < 1e-5;

    let kernel = collective::load(device)?;
    let (many, one) = (LaunchConfig::grid(groups, BLOCK), LaunchConfig::grid(1, BLOCK));
    let our_x = stream.upload(&x)?;
    let (mut our_sums, mut our_sum) = (stream.alloc_zeroed(groups)?, stream.alloc_zeroed(1)?);
    let ours = |sums: &mut Buffer<f32>, sum: &mut Buffer<f32>| {
        kernel.launch(stream, many, (&our_x, &mut *sums))?;
        kernel.launch(stream, one, (&*sums, sum))
    };
    ours(&mut our_sums, &mut our_sum)?;
    let sum = stream.download(&our_sum)?[0];
    ensure!(is_right(sum), "{name}: ours is {sum} instead of {expected}");

    let their_x = driver.upload(&x)?;
    let (their_sums, their_sum) = (driver.zeroed::<f32>(groups)?, driver.zeroed::<f32>(1)?);
    let launch = |x, len, sums, groups| {
        let arguments = [x, Argument::number(len), sums, Argument::number(groups)];
        // SAFETY: the parameters of `collective` in kernels.cu, of memory of these sizes that outlives the race.
        unsafe { Launch::new(driver, &reference.module, "collective", [groups, 1], [BLOCK, 1], &arguments) }
    };
    let mut first = launch(driver.address(&their_x), len, driver.address(&their_sums), groups)?;
    let mut second = launch(driver.address(&their_sums), groups, driver.address(&their_sum), 1)?;
    let mut theirs = || first.go().and_then(|()| second.go());
    theirs()?;
    let sum = driver.download(&their_sum)?[0];
    ensure!(is_right(sum), "{name}: the peer is {sum} instead of {expected}");

    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || ours(&mut our_sums, &mut our_sum)),
        peer: Box::new(|calls| driver.timed(calls, &mut theirs)),
    })
}
