//! Copies between memory of one device.

#![allow(clippy::unwrap_used)]

use gridwright::Error;
use gridwright::prelude::*;

type Result = std::result::Result<(), Error>;

#[test]
fn all_kinds_of_memory_are_copied() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut buffer = stream.upload(&[1, 2, 3, 4, 5, 6])?;
    let mut matrix = stream.alloc_matrix_zeroed(2, 3)?;
    stream.copy(&buffer, &mut matrix)?;
    assert_eq!(stream.download(&matrix)?, [1, 2, 3, 4, 5, 6]);
    let (mut low, high) = buffer.split_at_mut(3)?;
    stream.copy(&high, &mut low)?;
    assert_eq!(stream.download(&buffer)?, [4, 5, 6, 4, 5, 6]);
    stream.copy(&matrix, &mut buffer)?;
    assert_eq!(stream.download(&buffer)?, [1, 2, 3, 4, 5, 6]);
    stream.copy(&buffer.slice(..0)?, &mut stream.alloc_zeroed(0)?)
}

#[test]
fn other_lengths_and_two_of_another_device_are_refused() -> Result {
    let stream = Device::cpu()?.stream()?;
    let from = stream.upload(&[1, 2, 3])?;
    let mut to = stream.alloc_zeroed(2)?;
    let error = stream.copy(&from, &mut to).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { given: 3, expected: 2, .. }), "{error}");
    let elsewhere = Device::cpu()?.stream()?;
    let error = elsewhere.copy(&from, &mut stream.alloc_zeroed(3)?).unwrap_err();
    assert!(matches!(&error, Error::ForeignBuffer { place, .. } if place == "copy, from"), "{error}");
    assert_eq!(stream.download(&to)?, [0, 0]);
    Ok(())
}
