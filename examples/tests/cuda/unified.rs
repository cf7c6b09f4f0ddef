//! Memory that host and device share.

use cudarc::driver::sys;
use gridwright::Error;
use gridwright::memory::UnifiedBuffer;
use gridwright::prelude::*;

use super::kernels::{advance, advanced, demand, group_sums, mix, mixed, poke};
use super::setting::{Result, child, device, is_child};

const LEN: usize = 300;
const DELAY: (&str, &str) = ("GRIDWRIGHT_EMULATOR_DELAY_US", "300");

/// Runs a test with both kinds of memory, on an emulated device with delays that bring out a wait that is missing.
fn with_both(
    test: &str,
    body: impl Fn(&Device, fn(&Stream, usize) -> Result<UnifiedBuffer<u32>>) -> Result,
) -> Result {
    if device().is_none() {
        return Ok(());
    }
    if !is_child() {
        child(test, &[DELAY]);
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    body(&device, |stream, len| stream.alloc_unified(len))?;
    body(&device, |stream, len| stream.alloc_mapped(len))
}

#[test]
fn the_host_sees_what_kernels_wrote() -> Result {
    with_both("unified::the_host_sees_what_kernels_wrote", |device, alloc| {
        let streams = [device.stream()?, device.stream()?];
        let kernel = advance::load(device)?;
        let mut x = alloc(&streams[0], LEN)?;
        assert_eq!(x.read()?, [0; LEN]);
        for round in 1..=20 {
            kernel.launch(&streams[round % 2], LaunchConfig::threads(LEN), (1, &mut x))?;
            assert_eq!(x.read()?, [advanced(round as u32, 0); LEN], "round {round}");
        }
        Ok(())
    })
}

#[test]
fn the_host_does_not_write_before_kernels_have_read() -> Result {
    with_both("unified::the_host_does_not_write_before_kernels_have_read", |device, alloc| {
        let (stream, other) = (device.stream()?, device.stream()?);
        let kernel = mix::load(device)?;
        let mut x = alloc(&stream, LEN)?;
        let (mut y, mut z) = (stream.alloc_zeroed::<u32>(LEN)?, other.alloc_zeroed::<u32>(LEN)?);
        let mut expected = 0;
        for round in 1..=20 {
            x.write()?.fill(round);
            expected = mixed(0, round, round, expected);
            kernel.launch(&stream, LaunchConfig::threads(LEN), (0, &x, &x, &mut y))?;
            kernel.launch(&other, LaunchConfig::threads(LEN), (0, &x, &x, &mut z))?;
            // The host may read meanwhile.
            assert_eq!(x.read()?, [round; LEN]);
        }
        x.write()?.fill(0);
        assert_eq!(stream.download(&y)?, [expected; LEN]);
        assert_eq!(other.download(&z)?, [expected; LEN]);
        Ok(())
    })
}

#[test]
fn what_is_dropped_is_freed_behind_its_uses() -> Result {
    with_both("unified::what_is_dropped_is_freed_behind_its_uses", |device, alloc| {
        let (stream, other) = (device.stream()?, device.stream()?);
        let kernel = advance::load(device)?;
        for _ in 0..20 {
            let mut x = alloc(&stream, LEN)?;
            kernel.launch(&stream, LaunchConfig::threads(LEN), (10, &mut x))?;
            kernel.launch(&other, LaunchConfig::threads(LEN), (10, &mut x))?;
        }
        // Memory that was freed too early is a fault, which stays.
        stream.synchronize()?;
        other.synchronize()
    })
}

#[test]
fn it_is_copied_filled_and_cut_like_a_buffer() -> Result {
    with_both("unified::it_is_copied_filled_and_cut_like_a_buffer", |device, alloc| {
        let stream = device.stream()?;
        let mut x = alloc(&stream, LEN)?;
        stream.fill(&mut x.slice_mut(100..)?, 3)?;
        assert!(x.read()?.iter().enumerate().all(|(i, &value)| value == if i < 100 { 0 } else { 3 }));
        let mut plain = stream.alloc_zeroed::<u32>(LEN)?;
        stream.copy(&x, &mut plain)?;
        x.write()?.fill(9);
        assert_eq!(stream.download(&plain.slice(100..)?)?, [3; LEN - 100]);
        stream.copy(&plain, &mut x)?;
        assert_eq!(x.read()?[100..], [3; LEN - 100]);
        stream.copy_from_slice(&mut x, &[4; LEN])?;
        assert_eq!(stream.download(&x.slice(1..3)?)?, [4, 4]);
        let mut pinned = stream.pinned::<u32>(LEN)?;
        pinned.fill(5);
        let sent = stream.copy_from_pinned(&mut x, pinned)?;
        assert_eq!(x.read()?, [5; LEN]);
        let received = stream.copy_to_pinned(&x, sent.wait()?)?;
        x.write()?.fill(6);
        assert_eq!(received.wait()?[..], [5; LEN]);
        // With another device, and with the CPU.
        let (Some(second), cpu) = (super::setting::device(), Device::cpu()?) else { return Ok(()) };
        let (abroad, of_cpu) = (second.stream()?, cpu.stream()?);
        let mut y = alloc(&abroad, LEN)?;
        stream.copy(&x, &mut y)?;
        x.write()?.fill(7);
        assert_eq!(y.read()?, [6; LEN]);
        let mut z = of_cpu.alloc_unified(LEN)?;
        stream.copy(&y.slice(1..)?, &mut x.slice_mut(1..)?)?;
        of_cpu.copy(&x, &mut z)?;
        assert!(z.read()?[0] == 7 && z.read()?[1..] == [6; LEN - 1]);
        Ok(())
    })
}

#[test]
fn groups_write_it_too_and_nothing_of_it_is_nothing() -> Result {
    with_both("unified::groups_write_it_too_and_nothing_of_it_is_nothing", |device, alloc| {
        let stream = device.stream()?;
        let (mut x, mut sums) = (alloc(&stream, 512)?, alloc(&stream, 2)?);
        x.write()?.iter_mut().zip(0..).for_each(|(x, i)| *x = i);
        group_sums::load(device)?.launch(&stream, LaunchConfig::grid(2, 256), (&x, &mut sums))?;
        let expected = [(0..256).sum::<u32>(), (256..512).sum()];
        assert_eq!(sums.read()?, expected);
        let mut nothing = alloc(&stream, 0)?;
        assert!(nothing.is_empty() && nothing.read()?.is_empty() && nothing.write()?.is_empty());
        let enough = alloc(&stream, usize::MAX / 8);
        assert!(matches!(enough, Err(Error::OutOfMemory { .. })), "{enough:?}");
        Ok(())
    })
}

#[test]
fn looking_reports_a_panic_and_a_loss() -> Result {
    if device().is_none() {
        return Ok(());
    }
    if !is_child() {
        child("unified::looking_reports_a_panic_and_a_loss", &[DELAY]);
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.alloc_unified::<u32>(LEN)?;
    demand::load(&device)?.launch(&stream, LaunchConfig::threads(LEN), (1, &mut x))?;
    assert!(matches!(x.read(), Err(Error::KernelPanic { kernel: "demand", .. })));
    assert_eq!(x.read()?, [0; LEN]);
    // SAFETY: the element isn't there: this is what ends a device.
    unsafe { poke::load(&device)?.launch(&stream, LaunchConfig::threads(1), (&mut x, 1 << 45))? };
    assert!(matches!(x.read(), Err(Error::DeviceLost { .. })));
    assert!(matches!(x.write(), Err(Error::DeviceLost { .. })));
    Ok(())
}

/// Whether the driver manages the memory of an address.
fn is_managed<T>(address: *const T) -> bool {
    let mut is_managed = 0_u32;
    let attribute = sys::CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_MANAGED;
    // SAFETY: a number to write, which is longer than the answer.
    unsafe { sys::cuPointerGetAttribute((&raw mut is_managed).cast(), attribute, address as u64) }
        .result()
        .expect("the driver knows the address");
    is_managed != 0
}

#[test]
fn pages_move_only_where_the_host_may_look_at_any_time() -> Result {
    let Some(there) = device() else { return Ok(()) };
    if !is_child() {
        let test = "unified::pages_move_only_where_the_host_may_look_at_any_time";
        let switch = "GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS";
        for (value, expected) in [("1", "managed: true"), ("0", "managed: false")] {
            let said = child(test, &[(switch, value)]);
            assert!(said.contains(expected) || !there.name().contains("Emulated"), "{value}: {said}");
        }
        return Ok(());
    }
    let stream = there.stream()?;
    let (unified, mapped) = (stream.alloc_unified::<u32>(LEN)?, stream.alloc_mapped::<u32>(LEN)?);
    assert!(!is_managed(mapped.read()?.as_ptr()));
    println!("managed: {}", is_managed(unified.read()?.as_ptr()));
    Ok(())
}
