//! Bodies that pull on each other, each on each: one step through time.

use anyhow::ensure;
use gridwright::prelude::*;

use super::Setting;
use super::driver::{Argument, Launch};
use super::harness::{Harness, MOST_CALLS, Race, on_stream};
use gridwright_examples::samples::nbody::{galaxies, pulls, step};

const BLOCK: usize = 256;
const TIME: f32 = 0.01;

/// Bodies whose pulls are checked.
const CHECKED: usize = 64;

pub(crate) fn race(harness: &mut Harness, setting: &Setting) -> anyhow::Result<()> {
    let Setting { device, stream, driver, reference, .. } = setting;
    let len = setting.size(1 << 15, 301);
    let name = format!("nbody, {len}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let (places, speeds) = galaxies(len);
    let expected = Expected::of(&places, &speeds);

    let kernel = step::load(device)?;
    let config = LaunchConfig::threads(len);
    let (our_old, mut our_speeds) = (stream.upload(&places)?, stream.upload(&speeds)?);
    let mut our_new = stream.alloc_zeroed::<[f32; 4]>(len)?;
    kernel.launch(stream, config, (TIME, &our_old, &mut our_new, &mut our_speeds))?;
    let is_right = expected.has(&stream.download(&our_speeds)?, &stream.download(&our_new)?);
    ensure!(is_right, "{name}: ours is wrong");

    let (their_old, their_speeds) = (driver.upload(&places)?, driver.upload(&speeds)?);
    let their_new = driver.upload(&vec![[0.0_f32; 4]; len])?;
    let arguments = [
        Argument::float(TIME),
        driver.address(&their_old),
        Argument::number(len),
        driver.address(&their_new),
        driver.address(&their_speeds),
    ];
    // SAFETY: the parameters of `step` in twins.cu, of memory of `len` bodies that outlives the race.
    let mut peer = unsafe {
        Launch::new(driver, &reference.module, "step", [len.div_ceil(BLOCK), 1], [BLOCK, 1], &arguments)
    }?;
    peer.go()?;
    let is_right = expected.has(&driver.download(&their_speeds)?, &driver.download(&their_new)?);
    ensure!(is_right, "{name}: the peer is wrong");

    // From now on both speed up the bodies of the first step, again and again.
    harness.race(Race {
        name,
        peer_name: None,
        most_calls: MOST_CALLS,
        ours: on_stream(stream, || {
            kernel.launch(stream, config, (TIME, &our_old, &mut our_new, &mut our_speeds))
        }),
        peer: Box::new(|calls| driver.timed(calls, || peer.go())),
    })
}

/// What a step comes to, as the sample checks it.
struct Expected<'e> {
    places: &'e [[f32; 4]],
    speeds: &'e [[f32; 3]],
    /// Of the bodies in steps of `every`.
    every: usize,
    pulls: Vec<[f64; 3]>,
    /// How far off a pull may be: rounding of a sum of as many terms as there are bodies, and of the velocity.
    bound: f64,
}

impl<'e> Expected<'e> {
    fn of(places: &'e [[f32; 4]], speeds: &'e [[f32; 3]]) -> Self {
        let every = places.len().div_ceil(CHECKED);
        let pulls = pulls(places, (0..places.len()).step_by(every));
        let largest = pulls.iter().flatten().fold(0.0_f64, |largest, pull| largest.max(pull.abs()));
        let bound = largest * (places.len() as f64).sqrt().mul_add(1e-6, 1e-4);
        Self { places, speeds, every, pulls, bound }
    }

    /// Whether velocities changed by the pulls, and all places by the velocities.
    fn has(&self, speeds: &[[f32; 3]], places: &[[f32; 4]]) -> bool {
        let changes = speeds.iter().zip(self.speeds).step_by(self.every);
        let are_pulled = changes.zip(&self.pulls).all(|((after, before), pull)| {
            (0..3).all(|axis| {
                let found = f64::from(after[axis] - before[axis]) / f64::from(TIME);
                (found - pull[axis]).abs() <= self.bound
            })
        });
        let mut bodies = places.iter().zip(self.places).zip(speeds);
        are_pulled
            && bodies.all(|((after, before), speed)| {
                let [x, y, z] = [0, 1, 2].map(|axis| TIME.mul_add(speed[axis], before[axis]));
                *after == [x, y, z, before[3]]
            })
    }
}
