//! What a caller can get wrong at run time: each a typed error that names it, nothing launched.

use gridwright::prelude::*;
use gridwright::{ConfigError, Error};

type Result = std::result::Result<(), Error>;

#[gpu_kernel(requires = x.len() == y.len() && times < 10)]
fn add(t: Thread, x: &[f32], mut y: PerThread<[f32]>, times: u32) {
    if let Some(y) = y.get_mut(t) {
        *y += x[t.index()] * times as f32;
    }
}

#[gpu_kernel]
fn copy(t: Thread, x: &Matrix<f32>, mut y: PerThread<Matrix<f32>>) {
    if let Some(y) = y.get_mut(t) {
        *y = x.get_or(t.row(), t.col(), 0.0);
    }
}

fn launch_add(
    config: LaunchConfig,
    x: &[f32],
    y: &[f32],
    times: u32,
) -> std::result::Result<Vec<f32>, Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = stream.upload(x)?;
    let mut y = stream.upload(y)?;
    let result = add::load(&device)?.launch(&stream, config, (&x, &mut y, times));
    let y = stream.download(&y)?;
    if result.is_err() {
        assert!(y.iter().all(|&y| y == 0.0), "something was launched");
    }
    result.map(|()| y)
}

#[test]
fn lengths_that_requires_forbids() {
    let error = launch_add(LaunchConfig::threads(3), &[1.0; 3], &[0.0; 2], 1).unwrap_err();
    assert!(matches!(error, Error::Requirement { condition: "x.len() == y.len()", .. }));
    assert_eq!(
        error.to_string(),
        "kernel `add` requires `x.len() == y.len()`, but was given x: 3 elements, y: 2 elements, times: 1"
    );
}

#[test]
fn values_that_requires_forbids() {
    let error = launch_add(LaunchConfig::threads(3), &[1.0; 3], &[0.0; 3], 10).unwrap_err();
    assert!(error.to_string().contains("`times < 10`") && error.to_string().contains("times: 10"));
}

#[test]
fn arithmetic_in_requires_fails_rather_than_wraps() -> Result {
    #[gpu_kernel(requires = x.len() * scale == 0)]
    fn scaled(_t: Thread, x: &[u8], scale: usize) {
        let _ = (x, scale);
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = stream.upload(&[0; 4])?;
    let kernel = scaled::load(&device)?;
    // 4 * 2^62 wraps to 0.
    let result = kernel.launch(&stream, LaunchConfig::threads(1), (&x, 1 << 62));
    assert!(matches!(result, Err(Error::Requirement { .. })));
    kernel.launch(&stream, LaunchConfig::threads(1), (&x, 0))
}

#[test]
fn sizes_of_a_launch() {
    let reason = |config| match launch_add(config, &[1.0], &[0.0], 1) {
        Err(Error::InvalidConfig { kernel: "add", reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(reason(LaunchConfig::threads(0)), ConfigError::Zero { what: "threads" });
    let too_many = reason(LaunchConfig::threads(1 << 33));
    assert!(matches!(too_many, ConfigError::OverLimit { value: 0x2_0000_0000, limit: 0x1_0000_0000, .. }));
    assert!(matches!(reason(LaunchConfig::grid(1, 2048)), ConfigError::OverLimit { limit: 1024, .. }));
    assert_eq!(reason(LaunchConfig::for_matrix(2, 2)), ConfigError::Rank { launch: 2, kernel: 1 });
    let message = launch_add(LaunchConfig::threads(0), &[1.0], &[0.0], 1).unwrap_err().to_string();
    assert_eq!(message, "kernel `add`: zero threads: there is nothing to launch");
}

#[test]
fn buffers_and_streams_of_another_device() -> Result {
    let (here, there) = (Device::cpu()?, Device::cpu()?);
    let (stream, other_stream) = (here.stream()?, there.stream()?);
    let foreign = other_stream.upload(&[1.0])?;
    let mut y = stream.upload(&[0.0])?;
    let kernel = add::load(&here)?;
    let error = kernel.launch(&stream, LaunchConfig::threads(1), (&foreign, &mut y, 1)).unwrap_err();
    assert!(matches!(&error, Error::ForeignBuffer { place, .. } if place == "kernel `add`, parameter `x`"));
    let error = kernel.launch(&other_stream, LaunchConfig::threads(1), (&foreign, &mut y, 1)).unwrap_err();
    assert!(matches!(error, Error::ForeignStream { what: "stream", .. }));
    assert!(matches!(stream.download(&foreign), Err(Error::ForeignBuffer { .. })));
    assert!(matches!(stream.wait(&other_stream.record()?), Err(Error::ForeignStream { .. })));
    assert_eq!(stream.download(&y)?, [0.0]);
    // A clone is the same device.
    let same = here.clone().stream()?;
    assert_eq!(same.download(&y)?, [0.0]);
    Ok(())
}

#[test]
fn lengths_of_copies() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut buffer = stream.alloc_zeroed::<u32>(4)?;
    let result = stream.copy_from_slice(&mut buffer, &[1; 3]);
    assert!(matches!(result, Err(Error::LengthMismatch { given: 3, expected: 4, .. })));
    let result = stream.copy_to_slice(&buffer, &mut [0; 5]);
    assert!(matches!(result, Err(Error::LengthMismatch { given: 5, expected: 4, .. })));
    assert!(matches!(stream.upload_matrix(2, 2, &[1; 5]), Err(Error::MatrixSize { len: 5, .. })));
    assert!(matches!(stream.upload_matrix(1 << 40, 1 << 40, &[0; 0]), Err(Error::MatrixSize { .. })));
    Ok(())
}

#[test]
#[allow(clippy::reversed_empty_ranges)]
fn parts_beyond_the_buffer() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut buffer = stream.alloc_zeroed::<u32>(4)?;
    assert!(matches!(buffer.slice(2..5), Err(Error::OutOfRange { start: 2, end: 5, len: 4 })));
    assert!(buffer.slice_mut(3..2).is_err());
    assert!(buffer.slice(..=usize::MAX).is_err());
    assert!(buffer.split_at_mut(5).is_err());
    assert!(buffer.slice(4..).is_ok_and(|empty| empty.is_empty()));
    Ok(())
}

#[test]
fn buffers_that_do_not_divide_into_arrays() -> Result {
    #[gpu_kernel]
    fn pairs(t: Thread, mut x: PerThread<[[f32; 2]]>) {
        if let Some([a, b]) = x.get_mut(t) {
            std::mem::swap(a, b);
        }
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed::<f32>(5)?;
    let error = pairs::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&mut x,)).unwrap_err();
    assert_eq!(error.to_string(), "kernel `pairs`, parameter `x`: 5 elements don't make arrays of 2");
    Ok(())
}

#[test]
fn more_memory_than_there_is() -> Result {
    let stream = Device::cpu()?.stream()?;
    let result = stream.alloc_zeroed::<u64>(usize::MAX);
    assert!(
        matches!(result, Err(Error::OutOfMemory { requested, .. }) if requested == 8 * usize::MAX as u128)
    );
    let result = stream.alloc_zeroed::<u8>(isize::MAX as usize);
    assert!(matches!(result, Err(Error::OutOfMemory { requested, .. }) if requested == isize::MAX as u128));
    let matrix = stream.alloc_matrix_zeroed::<f32>(1 << 31, 1 << 31);
    assert!(matches!(matrix, Err(Error::OutOfMemory { requested, .. }) if requested == 1 << 64));
    let matrix = stream.alloc_matrix_zeroed::<f32>(1, 1 << 32);
    assert!(matches!(matrix, Err(Error::MatrixLimit { rows: 1, .. })));
    Ok(())
}

#[test]
fn a_matrix_kernel_in_one_dimension_is_one_row() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = stream.upload_matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let mut y = stream.alloc_matrix_zeroed(2, 3)?;
    copy::load(&device)?.launch(&stream, LaunchConfig::threads(6), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    Ok(())
}
