//! y = a*x + y: in the caches, and in memory.

use gridwright::prelude::*;

use super::Entry;
use crate::races::contestant::{ours, rayon};
use crate::races::loops;
use crate::races::problem::{Array, Problem, Unit, Values};
use gridwright_examples::elementary::saxpy;

const A: f32 = 3.0;

/// What rayon's pieces may be.
const PIECES: &[usize] = &[4096, 8192, 16_384, 32_768, 65_536];

pub(super) fn enter(device: &Device, len: usize) -> anyhow::Result<Entry> {
    let x: Vec<f32> = (0..len).map(|i| (i % 1009) as f32 * 0.125).collect();
    let start: Vec<f32> = (0..len).map(|i| (i % 769) as f32).collect();
    // Nothing is rounded.
    let expected = x.iter().zip(&start).map(|(x, y)| f64::from(A * x + y)).collect();
    let arrays = vec![Array::F32(x.clone()), Array::F32(start.clone())];

    let kernel = saxpy::load(device)?;
    let on_device = device.stream()?.upload(&x)?;
    let our_start = start.clone();
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| stream.upload(&our_start),
            move |stream, y| kernel.launch(stream, LaunchConfig::threads(len), (A, &on_device, y)),
            |stream, y| Ok(stream.download(y)?.values()),
        )?,
        rayon: rayon(
            1,
            PIECES,
            move || start.clone(),
            move |y, piece| loops::saxpy_rayon(A, &x, y, piece),
            |y| y.values(),
        ),
        problem: Problem {
            subject: "saxpy",
            size: len,
            launches: 1,
            arrays,
            results: 1,
            scalars: vec![A],
            expected,
            tolerance: 0.0,
            work: (12.0 * len as f64, Unit::Bytes),
        },
    })
}
