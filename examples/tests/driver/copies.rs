//! Copies and `fill`.

use gridwright::Error;
use gridwright::memory::VolumePart;
use gridwright::prelude::*;

use super::kernels::{advance, advanced};
use super::setting::{Result, device};

#[test]
fn what_goes_up_comes_down() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    for len in [1, 3, 1000, 1 << 20] {
        let elements: Vec<u32> = (0..len).collect();
        let buffer = stream.upload(&elements)?;
        assert_eq!(stream.download(&buffer)?, elements);
        let part = buffer.slice(1..)?;
        assert_eq!(stream.download(&part)?, elements[1..]);
    }
    assert!(stream.download(&stream.upload::<u32>(&[])?)?.is_empty());
    assert_eq!(stream.download(&stream.alloc_zeroed::<u64>(5000)?)?, [0; 5000]);
    Ok(())
}

/// Fills buffers, and parts of them, with elements of a type.
fn fill<T: KernelArg + PartialEq + std::fmt::Debug>(stream: &Stream, value: T) -> Result {
    let zero = stream.download(&stream.alloc_zeroed::<T>(1)?)?[0];
    for len in [1, 2, 7, 1000] {
        let mut buffer = stream.alloc_zeroed::<T>(len)?;
        stream.fill(&mut buffer, value)?;
        assert_eq!(stream.download(&buffer)?, vec![value; len], "{len} elements");
        stream.fill(&mut buffer, zero)?;
        stream.fill(&mut buffer.slice_mut(len / 2..)?, value)?;
        let mut expected = vec![zero; len];
        expected[len / 2..].fill(value);
        assert_eq!(stream.download(&buffer)?, expected, "the second half of {len} elements");
    }
    Ok(())
}

#[test]
fn elements_of_all_sizes_are_filled() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    fill(&stream, 0xab_u8)?;
    fill(&stream, 0xabcd_u16)?;
    fill(&stream, 0xabcd_ef01_u32)?;
    fill(&stream, 0x0123_4567_89ab_cdef_u64)?;
    fill(&stream, 0_f64)?;
    fill(&stream, [1_u8, 2, 3])?;
    fill(&stream, [1_u16, 2, 3])?;
    fill(&stream, [1.0_f32, 2.0, 3.0])?;
    fill(&stream, std::array::from_fn::<u32, 32, _>(|i| i as u32 + 1))?;
    fill(&stream, std::array::from_fn::<u8, 257, _>(|i| i as u8))
}

#[test]
fn buffers_are_copied_on_the_device_in_order() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let (stream, other) = (device.stream()?, device.stream()?);
    let kernel = advance::load(&device)?;
    let mut a = stream.upload(&(0..1000).collect::<Vec<u32>>())?;
    let mut b = other.alloc_zeroed::<u32>(1000)?;
    // Each stream waits for the other's use of either buffer.
    for _ in 0..20 {
        kernel.launch(&stream, LaunchConfig::threads(1000), (1, &mut a))?;
        other.copy(&a, &mut b)?;
        kernel.launch(&other, LaunchConfig::threads(1000), (1, &mut b))?;
        stream.copy(&b, &mut a)?;
    }
    let expected: Vec<_> = (0..1000).map(|i| (0..40).fold(i, |value, _| advanced(1, value))).collect();
    assert_eq!(stream.download(&a)?, expected);
    let (low, mut high) = a.split_at_mut(500)?;
    stream.copy(&low, &mut high)?;
    assert_eq!(stream.download(&a)?, [&expected[..500], &expected[..500]].concat());
    let error = stream.copy(&b.slice(1..)?, &mut a).expect_err("one is shorter");
    assert!(matches!(error, Error::LengthMismatch { given: 999, expected: 1000, .. }), "{error}");
    Ok(())
}

#[test]
fn boxes_are_copied_at_once_and_by_graphs() -> Result {
    let devices = [Device::cpu()?, Device::emulator()?].into_iter().chain(device());
    for device in devices {
        let stream = device.stream()?;
        let (sizes, elements) = ([3, 4, 5], (0..60).collect::<Vec<u32>>());
        let volume = stream.upload_volume(3, 4, 5, &elements)?;
        // A box inside, and faces, of which some lie in one piece.
        for (starts, extents) in [
            ([1, 2, 3], [2, 2, 2]),
            ([0, 0, 4], [3, 4, 1]),
            ([0, 3, 0], [3, 1, 5]),
            ([2, 0, 0], [1, 4, 5]),
            ([1, 0, 0], [2, 4, 5]),
        ] {
            let (place, packed) = (VolumePart { sizes, starts }, VolumePart::whole(extents));
            let mut between = stream.alloc_zeroed::<u32>(extents.iter().product())?;
            let mut at_once = stream.alloc_volume_zeroed::<u32>(3, 4, 5)?;
            stream.copy_box(extents, &volume, place, &mut between, packed)?;
            stream.copy_box(extents, &between, packed, &mut at_once, place)?;
            let mut by_graph = stream.alloc_volume_zeroed::<u32>(3, 4, 5)?;
            stream.fill(&mut between, 0)?;
            let graph = stream.capture(|stream| {
                stream.copy_box(extents, &volume, place, &mut between, packed)?;
                stream.copy_box(extents, &between, packed, &mut by_graph, place)
            })?;
            graph.launch(&stream)?;
            let is_inside = |at: usize| {
                let index = [at / 20, at / 5 % 4, at % 5];
                (0..3).all(|axis| (starts[axis]..starts[axis] + extents[axis]).contains(&index[axis]))
            };
            let expected: Vec<u32> = (0..60).map(|at| if is_inside(at) { at as u32 } else { 0 }).collect();
            assert_eq!(stream.download(&at_once)?, expected, "{}: {starts:?} {extents:?}", device.name());
            assert_eq!(stream.download(&by_graph)?, expected, "{}: {starts:?} {extents:?}", device.name());
        }
    }
    Ok(())
}

#[test]
fn pinned_memory_goes_up_and_comes_down() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let advance = advance::load(&device)?;
    let mut input = stream.pinned::<u32>(1000)?;
    assert!(input.iter().all(|&element| element == 0));
    input.iter_mut().zip(0..).for_each(|(element, i)| *element = i);
    let mut buffer = stream.alloc_zeroed(1000)?;
    let mut output = stream.pinned(1000)?;
    for round in 1..4 {
        let sent = stream.copy_from_pinned(&mut buffer, input)?;
        advance.launch(&stream, LaunchConfig::threads(1000), (round, &mut buffer))?;
        let received = stream.copy_to_pinned(&buffer, output)?;
        output = received.wait()?;
        input = sent.wait()?;
        assert!((0..1000).all(|i| output[i] == advanced(round, i as u32)), "round {round}");
    }
    Ok(())
}

#[test]
fn a_copy_that_nobody_waits_for_is_made_and_one_that_is_forgotten_does_no_harm() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut buffer = stream.alloc_zeroed(1000)?;
    let mut ones = stream.pinned::<u32>(1000)?;
    ones.fill(1);
    drop(stream.copy_from_pinned(&mut buffer, ones)?);
    std::mem::forget(stream.copy_to_pinned(&buffer, stream.pinned(1000)?)?);
    assert_eq!(stream.download(&buffer)?, [1; 1000]);
    let copied = stream.copy_to_pinned(&buffer, stream.pinned(1000)?)?;
    while !copied.is_done()? {
        std::thread::yield_now();
    }
    assert_eq!(copied.wait()?[..], [1; 1000]);
    Ok(())
}

#[test]
fn lengths_of_pinned_copies_are_checked() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut buffer = stream.alloc_zeroed::<u32>(4)?;
    let short = stream.copy_to_pinned(&buffer, stream.pinned(3)?);
    assert!(matches!(short, Err(Error::LengthMismatch { given: 3, expected: 4, .. })));
    let long = stream.copy_from_pinned(&mut buffer, stream.pinned(5)?);
    assert!(matches!(long, Err(Error::LengthMismatch { given: 5, expected: 4, .. })));
    let mut nothing = stream.alloc_zeroed::<u32>(0)?;
    assert!(stream.copy_from_pinned(&mut nothing, stream.pinned(0)?)?.wait()?.is_empty());
    assert!(matches!(stream.pinned::<u64>(usize::MAX), Err(Error::OutOfMemory { .. })));
    Ok(())
}
