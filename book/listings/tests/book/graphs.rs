//! Chapter "Graphs".

use gridwright::Error;
#[host_only]
use gridwright::graph::{Graph, GraphBuilder};
use gridwright::prelude::*;

// ANCHOR: kernel
#[gpu_kernel]
fn affine(t: Thread, a: f32, b: f32, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x = a * *x + b;
    }
}
// ANCHOR_END: kernel

// ANCHOR: capture
#[host_only]
fn captured(device: &Device, stream: &Stream, x: &mut Buffer<f32>) -> Result<Graph, Error> {
    let kernel = affine::load(device)?;
    let config = LaunchConfig::threads(x.len());
    stream.capture(|stream| {
        stream.fill(x, 1.0)?;
        kernel.launch(stream, config, (2.0, 0.0, &mut *x))?;
        kernel.launch(stream, config, (1.0, 3.0, &mut *x))
    })
}
// ANCHOR_END: capture

// ANCHOR: build
#[host_only]
fn built_and_updated(device: &Device, stream: &Stream) -> Result<(), Error> {
    let kernel = affine::load(device)?;
    let config = LaunchConfig::threads(100);
    let mut x = stream.upload(&[1.0; 100])?;

    let mut builder = GraphBuilder::new(stream);
    let node = builder.launch(&kernel, config, (2.0, 0.0, &mut x))?;
    let mut graph = builder.build()?;
    graph.launch(stream)?;
    assert_eq!(stream.download(&x)?, [2.0; 100]);

    graph.update(node, config, (1.0, 10.0, &mut x))?; // other arguments, the same graph
    graph.launch(stream)?;
    assert_eq!(stream.download(&x)?, [12.0; 100]);
    Ok(())
}
// ANCHOR_END: build

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed(100)?;
    let graph = captured(&device, &stream, &mut x)?;
    // ANCHOR: replay
    assert_eq!(stream.download(&x)?, [0.0; 100]); // recorded, not run
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?, [5.0; 100]);
    // ANCHOR_END: replay
    built_and_updated(&device, &stream)
}

#[test]
fn what_waits_breaks_a_capture() -> Result<(), Error> {
    let stream = crate::device()?.stream()?;
    let x = stream.upload(&[1.0; 100])?;
    let broken = stream.capture(|stream| stream.download(&x).map(drop));
    crate::says(&broken.unwrap_err(), include_str!("../../messages/capture.txt"));
    Ok(())
}

// ANCHOR: ping_pong
#[gpu_kernel(requires = x.len() == y.len())]
fn smooth(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let i = t.index();
        let left = x.get(i.wrapping_sub(1)).copied().unwrap_or(x[i]);
        let right = x.get(i + 1).copied().unwrap_or(x[i]);
        *y = 0.25 * left + 0.5 * x[i] + 0.25 * right;
    }
}

/// Smooths `2 * rounds` times: a graph of two steps, there and back, replayed.
#[host_only]
fn smoothed(device: &Device, elements: &[f32], rounds: usize) -> Result<Vec<f32>, Error> {
    let stream = device.stream()?;
    let kernel = smooth::load(device)?;
    let config = LaunchConfig::threads(elements.len());
    let mut x = stream.upload(elements)?;
    let mut y = stream.alloc_zeroed(elements.len())?;
    let graph = stream.capture(|stream| {
        kernel.launch(stream, config, (&x, &mut y))?;
        kernel.launch(stream, config, (&y, &mut x))
    })?;
    for _ in 0..rounds {
        graph.launch(&stream)?;
    }
    stream.download(&x)
}
// ANCHOR_END: ping_pong

#[test]
fn solutions() -> Result<(), Error> {
    let mut expected: Vec<f32> = (0..50).map(|i| (i % 4 * 64) as f32).collect();
    let found = smoothed(&crate::device()?, &expected, 2)?;
    for _ in 0..4 {
        let x = expected.clone();
        let at = |i: usize| x[i.min(49)];
        expected = (0..50_usize)
            .map(|i| 0.25 * at(i.saturating_sub(1)) + 0.5 * at(i) + 0.25 * at(i + 1))
            .collect();
    }
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-3);
    }
    Ok(())
}
