//! Contestants that are functions of other languages, called on the row's arrays in this process.

use std::ffi::c_void;

use super::contestant::{Contestant, clocked};
use super::problem::{Array, Problem, Values};

/// What a function gets: the row's arrays, its scalars, and the size.
pub(crate) struct Arguments<'a> {
    pub(crate) arrays: Vec<*mut c_void>,
    pub(crate) scalars: &'a [f32],
    pub(crate) size: usize,
}

// SAFETY: pointers are only looked at by functions, which share the work on what they point to by themselves.
unsafe impl Sync for Arguments<'_> {}

/// A call of a function.
pub(crate) type Call<'p> = Box<dyn Fn(&Arguments<'_>) + 'p>;

/// A contestant of these ways, each a call.
///
/// # Safety
/// Each call is the subject's: it takes its arrays and scalars, writes results only, and is done when it returns.
pub(crate) unsafe fn on_arrays<'p>(
    problem: &'p Problem,
    ways: Vec<(String, Call<'p>)>,
) -> Box<dyn Contestant + 'p> {
    Box::new(OnArrays { problem, ways, way: 0, arrays: problem.arrays.clone() })
}

struct OnArrays<'p> {
    problem: &'p Problem,
    ways: Vec<(String, Call<'p>)>,
    way: usize,
    arrays: Vec<Array>,
}

impl Contestant for OnArrays<'_> {
    fn ways(&self) -> Vec<String> {
        self.ways.iter().map(|(name, _)| name.clone()).collect()
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
        let Problem { scalars, size, launches, .. } = self.problem;
        let arrays = self.arrays.iter_mut().map(pointer).collect();
        let arguments = Arguments { arrays, scalars, size: *size };
        let (_, call) = &self.ways[self.way];
        clocked(calls, || {
            (0..*launches).for_each(|_| call(&arguments));
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
