//! What crosses the C ABI.

use std::ffi::c_char;

use crate::error::Error;

/// `NCCL_UNIQUE_ID_BYTES`.
const ID_BYTES: usize = 128;

/// A caller's address for a result. Null, or valid for a write of a `T`: only callers of the C functions make these, and
/// each function's `# Safety` demands it.
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Out<T> {
    /// # Errors
    /// If it is null.
    pub(crate) fn put(self, value: T) -> Result<(), Error> {
        if self.0.is_null() {
            return Err(Error::argument("the address of a result is NULL"));
        }
        // SAFETY: not null, so valid for a write: the type's invariant.
        unsafe { self.0.write(value) };
        Ok(())
    }
}

/// `ncclUniqueId`: a name with zeros behind it.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct UniqueId([c_char; ID_BYTES]);

impl UniqueId {
    /// # Errors
    /// If the name is too long.
    pub(crate) fn of(name: &str) -> Result<Self, Error> {
        let mut id = [0; ID_BYTES];
        if name.len() >= ID_BYTES {
            return Err(Error::internal(format!("{name} is too long")));
        }
        for (to, from) in id.iter_mut().zip(name.bytes()) {
            *to = from.cast_signed();
        }
        Ok(Self(id))
    }

    pub(crate) fn name(&self) -> String {
        let bytes = self.0.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0);
        bytes.map(char::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::UniqueId;

    #[test]
    fn an_id_keeps_its_name() {
        assert_eq!(UniqueId::of("a-1-2").unwrap().name(), "a-1-2");
        assert!(UniqueId::of(&"a".repeat(128)).is_err());
        assert_eq!(size_of::<UniqueId>(), 128);
    }
}
