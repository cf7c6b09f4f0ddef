//! The mean of each element's four neighbours.

use gridwright::prelude::*;

use super::Entry;
use crate::races::by_hand;
use crate::races::contestant::{ours, rayon};
use crate::races::problem::{Array, Problem, Unit, Values};
use gridwright_examples::samples::multi_device_jacobi::jacobi_step;

/// The least number of rows that rayon may hand out at once.
const ROWS: &[usize] = &[4, 16, 64, 256];

pub(super) fn enter(device: &Device, size: usize) -> anyhow::Result<Entry> {
    // Small whole numbers, of which a quarter of a sum isn't rounded.
    let old: Vec<f32> = (0..size * size).map(|i| (i * 31 % 1021) as f32).collect();
    let expected = (0..size * size).map(|i| {
        let is_inside = [i / size, i % size].iter().all(|&at| at > 0 && at + 1 < size);
        if is_inside { 0.25 * (old[i - size] + old[i + size] + old[i - 1] + old[i + 1]) } else { old[i] }
    });
    let expected = expected.map(f64::from).collect();
    let arrays = vec![Array::F32(old.clone()), Array::zeros(size * size)];

    let kernel = jacobi_step::load(device)?;
    let on_device = device.stream()?.upload_matrix(size, size, &old)?;
    let config = LaunchConfig::for_matrix(size, size);
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| stream.alloc_matrix_zeroed(size, size),
            move |stream, new| kernel.launch(stream, config, (&on_device, new)),
            |stream, new| Ok(stream.download(new)?.values()),
        )?,
        rayon: rayon(
            1,
            ROWS,
            move || vec![0.0; size * size],
            move |new, rows| by_hand::stencil(size, &old, new, rows),
            |new| new.values(),
        ),
        problem: Problem {
            subject: "stencil",
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
