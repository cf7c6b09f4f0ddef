//! A transposition.

use gridwright::prelude::*;

use super::Entry;
use crate::races::contestant::{ours, rayon};
use crate::races::loops;
use crate::races::problem::{Array, Problem, Unit, Values};
use gridwright_examples::samples::transpose::transpose_tiled;

/// Rows that rayon may hand out at once.
const ROWS: &[usize] = &[16, 64, 256];

pub(super) fn enter(device: &Device, size: usize) -> anyhow::Result<Entry> {
    let elements: Vec<f32> = (0..size * size).map(|i| i as f32).collect();
    let expected = (0..size * size).map(|i| f64::from(elements[i % size * size + i / size])).collect();
    let arrays = vec![Array::F32(elements.clone()), Array::zeros(size * size)];

    let kernel = transpose_tiled::load(device)?;
    let input = device.stream()?.upload_matrix(size, size, &elements)?;
    let config = LaunchConfig::for_matrix(size, size);
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| stream.alloc_matrix_zeroed(size, size),
            move |stream, output| kernel.launch(stream, config, (&input, output)),
            |stream, output| Ok(stream.download(output)?.values()),
        )?,
        rayon: rayon(
            1,
            ROWS,
            move || vec![0.0; size * size],
            move |output, rows| loops::transpose_rayon(size, size, &elements, output, rows),
            |output| output.values(),
        ),
        problem: Problem {
            subject: "transpose",
            size,
            launches: 1,
            arrays,
            results: 1,
            scalars: Vec::new(),
            expected,
            tolerance: 0.0,
            work: (8.0 * (size as f64).powi(2), Unit::Bytes),
        },
    })
}
