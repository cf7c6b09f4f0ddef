//! What the driver says of kernels, blocks by occupancy, cooperative launches.

use gridwright::prelude::*;
use gridwright::{ConfigError, Error};

use super::kernels::{advance, at_most_128, group_sums};
use super::setting::{Result, device};

#[test]
fn attributes_are_those_of_the_kernel() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let attributes = advance::load(&device)?.attributes()?;
    assert!(attributes.registers.is_some_and(|registers| (1..=255).contains(&registers)), "{attributes:?}");
    assert_eq!((attributes.local_bytes, attributes.workgroup_bytes), (0, 0));
    assert!(attributes.most_threads <= device.limits().threads_per_group);
    assert_eq!(at_most_128::load(&device)?.attributes()?.most_threads, 128);
    // For collectives a kilobyte, and 256 elements.
    assert_eq!(group_sums::load(&device)?.attributes()?.workgroup_bytes, 2048);
    Ok(())
}

#[test]
fn occupancy_is_between_nothing_and_all() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let kernel = advance::load(&device)?;
    for block in [32, 256, 1024] {
        let occupancy = kernel.occupancy(block)?;
        assert!(occupancy.groups() >= occupancy.processors, "{occupancy:?}");
        assert!(occupancy.fraction() > 0.0 && occupancy.fraction() <= 1.0, "{occupancy:?}");
        assert_eq!(occupancy.threads_per_group, block);
    }
    assert!(matches!(kernel.occupancy(0), Err(Error::InvalidConfig { .. })));
    assert!(matches!(kernel.occupancy(2048), Err(Error::InvalidConfig { .. })));
    assert!(matches!(at_most_128::load(&device)?.occupancy(256), Err(Error::InvalidConfig { .. })));
    Ok(())
}

#[test]
fn blocks_by_occupancy_run_all_threads() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    for n in [1, 31, 1000, 5000] {
        let mut x = stream.alloc_zeroed::<u32>(n)?;
        at_most_128::load(&device)?.launch(&stream, LaunchConfig::threads(n), (&mut x,))?;
        at_most_128::load(&device)?.launch(&stream, LaunchConfig::threads(n).block(32), (&mut x,))?;
        assert_eq!(stream.download(&x)?, vec![2; n]);
    }
    Ok(())
}

#[test]
fn groups_have_the_documented_size_whatever_the_driver_thinks() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let x = stream.upload(&[1_u32; 1024])?;
    let mut sums = stream.alloc_zeroed(4)?;
    group_sums::load(&device)?.launch(&stream, LaunchConfig::threads(1024), (&x, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [256; 4]);
    Ok(())
}

#[test]
fn cooperative_launches_fit_or_are_refused() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = group_sums::load(&device)?;
    let x = stream.upload(&[1_u32; 512])?;
    let mut sums = stream.alloc_zeroed(2)?;
    let config = |groups| LaunchConfig::grid(groups, 256).cooperative();
    match kernel.launch(&stream, config(2), (&x, &mut sums)) {
        Ok(()) => assert_eq!(stream.download(&sums)?, [256; 2]),
        Err(Error::InvalidConfig { reason: ConfigError::Cooperative { most: 0, .. }, .. }) => return Ok(()),
        Err(error) => return Err(error),
    }
    let most = kernel.occupancy(256)?.groups();
    let error = kernel.launch(&stream, config(most + 1), (&x, &mut sums)).expect_err("too many");
    let Error::InvalidConfig { reason: ConfigError::Cooperative { groups, most: told }, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((groups, told), (most as u128 + 1, most as u128));
    Ok(())
}
