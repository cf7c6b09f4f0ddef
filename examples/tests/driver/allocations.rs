//! A launch allocates nothing on the host, on one stream and on several.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use gridwright::prelude::*;

use super::kernels::{advance, mix};
use super::setting::{Result, device};

thread_local! {
    /// Of this thread: other tests run beside this one.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: the system's allocator, counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the layout's size isn't zero, as this function asks.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the memory is from `alloc`, and so the system's, with this layout, as this function asks.
        unsafe { System.dealloc(memory, layout) };
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

#[test]
fn launches_and_waits_allocate_nothing() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let (stream, other) = (device.stream()?, device.stream()?);
    let (mix, advance) = (mix::load(&device)?, advance::load(&device)?);
    let x = stream.upload(&[1_u32; 100])?;
    let (mut y, mut z) = (stream.alloc_zeroed::<u32>(100)?, other.alloc_zeroed::<u32>(100)?);
    let config = LaunchConfig::threads(100);
    let mut allocations = 0;
    for round in 0..60 {
        let before = ALLOCATIONS.get();
        advance.launch(&stream, config, (1, &mut y))?;
        mix.launch(&other, config, (1, &x, &y, &mut z))?;
        mix.launch(&stream, config, (1, &x, &z, &mut y))?;
        stream.fill(&mut y, 1)?;
        stream.synchronize()?;
        other.synchronize()?;
        // The first rounds make the events that all others use.
        if round >= 40 {
            allocations += ALLOCATIONS.get() - before;
        }
    }
    assert_eq!(allocations, 0);
    Ok(())
}

#[test]
fn replays_allocate_nothing() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let (stream, other) = (device.stream()?, device.stream()?);
    let (mix, advance) = (mix::load(&device)?, advance::load(&device)?);
    let x = stream.upload(&[1_u32; 100])?;
    let (mut y, mut z) = (stream.alloc_zeroed::<u32>(100)?, other.alloc_zeroed::<u32>(100)?);
    let config = LaunchConfig::threads(100);
    let graph = stream.capture(|stream| {
        for _ in 0..10 {
            advance.launch(stream, config, (1, &mut y))?;
            mix.launch(stream, config, (1, &x, &y, &mut z))?;
        }
        stream.fill(&mut y, 1)?;
        stream.host(|| {})
    })?;
    let mut allocations = 0;
    for round in 0..60 {
        let before = ALLOCATIONS.get();
        graph.launch(&stream)?;
        graph.launch(&other)?;
        stream.synchronize()?;
        if round >= 40 {
            allocations += ALLOCATIONS.get() - before;
        }
    }
    assert_eq!(allocations, 0);
    Ok(())
}
