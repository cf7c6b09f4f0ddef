//! The peer in C: the functions of `kernels.c`, compiled when the bench runs.

use std::ffi::{c_int, c_void};

use anyhow::Context;
use libloading::Library;

use super::compiled;
use super::contestant::{Contestant, clocked};
use super::problem::{Array, Problem, Values};

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
        let functions = self.libraries.iter().map(|library| {
            // SAFETY: all functions of `kernels.c` that have subjects' names have this type.
            let function = unsafe { library.get::<Function>(problem.subject.as_bytes()) };
            Ok(*function.with_context(|| format!("no function {}", problem.subject))?)
        });
        let functions = functions.collect::<anyhow::Result<_>>()?;
        Ok(Box::new(InC { problem, functions, way: 0, arrays: problem.arrays.clone() }))
    }
}

struct InC<'p> {
    problem: &'p Problem,
    functions: Vec<Function>,
    way: usize,
    arrays: Vec<Array>,
}

impl Contestant for InC<'_> {
    fn ways(&self) -> Vec<String> {
        FLAGS.iter().map(|flags| flags.join(" ")).collect()
    }

    fn take(&mut self, way: usize) {
        self.way = way;
    }

    fn result(&mut self) -> anyhow::Result<Vec<f64>> {
        self.arrays.clone_from(&self.problem.arrays);
        self.time(1)?;
        let results = &self.arrays[self.arrays.len() - self.problem.results..];
        Ok(results.iter().flat_map(Values::values).collect())
    }

    fn time(&mut self, calls: u32) -> anyhow::Result<f64> {
        let pointers: Vec<*mut c_void> = self.arrays.iter_mut().map(pointer).collect();
        let (function, problem) = (self.functions[self.way], self.problem);
        clocked(calls, || {
            for _ in 0..problem.launches {
                // SAFETY: the function is the subject's: it takes these arrays and scalars, and writes results only, which are borrowed.
                unsafe { function(pointers.as_ptr(), problem.scalars.as_ptr(), problem.size) };
            }
            Ok(())
        })
    }
}

fn pointer(array: &mut Array) -> *mut c_void {
    match array {
        Array::F32(numbers) => numbers.as_mut_ptr().cast(),
        Array::U32(numbers) => numbers.as_mut_ptr().cast(),
        Array::U8(numbers) => numbers.as_mut_ptr().cast(),
    }
}
