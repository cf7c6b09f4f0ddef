//! Chapter "Panics, printing and the emulator".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: kernel
/// Each element becomes the one that `by` names, counted from it.
#[gpu_kernel]
fn shifted(t: Thread, x: &[u32], by: usize, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index() + by]; // beyond the end it panics
    }
}
// ANCHOR_END: kernel

// ANCHOR: panic
#[host_only]
fn a_panic_is_an_error(device: &Device) -> Result<(), Error> {
    let stream = device.stream()?;
    let kernel = shifted::load(device)?;
    let x = stream.upload(&[7; 1000])?;
    let mut y = stream.alloc_zeroed(1000)?;
    kernel.launch(&stream, LaunchConfig::threads(1000), (&x, 10, &mut y))?; // was launched

    match stream.synchronize() {
        Err(Error::KernelPanic { kernel, line, thread, message, .. }) => {
            println!("{kernel}, line {line}, thread {thread:?}: {message}");
        }
        other => return other,
    }
    // It is told once. The device goes on, and what the other threads wrote is there.
    stream.synchronize()?;
    assert!(stream.download(&y)?.contains(&7));
    Ok(())
}
// ANCHOR_END: panic

// ANCHOR: print
#[gpu_kernel]
fn say(t: Thread, x: &[f32]) {
    if let Some(x) = x.get(t.index())
        && x.is_nan()
    {
        gpu_println!(t, "element {} isn't a number", t.index());
    }
}
// ANCHOR_END: print

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    a_panic_is_an_error(&device)?;

    let stream = device.stream()?;
    let lines = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    // ANCHOR: on_print
    let read = std::sync::Arc::clone(&lines);
    device.on_print(move |line| read.lock().unwrap().push(line.to_owned()));
    // ANCHOR_END: on_print
    let mut x = [1.0; 100];
    x[42] = f32::NAN;
    let x = stream.upload(&x)?;
    say::load(&device)?.launch(&stream, LaunchConfig::threads(100), (&x,))?;
    stream.synchronize()?;
    assert_eq!(*lines.lock().unwrap(), ["element 42 isn't a number"]);
    Ok(())
}

#[test]
fn the_cpu_says_the_values_too() -> Result<(), Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = stream.upload(&[7; 1000])?;
    let mut y = stream.alloc_zeroed(1000)?;
    let config = LaunchConfig::threads(1000).block(128);
    shifted::load(&device)?.launch(&stream, config, (&x, 10, &mut y))?;
    let error = stream.synchronize().unwrap_err();
    let Error::KernelPanic { message, group: [7, 0, 0], thread: [94, 0, 0], .. } = &error
    else {
        panic!("{error:?}");
    };
    assert_eq!(message, "index out of bounds: the len is 1000 but the index is 1000");
    crate::says(&error, include_str!("../../messages/panic.txt"));
    Ok(())
}

#[test]
fn an_unknown_device_is_an_error() {
    // What there is is this machine's.
    let error = Device::cuda(99).unwrap_err().to_string();
    assert!(error.contains("GRIDWRIGHT_DEVICE") || error.contains("driver"), "{error}");
}

// ANCHOR: race
const BLOCK: usize = 64;

/// Turns each group's elements around, as a port from CUDA would. The barrier was forgotten.
///
/// # Safety
/// `x` has an element for each thread.
#[gpu_kernel(block = BLOCK)]
unsafe fn turn_around(t: Thread, x: *mut u32, mut tile: Workgroup<[u32; BLOCK]>) {
    let (i, l, tile) = (t.index(), t.local().x, tile.as_mut_ptr());
    // SAFETY: there is an element for each thread.
    unsafe { *tile.add(l) = *x.add(i) };
    // SAFETY: … there isn't one for this: another thread's element may not be there yet.
    unsafe { *x.add(i) = *tile.add(BLOCK - 1 - l) };
}
// ANCHOR_END: race

#[test]
fn the_emulator_finds_the_forgotten_barrier() -> Result<(), Error> {
    // ANCHOR: emulator
    let device = Device::emulator()?;
    let stream = device.stream()?;
    let mut x = stream.upload(&(0..64).collect::<Vec<u32>>())?;
    let kernel = match turn_around::load(&device) {
        Err(error @ Error::ImageMissing { .. }) => {
            println!("SKIPPED: {error}"); // built without a device toolchain
            return Ok(());
        }
        kernel => kernel?,
    };
    // SAFETY: the buffer has an element for each thread. The kernel isn't sound all the same.
    let launched = unsafe { kernel.launch(&stream, LaunchConfig::threads(64), (&mut x,)) };
    let error = launched.and_then(|()| stream.synchronize()).unwrap_err();
    println!("{error}");
    assert!(
        matches!(&error, Error::KernelFault { findings, .. } if findings.contains("race"))
    );
    // ANCHOR_END: emulator
    Ok(())
}

// ANCHOR: checked
/// Shifts without a panic: threads whose source is beyond the end write zero.
#[gpu_kernel]
fn shifted_or_zero(t: Thread, x: &[u32], by: usize, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x.get(t.index() + by).copied().unwrap_or(0);
    }
}
// ANCHOR_END: checked

// ANCHOR: refuse
/// Square roots. A negative number is told, with its thread.
#[gpu_kernel(requires = x.len() == y.len())]
fn square_roots(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        assert!(x >= 0.0, "the square root of a negative number");
        *y = x.sqrt();
    }
}
// ANCHOR_END: refuse

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let config = LaunchConfig::threads(4);
    let x = stream.upload(&[1, 2, 3, 4])?;
    let mut y = stream.alloc_zeroed(4)?;
    shifted_or_zero::load(&device)?.launch(&stream, config, (&x, 3, &mut y))?;
    assert_eq!(stream.download(&y)?, [4, 0, 0, 0]);

    let (x, mut y) = (stream.upload(&[1.0, 4.0, -9.0, 16.0])?, stream.alloc_zeroed(4)?);
    square_roots::load(&device)?.launch(&stream, config, (&x, &mut y))?;
    match stream.download(&y) {
        Err(Error::KernelPanic { message, thread, .. }) => {
            assert_eq!(
                (message.as_str(), thread),
                ("the square root of a negative number", [2, 0, 0])
            );
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}
