//! Copies between devices, and kernels that reach another device's memory.

use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::{result, sys};
use gridwright::prelude::*;
use gridwright::{DeviceKind, Error};

use super::kernels::{advance, advanced, mix, mixed};
use super::random::Random;
use super::setting::{Result, child, device, is_child, nth};

const LEN: usize = 300;

/// Runs a test on two devices, if there are two: emulated ones always, with delays that bring out a wait that is missing.
fn on_two(test: &str, body: impl FnOnce([Device; 2]) -> Result) -> Result {
    let Some(first) = device() else { return Ok(()) };
    if !is_child() {
        child(test, &[("GRIDWRIGHT_EMULATOR_DEVICES", "2"), ("GRIDWRIGHT_EMULATOR_DELAY_US", "300")]);
        return Ok(());
    }
    match nth(1) {
        Some(second) => body([first, second]),
        None => {
            assert!(!first.name().contains("Emulated"), "there are two emulated devices");
            Ok(())
        }
    }
}

#[test]
fn copies_are_in_order_on_both_devices() -> Result {
    on_two("peers::copies_are_in_order_on_both_devices", |[here, there]| {
        let (at_home, abroad) = (here.stream()?, there.stream()?);
        let (kernel, other) = (advance::load(&here)?, advance::load(&there)?);
        let mut x = at_home.upload(&(0..LEN as u32).collect::<Vec<_>>())?;
        let mut y = abroad.alloc_zeroed::<u32>(LEN)?;
        let threads = LaunchConfig::threads(LEN);
        for round in 0..10 {
            kernel.launch(&at_home, threads, (1, &mut x))?;
            // By the stream of the source, and by that of the target.
            if round % 2 == 0 { &at_home } else { &abroad }.copy(&x, &mut y)?;
            // What is written now isn't copied any more.
            kernel.launch(&at_home, threads, (1, &mut x))?;
            other.launch(&abroad, threads, (1, &mut y))?;
            if round % 3 == 0 { &at_home } else { &abroad }.copy(&y, &mut x)?;
        }
        let expected: Vec<_> = (0..LEN as u32).map(|i| advanced(20, i)).collect();
        assert_eq!(at_home.download(&x)?, expected);
        assert_eq!(abroad.download(&y)?, expected);
        Ok(())
    })
}

#[test]
fn a_copy_waits_for_who_reads_its_target_elsewhere() -> Result {
    on_two("peers::a_copy_waits_for_who_reads_its_target_elsewhere", |[here, there]| {
        let (stream, abroad) = (here.stream()?, there.stream()?);
        let mix = mix::load(&there)?;
        for round in 0..10 {
            let new = stream.upload(&[round + 1; LEN])?;
            let mut target = abroad.upload(&[7_u32; LEN])?;
            let mut seen = abroad.alloc_zeroed::<u32>(LEN)?;
            mix.launch(&abroad, LaunchConfig::threads(LEN), (0, &target, &target, &mut seen))?;
            stream.copy(&new, &mut target)?;
            assert_eq!(abroad.download(&seen)?, [mixed(0, 7, 7, 0); LEN], "round {round}");
            assert_eq!(abroad.download(&target)?, [round + 1; LEN], "round {round}");
        }
        Ok(())
    })
}

#[test]
fn the_source_is_not_written_before_it_was_copied() -> Result {
    on_two("peers::the_source_is_not_written_before_it_was_copied", |[here, there]| {
        let (stream, other, abroad) = (here.stream()?, here.stream()?, there.stream()?);
        for round in 0..10 {
            let mut source = stream.upload(&[round; LEN])?;
            let mut target = abroad.alloc_zeroed::<u32>(LEN)?;
            // The copy is the other device's work.
            abroad.copy(&source, &mut target)?;
            other.fill(&mut source, u32::MAX)?;
            assert_eq!(abroad.download(&target)?, [round; LEN]);
            assert_eq!(stream.download(&source)?, [u32::MAX; LEN]);
        }
        Ok(())
    })
}

#[test]
fn what_is_dropped_is_freed_behind_its_copy() -> Result {
    on_two("peers::what_is_dropped_is_freed_behind_its_copy", |[here, there]| {
        let (stream, abroad) = (here.stream()?, there.stream()?);
        for round in 0..20 {
            let source = stream.upload(&[1_u32; LEN])?;
            let mut target = abroad.alloc_zeroed::<u32>(LEN)?;
            let copying = if round % 2 == 0 { &stream } else { &abroad };
            copying.copy(&source, &mut target)?;
            drop(source);
            drop(target);
        }
        // Memory that was freed too early is a fault, which stays.
        stream.synchronize()?;
        abroad.synchronize()?;
        // Devices go with copies under way, in either order.
        let source = stream.upload(&[1_u32; LEN])?;
        let mut target = abroad.alloc_zeroed::<u32>(LEN)?;
        stream.copy(&source, &mut target)?;
        drop((source, stream, here));
        assert_eq!(abroad.download(&target)?, [1; LEN]);
        Ok(())
    })
}

/// Random work on two devices, compared with the same work done one after another.
fn random_work(devices: &[Device; 2], seed: u64) -> Result {
    let mut random = Random::new(seed);
    let mut streams = Vec::new();
    let mut kernels = Vec::new();
    for device in devices {
        streams.push([device.stream()?, device.stream()?]);
        kernels.push((mix::load(device)?, advance::load(device)?));
    }
    // Three on each device.
    let mut model = vec![vec![0_u32; LEN]; 6];
    let mut buffers =
        (0..6).map(|b| streams[b % 2][0].alloc_zeroed::<u32>(LEN)).collect::<Result<Vec<_>>>()?;
    for step in 0..150 {
        let b = random.below(6);
        let device = b % 2;
        let stream = streams[device][random.below(2)].clone();
        match random.below(10) {
            0..5 => {
                let from = random.below(6);
                if from != b {
                    let by = if random.below(2) == 0 { device } else { from % 2 };
                    let by = streams[by][random.below(2)].clone();
                    let mut to = std::mem::replace(&mut buffers[b], stream.alloc_zeroed(0)?);
                    by.copy(&buffers[from], &mut to)?;
                    buffers[b] = to;
                    model[b] = model[from].clone();
                }
            }
            5..7 => {
                let times = random.next() % 30;
                kernels[device].1.launch(&stream, LaunchConfig::threads(LEN), (times, &mut buffers[b]))?;
                model[b].iter_mut().for_each(|x| *x = advanced(times, *x));
            }
            7 => {
                let (x, y, k) = ((b + 2) % 6, (b + 4) % 6, random.next());
                let mut z = std::mem::replace(&mut buffers[b], stream.alloc_zeroed(0)?);
                let arguments = (k, &buffers[x], &buffers[y], &mut z);
                kernels[device].0.launch(&stream, LaunchConfig::threads(LEN), arguments)?;
                buffers[b] = z;
                model[b] = (0..LEN).map(|i| mixed(k, model[x][i], model[y][i], model[b][i])).collect();
            }
            8 => {
                buffers[b] = stream.alloc_zeroed(LEN)?;
                model[b].fill(0);
            }
            _ => assert_eq!(stream.download(&buffers[b])?, model[b], "seed {seed}, step {step}"),
        }
    }
    for (b, expected) in model.iter().enumerate() {
        assert_eq!(streams[b % 2][1].download(&buffers[b])?, *expected, "seed {seed}, at the end");
    }
    Ok(())
}

#[test]
fn random_work_on_two_devices_is_as_if_done_one_after_another() -> Result {
    on_two("peers::random_work_on_two_devices_is_as_if_done_one_after_another", |devices| {
        (0..10).try_for_each(|seed| random_work(&devices, seed))
    })
}

#[test]
fn a_launch_takes_another_devices_buffer_once_that_is_enabled() -> Result {
    on_two("peers::a_launch_takes_another_devices_buffer_once_that_is_enabled", |[here, there]| {
        let (stream, abroad) = (here.stream()?, there.stream()?);
        let (advance, mix) = (advance::load(&here)?, mix::load(&here)?);
        let on_the_other = advance::load(&there)?;
        let threads = LaunchConfig::threads(LEN);
        let mut x = abroad.alloc_zeroed::<u32>(LEN)?;
        let refused = advance.launch(&stream, threads, (1, &mut x));
        assert!(matches!(refused, Err(Error::ForeignBuffer { .. })), "{refused:?}");
        assert!(here.can_access_peer(&there)?);
        here.enable_peer_access(&there)?;
        here.enable_peer_access(&there)?;
        let mut seen = stream.alloc_zeroed::<u32>(LEN)?;
        for _ in 0..10 {
            on_the_other.launch(&abroad, threads, (1, &mut x))?;
            advance.launch(&stream, threads, (1, &mut x))?;
            on_the_other.launch(&abroad, threads, (1, &mut x))?;
            mix.launch(&stream, threads, (0, &x, &x, &mut seen))?;
        }
        let expected =
            (1..=10).fold(0, |z, round| mixed(0, advanced(3 * round, 0), advanced(3 * round, 0), z));
        assert_eq!(stream.download(&seen)?, [expected; LEN]);
        advance.launch(&stream, threads, (1, &mut x))?;
        assert_eq!(abroad.download(&x)?, [advanced(31, 0); LEN]);
        // Freed behind the other device's kernel.
        for _ in 0..10 {
            let mut dropped = abroad.alloc_zeroed::<u32>(LEN)?;
            advance.launch(&stream, threads, (1, &mut dropped))?;
        }
        stream.synchronize()?;
        // In one direction only.
        let refused = on_the_other.launch(&abroad, threads, (1, &mut seen));
        assert!(matches!(refused, Err(Error::ForeignBuffer { .. })), "{refused:?}");
        Ok(())
    })
}

#[test]
fn the_driver_is_told_of_enabled_access() -> Result {
    on_two("peers::the_driver_is_told_of_enabled_access", |[here, there]| {
        let access_of_first = || {
            let mut flags = sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
            let mut location =
                sys::CUmemLocation { type_: sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE, id: 0 };
            // SAFETY: a device of the driver; a place for the result, and a location.
            unsafe {
                let pool = result::device::get_default_mem_pool(1).expect("a pool");
                sys::cuMemPoolGetAccess(&raw mut flags, pool, &raw mut location).result().expect("known");
            }
            flags
        };
        assert_eq!(access_of_first(), sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE);
        here.enable_peer_access(&there)?;
        assert_eq!(access_of_first(), sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
        // The first device's context is current, and has the other's as a peer.
        // SAFETY: both devices are open.
        let again = unsafe {
            let context = result::primary_ctx::retain(1).expect("it is there");
            here.stream()?.synchronize()?;
            let again = sys::cuCtxEnablePeerAccess(context, 0);
            result::primary_ctx::release(1).expect("retained above");
            again
        };
        assert_eq!(again, sys::CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
        Ok(())
    })
}

#[test]
fn one_device_opened_twice_is_its_own_peer() -> Result {
    let (Some(first), Some(second)) = (device(), device()) else { return Ok(()) };
    let (stream, other) = (first.stream()?, second.stream()?);
    let x = stream.upload(&[3_u32; LEN])?;
    let mut y = other.alloc_zeroed::<u32>(LEN)?;
    stream.copy(&x, &mut y)?;
    assert!(first.can_access_peer(&second)?);
    first.enable_peer_access(&second)?;
    advance::load(&first)?.launch(&stream, LaunchConfig::threads(LEN), (1, &mut y))?;
    assert_eq!(other.download(&y)?, [advanced(1, 3); LEN]);
    Ok(())
}

#[test]
fn the_cpu_and_a_gpu_copy_through_the_host_and_reach_nothing() -> Result {
    let Some(gpu) = device() else { return Ok(()) };
    let cpu = Device::cpu()?;
    let (stream, of_cpu) = (gpu.stream()?, cpu.stream()?);
    let kernel = advance::load(&gpu)?;
    for by in [&stream, &of_cpu] {
        let mut x = of_cpu.upload(&[5_u32; LEN])?;
        let mut y = stream.alloc_zeroed::<u32>(LEN)?;
        by.copy(&x, &mut y)?;
        kernel.launch(&stream, LaunchConfig::threads(LEN), (1, &mut y))?;
        by.copy(&y, &mut x)?;
        assert_eq!(of_cpu.download(&x)?, [advanced(1, 5); LEN]);
    }
    assert!(!gpu.can_access_peer(&cpu)? && !cpu.can_access_peer(&gpu)?);
    let error = gpu.enable_peer_access(&cpu).expect_err("they aren't peers");
    assert!(matches!(&error, Error::PeerAccess { .. }) && error.to_string().contains("copy it"), "{error}");
    assert!(matches!(cpu.enable_peer_access(&gpu), Err(Error::PeerAccess { .. })));
    assert_eq!((gpu.kind(), cpu.kind()), (DeviceKind::Cuda, DeviceKind::Cpu));
    // A third device's stream has nothing to do with it.
    let third = Device::cpu()?.stream()?;
    let (x, mut y) = (of_cpu.upload(&[1_u32])?, stream.upload(&[2_u32])?);
    assert!(matches!(third.copy(&x, &mut y), Err(Error::ForeignBuffer { .. })));
    Ok(())
}

#[test]
fn replays_and_another_devices_work_take_turns() -> Result {
    on_two("peers::replays_and_another_devices_work_take_turns", |[here, there]| {
        let (stream, abroad) = (here.stream()?, there.stream()?);
        let (kernel, on_the_other) = (advance::load(&here)?, advance::load(&there)?);
        let threads = LaunchConfig::threads(LEN);
        let mut y = abroad.alloc_zeroed::<u32>(LEN)?;
        let graph = abroad.capture(|stream| on_the_other.launch(stream, threads, (10, &mut y)))?;
        let mut x = stream.alloc_zeroed::<u32>(LEN)?;
        here.enable_peer_access(&there)?;
        for round in 0..10 {
            graph.launch(&abroad)?;
            stream.copy(&y, &mut x)?;
            graph.launch(&abroad)?;
            assert_eq!(stream.download(&x)?, [advanced(21 * round + 10, 0); LEN]);
            kernel.launch(&stream, threads, (1, &mut y))?;
        }
        // From another thread, at whatever moment: between two replays all the same.
        let mut copies = (0..100).map(|_| stream.alloc_zeroed::<u32>(LEN)).collect::<Result<Vec<_>>>()?;
        let is_over = AtomicBool::new(false);
        let replays = std::thread::scope(|scope| {
            let replaying = scope.spawn(|| {
                let mut replays = 0;
                while replays < 2000 && !is_over.load(Ordering::Relaxed) {
                    graph.launch(&abroad)?;
                    replays += 1;
                }
                Ok::<_, Error>(replays)
            });
            let worked = copies.iter_mut().try_for_each(|x| {
                stream.copy(&y, x)?;
                kernel.launch(&stream, threads, (1, &mut y))
            });
            is_over.store(true, Ordering::Relaxed);
            let replays = replaying.join().expect("it ends well")?;
            worked.map(|()| replays)
        })?;
        for (i, x) in copies.iter().enumerate() {
            let seen = stream.download(x)?;
            assert!(seen.iter().all(|&value| value == seen[0]), "copy {i}: {seen:?}");
        }
        assert_eq!(abroad.download(&y)?, [advanced(210 + 10 * replays + 100, 0); LEN]);
        Ok(())
    })
}
