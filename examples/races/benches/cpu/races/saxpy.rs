//! y = a*x + y: in the caches, and in memory.

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Harness, Race, calling};
use super::loops;
use gridwright_examples::elementary::saxpy;

const A: f32 = 3.0;

/// What rayon's pieces may be; the fastest races.
const CHUNKS: [usize; 5] = [4096, 8192, 16_384, 32_768, 65_536];

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    for log_len in [15, 24] {
        let name = format!("saxpy, 2^{log_len}");
        if harness.wants(&name) {
            race_one(harness, device, name, 1 << log_len)?;
        }
    }
    Ok(())
}

fn race_one(harness: &mut Harness, device: &Device, name: String, len: usize) -> anyhow::Result<()> {
    let x: Vec<f32> = (0..len).map(|i| (i % 1009) as f32 * 0.125).collect();
    let start: Vec<f32> = (0..len).map(|i| (i % 769) as f32).collect();

    let stream = device.stream()?;
    let kernel = saxpy::load(device)?;
    let x_buffer = stream.upload(&x)?;
    let mut y_buffer = stream.upload(&start)?;
    let config = LaunchConfig::threads(len);

    let (mut y_peer, mut y_serial) = (start.clone(), start);
    kernel.launch(&stream, config, (A, &x_buffer, &mut y_buffer))?;
    loops::saxpy_rayon(A, &x, &mut y_peer, CHUNKS[0]);
    loops::saxpy(A, &x, &mut y_serial);
    ensure!(y_peer == y_serial, "{name}: the peer differs from one thread");
    ensure!(stream.download(&y_buffer)? == y_serial, "{name}: ours differs");

    let chunk = harness.fastest(&CHUNKS, |chunk| loops::saxpy_rayon(A, &x, &mut y_peer, chunk))?;
    harness.race(Race {
        name,
        peer_name: format!("rayon, chunks of {chunk}"),
        ours: Box::new(|calls| {
            for _ in 0..calls {
                kernel.launch(&stream, config, (A, &x_buffer, &mut y_buffer))?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        peer: calling(|| loops::saxpy_rayon(A, &x, &mut y_peer, chunk)),
        serial: Some(calling(|| loops::saxpy(A, &x, &mut y_serial))),
    })
}
