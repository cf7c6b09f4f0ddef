//! What fails, and how it is told.

use gridwright::Error;
use gridwright::prelude::*;

use super::kernels::{advance, poke};
use super::setting::{Result, child, device, is_child};

#[test]
fn more_memory_than_there_is_names_what_there_is_and_the_device_goes_on() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let error = stream.alloc_zeroed::<u8>(1 << 46).expect_err("64 TiB");
    let Error::OutOfMemory { requested, free: Some(free), total: Some(total), .. } = &error else {
        panic!("{error}");
    };
    assert!(*requested == 1 << 46 && free <= total && *total > 0, "{error}");
    assert!(error.to_string().contains("are free"), "{error}");
    assert_eq!(stream.download(&stream.upload(&[1_u32, 2])?)?, [1, 2]);
    Ok(())
}

#[test]
fn a_launch_that_the_driver_refuses_leaves_the_stream_as_it_was() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed::<u32>(4)?;
    let kernel = advance::load(&device)?;
    let result = kernel.launch(&stream, LaunchConfig::grid(1, 1 << 20), (1, &mut x));
    assert!(matches!(result, Err(Error::InvalidConfig { .. })), "{result:?}");
    stream.synchronize()?;
    assert_eq!(stream.download(&x)?, [0; 4]);
    Ok(())
}

/// Ends the device by a write far beyond all memory, and prints what each call says.
fn lose(device: &Device) -> Result {
    let (stream, other) = (device.stream()?, device.stream()?);
    let mut x = stream.alloc_zeroed::<u32>(4)?;
    let y = other.alloc_zeroed::<u32>(4)?;
    other.synchronize()?;
    let pending = other.copy_to_pinned(&y, other.pinned(4)?)?;
    let kernel = poke::load(device)?;
    // SAFETY: none: that is what is tested, on a device that no other test has.
    unsafe { kernel.launch(&stream, LaunchConfig::threads(1), (&mut x, 1 << 45)) }?;
    let say = |call: &str, error: Option<Error>| {
        println!("{call}: {}", error.map_or("fine".into(), |error| format!("{error:?} {error}")));
    };
    say("synchronize", stream.synchronize().err());
    say("again", stream.synchronize().err());
    say("download", other.download(&y).err());
    say("launch", advance::load(device)?.launch(&other, LaunchConfig::threads(4), (1, &mut x)).err());
    say("allocate", other.alloc_zeroed::<u32>(1).err());
    say("stream", device.stream().err());
    say("record", other.record().err());
    drop(pending);
    Ok(())
}

#[test]
fn a_lost_device_is_told_with_the_kernel_and_by_every_later_call() -> Result {
    let name = "failures::a_lost_device_is_told_with_the_kernel_and_by_every_later_call";
    let Some(device) = device() else { return Ok(()) };
    if is_child() {
        // The next-to-last step loads a kernel, which a lost device refuses too.
        if let Err(error) = lose(&device) {
            println!("load: {error:?} {error}");
        }
        return Ok(());
    }
    let said = child(name, &[]);
    let lost = |call: &str| {
        let line = said.lines().find(|line| line.starts_with(&format!("{call}: ")));
        let line = line.unwrap_or_else(|| panic!("no {call} in:\n{said}"));
        assert!(line.contains("DeviceLost"), "{line}");
        assert!(line.contains("in kernel `poke`") && line.contains("start the program again"), "{line}");
        line.split_once(": ").map(|(_, error)| error.to_owned())
    };
    let first = lost("synchronize");
    for call in ["again", "download", "load"] {
        assert_eq!(lost(call), first, "{call}");
    }
    // This process's device is fine.
    let stream = device.stream()?;
    assert_eq!(stream.download(&stream.upload(&[1_u32])?)?, [1]);
    Ok(())
}
