//! Several devices.

use gridwright::Error;
use gridwright::prelude::*;

use super::kernels::{advance, advanced};
use super::setting::{Result, device, nth};

#[test]
fn two_devices_work_side_by_side_on_one_thread() -> Result {
    let (Some(first), Some(second)) = (nth(0), nth(1)) else { return Ok(()) };
    assert_ne!(first.name(), second.name());
    let devices = [first, second];
    let mut work = Vec::new();
    for device in &devices {
        let stream = device.stream()?;
        let x = stream.alloc_zeroed::<u32>(500)?;
        work.push((stream, advance::load(device)?, x));
    }
    // Turn by turn: each call is in the context of its device.
    for _ in 0..10 {
        for (stream, kernel, x) in &mut work {
            kernel.launch(stream, LaunchConfig::threads(500), (1, x))?;
        }
    }
    for (stream, _, x) in &work {
        assert_eq!(stream.download(x)?, [advanced(10, 0); 500]);
    }
    let (stream, ..) = &work[0];
    assert!(matches!(stream.download(&work[1].2), Err(Error::ForeignBuffer { .. })));
    Ok(())
}

#[test]
fn one_device_opened_twice_is_two() -> Result {
    let (Some(first), Some(second)) = (device(), device()) else { return Ok(()) };
    let x = first.stream()?.upload(&[1_u32, 2, 3])?;
    assert!(matches!(second.stream()?.download(&x), Err(Error::ForeignBuffer { .. })));
    drop(first);
    let y = second.stream()?.upload(&[4_u32])?;
    drop(second);
    drop(x);
    drop(y);
    Ok(())
}

#[test]
fn all_devices_are_listed_and_one_too_many_is_an_error() -> Result {
    if device().is_none() {
        return Ok(());
    }
    let all = Device::all()?;
    let gpus = all.iter().filter(|device| device.name().contains("cuda:")).count();
    assert!(gpus >= 1 && all.len() == gpus + 1);
    assert!(matches!(Device::cuda(gpus), Err(Error::NoDevice { .. })));
    assert!(matches!(Device::cuda(usize::MAX), Err(Error::NoDevice { .. })));
    Ok(())
}
