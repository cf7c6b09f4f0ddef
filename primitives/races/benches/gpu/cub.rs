//! CUB, in a library that nvcc made of `cpp/cub.cu`.

use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::ptr::NonNull;

use anyhow::{Context, ensure};
use libloading::Library;

/// Memory for a call on so many elements; null for an error.
type New = unsafe extern "C" fn(*const c_char, usize) -> Option<NonNull<c_void>>;
/// Nanoseconds of a call; negative for an error.
type Time = unsafe extern "C" fn(NonNull<c_void>) -> f64;
type Free = unsafe extern "C" fn(NonNull<c_void>);

pub(crate) struct Cub {
    new: New,
    time: Time,
    free: Free,
    /// Last: the functions are its.
    _library: Library,
}

/// A call that is ready.
pub(crate) struct Prepared<'c> {
    cub: &'c Cub,
    race: NonNull<c_void>,
}

impl Cub {
    /// # Errors
    /// Where there is no such library.
    pub(crate) fn load(path: &Path) -> anyhow::Result<Self> {
        // SAFETY: it is the bundle's own, whose initialisation registers kernels and does nothing else.
        let library =
            unsafe { Library::new(path) }.with_context(|| format!("can't load {}", path.display()))?;
        // SAFETY: the types are those of the functions in `cpp/cub.cu`.
        let (new, time, free) = unsafe {
            (
                *library.get::<New>(b"cub_new")?,
                *library.get::<Time>(b"cub_time")?,
                *library.get::<Free>(b"cub_free")?,
            )
        };
        Ok(Self { new, time, free, _library: library })
    }

    /// # Errors
    /// Where it has no such algorithm, or there isn't the memory.
    pub(crate) fn prepare(&self, algorithm: &str, len: usize) -> anyhow::Result<Prepared<'_>> {
        let name = CString::new(algorithm)?;
        // SAFETY: the name ends with a zero.
        let race = unsafe { (self.new)(name.as_ptr(), len) };
        let race = race.with_context(|| format!("CUB can't run `{algorithm}` of {len}"))?;
        Ok(Prepared { cub: self, race })
    }
}

impl Prepared<'_> {
    /// Nanoseconds of a call.
    ///
    /// # Errors
    /// Where it failed.
    pub(crate) fn time(&self) -> anyhow::Result<f64> {
        // SAFETY: it is there until this is dropped.
        let time = unsafe { (self.cub.time)(self.race) };
        ensure!(time >= 0.0, "a call of CUB's failed");
        Ok(time)
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        // SAFETY: it is there, and nobody uses it any more.
        unsafe { (self.cub.free)(self.race) };
    }
}
