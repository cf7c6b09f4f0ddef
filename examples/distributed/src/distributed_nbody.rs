//! Bodies that attract each other. Each rank has some of them; the others' come around a ring of ranks.

#[host_only]
use anyhow::ensure;
use gridwright::prelude::*;
#[host_only]
use gridwright_comm::{Communicator, Error, World};

#[host_only]
use crate::numbers;

/// Keeps forces finite where bodies meet.
const SOFTENING: f32 = 0.01;
#[host_only]
const TIME: f32 = 0.001;

/// Adds what bodies, of which each is a position and a mass, do to each of one's own.
#[gpu_kernel(requires = own.len() == forces.len())]
pub fn attract(t: Thread, own: &[[f32; 4]], others: &[[f32; 4]], mut forces: PerThread<[[f32; 3]]>) {
    let i = t.index();
    if let Some(force) = forces.get_mut(t) {
        let [x, y, z, _] = own[i];
        let mut sum = *force;
        for &[other_x, other_y, other_z, mass] in others {
            let (dx, dy, dz) = (other_x - x, other_y - y, other_z - z);
            let square = dx * dx + dy * dy + dz * dz + SOFTENING;
            let factor = mass / (square * square.sqrt());
            sum = [sum[0] + factor * dx, sum[1] + factor * dy, sum[2] + factor * dz];
        }
        *force = sum;
    }
}

/// Moves bodies on by a step of time.
#[gpu_kernel(requires = bodies.len() == velocities.len() && bodies.len() == forces.len())]
pub fn advance(
    t: Thread,
    time: f32,
    forces: &[[f32; 3]],
    mut velocities: PerThread<[[f32; 3]]>,
    mut bodies: PerThread<[[f32; 4]]>,
) {
    let force = forces[t.index()];
    if let (Some(velocity), Some(body)) = (velocities.get_mut(t), bodies.get_mut(t)) {
        for axis in 0..3 {
            velocity[axis] += time * force[axis];
            body[axis] += time * velocity[axis];
        }
    }
}

/// A body of a number, somewhere in a cube.
#[host_only]
fn body(number: usize) -> [f32; 4] {
    let mut bits = number as u64;
    let mut next = || {
        // SplitMix64.
        bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 40) as f32 / (1_u64 << 24) as f32
    };
    [next(), next(), next(), next() + 0.5]
}

/// This rank's bodies after some steps.
#[host_only]
fn simulate(communicator: &Communicator, each: usize, steps: usize) -> Result<Vec<[f32; 4]>, Error> {
    let (rank, size, device) = (communicator.rank(), communicator.size(), communicator.device());
    let (stream, transfers) = (device.stream()?, device.stream()?);
    let (attract, advance) = (attract::load(device)?, advance::load(device)?);
    let own: Vec<_> = (rank * each..(rank + 1) * each).map(body).collect();
    let mut bodies = stream.upload(&own)?;
    let mut velocities = stream.alloc_zeroed::<[f32; 3]>(each)?;
    let mut forces = stream.alloc_zeroed::<[f32; 3]>(each)?;
    let (mut here, mut coming) = (stream.alloc_zeroed(each)?, stream.alloc_zeroed(each)?);
    let threads = LaunchConfig::threads(each);
    for _ in 0..steps {
        stream.fill(&mut forces, [0.0; 3])?;
        stream.copy(&bodies, &mut here)?;
        // ANCHOR: ring
        let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
        for round in 0..size {
            if round + 1 < size {
                // The next ones come while the kernel works on those that are here: both only read them.
                communicator.group(&transfers, |messages| {
                    messages.send(&here, to)?;
                    messages.receive(&mut coming, from)
                })?;
            }
            attract.launch(&stream, threads, (&bodies, &here, &mut forces))?;
            std::mem::swap(&mut here, &mut coming);
        }
        // ANCHOR_END: ring
        advance.launch(&stream, threads, (TIME, &forces, &mut velocities, &mut bodies))?;
    }
    Ok(stream.download(&bodies)?)
}

/// All bodies after some steps, as one thread computes them.
#[host_only]
fn expected(count: usize, steps: usize) -> Vec<[f32; 4]> {
    let mut bodies: Vec<_> = (0..count).map(body).collect();
    let mut velocities = vec![[0.0_f32; 3]; count];
    for _ in 0..steps {
        let of = |&[x, y, z, _]: &[f32; 4]| {
            bodies.iter().fold([0.0_f32; 3], |sum, &[other_x, other_y, other_z, mass]| {
                let (dx, dy, dz) = (other_x - x, other_y - y, other_z - z);
                let square = dx * dx + dy * dy + dz * dz + SOFTENING;
                let factor = mass / (square * square.sqrt());
                [sum[0] + factor * dx, sum[1] + factor * dy, sum[2] + factor * dz]
            })
        };
        let forces: Vec<_> = bodies.iter().map(of).collect();
        for ((body, velocity), force) in bodies.iter_mut().zip(&mut velocities).zip(forces) {
            for axis in 0..3 {
                velocity[axis] += TIME * force[axis];
                body[axis] += TIME * velocity[axis];
            }
        }
    }
    bodies
}

/// Simulates, and compares where the bodies are with what one thread computes. Forces are added up in another order, so that they differ a little.
///
/// # Errors
/// Those of the ranks; a body that is elsewhere.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let [each, steps] = numbers([1024, 10], "bodies of each rank, steps")?;
    let world = World::from_env()?;
    let communicator = world.communicator(&world.device()?)?;
    let started = std::time::Instant::now();
    let own = simulate(&communicator, each, steps)?;
    let count = each * communicator.size();
    let seconds = started.elapsed().as_secs_f64();
    let all = expected(count, steps);
    let expected = all.get(communicator.rank() * each..).unwrap_or_default();
    for (number, (found, expected)) in own.iter().zip(expected).enumerate() {
        let furthest = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        ensure!(
            furthest <= 1e-3,
            "rank {}: body {number} is at {found:?}, and one thread has it at {expected:?}",
            communicator.rank()
        );
    }
    if communicator.rank() == 0 {
        let pairs = (count * count * steps) as f64 / seconds / 1e6;
        println!(
            "{count} bodies, {steps} steps, {} ranks: {pairs:.0} million pairs a second",
            communicator.size()
        );
    }
    communicator.check()?;
    Ok(())
}
