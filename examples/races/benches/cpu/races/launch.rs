//! A launch of nothing, waited for, against rayon's forks and joins of nothing.

use std::hint::black_box;

use gridwright::prelude::*;

use super::harness::{Contestant, Harness, Race, calling};
use gridwright_examples::elementary::nothing;

/// Enough threads that the backend shares the launch out.
const MANY: usize = 1 << 16;

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    race_one(harness, device, 1, "rayon::join", calling(join))?;
    race_one(harness, device, MANY, "rayon::join", calling(join))?;
    race_one(harness, device, MANY, "rayon::broadcast", calling(broadcast))
}

/// Two closures. Where they are as short as these, the caller runs both, and nobody else wakes.
fn join() {
    rayon::join(|| black_box(()), || black_box(()));
}

/// One closure on every thread, waited for.
fn broadcast() {
    rayon::broadcast(|_| black_box(()));
}

fn race_one(
    harness: &mut Harness,
    device: &Device,
    threads: usize,
    peer_name: &str,
    peer: Contestant<'_>,
) -> anyhow::Result<()> {
    let name = format!("empty launch, {threads}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let stream = device.stream()?;
    let kernel = nothing::load(device)?;
    harness.race(Race {
        name,
        peer_name: peer_name.into(),
        ours: Box::new(move |calls| {
            for _ in 0..calls {
                kernel.launch(&stream, LaunchConfig::threads(threads), ())?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        peer,
        serial: None,
    })
}
