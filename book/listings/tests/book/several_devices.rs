//! Chapter "Several devices".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

#[gpu_kernel]
fn square_all(t: Thread, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x *= *x;
    }
}

// ANCHOR: devices
/// All devices of the kind of the one that the environment names.
#[host_only]
fn devices() -> Result<Vec<Device>, Error> {
    let first = Device::from_env()?;
    let all = Device::all()?.into_iter();
    let mut same: Vec<_> = all.filter(|device| device.kind() == first.kind()).collect();
    if same.is_empty() {
        same.push(first); // the emulator isn't listed
    }
    Ok(same)
}
// ANCHOR_END: devices

// ANCHOR: split
/// Squares the elements, a part on each device.
#[host_only]
fn squares(devices: &[Device], elements: &mut [f32]) -> Result<(), Error> {
    let part = elements.len().div_ceil(devices.len());
    let mut work = Vec::new();
    for (device, elements) in devices.iter().zip(elements.chunks(part)) {
        let stream = device.stream()?;
        let mut x = stream.upload(elements)?;
        let config = LaunchConfig::threads(elements.len());
        square_all::load(device)?.launch(&stream, config, (&mut x,))?; // doesn't wait on a GPU
        work.push((stream, x));
    }
    for ((stream, x), elements) in work.iter().zip(elements.chunks_mut(part)) {
        stream.copy_to_slice(x, elements)?;
    }
    Ok(())
}
// ANCHOR_END: split

// ANCHOR: copy
#[host_only]
fn from_device_to_device(one: &Device, other: &Device) -> Result<(), Error> {
    let (here, there) = (one.stream()?, other.stream()?);
    let mut x = here.upload(&[1.0, 2.0, 3.0])?;
    let mut y = there.alloc_zeroed(3)?;
    square_all::load(one)?.launch(&here, LaunchConfig::threads(3), (&mut x,))?;
    here.copy(&x, &mut y)?; // after the kernel
    square_all::load(other)?.launch(&there, LaunchConfig::threads(3), (&mut y,))?; // after the copy
    assert_eq!(there.download(&y)?, [1.0, 16.0, 81.0]);
    Ok(())
}
// ANCHOR_END: copy

// ANCHOR: peer
#[host_only]
fn reach_over(one: &Device, other: &Device) -> Result<(), Error> {
    if !one.can_access_peer(other)? {
        return Ok(()); // copy instead
    }
    one.enable_peer_access(other)?;
    let (here, there) = (one.stream()?, other.stream()?);
    let mut x = there.upload(&[1.0, 2.0, 3.0])?;
    square_all::load(one)?.launch(&here, LaunchConfig::threads(3), (&mut x,))?;
    assert_eq!(there.download(&x)?, [1.0, 4.0, 9.0]); // after the kernel
    Ok(())
}
// ANCHOR_END: peer

#[test]
fn listings_run() -> Result<(), Error> {
    // Two of the CPU are two devices: what works with them works with two GPUs.
    let pair = [Device::cpu()?, Device::cpu()?];
    let mut x: Vec<f32> = (0..101).map(|i| i as f32).collect();
    squares(&pair, &mut x)?;
    assert!(x.iter().enumerate().all(|(i, &x)| x == (i * i) as f32));
    assert!(!devices()?.is_empty());
    from_device_to_device(&pair[0], &pair[1])?;
    reach_over(&pair[0], &pair[1])
}

#[test]
fn a_buffer_of_another_device_is_refused() -> Result<(), Error> {
    let (one, other) = (Device::cpu()?, Device::cpu()?);
    let mut x = other.stream()?.upload(&[1.0, 2.0, 3.0])?;
    let kernel = square_all::load(&one)?;
    let refused = kernel.launch(&one.stream()?, LaunchConfig::threads(3), (&mut x,));
    assert!(matches!(refused, Err(Error::ForeignBuffer { .. })));
    Ok(())
}

// ANCHOR: relay
/// Has each device in turn square the elements, which go from one to the next.
#[host_only]
fn relay(devices: &[Device], elements: &[f32]) -> Result<Vec<f32>, Error> {
    let first = devices[0].stream()?;
    let mut x = first.upload(elements)?;
    let mut stream = first;
    for (number, device) in devices.iter().enumerate() {
        if number > 0 {
            let next = device.stream()?;
            let mut y = next.alloc_zeroed(elements.len())?;
            stream.copy(&x, &mut y)?;
            (x, stream) = (y, next);
        }
        let config = LaunchConfig::threads(elements.len());
        square_all::load(device)?.launch(&stream, config, (&mut x,))?;
    }
    stream.download(&x)
}
// ANCHOR_END: relay

#[test]
fn solutions() -> Result<(), Error> {
    let devices = [Device::cpu()?, Device::cpu()?, Device::cpu()?];
    assert_eq!(relay(&devices, &[1.0, 2.0])?, [1.0, 256.0]);
    Ok(())
}
