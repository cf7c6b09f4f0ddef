//! A step of bodies that pull on each other, each on each.

use gridwright::prelude::*;

use super::Entry;
use crate::races::by_hand;
use crate::races::contestant::{ours, rayon};
use crate::races::problem::{Array, Problem, Unit, Values};
use gridwright_examples::samples::nbody as example;

const TIME: f32 = 0.01;

/// Sums of so many terms in 32 bits, in any order, by functions that are off by some units in the last place.
const TOLERANCE: f64 = 1e-5;

/// Bodies that rayon may hand out at once.
const PIECES: &[usize] = &[64, 256, 1024];

pub(super) fn enter(device: &Device, len: usize) -> anyhow::Result<Entry> {
    // A step from rest, so that all of the velocities is what was computed.
    let (old, _) = example::galaxies(len);
    let rest = vec![[0.0_f32; 3]; len];
    let time = f64::from(TIME);
    let velocities: Vec<[f64; 3]> =
        example::pulls(&old, 0..len).into_iter().map(|pull| pull.map(|pull| time * pull)).collect();
    let mut expected = Vec::new();
    for (body, velocity) in old.iter().zip(&velocities) {
        expected.extend((0..3).map(|axis| f64::from(body[axis]) + time * velocity[axis]));
        expected.push(f64::from(body[3]));
    }
    expected.extend(velocities.as_flattened());
    let arrays = vec![
        Array::F32(old.as_flattened().to_vec()),
        Array::zeros(4 * len),
        Array::F32(rest.as_flattened().to_vec()),
    ];

    let kernel = example::step::load(device)?;
    let on_device = device.stream()?.upload(&old)?;
    let both = |new: &[[f32; 4]], velocities: &[[f32; 3]]| {
        [new.as_flattened().values(), velocities.as_flattened().values()].concat()
    };
    let our_rest = rest.clone();
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| Ok((stream.alloc_zeroed(len)?, stream.upload(&our_rest)?)),
            move |stream, (new, velocities)| {
                kernel.launch(stream, LaunchConfig::threads(len), (TIME, &on_device, new, velocities))
            },
            move |stream, (new, velocities)| Ok(both(&stream.download(new)?, &stream.download(velocities)?)),
        )?,
        rayon: rayon(
            1,
            PIECES,
            move || (vec![[0.0; 4]; len], rest.clone()),
            move |(new, velocities), piece| {
                by_hand::bodies([TIME, example::SOFTENING], &old, new, velocities, piece);
            },
            move |(new, velocities)| both(new, velocities),
        ),
        problem: Problem {
            subject: "bodies",
            size: len,
            launches: 1,
            arrays,
            results: 2,
            scalars: vec![TIME, example::SOFTENING],
            expected,
            tolerance: TOLERANCE,
            work: ((len as f64).powi(2), Unit::Interactions),
        },
    })
}
