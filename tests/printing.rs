//! Lines that kernels print reach the host whole, in order within a thread, and never stop a thread.

#![allow(clippy::expect_used)] // also in helpers

use std::sync::{Arc, Mutex, PoisonError};

use gridwright::Error;
use gridwright::prelude::*;

type Result = std::result::Result<(), Error>;

/// What a device's kernels print from now on.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn of(device: &Device) -> Self {
        let lines = Self::default();
        let reader = lines.clone();
        device.on_print(move |line| reader.lock().push(line.to_owned()));
        lines
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lock())
    }
}

#[gpu_kernel]
fn values(t: Thread, unsigned: u64, signed: i64, single: f32, double: f64) {
    gpu_println!(t, "{} {} {} {}", unsigned as u8, unsigned as u16, unsigned as u32, unsigned);
    gpu_println!(t, "{} {} {} {}", signed as i8, signed as i16, signed as i32, signed);
    gpu_println!(t, "{} {}", u128::from(unsigned) << 64, i128::from(signed) << 64);
    gpu_println!(t, "{} {} {}", usize::MAX, isize::MIN, &unsigned);
    gpu_println!(t, "{} {} {} {}", single, double, f32::NAN, f64::NEG_INFINITY);
    gpu_println!(t, "{} {} {}", signed < 0, 'ß', "text with {} in it",);
    gpu_println!(t, "no arguments, {{}} and }}{{");
    gpu_println!(t, "");
}

#[test]
fn every_type_is_printed_as_the_host_prints_it() -> Result {
    let device = Device::cpu()?;
    let (stream, lines) = (device.stream()?, Lines::of(&device));
    let (unsigned, signed, single, double) = (u64::MAX - 300, -300_i64 << 32 | 77, 0.1_f32, 1.0e300_f64);
    values::load(&device)?.launch(&stream, LaunchConfig::threads(1), (unsigned, signed, single, double))?;
    assert!(lines.lock().is_empty(), "lines come when the host waits");
    stream.synchronize()?;
    let expected = [
        format!("{} {} {} {}", unsigned as u8, unsigned as u16, unsigned as u32, unsigned),
        format!("{} {} {} {}", signed as i8, signed as i16, signed as i32, signed),
        format!("{} {}", u128::from(unsigned) << 64, i128::from(signed) << 64),
        format!("{} {} {}", usize::MAX, isize::MIN, unsigned),
        format!("{} {} {} {}", single, double, f32::NAN, f64::NEG_INFINITY),
        "true ß text with {} in it".to_owned(),
        "no arguments, {} and }{".to_owned(),
        String::new(),
    ];
    assert_eq!(lines.take(), expected);
    stream.synchronize()?;
    assert!(lines.take().is_empty(), "each line comes once");
    Ok(())
}

#[gpu_kernel]
fn counts(t: Thread, times: u32) {
    for time in 0..times {
        gpu_println!(t, "{} {}", t.index(), time);
    }
}

/// The numbers of lines "thread time", by thread; each thread's are in order.
fn in_order(lines: &[String], threads: usize) -> Vec<u32> {
    let mut next = vec![0; threads];
    for line in lines {
        let numbers =
            line.split_once(' ').map(|(thread, time)| (thread.parse::<usize>(), time.parse::<u32>()));
        let Some((Ok(thread), Ok(time))) = numbers else { panic!("{line}") };
        assert_eq!(time, next[thread], "thread {thread}");
        next[thread] += 1;
    }
    next
}

#[test]
fn lines_of_a_thread_are_in_order_and_whole_on_all_cores() -> Result {
    let device = Device::cpu()?;
    let (stream, lines) = (device.stream()?, Lines::of(&device));
    let kernel = counts::load(&device)?;
    for _ in 0..3 {
        kernel.launch(&stream, LaunchConfig::threads(2000), (5,))?;
        stream.synchronize()?;
        assert_eq!(in_order(&lines.take(), 2000), [5; 2000]);
    }
    Ok(())
}

#[test]
fn lines_without_room_are_dropped_and_counted() -> Result {
    let device = Device::cpu()?;
    let (stream, lines) = (device.stream()?, Lines::of(&device));
    let kernel = counts::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(1000), (200,))?;
    stream.synchronize()?;
    let mut printed = lines.take();
    let last = printed.pop().expect("there is a last line");
    assert!(!printed.is_empty() && printed.len() < 200_000);
    let dropped = 200_000 - printed.len();
    assert_eq!(
        last,
        format!(
            "gridwright: {dropped} printed lines were dropped, as there is room for 1048576 bytes; set GRIDWRIGHT_PRINT_BYTES \
             to have more"
        )
    );
    // There is room again.
    kernel.launch(&stream, LaunchConfig::threads(1), (1,))?;
    stream.synchronize()?;
    assert_eq!(lines.take(), ["0 0"]);
    Ok(())
}

#[gpu_kernel(block = 4)]
fn phases(g: &Group, mut sums: Workgroup<[u32; 4]>) {
    g.each(sums.elements_mut(), |t, sum| {
        *sum = t.local().x as u32;
        gpu_println!(t, "{} {}", t.index(), 0);
    });
    g.each(sums.elements_mut(), |t, _| gpu_println!(t, "{} {}", t.index(), 1));
    let mut turn = g.private(2_u32);
    g.each_while_branching(&mut turn, |t, turn| {
        gpu_println!(t, "{} {}", t.index(), *turn);
        *turn += 1;
        *turn < 4
    });
}

#[test]
fn threads_of_groups_print_in_phases() -> Result {
    let device = Device::cpu()?;
    let (stream, lines) = (device.stream()?, Lines::of(&device));
    phases::load(&device)?.launch(&stream, LaunchConfig::grid(3, 4), ())?;
    stream.synchronize()?;
    assert_eq!(in_order(&lines.take(), 12), [4; 12]);
    Ok(())
}

#[gpu_kernel]
unsafe fn waiting(t: Thread) {
    gpu_println!(t, "{} before", t.index());
    // SAFETY: all threads of the group come here.
    unsafe { sync_threads(t) };
    gpu_println!(t, "{} after", t.index());
}

#[test]
fn threads_that_wait_for_each_other_print() -> Result {
    let device = Device::cpu()?;
    let (stream, lines) = (device.stream()?, Lines::of(&device));
    // SAFETY: the kernel takes no arguments, and all its threads reach the barrier.
    unsafe { waiting::load(&device)?.launch(&stream, LaunchConfig::grid(1, 8), ()) }?;
    stream.synchronize()?;
    let printed = lines.take();
    assert_eq!(printed.len(), 16);
    assert!(printed[..8].iter().all(|line| line.ends_with("before")), "{printed:?}");
    assert!(printed[8..].iter().all(|line| line.ends_with("after")), "{printed:?}");
    Ok(())
}

#[gpu_kernel]
fn panics(t: Thread) {
    gpu_println!(t, "about to");
    assert!(t.index() > 0, "the first thread");
}

#[test]
fn what_was_printed_before_a_panic_comes_with_it() -> Result {
    let device = Device::cpu()?;
    let (stream, lines) = (device.stream()?, Lines::of(&device));
    panics::load(&device)?.launch(&stream, LaunchConfig::threads(1), ())?;
    assert!(matches!(stream.synchronize(), Err(Error::KernelPanic { .. })));
    assert_eq!(lines.take(), ["about to"]);
    Ok(())
}

#[test]
fn a_reader_may_wait_for_the_device_itself() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (lines, inner) = (Lines::default(), device.clone());
    let reader = lines.clone();
    device.on_print(move |line| {
        inner.stream().and_then(|stream| stream.synchronize()).expect("the CPU has no errors here");
        reader.lock().push(line.to_owned());
    });
    counts::load(&device)?.launch(&stream, LaunchConfig::threads(1), (3,))?;
    stream.synchronize()?;
    assert_eq!(lines.take(), ["0 0", "0 1", "0 2"]);
    device.on_print(|_| {}); // ends the circle of the device and its reader
    Ok(())
}
