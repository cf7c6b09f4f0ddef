//! Clocks, sleep, fences, traps.

use gridwright::atomic::fence;
use gridwright::prelude::*;

/// Reads both clocks around a sleep.
#[gpu_kernel]
fn measured(t: Thread, sleep: u32, mut out: PerThread<[[u64; 4]]>) {
    let (cycles, time) = (t.clock(), t.nanoseconds());
    t.sleep(sleep);
    let (later, time_later) = (t.clock(), t.nanoseconds());
    if let Some(out) = out.get_mut(t) {
        *out = [cycles, later, time, time_later];
    }
}

/// Each thread leaves a number and a word that says so, in an order of each scope.
#[gpu_kernel(block = 64)]
unsafe fn fenced(t: Thread, numbers: *mut u32, flags: *mut u32) {
    let i = t.index();
    // SAFETY: there are elements for each thread.
    unsafe { numbers.add(i).write_volatile(i as u32) };
    fence(t, Scope::Workgroup);
    fence(t, Scope::Device);
    fence(t, Scope::System);
    // SAFETY: there are elements for each thread.
    unsafe { flags.add(i).write_volatile(1) };
}

/// The thread of a number ends the launch.
#[gpu_kernel]
fn trapped(t: Thread, at: usize, mut out: PerThread<[u32]>) {
    if t.index() == at {
        t.trap();
    }
    if let Some(out) = out.get_mut(t) {
        *out = 1;
    }
}

/// Stops in a debugger, if it is asked to.
#[gpu_kernel]
fn stopped(t: Thread, does: u32) {
    if does == 1 {
        t.breakpoint();
    }
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::{DeviceKind, Error};

    use super::*;
    use crate::device;
    use crate::ptx::entry;

    #[test]
    fn time_goes_on() -> Result<(), Error> {
        let device = device()?;
        if device.name().contains("Emulated GPU gfx") {
            eprintln!("SKIPPED: this emulator has no instructions that read clocks");
            return Ok(());
        }
        let stream = device.stream()?;
        let kernel = measured::load(&device)?;
        let mut out = stream.alloc_zeroed::<u64>(4 * 40)?;
        // The longest is shortened to a millisecond.
        for sleep in [0, 20_000, u32::MAX] {
            kernel.launch(&stream, LaunchConfig::threads(40), (sleep, &mut out))?;
            let times = stream.download(&out)?;
            for times in times.chunks(4) {
                let [_, _, before, after] = *times else { unreachable!() };
                assert!(before <= after && after - before < 60_000_000_000, "{times:?}");
            }
            // A counter of few bits runs over; not for all threads at once.
            assert!(times.chunks(4).any(|times| times[0] < times[1]), "{times:?}");
        }
        Ok(())
    }

    #[test]
    fn fences_of_each_scope() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let (mut numbers, mut flags) = (stream.alloc_zeroed(64)?, stream.alloc_zeroed(64)?);
        // SAFETY: there are elements for each thread.
        unsafe {
            fenced::load(&device)?.launch(&stream, LaunchConfig::threads(64), (&mut numbers, &mut flags))?;
        }
        assert_eq!(stream.download(&numbers)?, (0..64).collect::<Vec<u32>>());
        assert_eq!(stream.download(&flags)?, [1; 64]);
        Ok(())
    }

    #[test]
    fn a_trap_is_an_error() -> Result<(), Error> {
        let device = match device()? {
            // It would end what the other tests do there.
            device if device.kind() == DeviceKind::Cuda => Device::emulator()?,
            device => device,
        };
        let stream = device.stream()?;
        let mut out = stream.alloc_zeroed(64)?;
        let kernel = trapped::load(&device)?;
        kernel.launch(&stream, LaunchConfig::threads(64), (64_usize, &mut out))?;
        assert_eq!(stream.download(&out)?, [1; 64]);
        let launched = kernel.launch(&stream, LaunchConfig::threads(64), (33_usize, &mut out));
        let error = launched.and_then(|()| stream.synchronize()).unwrap_err();
        match device.kind() {
            DeviceKind::Cpu => {
                assert!(matches!(&error, Error::KernelPanic { message, .. } if message == "trap"), "{error}");
            }
            _ => assert!(error.to_string().contains("trap"), "{error}"),
        }
        Ok(())
    }

    #[test]
    fn a_breakpoint_that_isnt_reached_does_nothing() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        stopped::load(&device)?.launch(&stream, LaunchConfig::threads(64), (0,))?;
        stream.synchronize()
    }

    #[test]
    fn instructions_of_nvidia() {
        let Some(measured) = entry("measured") else { return };
        assert_eq!(measured.matches("%clock64").count(), 2, "{measured}");
        assert_eq!(measured.matches("%globaltimer").count(), 2, "{measured}");
        assert!(measured.contains("nanosleep.u32"), "{measured}");
        let (Some(fenced), Some(stopped)) = (entry("fenced"), entry("stopped")) else { return };
        assert!(["cta", "gpu", "sys"].iter().all(|scope| fenced.contains(&format!("fence.sc.{scope}"))));
        assert!(stopped.contains("brkpt"), "{stopped}");
    }
}
