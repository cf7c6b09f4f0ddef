//! Elements of several numbers.

use gridwright::prelude::*;

/// Where a particle is, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub(crate) struct Particle {
    pub(crate) position: [f32; 4],
    pub(crate) velocity: [f32; 4],
}

/// One step of particles that fall.
#[gpu_kernel]
pub(crate) fn fall(t: Thread, step: f32, mut particles: PerThread<[Particle]>) {
    if let Some(p) = particles.get_mut(t) {
        p.velocity[1] -= 9.81 * step;
        for axis in 0..3 {
            p.position[axis] += p.velocity[axis] * step;
        }
    }
}

/// One step of particles in a box, from whose walls they come back.
#[gpu_kernel]
pub(crate) fn bounce(t: Thread, step: f32, mut particles: PerThread<[Particle]>) {
    if let Some(p) = particles.get_mut(t) {
        for axis in 0..3 {
            p.position[axis] += p.velocity[axis] * step;
            if p.position[axis] < 0.0 || p.position[axis] > 1.0 {
                p.velocity[axis] = -p.velocity[axis];
            }
        }
    }
}

/// Products of complex numbers.
#[gpu_kernel]
pub(crate) fn complex_products(t: Thread, a: &[[f32; 2]], b: &[[f32; 2]], mut y: PerThread<[[f32; 2]]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        let ([a, b], [c, d]) = (a[i], b[i]);
        *y = [a * c - b * d, a * d + b * c];
    }
}

/// Vectors of length one.
#[gpu_kernel]
pub(crate) fn normalise(t: Thread, mut vectors: PerThread<[[f32; 3]]>) {
    if let Some(v) = vectors.get_mut(t) {
        let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        *v = v.map(|x| x / length);
    }
}
