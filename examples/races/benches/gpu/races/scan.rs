//! The last pass of a scan: each workgroup scans its elements, from the sum of those before it on.

use anyhow::ensure;
use gridwright::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::scan::scan_groups;

const BLOCK: usize = 256;
/// Elements of a thread, and of a workgroup.
const FOUR: usize = 4;
const TILE: usize = FOUR * BLOCK;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let len = setting.size(1 << 26, 5004);
    let name = format!("scan_groups, {len}");
    if !harness.wants(&name) {
        return Ok(());
    }
    // Sums wrap around.
    let x: Vec<u32> = (0..len).map(|i| (i * 7919 % 1000) as u32).collect();
    let sums = x.iter().scan(0_u32, |sum, &element| Some(std::mem::replace(sum, sum.wrapping_add(element))));
    let expected: Vec<u32> = sums.collect();
    let before: Vec<u32> = expected.iter().copied().step_by(TILE).collect();
    let groups = before.len();

    let kernel = scan_groups::load(device)?;
    let config = LaunchConfig::threads(len / FOUR);
    let (our_x, our_before) = (stream.upload(&x)?, stream.upload(&before)?);
    let mut our_y = stream.alloc_zeroed::<u32>(len)?;
    kernel.launch(stream, config, (our_x.vectors()?, &our_before, our_y.vectors_mut()?))?;
    ensure!(stream.download(&our_y)? == expected, "{name}: ours is wrong");

    let (their_x, their_before) = (driver.upload(&x)?, driver.upload(&before)?);
    let their_y = driver.zeroed::<u32>(len)?;
    let arguments = [
        driver.address(&their_x),
        Argument::number(len / FOUR),
        driver.address(&their_before),
        Argument::number(groups),
        driver.address(&their_y),
    ];
    // SAFETY: the parameters of `scan_groups` in twins.cu, of memory of these sizes that outlives the race.
    let mut peer = unsafe {
        Launch::new(driver, &reference.module, "scan_groups", [groups, 1], [BLOCK, 1], &arguments)
    }?;
    peer.go()?;
    ensure!(driver.download(&their_y)? == expected, "{name}: the peer is wrong");

    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || {
            kernel.launch(stream, config, (our_x.vectors()?, &our_before, our_y.vectors_mut()?))
        }),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}
