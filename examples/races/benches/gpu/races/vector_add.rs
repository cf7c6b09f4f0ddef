//! c = a + b.

use anyhow::ensure;
use gridwright::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::vector_add::vector_add;

const BLOCK: usize = 256;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let len = setting.size(1 << 25, 1001);
    let name = format!("vector_add, {len}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let a: Vec<f32> = (0..len).map(|i| (i % 8191) as f32 * 0.5).collect();
    let b: Vec<f32> = (0..len).map(|i| (i % 1000) as f32).collect();
    let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();

    let kernel = vector_add::load(device)?;
    let config = LaunchConfig::threads(len).block(BLOCK);
    let (our_a, our_b, mut our_c) = (stream.upload(&a)?, stream.upload(&b)?, stream.alloc_zeroed(len)?);
    kernel.launch(stream, config, (&our_a, &our_b, &mut our_c))?;
    ensure!(stream.download(&our_c)? == expected, "{name}: ours is wrong");

    let (their_a, their_b, their_c) = (driver.upload(&a)?, driver.upload(&b)?, driver.zeroed::<f32>(len)?);
    let arguments =
        [driver.address(&their_a), driver.address(&their_b), driver.address(&their_c), Argument::number(len)];
    // SAFETY: the parameters of `vector_add` in kernels.cu, of memory of `len` elements that outlives the race.
    let mut peer = unsafe {
        Launch::new(driver, &reference.module, "vector_add", [len.div_ceil(BLOCK), 1], [BLOCK, 1], &arguments)
    }?;
    peer.go()?;
    ensure!(driver.download(&their_c)? == expected, "{name}: the peer is wrong");

    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || kernel.launch(stream, config, (&our_a, &our_b, &mut our_c))),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}
