//! The compiled PTX in the program itself, `GRIDWRIGHT_DEVICE=emulator`: examples give the CPU's results and nothing is found; kernels with
//! known defects are found out.
//!
//! Without images the tests return early and say so; with `GRIDWRIGHT_REQUIRE_DEVICE=1` they fail. This target is compiled for
//! GPUs too, for its kernels.

#![allow(clippy::expect_used)] // also in helpers

use gridwright::prelude::*;

const BLOCK: usize = 64;

/// Each element's left neighbour in its group. Right if threads wait after each other's writes.
#[gpu_kernel(block = BLOCK)]
unsafe fn neighbours(t: Thread, waits: u32, x: *mut u32, mut w: Workgroup<[u32; BLOCK]>) {
    let (w, i, thread) = (w.as_mut_ptr(), t.index(), t.local().x);
    // SAFETY: there is an element for each thread.
    unsafe { *w.add(thread) = *x.add(i) };
    if waits == 1 {
        // SAFETY: all threads get here.
        unsafe { sync_threads(t) };
    }
    // SAFETY: the caller has the threads wait.
    unsafe { *x.add(i) = if thread > 0 { *w.add(thread - 1) } else { 0 } };
}

/// Each group's numbers in reverse. Only the first `waiting` threads of each group wait for the others.
#[gpu_kernel(block = BLOCK)]
unsafe fn divergent(t: Thread, waiting: usize, x: *mut u32, mut w: Workgroup<[u32; BLOCK]>) {
    let (w, thread) = (w.as_mut_ptr(), t.local().x);
    // SAFETY: there is an element for each thread.
    unsafe { *w.add(thread) = thread as u32 };
    if thread < waiting {
        // SAFETY: the caller has all threads wait.
        unsafe { sync_threads(t) };
    }
    // SAFETY: there is an element for each thread; the caller has all threads wait.
    unsafe { *x.add(t.index()) = *w.add(BLOCK - 1 - thread) };
}

/// Writes one element `shift` beyond its own, or all to the first.
#[gpu_kernel(block = BLOCK)]
unsafe fn shifted(t: Thread, shift: usize, stride: usize, x: *mut u32) {
    // SAFETY: the caller has them inside and apart.
    unsafe { *x.add(t.index() * stride + shift) = 1 };
}

/// Reads a number at a byte's address.
#[gpu_kernel(block = BLOCK)]
unsafe fn misaligned(t: Thread, bytes: usize, x: *mut u32) {
    if t.index() == 0 {
        // SAFETY: the caller has the bytes a multiple of four.
        unsafe { *x.byte_add(bytes) = 1 };
    }
}

/// A safe kernel with everything that safe kernels share: memory, barriers, collectives.
#[gpu_kernel(block = BLOCK)]
fn sums(g: &Group, x: &[u32], mut out: PerGroup<[u32]>, total: Atomic<[u32]>, mut w: Workgroup<[u32]>) {
    g.load(&mut w, x, g.origin().x);
    let values = g.map(w.shared(), |t, w| w[(t.local().x + 1) % w.len()]);
    let sum = g.reduce(&values, |a, b| a + b);
    out.set(g, sum);
    g.each((), |t, ()| {
        if t.local().x == 0 {
            total.fetch_add(t, 0, sum);
        }
    });
}

/// Each group's sum of numbers, of which one is refused.
#[gpu_kernel(block = BLOCK)]
fn sums_without(g: &Group, refused: u32, x: &[u32], mut out: PerGroup<[u32]>) {
    let values = g.map((), |t, ()| {
        let value = x.get(t.index()).copied().unwrap_or(0);
        assert!(value != refused, "a number is refused"); // the line that panics
        value
    });
    let sum = g.reduce(&values, |a, b| a + b);
    out.set(g, sum);
}

#[cfg(not(gridwright_device))]
const LINE: u32 = 76;

/// The first thread panics; behind a barrier the others write `shift` beyond their elements.
#[gpu_kernel(block = BLOCK)]
unsafe fn panics_and_shifts(t: Thread, shift: usize, x: *mut u32) {
    assert!(t.index() != 0, "the first thread");
    // A write, or there were nothing for the barrier to separate, and the build took it out.
    // SAFETY: an element of the thread's own.
    unsafe { *x.add(t.index()) = 0 };
    // SAFETY: all threads get here that are left.
    unsafe { sync_threads(t) };
    // SAFETY: the caller has them inside.
    unsafe { *x.add(t.index() + shift) = 1 };
}

#[cfg(not(gridwright_device))]
mod host {
    use std::io::Write;
    use std::process::Command;

    use gridwright::Error;
    use gridwright::prelude::*;

    use super::{
        BLOCK, LINE, divergent, misaligned, neighbours, panics_and_shifts, shifted, sums, sums_without,
    };

    type Result<T = ()> = std::result::Result<T, Error>;

    /// The emulator, or `None` where the program has no images.
    fn emulator() -> Result<Option<(Device, Stream)>> {
        let device = Device::emulator()?;
        match sums::load(&device) {
            Ok(_) => Ok(Some((device.clone(), device.stream()?))),
            Err(error @ Error::ImageMissing { .. }) => {
                let required =
                    std::env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| value == "1");
                assert!(!required, "{error}");
                // Not `eprintln`, which the test harness keeps to itself.
                let _ = writeln!(std::io::stderr(), "SKIPPED: {error}");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// What was found, once the launch is waited for; the device is usable after it.
    fn found(stream: &Stream, launched: Result) -> String {
        let error = launched.and_then(|()| stream.synchronize()).expect_err("something is found");
        stream.synchronize().expect("it is told once");
        match error {
            Error::KernelFault { findings, .. } => findings,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn safe_kernels_are_right_and_nothing_is_found() -> Result {
        let Some((device, stream)) = emulator()? else { return Ok(()) };
        let host: Vec<u32> = (0..BLOCK as u32 * 5).collect();
        let (x, mut out, mut total) =
            (stream.upload(&host)?, stream.alloc_zeroed(5)?, stream.alloc_zeroed(1)?);
        let config = LaunchConfig::threads(host.len()).workgroup::<u32>(BLOCK);
        sums::load(&device)?.launch(&stream, config, (&x, &mut out, &mut total))?;
        let expected: Vec<u32> = host.chunks(BLOCK).map(|part| part.iter().sum()).collect();
        assert_eq!(stream.download(&out)?, expected);
        assert_eq!(stream.download(&total)?, [expected.iter().sum::<u32>()]);
        Ok(())
    }

    #[test]
    fn memory_is_shared_with_the_host_and_copied_to_other_devices() -> Result {
        let Some((device, stream)) = emulator()? else { return Ok(()) };
        let config = LaunchConfig::threads(BLOCK * 5).workgroup::<u32>(BLOCK);
        let kernel = sums::load(&device)?;
        for mut x in [stream.alloc_unified::<u32>(BLOCK * 5)?, stream.alloc_mapped(BLOCK * 5)?] {
            x.write()?.iter_mut().zip(0..).for_each(|(x, i)| *x = i);
            let (mut out, mut total) = (stream.alloc_unified::<u32>(5)?, stream.alloc_mapped::<u32>(1)?);
            kernel.launch(&stream, config, (&x, &mut out, &mut total))?;
            let expected: Vec<u32> = x.read()?.chunks(BLOCK).map(|part| part.iter().sum()).collect();
            assert_eq!(out.read()?, expected);
            assert_eq!(total.read()?, [expected.iter().sum::<u32>()]);
            // To the CPU, to another emulator and back.
            let (of_cpu, another) = (Device::cpu()?.stream()?, Device::emulator()?.stream()?);
            let (mut y, mut z) = (of_cpu.alloc_zeroed(5)?, another.alloc_zeroed(5)?);
            of_cpu.copy(&out, &mut y)?;
            another.copy(&y, &mut z)?;
            out.write()?.fill(0);
            stream.copy(&z, &mut out)?;
            assert_eq!(out.read()?, expected);
            assert!(!device.can_access_peer(another.device())?);
        }
        Ok(())
    }

    #[test]
    fn a_dropped_barrier_is_a_race() -> Result {
        let Some((device, stream)) = emulator()? else { return Ok(()) };
        let kernel = neighbours::load(&device)?;
        let config = LaunchConfig::threads(2 * BLOCK);
        let mut x = stream.upload(&[3; 2 * BLOCK])?;
        // SAFETY: there is an element for each thread, and threads wait.
        unsafe { kernel.launch(&stream, config, (1, &mut x))? };
        let mut expected = [3; 2 * BLOCK];
        [expected[0], expected[BLOCK]] = [0, 0];
        assert_eq!(stream.download(&x)?, expected);
        // SAFETY: there is an element for each thread; that they race is what the emulator is to find.
        let findings = found(&stream, unsafe { kernel.launch(&stream, config, (0, &mut x)) });
        assert!(findings.contains("race") && findings.contains("workgroup memory"), "{findings}");
        assert!(findings.contains("`neighbours` at line "), "{findings}");
        Ok(())
    }

    #[test]
    fn a_barrier_that_some_threads_leave_out_is_a_race() -> Result {
        let Some((device, stream)) = emulator()? else { return Ok(()) };
        let kernel = divergent::load(&device)?;
        let config = LaunchConfig::threads(BLOCK);
        let mut x = stream.alloc_zeroed::<u32>(BLOCK)?;
        // SAFETY: there is an element for each thread, and all of them wait.
        unsafe { kernel.launch(&stream, config, (BLOCK, &mut x))? };
        let expected: Vec<u32> = (0..BLOCK as u32).rev().collect();
        assert_eq!(stream.download(&x)?, expected);
        // SAFETY: there is an element for each thread; that some don't wait is what the emulator is to find.
        let findings = found(&stream, unsafe { kernel.launch(&stream, config, (BLOCK / 4, &mut x)) });
        // Nobody waits at a barrier for threads that have ended, and so they have no order.
        assert!(findings.contains("race") && findings.contains("workgroup memory"), "{findings}");
        assert!(findings.contains("`divergent` at line "), "{findings}");
        Ok(())
    }

    #[test]
    fn accesses_out_of_bounds_and_misaligned_are_found() -> Result {
        let Some((device, stream)) = emulator()? else { return Ok(()) };
        let config = LaunchConfig::threads(BLOCK);
        let mut x = stream.alloc_zeroed(BLOCK)?;
        let kernel = shifted::load(&device)?;
        // SAFETY: there is an element for each thread.
        unsafe { kernel.launch(&stream, config, (0, 1, &mut x))? };
        assert_eq!(stream.download(&x)?, [1; BLOCK]);
        // SAFETY: the emulator's memory has bounds: the last thread's access is what it is to find.
        let findings = found(&stream, unsafe { kernel.launch(&stream, config, (1, 1, &mut x)) });
        assert!(findings.contains("write of 4 bytes") && findings.contains("behind the end"), "{findings}");
        assert!(findings.contains("thread (63, 0, 0)"), "{findings}");
        // SAFETY: the emulator's memory has bounds; that all threads write one element is what it is to find.
        let findings = found(&stream, unsafe { kernel.launch(&stream, config, (0, 0, &mut x)) });
        assert!(findings.contains("race") && findings.contains("global memory"), "{findings}");
        // SAFETY: the emulator's memory has bounds; the address is what it is to find.
        let findings =
            found(&stream, unsafe { misaligned::load(&device)?.launch(&stream, config, (2, &mut x)) });
        assert!(findings.to_lowercase().contains("misaligned"), "{findings}");
        Ok(())
    }

    /// The threads that go on without the one that panicked read what it should have left: that isn't the error.
    #[test]
    fn a_panic_in_front_of_a_barrier_is_the_error() -> Result {
        let Some((device, stream)) = emulator()? else { return Ok(()) };
        let kernel = sums_without::load(&device)?;
        let host: Vec<u32> = (0..BLOCK as u32 * 3).collect();
        let (x, mut out) = (stream.upload(&host)?, stream.alloc_zeroed(3)?);
        let config = LaunchConfig::threads(host.len());
        for _ in 0..2 {
            kernel.launch(&stream, config, (BLOCK as u32 + 9, &x, &mut out))?;
            let error = stream.synchronize().expect_err("a thread panicked");
            let Error::KernelPanic { kernel, message, file, line, group, thread, others, .. } = error else {
                panic!("{error:?}")
            };
            assert_eq!((kernel, message.as_str()), ("sums_without", "a number is refused"));
            assert_eq!((file.as_str(), line), (file!(), LINE));
            assert_eq!((group, thread, others), ([1, 0, 0], [9, 0, 0], 0));
            stream.synchronize()?;
        }
        kernel.launch(&stream, config, (u32::MAX, &x, &mut out))?;
        let expected: Vec<u32> = host.chunks(BLOCK).map(|part| part.iter().sum()).collect();
        assert_eq!(stream.download(&out)?, expected);
        Ok(())
    }

    #[test]
    fn a_fault_behind_a_panic_is_told_next() -> Result {
        let Some((device, stream)) = emulator()? else { return Ok(()) };
        let kernel = panics_and_shifts::load(&device)?;
        let mut x = stream.alloc_zeroed::<u32>(BLOCK)?;
        // SAFETY: the emulator's memory has bounds: the last thread's access is what it is to find.
        unsafe { kernel.launch(&stream, LaunchConfig::threads(BLOCK), (1, &mut x))? };
        let error = stream.synchronize().expect_err("a thread panicked");
        assert!(matches!(&error, Error::KernelPanic { thread: [0, 0, 0], .. }), "{error}");
        let findings = found(&stream, Ok(()));
        assert!(findings.contains("out of bounds") && findings.contains("thread (63, 0, 0)"), "{findings}");
        Ok(())
    }

    #[test]
    fn profiles_have_the_time_of_the_calls() -> Result {
        let Some((device, stream)) = emulator()? else { return Ok(()) };
        let kernel = misaligned::load(&device)?;
        let mut x = stream.alloc_zeroed::<u32>(BLOCK)?;
        let started = std::time::Instant::now();
        let (elements, profile) = device.profile(|p| {
            p.declare(&kernel, 4);
            for i in 0..3 {
                // SAFETY: an element's first byte.
                unsafe { kernel.launch(&stream, LaunchConfig::threads(BLOCK), (4 * i, &mut x)) }?;
            }
            stream.download(&x)
        })?;
        let elapsed = started.elapsed();
        assert_eq!(elements[..4], [1, 1, 1, 0]);
        let row = profile.row("misaligned").expect("launches");
        assert_eq!((row.calls, row.bytes), (3, Some(12)));
        assert!(!row.min.is_zero() && row.total < elapsed && profile.duration() <= elapsed);
        let copies = profile.row("copy to host").expect("a copy");
        assert_eq!((copies.calls, copies.bytes), (1, Some(4 * BLOCK as u64)));
        Ok(())
    }

    #[test]
    fn examples_are_right() -> Result {
        if emulator()?.is_none() {
            return Ok(());
        }
        let programs: [(&str, &[&str]); 8] = [
            (env!("CARGO_BIN_EXE_vector_add"), &["--len", "1000"]),
            (env!("CARGO_BIN_EXE_block_sum"), &["--len", "1000"]),
            (env!("CARGO_BIN_EXE_histogram"), &["--len", "3000"]),
            (env!("CARGO_BIN_EXE_reduction"), &["--len", "3000"]),
            (env!("CARGO_BIN_EXE_scan"), &["--len", "3000"]),
            (env!("CARGO_BIN_EXE_matrix_mul"), &["--rows", "20", "--inner", "30", "--cols", "70"]),
            (env!("CARGO_BIN_EXE_transpose"), &["--rows", "40", "--cols", "50"]),
            (env!("CARGO_BIN_EXE_multi_device_jacobi"), &["--rows", "20", "--cols", "30", "--steps", "3"]),
        ];
        for (program, arguments) in programs {
            let mut command = Command::new(program);
            let output =
                command.args(arguments).env("GRIDWRIGHT_DEVICE", "emulator").output().expect("it starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{program}: {said}");
            assert!(!said.contains("warning"), "{program}: {said}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("emulated"), "{program}");
        }
        Ok(())
    }
}
