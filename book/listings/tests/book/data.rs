//! Chapter "Data".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: scale
#[gpu_kernel]
fn scale(t: Thread, factor: f32, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x *= factor;
    }
}
// ANCHOR_END: scale

// ANCHOR: copies
#[host_only]
fn copies(stream: &Stream) -> Result<(), Error> {
    let mut a = stream.upload(&[1, 2, 3, 4])?; // allocate, copy from the host
    let mut b = stream.alloc_zeroed::<i32>(4)?; // allocate: memory is never uninitialised

    stream.copy(&a, &mut b)?; // device to device
    stream.copy_from_slice(&mut a, &[5, 6, 7, 8])?; // host to device
    stream.fill(&mut b.slice_mut(2..)?, 9)?; // a part

    let mut host = [0; 4];
    stream.copy_to_slice(&a, &mut host)?; // device to host
    assert_eq!(host, [5, 6, 7, 8]);
    assert_eq!(stream.download(&b)?, [1, 2, 9, 9]); // the same, into a new Vec
    Ok(())
}
// ANCHOR_END: copies

// ANCHOR: parts
#[host_only]
fn parts(device: &Device, stream: &Stream) -> Result<(), Error> {
    let kernel = scale::load(device)?;
    let mut x = stream.upload(&[1.0; 10])?;
    // Half of a buffer is an argument like a whole one.
    kernel.launch(stream, LaunchConfig::threads(5), (2.0, x.slice_mut(..5)?))?;
    // Two halves that are written at the same time: the borrow checker sees that they are apart.
    let (low, high) = x.split_at_mut(5)?;
    kernel.launch(stream, LaunchConfig::threads(5), (10.0, low))?;
    kernel.launch(stream, LaunchConfig::threads(5), (3.0, high))?;
    assert_eq!(
        stream.download(&x)?,
        [20.0, 20.0, 20.0, 20.0, 20.0, 3.0, 3.0, 3.0, 3.0, 3.0]
    );
    Ok(())
}
// ANCHOR_END: parts

// ANCHOR: particle
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Particle {
    position: [f32; 3],
    velocity: [f32; 3],
}

#[gpu_kernel]
fn drift(t: Thread, seconds: f32, mut particles: PerThread<[Particle]>) {
    if let Some(particle) = particles.get_mut(t) {
        for axis in 0..3 {
            particle.position[axis] += seconds * particle.velocity[axis];
        }
    }
}
// ANCHOR_END: particle

// ANCHOR: run
#[host_only]
fn on_the_hosts_memory(device: &Device) -> Result<(), Error> {
    let mut x = vec![1.0; 1000];
    scale::load(device)?.run(device, LaunchConfig::threads(1000), (3.0, InOut(&mut x)))?;
    assert_eq!(x, [3.0; 1000]);
    Ok(())
}
// ANCHOR_END: run

// ANCHOR: unified
#[host_only]
fn shared_with_the_host(device: &Device, stream: &Stream) -> Result<(), Error> {
    let mut x = stream.alloc_unified::<f32>(1000)?;
    x.write()?.fill(2.0); // the host writes
    let kernel = scale::load(device)?;
    kernel.launch(stream, LaunchConfig::threads(1000), (0.5, &mut x))?;
    assert!(x.read()?.iter().all(|&x| x == 1.0)); // waits for the kernel, and reads in place
    Ok(())
}
// ANCHOR_END: unified

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    copies(&stream)?;
    parts(&device, &stream)?;
    on_the_hosts_memory(&device)?;
    shared_with_the_host(&device, &stream)?;

    let particle = Particle { position: [0.0; 3], velocity: [1.0, 2.0, 3.0] };
    let mut particles = stream.upload(&[particle; 5])?;
    drift::load(&device)?.launch(
        &stream,
        LaunchConfig::threads(5),
        (2.0, &mut particles),
    )?;
    let moved = Particle { position: [2.0, 4.0, 6.0], ..particle };
    assert_eq!(stream.download(&particles)?, [moved; 5]);
    Ok(())
}

#[test]
fn a_part_beyond_the_end_is_an_error() -> Result<(), Error> {
    let stream = crate::device()?.stream()?;
    let x = stream.upload(&[1.0; 10])?;
    crate::says(
        &x.slice(5..11).unwrap_err(),
        include_str!("../../messages/out_of_range.txt"),
    );
    Ok(())
}

// ANCHOR: odd
/// Adds `b` to the elements of the upper half of `a`.
#[host_only]
fn add_to_upper_half(device: &Device, a: &mut [f32], b: f32) -> Result<(), Error> {
    let stream = device.stream()?;
    let mut buffer = stream.upload(a)?;
    let middle = a.len() / 2;
    let upper = buffer.slice_mut(middle..)?;
    shift::load(device)?.launch(
        &stream,
        LaunchConfig::threads(a.len() - middle),
        (b, upper),
    )?;
    stream.copy_to_slice(&buffer, a)
}

#[gpu_kernel]
fn shift(t: Thread, by: f32, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x += by;
    }
}
// ANCHOR_END: odd

// ANCHOR: gravity
#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Step {
    gravity: [f32; 3],
    seconds: f32,
}

#[gpu_kernel]
fn fall(t: Thread, step: Step, mut particles: PerThread<[Particle]>) {
    if let Some(Particle { position, velocity }) = particles.get_mut(t) {
        for axis in 0..3 {
            velocity[axis] += step.seconds * step.gravity[axis];
            position[axis] += step.seconds * velocity[axis];
        }
    }
}
// ANCHOR_END: gravity

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let mut a = [1.0, 2.0, 3.0, 4.0, 5.0];
    add_to_upper_half(&device, &mut a, 10.0)?;
    assert_eq!(a, [1.0, 2.0, 13.0, 14.0, 15.0]);

    let mut particles =
        [Particle { position: [0.0, 0.0, 10.0], velocity: [1.0, 0.0, 0.0] }];
    let step = Step { gravity: [0.0, 0.0, -8.0], seconds: 0.5 };
    fall::load(&device)?.run(
        &device,
        LaunchConfig::threads(1),
        (step, InOut(&mut particles)),
    )?;
    let [Particle { position, velocity }] = particles;
    assert_eq!((position, velocity), ([0.5, 0.0, 8.0], [1.0, 0.0, -4.0]));
    Ok(())
}
