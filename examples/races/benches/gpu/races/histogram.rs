//! How often each byte value occurs, in bins of workgroup memory.

use anyhow::ensure;
use gridwright::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::histogram::histogram;

const BLOCK: usize = 256;
/// Enough for any GPU.
const GROUPS: usize = 1024;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let words = setting.size(1 << 25, 5001);
    let groups = setting.size(GROUPS, 2);
    let name = format!("histogram_256, {} bytes", 8 * words);
    if !harness.wants(&name) {
        return Ok(());
    }
    // As unevenly spread as a photograph's brightness.
    let value = |i: usize| ((i * 7919 % 1009) * (i * 104_729 % 1013) / 4000) as u8;
    let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|byte| value(8 * i + byte)));
    let data: Vec<u64> = (0..words).map(word).collect();
    let mut expected = vec![0_u32; 256];
    data.iter().flat_map(|word| word.to_le_bytes()).for_each(|value| expected[usize::from(value)] += 1);

    let kernel = histogram::<256>::load(device)?;
    let config = LaunchConfig::grid(groups, BLOCK);
    let (our_data, mut our_counts) = (stream.upload(&data)?, stream.alloc_zeroed(256)?);
    kernel.launch(stream, config, (groups, &our_data, &mut our_counts))?;
    ensure!(stream.download(&our_counts)? == expected, "{name}: ours is wrong");

    let (their_data, their_counts) = (driver.upload(&data)?, driver.zeroed::<u32>(256)?);
    let arguments = [
        Argument::number(groups),
        driver.address(&their_data),
        Argument::number(words),
        driver.address(&their_counts),
    ];
    // SAFETY: the parameters of `histogram_256` in kernels.cu, of memory of these sizes that outlives the race.
    let mut peer = unsafe {
        Launch::new(driver, &reference.module, "histogram_256", [groups, 1], [BLOCK, 1], &arguments)
    }?;
    peer.go()?;
    ensure!(driver.download(&their_counts)? == expected, "{name}: the peer is wrong");

    // From now on both count on from where they were: the bins wrap around.
    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || kernel.launch(stream, config, (groups, &our_data, &mut our_counts))),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}
