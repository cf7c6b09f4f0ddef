//! Chapter "Measuring".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;
#[host_only]
use std::time::{Duration, Instant};

#[gpu_kernel(requires = x.len() == y.len())]
fn square(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = x * x;
    }
}

// ANCHOR: best_of
/// The shortest of several launches, each waited for.
#[host_only]
fn best_of(
    rounds: usize,
    stream: &Stream,
    mut launch: impl FnMut() -> Result<(), Error>,
) -> Result<Duration, Error> {
    let mut best = Duration::MAX;
    launch()?; // the first one loads code and wakes threads
    stream.synchronize()?;
    for _ in 0..rounds {
        let start = Instant::now();
        launch()?;
        stream.synchronize()?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}
// ANCHOR_END: best_of

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    // ANCHOR: measure
    let n = 1 << 20;
    let x = stream.upload(&vec![1.5_f32; n])?;
    let mut y = stream.alloc_zeroed(n)?;
    let kernel = square::load(&device)?;
    let time = best_of(10, &stream, || {
        kernel.launch(&stream, LaunchConfig::threads(n), (&x, &mut y))
    })?;
    let bytes = 2 * n * size_of::<f32>(); // each element is read once and written once
    println!("{time:?}, {:.1} GB/s", bytes as f64 / time.as_secs_f64() / 1e9);
    // ANCHOR_END: measure
    assert!(time < Duration::MAX);

    // ANCHOR: profile
    let (squares, profile) = device.profile(|p| {
        p.declare(&kernel, bytes as u64); // so that the table has bytes a second
        p.range("three launches", || {
            (0..3).try_for_each(|_| {
                kernel.launch(&stream, LaunchConfig::threads(n), (&x, &mut y))
            })
        })?;
        stream.download(&y)
    })?;
    println!("{profile}");
    assert_eq!(profile.row("square").map(|row| row.calls), Some(3));
    // ANCHOR_END: profile
    assert!(squares.iter().all(|&y| y == 2.25));

    let file =
        std::env::temp_dir().join(format!("gridwright-book-{}.json", std::process::id()));
    // ANCHOR: trace
    let written =
        std::fs::File::create(&file).and_then(|file| profile.write_chrome_trace(file));
    // ANCHOR_END: trace
    written.unwrap();
    assert!(std::fs::read_to_string(&file).unwrap().contains("square"));
    std::fs::remove_file(file).unwrap();
    Ok(())
}

// ANCHOR: bandwidth
/// How many bytes a second a copy on the device moves: the most that a kernel can hope for.
#[host_only]
fn copy_bandwidth(stream: &Stream, bytes: usize) -> Result<f64, Error> {
    let from = stream.alloc_zeroed::<u8>(bytes)?;
    let mut to = stream.alloc_zeroed::<u8>(bytes)?;
    let time = best_of(10, stream, || stream.copy(&from, &mut to))?;
    Ok(2.0 * bytes as f64 / time.as_secs_f64().max(1e-9))
}
// ANCHOR_END: bandwidth

#[test]
fn solutions() -> Result<(), Error> {
    let stream = crate::device()?.stream()?;
    assert!(copy_bandwidth(&stream, 1 << 20)? > 0.0);
    Ok(())
}
