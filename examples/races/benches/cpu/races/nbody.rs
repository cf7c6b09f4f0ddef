//! All bodies' pull on each: the loop over the bodies around phases against the same loop in the closure.

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Harness, Race};
use crate::kernels::{pulls_by_phases, pulls_by_threads};

const BODIES: usize = 4096;
const BLOCK: usize = 256;

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    let name = format!("n-body, {BODIES}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let stream = device.stream()?;
    let coordinate =
        |prime: usize| -> Vec<f32> { (0..BODIES).map(|i| (i * prime % 2003) as f32 * 1e-3 - 1.0).collect() };
    let [x, y, z] = [
        stream.upload(&coordinate(977))?,
        stream.upload(&coordinate(1523))?,
        stream.upload(&coordinate(1009))?,
    ];
    let mass = stream.upload(&vec![1.0 / BODIES as f32; BODIES])?;
    let (by_phases, by_threads) = (pulls_by_phases::load(device)?, pulls_by_threads::load(device)?);
    let config = LaunchConfig::threads(BODIES).block(BLOCK);
    let (mut ours, mut peer) =
        (stream.alloc_zeroed::<[f32; 3]>(BODIES)?, stream.alloc_zeroed::<[f32; 3]>(BODIES)?);
    by_phases.launch(&stream, config, (&x, &y, &z, &mass, &mut ours))?;
    by_threads.launch(&stream, config, (&x, &y, &z, &mass, &mut peer))?;
    ensure!(stream.download(&ours)? == stream.download(&peer)?, "{name}: the kernels differ");
    harness.race(Race {
        name,
        peer_name: "ours, the loop in the closure".into(),
        ours: Box::new(|calls| {
            for _ in 0..calls {
                by_phases.launch(&stream, config, (&x, &y, &z, &mass, &mut ours))?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        peer: Box::new(|calls| {
            for _ in 0..calls {
                by_threads.launch(&stream, config, (&x, &y, &z, &mass, &mut peer))?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        serial: None,
    })
}
