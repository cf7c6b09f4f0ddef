//! Elements of several numbers.

use std::hint::black_box;

use gridwright::prelude::*;
use rayon::prelude::*;

use super::naive::{Naive, near, numbers};
use crate::kernels::structs as kernels;
use crate::kernels::structs::Particle;

pub(crate) fn race(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    let n = naive.size(1 << 17, 2000);
    let config = LaunchConfig::threads(n);
    particles(naive, n, config)?;
    if naive.wants("complex products") {
        let a: Vec<[f32; 2]> = numbers(2 * n).as_chunks().0.to_vec();
        let b: Vec<[f32; 2]> = a.iter().rev().copied().collect();
        let (on_device, and_b) = (naive.stream.upload(&a)?, naive.stream.upload(&b)?);
        let kernel = kernels::complex_products::load(naive.device)?;
        naive.race(
            "complex products",
            naive.stream.alloc_zeroed::<[f32; 2]>(n)?,
            |a, b| all_near(a, b),
            |stream, y| kernel.launch(stream, config, (&on_device, &and_b, y)),
            |y: &mut [[f32; 2]]| {
                y.par_iter_mut().zip(&a).zip(&b).for_each(|((y, &[a, b]), &[c, d])| {
                    *y = [a * c - b * d, a * d + b * c];
                });
            },
        )?;
    }
    if naive.wants("normalise vectors") {
        let vectors: Vec<[f32; 3]> =
            numbers(3 * n).iter().map(|x| x + 0.1).collect::<Vec<_>>().as_chunks().0.to_vec();
        let kernel = kernels::normalise::load(naive.device)?;
        naive.race(
            "normalise vectors",
            naive.stream.upload(&vectors)?,
            |a, b| all_near(a, b),
            |stream, vectors| kernel.launch(stream, config, (vectors,)),
            |vectors: &mut [[f32; 3]]| {
                vectors.par_iter_mut().for_each(|v| {
                    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
                    *v = v.map(|x| x / length);
                });
            },
        )?;
    }
    Ok(())
}

fn particles(naive: &mut Naive<'_>, n: usize, config: LaunchConfig) -> anyhow::Result<()> {
    let numbers = numbers(8 * n);
    let (eights, _) = numbers.as_chunks::<8>();
    let particles: Vec<Particle> = eights
        .iter()
        .map(|&[a, b, c, d, e, f, g, h]| Particle { position: [a, b, c, d], velocity: [e, f, g, h] })
        .collect();
    let agree =
        |a: &Particle, b: &Particle| all_near(&a.position, &b.position) && all_near(&a.velocity, &b.velocity);
    // Known when it runs, as a kernel's argument is.
    let step = black_box(1e-4);
    if naive.wants("particles that fall") {
        let kernel = kernels::fall::load(naive.device)?;
        naive.race(
            "particles that fall",
            naive.stream.upload(&particles)?,
            agree,
            |stream, particles| kernel.launch(stream, config, (step, particles)),
            |particles: &mut [Particle]| {
                particles.par_iter_mut().for_each(|p| {
                    p.velocity[1] -= 9.81 * step;
                    for axis in 0..3 {
                        p.position[axis] += p.velocity[axis] * step;
                    }
                });
            },
        )?;
    }
    if naive.wants("particles in a box") {
        let kernel = kernels::bounce::load(naive.device)?;
        naive.race(
            "particles in a box",
            naive.stream.upload(&particles)?,
            agree,
            |stream, particles| kernel.launch(stream, config, (step, particles)),
            |particles: &mut [Particle]| {
                particles.par_iter_mut().for_each(|p| {
                    for axis in 0..3 {
                        p.position[axis] += p.velocity[axis] * step;
                        if p.position[axis] < 0.0 || p.position[axis] > 1.0 {
                            p.velocity[axis] = -p.velocity[axis];
                        }
                    }
                });
            },
        )?;
    }
    Ok(())
}

fn all_near(one: &[f32], other: &[f32]) -> bool {
    one.iter().zip(other).all(|(one, other)| near(one, other))
}
