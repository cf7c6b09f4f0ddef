//! A peer in C, compiled when it is wanted.

use std::ffi::c_int;

use super::compiled;

type Sum = unsafe extern "C" fn(*const f32, usize, c_int) -> f32;

/// The functions of `sum.c`.
pub(crate) struct OpenMp {
    sum: Sum,
}

impl OpenMp {
    /// Compiles and loads them.
    ///
    /// # Errors
    /// Without a compiler, or one that knows OpenMP.
    pub(crate) fn compile() -> anyhow::Result<Self> {
        let library = compiled::library(include_str!("sum.c"), &[])?;
        // SAFETY: the function of `sum.c` has this type.
        Ok(Self { sum: unsafe { *library.get::<Sum>(b"sum\0")? } })
    }

    /// The sum by so many threads.
    pub(crate) fn sum(&self, x: &[f32], threads: usize) -> f64 {
        // SAFETY: the function reads so many elements, and the library stays loaded.
        f64::from(unsafe { (self.sum)(x.as_ptr(), x.len(), threads.try_into().unwrap_or(1)) })
    }
}
