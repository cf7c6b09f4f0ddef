//! The Mandelbrot set's usual picture.

use gridwright::prelude::*;

use super::Entry;
use crate::races::by_hand;
use crate::races::contestant::{ours, rayon};
use crate::races::problem::{Array, Problem, Unit, Values};
use gridwright_examples::samples::mandelbrot as example;

const MOST: u32 = 256;

/// Where a product and a sum are fused, points at the set's edge come out otherwise.
const TOLERANCE: f64 = 1e-3;

/// The least number of rows that rayon may hand out at once.
const ROWS: &[usize] = &[1, 4, 16];

pub(super) fn enter(device: &Device, size: usize) -> anyhow::Result<Entry> {
    let step = 3.0 / size as f32;
    let view = example::View { left: -2.25, top: 1.5, step };
    let expected = (0..size * size).map(|i| example::steps_of(view, MOST, i / size, i % size));
    let expected = expected.map(f64::from).collect();
    let scalars = vec![view.left, view.top, view.step, MOST as f32];

    let kernel = example::mandelbrot::load(device)?;
    let config = LaunchConfig::for_matrix(size, size);
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| stream.alloc_matrix_zeroed(size, size),
            move |stream, steps| kernel.launch(stream, config, (view, MOST, steps)),
            |stream, steps| Ok(stream.download(steps)?.values()),
        )?,
        rayon: rayon(
            1,
            ROWS,
            move || vec![0; size * size],
            move |steps, rows| {
                by_hand::mandelbrot(size, [view.left, view.top, view.step], MOST, steps, rows);
            },
            |steps| steps.values(),
        ),
        problem: Problem {
            subject: "mandelbrot",
            size,
            launches: 1,
            arrays: vec![Array::U32(vec![0; size * size])],
            results: 1,
            scalars,
            expected,
            tolerance: TOLERANCE,
            work: ((size as f64).powi(2), Unit::Pixels),
        },
    })
}
