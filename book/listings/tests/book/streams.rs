//! Chapter "Streams and events".

use gridwright::Error;
#[host_only]
use gridwright::memory::PinnedBuffer;
use gridwright::prelude::*;

#[gpu_kernel(requires = x.len() == y.len())]
fn add(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += x[t.index()];
    }
}

// ANCHOR: ordered
#[host_only]
fn two_streams(device: &Device) -> Result<(), Error> {
    let (upper, lower) = (device.stream()?, device.stream()?);
    let kernel = add::load(device)?;
    let config = LaunchConfig::threads(1000);

    let x = upper.upload(&[1.0; 1000])?;
    let mut a = upper.alloc_zeroed(1000)?;
    let mut b = lower.alloc_zeroed(1000)?;
    kernel.launch(&upper, config, (&x, &mut a))?; // these two may
    kernel.launch(&lower, config, (&x, &mut b))?; // run side by side

    // Reads what the other stream writes: it waits for that, by itself.
    kernel.launch(&lower, config, (&a, &mut b))?;
    assert_eq!(lower.download(&b)?, [2.0; 1000]);
    Ok(())
}
// ANCHOR_END: ordered

// ANCHOR: events
#[host_only]
fn timed(device: &Device) -> Result<(), Error> {
    let stream = device.stream()?;
    let kernel = add::load(device)?;
    let x = stream.upload(&[1.0; 100_000])?;
    let mut y = stream.alloc_zeroed(100_000)?;

    let start = stream.record()?;
    for _ in 0..10 {
        kernel.launch(&stream, LaunchConfig::threads(100_000), (&x, &mut y))?;
    }
    let end = stream.record()?;
    println!("ten launches took {:?}", end.duration_since(&start)?); // waits for both
    Ok(())
}
// ANCHOR_END: events

// ANCHOR: wait
#[host_only]
fn in_a_given_order(first: &Stream, second: &Stream) -> Result<(), Error> {
    let ready = first.record()?;
    second.wait(&ready)?; // what `second` is given from here on runs after what `first` has now
    Ok(())
}
// ANCHOR_END: wait

// ANCHOR: pinned
#[host_only]
fn without_waiting(device: &Device, stream: &Stream) -> Result<(), Error> {
    let kernel = add::load(device)?;
    let mut input = stream.pinned::<f32>(1000)?;
    input.fill(1.5);

    let mut x = stream.alloc_zeroed(1000)?;
    let mut y = stream.alloc_zeroed(1000)?;
    let sent = stream.copy_from_pinned(&mut x, input)?; // returns at once, and keeps `input`
    kernel.launch(stream, LaunchConfig::threads(1000), (&x, &mut y))?;
    let output = stream.copy_to_pinned(&y, stream.pinned(1000)?)?;

    // … the host does something else …

    let input: PinnedBuffer<f32> = sent.wait()?; // gives the memory back
    assert_eq!(output.wait()?[..], input[..]);
    Ok(())
}
// ANCHOR_END: pinned

// ANCHOR: host
#[host_only]
fn call_the_host(stream: &Stream) -> Result<(), Error> {
    let (sender, receiver) = std::sync::mpsc::channel();
    stream.host(move || sender.send("all before it is done").unwrap_or_default())?;
    stream.synchronize()?;
    assert_eq!(receiver.recv(), Ok("all before it is done"));
    Ok(())
}
// ANCHOR_END: host

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    two_streams(&device)?;
    timed(&device)?;
    let stream = device.stream()?;
    in_a_given_order(&stream, &device.stream()?)?;
    without_waiting(&device, &stream)?;
    call_the_host(&stream)
}

// ANCHOR: chunks
/// Adds one to each element: the array goes through in parts, each on the next of two streams.
#[host_only]
fn increment(device: &Device, elements: &mut [f32], part: usize) -> Result<(), Error> {
    let kernel = add::load(device)?;
    let streams = [device.stream()?, device.stream()?];
    let ones = streams[0].upload(&vec![1.0; part])?;
    let mut results = Vec::new();
    for (number, elements) in elements.chunks(part).enumerate() {
        let stream = &streams[number % 2];
        let mut pinned = stream.pinned(elements.len())?;
        pinned.copy_from_slice(elements);
        let mut y = stream.alloc_zeroed(elements.len())?;
        drop(stream.copy_from_pinned(&mut y, pinned)?); // it is made all the same
        let ones = ones.slice(..elements.len())?;
        kernel.launch(stream, LaunchConfig::threads(elements.len()), (ones, &mut y))?;
        results.push(stream.copy_to_pinned(&y, stream.pinned(elements.len())?)?);
    }
    for (elements, result) in elements.chunks_mut(part).zip(results) {
        elements.copy_from_slice(&result.wait()?);
    }
    Ok(())
}
// ANCHOR_END: chunks

#[test]
fn solutions() -> Result<(), Error> {
    let mut elements: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    increment(&crate::device()?, &mut elements, 300)?;
    assert!(elements.iter().enumerate().all(|(i, &x)| x == (i + 1) as f32));
    Ok(())
}
