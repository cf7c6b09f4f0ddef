//! How often each byte value occurs: bins in workgroup memory against an array of a thread's own.

use std::hint::black_box;

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Harness, Race, calling};
use super::loops;
use gridwright_examples::samples::histogram::histogram;

const LOG_LEN: u32 = 24;
const BLOCK: usize = 256;
const GROUPS: usize = 64;

/// Bytes that rayon hands out at once; the fastest races.
const PIECES: [usize; 4] = [1 << 14, 1 << 16, 1 << 18, 1 << 20];

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    let name = format!("histogram of 256, 2^{LOG_LEN}");
    if !harness.wants(&name) {
        return Ok(());
    }
    // As unevenly spread as a photograph's brightness.
    let value = |i: usize| ((i * 7919 % 1009) * (i * 104_729 % 1013) / 4000) as u8;
    let bytes: Vec<u8> = (0..1 << LOG_LEN).map(value).collect();
    let words: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let serial = loops::histogram(&bytes);
    ensure!(loops::histogram_rayon(&bytes, PIECES[0]) == serial, "{name}: the peer differs from one thread");

    let stream = device.stream()?;
    let kernel = histogram::<256>::load(device)?;
    let config = LaunchConfig::grid(GROUPS, BLOCK);
    let (data, mut counts) = (stream.upload(&words)?, stream.alloc_zeroed(256)?);
    kernel.launch(&stream, config, (GROUPS, &data, &mut counts))?;
    ensure!(stream.download(&counts)? == serial, "{name}: ours differs");

    let piece = harness.fastest(&PIECES, |piece| {
        black_box(loops::histogram_rayon(&bytes, piece));
    })?;
    harness.race(Race {
        name,
        peer_name: format!("rayon, pieces of {piece}"),
        ours: Box::new(|calls| {
            for _ in 0..calls {
                stream.fill(&mut counts, 0)?;
                kernel.launch(&stream, config, (GROUPS, &data, &mut counts))?;
                stream.synchronize()?;
            }
            Ok(())
        }),
        peer: calling(|| {
            black_box(loops::histogram_rayon(&bytes, piece));
        }),
        serial: Some(calling(|| {
            black_box(loops::histogram(&bytes));
        })),
    })
}
