//! How often each byte value occurs.

use gridwright::prelude::*;

use super::Entry;
use crate::races::contestant::{ours, rayon};
use crate::races::loops;
use crate::races::problem::{Array, Problem, Unit, Values};
use gridwright_examples::samples::histogram::histogram;

const BINS: usize = 256;
const BLOCK: usize = 256;
const GROUPS: usize = 64;

/// Bytes that rayon may hand out at once.
const PIECES: &[usize] = &[1 << 14, 1 << 16, 1 << 18, 1 << 20];

pub(super) fn enter(device: &Device, len: usize) -> anyhow::Result<Entry> {
    // As unevenly spread as a photograph's brightness.
    let value = |i: usize| ((i * 7919 % 1009) * (i * 104_729 % 1013) / 4000) as u8;
    let bytes: Vec<u8> = (0..len).map(value).collect();
    let mut expected = vec![0.0; BINS];
    bytes.iter().for_each(|&value| expected[usize::from(value)] += 1.0);
    let arrays = vec![Array::U8(bytes.clone()), Array::U32(vec![0; BINS])];

    let words: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let kernel = histogram::<BINS>::load(device)?;
    let config = LaunchConfig::grid(GROUPS, BLOCK);
    let data = device.stream()?.upload(&words)?;
    Ok(Entry {
        ours: ours(
            device,
            1,
            |stream| stream.alloc_zeroed(BINS),
            move |stream, counts| {
                stream.fill(counts, 0)?;
                kernel.launch(stream, config, (GROUPS, &data, counts))
            },
            |stream, counts| Ok(stream.download(counts)?.values()),
        )?,
        rayon: rayon(
            1,
            PIECES,
            || [0; BINS],
            move |counts, piece| *counts = loops::histogram_rayon(&bytes, piece),
            |counts| counts.values(),
        ),
        problem: Problem {
            subject: "histogram",
            size: len,
            launches: 1,
            arrays,
            results: 1,
            scalars: Vec::new(),
            expected,
            tolerance: 0.0,
            work: (len as f64, Unit::Bytes),
        },
    })
}
