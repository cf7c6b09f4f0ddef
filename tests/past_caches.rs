//! Results that are more than caches hold, which the CPU writes past them.

#![allow(clippy::unwrap_used)]

use gridwright::Error;
use gridwright::memory::Vector;
use gridwright::prelude::*;

type Four = Vector<u32, 4>;

/// More than 32 MiB of them.
const FOURS: usize = (33 << 20) / 16 + 5;

/// The number of each word.
#[gpu_kernel(block = 256)]
fn count(g: &Group, mut apart: PerThread<[Four]>, mut whole: PerThread<[Four]>) {
    g.each((apart.elements_new().deinterleaved(), whole.elements_new()), |t, (apart, whole)| {
        let i = 4 * t.index() as u32;
        if let (Some(apart), Some(whole)) = (apart, whole) {
            *apart = Four::from([i, i + 1, i + 2, i + 3]);
            *whole = *apart;
        }
    });
    // What was written past the caches, the group reads.
    g.each((apart.elements_mut(), whole.elements_mut()), |_, (apart, whole)| {
        if let (Some(apart), Some(whole)) = (apart, whole) {
            let last = apart[3];
            apart[3] = apart[3] + whole[3] - last;
        }
    });
}

/// Bytes, of which a group's don't begin with a vector.
#[gpu_kernel(block = 100)]
fn bytes(g: &Group, mut y: PerThread<[u8]>) {
    g.each(y.elements_new(), |t, y| {
        if let Some(y) = y {
            *y = (t.index() % 251) as u8;
        }
    });
}

/// Only some threads write.
#[gpu_kernel(block = 256)]
fn first_ones(g: &Group, mut y: PerThread<[Four]>, mut z: PerThread<[Four]>, w: Workgroup<[u32; 256]>) {
    g.each((w.elements().take(100), y.elements_new(), z.elements_new().deinterleaved()), |_, (_, y, z)| {
        if let (Some(y), Some(z)) = (y, z) {
            (*y, *z) = (Four::splat(1), Four::splat(2));
        }
    });
}

/// A thread panics in each group.
#[gpu_kernel(block = 256)]
fn panics(g: &Group, mut y: PerThread<[Four]>, mut z: PerThread<[Four]>) {
    g.each((y.elements_new(), z.elements_new().deinterleaved()), |t, (y, z)| {
        assert!(t.local().x != 200, "thread 200");
        if let (Some(y), Some(z)) = (y, z) {
            (*y, *z) = (Four::splat(1), Four::splat(2));
        }
    });
}

#[test]
fn all_gets_where_it_belongs() -> Result<(), Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (mut apart, mut whole) = (stream.alloc_zeroed(FOURS)?, stream.alloc_zeroed(FOURS)?);
    count::load(&device)?.launch(&stream, LaunchConfig::threads(FOURS), (&mut apart, &mut whole))?;
    for results in [apart, whole] {
        let words = stream.download(&results)?.into_iter().flat_map(|four| *four);
        assert!(words.eq(0..4 * FOURS as u32));
    }
    Ok(())
}

#[test]
fn groups_that_begin_anywhere_write_their_own() -> Result<(), Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let len = (33 << 20) + 7;
    let mut y = stream.alloc_zeroed(len)?;
    bytes::load(&device)?.launch(&stream, LaunchConfig::threads(len), (&mut y,))?;
    assert!(stream.download(&y)?.into_iter().eq((0..len).map(|i| (i % 251) as u8)));
    Ok(())
}

#[test]
fn threads_that_take_no_part_keep_what_they_have() -> Result<(), Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (mut y, mut z) = (stream.alloc_zeroed(FOURS)?, stream.alloc_zeroed(FOURS)?);
    first_ones::load(&device)?.launch(&stream, LaunchConfig::threads(FOURS), (&mut y, &mut z))?;
    for (results, written) in [(y, 1), (z, 2)] {
        let expected = (0..FOURS).map(|i| Four::splat(if i % 256 < 100 { written } else { 0 }));
        assert!(stream.download(&results)?.into_iter().eq(expected));
    }
    Ok(())
}

#[test]
fn a_panic_writes_nothing_that_nobody_made() -> Result<(), Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (mut y, mut z) = (stream.alloc_zeroed(FOURS)?, stream.alloc_zeroed(FOURS)?);
    panics::load(&device)?.launch(&stream, LaunchConfig::threads(FOURS), (&mut y, &mut z))?;
    assert!(matches!(stream.synchronize().unwrap_err(), Error::KernelPanic { .. }));
    for (results, written) in [(y, 1), (z, 2)] {
        let made = [Four::splat(0), Four::splat(written)];
        assert!(stream.download(&results)?.iter().all(|result| made.contains(result)));
    }
    Ok(())
}
