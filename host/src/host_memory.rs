//! The program's own memory, where it may be more than there is.

use gridwright_core::KernelArg;

use crate::Error;

/// Elements whose bytes are all zero.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn zeros<T: KernelArg>(len: usize) -> Result<Vec<T>, Error> {
    bytemuck::try_zeroed_vec(len).map_err(|()| too_much::<T>(len))
}

/// A copy of bytes.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn copy_of(bytes: &[u8]) -> Result<Box<[u8]>, Error> {
    let mut copy = bytemuck::try_zeroed_slice_box(bytes.len()).map_err(|()| too_much::<u8>(bytes.len()))?;
    copy.copy_from_slice(bytes);
    Ok(copy)
}

/// The host has no memory for so many elements.
pub(crate) fn too_much<T>(len: usize) -> Error {
    Error::OutOfMemory {
        device: "the host".into(),
        requested: (len as u128).saturating_mul(size_of::<T>() as u128),
        free: None,
        total: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_an_error() {
        for len in [usize::MAX / 4, usize::MAX / 8] {
            let error = zeros::<u64>(len).unwrap_err();
            let bytes = len as u128 * 8;
            assert!(matches!(error, Error::OutOfMemory { requested, .. } if requested == bytes), "{error}");
        }
    }

    #[test]
    fn elements_are_zeros_and_bytes_are_copied() -> Result<(), Error> {
        assert_eq!(zeros::<u64>(3)?, [0; 3]);
        assert_eq!(zeros::<u64>(0)?, []);
        assert_eq!(copy_of(&[1, 2])?[..], [1, 2]);
        Ok(())
    }
}
