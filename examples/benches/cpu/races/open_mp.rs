//! A peer in C, compiled when it is wanted by whatever `cc` is.

use std::ffi::c_int;
use std::process::Command;

use anyhow::{Context, ensure};
use libloading::Library;

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
        let folder = tempfile::tempdir()?;
        let (source, library) = (folder.path().join("sum.c"), folder.path().join("libsum.so"));
        std::fs::write(&source, include_str!("sum.c"))?;
        let output = Command::new("cc")
            .args(["-O3", "-march=native", "-fopenmp", "-fPIC", "-shared", "-o"])
            .args([&library, &source])
            .output()
            .context("can't start cc")?;
        ensure!(output.status.success(), "cc: {}", String::from_utf8_lossy(&output.stderr));
        // SAFETY: the library was just made of `sum.c`, which has no initialisers; its function has this type.
        let (sum, library) = unsafe {
            let library = Library::new(&library)?;
            (*library.get::<Sum>(b"sum\0")?, library)
        };
        // OpenMP's threads wait in its library for more work: it may never be unloaded.
        std::mem::forget(library);
        Ok(Self { sum })
    }

    /// The sum by so many threads.
    pub(crate) fn sum(&self, x: &[f32], threads: usize) -> f64 {
        // SAFETY: the function reads so many elements, and the library stays loaded.
        f64::from(unsafe { (self.sum)(x.as_ptr(), x.len(), threads.try_into().unwrap_or(1)) })
    }
}
