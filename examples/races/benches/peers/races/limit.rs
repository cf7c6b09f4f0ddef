//! What nobody is expected to beat: the machine's copy of as many bytes, and OpenBLAS' product of matrices.

use std::ffi::c_int;

use anyhow::Context;
use libloading::Library;
use rayon::prelude::*;

use super::contestant::{Contestant, clocked};
use super::on_arrays::{Arguments, Call, on_arrays};
use super::problem::{Problem, Unit};

/// `cblas_sgemm`: order and transpositions, rows, columns and depth, a factor, A and B, a factor, and C, each with the length of its rows.
type Sgemm = unsafe extern "C" fn(
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    f32,
    *const f32,
    c_int,
    *const f32,
    c_int,
    f32,
    *mut f32,
    c_int,
);

/// CBLAS' words for matrices whose rows lie one after the other, and are taken as they are.
const ROW_MAJOR: c_int = 101;
const AS_THEY_ARE: c_int = 111;

/// OpenBLAS' product of matrices.
#[derive(Clone, Copy)]
pub(crate) struct OpenBlas {
    sgemm: Sgemm,
}

impl OpenBlas {
    /// Loads it, for so many threads.
    ///
    /// # Errors
    /// Where the loader finds none.
    pub(crate) fn load(threads: usize) -> anyhow::Result<Self> {
        let threads = c_int::try_from(threads)?;
        // SAFETY: OpenBLAS' initialisers start its threads, and do nothing else that shows.
        let library = unsafe { Library::new("libopenblas.so.0") }.context("no libopenblas.so.0")?;
        // Never unloaded, as its threads wait in it.
        let library: &Library = Box::leak(Box::new(library));
        // SAFETY: the function takes a number.
        unsafe { library.get::<unsafe extern "C" fn(c_int)>(b"openblas_set_num_threads\0")?(threads) };
        // SAFETY: the function has CBLAS' type, with integers of 32 bits as the library's name says.
        Ok(Self { sgemm: *unsafe { library.get::<Sgemm>(b"cblas_sgemm\0")? } })
    }
}

/// A row's limit, with its name. None where none is known.
pub(crate) fn of<'p>(
    problem: &'p Problem,
    open_blas: Option<OpenBlas>,
) -> Option<(String, Box<dyn Contestant + 'p>)> {
    match problem.work {
        (bytes, Unit::Bytes) => Some(("copy".to_owned(), Box::new(Copies::of(problem, bytes)))),
        (_, Unit::Operations) => {
            let ways = vec![(String::new(), product(open_blas?.sgemm, c_int::try_from(problem.size).ok()?))];
            // SAFETY: rows of operations are products of squares of the row's size, A times B is C.
            Some(("OpenBLAS' sgemm".to_owned(), unsafe { on_arrays(problem, ways) }))
        }
        _ => None,
    }
}

fn product<'p>(sgemm: Sgemm, n: c_int) -> Call<'p> {
    Box::new(move |Arguments { arrays, .. }| {
        let (a, b, c) = (arrays[0].cast::<f32>(), arrays[1].cast::<f32>(), arrays[2].cast::<f32>());
        // SAFETY: the arrays are squares of `n` rows of so many elements, of which C is written.
        unsafe {
            sgemm(ROW_MAJOR, AS_THEY_ARE, AS_THEY_ARE, n, n, n, 1.0, a, n, b, n, 0.0, c, n);
        }
    })
}

/// Copies by all of rayon's threads, of as many bytes as a row reads and writes together.
struct Copies<'p> {
    problem: &'p Problem,
    from: Vec<u8>,
    to: Vec<u8>,
}

impl<'p> Copies<'p> {
    fn of(problem: &'p Problem, bytes: f64) -> Self {
        let half = (bytes / 2.0) as usize;
        Self { problem, from: vec![1; half], to: vec![0; half] }
    }
}

impl Contestant for Copies<'_> {
    /// As expected: it answers nothing, so nothing is wrong.
    fn result(&mut self) -> anyhow::Result<Vec<f64>> {
        Ok(self.problem.expected.clone())
    }

    fn time(&mut self, calls: u32) -> anyhow::Result<f64> {
        let piece = self.from.len().div_ceil(rayon::current_num_threads()).next_multiple_of(64);
        rayon::scope(|_| {
            clocked(calls, || {
                let pieces = self.to.par_chunks_mut(piece).zip(self.from.par_chunks(piece));
                pieces.for_each(|(to, from)| to.copy_from_slice(from));
                Ok(())
            })
        })
    }
}
