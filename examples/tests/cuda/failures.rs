//! What fails, and how it is told.

use gridwright::Error;
use gridwright::prelude::*;

use super::kernels::{advance, advanced, poke};
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
        println!("{call}: {}", error.map_or("fine".into(), |error| error.to_string()));
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
            println!("load: {error}");
        }
        return Ok(());
    }
    let said = child(name, &[]);
    let lost = |call: &str| {
        let line = said.lines().find(|line| line.starts_with(&format!("{call}: ")));
        let line = line.unwrap_or_else(|| panic!("no {call} in:\n{said}"));
        assert!(line.contains("` is lost: "), "{line}");
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

/// Loads an image that the driver refuses, which leaves the device as it was.
fn refused(device: &Device) -> Result<(String, String, String)> {
    let error = advance::load(device).expect_err("the driver refuses the image");
    let text = error.to_string();
    let Error::ImageRefused { kernel: "advance", architecture, reason, log, .. } = error else {
        panic!("{error}");
    };
    assert!(text.contains(&reason) && text.contains(&log) && architecture.starts_with("sm_"), "{text}");
    let stream = device.stream()?;
    assert_eq!(stream.download(&stream.upload(&[1_u32, 2])?)?, [1, 2]);
    Ok((text, reason, log))
}

#[test]
fn what_the_drivers_compiler_says_is_in_the_error() -> Result {
    let name = "failures::what_the_drivers_compiler_says_is_in_the_error";
    let Some(device) = device() else { return Ok(()) };
    if !is_child() {
        with_driver(&device, name, &[("GRIDWRIGHT_EMULATOR_UNKNOWN", "st.global.b32")]);
        return Ok(());
    }
    let (text, reason, log) = refused(&device)?;
    assert!(reason.contains("(CUDA_ERROR_INVALID_PTX)") && reason.contains("newer driver"), "{text}");
    assert!(log.starts_with("ptxas application ptx input, line "), "{text}");
    assert!(log.ends_with("not a name of any known instruction: `st.global.b32`"), "{text}");
    Ok(())
}

#[test]
fn a_driver_too_old_for_the_image_is_told_with_both_versions() -> Result {
    let name = "failures::a_driver_too_old_for_the_image_is_told_with_both_versions";
    let Some(device) = device() else { return Ok(()) };
    if !is_child() {
        with_driver(&device, name, &[("GRIDWRIGHT_EMULATOR_CUDA", "10.2")]);
        return Ok(());
    }
    let (text, reason, log) = refused(&device)?;
    assert!(reason.contains("(CUDA_ERROR_UNSUPPORTED_PTX_VERSION)"), "{text}");
    let versions = reason.split_once("the PTX is of version ").map(|(_, versions)| versions);
    let versions = versions.and_then(|versions| versions.split_once(", and the driver is for CUDA 10.2; "));
    let Some((ptx, remedy)) = versions else { panic!("{text}") };
    assert_eq!(remedy, "install a newer driver");
    assert!(log.contains(&format!("PTX {ptx} is newer than 6.5")), "{text}");
    Ok(())
}

#[test]
fn a_launch_without_registers_enough_says_what_to_do_and_nothing_runs() -> Result {
    let name = "failures::a_launch_without_registers_enough_says_what_to_do_and_nothing_runs";
    let Some(device) = device() else { return Ok(()) };
    if !is_child() {
        with_driver(&device, name, &[("GRIDWRIGHT_EMULATOR_REGISTERS", "128")]);
        return Ok(());
    }
    let stream = device.stream()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.upload(&[3_u32; 1024])?;
    let result = kernel.launch(&stream, LaunchConfig::threads(1024).block(1024), (1, &mut x));
    let Err(error @ Error::LaunchRefused { kernel: "advance", .. }) = result else { panic!("{result:?}") };
    let text = error.to_string();
    assert!(text.contains("(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)"), "{text}");
    assert!(text.contains("smaller block") && text.contains("`max_threads`"), "{text}");
    assert_eq!(stream.download(&x)?, [3; 1024]);
    kernel.launch(&stream, LaunchConfig::threads(1024).block(512), (1, &mut x))?;
    assert_eq!(stream.download(&x)?, [advanced(1, 3); 1024]);
    Ok(())
}
