//! What a launch costs the host: ours, with all its checks, and `cuLaunchKernel` with the arguments laid out before.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, ensure};
use gridwright::__private::{ImageKind, Signature};
use gridwright::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, Race};
use gridwright_examples::samples::vector_add::vector_add;

const LEN: usize = 1024;
const BLOCK: usize = 256;

/// Few enough that the driver's queue doesn't fill, which would be timed instead.
const LAUNCHES: u32 = 200;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, .. } = setting;
    let name = "launch, the host's time".to_owned();
    if !harness.wants(&name) {
        return Ok(());
    }
    let (a, b) = (vec![1.0_f32; LEN], vec![2.0_f32; LEN]);
    let expected = vec![3.0_f32; LEN];
    let kernel = vector_add::load(device)?;
    let config = LaunchConfig::threads(LEN).block(BLOCK);
    let (our_a, our_b, mut our_c) = (stream.upload(&a)?, stream.upload(&b)?, stream.alloc_zeroed(LEN)?);
    kernel.launch(stream, config, (&our_a, &our_b, &mut our_c))?;
    ensure!(stream.download(&our_c)? == expected, "{name}: ours is wrong");

    // The same PTX, with the same numbers.
    let image = <vector_add as Signature>::IMAGES.images.iter().find(|image| image.kind == ImageKind::Ptx);
    let module = driver.load(image.context("no PTX: build with the device toolchain")?.bytes)?;
    let (their_a, their_b, their_c) = (driver.upload(&a)?, driver.upload(&b)?, driver.zeroed::<f32>(LEN)?);
    let len = Argument::number(LEN);
    let arguments = [
        Argument::number(LEN - 1), // the last position
        driver.address(&their_a),
        len,
        driver.address(&their_b),
        len,
        driver.address(&their_c),
        len,
        len,
    ];
    // SAFETY: the parameters of our entry, of memory of these sizes that outlives the race.
    let mut peer =
        unsafe { Launch::new(driver, &module, "vector_add", [LEN / BLOCK, 1], [BLOCK, 1], &arguments) }?;
    peer.go()?;
    ensure!(driver.download(&their_c)? == expected, "{name}: the peer is wrong");

    harness.race(Race {
        name,
        peer_name: Some("cuLaunchKernel".into()),
        most_calls: LAUNCHES,
        ours: Box::new(|calls| {
            let took = timed(calls, || {
                Ok(kernel.launch(stream, black_box(config), (&our_a, &our_b, &mut our_c))?)
            });
            stream.synchronize()?;
            took
        }),
        peer: Box::new(|calls| {
            let took = timed(calls, || peer.go());
            driver.synchronize()?;
            took
        }),
    })
}

/// Nanoseconds that the host takes for one of so many calls.
fn timed(calls: u32, mut call: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let start = Instant::now();
    for _ in 0..calls {
        call()?;
    }
    Ok(start.elapsed().as_nanos() as f64 / f64::from(calls))
}
