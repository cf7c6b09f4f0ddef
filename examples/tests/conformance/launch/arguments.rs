//! What kernels take: structs, arrays, vectors of glam, and types that a launch chooses.

use glam::Vec3;
use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open};

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Body {
    position: [f32; 3],
    mass: f32,
    id: u64,
}

#[gpu_kernel(requires = bodies.len() == moved.len())]
fn shift(t: Thread, by: Body, bodies: &[Body], mut moved: PerThread<[Body]>) {
    let Some(moved) = moved.get_mut(t) else { return };
    *moved = bodies[t.index()];
    moved.position.iter_mut().zip(by.position).for_each(|(position, by)| *position += by);
    moved.id += by.id;
}

#[test]
fn structs_go_by_value_and_in_buffers() -> Result {
    let (device, stream) = open()?;
    let host: Vec<Body> =
        (0..100).map(|id| Body { position: [id as f32, 0.0, -1.0], mass: 2.0, id }).collect();
    let by = Body { position: [0.5, 1.0, 2.0], mass: 0.0, id: 1000 };
    let bodies = stream.upload(&host)?;
    let mut moved = stream.alloc_zeroed::<Body>(100)?;
    shift::load(&device)?.launch(&stream, LaunchConfig::threads(100), (by, &bodies, &mut moved))?;
    for (old, new) in host.iter().zip(stream.download(&moved)?) {
        let position = [old.position[0] + 0.5, 1.0, 1.0];
        assert_eq!(new, Body { position, mass: 2.0, id: old.id + 1000 });
    }
    Ok(())
}

#[gpu_kernel(requires = x.len() == sums.len())]
fn prefix(t: Thread, x: &[[u32; 4]], mut sums: PerThread<[[u32; 4]]>) {
    let Some(sums) = sums.get_mut(t) else { return };
    let mut sum = 0;
    for (to, from) in sums.iter_mut().zip(x[t.index()]) {
        sum += from;
        *to = sum;
    }
}

#[test]
fn a_thread_can_own_neighbours() -> Result {
    let (device, stream) = open()?;
    let kernel = prefix::load(&device)?;
    let x = stream.upload(&[1_u32; 40])?;
    let mut sums = stream.alloc_zeroed::<u32>(40)?;
    kernel.launch(&stream, LaunchConfig::threads(10), (&x, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [1, 2, 3, 4].repeat(10));
    let mut arrays = stream.alloc_zeroed::<[u32; 4]>(10)?;
    kernel.launch(&stream, LaunchConfig::threads(10), (&x, &mut arrays))?;
    assert_eq!(stream.download(&arrays)?, [[1, 2, 3, 4]; 10]);
    Ok(())
}

trait Scale: KernelArg {
    fn twice(self) -> Self;
}

impl Scale for f64 {
    fn twice(self) -> Self {
        2.0 * self
    }
}

impl Scale for u8 {
    fn twice(self) -> Self {
        self.wrapping_mul(2)
    }
}

#[gpu_kernel(instances((f64, 1), (u8, 3)))]
fn scale<T: Scale, const TIMES: usize>(t: Thread, mut x: PerThread<[T]>) {
    if let Some(x) = x.get_mut(t) {
        (0..TIMES).for_each(|_| *x = x.twice());
    }
}

#[test]
fn generic_kernels_run_as_their_instances() -> Result {
    let (device, stream) = open()?;
    let mut x = stream.upload(&[1.5, 2.0])?;
    scale::<f64, 1>::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [3.0, 4.0]);
    let mut x = stream.upload(&[1_u8, 33])?;
    scale::<u8, 3>::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [8, 8]);
    Ok(())
}

#[gpu_kernel]
fn collatz(t: Thread, mut steps: PerThread<[u32]>) {
    let next = |n: usize| if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
    if let Some(steps) = steps.get_mut(t) {
        let path = core::iter::successors(Some(t.index() + 1), |&n| (n != 1).then(|| next(n)));
        *steps = path.count() as u32 - 1;
    }
}

#[test]
fn closures_and_iterators_work_in_kernels() -> Result {
    let (device, stream) = open()?;
    let mut steps = stream.alloc_zeroed::<u32>(30)?;
    collatz::load(&device)?.launch(&stream, LaunchConfig::threads(30), (&mut steps,))?;
    assert_eq!(stream.download(&steps)?[26], 111); // 27 takes 111 steps: OEIS A006577
    Ok(())
}

#[gpu_kernel(requires = x.len() == lengths.len())]
fn distances(t: Thread, origin: Vec3, x: &[Vec3], mut lengths: PerThread<[f32]>) {
    if let Some(length) = lengths.get_mut(t) {
        *length = x[t.index()].distance(origin);
    }
}

#[test]
fn glam_vectors_are_arguments() -> Result {
    let (device, stream) = open()?;
    let x = stream.upload(&[Vec3::new(3.0, 4.0, 1.0), Vec3::Z])?;
    let mut out = stream.alloc_zeroed::<f32>(2)?;
    distances::load(&device)?.launch(&stream, LaunchConfig::threads(2), (Vec3::Z, &x, &mut out))?;
    assert_eq!(stream.download(&out)?, [5.0, 0.0]);
    Ok(())
}
