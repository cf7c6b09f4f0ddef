//! Each element becomes the sum of those before it.

use gridwright::prelude::*;

use super::Entry;
use crate::races::by_hand;
use crate::races::contestant::{ours, rayon};
use crate::races::problem::{Array, Problem, Unit, Values};
use gridwright_examples::samples::scan as example;

/// What rayon's pieces may be.
const PIECES: &[usize] = &[1 << 14, 1 << 16, 1 << 18, 1 << 20];

pub(super) fn enter(device: &Device, len: usize) -> anyhow::Result<Entry> {
    let x: Vec<u32> = (0..len).map(|i| (i * 7919 % 10) as u32).collect();
    let expected = x.iter().scan(0_u32, |sum, x| {
        let before = *sum;
        *sum += x;
        Some(f64::from(before))
    });
    let expected = expected.collect();
    let arrays = vec![Array::U32(x.clone()), Array::U32(vec![0; len])];

    let stream = device.stream()?;
    let on_device = stream.upload(&x)?;
    let (sum_groups, scan_groups) = (example::sum_groups::load(device)?, example::scan_groups::load(device)?);
    let scan = example::Scan { stream, sum_groups, scan_groups };
    let mut levels = scan.levels(len)?;
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| stream.alloc_zeroed(len),
            move |_, y| {
                scan.run(&mut levels, &on_device, y)?;
                scan.stream.synchronize()
            },
            |stream, y| Ok(stream.download(y)?.values()),
        )?,
        rayon: rayon(
            1,
            PIECES,
            move || vec![0; len],
            move |y, piece| by_hand::scan(&x, y, piece),
            |y| y.values(),
        ),
        problem: Problem {
            subject: "scan",
            size: len,
            launches: 1,
            arrays,
            results: 1,
            scalars: Vec::new(),
            expected,
            tolerance: 0.0,
            work: (8.0 * len as f64, Unit::Bytes),
        },
    })
}
