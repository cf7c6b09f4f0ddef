//! What threads leave for the host: panics and printed lines.

use std::sync::{Arc, Mutex};

use gridwright::Error;
use gridwright::prelude::*;

use super::kernels::{advance, advanced, fails};
use super::setting::{Result, device};

#[test]
fn a_panic_is_told_with_its_message_and_place_and_the_device_goes_on() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = fails::load(&device)?;
    let mut values = vec![0_u32; 300];
    values[130] = 7;
    let mut x = stream.upload(&values)?;
    kernel.launch(&stream, LaunchConfig::threads(300).block(64), (7, &mut x))?;
    let error = stream.synchronize().expect_err("a thread panicked");
    let Error::KernelPanic { kernel: name, message, file, group, thread, others, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!((*name, message.as_str(), *others), ("fails", "as bad as it gets", 0));
    assert!(file.ends_with("driver/kernels.rs"), "{file}");
    assert_eq!((*group, *thread), ([2, 0, 0], [2, 0, 0]));
    // Once; and the device is what it was.
    stream.synchronize()?;
    let mut y = stream.upload(&[3_u32; 10])?;
    advance::load(&device)?.launch(&stream, LaunchConfig::threads(10), (2, &mut y))?;
    assert_eq!(stream.download(&y)?, [advanced(2, 3); 10]);
    Ok(())
}

#[test]
fn a_message_with_values_leaves_them_out() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = super::told_kernels::indexes::load(&device)?;
    let x = stream.upload(&[1_u32; 4])?;
    let mut y = stream.alloc_zeroed::<u32>(4)?;
    kernel.launch(&stream, LaunchConfig::threads(4), (10, &x, &mut y))?;
    let error = stream.synchronize().expect_err("a thread panicked");
    let Error::KernelPanic { message, .. } = &error else { panic!("{error:?}") };
    assert!(message.starts_with("index out of bounds: the len is … but the index is … ("), "{message}");
    Ok(())
}

#[test]
fn printed_lines_reach_the_host_in_order_of_waves() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    device.on_print(move |line| kept.lock().expect("no panic").push(line.to_owned()));
    let stream = device.stream()?;
    let mut x = stream.upload(&[5_u32, 6, 7])?;
    super::told_kernels::speaks::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&mut x,))?;
    stream.synchronize()?;
    let mut lines = lines.lock().expect("no panic").clone();
    lines.sort();
    assert_eq!(lines, ["thread 0 has 5 of gfx", "thread 1 has 6 of gfx", "thread 2 has 7 of gfx"]);
    Ok(())
}
