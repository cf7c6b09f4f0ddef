//! Dropping in any order, with work under way.

use std::any::Any;

use gridwright::prelude::*;

use super::kernels::advance;
use super::random::Random;
use super::setting::{Result, child, device, is_child};

#[test]
fn devices_streams_kernels_buffers_and_events_may_go_in_any_order() -> Result {
    if device().is_none() {
        return Ok(());
    }
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let Some(device) = device() else { return Ok(()) };
        let (stream, other) = (device.stream()?, device.stream()?);
        let kernel = advance::load(&device)?;
        let mut x = stream.alloc_zeroed::<u32>(2000)?;
        let mut y = stream.alloc_zeroed::<u32>(10)?;
        kernel.launch(&stream, LaunchConfig::threads(2000), (20, &mut x))?;
        let event = stream.record()?;
        kernel.launch(&other, LaunchConfig::threads(2000), (20, &mut x))?;
        kernel.launch(&other, LaunchConfig::threads(10), (20, &mut y))?;
        let pinned = stream.pinned::<u32>(2000)?;
        let pending = stream.copy_to_pinned(&x, pinned)?;
        let unused = stream.pinned::<u32>(2000)?;
        let mut parts: Vec<Box<dyn Any>> = vec![
            Box::new(device),
            Box::new(stream),
            Box::new(other),
            Box::new(kernel),
            Box::new(x),
            Box::new(y),
            Box::new(event),
            Box::new(pending),
            Box::new(unused),
        ];
        while !parts.is_empty() {
            drop(parts.swap_remove(random.below(parts.len())));
        }
    }
    Ok(())
}

#[test]
fn memory_that_is_dropped_in_use_is_not_another_buffer_yet() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let streams = [device.stream()?, device.stream()?, device.stream()?];
    let kernel = advance::load(&device)?;
    for round in 0..30 {
        let mut x = streams[0].alloc_zeroed::<u32>(1000)?;
        kernel.launch(&streams[0], LaunchConfig::threads(1000), (30, &mut x))?;
        kernel.launch(&streams[1], LaunchConfig::threads(1000), (30, &mut x))?;
        drop(x);
        // Of the size that just became free.
        let y = streams[2].upload(&vec![round; 1000])?;
        streams[0].synchronize()?;
        streams[1].synchronize()?;
        assert_eq!(streams[2].download(&y)?, vec![round; 1000]);
    }
    Ok(())
}

#[test]
fn what_was_dropped_makes_room() -> Result {
    if device().is_none() {
        return Ok(());
    }
    if !is_child() {
        // An emulated device as large as 16 of the buffers; a GPU has what it has.
        child("drops::what_was_dropped_makes_room", &[("GRIDWRIGHT_EMULATOR_MEMORY", "67108864")]);
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let (stream, other) = (device.stream()?, device.stream()?);
    let kernel = advance::load(&device)?;
    for _ in 0..200 {
        let mut x = stream.alloc_zeroed::<u32>(1 << 20)?;
        kernel.launch(&other, LaunchConfig::threads(10), (1, &mut x))?;
        kernel.launch(&stream, LaunchConfig::threads(10), (1, &mut x))?;
    }
    Ok(())
}
