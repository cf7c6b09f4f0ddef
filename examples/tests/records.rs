//! Panics and printed lines of kernels, in the emulator, and on the NVIDIA driver that is there, GPU or not: whatever
//! `libcuda.so.1` the loader finds.
//!
//! Without images, a driver or a device the tests return early and say so; with `GRIDWRIGHT_REQUIRE_DEVICE=1` and
//! `GRIDWRIGHT_REQUIRE_CUDA=1` they fail.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used)] // also in helpers

use gridwright::prelude::*;

#[gpu_kernel]
fn shifted(t: Thread, x: &[u32], by: usize, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index() + by]; // the line that panics
    }
}

#[cfg(not(gridwright_device))]
const LINE: u32 = 16;

#[gpu_kernel]
fn picky(t: Thread, x: &[u32]) {
    match x.get(t.index()) {
        Some(1) => panic!("one is refused"),
        Some(2) => panic!("{} is refused", x[t.index()]),
        Some(&divisor) => assert!(1000 / divisor > 0, "too large"),
        None => {}
    }
}

#[gpu_kernel(block = (4, 2))]
fn tiles(g: &Group, mut out: PerThread<Matrix<u32>>) {
    g.each(out.elements_mut(), |t, out| {
        assert!(t.row() != 3 || t.col() != 6, "the thread in row 3 and column 6");
        if let Some(out) = out {
            *out = 1;
        }
    });
}

#[gpu_kernel]
fn values(t: Thread, unsigned: u64, signed: i64, single: f32, double: f64) {
    gpu_println!(t, "{} {} {} {}", unsigned as u8, unsigned as u16, unsigned as u32, unsigned);
    gpu_println!(t, "{} {} {} {}", signed as i8, signed as i16, signed as i32, signed);
    gpu_println!(t, "{} {}", u128::from(unsigned) << 64, i128::from(signed) << 64);
    gpu_println!(t, "{} {} {} {}", single, double, f32::NAN, f64::NEG_INFINITY);
    gpu_println!(t, "{} {} {}", signed < 0, 'ß', if signed < 0 { "a text" } else { "another one" });
    gpu_println!(t, "no arguments, {{}} and }}{{");
}

#[gpu_kernel]
fn counts(t: Thread, times: u32) {
    for time in 0..times {
        gpu_println!(t, "{} {}", t.index(), time);
    }
}

#[cfg(not(gridwright_device))]
mod host {
    use std::io::Write;
    use std::sync::{Arc, Mutex, PoisonError};

    use gridwright::Error;
    use gridwright::prelude::*;

    use super::{LINE, counts, picky, shifted, tiles, values};

    type Result = std::result::Result<(), Error>;

    /// Each test in the emulator, and on an NVIDIA device.
    macro_rules! on_each_device {
        ($($test:ident)*) => {
            mod emulator {
                $(#[test]
                fn $test() -> super::Result {
                    super::run(super::Device::emulator(), "GRIDWRIGHT_REQUIRE_DEVICE", super::$test)
                })*
            }

            mod cuda {
                $(#[test]
                fn $test() -> super::Result {
                    super::run(super::Device::cuda(0), "GRIDWRIGHT_REQUIRE_CUDA", super::$test)
                })*
            }
        };
    }

    on_each_device! {
        a_panic_is_told_once_and_the_device_stays_usable
        messages_are_those_of_the_source_without_values
        group_and_thread_are_told_along_each_axis
        every_type_is_printed_as_the_host_prints_it
        lines_of_a_thread_are_in_order_and_room_is_given_again
        lines_without_room_are_dropped_and_counted
        lines_of_launches_side_by_side_are_whole
        kernels_that_are_loaded_apart_leave_things_in_one_place
    }

    /// Runs a test where there is a device that the program has code for.
    fn run(
        device: std::result::Result<Device, Error>,
        required: &str,
        test: fn(&Device) -> Result,
    ) -> Result {
        let missing = match device {
            Ok(device) => match values::load(&device) {
                Ok(_) => return test(&device),
                Err(error @ Error::ImageMissing { .. }) => error,
                Err(error) => return Err(error),
            },
            Err(error) => error,
        };
        let is_required = std::env::var_os(required).is_some_and(|value| value == "1");
        assert!(!is_required, "{missing}");
        // Not `eprintln`, which the test harness keeps to itself.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {missing}");
        Ok(())
    }

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<String>>>);

    impl Lines {
        fn of(device: &Device) -> Self {
            let lines = Self::default();
            let reader = lines.clone();
            device.on_print(move |line| {
                reader.0.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
            });
            lines
        }

        fn take(&self) -> Vec<String> {
            std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }

    fn a_panic_is_told_once_and_the_device_stays_usable(device: &Device) -> Result {
        let (stream, other) = (device.stream()?, device.stream()?);
        let kernel = shifted::load(device)?;
        let x = stream.upload(&[7; 1000])?;
        let mut y = stream.alloc_zeroed::<u32>(1000)?;
        kernel.launch(&stream, LaunchConfig::threads(1000).block(128), (&x, 10, &mut y))?;
        stream.synchronize().expect_err("ten threads panicked");
        other.synchronize()?;
        assert!(stream.download(&y)?[..990].iter().all(|&y| y == 7));

        for _ in 0..2 {
            kernel.launch(&stream, LaunchConfig::threads(1000).block(128), (&x, 10, &mut y))?;
            let error = stream.download(&y).expect_err("ten threads panicked");
            let Error::KernelPanic { kernel, message, file, line, column, group, thread, others } = error
            else {
                panic!("{error:?}")
            };
            assert_eq!((kernel, file.as_str(), line, column, others), ("shifted", file!(), LINE, 14, 9));
            assert!(message.starts_with("index out of bounds: the len is … but the index is …"), "{message}");
            assert_eq!(group, [7, 0, 0]);
            assert!((94..104).contains(&thread[0]) && thread[1..] == [0, 0], "{thread:?}");
        }
        kernel.launch(&stream, LaunchConfig::threads(1000), (&x, 0, &mut y))?;
        assert_eq!(stream.download(&y)?, [7; 1000]);
        Ok(())
    }

    fn messages_are_those_of_the_source_without_values(device: &Device) -> Result {
        let stream = device.stream()?;
        let kernel = picky::load(device)?;
        let said = |x: u32| -> std::result::Result<String, Error> {
            let x = stream.upload(&[x])?;
            kernel.launch(&stream, LaunchConfig::threads(1), (&x,))?;
            match stream.synchronize() {
                Err(Error::KernelPanic { message, .. }) => Ok(message),
                Err(error) => Err(error),
                Ok(()) => Ok(String::new()),
            }
        };
        assert_eq!(said(1)?, "one is refused");
        assert_eq!(said(2)?, "… is refused (a GPU leaves values out)");
        assert_eq!(said(0)?, "attempt to divide by zero");
        assert_eq!(said(2000)?, "too large");
        assert_eq!(said(5)?, "");
        Ok(())
    }

    fn group_and_thread_are_told_along_each_axis(device: &Device) -> Result {
        let stream = device.stream()?;
        let mut out = stream.alloc_matrix_zeroed::<u32>(8, 8)?;
        tiles::load(device)?.launch(&stream, LaunchConfig::for_matrix(8, 8), (&mut out,))?;
        let Err(Error::KernelPanic { message, group, thread, others, .. }) = stream.synchronize() else {
            panic!("a thread panicked")
        };
        assert_eq!(message, "the thread in row 3 and column 6");
        assert_eq!((group, thread, others), ([1, 1, 0], [2, 1, 0], 0));
        Ok(())
    }

    fn every_type_is_printed_as_the_host_prints_it(device: &Device) -> Result {
        let (stream, lines) = (device.stream()?, Lines::of(device));
        let (unsigned, signed, single, double) =
            (u64::MAX - 300, (-300_i64 << 32) | 77, 0.1_f32, 1.0e300_f64);
        let arguments = (unsigned, signed, single, double);
        values::load(device)?.launch(&stream, LaunchConfig::threads(1), arguments)?;
        stream.synchronize()?;
        let expected = [
            format!("{} {} {} {}", unsigned as u8, unsigned as u16, unsigned as u32, unsigned),
            format!("{} {} {} {}", signed as i8, signed as i16, signed as i32, signed),
            format!("{} {}", u128::from(unsigned) << 64, i128::from(signed) << 64),
            format!("{} {} {} {}", single, double, f32::NAN, f64::NEG_INFINITY),
            "true ß a text".to_owned(),
            "no arguments, {} and }{".to_owned(),
        ];
        assert_eq!(lines.take(), expected);
        stream.synchronize()?;
        assert!(lines.take().is_empty(), "each line comes once");
        Ok(())
    }

    /// The numbers of lines "thread time", by thread; each thread's are in order.
    fn in_order(lines: &[String], threads: usize) -> Vec<u32> {
        let mut next = vec![0; threads];
        for line in lines {
            let numbers =
                line.split_once(' ').map(|(thread, time)| (thread.parse::<usize>(), time.parse::<u32>()));
            let Some((Ok(thread), Ok(time))) = numbers else { panic!("{line}") };
            assert!(time >= next[thread], "thread {thread}: {time} after {}", next[thread]);
            next[thread] = time + 1;
        }
        next
    }

    fn lines_of_a_thread_are_in_order_and_room_is_given_again(device: &Device) -> Result {
        let (stream, lines) = (device.stream()?, Lines::of(device));
        let kernel = counts::load(device)?;
        // Together they are twice what there is room for.
        for _ in 0..8 {
            kernel.launch(&stream, LaunchConfig::threads(1000), (4,))?;
            stream.synchronize()?;
            assert_eq!(in_order(&lines.take(), 1000), [4; 1000]);
        }
        Ok(())
    }

    fn kernels_that_are_loaded_apart_leave_things_in_one_place(device: &Device) -> Result {
        let (stream, lines) = (device.stream()?, Lines::of(device));
        let (counts, picky, shifted) = (counts::load(device)?, picky::load(device)?, shifted::load(device)?);
        let bytes =
            [counts.attributes()?, picky.attributes()?, shifted.attributes()?].map(|a| a.loaded_bytes);
        let [of_counts, of_picky, of_shifted] = bytes;
        assert!(of_counts != of_picky && of_picky != of_shifted, "each has its own part: {bytes:?}");
        for i in 0..3 {
            counts.launch(&stream, LaunchConfig::threads(10), (2,))?;
            stream.synchronize()?;
            assert_eq!(in_order(&lines.take(), 10), [2; 10]);
            let x = stream.upload(&[1])?;
            let panicking = if i == 1 {
                let mut y = stream.alloc_zeroed(1)?;
                shifted.launch(&stream, LaunchConfig::threads(1), (&x, 10, &mut y))?;
                "shifted"
            } else {
                picky.launch(&stream, LaunchConfig::threads(1), (&x,))?;
                "picky"
            };
            match stream.synchronize() {
                Err(Error::KernelPanic { kernel, .. }) => assert_eq!(kernel, panicking),
                other => panic!("{other:?}"),
            }
        }
        Ok(())
    }

    fn lines_without_room_are_dropped_and_counted(device: &Device) -> Result {
        let (stream, lines) = (device.stream()?, Lines::of(device));
        let kernel = counts::load(device)?;
        kernel.launch(&stream, LaunchConfig::threads(1000), (20,))?;
        stream.synchronize()?;
        let mut printed = lines.take();
        let last = printed.pop().expect("there is a last line");
        in_order(&printed, 1000);
        assert!(!printed.is_empty());
        let dropped = 20_000 - printed.len();
        assert!(last.starts_with(&format!("gridwright: {dropped} printed lines were dropped")), "{last}");
        kernel.launch(&stream, LaunchConfig::threads(1), (1,))?;
        stream.synchronize()?;
        assert_eq!(lines.take(), ["0 0"]);
        Ok(())
    }

    fn lines_of_launches_side_by_side_are_whole(device: &Device) -> Result {
        let lines = Lines::of(device);
        // Together they are more than there is room for at a time.
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| -> Result {
                        let (stream, kernel) = (device.stream()?, counts::load(device)?);
                        for _ in 0..6 {
                            kernel.launch(&stream, LaunchConfig::threads(300), (4,))?;
                            stream.synchronize()?;
                        }
                        Ok(())
                    })
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
        })?;
        let mut times = [0; 300 * 4];
        for line in lines.take() {
            let numbers = line.split_once(' ').map(|(thread, time)| (thread.parse(), time.parse()));
            let Some((Ok::<usize, _>(thread), Ok::<usize, _>(time))) = numbers else { panic!("{line}") };
            times[thread * 4 + time] += 1;
        }
        assert_eq!(times, [3 * 6; 300 * 4]);
        Ok(())
    }
}
