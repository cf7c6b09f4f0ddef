//! Allocation in kernels.

#[cfg(not(gridwright_device))]
use gridwright::Error;
use gridwright::heap::collections::{BinaryHeap, VecDeque};
use gridwright::prelude::*;

#[cfg(not(gridwright_device))]
use super::device;

/// How many of the numbers up to `n` are prime.
#[gpu_kernel(requires = n.len() == count.len())]
fn primes(t: Thread, n: &[u32], mut count: PerThread<[u32]>) {
    let Some(count) = count.get_mut(t) else { return };
    let mut found: Vec<u32> = Vec::new();
    for candidate in 2..=n[t.index()] {
        if found.iter().all(|prime| candidate % prime != 0) {
            found.push(candidate);
        }
    }
    *count = found.len() as u32;
}

#[test]
fn vectors_grow_in_each_thread() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let n: Vec<u32> = (0..1000).map(|i| i * 7 % 60).collect();
    let expected: Vec<u32> =
        n.iter().map(|&n| (2..=n).filter(|&p| (2..p).all(|d| p % d != 0)).count() as u32).collect();
    let n = stream.upload(&n)?;
    let mut count = stream.alloc_zeroed(n.len())?;
    primes::load(&device)?.launch(&stream, LaunchConfig::threads(n.len()), (&n, &mut count))?;
    assert_eq!(stream.download(&count)?, expected);
    assert_eq!(device.heap_usage()?.blocks, 0, "all was freed");
    Ok(())
}

/// A value that asks for more than an allocator's usual alignment.
#[repr(align(256))]
struct Wide(u32);

/// Boxes of many sizes, of which some are dropped between: whether each kept what was put there.
#[gpu_kernel]
fn boxes(t: Thread, turns: u32, mut kept: PerThread<[u32]>) {
    let Some(kept) = kept.get_mut(t) else { return };
    let mut all: Vec<Box<[u32]>> = Vec::new();
    let mut wide = VecDeque::new();
    let mut largest = BinaryHeap::new();
    let mut is_right = true;
    for i in 0..turns {
        let value = t.index() as u32 * 1000 + i;
        all.push(vec![value; 1 + (i as usize * 37 + t.index()) % 300].into_boxed_slice());
        wide.push_back(Box::new(Wide(value)));
        largest.push(value % 13);
        if i % 3 == 2 {
            let old = all.swap_remove(0);
            is_right &= old.iter().all(|&kept| kept == old[0]) && old[0] / 1000 == t.index() as u32;
            is_right &= wide.pop_front().is_some_and(|front| front.0 / 1000 == t.index() as u32);
        }
    }
    is_right &= all.iter().all(|one| one.iter().all(|kept| *kept == one[0]));
    is_right &= largest.into_sorted_vec().is_sorted();
    *kept = is_right.into();
}

#[test]
fn threads_have_boxes_of_their_own_at_once() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let mut kept = stream.alloc_zeroed::<u32>(600)?;
    boxes::load(&device)?.launch(&stream, LaunchConfig::threads(600), (9, &mut kept))?;
    assert!(stream.download(&kept)?.iter().all(|&kept| kept == 1));
    assert_eq!(device.heap_usage()?.blocks, 0, "all was freed");
    Ok(())
}

/// A text about each value.
#[gpu_kernel(requires = x.len() == texts.len())]
fn describe(t: Thread, x: &[f32], mut texts: PerThread<[[u8; 128]]>) {
    let Some(text) = texts.get_mut(t) else { return };
    text.fill(0);
    for (to, from) in text.iter_mut().zip(description(t.index(), x[t.index()]).bytes()) {
        *to = from;
    }
}

/// On a GPU `format!` is Gridwright's, and on the host the standard library's.
fn description(i: usize, x: f32) -> String {
    let mut name = String::from("größe");
    name.insert(0, '#');
    let wide = u128::MAX / (i as u128 + 1);
    let text =
        format!("{}: {{{}}} {} {} {} {} {}", name, x, i as i8 - 5, x > 1.0, 'ß', wide, f64::from(x) * 1e-3);
    if text == name { String::new() } else { text }
}

#[test]
fn texts_are_those_of_the_host() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    if device.name().contains("Emulated GPU gfx") {
        // Digits are made on a thread's stack, and copied from there through pointers that could be to any memory.
        eprintln!("SKIPPED: the emulator of AMD's GPUs takes every `flat` address for one of global memory");
        return Ok(());
    }
    let x = [
        0.1,
        -0.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e20,
        1.5e-12,
        16_777_216.0,
        std::f32::consts::PI,
        f32::EPSILON,
        f32::from_bits(0x4b00_0001),
    ];
    let buffer = stream.upload(&x)?;
    let mut texts = stream.alloc_zeroed::<u8>(128 * x.len())?;
    describe::load(&device)?.launch(&stream, LaunchConfig::threads(x.len()), (&buffer, &mut texts))?;
    for (i, (x, text)) in x.into_iter().zip(stream.download(&texts)?.chunks(128)).enumerate() {
        let text = String::from_utf8_lossy(text);
        assert_eq!(text.trim_end_matches('\0'), description(i, x));
    }
    assert_eq!(device.heap_usage()?.blocks, 0);
    Ok(())
}

/// Each thread takes as many bytes, if it can have them, and keeps them for ever.
#[gpu_kernel]
fn keep(t: Thread, bytes: usize, mut kept: PerThread<[u32]>) {
    let Some(kept) = kept.get_mut(t) else { return };
    let mut block: Vec<u8> = Vec::new();
    if block.try_reserve_exact(bytes).is_ok() {
        block.resize(bytes, t.index() as u8);
        let block = block.leak();
        *kept = u32::from(block[bytes / 2] == t.index() as u8);
    }
}

/// A thread of so many doesn't get that far.
#[gpu_kernel]
fn grow(t: Thread, elements: usize, mut last: PerThread<[u32]>) {
    let Some(last) = last.get_mut(t) else { return };
    let values = vec![t.index() as u32; elements];
    *last = values[elements - 1];
}

#[test]
fn what_is_never_freed_is_known_and_can_be_taken_back() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    device.set_heap_bytes(8 << 20)?;
    let mut kept = stream.alloc_zeroed::<u32>(100)?;
    let kernel = keep::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(100), (100, &mut kept))?;
    assert_eq!(stream.download(&kept)?, [1; 100]);
    let usage = device.heap_usage()?;
    if usage.capacity == 0 {
        return Ok(()); // The program's own heap: nobody counts.
    }
    assert_eq!((usage.capacity, usage.blocks, usage.bytes), (8 << 20, 100, 100 * 128));
    device.set_heap_bytes(1 << 20)?;
    assert_eq!((device.heap_usage()?.capacity, device.heap_usage()?.blocks), (1 << 20, 0));
    Ok(())
}

#[test]
fn who_tries_gets_memory_as_long_as_there_is_some() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let kernel = keep::load(&device)?;
    // Blocks of a chunk's part, and of several chunks.
    for (bytes, room) in [(30_000, 32 << 10), (150_000, 192 << 10)] {
        device.set_heap_bytes(20 * room)?;
        let capacity = device.heap_usage()?.capacity;
        let mut kept = stream.alloc_zeroed::<u32>(64)?;
        kernel.launch(&stream, LaunchConfig::threads(64), (bytes, &mut kept))?;
        let got: u32 = stream.download(&kept)?.iter().sum();
        let expected = if capacity == 0 { 64 } else { 20 };
        assert_eq!(got, expected, "blocks of {bytes} bytes");
    }
    Ok(())
}

#[test]
fn without_memory_a_kernel_panics_and_the_next_one_has_all_again() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let kernel = grow::load(&device)?;
    device.set_heap_bytes(1 << 20)?;
    if device.heap_usage()?.capacity == 0 {
        return Ok(()); // The program's own heap, whose end would be the program's.
    }
    let mut last = stream.alloc_zeroed::<u32>(64)?;
    // Each by itself asks for more than there is: a GPU may run one thread after another.
    kernel.launch(&stream, LaunchConfig::threads(64), (1 << 20, &mut last))?;
    let error = stream.synchronize().expect_err("4 MiB of 1");
    let Error::KernelPanic { kernel: name, message, .. } = &error else { panic!("{error}") };
    assert_eq!(*name, "grow");
    assert!(
        message.contains("the heap of the device has no block") && message.contains("set_heap_bytes"),
        "{message}"
    );
    assert_eq!(device.heap_usage()?.blocks, 0, "what the threads had is taken back");

    kernel.launch(&stream, LaunchConfig::threads(64), (1 << 10, &mut last))?;
    assert!(stream.download(&last)?.into_iter().eq(0..64));
    assert_eq!(device.heap_usage()?.blocks, 0);
    Ok(())
}

#[test]
fn a_heap_that_there_was_no_memory_for_comes_back() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let kernel = grow::load(&device)?;
    device.set_heap_bytes(1 << 20)?;
    match device.set_heap_bytes(64 << 30) {
        Ok(()) => return Ok(()), // So much memory, or the program's own heap.
        Err(Error::OutOfMemory { .. }) => assert_eq!(device.heap_usage()?.capacity, 0),
        Err(error) => return Err(error),
    }
    device.set_heap_bytes(1 << 20)?;
    assert_eq!(device.heap_usage()?.capacity, 1 << 20);
    let mut last = stream.alloc_zeroed::<u32>(64)?;
    kernel.launch(&stream, LaunchConfig::threads(64), (1 << 10, &mut last))?;
    assert!(stream.download(&last)?.into_iter().eq(0..64));
    Ok(())
}

#[test]
fn a_size_beyond_all_memory_is_a_panic() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let mut last = stream.alloc_zeroed::<u32>(3)?;
    grow::load(&device)?.launch(&stream, LaunchConfig::threads(3), (usize::MAX / 2, &mut last))?;
    let error = stream.synchronize().expect_err("more than an address reaches");
    let Error::KernelPanic { message, .. } = &error else { panic!("{error}") };
    assert!(message.contains("capacity overflow"), "{message}");
    Ok(())
}
