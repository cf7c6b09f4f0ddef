//! What fails, and how it is told.

use gridwright::Error;
use gridwright::prelude::*;

use super::kernels::{advance, advanced, at_most_128, poke};
use super::setting::{Result, child, device, is_child, with_driver};

#[test]
fn more_memory_than_there_is_names_what_there_is_and_the_device_goes_on() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let error = stream.alloc_zeroed::<u8>(1 << 46).expect_err("64 TiB");
    let Error::OutOfMemory { requested, free: Some(free), total: Some(total), .. } = &error else {
        panic!("{error}");
    };
    assert!(*requested == 1 << 46 && free <= total && *total > 0, "{error}");
    assert_eq!(stream.download(&stream.upload(&[1_u32, 2])?)?, [1, 2]);
    Ok(())
}

#[test]
fn a_device_that_isnt_there_is_told_with_those_that_are() -> Result {
    let Some(device) = device() else { return Ok(()) };
    assert!(device.name().contains("(hip:0)"), "{}", device.name());
    assert_eq!(device.kind(), gridwright::DeviceKind::Hip);
    let error = Device::hip(usize::MAX).expect_err("there aren't as many");
    assert!(matches!(error, Error::NoDevice { .. }) && error.to_string().contains("hip:0"), "{error}");
    let all = Device::all()?;
    assert!(all.iter().any(|device| device.name().contains("(hip:0)")));
    Ok(())
}

#[test]
fn blocks_larger_than_the_kernel_allows_are_refused() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed::<u32>(256)?;
    let kernel = at_most_128::load(&device)?;
    let result = kernel.launch(&stream, LaunchConfig::threads(256).block(256), (&mut x,));
    assert!(matches!(result, Err(Error::InvalidConfig { .. })), "{result:?}");
    kernel.launch(&stream, LaunchConfig::threads(256).block(128), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [1; 256]);
    Ok(())
}

#[test]
fn what_only_nvidia_has_is_refused_with_the_reason() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed::<u32>(256)?;
    let kernel = advance::load(&device)?;
    let result = kernel.launch(&stream, LaunchConfig::grid(4, 64).cluster(2), (1, &mut x));
    let Err(error @ Error::AttributeUnsupported { attribute: "cluster", .. }) = result else {
        panic!("{result:?}");
    };
    assert!(error.to_string().contains("AMD's GPUs have no clusters"), "{error}");
    assert_eq!(stream.download(&x)?, [0; 256]);
    Ok(())
}

#[test]
fn a_device_that_no_image_is_for_is_told_with_the_setting_that_adds_one() -> Result {
    let name = "failures::a_device_that_no_image_is_for_is_told_with_the_setting_that_adds_one";
    let Some(device) = device() else { return Ok(()) };
    if !is_child() {
        with_driver(&device, name, &[("GRIDWRIGHT_EMULATOR_ARCHITECTURE", "gfx1030")]);
        return Ok(());
    }
    let error = advance::load(&device).expect_err("no image is for gfx1030");
    let text = error.to_string();
    assert!(matches!(error, Error::ImageMissing { kernel: "advance", .. }), "{text}");
    assert!(text.contains("gfx1030") && text.contains("`architectures`"), "{text}");
    assert!(text.contains("GRIDWRIGHT_ARCHITECTURES") && text.contains("GRIDWRIGHT_DEVICE=cpu"), "{text}");
    Ok(())
}

/// The oldest release that there are functions enough in: what it lacks is refused, and all else works.
#[test]
fn an_old_runtime_does_what_it_can() -> Result {
    let name = "failures::an_old_runtime_does_what_it_can";
    let Some(device) = device() else { return Ok(()) };
    if !is_child() {
        with_driver(&device, name, &[("GRIDWRIGHT_EMULATOR_HIP", "5.2")]);
        return Ok(());
    }
    let stream = device.stream()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.upload(&[3_u32; 64])?;
    kernel.launch(&stream, LaunchConfig::threads(64), (1, &mut x))?;
    assert_eq!(stream.download(&x)?, [advanced(1, 3); 64]);
    let result = kernel.launch(&stream, LaunchConfig::grid(1, 64).cooperative(), (1, &mut x));
    assert!(result.is_err(), "cooperative launches of modules came later");
    assert_eq!(stream.download(&x)?, [advanced(1, 3); 64]);
    Ok(())
}

/// Ends the device by a write far beyond all memory, and prints what each call says.
fn lose(device: &Device) -> Result {
    let (stream, other) = (device.stream()?, device.stream()?);
    let mut x = stream.alloc_zeroed::<u32>(4)?;
    let y = other.alloc_zeroed::<u32>(4)?;
    other.synchronize()?;
    let kernel = poke::load(device)?;
    // SAFETY: none: that is what is tested, on a device that no other test has.
    unsafe { kernel.launch(&stream, LaunchConfig::threads(1), (&mut x, 1 << 45)) }?;
    let say = |call: &str, error: Option<Error>| {
        println!("{call}: {}", error.map_or("fine".into(), |error| error.to_string()));
    };
    say("synchronize", stream.synchronize().err());
    say("again", stream.synchronize().err());
    say("download", other.download(&y).err());
    say("allocate", other.alloc_zeroed::<u32>(1).err());
    Ok(())
}

#[test]
fn a_lost_device_is_told_with_the_kernel_and_by_every_later_call() -> Result {
    let name = "failures::a_lost_device_is_told_with_the_kernel_and_by_every_later_call";
    let Some(device) = device() else { return Ok(()) };
    if is_child() {
        return lose(&device);
    }
    // AMD's own runtime ends the program.
    if !device.name().contains("Gridwright Emulated") {
        return Ok(());
    }
    let said = child(name, &[]);
    for call in ["synchronize", "again", "download", "allocate"] {
        let line = said.lines().find(|line| line.starts_with(&format!("{call}: ")));
        let line = line.unwrap_or_else(|| panic!("no {call} in:\n{said}"));
        assert!(line.contains("` is lost: ") && line.contains("in kernel `poke`"), "{line}");
    }
    let stream = device.stream()?;
    assert_eq!(stream.download(&stream.upload(&[1_u32])?)?, [1]);
    Ok(())
}
