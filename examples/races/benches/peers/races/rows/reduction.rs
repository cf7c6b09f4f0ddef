//! A sum. Ours is the groups' sums, added up on the host.

use gridwright::prelude::*;

use super::Entry;
use crate::races::contestant::{ours, rayon};
use crate::races::problem::{Array, Problem, Unit};
use crate::races::{by_hand, machine};
use gridwright_examples::samples::reduction::collective;

const BLOCK: usize = 256;

/// Groups for each of the machine's threads.
const GROUPS: usize = 8;

/// What rayon's pieces may be.
const PIECES: &[usize] = &[1 << 14, 1 << 16, 1 << 18, 1 << 20];

pub(super) fn enter(device: &Device, len: usize) -> anyhow::Result<Entry> {
    // Small whole numbers, whose sums of up to 2²⁴ aren't rounded.
    let x: Vec<f32> = (0..len).map(|i| (i % 7) as f32).collect();
    let expected = x.iter().map(|&x| f64::from(x)).sum();
    let arrays = vec![Array::F32(x.clone()), Array::zeros(1)];

    let kernel = collective::load(device)?;
    let on_device = device.stream()?.upload(&x)?;
    let groups = GROUPS * machine::threads();
    let config = LaunchConfig::grid(groups, BLOCK);
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| Ok((stream.alloc_zeroed(groups)?, 0.0)),
            move |stream, (sums, total)| {
                kernel.launch(stream, config, (&on_device, &mut *sums))?;
                *total = stream.download(sums)?.iter().sum::<f32>();
                Ok(())
            },
            |_, (_, total)| Ok(vec![f64::from(*total)]),
        )?,
        rayon: rayon(
            1,
            PIECES,
            || 0.0,
            move |total, piece| *total = by_hand::sum(&x, piece),
            |total: &f32| vec![f64::from(*total)],
        ),
        problem: Problem {
            subject: "reduction",
            size: len,
            launches: 1,
            arrays,
            results: 1,
            scalars: Vec::new(),
            expected: vec![expected],
            tolerance: 0.0,
            work: (4.0 * len as f64, Unit::Bytes),
        },
    })
}
