//! Launches of nothing: what it costs to start all threads, or to be able to, and to wait for them. Where a compiler would drop a
//! loop of nothing, and the launch with it, each thread does the least that keeps it.

use std::hint::black_box;

use gridwright::prelude::*;

use super::Entry;
use crate::races::contestant::{ours, rayon};
use crate::races::problem::{Problem, Unit};
use gridwright_examples::elementary::nothing;

/// Enough threads that the backend shares the launch out.
const THREADS: usize = 1 << 16;

pub(super) fn enter(device: &Device, launches: u32) -> anyhow::Result<Entry> {
    let kernel = nothing::load(device)?;
    let launch = move |stream: &Stream, _: &mut ()| kernel.launch(stream, LaunchConfig::threads(THREADS), ());
    Ok(Entry {
        ours: ours(device, launches, |_| Ok(()), launch, |_, ()| Ok(Vec::new()))?,
        rayon: rayon(
            launches,
            &[1],
            || (),
            |(), _| drop(rayon::broadcast(|_| black_box(()))),
            |()| Vec::new(),
        ),
        problem: Problem {
            subject: "nothing",
            size: THREADS,
            launches,
            arrays: Vec::new(),
            results: 0,
            scalars: Vec::new(),
            expected: Vec::new(),
            tolerance: 0.0,
            work: (f64::from(launches), Unit::Launches),
        },
    })
}
