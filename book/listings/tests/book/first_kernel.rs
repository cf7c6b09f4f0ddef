//! Chapter "A first kernel".

// ANCHOR: program
use gridwright::prelude::*;

/// y = a*x + y, one thread an element.
// ANCHOR: saxpy
#[gpu_kernel(requires = x.len() == y.len())]
fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}
// ANCHOR_END: saxpy

#[host_only]
fn main() -> Result<(), gridwright::Error> {
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let x = stream.upload(&[1.0_f32; 1000])?;
    let mut y = stream.upload(&[2.0_f32; 1000])?;

    let kernel = saxpy::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(1000), (3.0, &x, &mut y))?;

    let y = stream.download(&y)?;
    assert!(y.iter().all(|&v| v == 5.0));
    println!("{}: {} elements, each {}", device.name(), y.len(), y[0]);
    Ok(())
}
// ANCHOR_END: program

#[test]
fn the_program_runs() {
    match main() {
        // A GPU whose architecture the listings aren't compiled for.
        Err(error @ gridwright::Error::ImageMissing { .. }) => println!("SKIPPED: {error}"),
        other => other.unwrap(),
    }
}

#[test]
fn lengths_that_differ_are_refused() {
    let device = crate::device().unwrap();
    let stream = device.stream().unwrap();
    // ANCHOR: refused
    let x = stream.upload(&[1.0_f32; 999]).unwrap();
    let mut y = stream.upload(&[2.0_f32; 1000]).unwrap();
    let kernel = saxpy::load(&device).unwrap();
    let error =
        kernel.launch(&stream, LaunchConfig::threads(1000), (3.0, &x, &mut y)).unwrap_err();
    // ANCHOR_END: refused
    crate::says(&error, include_str!("../../messages/requirement.txt"));
    assert_eq!(stream.download(&y).unwrap(), [2.0; 1000]);
}

// ANCHOR: relu
/// What is below zero becomes zero.
#[gpu_kernel]
fn relu(t: Thread, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x = x.max(0.0);
    }
}
// ANCHOR_END: relu

// ANCHOR: cubic
/// c0 + c1 x + c2 x² + c3 x³, by Horner's rule.
#[gpu_kernel(requires = x.len() == y.len())]
fn cubic(t: Thread, c: [f32; 4], x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = c.iter().rev().fold(0.0, |sum, &c| sum * x + c);
    }
}
// ANCHOR_END: cubic

#[test]
fn solutions() -> Result<(), gridwright::Error> {
    let device = crate::device()?;
    let stream = device.stream()?;

    let mut x = stream.upload(&[-1.5, 0.0, 2.5])?;
    relu::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [0.0, 0.0, 2.5]);

    let x = stream.upload(&[0.0, 1.0, 2.0])?;
    let mut y = stream.alloc_zeroed(3)?;
    let coefficients = [1.0, 2.0, 3.0, 4.0];
    let kernel = cubic::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(3), (coefficients, &x, &mut y))?;
    assert_eq!(stream.download(&y)?, [1.0, 10.0, 49.0]);
    Ok(())
}
