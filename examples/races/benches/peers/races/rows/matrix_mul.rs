//! A product of squares: an element a thread, and by tiles.

use gridwright::Error;
use gridwright::prelude::*;

use super::Entry;
use crate::races::contestant::{ours, rayon};
use crate::races::problem::{Array, Problem, Unit, Values};
use crate::races::{by_hand, loops};
use gridwright_examples::samples::matrix_mul::{matrix_mul_naive, matrix_mul_patches};

/// Rows of C that rayon may hand out at once.
const ROWS: &[usize] = &[8, 32, 64, 128];

pub(super) fn naive(device: &Device, size: usize) -> anyhow::Result<Entry> {
    let kernel = matrix_mul_naive::load(device)?;
    enter(
        device,
        size,
        "matrix_mul_naive",
        move |stream, config, [a, b], c| kernel.launch(stream, config, (a, b, c)),
        |size, [a, b], c, rows| loops::matrix_mul_rayon(size, size, a, b, c, rows),
    )
}

pub(super) fn tiled(device: &Device, size: usize) -> anyhow::Result<Entry> {
    let kernel = matrix_mul_patches::load(device)?;
    enter(
        device,
        size,
        "matrix_mul_tiled",
        move |stream, config, [a, b], c| kernel.launch(stream, config, (a, b, c)),
        |size, [a, b], c, rows| by_hand::matrix_mul_tiled(size, a, b, c, rows),
    )
}

fn enter(
    device: &Device,
    size: usize,
    subject: &'static str,
    launch: impl Fn(&Stream, LaunchConfig, [&MatrixBuffer<f32>; 2], &mut MatrixBuffer<f32>) -> Result<(), Error>
    + 'static,
    by_rayon: fn(usize, [&[f32]; 2], &mut [f32], usize),
) -> anyhow::Result<Entry> {
    // Small whole numbers: no sum is rounded, in whatever order it is made.
    let a: Vec<f32> = (0..size * size).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..size * size).map(|i| (i % 5) as f32 - 2.0).collect();
    let mut expected = vec![0.0; size * size];
    loops::matrix_mul(size, size, &a, &b, &mut expected);
    let arrays = vec![Array::F32(a.clone()), Array::F32(b.clone()), Array::zeros(size * size)];

    let stream = device.stream()?;
    let [on_device_a, on_device_b] =
        [stream.upload_matrix(size, size, &a)?, stream.upload_matrix(size, size, &b)?];
    let config = LaunchConfig::for_matrix(size, size);
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| stream.alloc_matrix_zeroed(size, size),
            move |stream, c| launch(stream, config, [&on_device_a, &on_device_b], c),
            |stream, c| Ok(stream.download(c)?.values()),
        )?,
        rayon: rayon(
            1,
            ROWS,
            move || vec![0.0; size * size],
            move |c, rows| by_rayon(size, [&a, &b], c, rows),
            |c| c.values(),
        ),
        problem: Problem {
            subject,
            size,
            launches: 1,
            arrays,
            results: 1,
            scalars: Vec::new(),
            expected: expected.values(),
            tolerance: 0.0,
            work: (2.0 * (size as f64).powi(3), Unit::Operations),
        },
    })
}
