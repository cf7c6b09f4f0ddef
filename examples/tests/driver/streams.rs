//! Streams and events.

use std::time::Duration;

use gridwright::Error;
use gridwright::prelude::*;

use super::kernels::{advance, advanced, mix};
use super::setting::{Result, device};

#[test]
fn a_reader_on_another_stream_sees_what_was_written() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let (producer, consumer) = (device.stream()?, device.stream()?);
    let advance = advance::load(&device)?;
    let mix = mix::load(&device)?;
    let mut x = producer.alloc_zeroed::<u32>(1000)?;
    let mut z = consumer.alloc_zeroed::<u32>(1000)?;
    for round in 1..=50 {
        advance.launch(&producer, LaunchConfig::threads(1000), (1, &mut x))?;
        consumer.fill(&mut z, 0)?;
        mix.launch(&consumer, LaunchConfig::threads(1000), (0, &x, &x, &mut z))?;
        // The next round writes what this one reads.
        if round % 10 == 0 {
            let expected = advanced(round, 0).wrapping_mul(8);
            assert_eq!(consumer.download(&z)?, [expected; 1000], "round {round}");
        }
    }
    Ok(())
}

#[test]
fn a_stream_waits_for_an_event() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let (first, second) = (device.stream()?, device.stream()?);
    let advance = advance::load(&device)?;
    let mut x = first.alloc_zeroed::<u32>(256)?;
    let start = first.record()?;
    advance.launch(&first, LaunchConfig::threads(256), (1000, &mut x))?;
    let end = first.record()?;
    second.wait(&end)?;
    let after = second.record()?;
    second.synchronize()?;
    let (kernel, all) = (end.duration_since(&start)?, after.duration_since(&start)?);
    assert!(kernel > Duration::ZERO && all >= kernel, "{kernel:?}, {all:?}");
    assert_eq!(start.duration_since(&end)?, Duration::ZERO);
    Ok(())
}

#[test]
fn events_outlive_their_stream_and_are_used_again() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let waiting = device.stream()?;
    for _ in 0..100 {
        let stream = device.stream()?;
        let event = stream.record()?;
        drop(stream);
        waiting.wait(&event)?;
        waiting.wait(&event.clone())?;
    }
    waiting.synchronize()
}

#[test]
fn streams_and_events_of_another_device_are_refused() -> Result {
    let (Some(here), Some(there)) = (device(), device()) else { return Ok(()) };
    let (stream, other) = (here.stream()?, there.stream()?);
    assert!(matches!(stream.wait(&other.record()?), Err(Error::ForeignStream { what: "event", .. })));
    let mut x = other.alloc_zeroed::<u32>(1)?;
    let kernel = advance::load(&here)?;
    let result = kernel.launch(&other, LaunchConfig::threads(1), (1, &mut x));
    assert!(matches!(result, Err(Error::ForeignStream { what: "stream", .. })));
    let result = kernel.launch(&stream, LaunchConfig::threads(1), (1, &mut x));
    assert!(matches!(result, Err(Error::ForeignBuffer { .. })));
    assert!(matches!(stream.download(&x), Err(Error::ForeignBuffer { .. })));
    let pinned = stream.pinned(1)?;
    assert!(matches!(other.copy_from_pinned(&mut x, pinned), Err(Error::ForeignBuffer { .. })));
    assert_eq!(other.download(&x)?, [0]);
    Ok(())
}
