//! The peer in C: the functions of `kernels.c`, compiled when the bench runs.

use std::ffi::{c_int, c_void};

use anyhow::Context;
use libloading::Library;

use super::compiled;
use super::contestant::Contestant;
use super::on_arrays::{Arguments, Call, on_arrays};
use super::problem::Problem;

/// A function of `kernels.c`: the arrays, the scalars, and the size.
type Function = unsafe extern "C" fn(*const *mut c_void, *const f32, usize);

/// What the source is compiled with, beside what all are: nothing, and what a vector of `expf` takes.
const FLAGS: [&[&str]; 2] = [&[], &["-ffast-math"]];

/// The libraries, one for each of the flags.
pub(crate) struct C {
    libraries: Vec<&'static Library>,
}

impl C {
    /// Compiles them, for so many threads.
    ///
    /// # Errors
    /// Without a compiler, or one that knows OpenMP.
    pub(crate) fn compile(threads: usize) -> anyhow::Result<Self> {
        let threads = c_int::try_from(threads)?;
        let libraries = FLAGS.iter().map(|flags| {
            let library = compiled::library(include_str!("../kernels.c"), flags)?;
            // SAFETY: the function of `kernels.c` has this type, and any number will do.
            unsafe { library.get::<unsafe extern "C" fn(c_int)>(b"use_threads\0")?(threads) };
            anyhow::Ok(library)
        });
        Ok(Self { libraries: libraries.collect::<anyhow::Result<_>>()? })
    }

    /// Who takes part in a row.
    ///
    /// # Errors
    /// Where `kernels.c` has no such function.
    pub(crate) fn enter<'p>(&self, problem: &'p Problem) -> anyhow::Result<Box<dyn Contestant + 'p>> {
        let ways = self.libraries.iter().zip(FLAGS).map(|(library, flags)| {
            // SAFETY: all functions of `kernels.c` that have subjects' names have this type.
            let function = unsafe { library.get::<Function>(problem.subject.as_bytes()) };
            let function = *function.with_context(|| format!("no function {}", problem.subject))?;
            let call = move |Arguments { arrays, scalars, size }: &Arguments<'_>| {
                // SAFETY: the function takes the arrays and scalars of its subject, which these are.
                unsafe { function(arrays.as_ptr(), scalars.as_ptr(), *size) };
            };
            anyhow::Ok((flags.join(" "), Box::new(call) as Call<'p>))
        });
        // SAFETY: the functions are the subject's, and OpenMP's threads are done when they return.
        Ok(unsafe { on_arrays(problem, ways.collect::<anyhow::Result<_>>()?) })
    }
}
